"""raw/manifest.jsonl: written and read back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import SourceError
from citewiki.model import SectionRecord, SourceRecord
from citewiki.sources.manifest import load_manifest, parse_manifest, render_manifest

NOW = datetime(2026, 5, 12, 14, 0, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SECTIONS = st.builds(
    SectionRecord,
    id=TEXT,
    title=TEXT,
    locator=TEXT,
    chars=st.integers(0, 10**6),
    status=st.sampled_from(
        ["compiled", "pending", "no_text", "encrypted", "unreadable", "skipped"]
    ),
    pages=st.lists(TEXT, max_size=2).map(tuple),
    reason=TEXT,
    sha256=TEXT,
)
RECORDS = st.builds(
    SourceRecord,
    id=TEXT,
    path=TEXT,
    origin=TEXT,
    sha256=TEXT,
    media_type=TEXT,
    bytes=st.integers(0, 10**9),
    fetched_at=st.just(NOW),
    reader=TEXT,
    title=TEXT,
    sections=st.lists(SECTIONS, max_size=2).map(tuple),
)


def record(id: str, path: str) -> SourceRecord:
    return SourceRecord(id, path, path, "ab", "text/plain", 3, NOW, "text", "T")


@given(st.lists(RECORDS, max_size=4, unique_by=lambda r: r.id))
def test_what_is_written_is_read_back(records: list[SourceRecord]) -> None:
    text = render_manifest(records)

    assert parse_manifest(text) == {r.id: r for r in records}
    assert render_manifest(parse_manifest(text).values()) == text


def test_lines_are_ordered_by_path_whatever_the_order_of_the_records() -> None:
    one, two = record("b", "raw/a.txt"), record("a", "raw/b.txt")

    assert render_manifest([two, one]) == render_manifest([one, two])
    assert render_manifest([two, one]).startswith('{"id": "b", "path": "raw/a.txt"')


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("<<<<<<< HEAD", "not the record of a source"),
        ("[]", "not an object"),
        ('{"id": "x"}', "sections must be a list"),
        (
            render_manifest([record("x", "raw/x")]).replace('"bytes": 3', '"bytes": "3"').strip(),
            "bytes",
        ),
        (render_manifest([record("a", "raw/a")]).strip(), "“a” is there twice"),
        (
            render_manifest([record("x", "raw/x")])
            .replace('"sections": []', '"sections": [{"id": "s", "status": "done"}]')
            .strip(),
            "status “done”",
        ),
        (
            render_manifest([record("x", "raw/x")]).replace("2026-05", "soon").strip(),
            "not the record",
        ),
    ],
)
def test_a_broken_line_is_an_error_that_names_it(line: str, why: str) -> None:
    text = render_manifest([record("a", "raw/a")]) + "\n" + line + "\n"

    with pytest.raises(SourceError) as caught:
        parse_manifest(text)

    assert str(caught.value).startswith("raw/manifest.jsonl:3: ")
    assert why in str(caught.value)


def test_a_wiki_without_a_manifest_has_no_sources(tmp_path: Path) -> None:
    assert load_manifest(tmp_path) == {}


def test_the_manifest_of_a_wiki_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw/manifest.jsonl").write_text(render_manifest([record("a", "raw/a")]), "utf-8")

    assert load_manifest(tmp_path) == {"a": record("a", "raw/a")}


def test_keys_of_a_later_version_are_ignored() -> None:
    text = render_manifest([record("a", "raw/a")]).replace('{"id"', '{"colour": "red", "id"')

    assert parse_manifest(text) == {"a": record("a", "raw/a")}
