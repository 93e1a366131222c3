"""Zips from strangers: bounded, in memory, and never silently short."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import SourceError
from citewiki.sources import archive as bounds
from citewiki.sources.archive import Archive
from citewiki.sources.read import read_bytes


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_members_are_read_under_normal_names() -> None:
    archive = Archive(
        zipped({"a\\b.md": b"1", "/c/./d.md": b"2", "../../e.md": b"3", "x/": b""}), "z"
    )

    assert archive.names == ("a/b.md", "c/d.md", "e.md")
    assert [archive.read(name) for name in archive.names] == [b"1", b"2", b"3"]
    assert "e.md" in archive
    assert archive.size("nothing") == 0


def test_names_in_utf8_without_the_flag_are_read() -> None:
    data = zipped({"xxxxx.md": b"1"}).replace(b"xxxxx", "Nă".encode() + b"mm")

    assert Archive(data, "z").names == ("Nămm.md",)


def test_a_decompression_bomb_is_refused_before_it_is_unpacked() -> None:
    archive = Archive(zipped({"bomb.xml": bytes(32 << 20)}), "z.docx")

    with pytest.raises(SourceError, match="decompression bomb"):
        archive.read("bomb.xml")
    with pytest.raises(SourceError, match="decompression bomb"):
        archive.check()


def test_a_member_that_lies_about_its_size_gives_no_more_than_it_says() -> None:
    data = bytearray(zipped({"a": b"x" * 1000}))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = struct.pack("<L", 10)

    with pytest.raises(SourceError, match="damaged"):  # its check sum is that of the whole
        Archive(bytes(data), "z").read("a")


def test_what_comes_out_of_a_zip_and_of_those_inside_it_is_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = zipped({"a": bytes(range(256)) * 4}, zipfile.ZIP_STORED)
    outer = Archive(zipped({"1.zip": inner, "2.zip": inner}), "z", bounds.Budget(3 * len(inner)))

    assert len(outer.inner("1.zip").read("a")) == 1024
    with pytest.raises(SourceError, match="too large"):
        outer.inner("2.zip").read("a")


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_MEMBERS", 3)

    with pytest.raises(SourceError, match="more than 3 members"):
        Archive(zipped({str(n): b"" for n in range(4)}), "z")


def test_an_encrypted_zip_says_so() -> None:
    data = bytearray(zipped({"a.md": b"text"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1

    with pytest.raises(SourceError, match="encrypted"):
        Archive(bytes(data), "z").read("a.md")


@pytest.mark.parametrize("name", ["word/document.xml", "ppt/presentation.xml", "content.xml"])
def test_a_bomb_in_an_office_file_becomes_a_section_that_says_so(name: str) -> None:
    data = zipped({"mimetype": b"application/vnd.oasis.opendocument.text", name: b" " * (20 << 20)})

    (section,) = read_bytes(data, "bomb").sections

    assert section.status == "unreadable"
    assert any(why in section.reason for why in ("bomb", "more than 16 MB"))


def test_bombs_take_little_memory(tmp_path: Path) -> None:
    layers = zipped({"a.xml": b"<a>" + bytes(30 << 20)})
    for name, data in {
        "a.epub": zipped({"META-INF/container.xml": b" " * (70 << 20)}),
        "b.zip": zipped({f"{n}.zip": layers for n in range(10)}),
        "c.docx": zipped({"word/document.xml": b"<a/>" * (5 << 20)}),
    }.items():
        (tmp_path / name).write_bytes(data)
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("this system does not tell a process its own peak")
    code = (  # not ru_maxrss, which begins at the peak of the process that started this one
        "import sys, pathlib\n"
        "from citewiki.sources.read import read_source\n"
        "found = [read_source(p).sections[0].status for p in pathlib.Path(sys.argv[1]).iterdir()]\n"
        f"peak = pathlib.Path('{status}').read_text().split('VmHWM:')[1].split()[0]\n"
        "print(int(peak) >> 10, *found)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()

    assert int(said[0]) < 500  # MB
    assert set(said[1:]) == {"unreadable"}


@given(st.binary(max_size=200), st.integers(0, 300))
def test_no_damage_crashes_a_zip(noise: bytes, at: int) -> None:
    data = bytearray(zipped({"a.md": b"# A\n\ntext", "b/c.txt": b"text"}))
    data[at : at + len(noise)] = noise

    with suppress(SourceError):
        archive = Archive(bytes(data), "z")
        for name in archive.names:
            archive.read(name)
