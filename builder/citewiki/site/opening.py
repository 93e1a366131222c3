"""How a build begins: with a look at the last one, which may leave nothing to do.

Whatever renders pages is imported only when there are some to render.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mkdocs
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from citewiki.config import Config, load_config
from citewiki.errors import CitewikiError
from citewiki.site.cache import config_files, digest, named
from citewiki.site.incremental import FindDrifts, Incremental

if TYPE_CHECKING:
    from citewiki.site.integration import Site

_GARBAGE = 20_000
"""Objects after which Python looks for cycles. At its usual 700 that is a fifteenth of all time, as
nearly all that a build makes stays to its end (bench/site.py)."""

log = logging.getLogger("mkdocs.citewiki")


def open_site(
    config: MkDocsConfig,
    now: datetime,
    as_of: str = "",
    find_drifts: FindDrifts = lambda *_: (),
    viewer: str = "",
    rules: Callable[[], Mapping[str, Any]] | None = None,
    *,
    is_served: bool = False,
) -> Site | Settled:
    """The build of the site that `config` describes.

    `as_of` names the moment of a snapshot; "" is the wiki as it is. `find_drifts` tells which of
    some pages disagree: it is handed in, as the rooms that can tell are none of this one's.
    `rules` gives what the Ask page knows of questions, from another room too; None: there is none.
    `viewer` is on whose behalf it is built; "": whom the settings name. `is_served`: as `citewiki
    serve` wants it, where several people write the pages that others log in to read.
    """
    wiki = Path(config.docs_dir)
    # Within the hour all stays the same; its end, so that what has just been taken in is there.
    now = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    try:
        settings = load_config(wiki.parent)
        if viewer:
            settings = replace(settings, site=replace(settings.site, viewer=viewer))
        last = _last_build(config, settings, now, as_of, is_served=is_served)
        if last.is_settled:
            return Settled(config, last)

        from citewiki.site.integration import Site

        gc.freeze()  # what is loaded stays
        gc.set_threshold(_GARBAGE, 20, 50)
        return Site(config, settings, now, last, as_of, find_drifts, rules, is_served=is_served)
    except CitewikiError as error:
        raise PluginError(str(error)) from error


def _last_build(
    config: MkDocsConfig, settings: Config, now: datetime, as_of: str, *, is_served: bool
) -> Incremental:
    wiki, theme = Path(config.docs_dir), config.theme
    files = config_files(config.config_file_path)
    told = (
        mkdocs.__version__, settings, now, as_of, is_served, config.site_url,
        theme.name, theme.custom_dir, named(files),
    )  # fmt: skip
    trees = [Path(__file__).parents[1], *files]
    hooks: Any = config.hooks  # modules by name
    trees += [Path(str(hook.__file__)) for hook in hooks.values()]
    trees += [Path(folder, "base.html") for folder in theme.dirs]
    trees += [Path(theme.custom_dir)] if theme.custom_dir else []
    viewer, site = str(settings.site.viewer), Path(config.site_dir)
    return Incremental(wiki.parent, wiki, site, viewer, as_of, digest(told, trees))


class Settled:
    """A build of which nothing is to be done, as nothing has changed since the last."""

    def __init__(self, config: MkDocsConfig, last: Incremental) -> None:
        self.config, self.last = config, last
        for _, words in last.problems:
            log.warning(words)

    def configure(self) -> None:
        """Save the site from MkDocs, which cleans its folder."""
        self.config.nav = []
        self.last.outputs.set_aside()

    def files(self, found: Files) -> Files:
        """None."""
        self.config.theme.static_templates.clear()
        self.config.extra_templates = []
        self.last.outputs.put_back()
        self.last.outputs.hide_index()
        return Files([])

    def prepare(self, templates: Any, files: Files) -> None:
        """There is nothing to prepare."""

    def look_at(self, page: Any) -> None:
        """There is no page."""

    def finish(self) -> None:
        """Put back what the search plugin has written over."""
        self.last.outputs.show_index()

    def watch(self, watch: Callable[[str], None]) -> None:
        """Hand on what `mkdocs serve` has to watch beside wiki/ and mkdocs.yml."""
        watched(Path(self.config.docs_dir).parent, watch)


def watched(root: Path, watch: Callable[[str], None]) -> None:
    """Hand the files to `watch` on which the site of the wiki at `root` depends as well."""
    for path in (root / "pyproject.toml", root / "raw" / "manifest.jsonl"):
        if path.exists():
            watch(str(path))


class AlwaysModified(File):
    """A page's file. Which pages are made is our own to say, also to `mkdocs build --dirty`."""

    def is_modified(self) -> bool:
        """Whether the page is to be made anew."""
        return True
