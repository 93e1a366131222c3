"""The files of a built site: kept over MkDocs' cleaning, swept when they are no longer wanted."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

Stamp = tuple[int, int]
"""Size and time of change (ns) of a file."""

_INDEX = "search/search_index.json"
_ASIDE = ".citewiki-kept"  # within the site, as MkDocs leaves hidden entries alone when it cleans


class Outputs:
    """A site's folder, of which most is to stay as an earlier build made it."""

    def __init__(self, site: Path) -> None:
        self.site = site
        self._aside = site / _ASIDE
        self._index = site / ".citewiki-index"
        shutil.rmtree(self._aside, ignore_errors=True)  # of a build that was broken off
        self._index.unlink(missing_ok=True)

    def stamps(self) -> dict[str, Stamp]:
        """Every file by its path within the site; hidden entries at its top are not ours."""
        found: dict[str, Stamp] = {}
        left = [""]
        while left:
            prefix = left.pop()
            with contextlib.suppress(OSError), os.scandir(self.site / prefix) as entries:
                for entry in entries:
                    if not prefix and entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        left.append(f"{prefix}{entry.name}/")
                    else:
                        status = entry.stat(follow_symlinks=False)
                        found[prefix + entry.name] = (status.st_size, status.st_mtime_ns)
        return found

    def set_aside(self) -> None:
        """Put everything where MkDocs does not look."""
        self._aside.mkdir()
        for name in os.listdir(self.site):
            if not name.startswith("."):
                os.rename(self.site / name, self._aside / name)

    def put_back(self) -> None:
        """Put everything where it was, after MkDocs has cleaned the folder."""
        for name in os.listdir(self._aside):
            os.rename(self._aside / name, self.site / name)
        self._aside.rmdir()

    def hide_index(self) -> None:
        """Save the search index from MkDocs' plugin, which writes one that is empty."""
        if (self.site / _INDEX).is_file():
            os.rename(self.site / _INDEX, self._index)

    def show_index(self) -> None:
        """Put the search index back."""
        if self._index.is_file():
            os.replace(self._index, self.site / _INDEX)
