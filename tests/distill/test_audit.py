"""Pages that need work are found with their evidence, and drafts of it lose nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.config import Config
from citewiki.distill.deciding import accept, reject
from citewiki.distill.maintain.audit import Finding, audit
from citewiki.distill.maintain.auditing import Audited, run_audit
from citewiki.distill.maintain.queueing import sources_since
from citewiki.distill.maintain.reshaping import merged, split
from citewiki.llm.scripted import ScriptedEngine
from citewiki.markdown.footnotes import footnotes, references
from citewiki.markdown.notes import parted
from citewiki.markdown.plain import plain
from citewiki.model import Page, SourceRef
from citewiki.sources.manifest import load_manifest
from citewiki.store import review
from citewiki.store.lifecycle import unsupersede
from citewiki.store.pages import body_sha256, load_pages, render_page
from tests.conftest import NOW, MakeWiki
from tests.distill.models import model
from tests.distill.test_compile import compiled

FUSION = (
    "Rank fusion merges the lists of several retrievers into one list.[^{0}.1]\n\n"
    "It adds the reciprocal of each rank, so that scores need not be comparable.[^{0}.2]\n\n"
    '[^{0}.1]: raw/{0}.md: "Rank fusion merges the lists of several retrievers into one list."\n'
    '[^{0}.2]: raw/{0}.md: "It adds the reciprocal of each rank"\n'
)


def page(slug: str, body: str, **more: object) -> Page:
    values: dict[str, object] = {
        "path": f"ml/{slug}.md",
        "title": slug.replace("-", " ").capitalize(),
        "domain": "ml",
        "generated_by": "citewiki/1+extractive",
        "generated_sha256": body_sha256(body),
        **more,
    }
    return Page(slug=slug, body=body, **values)  # type: ignore[arg-type]


def written(make_wiki: MakeWiki, *pages: Page) -> Path:
    return make_wiki({f"wiki/{each.path}": render_page(each) for each in pages})


def pages(root: Path) -> list[Page]:
    return load_pages(root / "wiki")[0]


def slugged(root: Path) -> dict[str, Page]:
    return {each.slug: each for each in pages(root)}


def audited(root: Path, **more: object) -> Audited:
    records = load_manifest(root)
    config = Config(shared_with=())
    return run_audit(
        root, root / ".citewiki", pages(root), records, config, now=NOW, version="1", **more
    )  # type: ignore[arg-type]


def of_kind(found: list[Finding], kind: str) -> list[tuple[str, str]]:
    return [(each.slug, each.proposal) for each in found if each.kind == kind]


def long_part(word: str, count: int = 900) -> str:
    return " ".join(f"The {word} number {n} follows rule {n + 1}." for n in range(count // 6))


BLOATED = (
    "A lead.[^a.1]\n\n"
    f"## Storing\n\n{long_part('disk')}[^a.2]\n\n### Inner\n\n{long_part('tape', 600)}[^b.1]\n\n"
    f"## Reading\n\n{long_part('reader', 1500)}[^a.1]\n\n## Short\n\nA few words.[^a.3]\n\n"
    "Part of [[Book]].\n\n"
    '[^a.1]: raw/a.md, p. 1: "one"\n[^a.2]: raw/a.md, p. 2: "two"\n'
    '[^a.3]: raw/a.md, p. 3: "three"\n[^b.1]: raw/b.md, p. 9: "nine"\n'
)


# -- what is found ------------------------------------------------------------------------------


def test_two_pages_that_say_the_same_are_one_finding_and_the_linked_one_stays(make_wiki: MakeWiki):
    found = audit(
        [
            page("fusion", FUSION.format("a")),
            page("merging-ranks", FUSION.format("b")),
            page(
                "other", "Lists are joined by [[Fusion]], among other ways. " + long_part("x", 90)
            ),
        ],
        {},
    )
    assert of_kind(found, "duplicate") == [("merging-ranks", "merge")]
    assert found[[f.kind for f in found].index("duplicate")].others == ("fusion",)


def test_a_page_inside_a_longer_one_is_its_copy():
    inside = page("part", long_part("index", 120))
    whole = page("whole", f"{long_part('index', 120)}\n\n{long_part('log', 400)}")
    (found,) = [each for each in audit([inside, whole], {}) if each.kind == "duplicate"]
    assert "stand in “Whole”" in found.evidence[0]


def test_parts_of_one_form_are_no_copies():
    options = "--json prints JSON. --quiet prints results and errors only. --verbose prints all. {}"
    pair = [
        page("get", options.format("--all gets all."), title="get: Options"),
        page("set", options.format("--force sets it."), title="set: Options"),
    ]
    assert of_kind(audit(pair, {}), "duplicate") == []


def test_pages_of_other_readers_are_never_one(make_wiki: MakeWiki):
    mine = page("fusion", FUSION.format("a"), owner="ann")
    ours = page("merging-ranks", FUSION.format("b"))
    assert of_kind(audit([mine, ours], {}), "duplicate") == []


def test_a_stub_is_thin_but_a_glossary_of_short_entries_is_not():
    stub = page("stub", "Too short.\n\nPart of [[Home]].", sources=(SourceRef("a"),))
    home = page("home", long_part("home", 200), sources=(SourceRef("a"),))
    more = page("more", long_part("more", 200), sources=(SourceRef("a"),))
    entries = [page(f"e{n}", f"Entry {n} means {n}.", sources=(SourceRef("g"),)) for n in range(4)]
    found = audit([stub, home, more, *entries], {})
    assert of_kind(found, "thin") == [("stub", "merge")]
    assert [each.others for each in found if each.kind == "thin"] == [("home",)]


def test_a_page_that_lost_most_of_its_section_is_to_be_written_anew(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": f"# Notes\n\n## Disks\n\n{long_part('disk', 400)}\n"})
    compiled(root)
    disks = next(each for each in pages(root) if each.slug != "index")
    (root / "wiki" / disks.path).write_text(render_page(page(disks.slug, "Disks spin.")))
    found = audit([page(disks.slug, "Disks spin.")], load_manifest(root))
    assert of_kind(found, "thin") == [(disks.slug, "rewrite")]


def test_an_overlong_page_is_to_be_split_at_its_headings():
    found = audit([page("big", BLOATED)], {})
    assert of_kind(found, "bloated") == [("big", "split")]
    assert "under 3 headings" in found[0].evidence[0]


def test_a_page_among_strangers_is_to_move_only_when_its_links_agree():
    cooking = [
        page(f"dish-{n}", f"Boil rice and beans in the pot with salt {n}. See [[Stray]].",
             domain="food", path=f"food/dish-{n}.md")
        for n in range(6)
    ]  # fmt: skip
    disks = [
        page(f"disk-{n}", f"The index of the disk has sector {n} and block.") for n in range(6)
    ]
    stray = page("stray", "Boil the beans with salt in a pot; see [[Dish 1]].")
    alone = page("alone", "Boil the beans with salt in a pot of rice.")
    found = audit([*cooking, *disks, stray, alone], {})
    assert [(f.slug, f.domain) for f in found if f.kind == "off-topic"] == [("stray", "food")]


def test_an_orphan_is_told_with_the_pages_nearest_to_it():
    one = page("rank-fusion", "Rank fusion.", summary="How ranks of retrievers are fused.")
    two = page("retrievers", "See [[Rank fusion]].", summary="Retrievers give ranks.")
    lone = page("scores", "Scores.", summary="Retrievers give scores.")
    (found,) = [each for each in audit([one, two, lone], {}) if each.kind == "orphaned"]
    assert (found.slug, found.proposal, found.others[0]) == ("scores", "link", "retrievers")


def test_a_superseded_page_needs_no_work():
    old = page("merging-ranks", FUSION.format("b"), superseded_by="fusion")
    assert of_kind(audit([page("fusion", FUSION.format("a")), old], {}), "duplicate") == []


# -- drafts -------------------------------------------------------------------------------------


def test_copies_become_a_draft_that_cites_both_and_supersedes_one(make_wiki: MakeWiki):
    root = written(
        make_wiki,
        page("fusion", FUSION.format("a"), sources=(SourceRef("a", "raw/a.md"),)),
        page("merging-ranks", FUSION.format("b") + "\n", sources=(SourceRef("b", "raw/b.md"),)),
    )
    before = {path: path.read_text() for path in (root / "wiki/ml").iterdir()}
    done = audited(root)
    assert {path: path.read_text() for path in (root / "wiki/ml").iterdir()} == before
    accept(root, root / ".citewiki", done.waiting, Config(), now=NOW, who="ann")
    now = slugged(root)
    fusion = now["fusion"]
    assert fusion.body.startswith(
        "Rank fusion merges the lists of several retrievers into one list.[^a.1][^b.1]\n"
    )
    assert (fusion.aliases, fusion.supersedes) == (("Merging ranks",), ("merging-ranks",))
    assert {ref.id for ref in fusion.sources} == {"a", "b"}
    assert now["merging-ranks"].superseded_by == "fusion"
    assert set(footnotes(fusion.body)) == {"a.1", "a.2", "b.1", "b.2"}


@pytest.mark.parametrize("ends", [None, NOW + timedelta(days=9)])
def test_that_an_accepted_draft_supersedes_a_page_can_be_taken_back(
    make_wiki: MakeWiki, ends: datetime | None
):
    copies = [
        page("fusion", FUSION.format("a"), sources=(SourceRef("a", "raw/a.md"),)),
        page("merging-ranks", FUSION.format("b"), sources=(SourceRef("b", "raw/b.md"),)),
    ]
    root = written(make_wiki, *(replace(each, valid_until=ends) for each in copies))
    accept(root, root / ".citewiki", audited(root).waiting, Config(), now=NOW, who="ann")
    old = slugged(root)["merging-ranks"]
    assert (old.superseded_at, old.valid_until, old.valid_until_before) == (NOW, NOW, ends)
    unsupersede(root, ["merging-ranks"], now=NOW)
    old = slugged(root)["merging-ranks"]
    assert (old.superseded_by, old.valid_until, old.valid_until_before) == ("", ends, None)


def test_a_merged_page_does_not_link_itself():
    other = page("two", "See [[One]], [[One|it]] and [[One#Part]], [[Else]].")
    both = merged(page("one", "Text."), other, NOW)
    assert "See One, it and [[One#Part]], [[Else]]." in both.body


def test_a_rejected_draft_is_not_proposed_again(make_wiki: MakeWiki):
    root = written(
        make_wiki, page("fusion", FUSION.format("a")), page("merging-ranks", FUSION.format("b"))
    )
    cache = root / ".citewiki"
    reject(root, cache, audited(root).waiting, now=NOW, who="ann", why="two tools")
    assert (audited(root).waiting, review.items(cache)) == ((), [])


def test_what_a_person_wrote_is_merged_by_a_person(make_wiki: MakeWiki):
    by_hand = page("fusion", FUSION.format("a"), generated_by="", generated_sha256="")
    root = written(make_wiki, by_hand, page("merging-ranks", FUSION.format("b")))
    done = audited(root)
    assert of_kind(list(done.findings), "duplicate") == [("merging-ranks", "merge")]
    assert done.waiting == ()


def test_a_persons_edit_survives_a_merge(make_wiki: MakeWiki):
    root = written(
        make_wiki, page("fusion", FUSION.format("a")), page("merging-ranks", FUSION.format("b"))
    )
    cache = root / ".citewiki"
    from citewiki.store import bases

    bases.keep(cache, FUSION.format("a"))
    file = root / "wiki/ml/fusion.md"
    file.write_text(file.read_text().replace("\n\nIt adds", "\n\nAnn likes it.\n\nIt adds"))
    done = audited(root)
    accept(root, cache, done.waiting, Config(), now=NOW, who="ann")
    body = slugged(root)["fusion"].body
    assert "Ann likes it." in body
    assert "[^b.1]" in body


def test_a_split_waits_for_its_parts(make_wiki: MakeWiki):
    root = written(make_wiki, page("big", BLOATED), page("book", "The [[Big]] book."))
    cache = root / ".citewiki"
    done = audited(root)
    whole = next(item for item in review.items(cache) if item.slug == "big")
    stays = accept(root, cache, [whole.id], Config(), now=NOW, who="ann")
    assert (stays.accepted, len(stays.waiting)) == ((), 1)
    accept(root, cache, done.waiting, Config(), now=NOW, who="ann")
    now = slugged(root)
    assert {"big", "book", "storing", "reading"} == set(now)
    assert "## Storing\n\nSee [[Storing]]." in now["big"].body
    assert "## Inner" in now["storing"].body
    assert "[^b.1]: raw/b.md" in now["storing"].body
    assert now["storing"].body.count("Part of [[Big]].") == 1


def test_a_model_writes_thin_pages_anew_from_their_sections(make_wiki: MakeWiki):
    text = " ".join(f"Disk {n} holds {n + 10} blocks of data." for n in range(40))
    root = make_wiki({"raw/ml/notes.md": f"# Notes\n\n## Disks\n\n{text}\n\n## Tapes\n\n{text}\n"})
    compiled(root)
    disks = next(each for each in pages(root) if each.title == "Disks")
    cut = page("disks", "Disk 1 holds 11 blocks of data.", sources=disks.sources, title="Disks")
    (root / "wiki" / disks.path).write_text(render_page(cut))
    done = audited(root, engine=model())
    (item,) = [each for each in review.items(root / ".citewiki") if each.slug == "disks"]
    assert item.id in done.waiting
    assert "Disk 39 holds 49 blocks of data.[^notes." in item.page.body


def test_a_model_that_fails_leaves_the_finding(make_wiki: MakeWiki):
    root = written(
        make_wiki, page("fusion", FUSION.format("a")), page("merging-ranks", FUSION.format("b"))
    )
    assert audited(root, engine=ScriptedEngine([])).findings


# -- when ---------------------------------------------------------------------------------------


def test_sources_are_counted_since_the_last_audit(make_wiki: MakeWiki):
    root = make_wiki({f"raw/n{n}.md": f"# Note {n}\n\nNote {n} says {n}.\n" for n in range(3)})
    compiled(root)
    assert sources_since(root, load_manifest(root)) == 3
    records = load_manifest(root)
    last = max(record.fetched_at for record in records.values())
    run_audit(
        root, root / ".citewiki", pages(root), records, Config(),
        now=last + timedelta(seconds=1), version="1",
    )  # fmt: skip
    assert sources_since(root, load_manifest(root)) == 0


# -- nothing is lost ----------------------------------------------------------------------------

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
SENTENCE = st.lists(WORDS, min_size=3, max_size=6).map(lambda words: " ".join(words) + " is so.")


@st.composite
def bodies(draw: st.DrawFn, source: str) -> str:
    pieces: list[str] = []
    notes: list[str] = []
    for number in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["paragraph", "item", "heading", "code"]))
        text = draw(SENTENCE)
        if kind == "heading":
            pieces.append(f"## {text}")
        elif kind == "code":
            pieces.append(f"```\n{text}\n```")
        else:
            label = f"{source}.{number + 1}"
            notes.append(f'[^{label}]: raw/{source}.md, p. {number}: "{text} {number}"')
            pieces.append(f"{'- ' if kind == 'item' else ''}{text}[^{label}]")
    return "\n\n".join(pieces) + "\n\n" + "\n".join(notes) + "\n"


def said(body: str) -> set[str]:
    text = plain(parted(body)[0])
    return {line.strip() for line in text.split("\n") if line.strip()}


@given(bodies("a"), st.one_of(bodies("a"), bodies("b")))
def test_a_merge_loses_no_text_and_no_footnote(one: str, other: str):
    both = merged(page("one", one), page("two", other), NOW)
    titles = {line for line in said(other) if f"## {line}" in other}
    assert said(one) | said(other) - titles <= said(both.body)
    wanted = {(n.resource, n.quote) for body in (one, other) for n in footnotes(body).values()}
    assert {(n.resource, n.quote) for n in footnotes(both.body).values()} == wanted
    assert set(references(parted(both.body)[0])) <= set(footnotes(both.body))


@given(st.lists(st.tuples(SENTENCE, st.booleans()), min_size=1, max_size=5))
def test_a_split_loses_no_text_and_no_footnote(parts: list[tuple[str, bool]]):
    text = "A lead.[^a.0]\n\n" + "\n\n".join(
        f"## {title} {n}\n\n{long_part('w', 1000) if long else 'Short.'}[^a.{n + 1}]"
        for n, (title, long) in enumerate(parts)
    )
    notes = "\n".join(f'[^a.{n}]: raw/a.md, p. {n}: "q{n}"' for n in range(len(parts) + 1))
    whole = page("big", f"{text}\n\n{notes}\n")
    found = split(whole, {"big"}, {"big"}, NOW)
    if sum(long for _, long in parts) < 2:
        assert found is None
        return
    assert found
    now = [found.rest, *found.parts]
    assert said(whole.body) <= set().union(*(said(each.body) for each in now))
    kept = {(n.label, n.quote) for each in now for n in footnotes(each.body).values()}
    assert kept == {(n.label, n.quote) for n in footnotes(whole.body).values()}
    assert found.rest.slug == "big"
    assert len({each.slug for each in now}) == len(now)
    assert all(set(references(parted(p.body)[0])) <= set(footnotes(p.body)) for p in now)
