"""Originals as they may be shown: pages of strangers without anything that acts."""

from __future__ import annotations

import codecs
import re
import shutil
from pathlib import Path
from typing import Any

LARGEST = 64 << 20
"""Bytes of the largest page that is made harmless; a larger one is not published."""

_POLICY = "default-src 'none'; img-src https: data:; style-src 'unsafe-inline'"
_ACTING = frozenset(("script", "foreignObject", "iframe", "embed", "object", "handler", "set"))
_PAGES = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".mht", ".mhtml")
_DRAWINGS = (".svg", ".xml", ".rss", ".atom", ".opml")
_BEGINS_A_PAGE = re.compile(
    r"[\s\ufeff]*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|script)", re.I | re.S
)
_CHARSET = re.compile(
    rb"charset\s*=\s*[\"']?\s*([\w.:-]{2,40})|encoding=[\"']([\w.:-]{2,40})", re.I
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def copy_shown(original: Path, target: Path) -> None:
    """Copy an original to where it is published; web pages and drawings lose what acts in them."""
    suffix = original.suffix.lower()
    with original.open("rb") as stream:
        start = stream.read(4096)
    is_page = suffix in _PAGES or bool(_BEGINS_A_PAGE.match(_text(start)))
    is_drawing = suffix in _DRAWINGS or start.lstrip()[:4] == b"<svg"
    if not is_page and not is_drawing:
        shutil.copyfile(original, target)
    elif original.stat().st_size <= LARGEST:
        data = original.read_bytes()
        target.write_bytes(safe_html(_text(data)).encode() if is_page else safe_xml(data))


def safe_html(text: str) -> str:
    """A page without scripts, forms, frames and handlers; it loads nothing but pictures."""
    import nh3

    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n{nh3.clean(text)}\n</body></html>\n"


def safe_xml(data: bytes) -> bytes:
    """A drawing or feed without scripts, handlers and links that run something."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_pis=True
    )
    try:
        root: Any = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None or etree.QName(root).localname in _ACTING:
        return b""
    for element in list(root.iter(etree.Element)):
        if etree.QName(element).localname in _ACTING:
            if (parent := element.getparent()) is not None:
                parent.remove(element)
            continue
        for name, value in list(element.attrib.items()):
            plain = "".join(str(value).split()).lower()
            acts = etree.QName(name).localname.lower().startswith("on")
            if acts or plain.startswith(("javascript:", "data:text", "vbscript:")):
                del element.attrib[name]
    return bytes(etree.tostring(root, encoding="utf-8", xml_declaration=True))


def _text(data: bytes) -> str:
    """The text of a page, in the charset that it names; what cannot be read becomes "\\ufffd"."""
    named = _CHARSET.search(data[:4096])
    charset = (named[1] or named[2]).decode("ascii") if named else "utf-8"
    charset = next((name for mark, name in _BOMS if data.startswith(mark)), charset)
    try:
        return data.decode(charset, errors="replace")
    except LookupError:  # no such charset
        return data.decode("utf-8", errors="replace")
