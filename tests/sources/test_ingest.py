"""Taking sources in: which files, which ids, what stays compiled, and copies."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from citewiki.errors import SourceError, WriteError
from citewiki.model import Section, SectionRecord, SourceRecord
from citewiki.sources.ingest import (
    copy_in,
    find_sources,
    match,
    record_of,
    section_records,
    sha256_of,
    source_id,
)
from citewiki.sources.read import read_bytes

NOW = datetime(2026, 5, 12, 14, 0, tzinfo=UTC)


def files(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def test_a_folder_gives_its_files_without_caches_and_hidden_ones(tmp_path: Path) -> None:
    files(
        tmp_path,
        *("b.md", "a.pdf", "sub/c.txt", "sub/é.md"),
        *(".hidden.md", ".git/config", "node_modules/x.md", "sub/__pycache__/x.pyc"),
        *("manifest.jsonl", "~$draft.docx", "Thumbs.db"),
    )

    found = [path.relative_to(tmp_path).as_posix() for path in find_sources(tmp_path)]

    assert found == ["a.pdf", "b.md", "sub/c.txt", "sub/é.md"]


def test_links_that_lead_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    files(tmp_path, "in/a.md", "out/secret.md")
    (tmp_path / "in/file").symlink_to(tmp_path / "out/secret.md")
    (tmp_path / "in/folder").symlink_to(tmp_path / "out")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    (tmp_path / "in/dangling").symlink_to(tmp_path / "nowhere")

    assert [path.name for path in find_sources(tmp_path / "in")] == ["a.md"]


def test_a_file_is_found_by_its_own_name_even_when_hidden(tmp_path: Path) -> None:
    files(tmp_path, ".notes.md")

    assert find_sources(tmp_path / ".notes.md") == [tmp_path / ".notes.md"]


def test_what_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file or folder"):
        find_sources(tmp_path / "missing")


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("RAG Paper (final).pdf", "rag-paper-final"),
        ("notes/2024.05 plan.md", "2024-05-plan"),
        ("中文 笔记.md", "中文-笔记"),
        ("https://example.org/blog/hybrid-search/", "hybrid-search"),
        ("v1.2", "v1"),
    ],
)
def test_ids_come_from_file_names(name: str, id: str) -> None:
    assert source_id(name) == id


def test_ids_are_unique() -> None:
    assert source_id("a.md", {"a", "a-2"}) == "a-3"


def made(text: str, previous: SourceRecord | None = None, path: str = "raw/a.md") -> SourceRecord:
    data = text.encode()
    source = read_bytes(data, "a.md")
    return record_of(
        source, id="a", path=path, origin="a.md", data=data, now=NOW, previous=previous
    )


def test_a_record_says_what_the_source_is_and_what_sections_it_has() -> None:
    record = made("# T\n\n## One\n\nSome words.\n\n## Two\n")

    assert (record.title, record.reader, record.media_type) == ("T", "markdown", "text/markdown")
    assert [(s.id, s.status, s.chars) for s in record.sections] == [
        ("one", "pending", 11),
        ("two", "no_text", 0),
    ]


def compiled(record: SourceRecord) -> SourceRecord:
    from dataclasses import replace

    sections = [
        replace(s, status="compiled", pages=(s.id,)) if s.status == "pending" else s
        for s in record.sections
    ]
    return replace(record, sections=tuple(sections))


def test_a_new_version_keeps_what_did_not_change_and_nothing_is_dropped() -> None:
    first = compiled(made("## One\n\nSame words.\n\n## Two\n\nOld words.\n\n## Three\n\nMore.\n"))

    second = made("## One\n\nSame words.\n\n## Two\n\nNew words.\n\n## Four\n\nMore.\n", first)

    assert [(s.id, s.status, s.pages) for s in second.sections] == [
        ("one", "compiled", ("one",)),
        ("two", "pending", ("two",)),
        ("four", "pending", ()),
        ("three", "skipped", ("three",)),
    ]
    assert "no longer in the source" in second.sections[-1].reason


def test_a_section_that_lost_its_text_is_not_compiled_any_more() -> None:
    before = SectionRecord("a", "A", "", 4, "compiled", ("a",), "", sha256_of(b"text"))
    section = Section("a", "A", "", status="no_text", reason="empty")

    assert [(s.status, s.pages) for s in section_records([section], [before])] == [
        ("no_text", ("a",))
    ]


def test_the_same_bytes_are_the_same_source_and_other_bytes_a_new_version() -> None:
    known = {"a": made("text")}

    assert match(known, sha256_of(b"text"), "other.md").kind == "same"
    assert match(known, sha256_of(b"new text"), "a.md").record == known["a"]
    assert match(known, sha256_of(b"new text"), "b.md").kind == "new"


def test_a_copy_keeps_the_bytes_and_the_folders(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.bin").write_bytes(b"\r\n\x00\xff")

    copy = copy_in(tmp_path / "in/a.bin", tmp_path / "raw", "papers/2024")

    assert copy == tmp_path / "raw/papers/2024/a.bin"
    assert copy.read_bytes() == b"\r\n\x00\xff"
    assert [path.name for path in copy.parent.iterdir()] == ["a.bin"]


def test_a_changed_file_is_kept_beside_the_first_one(tmp_path: Path) -> None:
    file, raw = tmp_path / "a.md", tmp_path / "raw"
    copies = []
    for text in ("one", "two", "one", "three"):
        file.write_text(text, encoding="utf-8")
        copies.append(copy_in(file, raw).name)

    assert copies == ["a.md", "a.v2.md", "a.md", "a.v3.md"]
    assert (raw / "a.md").read_text(encoding="utf-8") == "one"


def test_a_file_that_is_in_raw_already_is_not_copied(tmp_path: Path) -> None:
    files(tmp_path, "raw/sub/a.md")

    assert copy_in(tmp_path / "raw/sub/a.md", tmp_path / "raw") == tmp_path / "raw/sub/a.md"


def test_a_copy_stays_below_raw(tmp_path: Path) -> None:
    files(tmp_path, "a.md")

    assert copy_in(tmp_path / "a.md", tmp_path / "raw", "../../up").parent == tmp_path / "raw/up"


def test_a_name_that_is_as_long_as_names_can_be_is_copied(tmp_path: Path) -> None:
    files(tmp_path, "a" * 252 + ".md")

    assert copy_in(tmp_path / ("a" * 252 + ".md"), tmp_path / "raw").exists()


def test_a_folder_that_cannot_be_made_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    files(tmp_path, "a.md", "raw")  # raw is a file

    with pytest.raises(WriteError):
        copy_in(tmp_path / "a.md", tmp_path / "raw/sub")
