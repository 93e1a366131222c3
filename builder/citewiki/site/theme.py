"""What of the theme's files is listed and published."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from jinja2 import Environment, FileSystemLoader

_UNUSED = re.compile(r"^assets/(?:.*\.map$|javascripts/(?:lunr|workers)/)")


def is_used(path: str) -> bool:
    """Whether anything of ours asks for a file of the theme: not for maps of its sources, nor
    for the languages of its search, as the worker is another. They are three quarters of it.
    """
    return not _UNUSED.match(path)


class _Visible(FileSystemLoader):
    """A theme without hidden folders when it is listed: material keeps 12,000 icons in one."""

    def list_templates(self) -> list[str]:
        """As the files of the theme are asked for, of which MkDocs leaves hidden ones out."""
        found: set[str] = set()
        for top in self.searchpath:
            for folder, folders, names in os.walk(top):
                folders[:] = [name for name in folders if not name.startswith(".")]
                at = os.path.relpath(folder, top).replace(os.sep, "/")
                found.update(name if at == "." else f"{at}/{name}" for name in names)
        return sorted(found)


def templates_of(make: Callable[[], Environment]) -> Environment:
    """The templates that `make` gives, quick to list."""
    made = make()
    made.loader = _Visible(made.loader.searchpath)  # type: ignore[union-attr]
    return made
