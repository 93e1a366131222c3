"""A folder that an export writes: nobody else's file is ever replaced."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from citewiki.errors import DataError, WriteError
from citewiki.model import Problem
from citewiki.store.files import write_atomic, write_error

LIST = ".citewiki-export.json"
"""What an export wrote into its folder, each file with the hashes that it may have."""

_FORMAT = "citewiki-export"


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    form: str  # "okf" or "json"
    folder: str
    pages: int
    files: int = 0  # pictures and others that the pages show
    written: tuple[str, ...] = ()  # files that are new or changed
    removed: tuple[str, ...] = ()  # files of the last export that this one does not have
    problems: tuple[Problem, ...] = ()  # pages that could not be read, and are not in it


def write_folder(
    folder: Path, files: Mapping[str, str | Path], *, force: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write `files` into a new or empty folder; (written, removed) paths.

    A file is given by its path and its text, or where the one lies that is copied as bytes.

    With `force` the folder may hold an earlier export: what it wrote and nobody has changed since
    is replaced, or removed. Raises DataError before anything is written when a file is in the way.
    A run that was broken off is finished by running it again with `force`.
    """
    before = _listed(folder)
    _refuse_files(folder)
    if not force and folder.is_dir() and any(folder.iterdir()):
        hint = "give a new or empty folder"
        hint += ", or --force to replace what the last export wrote" if before else ""
        raise DataError(str(folder), "is not an empty folder", hint=hint)
    if in_the_way := next(_in_the_way(folder, files, before), ""):
        raise DataError(
            f"{folder}/{in_the_way}",
            "is in the way, and no export wrote it as it is",
            hint="move it, or export to another folder; nothing was written",
        )
    hashes = {path: [_hash(_bytes(given))] for path, given in files.items()}
    both = {
        path: sorted({*before.get(path, ()), *hashes.get(path, ())}) for path in (*before, *hashes)
    }
    write_atomic(folder / LIST, _list(both))
    written = tuple(
        path
        for path, given in sorted(files.items())
        if write_atomic(folder / path, _bytes(given), durable=False)
    )
    removed = tuple(path for path in sorted(before) if path not in files and _remove(folder, path))
    write_atomic(folder / LIST, _list(hashes))
    return written, removed


def _refuse_files(folder: Path) -> None:
    """Raises DataError where `folder` cannot become one, or cannot be looked into."""
    for place in (folder, *folder.parents):
        if place.is_symlink() and not place.exists():
            raise DataError(str(place), "is a link to nowhere", hint="give a new or empty folder")
        if place.exists() and not place.is_dir():
            raise DataError(str(place), "is a file", hint="give a new or empty folder")
    if folder.is_dir() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise WriteError(str(folder), "not allowed to write here", hint="check its rights")


def _in_the_way(
    folder: Path, files: Mapping[str, str | Path], before: Mapping[str, list[str]]
) -> Iterator[str]:
    """Files that would be replaced or removed and that no export wrote; links to elsewhere."""
    for parent in sorted((_folders(files) | _folders(before)) - {"."}):
        place = folder / parent
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            yield parent
    for path in sorted({*files, *before}):
        place = folder / path
        if place.is_symlink() or place.is_dir():
            yield path
        elif place.exists():
            digest = _hash(place.read_bytes())
            mine = path in files and digest == _hash(_bytes(files[path]))
            if not mine and digest not in before.get(path, ()):
                yield path


def _bytes(given: str | Path) -> bytes:
    if isinstance(given, str):
        return given.encode()
    try:
        return given.read_bytes()
    except OSError as error:
        raise DataError(str(given), f"cannot be read: {error.strerror or error}") from error


def _folders(paths: Mapping[str, Any]) -> set[str]:
    return {parent.as_posix() for path in paths for parent in PurePosixPath(path).parents}


def _listed(folder: Path) -> dict[str, list[str]]:
    """What the last export wrote into `folder`; nothing where there was none."""
    try:
        data = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        return {}
    listed = data.get("files")
    return {
        path: [str(each) for each in hashes]
        for path, hashes in (listed.items() if isinstance(listed, dict) else ())
        if isinstance(hashes, list) and _inside(path)
    }


def _inside(path: str) -> bool:
    """Whether `path` can only lie in the folder."""
    parts = path.split("/")
    return "\\" not in path and "\0" not in path and not {"", ".", ".."} & set(parts)


def _list(files: Mapping[str, list[str]]) -> str:
    listed = {path: files[path] for path in sorted(files)}
    return json.dumps({"format": _FORMAT, "files": listed}, ensure_ascii=False, indent=1) + "\n"


def _remove(folder: Path, path: str) -> bool:
    """Take away a file, and the folders that it leaves empty; whether it was there."""
    try:
        (folder / path).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise write_error(folder / path, error) from error
    for parent in (folder / path).parents:
        if parent == folder:
            break
        with contextlib.suppress(OSError):  # one that is not empty
            parent.rmdir()
    return True


def refuse_inside(root: Path, folder: Path) -> None:
    """Raises WriteError where an export would become part of a wiki itself, this or another."""
    place = folder.resolve()
    for each in (root, *(above for above in (place, *place.parents) if _is_wiki(above))):
        for name in ("wiki", "raw", ".citewiki", ".citewiki-private", ".git"):
            if place.is_relative_to((each / name).resolve()) or place == each.resolve():
                what = "the wiki itself" if each == root else "another wiki"
                hint = "export to a folder beside it"
                raise WriteError(str(folder), f"lies in {what}", hint=hint)


def _is_wiki(folder: Path) -> bool:
    try:
        return (folder / "mkdocs.yml").is_file() and (folder / "wiki").is_dir()
    except OSError:  # may not be looked into
        return False


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
