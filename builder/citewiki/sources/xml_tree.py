"""XML that a stranger wrote, parsed without entities, files or network; tags without namespaces."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from citewiki.errors import SourceError

MOST_TAGS = 1_000_000
"""Tags of the largest document; an element takes some 600 bytes of memory until it is Markdown."""

_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_ENTITIES = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))


def xml_root(data: bytes, name: str, part: str, *, strict: bool = False) -> Any:
    """The root element of `part` of the file `name`, by lxml; all tags are local names.

    Damaged XML is read as far as it goes, unless `strict`. Raises SourceError when it is none, or
    has too many elements.
    """
    if data.count(b"<") > MOST_TAGS:
        raise SourceError(name, f"{part} in it has more than {MOST_TAGS:,} tags", hint="split it")
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=not strict,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(_ENTITY.sub(_character, data), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(name, f"{part} in it is damaged") from error
    if root is None:
        raise SourceError(name, f"{part} in it is damaged")
    for element in root.iter(etree.Element):
        element.tag = local(element.tag)
    return root


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]


def attribute(element: Any, name: str) -> str:
    """The attribute with this local name, those with a namespace first; "" when it has none."""
    found = [(key, value) for key, value in element.attrib.items() if local(key) == name]
    return str(max(found)[1]) if found else ""  # "{" sorts after all letters


def text_in(element: Any) -> str:
    """All text in an element, on one line; "" for None."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _character(found: re.Match[bytes]) -> bytes:
    """What a name of HTML stands for, as XML itself knows five of them only."""
    if found[1] in _XML_ENTITIES:
        return found[0]
    known = html5.get(found[1].decode("ascii") + ";", "")
    return "".join(f"&#{ord(char)};" for char in known).encode("ascii") or found[0]
