"""Texts that somebody hands in: sources and pages of theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citewiki.config import load_config
from citewiki.distill.compile import compile_sources
from citewiki.distill.deciding import accept
from citewiki.distill.ingest import register
from citewiki.errors import DataError
from citewiki.sources.manifest import load_manifest
from citewiki.store.catalog import render_index
from citewiki.store.files import lock
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki, write_files
from tests.distill.models import faithful, model
from tests.writers import LATER, TEXT, files, opened, saved


def test_a_text_becomes_a_source_and_pages_of_its_user(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    done = opened(root).ingest_text(TEXT, title="Storage", now=NOW)
    assert (done.source_id, done.path) == ("storage~bob", "raw/users/bob/storage.md")
    assert done.pages == done.made == ("cache-tiers~bob", "ledger-store~bob")
    found = opened(root).page("Ledger store")
    assert (found.owner, found.shared_with, found.domain) == ("bob", (), "notes")
    assert found.sources[0].resource == done.path
    assert "[[Cache tiers]]" in found.body
    assert [page.title for page in opened(root, "*").pages()] == []
    listed = render_index(load_pages(root / "wiki")[0], (root / "wiki/index.md").read_text())
    assert (root / "wiki/index.md").read_text() == listed


def test_the_same_text_again_is_known(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    first = opened(root).ingest_text(TEXT, title="Storage", now=NOW)
    before = {**files(root), **files(root, "raw")}
    again = opened(root).ingest_text(TEXT, title="Storage", now=LATER)
    assert again == replace(first, made=(), known=True)
    assert {**files(root), **files(root, "raw")} == before


def test_a_text_of_the_same_name_is_its_next_version(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    opened(root).ingest_text(TEXT, title="Storage", now=NOW)
    done = opened(root).ingest_text(TEXT.replace("4 days", "5 days"), title="Storage", now=LATER)
    assert (done.path, done.made) == ("raw/users/bob/storage.v2.md", ())
    assert "5 days" in opened(root).page("Ledger store").body


def test_drafts_of_a_text_wait_for_review(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    done = opened(root).ingest_text(TEXT, title="Storage", review=True, now=NOW)
    assert (done.pages, len(done.drafts)) == ((), 2)
    config = load_config(root)
    accept(root, root / ".citewiki", done.drafts, config, now=LATER, who="ann")
    assert {page.owner for page in opened(root).pages()} == {"bob"}
    assert opened(root, "*").pages() == []


def test_private_things_in_a_text_are_masked(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    text = "# Access\n\nWrite to jane.roe@initech.com, she keeps the keys of the store."
    opened(root).ingest_text(text, now=NOW)
    assert "jane.roe" not in opened(root).page("Access").body


def test_the_operators_compile_leaves_users_sources_alone(make_wiki: MakeWiki) -> None:
    root = make_wiki({"raw/users/alice/loose.md": "# Loose\n\nWords that nobody else may read."})
    opened(root).ingest_text(TEXT, title="Storage", review=True, now=NOW)
    before = files(root)
    cache, config = root / ".citewiki", load_config(root)
    with lock(cache):
        found = register(root, load_manifest(root), NOW)
        compile_sources(root, config, now=NOW, version="1", cache=cache)
    assert [problem.path for problem in found.problems] == ["raw/users/alice/loose.md"]
    assert {path for path in files(root) if path not in before} <= {"wiki/index.md"}
    assert list(load_manifest(root)) == ["storage~bob"]
    with pytest.raises(DataError, match="belongs to bob"):
        compile_sources(root, config, now=NOW, version="1", only=["storage~bob"], cache=cache)


class Cancelled(Exception):
    """The one who waits does not wait any longer."""


def _cancelling(after: int) -> Callable[[int, int, str], None]:
    def report(done: int, total: int, what: str) -> None:
        if done >= after:
            raise Cancelled

    return report


LONG = "# Long\n\n" + "".join(
    f"## Part {number}\n\nPart {number} of it keeps {number + 20} entries.\n\n"
    for number in range(8)
)


@pytest.mark.parametrize("by", ["the built-in engine", "a model"])
def test_a_text_that_is_cancelled_goes_on_where_it_was(tmp_path: Path, by: str) -> None:
    engine = {"a model": model(lint=None)}.get(by)
    calm, root = (write_files(tmp_path / name, {"mkdocs.yml": ""}) for name in ("calm", "root"))
    for each in (calm, root):
        (each / "wiki").mkdir()
        (each / "raw").mkdir()
    whole = opened(calm).ingest_text(LONG, now=NOW, engine=engine)
    with pytest.raises(Cancelled):
        opened(root).ingest_text(LONG, now=NOW, engine=engine, report=_cancelling(3))
    made = [page.title for page in opened(root).pages()]
    assert 3 <= len(made) < len(whole.pages)
    assert (root / "wiki/index.md").exists()
    done = opened(root).ingest_text(LONG, now=NOW, engine=engine)
    assert set(done.pages) == set(whole.pages)
    assert files(root).keys() == files(calm).keys()
    for path in files(calm):
        if path.startswith("wiki/notes"):
            assert (root / path).read_bytes() == (calm / path).read_bytes()


def test_others_write_while_a_model_thinks(make_wiki: MakeWiki) -> None:
    root = make_wiki({})

    def script(request: Any) -> str:
        if request.role == "distill":
            assert saved(root, "Meanwhile", "Words.", "carol").slug == "meanwhile~carol"
        return faithful(request)

    from citewiki.llm.scripted import ScriptedEngine

    done = opened(root).ingest_text(
        "# Cache\n\nIt keeps 12.", now=NOW, engine=ScriptedEngine(script)
    )
    assert done.pages == ("cache~bob",)
    assert {page.title for page in load_pages(root / "wiki")[0]} == {"Cache", "Meanwhile"}
    assert "meanwhile~carol" in (root / "wiki/index.md").read_text()
