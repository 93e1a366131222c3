"""Plain text: headings recognised, wrapped lines joined."""

from __future__ import annotations

import pytest

from citewiki.sources.read import read_bytes
from citewiki.sources.text_reader import as_markdown

WRAPPED = (
    "This paragraph was wrapped by an editor that breaks its lines at a column\n"
    "of about seventy characters, as plain text has been written for a long time\n"
    "and still is.\n"
)
JOINED = WRAPPED.replace("\n", " ").strip()


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (("INTRODUCTION", "METHODS AND DATA"), ["## INTRODUCTION", "## METHODS AND DATA"]),
        (("1. Scope", "2. Terms"), ["## 1. Scope", "## 2. Terms"]),
        (("1 Scope", "1.1 General"), ["## 1 Scope", "### 1.1 General"]),
        (("第一章 开始", "第二章 结束"), ["## 第一章 开始", "## 第二章 结束"]),
        (("第一章 开始", "第一节 缘起"), ["## 第一章 开始", "#### 第一节 缘起"]),
        (("Chương 1: Mở đầu", "Chương 2: Kết"), ["## Chương 1: Mở đầu", "## Chương 2: Kết"]),
        (
            ("Chapter I. Loomings", "Chapter II. The Bag"),
            ["## Chapter I. Loomings", "## Chapter II. The Bag"],
        ),
        (("Scope\n=====", "Terms\n-----"), ["# Scope", "### Terms"]),
    ],
)
def test_headings_are_marked(headings: tuple[str, str], expected: list[str]) -> None:
    body = "\n\n".join(f"{heading}\n\nSome text below it." for heading in headings)

    assert as_markdown(body).split("\n\n")[::2] == expected


@pytest.mark.parametrize(
    "text",
    [
        "ONE LINE IN CAPITALS\n\nand text",
        "1. First thing to do\n2. Second thing to do",
        "1. A sentence in a numbered paragraph.\n\n2. Another sentence.",
        "WHAT? NO!\n\nHE SAID, AND LEFT.",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert "#" not in as_markdown(text)


def test_wrapped_lines_are_joined_into_paragraphs() -> None:
    assert as_markdown(f"{WRAPPED}\n{WRAPPED}") == f"{JOINED}\n\n{JOINED}"


def test_wrapped_chinese_lines_are_joined_without_a_space() -> None:
    line = "混合检索把两个列表按照名次合成一个列表，效果比单独使用更好，"

    assert as_markdown(f"{line}\n{line}\n好。") == f"{line}{line}好。"


def test_verses_lists_and_code_keep_their_lines() -> None:
    verses = "Whose woods these are\nI think I know.\nHis house is in the village though;"
    code = "    def f():\n        return 1"

    assert as_markdown(verses) == verses
    assert as_markdown(code) == code
    assert as_markdown("- one\n- two") == "- one\n- two"


def test_wrapped_list_items_are_joined_one_by_one() -> None:
    item = (
        "- an item that is so long that the editor had to break it somewhere near\n  its end, here"
    )

    assert as_markdown(f"{item}\n{item}").count("\n") == 1


def test_a_text_file_is_cut_at_its_headings() -> None:
    text = f"PART ONE\n\n{WRAPPED}\nPART TWO\n\n{WRAPPED}"

    source = read_bytes(text.encode(), "notes.txt")

    assert [(s.title, s.text) for s in source.sections] == [
        ("PART ONE", JOINED),
        ("PART TWO", JOINED),
    ]
    assert (source.reader, source.media_type) == ("text", "text/plain")
