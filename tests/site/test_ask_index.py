"""The index that the Ask page reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.site.ask_index import ask_files, write_all, write_edits
from citewiki.site.ask_parts import FIELDS, Row, edited_parts, row_of, word_parts
from tests.site.conftest import Model

Posting = tuple[int, frozenset[str], int]  # page, fields, times in the body


def read(parts: list[tuple[str, bytes]]) -> dict[str, list[Posting]]:
    """The postings of every term, as the format's description says."""
    found: dict[str, list[Posting]] = {}
    for _, content in parts:
        left = iter(content)
        before = b""
        while (shared := number(left)) is not None:
            rest = bytes(next(left) for _ in range(number(left) or 0))
            before = before[:shared] + rest
            postings = iter(bytes(next(left) for _ in range(number(left) or 0)))
            page, told = 0, []
            while (value := number(postings)) is not None:
                page += value >> 2
                fields = next(postings) if value & 3 == 3 else 1 << FIELDS.index("body")
                times = next(postings) if value & 2 else (value & 3) + 1
                names = frozenset(name for at, name in enumerate(FIELDS) if fields >> at & 1)
                told.append((page, names, times))
            found[before.decode()] = told
    return found


def number(content: Iterator[int]) -> int | None:
    """A number in groups of seven bits; None at the end."""
    value = shift = 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
    return None


def test_a_page_is_found_by_the_words_of_its_fields(model: Model) -> None:
    made = model({"ml/a.md": "---\ntitle: Vector DB\ntags: [store]\n---\nA vector is a vector."})
    row = row_of(made.pages["ml/a.md"])
    found = read(list(word_parts([row])))
    assert found["vector"] == [(0, frozenset(("title", "body", "named")), 2)]
    assert found["stor"] == [(0, frozenset(("tags",)), 0)]
    assert found["a"] == [(0, frozenset(("body",)), 2)]
    assert (row.length, row.title_length) == (5, 2)


TERM = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=6)
ROW = st.dictionaries(TERM, st.tuples(st.integers(1, 127), st.integers(0, 255)), max_size=30)


@given(st.lists(ROW, max_size=12))
def test_what_is_written_is_read_again(rows: list[dict[str, tuple[int, int]]]) -> None:
    body = FIELDS.index("body")
    told = [  # what stands in the body alone stands there at least once
        {t: (f, max(n, 1) if f == 1 << body else n) for t, (f, n) in row.items()} for row in rows
    ]
    made = [
        Row(
            tuple(row),
            bytes(f for f, _ in row.values()),
            bytes(n for _, n in row.values()),
            0, 1, "",
        )
        for row in told
    ]  # fmt: skip
    expected: dict[str, list[Posting]] = {}
    for page, row in enumerate(told):
        for term, (fields, times) in row.items():
            names = frozenset(name for at, name in enumerate(FIELDS) if fields >> at & 1)
            expected.setdefault(term, []).append((page, names, times))
    assert read(list(word_parts(made))) == expected


def test_terms_are_in_parts_in_the_order_of_their_first_ones() -> None:
    terms = [f"t{number}" for number in range(20_000)]
    row = Row(tuple(terms), bytes([32] * len(terms)), bytes([1] * len(terms)), 0, 1, "")
    parts = list(word_parts([row]))
    assert len(parts) > 3
    assert max(len(content) for _, content in parts) < 17_000
    firsts = [first for first, _ in parts]
    assert firsts[0] == ""
    assert firsts == sorted(firsts)


def row(*terms: str) -> Row:
    """A page in whose body each term stands once."""
    return Row(terms, bytes([32] * len(terms)), bytes([1] * len(terms)), len(terms), 1, "en")


@given(st.lists(st.tuples(ROW, ROW, st.booleans()), min_size=1, max_size=8))
def test_an_edit_changes_the_parts_as_writing_all_anew_would(
    pages: list[tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]], bool]],
) -> None:
    body = FIELDS.index("body")

    def made(told: dict[str, tuple[int, int]]) -> Row:
        times = [max(n, 1) if f == 1 << body else n for f, n in told.values()]
        return Row(tuple(told), bytes(f for f, _ in told.values()), bytes(times), 0, 1, "")

    before = [made(old) for old, _, _ in pages]
    now = [made(new if edited else old) for old, new, edited in pages]
    ((_, content),) = word_parts(before)
    edits = ((at, before[at], now[at]) for at, (_, _, edited) in enumerate(pages) if edited)
    parts = edited_parts([""], lambda _: content, edits)
    assert parts is not None
    assert [("", parts.get(0, content))] == list(word_parts(now))


@pytest.mark.parametrize("term", ["t1", "t15555x", "a", "z", "t19999"])
def test_an_edit_leaves_other_parts_as_they_are(term: str) -> None:
    others = [row(*(f"t{number}" for number in range(20_000))), row("b", "t15555")]
    old, new = row("b", "t17"), row("b", "c", "t17", term)
    before = list(word_parts([*others, old]))
    after = list(word_parts([*others, new]))
    firsts = [first for first, _ in before]
    parts = edited_parts(firsts, lambda part: before[part][1], [(2, old, new)])
    if parts is None:
        assert [first for first, _ in after] != firsts
    else:
        assert len(parts) <= 2
        assert [(first, parts.get(at, each)) for at, (first, each) in enumerate(before)] == after


def test_an_index_after_an_edit_is_byte_for_byte_one_from_nothing(
    model: Model, tmp_path: Path
) -> None:
    files = {"a.md": "# A\n\nOne and two.", "b.md": "# B\n\nTwo for them.", "c.md": "# C\n\nThree."}
    edited = {**files, "b.md": "# B\n\nTrois pour nous dans la ville, et deux pour eux."}
    then, now = model(files), model(edited)
    for name, made in (("site", then), ("other", now)):
        (tmp_path / name).mkdir()
        write_all(made, {}, tmp_path / name)
    assert write_edits(now, {"b.md": then.pages["b.md"]}, tmp_path / "site")
    site, other = (
        {file.name: file.read_bytes() for file in (tmp_path / name / "ask").iterdir()}
        for name in ("site", "other")
    )
    assert site == other
    assert json.loads(site["pages.json"])["languageNames"] == ["en", "fr"]


def test_hidden_pages_leave_no_trace_in_the_index(model: Model, tmp_path: Path) -> None:
    hidden = "---\ntitle: Secret plan\nowner: ann\nshared_with: [ann]\n---\nZeppelin."
    shown = {"a.md": "# A\n\nSee [[Secret plan]]."}
    before = dict(ask_files(model(shown), {}))
    after = dict(ask_files(model({**shown, "s.md": hidden}), {}))
    assert after == before
    assert b"zeppelin" not in b"".join(after.values())
