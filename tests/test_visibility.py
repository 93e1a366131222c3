"""What a viewer may not see changes nothing that they get, on any surface of the library."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.config import Config, SiteConfig
from citewiki.errors import CitewikiError
from citewiki.model import as_json
from citewiki.query.drift import drift_pairs
from citewiki.site.log import published_log
from citewiki.site.model import build_model
from citewiki.store import lifecycle, sharing
from citewiki.store.catalog import append_log
from citewiki.store.keys import USERS
from citewiki.store.pages import load_pages, parse_page
from citewiki.store.selection import Where
from citewiki.store.visibility import visible
from citewiki.wiki import Wiki
from tests.conftest import NOW, write_files

TITLES = ("Fusion", "Vector store", "fusion", "Index", "Pump", "Fusion pump")
PATHS = ("a.md", "ml/fusion.md", "ml/b.md", "ml/deep/fusion.md", "ops/pump.md", "_archive/ml/b.md")
USERS_OF_IT = ("ann", "bob", "eve")
SENTENCES = (
    "The pump holds 40 litres.",
    "The pump holds 60 litres.",
    "Fusion joins two lists; see [[Fusion]].",
    "The [[Vector store]] keeps vectors, [[pump]] does not.",
    "An index is read by [[ml/fusion]].",
)
VIEWERS = ("bob", "*")

fronts = st.fixed_dictionaries(
    {
        "title": st.sampled_from(TITLES),
        "owner": st.sampled_from(("", *USERS_OF_IT)),
        "shared_with": st.lists(st.sampled_from(("*", *USERS_OF_IT)), max_size=2, unique=True),
        "aliases": st.lists(st.sampled_from(("blend", "Pump", "store")), max_size=1),
        "tags": st.lists(st.sampled_from(("rag", "ops")), max_size=2, unique=True),
        "superseded_by": st.sampled_from(("", "", "fusion", "b", "pump")),
        "slug": st.sampled_from(("", "", "fusion", "pump")),
    }
)
pages = st.tuples(fronts, st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3))
wikis = st.dictionaries(st.sampled_from(PATHS), pages, min_size=2, max_size=5)


def text_of(page: tuple[dict[str, Any], list[str]]) -> str:
    front, sentences = page
    lines = [f"{key}: {value}" for key, value in front.items() if value]
    return "\n".join(("---", *lines, "---", "\n\n".join(sentences), ""))


def surfaces(root: Path, viewer: str) -> Iterator[tuple[str, Any]]:
    """All that the library tells a viewer, by what was asked."""
    wiki = Wiki.open(root, viewer=viewer)
    asked: dict[str, Callable[[], Any]] = {
        "pages": wiki.pages,
        "pages known": lambda: wiki.pages(known_at=NOW),
        "graph": lambda: wiki.graph().edges,
        "users": wiki.users,
        "log": wiki.log,
        "drift": lambda: drift_pairs(wiki.pages()),
        "ask": lambda: without_time(wiki.ask("How many litres does the pump hold?", now=NOW)),
        "query": lambda: wiki.query("What is fusion?", now=NOW),
        "site": lambda: site(root, viewer),
    }
    for words in ("fusion", "pump litres"):
        asked[f"search {words}"] = lambda words=words: wiki.search(words)
    for name in ("Fusion", "blend", "fusoin", "ml/deep/fusion"):
        asked[f"page {name}"] = lambda name=name: wiki.page(name)
    asked["around"] = lambda: wiki.graph("Pump").edges
    asked["list"] = lambda: wiki.list_pages(tag="rag", now=NOW)
    return told(asked)


def deeds(root: Path, viewer: str) -> Iterator[tuple[str, Any]]:
    """What actions would do for a viewer, or why they would not."""
    how = {"viewer": viewer, "now": NOW, "dry_run": True}
    asked: dict[str, Callable[[], Any]] = {}
    for name in (*TITLES, "blend", "fusoin", "ml/fusion", "ml/deep/fusion", "b"):
        for deed in (lifecycle.archive, lifecycle.restore, lifecycle.unsupersede):
            asked[f"{deed.__name__} {name}"] = lambda deed=deed, name=name: deed(
                root, [name], **how
            )
        asked[f"share {name}"] = lambda name=name: sharing.share(root, [name], ["dan"], **how)
    asked["supersede"] = lambda: lifecycle.supersede(root, "Fusion", "Pump", **how)
    asked["delete"] = lambda: lifecycle.delete(root, ["Fusion"], **how)
    asked["by tag"] = lambda: lifecycle.archive(root, where=Where(tag="rag"), **how)
    return told(asked)


def told(asked: dict[str, Callable[[], Any]]) -> Iterator[tuple[str, Any]]:
    """What comes of each question, or its error."""
    for what, ask in asked.items():
        try:
            yield what, as_json(ask())
        except CitewikiError as error:
            yield what, f"{type(error).__name__}: {error}"


def without_time(answer: Any) -> Any:
    told = as_json(answer)
    told.pop("elapsed_ms", None)
    return told


def site(root: Path, viewer: str) -> Any:
    model = build_model(root, Config(site=SiteConfig(viewer=viewer)), NOW)
    return [
        list(model.pages.values()),
        sorted(model.urls.items()),
        model.graph.edges,
        list(model.tags),
        list(model.domains),
        published_log(model).markdown,
    ]


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(wikis, pages, st.sampled_from(PATHS), st.sampled_from(VIEWERS))
def test_a_hidden_page_that_comes_or_goes_changes_nothing_that_a_viewer_gets(
    files, extra, place, viewer
):
    compare(surfaces, files, extra, place, viewer)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(wikis, pages, st.sampled_from(PATHS))
def test_a_hidden_page_that_comes_or_goes_changes_nothing_that_a_user_may_do(files, extra, place):
    compare(deeds, files, extra, place, "bob")


def compare(surfaces, files, extra, place, viewer) -> None:
    """`surfaces` tell the same before a hidden page stands at `place`, meanwhile, and after."""
    front, sentences = extra
    hidden = ({**front, "owner": "eve", "shared_with": ["ann"]}, sentences)
    files = {path: page for path, page in files.items() if path != place}
    assert not visible(parse_page(text_of(hidden), place), viewer)
    with TemporaryDirectory() as folder:
        root = write_files(
            Path(folder),
            {
                "mkdocs.yml": "site_name: T\n",
                USERS: '{"version": 1, "users": []}',
                **{f"wiki/{path}": text_of(page) for path, page in files.items()},
            },
        )
        append_log(root / "wiki", NOW, "op", log_of(root))
        before = dict(surfaces(root, viewer))
        write_files(root, {f"wiki/{place}": text_of(hidden)})
        # by a slug that two pages state nobody could tell of which the log speaks
        with contextlib.suppress(CitewikiError):  # it is put away already
            if not front["slug"]:
                lifecycle.reverify(root, [place], now=NOW + timedelta(minutes=1), why="checked")
        during = dict(surfaces(root, viewer))
        assert during == before
        (root / "wiki" / place).unlink()
        assert dict(surfaces(root, viewer)) == before


def log_of(root: Path) -> list[str]:
    """A line for every page."""
    found, _ = load_pages(root / "wiki", archived=True)
    return [f"verified “{page.title}” ({page.slug}) by human:op: for a reason" for page in found]


def test_each_of_two_owners_of_one_title_means_their_own(make_wiki):
    root = make_wiki(
        {
            "wiki/ml/fusion.md": "---\ntitle: Fusion\nowner: ann\nshared_with: ['*']\n---\nAnn.\n",
            "wiki/ops/deep/f.md": "---\ntitle: Fusion\nowner: bob\nshared_with: [ann]\n---\nBob.\n",
            "wiki/ml/of-bob.md": "---\nowner: bob\nshared_with: ['*']\n---\n[[Fusion]] [[fusion]]\n",
            "wiki/ops/of-ann.md": "---\nowner: ann\nshared_with: ['*']\n---\n[[Fusion]]\n",
            "wiki/ml/of-eve.md": "---\nowner: eve\nshared_with: ['*']\n---\n[[Fusion]]\n",
        }
    )

    def met(viewer: str | None, path: str) -> list[str]:
        graph = Wiki.open(root, viewer=viewer).graph()
        return [edge.target for edge in graph.out[path]]

    mine = {viewer: Wiki.open(root, viewer=viewer).page("Fusion").body for viewer in USERS_OF_IT}
    assert mine == {"ann": "Ann.\n", "bob": "Bob.\n", "eve": "Ann.\n"}
    for viewer in ("bob", "ann", None):
        assert met(viewer, "ml/of-bob.md") == ["ops/deep/f.md"] * 2
        assert met(viewer, "ops/of-ann.md") == ["ml/fusion.md"]
        assert met(viewer, "ml/of-eve.md") == ["ml/fusion.md"]
    assert met("*", "ml/of-bob.md") == ["ml/fusion.md"] * 2
    known = Wiki.open(root, viewer="bob").page("Fusion", known_at=NOW)
    assert known.path == "ops/deep/f.md"
    around = Wiki.open(root, viewer="bob").graph("Fusion")
    assert set(around.pages) == {"ops/deep/f.md", "ml/of-bob.md"}
