"""Into a wiki: files that a bundle's pages show, words for its home page, lines of its log."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable
from pathlib import Path

from citewiki.errors import PageError, SourceError
from citewiki.interchange.beside import HOME, LARGEST_FILES, NAMED, own_words
from citewiki.interchange.bundles import Bundle, unusable
from citewiki.model import Page, Problem
from citewiki.site.files import Files
from citewiki.site.media import Media, media_paths
from citewiki.store.catalog import INDEX_MARK, read_log, render_log
from citewiki.store.files import write_atomic
from citewiki.store.paths import is_put_away
from citewiki.text.folding import name_key

_RUNS = (".xht", ".shtml", ".php", ".hta", ".svgz", ".mht", ".mhtml", ".htc", ".swf", ".cgi")
_TYPES = re.compile(r"text/(?:html|css|xml|xsl)|.*(?:script|wasm|\+xml|/xml|flash).*")
_SCRIPTED = re.compile(  # in an SVG without its spaces: what runs, or brings in what may run
    r"<(?:\w+:)?(?:script|foreignobject|iframe|embed|object|handler|set|animate)|<!entity"
    r"|[\s\"'/]on\w+=|javascript:|vbscript:|&#|data:(?!image/(?:png|jpeg|gif|webp))|@import"
    r"|<\?xml-stylesheet|&(?:colon|tab|newline);",
    re.IGNORECASE,
)
_LINE = re.compile(r"- (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) · .*? · (.*)")


def files_taken_in(
    wiki: Path, bundle: Bundle, pages: Iterable[Page]
) -> tuple[list[str], list[Problem]]:
    """Make the files that `pages` and the bundle's words show; those made, and lines for the rest.

    A file that is there already is kept as it is. What a browser could run is not taken in.
    """
    others = bundle.others()
    by_path = {page.path: page for page in pages}
    home = Page(HOME, "", "", bundle.words())
    if not others:
        return [], []
    shown = Files(wiki, Media(others), by_path, frozenset(), {})
    wanted = {path for page in (*by_path.values(), home) for path in shown.shown(page)}
    there = {name_key(path): path for path in media_paths(wiki)}
    made: list[str] = []
    problems: list[Problem] = []
    total = 0
    for path, name in sorted(others.items()):
        if path not in wanted:
            why = "is no concept (a .md file)" if bundle.form == "okf" else "is shown by no page"
            problems.append(bundle.left(name, f"{why}, so it is left out"))
            continue
        data, why = _read(bundle, name, path)
        total += len(data)
        if not why and total > LARGEST_FILES:
            why = "is one too many: together they are too large"
        if why:
            problems.append(bundle.left(name, f"{why}, so it is left out"))
            continue
        known = there.get(name_key(path))
        if known == path and _same(wiki / path, data):
            continue
        if known or blocked(wiki, path):
            why = "is left out: another file is there and is kept as it is"
            problems.append(Problem(f"{bundle.name}: {path}", why, 0, "warning", "kept"))
            continue
        write_atomic(wiki / path, data)
        there[name_key(path)] = path
        made.append(path)
    return made, problems


def words_taken_in(wiki: Path, bundle: Bundle) -> list[Problem]:
    """Put the bundle's words above the list of wiki/index.md, where that has none."""
    words = bundle.words()
    own = own_words(wiki)
    if not words.strip() or words == own:
        return []
    if own or blocked(wiki, HOME, made=True):
        why = "its words are left out: wiki/index.md has others, which are kept"
        return [Problem(f"{bundle.name}: {HOME}", why, 0, "warning", "kept")]
    if INDEX_MARK in words:
        words = words.partition(INDEX_MARK)[0]
    listed = _text(wiki / HOME).partition(INDEX_MARK)[2] or "\n"
    write_atomic(wiki / HOME, f"{words.rstrip()}\n\n{INDEX_MARK}{listed}")
    return []


def log_taken_in(wiki: Path, bundle: Bundle, known: set[str]) -> None:
    """Put the bundle's lines into wiki/log.md, but for those about pages that were `known` here."""
    found = (_LINE.fullmatch(line) for line in bundle.log())
    lines = [
        (line[1], line[0])
        for line in found
        if line and (named := NAMED.findall(line[2])) and known.isdisjoint(named)
    ]
    path = wiki / "log.md"
    if not lines or path.is_symlink():
        return
    here = [(f"{line.at:%Y-%m-%dT%H:%M:%SZ}", line) for line in read_log(wiki)]
    before = _text(path)
    if here:
        texts = {f"- {at} · {line.who} · {line.what}": at for at, line in here}
        before = "\n".join(line for line in before.splitlines() if line not in texts)
        lines += [(at, text) for text, at in texts.items()]
    in_order = sorted(dict.fromkeys(lines), key=lambda line: line[0], reverse=True)
    write_atomic(path, render_log([text for _, text in in_order], before))


def may_run(path: str, data: bytes) -> bool:
    """Whether a browser that opens the file could run what is in it."""
    suffix = Path(path).suffix.lower()
    kind = mimetypes.guess_type(f"x{suffix}")[0] or ""
    if suffix == ".svg":
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return True
        dense = re.sub(r"[\x00-\x1f]+", "", re.sub(r"\s*([=:(<])\s*", r"\1", text))
        return bool(_SCRIPTED.search(dense) or _SCRIPTED.search(text))
    return suffix in _RUNS or bool(_TYPES.fullmatch(kind))


def blocked(wiki: Path, path: str, *, made: bool = False) -> bool:
    """Whether a symlink, or a file where a folder would be, stands between `wiki` and `path`.

    Nor may anything lie at `path` itself, unless it may be `made` already.
    """
    place = wiki / path
    between = [parent for parent in place.parents if parent.is_relative_to(wiki) and parent != wiki]
    if any(each.is_symlink() for each in (place, *between)):
        return True
    exists = place.is_dir() if made else place.exists()
    return exists or any(each.exists() and not each.is_dir() for each in between)


def _read(bundle: Bundle, name: str, path: str) -> tuple[bytes, str]:
    """What a file of the bundle holds, and why it may not be taken in."""
    if why := unusable(path):
        return b"", why
    if is_put_away(path):
        return b"", "lies in the archive"
    try:
        data = bundle.files[name]()
    except (SourceError, OSError) as error:
        reason = getattr(error, "reason", "") or getattr(error, "strerror", "") or "unreadable"
        return b"", f"cannot be read ({reason})"
    return data, "could run in a browser" if may_run(path, data) else ""


def _same(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() == data
    except OSError as error:
        raise PageError(str(file), f"cannot be read: {error.strerror or error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise PageError(path.name, f"cannot be read ({error}); mend or move it") from error
