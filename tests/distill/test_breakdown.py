"""Concepts that many pages mention and none explains become drafts in their sources' words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.config import Config
from citewiki.distill.deciding import accept, reject
from citewiki.distill.maintain.breakdown import Made, candidates, make, named
from citewiki.distill.maintain.concepts import concepts, key_of
from citewiki.distill.maintain.passages import Passage, defines, gathered
from citewiki.errors import DataError, EngineUnavailable
from citewiki.lint import lint_wiki
from citewiki.llm.port import Engine, Request
from citewiki.llm.scripted import ScriptedEngine
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.notes import parted
from citewiki.markdown.plain import plain
from citewiki.model import Page
from citewiki.store import review
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki, write_files
from tests.distill.models import claim, model, objections
from tests.distill.models import page as reply
from tests.distill.test_audit import page, pages
from tests.distill.test_compile import compiled

NOTES = {
    "raw/ml/search.md": "# Search\n\n## Hybrid search\n\nHybrid search puts a vector index beside"
    " a word index. It is common.\n\n## Reranking\n\nReranking reads what the vector index"
    " returned, once more.\n",
    "raw/ml/storage.md": "# Storage\n\n## Sharding\n\nA vector index is a structure that finds the"
    " nearest vectors of a point. Sharding cuts a vector index into parts.\n\n## Backups\n\nBackups"
    " leave out the vector index, as it can be made again.\n",
}


USES = (
    "We use a vector index for long texts.",
    "Without a vector index nothing is found here.",
    "The vector index has to be rebuilt every week.",
)


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    root = make_wiki(NOTES)
    compiled(root)
    return root


def made(root: Path, *names: str, engine: Engine | None = None) -> Made:
    found = pages(root)
    chosen = named(candidates(found, Config()), names)
    return make(
        root, root / ".citewiki", found, chosen, Config(), now=NOW, version="1", engine=engine
    )


def names(found: list[Page]) -> list[str]:
    return [concept.name for concept in concepts(found)]


# -- candidates ---------------------------------------------------------------------------------


def test_a_phrase_of_many_pages_without_a_page_is_a_candidate_with_its_sentences(root: Path):
    (found,) = [each for each in concepts(pages(root)) if each.name == "vector index"]
    assert set(found.pages) == {"hybrid-search", "reranking", "sharding", "backups"}
    told = {mention.sentence for mention in found.mentions}
    assert "Backups leave out the vector index, as it can be made again." in told


def test_what_a_page_an_alias_or_a_heading_is_called_is_explained():
    texts = [page(f"p{n}", text) for n, text in enumerate(USES)]
    assert "vector index" in names(texts)
    for explains in (
        page("vector-indexes", "They find vectors."),
        page("ann", "They find vectors.", aliases=("Vector-Index",)),
        page("store", "A store.\n\n## The vector index\n\n## Vector indexes\n\nThey find."),
    ):
        assert "vector index" not in names([*texts, explains])


def test_a_missing_page_that_is_linked_twice_is_wanted_before_phrases():
    texts = [page(f"p{n}", text) for n, text in enumerate(USES)]
    texts += [page(f"q{n}", f"See [[Sharded Store]] for {n}.") for n in "ab"]
    found = concepts(texts)
    assert next(each.name for each in found) == "Sharded Store"
    assert set(found[0].linked) == {"qa", "qb"}


def test_a_mention_inside_the_name_of_a_page_is_none():
    texts = [page(f"p{n}", f"Number {n} uses reciprocal rank fusion.", tags=("rank fusion",))
             for n in "abc"]  # fmt: skip
    texts.append(page("rrf", "It adds ranks.", title="Reciprocal rank fusion"))
    assert names(texts) == []


def test_names_count_where_they_are_written_as_names():
    texts = [
        page("p1", "On that day the IETF met. Most people keep the running total."),
        page("p2", "The text went to the IETF before that. Most of them were running late."),
        page("p3", "Rules of the IETF say otherwise. Running is healthy, Most says."),
    ]
    assert "IETF" in names(texts)
    assert not {"Running", "running", "Most"} & set(names(texts))


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "tìm kiếm ngữ nghĩa",
            (
                "Kho tài liệu này dùng tìm kiếm ngữ nghĩa để trả lời câu hỏi.",
                "Nhờ tìm kiếm ngữ nghĩa, người đọc thấy trang đúng mà không cần từ khóa.",
                "Nhóm chúng tôi đo tìm kiếm ngữ nghĩa trên ba bộ dữ liệu khác nhau.",
            ),
        ),
        (
            "倒排索引",
            (
                "这个系统用倒排索引查找文档。",
                "没有倒排索引，查询就很慢。",
                "更新时，倒排索引需要合并。",
            ),
        ),
        (
            "Vektorindex",
            (
                "Die Suche wird mit einem Vektorindex schneller.",
                "Ein Vektorindex braucht viel Speicher.",
                "Bei jeder Änderung muss der Vektorindex neu gebaut werden.",
            ),
        ),
    ],
)
def test_concepts_are_found_in_other_languages(name: str, texts: tuple[str, ...]):
    told = [page(f"p{n}", text) for n, text in enumerate(texts)]
    assert key_of(name) in map(key_of, names(told))


def test_pages_that_others_may_not_read_take_no_part(root: Path):
    found = list(pages(root))
    for each in found:
        path = root / "wiki" / each.path
        text = path.read_text().replace('shared_with: ["*"]', "shared_with: []\nowner: ann")
        path.write_text(text)
    assert candidates(pages(root), Config()) == []


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("A vector index is a structure.", True),
        ("Vector indexes (VI) are structures.", True),
        ("Sharding cuts a vector index into parts.", False),
    ],
)
def test_a_definition_begins_with_its_concept(text: str, yes: bool):
    assert defines(text, "vector index") is yes


# -- drafts -------------------------------------------------------------------------------------


def test_a_gathered_page_says_its_sources_words_with_their_footnotes(root: Path):
    (item,) = made(root, "Vector index").items
    body = item.page.body
    assert (item.title, item.path, item.kind) == ("Vector index", "ml/vector-index.md", "new")
    assert body.startswith("A vector index is a structure that finds the nearest vectors of a")
    quotes = {(note.resource, note.quote) for note in footnotes(body).values()}
    said = "Backups leave out the vector index, as it can be made again."
    assert ("raw/ml/storage.md", said) in quotes
    assert item.page.summary.startswith("A vector index is a structure")
    assert {ref.id for ref in item.page.sources} == {"search", "storage"}
    assert "See [[Sharding]]." in body


def test_an_accepted_page_is_linked_and_lint_finds_nothing(root: Path):
    (item,) = made(root, "vector index").items
    accept(root, root / ".citewiki", [item.id], Config(), now=NOW, who="ann")
    bodies = {page.slug: page.body for page in load_pages(root / "wiki")[0]}
    assert "[[Vector index|vector index]]" in bodies["backups"]
    assert [str(p) for p in lint_wiki(root) if p.severity == "error"] == []
    assert "vector index" not in [each.name for each in concepts(pages(root))]


def test_sentences_that_no_source_says_are_left_out(root: Path):
    path = next((root / "wiki").rglob("backups.md"))
    path.write_text(path.read_text().replace("can be made again", "is evil"))
    (item,) = made(root, "vector index").items
    assert "is evil" not in item.page.body


def test_a_concept_of_which_sources_say_too_little_is_told(make_wiki: MakeWiki):
    root = make_wiki({})
    for n in "abc":
        write_files(root, {f"wiki/ml/{n}.md": f"# {n.upper()}x\n\nSee [[Sharded Store]].\n"})
    done = made(root, "Sharded store")
    assert done.items == ()
    assert "too few" in done.problems[0].message


def test_an_unknown_name_is_an_error(root: Path):
    with pytest.raises(DataError, match="no concept"):
        made(root, "Nothing of the kind")


def test_a_model_writes_from_the_passages_and_its_quotes_are_checked(root: Path):
    good = "A vector index finds the nearest vectors of a point."
    quote = "A vector index is a structure that finds the nearest vectors of a point."
    draft = reply("Vector index", claim(good, quote), claim("It costs 90 dollars.", quote))

    def script(request: Request) -> str:
        return objections() if request.role == "lint" else draft

    (item,) = made(root, "vector index", engine=ScriptedEngine(script)).items
    assert item.page.body == (
        f'{good}[^storage.1]\n\n[^storage.1]: raw/ml/storage.md, § Sharding: "{quote}"\n'
    )
    assert item.by == "claude-sonnet-5-5"


def test_a_good_model_may_use_all_passages(root: Path):
    (item,) = made(root, "vector index", engine=model()).items
    assert {note.resource for note in footnotes(item.page.body).values()} == set(NOTES)


def test_a_model_that_cannot_be_reached_stops_the_run(root: Path):
    done = made(root, "vector index", engine=ScriptedEngine([EngineUnavailable("no answer")]))
    assert (done.items, done.stopped) == ((), str(EngineUnavailable("no answer")))
    assert review.items(root / ".citewiki") == []


def test_a_model_that_lies_makes_no_page(root: Path):
    draft = reply("Vector index", claim("It costs 90 dollars.", "made up words of nobody"))
    done = made(root, "vector index", engine=ScriptedEngine(lambda request: draft))
    assert (done.items, len(done.problems)) == ((), 1)
    assert json.loads(draft)["title"] == "Vector index"


def test_a_page_that_was_turned_down_is_not_drafted_again(root: Path):
    (item,) = made(root, "vector index").items
    reject(root, root / ".citewiki", [item.id], now=NOW, who="ann", why="not ours")
    again = made(root, "vector index")
    assert again.items == ()
    assert "turned down" in again.problems[0].message


def test_a_person_is_told_when_no_source_defines_a_concept(root: Path):
    note = root / "raw/ml/storage.md"
    note.write_text(note.read_text().replace("A vector index is a structure that", "It"))
    compiled(root, days=1)
    (item,) = made(root, "vector index").items
    assert item.reasons == ("no source says what it is; these sentences only speak of it",)


@given(st.text("ab 1.)#+-*_`[]<>|$~\\&;lt:!=(", min_size=1, max_size=30))
def test_a_gathered_sentence_shows_as_its_source_has_it(text: str):
    words = " ".join((*text.split(), "is so"))
    body, _ = gathered([Passage(words, "p", "a", "raw/a.md", "p. 1")], {"p": "Page"})
    assert plain(parted(body)[0]) == f"{words} See Page."
    assert [note.quote for note in footnotes(body).values()] == [words.strip()]
