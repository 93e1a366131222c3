"""Keys, tokens and passwords in files that are about to be published."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from citewiki.model import Problem
from citewiki.sources.finding import NAMES, Finding, disjoint
from citewiki.sources.secrets import find_secrets

SURE = 0.9
"""From this confidence on a secret has a maker's mark or a place that only a secret has; below it
stands a cue word ("password: …"), which a page about passwords has as well."""
MOST_BYTES = 4_000_000  # of a file that is looked at; larger ones are data, not text

_FOLDERS = ("wiki", "docs", "hooks", "skills", ".github", ".vscode", ".cursor")
_AT_THE_TOP = re.compile(r"[^/]+\.(?:md|ya?ml|toml|json|txt)|[A-Z]+")  # README, LICENSE, .mcp.json
_SHOWN = 4  # characters of a secret by which its finder knows it; of a password none
_OWN = "cw_"  # as store/users.py makes them
_EXAMPLE = re.compile(r"example|sample|dummy|placeholder|redacted", re.IGNORECASE)


def is_published(path: str, *, publish_raw: bool) -> bool:
    """Whether the file at `path`, relative to the wiki's root, goes out with the wiki."""
    folder, slash, _ = path.partition("/")
    if not slash:
        return bool(_AT_THE_TOP.fullmatch(path))
    return folder in _FOLDERS or (publish_raw and folder == "raw")


def published_files(root: Path, *, publish_raw: bool) -> Iterator[str]:
    """Paths, relative to `root`, of the files that go out with the wiki, sorted."""
    with os.scandir(root) as entries:
        top = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    for name, is_folder in top:
        if not is_folder:
            if is_published(name, publish_raw=publish_raw):
                yield name
        elif is_published(f"{name}/", publish_raw=publish_raw):
            for folder, folders, names in os.walk(root / name):
                folders.sort()
                inside = Path(folder).relative_to(root).as_posix()
                yield from (f"{inside}/{each}" for each in sorted(names))


def leaks_in(root: Path, *, publish_raw: bool) -> Iterator[Problem]:
    """What `leaks` finds in the files below `root` that go out with the wiki."""
    for path in published_files(root, publish_raw=publish_raw):
        file = root / path
        try:
            if file.is_file() and file.stat().st_size <= MOST_BYTES:
                yield from leaks(path, file.read_bytes())
        except OSError:  # gone, or not to be read: then it is not published either
            continue


def leaks(path: str, data: bytes, *, own: bool = False) -> Iterator[Problem]:
    """The secrets in a file: errors where they are sure, else warnings. None is shown whole.

    With `own` only tokens of this program, which belong into no file at all.
    """
    if b"\0" in data[:8000] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return  # no text
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if utf16 else "utf-8-sig", errors="replace")
    for found in disjoint(find_secrets(text)):
        secret = text[found.start : found.end]
        if _EXAMPLE.search(secret) or (own and not secret.startswith(_OWN)):
            continue
        line = text.count("\n", 0, found.start) + 1
        sure = found.confidence >= SURE
        message = f"holds a {NAMES[found.kind]} ({_hint(found, secret)}); " + (
            "take it out, and have it revoked where it was made"
            if sure
            else "take it out if it is one"
        )
        yield Problem(path, message, line, "error" if sure else "warning", "secret")


def _hint(found: Finding, secret: str) -> str:
    """What tells its owner which secret it is, and nobody else anything."""
    if found.kind != "key" or len(secret) < 5 * _SHOWN or secret.startswith("-----"):
        return f"{len(secret)} characters"
    return f"{secret[:_SHOWN]}…, {len(secret)} characters"
