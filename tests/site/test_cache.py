"""A build that makes use of the last one, against one that starts from nothing."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import write_files

REPOSITORY = Path(__file__).parents[2]
NOON = 1_800_000_000  # a moment at which builds take place, seconds since 1970
DAY = 86_400

FILES: dict[str, str | bytes] = {
    "wiki/index.md": "# Home\n\nWhat this wiki is.\n",
    "wiki/log.md": "# Log\n",
    "wiki/one/alpha.md": "---\ntitle: Alpha\ntags: [x]\n---\nAlpha links [[Beta]], [[Gamma#^use]] and [[Gamma#Use]].\n\n"
    "![[Delta]]\n\n## Part\n\nThe tower of Alpha is 30 metres high.\n\n![[map.png]]\n",
    "wiki/one/beta.md": "---\ntitle: Beta\naliases: [Second]\nsummary: The second.\n---\n"
    "Beta is plain.\n\n" + "It goes on, and says what nobody asked. " * 12 + "\n",
    "wiki/one/gamma.md": "---\ntitle: Gamma\n---\n# Gamma\n\n## Use\n\nSee [[Alpha]], [[Nothing]].\n",
    "wiki/two/delta.md": "---\ntitle: Delta\nsources:\n  - {id: s, resource: raw/s.md}\n---\n"
    'Delta is embedded.[^s.1]\n\n[^s.1]: raw/s.md: "Delta is embedded."\n',
    "wiki/two/epsilon.md": "---\ntitle: Epsilon\nowner: alice\nshared_with: ['*']\n"
    "last_verified_at: 2026-01-01\nvalid_until: 2027-01-20\n---\nEpsilon ends. See [[Beta|it]].\n",
    "wiki/two/hidden.md": "---\ntitle: Hidden\nowner: bob\nshared_with: []\n---\nOnly [[Alpha]].\n",
    "wiki/one/map.png": b"\x89PNG\r\n\x1a\n",
    "raw/s.md": "# S\n\nDelta is embedded.\n",
    "raw/manifest.jsonl": '{"path": "raw/s.md", "id": "s", "title": "Source S", "sections": []}\n',
}


class Wiki:
    """A wiki whose site is built again and again."""

    first: dict[str, bytes]  # files of the site before any edit

    def __init__(self, root: Path) -> None:
        self.root = root
        self.site = root / "site"
        shutil.copy(REPOSITORY / "mkdocs.yml", root)
        shutil.copytree(REPOSITORY / "hooks", root / "hooks")
        write_files(root, FILES)

    def build(self, *, dirty: bool = False) -> dict[str, bytes]:
        """Build, and return every file of the site."""
        from mkdocs.commands.build import build
        from mkdocs.config import load_config

        config = load_config(str(self.root / "mkdocs.yml"))
        config.plugins.on_startup(command="build", dirty=dirty)
        build(config, dirty=dirty)
        files = (path for path in self.site.rglob("*") if path.is_file())
        return {str(path.relative_to(self.site)): path.read_bytes() for path in files}

    def cold(self) -> dict[str, bytes]:
        """Build from nothing."""
        shutil.rmtree(self.site, ignore_errors=True)
        shutil.rmtree(self.root / ".citewiki", ignore_errors=True)
        return self.build()

    def times(self) -> dict[str, int]:
        """When each page of the site was written."""
        return {str(path): path.stat().st_mtime_ns for path in self.site.rglob("index.html")}

    def put(self, path: str, old: str, new: str) -> None:
        """Replace `old`, which the file holds, by `new`."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def add(self, path: str, text: str) -> None:
        """Add to the end of a file, or make it."""
        file = self.root / path
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(before + text, encoding="utf-8")


@pytest.fixture(autouse=True)
def a_fixed_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """All builds take place at one time."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOON))
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    return Wiki(tmp_path_factory.mktemp("wiki"))


@pytest.fixture
def built(wiki: Wiki) -> Wiki:
    """A wiki whose site has been built, as it was before what other tests have changed."""
    for folder in ("wiki", "raw"):
        shutil.rmtree(wiki.root / folder, ignore_errors=True)
    shutil.copy(REPOSITORY / "mkdocs.yml", wiki.root)
    (wiki.root / "pyproject.toml").unlink(missing_ok=True)
    write_files(wiki.root, FILES)
    wiki.first = wiki.cold()
    return wiki


EDITS: dict[str, Callable[[Wiki], object]] = {
    "text": lambda w: w.add("wiki/one/beta.md", "\nOne sentence more.\n"),
    "text at the start": lambda w: w.put("wiki/one/beta.md", "is plain", "is very plain"),
    "text of an embedded page": lambda w: w.put("wiki/two/delta.md", "Delta is", "Delta was"),
    "text that names another": lambda w: w.add("wiki/one/beta.md", "\nLike Epsilon it is.\n"),
    "text that disagrees": lambda w: w.add(
        "wiki/one/beta.md", "\nThe tower of Alpha is 40 metres high.\n"
    ),
    "title": lambda w: w.put("wiki/one/beta.md", "title: Beta", "title: Better"),
    "slug": lambda w: w.put("wiki/one/beta.md", "title: Beta", "title: Beta\nslug: other"),
    "link added": lambda w: w.add("wiki/one/beta.md", "\nSee [[Delta]].\n"),
    "link removed": lambda w: w.put("wiki/one/gamma.md", "[[Alpha]]", "Alpha"),
    "alias": lambda w: w.put("wiki/one/beta.md", "[Second]", "[Second, Nothing]"),
    "embed added": lambda w: w.add("wiki/one/beta.md", "\n![[Gamma]]\n"),
    "heading renamed": lambda w: w.put("wiki/one/gamma.md", "## Use", "## Usage"),
    "block named": lambda w: w.add("wiki/one/gamma.md", "\nOf use. ^use\n"),
    "hidden": lambda w: w.put("wiki/two/epsilon.md", "['*']", "[]"),
    "shown": lambda w: w.put("wiki/two/hidden.md", "[]", "['*']"),
    "hidden page's text": lambda w: w.add("wiki/two/hidden.md", "\nMore.\n"),
    "configuration": lambda w: w.put("mkdocs.yml", "site_name: citewiki", "site_name: Other"),
    "settings": lambda w: w.add("pyproject.toml", "[tool.citewiki.site]\nviewer = 'bob'\n"),
    "removed": lambda w: (w.root / "wiki/two/delta.md").unlink(),
    "added": lambda w: w.add("wiki/two/nothing.md", "# Nothing\n\nAnd [[Beta]].\n"),
    "renamed": lambda w: (w.root / "wiki/one/beta.md").rename(w.root / "wiki/two/zeta.md"),
    "superseded": lambda w: w.put(
        "wiki/one/beta.md", "title: Beta", "title: Beta\nsuperseded_by: gamma"
    ),
    "archived": lambda w: w.put(
        "wiki/one/beta.md", "title: Beta", "title: Beta\narchived_at: 2026-02-01"
    ),
    "manifest": lambda w: w.put("raw/manifest.jsonl", "Source S", "The source"),
    "log": lambda w: w.add("wiki/log.md", "\n- 2026-01-01T00:00:00Z · operator · compiled raw/s.md: 1 new pages, 0 updated\n"),
    "home": lambda w: w.put("wiki/index.md", "What this", "Whatever this"),
    "picture": lambda w: (w.root / "wiki/one/map.png").write_bytes(b"\x89PNG\r\n\x1a\n\0"),
    "picture shown": lambda w: w.add("wiki/one/beta.md", "\n![[map.png|30]]\n"),
    "quote": lambda w: w.put("wiki/two/delta.md", '"Delta is', '"delta is'),
}  # fmt: skip


UNSEEN = ("hidden page's text", "log")  # the site shows nothing of them, or nothing yet


@pytest.mark.parametrize("edit", EDITS)
def test_a_build_after_an_edit_is_byte_for_byte_one_from_nothing(built: Wiki, edit: str) -> None:
    EDITS[edit](built)
    warm = built.build()
    cold = built.cold()
    assert warm.keys() == cold.keys()
    assert [path for path in warm if warm[path] != cold[path]] == []
    assert edit in UNSEEN or warm != built.first


def test_a_day_later_states_are_those_of_that_day(
    built: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOON + 7 * DAY))
    warm = built.build()
    assert "held until" in warm["two/epsilon/index.html"].decode()
    assert warm == built.cold()


def test_nothing_is_written_where_nothing_has_changed(built: Wiki) -> None:
    first, times = built.first, built.times()
    os.utime(built.root / "wiki/one/beta.md")  # another time, the same text
    assert built.build() == first
    assert built.times() == times


def test_an_edit_writes_the_page_and_no_other(built: Wiki) -> None:
    times = built.times()
    EDITS["text"](built)
    built.build()
    after = built.times()
    changed = {
        str(Path(path).relative_to(built.site)) for path in after if after[path] != times[path]
    }
    assert changed == {"one/beta/index.html"}
    assert b"One sentence more" in (built.site / "llms-full.txt").read_bytes()
    assert b"One sentence more" in (built.site / "search/search_index.json").read_bytes()


def test_a_dirty_build_loses_nothing(built: Wiki) -> None:
    whole = built.first
    assert built.build(dirty=True) == whole
    EDITS["link added"](built)
    dirty = built.build(dirty=True)
    assert dirty == built.cold()


@pytest.mark.parametrize("damage", [b"", b"no database", None])
def test_a_damaged_cache_is_not_used(built: Wiki, damage: bytes | None) -> None:
    whole = built.first
    (kept,) = (built.root / ".citewiki/site").glob("*.sqlite")
    if damage is None:
        with sqlite3.connect(kept) as database:
            database.execute("UPDATE pages SET made = x'00', page = x'00', links = x'80'")
            database.execute("UPDATE record SET value = substr(value, 1, 200)")
    else:
        kept.write_bytes(damage)
    EDITS["text"](built)
    assert built.build() == built.cold()
    EDITS["text"](built)
    assert built.build() != whole


def test_a_file_of_the_site_that_was_changed_or_lost_is_made_again(built: Wiki) -> None:
    whole = built.first
    (built.site / "one/beta/index.html").write_text("mine")
    assert built.build() == whole
    (built.site / "index.json").unlink()
    (built.site / "stale.html").write_text("left over")
    assert built.build() == whole


def test_what_one_viewer_sees_is_not_kept_for_another(
    built: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    anyone = built.first
    monkeypatch.setenv("CITEWIKI_VIEWER", "bob")
    assert "two/hidden/index.html" in built.build()
    monkeypatch.delenv("CITEWIKI_VIEWER")
    assert built.build() == anyone
    kept = [path.read_bytes() for path in (built.root / ".citewiki/site").glob("*.sqlite")]
    assert len(kept) == 2
    assert sum(b"Only [[Alpha]]" in data for data in kept) == 1


def test_problems_are_told_again_where_nothing_is_done(
    built: Wiki, caplog: pytest.LogCaptureFixture
) -> None:
    (built.root / "wiki/one/bad.md").write_bytes(b"\xff\xfe\xff")
    built.build()
    caplog.clear()
    built.build()
    assert re.search(r"one/bad\.md.*UTF-8", caplog.text)
