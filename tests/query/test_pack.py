"""Packing: the best passages of every page, in reading order, within a budget."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.index.index import open_index
from citewiki.model import Page
from citewiki.query.pack import best_passages, pack
from citewiki.query.retrieve import retrieve
from citewiki.query.terms import Term, Weighed
from tests.conftest import MakeWiki

FILLER = "Plain words that nobody asks for stand here in a row. " * 40


def weighed(*words: str) -> Weighed:
    terms = tuple(Term(word, word, 1.0, {"body": 1}, 1, 2.0) for word in words)
    return Weighed(terms, (), (), (), "")


def page(body: str, title: str = "Title") -> Page:
    return Page("d/p.md", "p", title, body, domain="d")


def test_a_short_page_is_kept_whole() -> None:
    body = "Intro.\n\n## A\n\nOne.\n\n## B\n\nTwo.\n"
    kept = best_passages(page(body), weighed("two"), 4000)
    assert "".join(body[each.start : each.end] for each in kept) == body


def test_a_long_page_keeps_the_passages_that_speak_of_the_question() -> None:
    body = f"{FILLER}\n\n## Food\n\nZebras eat grass.\n\n## Other\n\n{FILLER}\n"
    kept = best_passages(page(body), weighed("zebra"), 1000)
    assert any(each.heading == "Food" and "grass" in each.text for each in kept)
    assert sum(each.end - each.start for each in kept) <= 1000


def test_a_heading_counts_for_its_passage() -> None:
    body = f"{FILLER}\n\n## Zebras\n\nThey eat grass.\n\n## Lions\n\nThey eat meat.\n\n{FILLER}\n"
    kept = best_passages(page(body), weighed("zebra"), 100)
    assert [each.heading for each in kept][:1] == ["Zebras"]


def test_a_long_passage_is_cut_between_sentences_and_not_at_its_start() -> None:
    body = f"{FILLER}The zebra eats grass at night. {FILLER}\n"
    kept = best_passages(page(body), weighed("zebra", "night"), 1200)
    assert "The zebra eats grass at night." in kept[0].text
    assert body[: kept[0].start][-1:].isspace()


def test_a_block_that_nothing_divides_is_cut_to_size() -> None:
    kept = best_passages(page("x" * 9000), weighed("x"), 500)
    assert [len(each.text) for each in kept] == [500]


def test_pages_come_in_the_order_of_the_hits_within_the_budget(make_wiki: MakeWiki) -> None:
    files = {f"wiki/p{n}.md": f"# P{n}\n\nZebra {n}.\n\n{FILLER}\n" for n in range(6)}
    root = make_wiki(files)
    with open_index(root / "wiki", root / ".citewiki") as index:
        asked = SimpleNamespace(text="zebra", language="")
        hits = retrieve(index, asked).hits
        packed = pack(index, hits, asked, page_chars=1500, budget=6000)
        sizes = [sum(p.end - p.start for p in each.passages) for each in packed]
        assert [each.hit for each in packed] == list(hits[: len(packed)])
        assert max(sizes) <= 1500
        assert sum(sizes) <= 6000
        assert all("Zebra" in each.passages[0].text for each in packed)
        assert len(pack(index, hits, asked, budget=900)) >= 3


BODIES = st.lists(
    st.sampled_from(
        ["## Head", "A zebra eats. It sleeps.", "- item zebra", "```\ncode\n```", "", "x" * 300]
    ),
    max_size=12,
).map("\n\n".join)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(BODIES, st.integers(50, 900))
def test_kept_passages_are_verbatim_in_order_disjoint_and_fit(body: str, room: int) -> None:
    kept = best_passages(page(body), weighed("zebra"), room)
    assert all(
        each.text == body[each.start : each.end].strip() or each.text in body for each in kept
    )
    assert all(one.end <= other.start for one, other in pairwise(kept))
    assert sum(each.end - each.start for each in kept) <= max(room, len(body) * (len(body) <= room))
