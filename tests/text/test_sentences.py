"""Sentences: where they end, in several languages."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.sentences import sentence_spans


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met J. R. R. Tolkien.", ["Dr. Smith met J. R. R. Tolkien."]),
        ("It cost 3.5 dollars, e.g. Little.", ["It cost 3.5 dollars, e.g. Little."]),
        ("He left the U.S. The army stayed.", ["He left the U.S.", "The army stayed."]),
        ("The U.S. Army left. No. 5 came.", ["The U.S. Army left.", "No. 5 came."]),
        ("Mr . Smith went home . He slept .", ["Mr . Smith went home .", "He slept ."]),
        ("He said “No.” Then he left.", ["He said “No.”", "Then he left."]),
        ("A fact.[^a.1] Another.[1][2] Last.", ["A fact.[^a.1]", "Another.[1][2]", "Last."]),
        ("Wait... what? Yes… No.", ["Wait... what?", "Yes…", "No."]),
        ("1. First. 2. Second.", ["1. First.", "2. Second."]),
        ("Am 3. Oktober, z. B. hier. Danach.", ["Am 3. Oktober, z. B. hier.", "Danach."]),
        ("TS. Lê ở TP. Hồ Chí Minh. Năm 2010.", ["TS. Lê ở TP. Hồ Chí Minh.", "Năm 2010."]),
        ("他说：“你好！”然后走了。第二句？", ["他说：“你好！”", "然后走了。", "第二句？"]),
        ("版本3.5发布。用Python.然后停止。", ["版本3.5发布。", "用Python.", "然后停止。"]),
        ("「はい。」と言った。次です。", ["「はい。」と言った。", "次です。"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_a_line_break_in_a_paragraph_ends_nothing_but_a_blank_line_does() -> None:
    assert parts("Wrapped\nline. Next\n\nNew paragraph") == [
        "Wrapped\nline.",
        "Next",
        "New paragraph",
    ]


def test_long_thai_text_is_parted_at_its_spaces() -> None:
    clause = "ประเทศไทยเป็นประเทศที่ตั้งอยู่ในเอเชียตะวันออกเฉียงใต้มีพรมแดนติดกับหลายประเทศและมีประชากรมาก"
    assert parts(f"{clause} {clause}") == [clause, clause]


@given(st.text(alphabet="aB. !?。！\n“”[1]^'5ก漢…", max_size=80))
def test_spans_ascend_and_hold_everything_but_white_space(text: str) -> None:
    spans = sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    held = "".join(text[start:end] for start, end in spans)
    assert "".join(held.split()) == "".join(text.split())
