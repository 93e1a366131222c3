"""What leaves beside the pages: files that they show, a person's words on the home page, the log.

A file has no owner: it leaves with a page that shows it, and only with one (see `site.files`).
Files are copied as bytes; nothing here opens, draws or runs what is in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from citewiki.interchange.copies import Copy, Named
from citewiki.interchange.links import rooted
from citewiki.markdown import frontmatter
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Problem, Viewer, iso
from citewiki.sources.archive import LARGEST_MEMBER, LARGEST_TOTAL
from citewiki.store.catalog import INDEX_MARK, read_log
from citewiki.text.folding import name_key

LARGEST_FILE = LARGEST_MEMBER
"""Bytes of one file that an export copies, or an import takes in."""

LARGEST_FILES = LARGEST_TOTAL
"""Bytes of all files of one export."""

HOME = "index.md"
NAMED = re.compile(r"“[^”]+”\s*\(([^()\s]+)\)")
"""In a line of the log: “Title” (slug)."""

NO_WORDS = ("", "# Index")

_OUTSIDE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#")
_BLOCK = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+|\n+|[^\S\n]+\n?")


@dataclass(frozen=True, slots=True)
class Beside:
    """What of a wiki one viewer gets that is no page."""

    files: Mapping[str, Path]  # by the path under wiki/
    words: str = ""  # what a person wrote into wiki/index.md, with its front matter
    log: tuple[str, ...] = ()  # lines of wiki/log.md, newest first
    problems: tuple[Problem, ...] = ()  # files that are too large


def beside(
    wiki: Path, viewer: Viewer, copies: Iterable[Copy], named: Named, *, now: bool
) -> Beside:
    """What stands beside `copies`, which are all that `viewer` gets.

    Words have no date, so they are there only when all is as it is `now`. Others than the operator
    get no paragraph of them that links to what they do not see, and no log.
    """
    copies = list(copies)
    words = own_words(wiki) if now else ""
    if viewer is not None:
        words = "".join(_readable(frontmatter.split(words)[1], copies, named)).strip()
    shown = {path for copy in copies for path in copy.files} | set(named.files(words, HOME))
    files, problems = _bounded(wiki, sorted(shown))
    log = _log(wiki) if now and viewer is None else ()
    return Beside(files, "" if words in NO_WORDS else words, log, tuple(problems))


def own_words(wiki: Path) -> str:
    """What stands in wiki/index.md above the program's mark; "" when it is nothing of one's own."""
    words = _read(wiki / HOME).split(INDEX_MARK)[0].rstrip()
    return "" if words.strip() in NO_WORDS else words


def _readable(words: str, copies: Iterable[Copy], named: Named) -> Iterator[str]:
    """The blocks of a text that lead nowhere but to what `copies` hold, or outside."""
    from citewiki.site.files import addresses, without_code

    paths = {name_key(copy.page.path.removesuffix(".md")) for copy in copies}
    prose = without_code(words)
    bad = {
        link.start
        for link in wikilinks(words)
        if link.target
        and not named.targets.page(link, HOME)
        and not named.files(words[link.start : link.end], HOME)
    }
    for match in _BLOCK.finditer(words):
        led = (
            address
            for address in addresses(prose[match.start() : match.end()])
            if address and not _OUTSIDE.match(address)
        )
        if any(match.start() <= start < match.end() for start in bad):
            continue
        if all(
            name_key(rooted(address, HOME).removesuffix(".md")) in paths
            or named.files(f"[x](<{address}>)", HOME)
            for address in led
        ):
            yield match[0]


def _bounded(wiki: Path, paths: Iterable[str]) -> tuple[dict[str, Path], list[Problem]]:
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    total = 0
    for path in paths:
        try:
            size = (wiki / path).stat().st_size
        except OSError:  # gone since
            continue
        if size > LARGEST_FILE or total + size > LARGEST_FILES:
            message = f"is left out: it is too large ({size:,} bytes)"
            problems.append(Problem(path, message, 0, "warning", "large-file"))
            continue
        total += size
        files[path] = wiki / path
    return files, problems


def _log(wiki: Path) -> tuple[str, ...]:
    """The lines that tell of pages; what else the wiki did with itself is no part of them."""
    told = (line for line in read_log(wiki) if NAMED.search(line.what))
    return tuple(f"- {iso(line.at)} · {line.who} · {line.what}" for line in told)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
