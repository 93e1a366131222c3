"""Retrieval: by words, along links, over shared names, and what must never come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.index.index import Index, open_index
from citewiki.query.chains import Found
from citewiki.query.explain import explanation
from citewiki.query.retrieve import Retrieval, choose, retrieve, search
from citewiki.text.language import language
from tests.conftest import MakeWiki, write_files

FILLER = {
    f"wiki/filler/f{n}.md": f"# Filler {n}\n\nA page about number {n}, with a film and a city.\n"
    for n in range(30)
}


def page(title: str, body: str, front: str = "") -> str:
    return f"---\ntitle: {title}\n{front}---\n{body}\n"


@contextmanager
def index_of(root: Path, viewer: str | None = None) -> Iterator[Index]:
    with open_index(root / "wiki", root / ".citewiki", viewer) as index:
        yield index


def asked(index: Index, text: str, **options: object) -> Retrieval:
    question = SimpleNamespace(text=text, language=language(text))
    return retrieve(index, question, **options)  # type: ignore[arg-type]


def slugs(found: Retrieval) -> list[str]:
    return [hit.slug for hit in found.hits]


@pytest.fixture
def wiki_of(make_wiki: MakeWiki) -> Callable[[Mapping[str, str]], Path]:
    """A function that makes a wiki of the pages given, among thirty others."""
    return lambda pages: make_wiki({**FILLER, **pages})


WikiOf = Callable[[Mapping[str, str]], Path]
FILMS = {
    "wiki/bridge.md": page("Bridge Film", "Bridge Film was directed by [[Ana Lopez]] in 1986."),
    "wiki/lopez.md": page("Ana Lopez", "She lives in a village and paints."),
    "wiki/paints.md": page("Oil painting", "Ana is a painter's name."),
}


def test_a_link_leads_to_a_page_without_the_words_of_the_question(wiki_of: WikiOf) -> None:
    with index_of(wiki_of(FILMS)) as index:
        found = asked(index, "Who directed the film Bridge Film?")
        hit = found.hits[slugs(found).index("lopez")]
        assert slugs(found)[0] == "bridge"
        assert (hit.via, hit.depth, hit.through) == ("wikilink", 1, "bridge")
        assert "lopez" not in slugs(asked(index, "Who directed the film Bridge Film?", depth=0))


def test_a_backlink_leads_to_the_page_that_links(wiki_of: WikiOf) -> None:
    pages = {
        "wiki/club.md": page("Harbour Club", "A club of swimmers."),
        "wiki/member.md": page("Zoe", "Zoe, born 1970, joined the [[club|that society]]."),
    }
    with index_of(wiki_of(pages)) as index:
        found = asked(index, "Harbour Club")
        hit = found.hits[slugs(found).index("member")]
        assert (hit.via, hit.depth, hit.through) == ("backlink", 1, "club")


def test_a_name_that_two_pages_mention_connects_them_without_a_link(wiki_of: WikiOf) -> None:
    pages = {
        "wiki/eyes.md": page("Big Eyes", "Big Eyes is a film directed by Tim Burton."),
        "wiki/helena.md": page("Helena", "Helena was the spouse of Tim Burton."),
        "wiki/other.md": page("Otto", "Otto was the spouse of a baker."),
    }
    with index_of(wiki_of(pages)) as index:
        found = asked(index, "Who is the spouse of the director of Big Eyes?")
        assert slugs(found)[:2] == ["eyes", "helena"]
        raised = explanation(index, found, ())["pages"][1]["raised_by"]
        assert (raised["slug"], raised["name"]) == ("eyes", "tim_burton")
        assert found.found[1].name == "tim_burton"


def test_each_step_reaches_one_link_further(wiki_of: WikiOf) -> None:
    pages = {
        "wiki/a.md": page("Alphaville", "Leads to [[Second]]."),
        "wiki/b.md": page("Second", "Leads to [[Third]]."),
        "wiki/c.md": page("Third", "Leads to [[Fourth]]."),
        "wiki/d.md": page("Fourth", "The end."),
    }
    with index_of(wiki_of(pages)) as index:
        reached = [slugs(asked(index, "Alphaville", depth=depth)) for depth in (0, 1, 2, 3)]
        assert reached == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]
        assert [hit.depth for hit in asked(index, "Alphaville", depth=3).hits] == [0, 1, 2, 3]


def test_only_the_ways_that_are_named_are_followed(wiki_of: WikiOf) -> None:
    with index_of(wiki_of(FILMS)) as index:
        ways = [{"wikilink"}, {"backlink"}, {"index"}, set()]
        found = [
            slugs(asked(index, "Bridge Film directed 1986", follow=frozenset(way))) for way in ways
        ]
        assert ["lopez" in each for each in found] == [True, False, False, False]


def test_a_page_linked_from_everywhere_does_not_flood_the_answer(make_wiki: MakeWiki) -> None:
    pages = {
        f"wiki/p{n}.md": page(f"Place {n}", f"Place {n} is a town. See [[Hub]].")
        for n in range(200)
    }
    pages["wiki/hub.md"] = page("Hub", "All towns.")
    pages["wiki/z.md"] = page("Zanzibar", "Zanzibar is an island. See [[Hub]] and [[Cloves]].")
    pages["wiki/c.md"] = page("Cloves", "A spice.")
    with index_of(make_wiki(pages)) as index:
        assert slugs(asked(index, "Zanzibar", depth=3)) == ["z", "c"]


def test_the_set_covers_both_things_that_a_question_compares(wiki_of: WikiOf) -> None:
    pages = {
        "wiki/hexum.md": page("Nick Hexum", "Nick Hexum is a singer."),
        "wiki/king.md": page("Mark King (musician)", "He sings in England."),
    }
    for n in range(6):
        body = "A song that the singer [[Nick Hexum]] wrote for Nick Hexum himself."
        pages[f"wiki/song{n}.md"] = page(f"Song {n}", body)
    with index_of(wiki_of(pages)) as index:
        found = slugs(asked(index, "Which singer is English, Mark King or Nick Hexum?"))
        assert set(found[:2]) == {"hexum", "king"}


def test_a_whole_title_or_alias_in_the_question_comes_first(wiki_of: WikiOf) -> None:
    pages = {
        "wiki/song.md": page("Don't Come Around Here No More", "Written by two people."),
        "wiki/visit.md": page("Visits", "People come, come and come again, meaning well."),
        "wiki/k8s.md": page("Kubernetes", "It runs containers.", "aliases: [the big wheel]\n"),
        "wiki/wheel.md": page("Cars", "A wheel is big or small; big wheels turn slowly."),
    }
    with index_of(wiki_of(pages)) as index:
        assert slugs(asked(index, "don't come around here no more meaning"))[0] == "song"
        assert slugs(asked(index, "what is the big wheel?"))[0] == "k8s"


def test_pages_in_the_language_of_the_question_come_before_others(make_wiki: MakeWiki) -> None:
    pages = {
        "wiki/en.md": page("Redis (en)", "Redis is a store. It keeps the data of Redis in Redis."),
        "wiki/vi.md": page("Redis (vi)", "Redis là một kho dữ liệu và được dùng ở nhiều nơi."),
        "wiki/zh.md": page("Redis (zh)", "Redis 是一个把数据保存在内存里的数据库。"),
    }
    with index_of(make_wiki(pages)) as index:
        assert slugs(asked(index, "What does the store Redis keep?", limit=1)) == ["en"]
        assert slugs(asked(index, "Redis là gì và được dùng ở đâu?", limit=1)) == ["vi"]
        assert slugs(asked(index, "Redis 的数据保存在哪里？", limit=1)) == ["zh"]


def test_unaccented_questions_find_accented_pages_and_exact_ones_rank_first(
    make_wiki: MakeWiki,
) -> None:
    pages = {
        "wiki/duc.md": page("Nguyễn Văn Đức", "Sinh năm 1950."),
        "wiki/duc-2.md": page("Nguyen Van Duc", "Born in 1960."),
    }
    with index_of(make_wiki(pages)) as index:
        assert set(slugs(asked(index, "nguyen van duc"))) == {"duc", "duc-2"}
        assert slugs(asked(index, "Nguyễn Văn Đức"))[0] == "duc"


SECRET = {
    "wiki/open.md": page(
        "Open", "Open page about zebras, see [[Secret Plan]].", 'shared_with: ["*"]\n'
    ),
    "wiki/secret.md": page("Secret Plan", "Zebras march. See [[Beyond]].", "owner: alice\n"),
    "wiki/beyond.md": page("Beyond", "Behind it.", 'shared_with: ["*"]\n'),
}


def test_no_step_goes_over_a_page_that_the_viewer_may_not_see(wiki_of: WikiOf) -> None:
    root = wiki_of(SECRET)
    with index_of(root, "alice") as index:
        assert set(slugs(asked(index, "zebras", depth=3))) == {"open", "secret", "beyond"}
    with index_of(root, "*") as index:
        found = asked(index, "zebras march", depth=3)
        assert slugs(found) == ["open"]
        assert "ecret" not in str(explanation(index, found, ()))
        assert [(term.text, term.frequency) for term in found.weighed.terms] == [("zebra", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        '"(a AND',
        "]",
        "\\",
        "a:b AND NOT (c",
        "*?~^[]{}",
        "\x00\x01\ud800",
        "zebra " * 20_000,
        " ".join(f"word{n}" for n in range(12_000)),
        "字" * 100_000,
        "a" * 100_000,
    ],
)
def test_any_text_is_a_question_and_none_raises(wiki_of: WikiOf, text: str) -> None:
    with index_of(wiki_of({"wiki/z.md": page("Zebra", "A zebra.")})) as index:
        found = asked(index, text, depth=3)
        assert len(found.hits) <= 8
        assert search(index, text) is not None


def test_query_syntax_is_plain_text(wiki_of: WikiOf) -> None:
    with index_of(wiki_of({"wiki/z.md": page("Zebra", "A zebra.")})) as index:
        assert slugs(asked(index, '"(zebra AND'))[0] == "z"
        assert slugs(asked(index, "body:film -zebra"))[0] == "z"


@pytest.mark.parametrize(
    "spellings",
    [
        ("1.2.3", "v1.2.3"),
        ("3.11", "Python3.11"),
        ("HTTP-403", "http 403"),
        ("HTTP-403", "HTTP403"),
        ("snake_case", "snake case"),
        ("GPT-4", "GPT4"),
        ("node.js", "Node JS"),
        ("--data-dir", "dataDir"),
        ("bar.py", "foo/bar.py"),
    ],
)
def test_an_identifier_is_found_in_either_spelling_and_its_own_comes_first(
    wiki_of: WikiOf, spellings: tuple[str, str]
) -> None:
    pages = {
        f"wiki/p{n}.md": page("Note " + "ab"[n], f"Today it is {each} that everybody looked at.")
        for n, each in enumerate(spellings)
    }
    with index_of(wiki_of(pages)) as index:
        assert [hit.slug for hit in search(index, spellings[0])][:2] == ["p0", "p1"]
        assert {hit.slug for hit in search(index, spellings[1])[:2]} == {"p0", "p1"}


def test_a_wiki_without_pages_gives_nothing(make_wiki: MakeWiki) -> None:
    with index_of(make_wiki({})) as index:
        assert asked(index, "zebra").hits == ()
        assert search(index, "zebra") == ()


def test_search_lists_as_many_pages_as_are_asked_for(wiki_of: WikiOf) -> None:
    with index_of(wiki_of({})) as index:
        assert len(search(index, "film", limit=30)) == 30
        assert len(search(index, "film", limit=3)) == 3


def test_an_explanation_tells_terms_fields_and_routes(wiki_of: WikiOf) -> None:
    with index_of(wiki_of(FILMS)) as index:
        found = asked(index, "Who directed the unheard Bridge Film?")
        told = explanation(index, found, ())
        terms = {term["text"]: term for term in told["terms"]}
        assert terms["bridg"]["frequency"] == 1
        assert terms["bridg"]["frequencies"] == {"title": 1, "body": 1}
        assert terms["bridg"]["idf"] > terms["film"]["idf"]
        assert told["missing"] == ["unheard"]
        first, second = told["pages"][:2]
        assert first["slug"] == "bridge"
        assert {"title", "body", "names"} <= first["fields"].keys()
        assert first["words"] == ["directed", "Bridge", "Film"]
        assert [(step["slug"], step["via"], step["depth"]) for step in second["route"]] == [
            ("bridge", "index", 0),
            ("lopez", "wikilink", 1),
        ]


QUESTIONS_ABOUT_FILMS = (
    "Who directed the Bridge Film?",
    "Who painted Bridge Film, a film of a city?",
    "Where does the director of Bridge Film, Ana Lopez, live and paint?",
    "Ai đã đạo diễn phim Bridge Film?",
)


@pytest.mark.parametrize("text", QUESTIONS_ABOUT_FILMS)
def test_what_an_explanation_shows_of_a_page_adds_up_to_its_score(
    wiki_of: WikiOf, text: str
) -> None:
    vietnamese = {
        f"wiki/vi/{n}.md": page(f"Phim {n}", f"Phim số {n} là của một đạo diễn trong thành phố.")
        for n in range(9)
    }
    shared = {
        "wiki/son.md": page("Rua Film", "A film of the painter Ana Maria Lopez of Bridge Film."),
        "wiki/wife.md": page("Village", "Ana Maria Lopez lives in it and paints."),
    }
    seen = set()
    with index_of(wiki_of({**FILMS, **vietnamese, **shared})) as index:
        for each in explanation(index, asked(index, text), ())["pages"]:
            parts = sum(each["fields"].values()) + each["links"] + each["names"]
            assert parts == pytest.approx(each["score"], rel=1e-3)
            assert sum(each["fields"].values()) == pytest.approx(
                each["own_share"] * each["own"], rel=1e-3
            )
            assert len(each["route"]) == 1 or each["links"] or each["names"]
            seen |= {step["via"] for step in each["route"]}
    assert "index" in seen


def found_page(pid: int, score: float, terms: frozenset[int]) -> Found:
    weights = dict.fromkeys(terms, 1.0)
    each = Found(pid, float(len(terms)), weights, 1.0)
    each.score = max(score, each.own)
    return each


RANKED = st.lists(st.tuples(st.floats(0, 10), st.frozensets(st.integers(0, 5))), max_size=12).map(
    lambda rows: sorted(
        (found_page(n, *row) for n, row in enumerate(rows)), key=lambda each: -each.score
    )
)


@given(RANKED, st.integers(0, 12))
def test_a_choice_is_distinct_within_its_limit_and_starts_with_the_best_page(
    ranked: list[Found], limit: int
) -> None:
    chosen = choose(ranked, limit)
    assert len(chosen) == min(limit, len(ranked))
    assert len({each.pid for each in chosen}) == len(chosen)
    assert chosen[:1] == ranked[: min(limit, 1)]


def test_a_refreshed_wiki_answers_with_its_new_links(wiki_of: WikiOf) -> None:
    root = wiki_of(FILMS)
    with index_of(root) as index:
        assert "lopez" in slugs(asked(index, "Bridge Film"))
    write_files(root, {"wiki/bridge.md": page("Bridge Film", "Nobody knows who made it.")})
    with index_of(root) as index:
        assert "lopez" not in slugs(asked(index, "Bridge Film"))


def test_a_page_that_the_index_found_says_so_though_a_link_raised_it(wiki_of: WikiOf) -> None:
    pages = {
        "wiki/line.md": page("Blue Line", "The Blue Line is operated by [[Harbour Transit]]."),
        "wiki/transit.md": page("Harbour Transit", "Founded by Edda Lind, it runs the Blue Line."),
    }
    with index_of(wiki_of(pages)) as index:
        found = asked(index, "Who founded the company that operates the Blue Line?")
        assert {(hit.via, hit.depth, hit.through) for hit in found.hits} == {("index", 0, "")}
        told = explanation(index, found, ())["pages"]
    assert all([step["slug"] for step in each["route"]] == [each["slug"]] for each in told)
    raised = {each["slug"]: each["raised_by"] for each in told}
    assert raised["transit"]["slug"] == "line"
    assert all(bool(each["raised_by"]) == bool(each["links"] + each["names"]) for each in told)


def test_a_route_goes_through_no_page_twice(wiki_of: WikiOf) -> None:
    with index_of(wiki_of(FILMS)) as index:
        for text in QUESTIONS_ABOUT_FILMS:
            for each in explanation(index, asked(index, text), ())["pages"]:
                route = [step["slug"] for step in each["route"]]
                assert len(set(route)) == len(route)
                assert each["score"] > 0
