"""Front matter: read whatever people write, and write back what was not changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from citewiki.markdown.frontmatter import KEY_ORDER, FrontMatter, parse, render, split, update

ODD = """\
# who wrote this
title:   'RAG: "hybrid" search'   # a remark

tags:
- rag
-   retrieval
related: "[[a|b]]"
x-mine: {a: [1.10, no, ~], b: }
summary: >-
  Two lines
  folded.

# last remark
"""


def test_values_are_texts_of_no_other_type() -> None:
    front = parse("a: no\nb: 1.10\nc: 2024-01-01\nd: 12:30\ne: true\nf: 0x1F\n")
    assert [entry.value for entry in front.entries] == [
        "no",
        "1.10",
        "2024-01-01",
        "12:30",
        "true",
        "0x1F",
    ]


def test_nothing_is_none_and_quoted_nothing_is_text() -> None:
    front = parse("a:\nb: null\nc: ~\nd: 'null'\ne: \"\"\nf: [null, x]\n")
    assert [entry.value for entry in front.entries] == [None, None, None, "null", "", [None, "x"]]


def test_reading_and_writing_keeps_every_byte() -> None:
    front = parse(ODD)
    assert render(front) == ODD
    assert front.get("title") == 'RAG: "hybrid" search'
    assert front.get("tags") == ["rag", "retrieval"]
    assert front.get("x-mine") == {"a": ["1.10", "no", None], "b": None}
    assert front.get("summary") == "Two lines folded."
    assert not front.problems


def test_a_changed_key_leaves_all_others_as_they_were_written() -> None:
    changed = render(update(parse(ODD), {"tags": ["a", "b: c"], "domain": "ml"}))
    assert changed == ODD.replace("tags:\n- rag\n-   retrieval\n", 'tags: [a, "b: c"]\n').replace(
        "  folded.\n", "  folded.\ndomain: ml\n"
    )


def test_a_value_that_reads_the_same_is_not_rewritten() -> None:
    block = "valid_from: '2026-05-12T14:00:00Z'\naliases:   [ a,b ]\nconfidence: 0.50\n"
    front = parse(block)
    moment = datetime(2026, 5, 12, 14, tzinfo=UTC)
    assert render(update(front, {"valid_from": moment, "aliases": ("a", "b")})) == block


def test_none_removes_a_key_with_its_remark() -> None:
    front = parse("a: 1\n# about b\nb: 2\nc: 3\n")
    assert render(update(front, {"b": None, "zzz": None})) == "a: 1\nc: 3\n"


def test_new_keys_are_written_in_the_order_of_a_page() -> None:
    keys = dict.fromkeys(reversed(KEY_ORDER), "x") | {"custom": "y"}
    written = render(update(FrontMatter(), keys))
    assert [line.split(":")[0] for line in written.splitlines()] == [*KEY_ORDER, "custom"]
    assert (
        render(update(parse("title: A\nowner: me\n"), {"slug": "a"}))
        == "title: A\nslug: a\nowner: me\n"
    )


def test_values_are_written_by_their_type() -> None:
    hanoi = timezone(timedelta(hours=7))
    values: dict[str, Any] = {
        "title": "RAG: hybrid",
        "aliases": ["hybrid retrieval", "no", "1.10"],
        "sources": [{"id": "p", "resource": "raw/p.pdf", "locator": "pp. 3-7 › 2.1, x"}],
        "confidence": 0.85,
        "ingested_at": datetime(2026, 5, 12, 21, tzinfo=hanoi),
        "valid_until": date(2027, 1, 1),
        "supersedes": [],
        "draft": True,
    }
    assert render(update(FrontMatter(), values)) == (
        'title: "RAG: hybrid"\n'
        'aliases: [hybrid retrieval, "no", "1.10"]\n'
        "sources:\n"
        '  - {id: p, resource: raw/p.pdf, locator: "pp. 3-7 › 2.1, x"}\n'
        "confidence: 0.85\n"
        "ingested_at: 2026-05-12T14:00:00Z\n"
        "valid_until: 2027-01-01\n"
        "supersedes: []\n"
        "draft: true\n"
    )


@pytest.mark.parametrize(
    ("block", "key", "value"),
    [
        ("title: RAG: hybrid search\nx: y\n", "title", "RAG: hybrid search"),
        ("title: [draft] My page\nx: y\n", "title", "[draft] My page"),
        ("title: @home\nx: y\n", "title", "@home"),
        ("title: *starred\nx: y\n", "title", "*starred"),
        ('title: "A" or "B"\nx: y\n', "title", '"A" or "B"'),
        ("title:Missing space\nx: y\n", "title", "Missing space"),
        ("tags: [a, b\nx: y\n", "tags", "[a, b"),
        ("tags:\n\t- a\n\t- b\nx: y\n", "tags", ["a", "b"]),
        ("tags:\n- a: b: c\n- *d\nx: y\n", "tags", ["a: b: c", "*d"]),
        ("summary: A: b\n  goes on\nx: y\n", "summary", "A: b goes on"),
        ("title: a\x07b\nx: y\n", "title", "a\x07b"),
    ],
)
def test_what_yaml_refuses_is_read_as_it_was_meant_and_reported(
    block: str, key: str, value: object
) -> None:
    front = parse(block, first_line=2)
    assert front.get(key) == value
    assert front.get("x") == "y"
    assert [(problem.line, problem.key, problem.severity) for problem in front.problems] == [
        (2, key, "warning")
    ]
    assert render(front) == block


def test_a_line_without_a_key_is_an_error_that_names_its_place() -> None:
    front = parse("title: a\nthis is no key\ntags: b\n", first_line=2)
    assert (front.get("title"), front.get("tags")) == ("a", "b")
    assert [(problem.line, problem.key, problem.severity) for problem in front.problems] == [
        (2, "title", "error")
    ]


def test_of_a_key_given_twice_the_last_counts_and_the_second_is_reported() -> None:
    front = parse("title: a\ntitle: b\n")
    assert front.get("title") == "b"
    assert [(problem.line, problem.key) for problem in front.problems] == [(3, "title")]
    assert render(update(front, {"title": "c"})) == "title: c\n"


def test_values_without_end_are_refused() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join(['*' + before] * 10)}]\n"
        for before, name in ("ab", "bc", "cd", "de", "ef", "fg")
    )
    for block in (bomb, "a: &a [*a]\n", "a: " + "[" * 5000 + "\n"):
        front = parse(block)
        assert front.problems
        assert render(front) == block


def test_a_block_in_braces_or_indented_is_read_and_can_be_changed() -> None:
    assert render(update(parse("{title: A, tags: [b]}\n"), {"slug": "a"})) == (
        "title: A\nslug: a\ntags: [b]\n"
    )
    assert render(update(parse("  title: A\n  tags: [b]\n"), {"slug": "a"})) == (
        "title: A\nslug: a\ntags: [b]\n"
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\ntitle: x\n---\nbody\n", ("title: x\n", "body\n", 4)),
        ("---  \ntitle: x\n...\nbody", ("title: x\n", "body", 4)),
        ("\ufeff---\r\ntitle: x\r\n---\r\nbody\r\n", ("title: x\r\n", "body\r\n", 4)),
        ("---\n---\nbody", ("", "body", 3)),
        ("---\ntitle: x\n---", ("title: x\n", "", 4)),
        ("---\ntitle: x\n---\na\n\n---\nb: c\n---\n", ("title: x\n", "a\n\n---\nb: c\n---\n", 4)),
        ("no front matter\n---\n", (None, "no front matter\n---\n", 1)),
        ("---\ntitle: never closed\n", (None, "---\ntitle: never closed\n", 1)),
        ("---\n\nBetween rules.\n\n---\n", (None, "---\n\nBetween rules.\n\n---\n", 1)),
        ("\n---\ntitle: x\n---\n", (None, "\n---\ntitle: x\n---\n", 1)),
        ("", (None, "", 1)),
    ],
)  # fmt: skip
def test_a_file_is_split_at_its_fences(text: str, parts: tuple[str | None, str, int]) -> None:
    assert split(text) == parts


def test_line_ends_of_windows_are_kept() -> None:
    block, _, _ = split("---\r\ntitle: x\r\ntags:\r\n- a\r\n---\r\nbody")
    assert block is not None
    front = parse(block)
    assert front.get("tags") == ["a"]
    assert render(update(front, {"title": "z"})) == "title: z\r\ntags:\r\n- a\r\n"


NOT_A_SURROGATE = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(NOT_A_SURROGATE, max_size=30) | st.sampled_from(
    ["no", "1.10", "2024-01-01", "12:30", "null", "~", "a: b", "a #b", "- x", "[[a|b]]", "---",
     "x:", "'", '"', " a ", "\t", "=", "<<", "0o7", "1e3", ".5", "{a}", "a,b", "é\u2028"]
)  # fmt: skip
VALUES = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from([*KEY_ORDER, "x: y", "#k", "no"]), VALUES, max_size=5))
def test_what_is_written_is_read_back_the_same(values: dict[str, Any]) -> None:
    front = parse(render(update(FrontMatter(), values)))
    assert not front.problems
    assert {entry.key: entry.value for entry in front.entries} == values


@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.text(NOT_A_SURROGATE, max_size=20) | TEXTS.filter(lambda t: t.isprintable()),
    )
)
def test_other_yaml_readers_read_texts_as_texts(values: dict[str, str]) -> None:
    assert (yaml.safe_load(render(update(FrontMatter(), values))) or {}) == values


@given(st.text(alphabet="ab:- #\"'[]{}|>&*!%\n\t\r,?~é\x07", max_size=80))
@example(":\ré:\ra:")
@example("::\r::")  # a line end to YAML, and to nobody else
@example("\t:\ra:")  # a line that nobody can read, before a key
def test_any_block_is_read_without_an_exception_and_written_back(block: str) -> None:
    front = parse(block)
    assert render(front) == block
    again = parse(render(update(front, {"title": "new: title"})))
    assert again.get("title") == "new: title"
