"""EPUB books: the spine's documents in order, cut where the table of contents cuts them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urldefrag

from citewiki.errors import SourceError
from citewiki.markdown.structure import headings
from citewiki.model import Place, Problem, Section, Source
from citewiki.sources.about import About, about, readable_title
from citewiki.sources.archive import Archive
from citewiki.sources.book import as_book
from citewiki.sources.encoding import clean, decode
from citewiki.sources.html_body import parsed, tree_markdown
from citewiki.sources.kinds import declared_charset
from citewiki.sources.markdown_reader import source
from citewiki.sources.marks import MARK, clean_between, mark, number_of
from citewiki.sources.outline import ONLY_HOLDS, START, finished
from citewiki.sources.xml_tree import attribute, text_in, xml_root
from citewiki.text.folding import name_key
from citewiki.text.language import language

MEDIA_TYPE = "application/epub+zip"

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_DOCUMENTS = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
_LEADING_HEADING = re.compile(r"\s*#{1,6} (?P<words>[^\n]+)(?:\n+|\Z)")
_MOST_ENTRIES = 10_000
_XML_DECLARATION = re.compile(r"^\s*<\?xml\b[^>]*\?>", re.I)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the table of contents."""

    title: str
    level: int  # from 1
    file: str  # name in the zip; "" when it leads nowhere
    fragment: str
    parents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Package:
    """What the package document says."""

    about: About
    documents: tuple[str, ...]  # names in the zip, in reading order
    navigation: str  # name of the EPUB 3 navigation document; "" when there is none
    ncx: str  # name of the EPUB 2 table of contents; "" when there is none


def read(archive: Archive, name: str) -> Source:
    """The sections of a book; raises SourceError when it is damaged or protected."""
    package = _package(archive)
    if locked := _locked(archive, package.documents):
        section = Section(START, "", "", status="encrypted", reason=locked)
        title = package.about.title or readable_title(name)
        return Source(title, "epub", MEDIA_TYPE, (section,), authority="book")
    entries = _contents(archive, package)
    problems: list[Problem] = []
    body = _body(archive, package.documents, entries, problems)
    title = package.about.title or readable_title(name)
    facts = replace(package.about, title=title, problems=(*package.about.problems, *problems))
    base = source(
        facts, MARK.sub("", body), name, reader="epub", media_type=MEDIA_TYPE, authority="book"
    )
    if any(entry.file for entry in entries):
        sections = finished(_sections(body, entries), title)
        base = replace(base, sections=sections, language=facts.language or language(body[:20_000]))
    return as_book(base)


def _package(archive: Archive) -> _Package:
    container = xml_root(archive.read(_CONTAINER), archive.name, _CONTAINER)
    rootfile = next((attribute(e, "full-path") for e in container.iter("rootfile")), "")
    root = xml_root(archive.read(rootfile), archive.name, rootfile)
    folder = posixpath.dirname(rootfile)
    items = {
        attribute(item, "id"): (_inside(folder, attribute(item, "href")), item)
        for item in root.iter("item")
    }
    navigation = ncx = ""
    for file, item in items.values():
        if "nav" in attribute(item, "properties").split():
            navigation = file
        elif attribute(item, "media-type") == "application/x-dtbncx+xml":
            ncx = file
    documents = []
    for reference in root.iter("itemref"):
        file, item = items.get(attribute(reference, "idref"), ("", None))
        if file in archive and attribute(item, "media-type") in _DOCUMENTS:
            documents.append(file)
    if not documents:
        raise SourceError(archive.name, "the book lists no chapters that are in it")
    return _Package(_about(root), tuple(dict.fromkeys(documents)), navigation, ncx)


def _about(root: Any) -> About:
    metadata = next(root.iter("metadata"), None)
    if metadata is None:
        return About()

    def said(tag: str) -> list[str]:
        return [words for element in metadata.iter(tag) if (words := clean(text_in(element)))]

    values: dict[str, Any] = {
        "title": next(iter(said("title")), ""),
        "author": said("creator"),
        "date": next(iter(said("date")), ""),
        "lang": next(iter(said("language")), ""),
        "description": re.sub(r"<[^<>]{1,500}>", " ", next(iter(said("description")), "")),
        "tags": said("subject"),
    }
    return about(values)


def _locked(archive: Archive, documents: Sequence[str]) -> str:
    """Why the chapters cannot be read: they are encrypted. Fonts alone often are: "" then."""
    if _ENCRYPTION not in archive:
        return ""
    root = xml_root(archive.read(_ENCRYPTION), archive.name, _ENCRYPTION)
    encrypted = {_inside("", attribute(e, "URI")) for e in root.iter("CipherReference")}
    if encrypted.isdisjoint(documents):
        return ""
    return "the book is protected (DRM); only the program it was bought for can open it"


def _inside(folder: str, link: str) -> str:
    """The name in the zip of what `link` names, seen from `folder`."""
    return posixpath.normpath(posixpath.join(folder, unquote(link))).lstrip("/")


def _contents(archive: Archive, package: _Package) -> list[_Entry]:
    """The table of contents, flat; the EPUB 3 one where both are there and it holds something."""
    found: list[_Entry] = []
    if package.navigation in archive:
        root = xml_root(archive.read(package.navigation), archive.name, package.navigation)
        menus = list(root.iter("nav"))
        wanted = [menu for menu in menus if attribute(menu, "type") == "toc"] or menus[:1]
        lists = [child for menu in wanted for child in menu.iter("ol")][:1]
        found = list(_listed(lists, posixpath.dirname(package.navigation)))
    if not found and package.ncx in archive:
        root = xml_root(archive.read(package.ncx), archive.name, package.ncx)
        maps = list(root.iter("navMap"))[:1]
        found = list(_mapped(maps, posixpath.dirname(package.ncx)))
    known = set(package.documents)
    return [e if e.file in known else replace(e, file="") for e in found[:_MOST_ENTRIES]]


def _listed(
    lists: Sequence[Any], folder: str, level: int = 1, parents: tuple[str, ...] = ()
) -> Iterator[_Entry]:
    """The entries of nested `<ol>`s."""
    for item in (child for one in lists for child in one if child.tag == "li"):
        label = next((child for child in item if child.tag in ("a", "span")), None)
        title = clean(text_in(label))
        link = attribute(label, "href") if label is not None else ""
        yield _entry(title, level, link, folder, parents)
        below = [child for child in item if child.tag == "ol"]
        yield from _listed(below, folder, level + 1, (*parents, title))


def _mapped(
    points: Sequence[Any], folder: str, level: int = 0, parents: tuple[str, ...] = ()
) -> Iterator[_Entry]:
    """The entries of nested `<navPoint>`s."""
    for point in points:
        title = ""
        if point.tag == "navPoint":
            title = clean(text_in(point.find("navLabel")))
            content = point.find("content")
            link = attribute(content, "src") if content is not None else ""
            yield _entry(title, level, link, folder, parents)
        above = (*parents, title) if level else ()
        yield from _mapped(point.findall("navPoint"), folder, level + 1, above)


def _entry(title: str, level: int, link: str, folder: str, parents: tuple[str, ...]) -> _Entry:
    path, fragment = urldefrag(link)
    file = _inside(folder, path) if path else ""
    return _Entry(title, level, file, unquote(fragment), parents)


def _body(
    archive: Archive, documents: Sequence[str], entries: Sequence[_Entry], problems: list[Problem]
) -> str:
    """The whole book as Markdown, with the mark of every entry where its text begins."""
    pieces = []
    for file in documents:
        here = {number: entry for number, entry in enumerate(entries) if entry.file == file}
        try:
            text = _document(archive, file, here)
        except SourceError as error:
            problems.append(Problem(archive.name, error.reason, severity="warning", code="epub"))
            text = ""
        found = {number_of(match) for match in MARK.finditer(text)}
        # An entry for the whole document, or for a place that is not in it, begins with it.
        pieces += [mark(number) for number in here if number not in found]
        pieces.append(f"{text}\n\n")
    return "".join(pieces)


def _document(archive: Archive, file: str, entries: dict[int, _Entry]) -> str:
    by_id: dict[str, list[int]] = {}
    for number, entry in entries.items():
        if entry.fragment:
            by_id.setdefault(entry.fragment, []).append(number)

    def marks(element: Any) -> str:
        id = element.get("id") or element.get("name")
        return "".join(map(mark, by_id.pop(id, ()))).strip("\n") if id in by_id else ""

    data = archive.read(file)
    try:
        root = xml_root(data, archive.name, file, strict=True)
    except SourceError:  # many books are HTML that is no XML
        text = decode(data, declared=declared_charset(data)).text
        root = parsed(_XML_DECLARATION.sub("", text))
    return "" if root is None else clean_between(tree_markdown(root, marks))


def _sections(body: str, entries: Sequence[_Entry]) -> Iterator[Section]:
    """A section for each entry, in reading order; those that lead nowhere come last."""
    found = list(MARK.finditer(body))
    first = found[0].start() if found else len(body)
    if before := body[:first].strip():
        yield Section(START, "", "beginning", before, places=_places(before))
    ends = [match.start() for match in found[1:]] + [len(body)]
    for match, end in zip(found, ends, strict=True):
        entry = entries[number_of(match)]
        text = _without_title(body[match.end() : end].strip(), (*entry.parents, entry.title))
        yield replace(_section(entry), text=text, places=_places(text))
    for entry in entries:
        if not entry.file:
            heads = any(entry.title in other.parents for other in entries)
            reason = ONLY_HOLDS if heads else "its entry leads nowhere"
            yield replace(_section(entry), status="skipped", reason=reason)


def _section(entry: _Entry) -> Section:
    path = " › ".join(filter(None, (*entry.parents, entry.title)))
    return Section("", entry.title, f"§ {path}", level=entry.level, parents=entry.parents)


def _without_title(text: str, titles: Sequence[str]) -> str:
    """The text without the headings at its start that say its titles, or a part of them."""
    key = name_key(" ".join(titles))
    while found := _LEADING_HEADING.match(text):
        if name_key(found["words"]) not in key:
            break
        text = text[found.end() :]
    return text


def _places(text: str) -> tuple[Place, ...]:
    return tuple(Place(h.start, f"§ {h.text}") for h in headings(text) if h.text)
