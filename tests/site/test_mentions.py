"""Pages that name others without linking them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from citewiki.site.mentions import clipped, sentence_of, unlinked
from tests.site.conftest import Files, Model

Named = Callable[[Files], dict[str, dict[str, str]]]


@pytest.fixture
def named(model: Model) -> Named:
    """Who names whom: {named page: {naming page: the sentence}}."""

    def find(files: Files) -> dict[str, dict[str, str]]:
        made = model(files)
        return {
            made.pages[path].title: {
                made.pages[place.path].title: sentence_of(made.pages[place.path], place)
                for place in places
            }
            for path, places in unlinked(made.pages, made.graph).items()
        }

    return find


DB = {"db.md": "---\ntitle: Vector DB\naliases: [embedding store]\n---\n"}


@pytest.mark.parametrize(
    "text",
    ["A vector DB.", "A Vector\nDB it is.", "Any embedding store.", "向量库Vector DB很快。"],
)
def test_a_title_or_alias_in_the_text_is_a_mention(named: Named, text: str) -> None:
    assert "x" in named({**DB, "x.md": text})["Vector DB"]


@pytest.mark.parametrize(
    "text",
    [
        "A [[Vector DB]], and again a vector DB.",  # linked already
        "An invector DB and a vector DBs.",  # within words
        "`vector DB`",
        "```\nvector DB\n```",
        "<!-- vector DB -->",
        "[vector DB](https://x.y)",
        "[[Other|vector DB]]",
        "# About the vector DB\n",
        "Text.[^1]\n\n[^1]: raw/p.md: \"a vector DB\"",
        "https://x.y/vector DB" .replace(" ", "-"),
        "%% vector DB %%",
    ],
)  # fmt: skip
def test_what_is_no_prose_or_is_linked_is_none(named: Named, text: str) -> None:
    assert named({**DB, "x.md": text}) == {}


def test_a_page_does_not_mention_itself(named: Named) -> None:
    assert named({"db.md": "---\ntitle: Vector DB\n---\nA vector DB is fast."}) == {}


def test_the_longest_name_is_meant(named: Named) -> None:
    files = {"Vector DB.md": "", "Vector DB tuning.md": "", "x.md": "On vector DB tuning."}
    assert named(files) == {"Vector DB tuning": {"x": "On vector DB tuning."}}
    files["x.md"] += " A vector DB."
    assert named(files)["Vector DB"] == {"x": "A vector DB."}


def test_everyday_words_numbers_and_shared_names_are_no_names(named: Named) -> None:
    files = {"Overview.md": "", "2024.md": "", "a/Big Table.md": "", "b/Big Table.md": ""}
    assert named({**files, "x.md": "An overview of 2024, with a big table."}) == {}


def test_acronyms_and_short_names_match_as_they_are_written(named: Named) -> None:
    files = {"RAG.md": "", "Zig.md": "", "C++.md": ""}
    assert named({**files, "x.md": "A rag, a zig and a zag. Zigzag. C+++"}) == {}
    assert set(named({**files, "x.md": "RAG in Zig or C++."})) == {"RAG", "Zig", "C++"}


def test_scripts_without_spaces_and_with_marks_are_read(named: Named) -> None:
    files = {"向量数据库.md": "", "Đường phố.md": "", "x.md": "我们用向量数据库查。"}
    files["y.md"] = "Những đường phố Hà Nội."
    assert named(files) == {
        "向量数据库": {"x": "我们用向量数据库查。"},
        "Đường phố": {"y": "Những đường phố Hà Nội."},
    }


def test_a_page_that_the_viewer_does_not_see_is_neither_named_nor_names(named: Named) -> None:
    hidden = {"s.md": "---\ntitle: Secret Plan\nowner: alice\n---\nThe vector DB."}
    assert named({**DB, **hidden, "x.md": "The secret plan."}) == {}


def test_of_a_long_sentence_the_part_around_the_name_is_shown_at_whole_words() -> None:
    before, after = "before " * 40, " after" * 40
    shown = clipped(f"{before}the Name is here{after}.", "name")
    assert shown.startswith("… before")
    assert "the Name is here" in shown
    assert shown.endswith("after …")
    assert len(shown) <= 164
    assert clipped("name " + before, "name").startswith("name before")
    assert clipped("Short, of the name.", "name") == "Short, of the name."
