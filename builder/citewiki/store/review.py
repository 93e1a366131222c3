"""The review queue: what would be written and waits for a person, one file each.

A file of the queue is removed last, after the page and the manifest are written: a run that was
killed in between leaves the item, and deciding it again changes nothing that was done.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from citewiki.errors import DataError
from citewiki.model import Page, Problem, as_json
from citewiki.store import bases
from citewiki.store.files import write_atomic
from citewiki.store.pages import parse_page

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FOLDER = "review"

ASKED = "drafts go through review"
"""The one reason to wait that says nothing against a draft."""

_ID = re.compile(r"[0-9a-f]{1,12}")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a source that a proposal rests on."""

    quote: str  # verbatim
    source: str  # path of the original, such as raw/paper.pdf
    locator: str = ""  # where in it, for a person


@dataclass(frozen=True, slots=True)
class Item:
    """A page as it would be, and what a person needs to decide on it."""

    id: str  # 12 hex digits, the same for every proposal of this section for this page
    kind: str  # of the proposal: "new", "update", "addition", "contradiction", "supersession"
    slug: str  # of the page that it would write
    title: str
    path: str  # of the page, relative to wiki/
    before_sha256: str  # body of the page that it was made against (`body_sha256`); "": a new page
    page_text: str  # the whole file as it would be; where a person has changed the same, without
    why: str = ""  # what changes, and why
    reasons: tuple[str, ...] = ()  # why it waits
    evidence: tuple[Evidence, ...] = ()
    source: str = ""  # SourceRecord.id
    section: str = ""  # Section.id
    section_sha256: str = ""  # of the section's text
    by: str = ""  # engine or model
    at: datetime | None = None
    person: str = ""  # what a person has made of the places that it would change, too
    after: tuple[str, ...] = ()  # slugs of pages that have to be there first: they take its text

    @property
    def page(self) -> Page:
        """The page as it would be."""
        return parse_page(self.page_text, self.path)


def item_id(source: str, section: str, slug: str) -> str:
    """The id of what is proposed from a section for a page; a newer proposal takes its place."""
    return hashlib.sha256("\0".join((source, section, slug)).encode()).hexdigest()[:12]


def queue(cache: Path, item: Item, before: str = "") -> None:
    """Put an item into the queue, in place of an older one of its id.

    `before` is the body of the page that it was made against: with it the item can still be
    merged once that page has changed.
    """
    if before:
        bases.keep(cache, before)
    text = json.dumps(as_json(item), ensure_ascii=False, indent=1) + "\n"
    write_atomic(_path(cache, item.id), text)


def items(cache: Path) -> list[Item]:
    """What waits, the oldest first; files that cannot be read are left out (see `unreadable`)."""
    found = (_read(path) for path in _paths(cache))
    return sorted(
        (item for item in found if isinstance(item, Item)),
        key=lambda item: (item.at.isoformat() if item.at else "", item.path, item.id),
    )


def unreadable(cache: Path) -> list[Problem]:
    """A problem for each file of the queue that holds no item."""
    found = (_read(path) for path in _paths(cache))
    return [problem for problem in found if isinstance(problem, Problem)]


def item(cache: Path, name: str) -> Item:
    """The item of that id, or of the one id that starts so. Raises DataError."""
    hint = "list them: citewiki review"
    paths = [path for path in _paths(cache) if path.stem.startswith(name.lower())]
    if not _ID.fullmatch(name.lower()) or not paths:
        raise DataError(FOLDER, f"nothing that waits is called “{name}”", hint=hint)
    if len(paths) > 1:
        raise DataError(
            FOLDER, f"“{name}” is the start of {len(paths)} ids", hint="write more of it"
        )
    found = _read(paths[0])
    if isinstance(found, Problem):
        raise DataError(found.path, found.message)
    return found


def remove(cache: Path, id: str) -> None:
    """Take an item out of the queue; nothing when it is not there."""
    _path(cache, id).unlink(missing_ok=True)


def _paths(cache: Path) -> list[Path]:
    return sorted(path for path in (cache / FOLDER).glob("*.json") if _ID.fullmatch(path.stem))


def _path(cache: Path, id: str) -> Path:
    if not _ID.fullmatch(id):
        raise ValueError(f"“{id}” is no id of the review queue")
    return cache / FOLDER / f"{id}.json"


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Item]:
    from pydantic import TypeAdapter

    return TypeAdapter(Item)


def _read(path: Path) -> Item | Problem:
    from pydantic import ValidationError

    try:
        found = _adapter().validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        message = f"is no item of the review queue ({reason}); remove it and compile again"
        return Problem(f"{FOLDER}/{path.name}", message, 0, "error", "review")
    if found.id != path.stem:
        message = f"holds the item {found.id}; rename or remove it"
        return Problem(f"{FOLDER}/{path.name}", message, 0, "error", "review")
    return found
