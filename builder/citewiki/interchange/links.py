"""Wikilinks as Markdown links that other programs follow, and back without loss.

A link to a page is written `[words](/domain/page.md#heading "[[Page#Heading|words]]")`: the
address is rooted in the bundle, and the title keeps the wikilink as it stood. What leads to no
page stays as it is: to other programs it is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote

from citewiki.markdown.regions import protected
from citewiki.markdown.structure import headings
from citewiki.markdown.wikilinks import Wikilink, replace, wikilinks
from citewiki.model import Page
from citewiki.site.media import IMAGES, Media
from citewiki.store.names import Names
from citewiki.text.folding import fold, name_key

_TEXT = r"(?<!!)\[((?:\\.|[^\[\]\\\n])*)\]"
_OURS = re.compile(r"!?" + _TEXT.removeprefix("(?<!!)") + r'\([^\s()]* "(!?\[\[[^"\n]*\]\])"\)')
_PLAIN = re.compile(_TEXT + r'\((?:<([^<>\n]+)>|([^\s()<>]+))(?:[ \t]+"[^"\n]*")?\)')
_NO_WORD = re.compile(r"[\W_]+")
_ESCAPED = re.compile(r"([\\\[\]|])")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\"#%()<>?\[\\\]^`{|}\u0080-\u00a0\u2028\u2029]")


class Targets:
    """The pages that an export holds, by all the names that links call them."""

    def __init__(self, pages: Iterable[Page], paths: Mapping[str, str] | None = None) -> None:
        """`paths`: where the pages lie in the export, of those that lie elsewhere in the wiki."""
        self._pages = {page.path: page for page in pages}
        self._names = Names(self._pages.values())
        self._paths = paths or {}
        self._anchors: dict[str, dict[str, str]] = {}

    def page(self, link: Wikilink, at: str) -> Page | None:
        """The page that a link on the page at `at` leads to; None: none of these."""
        return self._meant(link, at)[0]

    def address(self, link: Wikilink, at: str) -> str:
        """Where a link leads, rooted in the export; "" when that is no page or heading of it."""
        page, whole = self._meant(link, at)
        if page is None:
            return ""
        anchor = "" if whole else self._anchor(page, link)
        if not link.target:
            return f"#{quoted(anchor)}" if anchor else ""
        address = "/" + quoted(self._paths.get(page.path, page.path))
        return f"{address}#{quoted(anchor)}" if anchor else address

    def backlinks(self) -> dict[str, list[str]]:
        """Slugs of the pages that link to each page that is linked to, both in order."""
        found: dict[str, set[str]] = {}
        for page in self._pages.values():
            for link in wikilinks(page.body):
                target = self.page(link, page.path)
                if target is not None and target.path != page.path:
                    found.setdefault(target.slug, set()).add(page.slug)
        return {slug: sorted(found[slug]) for slug in sorted(found)}

    def _meant(self, link: Wikilink, at: str) -> tuple[Page | None, bool]:
        """The page meant, and whether the link's "#…" is part of its name ("F# notes")."""
        resolved = self._names.resolve(link.target, at)
        if not resolved.path and "#" in link.written:
            resolved = self._names.resolve(link.written, at)
            return self._pages.get(resolved.path or ""), True
        return self._pages.get(resolved.path or ""), False

    def _anchor(self, page: Page, link: Wikilink) -> str:
        if link.block:
            return f"^{link.block}"
        if not link.heading:
            return ""
        if page.path not in self._anchors:
            found: dict[str, str] = {}
            for heading in headings(page.body):
                found.setdefault(heading.anchor, heading.anchor)
                found.setdefault(_heading_key(heading.text), heading.anchor)
            self._anchors[page.path] = found
        anchors = self._anchors[page.path]
        return anchors.get(link.heading) or anchors.get(_heading_key(link.heading), "")


def with_markdown_links(body: str, at: str, targets: Targets, files: Iterable[str] = ()) -> str:
    """`body`, of the page at `at`, with Markdown links for the wikilinks that lead to a page.

    So with those that lead to one of the `files` which the page shows; its pictures are shown.
    """
    media = Media(files)

    def linked(link: Wikilink) -> str:
        written = body[link.start : link.end]
        address, mark = targets.address(link, at), ""
        if not address and (file := media.resolve(link.target, at) if link.target else None):
            address = "/" + quoted(file)
            mark = "!" if link.embed and PurePosixPath(file).suffix.lower() in IMAGES else ""
        if not address:
            return written
        kept = written.replace("&", "&amp;").replace('"', "&quot;")
        words = _ESCAPED.sub(r"\\\1", link.shown)
        return f'{mark}[{words}]({address} "{kept}")'

    return replace(body, linked)


def with_wikilinks(body: str) -> str:
    """`body` with the wikilinks that `with_markdown_links` has replaced."""

    def wikilink(match: re.Match[str]) -> str:
        kept = match[2].replace("&quot;", '"').replace("&amp;", "&")
        return f"!{kept}" if match[0][0] == "!" and kept[0] != "!" else kept

    return _replaced(_OURS, body, wikilink)


def wikilinks_for(body: str, at: str, files: Iterable[str]) -> str:
    """`body`, of a file at `at` of another program's bundle, with wikilinks to its `files`."""
    known = {name_key(file): file for file in files}

    def wikilink(match: re.Match[str]) -> str:
        address, _, anchor = unquote(match[2] or match[3]).partition("#")
        file = known.get(name_key(rooted(address, at)))
        words = re.sub(r"\\(.)", r"\1", match[1]).strip()
        if file is None or not words or re.search(r"[\[\]|\n]", words + file + anchor):
            return match[0]
        heading = f"#{anchor.strip()}" if anchor.strip() else ""
        return f"[[{file.removesuffix('.md')}{heading}|{words}]]"

    return _replaced(_PLAIN, body, wikilink)


def without_links(body: str, at: str, leads: Callable[[Wikilink, str], bool]) -> str:
    """`body`, of the page at `at`, where wikilinks that lead nowhere are their words."""

    def kept(link: Wikilink) -> str:
        return body[link.start : link.end] if leads(link, at) else link.shown

    return replace(body, kept)


def rooted(address: str, at: str) -> str:
    """A path as a link on the file at `at` writes it, from the top of the bundle; "" outside."""
    import posixpath

    joined = address if address.startswith("/") else f"/{posixpath.dirname(at)}/{address}"
    return posixpath.normpath(joined).lstrip("/") if address else ""


def quoted(address: str) -> str:
    """`address` as a Markdown link may hold it; letters of all scripts stay."""
    return _UNSAFE.sub(lambda char: "".join(f"%{b:02X}" for b in char[0].encode()), address)


def _heading_key(text: str) -> str:
    """By which a heading is found, whatever its punctuation and case."""
    return _NO_WORD.sub(" ", fold(text)).strip()


def _replaced(pattern: re.Pattern[str], body: str, new: Callable[[re.Match[str]], str]) -> str:
    """`body` with every match outside code, comments and the like replaced."""
    if "](" not in body:
        return body
    hidden, index, done = protected(body), 0, 0
    parts: list[str] = []
    for match in pattern.finditer(body):
        while index < len(hidden) and hidden[index][1] <= match.start():
            index += 1
        if index < len(hidden) and hidden[index][0] <= match.start():
            continue
        parts += body[done : match.start()], new(match)
        done = match.end()
    return "".join([*parts, body[done:]])
