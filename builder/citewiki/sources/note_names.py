"""The names by which notes link one another: a page has to answer to the name of its file.

Notes are linked by file name, while a page is called by its title, and a note that is cut at its
headings becomes several pages: the first of them goes by all names of the note.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath

from citewiki.model import Source
from citewiki.sources.about import readable_title
from citewiki.sources.export_kinds import NOTION_ID
from citewiki.text.folding import name_key
from citewiki.text.slugs import slugify

_POST = re.compile(r"\d{4}-\d\d-\d\d-")  # blog posts: linked by address, never by file name


def named(source: Source, name: str) -> Source:
    """The source with the names of its file `name` as aliases of the first section with text."""
    stem = NOTION_ID.sub("", PurePosixPath(name.replace("\\", "/")).stem).strip()
    cut = len(source.sections) > 1
    names = [source.title, *source.aliases] if cut else []
    if any(map(str.isalpha, readable_title(stem))) and not _POST.match(stem):
        names.append(stem)
    place = next((n for n, part in enumerate(source.sections) if part.status == "pending"), -1)
    if place < 0:
        return source
    first = source.sections[place]
    title = first.title if cut and first.title else source.title
    known = {name_key(title), slugify(title)}
    given = {name_key(alias): alias for alias in names if name_key(alias) not in known}
    if not given:
        return source
    first = replace(first, aliases=(*first.aliases, *given.values()))
    sections = (*source.sections[:place], first, *source.sections[place + 1 :])
    return replace(source, sections=sections)
