"""Originals that are published."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewiki.site.shown import copy_shown


def shown(tmp_path: Path, name: str, data: bytes) -> bytes:
    (tmp_path / name).write_bytes(data)
    copy_shown(tmp_path / name, tmp_path / "shown")
    return (tmp_path / "shown").read_bytes()


@pytest.mark.parametrize("name", ["page.html", "page.txt", "page"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_published_page_has_its_words_and_nothing_that_acts(
    tmp_path: Path, name: str, encoding: str
) -> None:
    html = (
        "<!doctype html><body onload=steal()><script>steal()</script><p onclick=x>Fusion ő</p>"
        "<a href='javascript:x'>a</a><iframe src=https://x.org></iframe><form action=/>"
    )
    page = shown(tmp_path, name, html.encode(encoding)).decode()

    assert "Fusion ő" in page
    assert not any(word in page for word in ("steal", "onclick", "javascript:", "iframe", "<form"))
    assert "default-src 'none'" in page


def test_a_published_drawing_loses_its_scripts(tmp_path: Path) -> None:
    svg = (
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="a()"><script>b()</script>'
        b'<a href=" java\nscript:c()"><text>Fusion</text></a></svg>'
    )
    drawing = shown(tmp_path, "a.svg", svg)

    assert b"Fusion" in drawing
    assert not any(word in drawing for word in (b"onload", b"script"))


def test_other_originals_are_published_byte_for_byte(tmp_path: Path) -> None:
    for name, data in {"a.pdf": b"%PDF-1.7\n<html>", "a.md": "# Ő <b>".encode()}.items():
        assert shown(tmp_path, name, data) == data
