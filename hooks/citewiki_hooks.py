"""What MkDocs calls. All work is done in citewiki.site, which loads other rooms when it must."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_build_datetime

from citewiki.site.opening import open_site

site: Any  # of the build that is running; MkDocs loads this file anew for each


_drifts = lambda *given: import_module("citewiki.query.drift").drift_pairs(*given)  # noqa: E731
_rules = lambda: import_module("citewiki.query.rules").rules()  # noqa: E731


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Read the wiki, as it is or as it held on a day; add templates, style and navigation."""
    global site
    as_of = os.environ.get("CITEWIKI_AS_OF", "")
    viewer = os.environ.get("CITEWIKI_VIEWER", "")  # instead of the one that pyproject.toml names
    is_served = os.environ.get("CITEWIKI_SERVED") == "1"  # set by `citewiki serve`
    now = get_build_datetime()
    site = open_site(config, now, as_of, _drifts, viewer, _rules, is_served=is_served)
    site.configure()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Pages as the viewer may see them, lists, and the files that pages show."""
    return site.files(files)


def on_env(env: Any, config: MkDocsConfig, files: Files) -> None:
    """All pages are rendered: leave out files that none of them shows."""
    site.prepare(env, files)


def on_page_context(context: Any, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
    """Status line, sources, backlinks and the small graph."""
    site.look_at(page)


def on_post_build(config: MkDocsConfig) -> None:
    """Search index, llms.txt, Markdown and JSON beside the HTML."""
    site.finish()


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
    """Settings and sources count as well as pages."""
    site.watch(server.watch)
    return server
