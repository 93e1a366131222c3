"""A wiki into a folder: pages as one viewer may have them, in one of two forms."""

from __future__ import annotations

from pathlib import Path

from citewiki.errors import DataError
from citewiki.interchange import json_pages, okf
from citewiki.interchange.beside import beside
from citewiki.interchange.copies import Seen, copies
from citewiki.interchange.folder import Exported, refuse_inside, write_folder
from citewiki.model import Viewer
from citewiki.store.decay import DAYS

FORMS = ("okf", "json")


def export(
    root: Path,
    form: str,
    folder: Path,
    *,
    viewer: Viewer = None,
    archived: bool = False,
    seen: Seen | None = None,
    then: bool = False,
    dated: bool = False,
    force: bool = False,
    days: int = DAYS,
) -> Exported:
    """Write the pages of the wiki at `root` into `folder`: see `copies` and `write_folder`.

    With them go the files that they show and, unless it is `dated` by a time asked for, what has no
    date: see `beside`. The same pages give the same files, byte for byte.
    """
    if form not in FORMS:
        raise DataError(form, "is no form of an export", hint=f"use {' or '.join(FORMS)}")
    refuse_inside(root, folder)
    wiki = root / "wiki"
    pages, problems, named = copies(wiki, viewer, archived=archived, seen=seen, then=then)
    more = beside(wiki, viewer, pages, named, now=not dated)
    files = okf.bundle(pages, more, days=days) if form == "okf" else json_pages.files(pages, more)
    written, removed = write_folder(folder, files, force=force)
    told = (*problems, *more.problems)
    return Exported(form, str(folder), len(pages), len(more.files), written, removed, told)
