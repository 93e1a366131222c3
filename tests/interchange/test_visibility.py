"""Whatever is hidden: an export is the same as if it had never been there."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.interchange import json_pages, okf
from citewiki.interchange.copies import copies
from citewiki.query.times import as_seen
from citewiki.store.pages import parse_page
from citewiki.store.visibility import visible
from tests.conftest import write_files

PEOPLE = ("ann", "bob", "*")
PATHS = ("a.md", "ml/a.md", "ml/b.md", "ml/b-2.md", "x/index.md", "_archive/ml/c.md")
NAMES = st.sampled_from(["a", "ml/a", "b", "index", "Title", "c", "nowhere"])


@st.composite
def page_files(draw: st.DrawFn) -> str:
    """A page's file with any owner, readers and pointers at other pages."""
    owner = draw(st.sampled_from(["", *PEOPLE[:2]]))
    readers = draw(st.lists(st.sampled_from(PEOPLE), max_size=2, unique=True))
    title = draw(st.sampled_from(["Title", "Other", "A", "b"]))
    names = [draw(NAMES) for _ in range(5)]
    return (
        f"---\ntitle: {title}\nowner: {owner}\nshared_with: {readers!r}\n"
        f"aliases: [{names[0]}]\nsuperseded_by: {names[1]}\nsupersedes: [{names[2]}]\n"
        f"scopes: [{{beside: {names[3]}, note: n}}]\nmine: '[[{names[4]}]]'\n"
        f"ingested_at: 2026-01-0{draw(st.integers(1, 9))}\n---\n"
        f"[[{names[1]}]] [[{names[2]}|words]] ![[{names[3]}]] [[{names[4]}#x]]\n"
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(page_files(), min_size=len(PATHS), max_size=len(PATHS)), st.sampled_from(PEOPLE))
def test_an_export_is_as_if_hidden_pages_had_never_been(texts: list[str], viewer: str) -> None:
    files = dict(zip(PATHS, texts, strict=True))
    seen = {
        path: text
        for path, text in files.items()
        if visible(parse_page(text, path), viewer)
        and (not path.startswith("_archive") or parse_page(text, path).owner == viewer)
    }
    with tempfile.TemporaryDirectory() as folder:
        assert _exports(Path(folder) / "all", files, viewer) == _exports(
            Path(folder) / "seen", seen, viewer
        )


def _exports(wiki: Path, files: dict[str, str], viewer: str) -> list[dict[str, str | Path]]:
    write_files(wiki, dict(files))
    wiki.mkdir(exist_ok=True)
    made, problems, _ = copies(
        wiki, viewer, archived=True, seen=lambda pages: as_seen(pages, None, None)
    )
    assert problems == []
    return [okf.bundle(made), json_pages.files(made)]
