"""Length in words, and cutting to length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.sources.words import count_words, parts

TEXTS = st.lists(
    st.sampled_from(
        ["one two three. ", "检索很快。", "\n\n", "\n", "```\ncode\n```\n", "long " * 300]
    ),
    max_size=60,
).map("".join)


def test_words_are_counted_in_every_script() -> None:
    assert count_words("three don't hyphen-ated 1.10") == 4
    assert count_words("混合检索") == 2
    assert count_words("Nguyễn Văn Đức") == 3
    assert count_words("use 混合检索 here") == 4
    assert count_words("สวัสดีชาวโลก") == 3
    assert count_words("— … !") == 0


@given(TEXTS)
def test_parts_cover_the_text_without_gap_or_overlap(text: str) -> None:
    spans = parts(text)

    assert "".join(text[start:end] for start, end in spans) == text


def test_code_is_not_cut() -> None:
    code = "```\n" + "line of code\n\n" * 2_000 + "```\n\n"
    text = "word " * 2_000 + "\n\n" + code + "word " * 2_000

    spans = parts(text)

    assert len(spans) > 1
    assert any(code in text[start:end] for start, end in spans)
