"""Any file becomes a source: what cannot be read says why."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import SourceError
from citewiki.sources import html_reader, read
from citewiki.sources.encoding import clean
from citewiki.sources.read import read_bytes, read_source

NAMES = [
    "a.md",
    "a.txt",
    "a.html",
    "a.pdf",
    "a.json",
    "a.bin",
    "a",
    "",
    *"a.csv a.org a.rst a.rtf a.docx a.ipynb".split(),
]


def test_a_file_is_read_by_its_content_before_its_name(tmp_path: Path) -> None:
    path = tmp_path / "download"
    path.write_bytes(b"<!doctype html><title>T</title><p>Some words in a paragraph.</p>")

    assert read_source(path).reader == "html"
    assert read_source(path, name="notes.md").title == "T"


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf", b"\x00"])
def test_an_empty_file_has_one_section_that_says_so(data: bytes) -> None:
    source = read_bytes(data, "empty.md")

    assert [(s.status, s.reason) for s in source.sections] == [("no_text", "the file is empty")]
    assert source.title == "Empty"


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (bytes(range(256)), "a.bin", "application/octet-stream"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "application/x-ole-storage"),
    ],
)
def test_a_kind_that_cannot_be_read_is_named(data: bytes, name: str, media_type: str) -> None:
    (section,) = read_bytes(data, name).sections

    assert section.status == "unreadable"
    assert section.reason.startswith(f"not a kind of file that can be read ({media_type}")


def test_an_old_office_file_says_what_to_do() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

    assert "save it as PDF" in read_bytes(data, "a.doc").sections[0].reason


@pytest.mark.parametrize("name", ["a.zip", "a.epub", "a.docx", "a"])
def test_a_damaged_zip_says_so(name: str) -> None:
    assert "the zip is damaged" in read_bytes(b"PK\x03\x04rest", name).sections[0].reason


def test_bytes_that_had_to_be_replaced_are_a_problem_of_the_source() -> None:
    source = read_bytes("检索很快，效果很好。".encode()[:-1], "a.md")

    assert [problem.code for problem in source.problems] == ["encoding"]


def test_a_file_that_is_not_there_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such file") as caught:
        read_source(tmp_path / "missing.md")

    assert "\n" not in str(caught.value)


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        read_source(tmp_path)


def test_a_path_that_cannot_be_is_an_error() -> None:
    with pytest.raises(SourceError):
        read_source(Path("a\0b"))


@pytest.mark.parametrize(
    "unit",
    [
        "<!---->",
        "<",
        "[",
        "(",
        "| ",
        "- ",
        "# ",
        "#",
        "[x](y) ",
        "[[a]]",
        ". ",
        "\n",
        " ",
        "*",
        "_a",
        "中",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
def test_repetition_of_anything_is_read_in_linear_time(unit: str, name: str) -> None:
    check((unit * 4_000 + "x").encode(), name)


@pytest.mark.parametrize("text", ["ID3 is an algorithm.", "GIF89a is a format.", "BZh1 is a name."])
def test_texts_that_begin_like_binary_files_are_texts(text: str) -> None:
    assert read_bytes(text.encode(), "notes").sections[0].text == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('---\ntitle: "a\\ud800\\0b"\ntags: ["\\ufdd0"]\n---\nText.', "a.md"),
        ("<pre>&#xFDD0;0&#xFDD1;</pre> text", "a.md"),
        ("<table><tr><td>`x` &#xFDD0;0&#xFDD1;</td></tr></table>", "a.md"),
        ("<html><title>&#8;</title><p>&#xFDD0;0&#xFDD1; &#xD800; words", "a.html"),
        ('[{"role": "user", "text": "\\ud800 \\ufdd00\\ufdd1 words"}]', "a.json"),
    ],
)
def test_escapes_smuggle_nothing_in_that_a_text_may_not_hold(text: str, name: str) -> None:
    check(text.encode(), name)


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (b"[" + b"{}," * 30 + b"{}]", "a.json", "more than 20 values"),
        (b"word\n" * 30, "a.txt", "more than 20 lines"),
        (b"<html><body>" + b"<p>x" * 30, "a.html", "more than 20 tags"),
        (b"word " * 300, "a.txt", "the text has"),
    ],
)
def test_what_would_take_too_much_memory_says_so(
    data: bytes, name: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "MOST_VALUES", 20)
    monkeypatch.setattr(read, "MOST_LINES", 20)
    monkeypatch.setattr(read, "LARGEST_TEXT", 1_000)
    monkeypatch.setattr(html_reader, "MOST_TAGS", 20)
    (section,) = read_bytes(data, name).sections

    assert section.status == "unreadable"
    assert why in section.reason


def test_an_office_file_with_a_password_is_encrypted() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    (section,) = read_bytes(data, "a.docx").sections

    assert section.status == "encrypted"


@given(st.binary(max_size=500), st.sampled_from(NAMES))
def test_no_bytes_crash_the_reader_and_nothing_is_silent(data: bytes, name: str) -> None:
    check(data, name)


@given(
    st.text(st.sampled_from("ab中é# \n-*[](){}<>!|`=:\"'/.1%&\t"), max_size=300),
    st.sampled_from(NAMES),
)
def test_no_text_crashes_the_reader_and_nothing_is_silent(text: str, name: str) -> None:
    check(text.encode(), name)


def check(data: bytes, name: str) -> None:
    """Every section is to be compiled or says why not; ids are unique; places lie in the text."""
    source = read_bytes(data, name)

    assert source.title
    assert all(clean(word) == word for word in (source.title, *source.tags))
    assert source.sections
    assert len({s.id for s in source.sections}) == len(source.sections)
    for section in source.sections:
        assert section.id
        assert bool(section.reason) == (section.status != "pending")
        assert section.text.strip() or section.status != "pending"
        offsets = [place.offset for place in section.places]
        assert offsets == sorted(offsets)
        assert all(0 <= offset <= len(section.text) for offset in offsets)
        assert clean(section.text) == section.text
        assert clean(section.title) == section.title
