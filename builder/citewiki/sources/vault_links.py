"""Links between files, as wikilinks to the titles or names that their pages answer to."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Protocol
from urllib.parse import unquote

from citewiki.markdown.regions import protected
from citewiki.markdown.wikilinks import Wikilink, replace
from citewiki.sources.export_kinds import NOTION_ID
from citewiki.text.folding import nfc

_LINK = re.compile(
    r"(?<!!)\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,500})\]"
    r"\((?P<url><[^<>\n]{1,999}>|[^()\s]{1,999}(?:\([^()\s]{0,99}\)[^()\s]{0,99}){0,9})"
    r"(?:\s+\"[^\"\n]{0,300}\")?\)"
)
_NOT_IN_LINKS = str.maketrans("[]|#^", "()/♯ˆ")  # as page titles write them


class Targets(Protocol):
    """What other files are called, in a wikilink."""

    def at(self, url: str, here: str) -> str:
        """The name of the file that a relative address in the file `here` means; "" for none."""

    def named(self, target: str) -> str:
        """The name of the file that a wikilink names by folder and name; "" for none."""


class FileNames:
    """For a file whose neighbours are not at hand: they are called as their files are."""

    def at(self, url: str, here: str) -> str:
        path = PurePosixPath(unquote(url.partition("#")[0], errors="replace"))
        is_note = path.suffix.lower() in (".md", ".markdown") and ":" not in url.split("/")[0]
        return NOTION_ID.sub("", path.stem).strip() if is_note else ""

    def named(self, target: str) -> str:
        return "" if ":" in target else target.rpartition("/")[2]


class Titles:
    """The titles of an archive's files, found by their paths."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        """`titles` by path, with "/" between its parts."""
        self._by_path = {_key(path): title for path, title in titles.items()}
        self._by_tail: dict[str, str] = {}
        for path, title in titles.items():
            parts = posixpath.splitext(_key(path))[0].split("/")
            for start in range(len(parts)):
                self._by_tail.setdefault("/".join(parts[start:]), title)

    def at(self, url: str, here: str) -> str:
        """The title of the file that a relative address in the file `here` names; "" for none."""
        path = unquote(url.partition("#")[0], errors="replace")
        if not path or ":" in path.split("/")[0]:
            return ""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        return self._by_path.get(_key(beside)) or self._by_path.get(_key(path), "")

    def named(self, target: str) -> str:
        """The title of the file that a wikilink names by folder and name; "" for none."""
        return self._by_tail.get(_key(target.lstrip("./")), "")


def linked(text: str, here: str, titles: Targets) -> str:
    """The Markdown of the file `here`, with the files that it links as `[[title]]`.

    A wikilink stays as it is, unless it names its target by folder: pages have other folders.
    """

    def in_folder(link: Wikilink) -> str:
        written = text[link.start : link.end]
        title = titles.named(link.target) if "/" in link.target and not link.size else ""
        if not title:
            return written
        rest = f"#{link.heading}" if link.heading else f"#^{link.block}" if link.block else ""
        label = f"|{link.label}" if link.label and link.label != title else ""
        return f"{'!' if link.embed else ''}[[{_written(title)}{rest}{label}]]"

    text = replace(text, in_folder)
    hidden = iter(protected(text) if "](" in text else ())
    start, end = next(hidden, (0, 0))
    pieces: list[str] = []
    done = 0
    for found in _LINK.finditer(text):
        while end <= found.start() and (span := next(hidden, None)):
            start, end = span
        if start <= found.start() < end:
            continue
        title = titles.at(found["url"].strip("<>"), here)
        if title:
            words = " ".join(found["text"].translate(_NOT_IN_LINKS).split())
            name = _written(title)
            pieces += [
                text[done : found.start()],
                f"[[{name}|{words}]]" if words not in ("", name) else f"[[{name}]]",
            ]
            done = found.end()
    return "".join([*pieces, text[done:]])


def _written(title: str) -> str:
    return title.translate(_NOT_IN_LINKS)


def _key(path: str) -> str:
    return nfc(path).casefold()
