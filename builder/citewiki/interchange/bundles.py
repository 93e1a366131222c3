"""Bundles as they come in: a folder or a zip of pages, opened with bounds and read as text.

What a bundle holds is a stranger's: nothing in it names a place outside of it, no link is
followed, and no more is read than `sources.archive` allows of a zip.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from citewiki.errors import DataError, SourceError
from citewiki.interchange import json_pages, okf
from citewiki.interchange.beside import LARGEST_FILE
from citewiki.interchange.links import wikilinks_for
from citewiki.markdown import frontmatter
from citewiki.model import Problem
from citewiki.sources.archive import LARGEST_MEMBER, LARGEST_TOTAL, MOST_MEMBERS, Archive, is_zip
from citewiki.store.paths import RESERVED, is_text
from citewiki.text.folding import nfc

Form = Literal["okf", "json"]

LARGEST_ZIP = 512 << 20
"""Bytes of a zip that is opened."""

LARGEST_PAGE = 4 << 20
"""Bytes of one page's file; a book has about one."""

LONGEST_PATH = 400
_NO_NAME = re.compile(r"[\x00-\x1f\x7f\\]")
_NO_PATH = "its path is none that a page may have"
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Incoming:
    """A page of a bundle as the wiki would have it."""

    path: str  # relative to wiki/
    text: str
    ours: bool  # whether an export of this program wrote it


@dataclass(frozen=True)
class Bundle:
    """A folder or zip that holds pages: its files by name, each read when asked for."""

    name: str  # as the user gave it
    form: Form
    files: dict[str, Callable[[], bytes]]
    problems: tuple[Problem, ...] = ()  # what of it was left out already

    def pages(self) -> Iterator[Incoming | Problem]:
        """Its pages by name, and a line for each file that is none or cannot be used."""
        yield from self.problems
        if self.form == "json":
            yield from self._json_pages()
        else:
            yield from self._concepts()

    def others(self) -> dict[str, str]:
        """Its files that are neither pages nor lists, which pages may show: path → name here."""
        if self.form == "json":
            start = json_pages.FILES
            return {name.removeprefix(start): name for name in self.files if name.startswith(start)}
        return {name: name for name in self.files if not name.endswith(".md")}

    def words(self) -> str:
        """What people wrote on the home page of the wiki that this was exported from; "": none."""
        if self.form == "okf":
            return okf.read_words(_peek(self.files[okf.INDEX]))
        words = self._index().get("words")
        return words if isinstance(words, str) else ""

    def log(self) -> list[str]:
        """What may be lines of that wiki's log, as it had them."""
        if self.form == "okf":
            told = _peek(self.files[okf.LOG]).splitlines() if okf.LOG in self.files else []
            return [f"- {line[2:]}" for line in told if line.startswith(("* ", "- "))]
        lines = self._index().get("log")
        return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []

    def left(self, name: str, why: str) -> Problem:
        """A line for the file called `name`, which is left out."""
        return Problem(f"{self.name}/{_shown(name)}", why, 0, "warning", "bundle")

    def _index(self) -> dict[str, Any]:
        try:
            data = json.loads(_peek(self.files[json_pages.INDEX]))
        except (ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}

    def _concepts(self) -> Iterator[Incoming | Problem]:
        concepts = [name for name in self.files if _is_concept(name)]
        for name in sorted(concepts):
            text = self._text(name)
            if isinstance(text, Problem):
                yield text
                continue
            concept = okf.read(text)
            if concept.ours:
                yield self._checked(name, concept.path or name, concept.text, ours=True)
                continue
            page, missing = _of_others(text, name, concepts)
            if missing:
                yield self.left(name, missing)
            yield self._checked(name, name, page, ours=False)

    def _json_pages(self) -> Iterator[Incoming | Problem]:
        lists = (json_pages.INDEX, json_pages.BACKLINKS, json_pages.SCHEMA)
        for name in sorted(self.files):
            if name in lists or name.startswith(json_pages.FILES):
                continue
            if not name.endswith(".json"):
                yield self.left(name, "is no page (a .json file), so it is left out")
                continue
            text = self._text(name)
            if isinstance(text, Problem):
                yield text
                continue
            try:
                data = json.loads(text)
                path, page = json_pages.read(data, name)
            except DataError as error:
                yield self.left(name, f"{error.reason}, so it is left out")
            except (ValueError, RecursionError):
                yield self.left(name, "is not JSON, so it is left out")
            else:
                yield self._checked(name, path, page, ours="front_matter" in data)

    def _checked(self, name: str, path: str, text: str, *, ours: bool) -> Incoming | Problem:
        if why := unusable(path) or ("" if path.endswith(".md") else _NO_PATH):
            return self.left(name, f"{why}, so it is left out")
        try:
            text.encode()
        except UnicodeEncodeError:
            return self.left(name, "holds half characters, so it is left out")
        return Incoming(nfc(path) if not ours else path, text, ours)

    def _text(self, name: str) -> str | Problem:
        try:
            return self.files[name]().decode("utf-8")
        except UnicodeDecodeError:
            return self.left(name, "is not UTF-8 text, so it is left out")
        except (SourceError, OSError) as error:
            why = getattr(error, "reason", "") or getattr(error, "strerror", "") or "unreadable"
            return self.left(name, f"cannot be read ({why})")


def open_bundle(path: Path) -> Bundle | None:
    """The bundle at `path`, a folder or a zip; None when it is something else.

    A JSON export is told by its two lists. A bundle of the Open Knowledge Format declares its
    version in its index.md; one that does not has an index.md, and a type in every concept.
    Raises SourceError for a zip that cannot be opened.
    """
    opened = _folder(path) if path.is_dir() else _zip(path)
    if opened is None:
        return None
    files, problems = opened
    form = _form(files)
    return Bundle(str(path), form, files, tuple(problems)) if form else None


def _form(files: dict[str, Callable[[], bytes]]) -> Form | None:
    if json_pages.INDEX in files and json_pages.BACKLINKS in files:
        return "json"
    if okf.INDEX not in files:
        return None
    block = frontmatter.split(_peek(files[okf.INDEX]))[0]
    if block is not None:
        return "okf" if "okf_version" in frontmatter.parse(block) else None
    concepts = [name for name in files if _is_concept(name)]
    typed = all(_has_type(_peek(files[name])) for name in concepts)
    return "okf" if concepts and typed else None


def _folder(path: Path) -> tuple[dict[str, Callable[[], bytes]], list[Problem]] | None:
    """The files under a folder by name; None when no list tells that it may be a bundle."""
    if not any((path / name).is_file() for name in (okf.INDEX, json_pages.INDEX)):
        return None
    files: dict[str, Callable[[], bytes]] = {}
    problems: list[Problem] = []
    left, total = [("", 0)], 0
    while left:
        prefix, depth = left.pop()
        for entry in sorted(os.scandir(path / prefix), key=lambda entry: entry.name):
            name = prefix + entry.name
            if entry.name.startswith("."):
                continue
            why = "is a link" if entry.is_symlink() else ""
            why = why or ("" if is_text(name) else "has a name that is not UTF-8")
            if not why and entry.is_dir(follow_symlinks=False):
                if depth < _DEEPEST:
                    left.append((f"{name}/", depth + 1))
                    continue
                why = "lies too deep"
            if not why and not entry.is_file(follow_symlinks=False):
                why = "is no file"
            size = 0 if why else entry.stat(follow_symlinks=False).st_size
            if not why:
                total += size if _is_text(name) else 0
                limits = (size > _largest(name), total > LARGEST_TOTAL, len(files) >= MOST_MEMBERS)
                why = "is too large, or one too many" if any(limits) else ""
            if why:
                message = f"{why}, so it is left out"
                problems.append(Problem(f"{path}/{_shown(name)}", message, 0, "warning", "bundle"))
            else:
                files[name] = (path / name).read_bytes
    return files, problems


def _zip(path: Path) -> tuple[dict[str, Callable[[], bytes]], list[Problem]] | None:
    """The members of a zip by name, without the one folder that may hold them all."""
    try:
        with path.open("rb") as file:
            if not is_zip(file.read(4)):
                return None
        if path.stat().st_size > LARGEST_ZIP:
            raise SourceError(str(path), "is too large to be a bundle")
        archive = Archive(path.read_bytes(), str(path))
    except OSError:  # said where it is read as a source
        return None
    names = {name: name for name in archive.names if not _is_hidden(name)}
    if sum(archive.size(name) for name in names if _is_text(name)) > LARGEST_TOTAL:
        raise SourceError(str(path), "the zip is too large unpacked")
    lists = (okf.INDEX, json_pages.INDEX)
    tops = {name.partition("/")[0] for name in names}
    if len(tops) == 1 and not any(name in names for name in lists):
        names = {name.partition("/")[2]: whole for name, whole in names.items() if "/" in name}
    if not any(name in names for name in lists):
        return None
    problems: list[Problem] = []
    files: dict[str, Callable[[], bytes]] = {}
    for name, whole in names.items():
        if archive.size(whole) > _largest(name):
            message = "is too large, so it is left out"
            problems.append(Problem(f"{path}/{_shown(name)}", message, 0, "warning", "bundle"))
        else:
            files[name] = _Member(archive, whole)
    return files, problems


@dataclass(frozen=True, slots=True)
class _Member:
    """One file of a zip. It may be read again: what all of them hold together is bounded."""

    archive: Archive
    name: str

    def __call__(self) -> bytes:
        data = self.archive.read(self.name)
        self.archive.budget.left += len(data)
        return data


def _of_others(text: str, name: str, concepts: list[str]) -> tuple[str, str]:
    """A page from another program's concept, and what it lacked ("": nothing).

    Its keys stay; beside them stand those by which this wiki knows them (4.1, 13.1).
    """
    block, body, _ = frontmatter.split(text)
    front = frontmatter.parse(block or "")
    changes: dict[str, object] = {}
    lacks = ""
    if not front.get("type"):
        changes["type"] = "concept"
        lacks = "has no type, so it is taken for a concept"
    description = front.get("description")
    if isinstance(description, str) and front.get("summary") is None:
        changes["summary"] = " ".join(description.split())
    front = frontmatter.update(front, changes)
    newline = "\r\n" if "\r\n" in (block or "") else "\n"
    rendered = frontmatter.render(front).rstrip("\r\n")
    linked = wikilinks_for(body, name, concepts)
    return f"---{newline}{rendered}{newline}---{newline}{linked}", lacks


def _is_text(name: str) -> bool:
    """Whether a file is read as a page, or as a list of them."""
    return name.endswith((".md", ".json"))


def _largest(name: str) -> int:
    return LARGEST_PAGE if name.endswith(".md") else LARGEST_FILE


def _is_concept(name: str) -> bool:
    return name.endswith(".md") and not _is_reserved(name)


def _is_reserved(name: str) -> bool:
    return name.rpartition("/")[2] in okf.RESERVED


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def unusable(path: str) -> str:
    """Why no page or file may lie at `path`; "": one may."""
    parts = path.split("/")
    if _NO_NAME.search(path) or any(not part or part.startswith(".") for part in parts):
        return _NO_PATH
    if path in RESERVED or len(path.encode("utf-8", "replace")) > LONGEST_PATH:
        return _NO_PATH
    if len(parts) > _DEEPEST or any(len(part.encode("utf-8", "replace")) > 250 for part in parts):
        return "its path is too long"
    return ""


def _has_type(text: str) -> bool:
    block = frontmatter.split(text)[0]
    return block is not None and bool(frontmatter.parse(block).get("type"))


def _peek(read: Callable[[], bytes]) -> str:
    """What a file says, or nothing when it cannot be read."""
    try:
        return read()[:LARGEST_MEMBER].decode("utf-8", "replace")
    except (SourceError, OSError):
        return ""


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8", "replace")
