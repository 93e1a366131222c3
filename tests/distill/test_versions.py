"""A source again and again: unchanged, changed, back as it was, moved, gone."""

from __future__ import annotations

from pathlib import Path

from citewiki.config import Config
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import register, take_in
from citewiki.distill.running import Compiled
from citewiki.lint import lint_wiki
from citewiki.model import SourceRecord, Version
from citewiki.sources.ingest import sha256_of
from citewiki.sources.manifest import load_manifest
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki, write_files

SECTIONS = {
    f"Widget {n}": f"Widget number {n} says that value {n} holds for case {n}." for n in range(50)
}


def note(sections: dict[str, str]) -> str:
    return "# Long note\n\n" + "\n".join(
        f"## {name}\n\n{text}\n" for name, text in sections.items()
    )


def taken(root: Path, text: str) -> Compiled:
    write_files(root.parent, {"long.md": text})
    take_in(root, [root.parent / "long.md"], now=NOW)
    return compile_sources(root, Config(link_titles=False), now=NOW, version="1")


def record(root: Path) -> SourceRecord:
    (only,) = load_manifest(root).values()
    return only


def test_only_the_changed_and_the_inserted_section_of_fifty_are_compiled_again(make_wiki: MakeWiki):
    root = make_wiki({})
    assert len(taken(root, note(SECTIONS)).made) == 50
    before = {path: path.read_bytes() for path in (root / "wiki").rglob("widget-*.md")}
    changed = {"New at the front": "This part is new and stands first.", **SECTIONS}
    changed["Widget 7"] = "Widget number 7 says something else by now."
    done = taken(root, note(changed))
    assert (done.made, done.updated) == (("new-at-the-front",), ("widget-7",))
    differ = [path.name for path, data in before.items() if path.read_bytes() != data]
    assert differ == ["widget-7.md"]
    assert taken(root, note(changed)).updated == ()


def test_both_versions_are_kept_and_the_manifest_names_the_earlier_one(make_wiki: MakeWiki):
    root = make_wiki({})
    first, second = note(SECTIONS), note({**SECTIONS, "Widget 7": "Widget number 7 says no more."})
    taken(root, first)
    assert '"versions":' not in (root / "raw/manifest.jsonl").read_text()
    taken(root, second)
    assert record(root).path == "raw/long.v2.md"
    assert record(root).versions == (Version("raw/long.md", sha256_of(first.encode()), NOW),)
    assert (root / "raw/long.md").read_text() == first
    assert register(root, load_manifest(root), NOW).added == ()


def test_a_source_that_is_back_as_it_was_is_its_first_version_again(make_wiki: MakeWiki):
    root = make_wiki({})
    first, second = note(SECTIONS), note({**SECTIONS, "Widget 7": "Widget number 7 says no more."})
    for text in (first, second, first):
        done = taken(root, text)
    assert done.updated == ("widget-7",)
    assert record(root).path == "raw/long.md"
    assert [version.path for version in record(root).versions] == ["raw/long.v2.md"]


def test_a_new_version_is_read_under_the_name_that_the_source_came_with(make_wiki: MakeWiki):
    root = make_wiki({})
    for text in ("Plain words without any heading at all.", "Plain words with no heading at all."):
        taken(root, text)
    (page,) = load_pages(root / "wiki")[0]
    assert (page.title, page.aliases) == ("Long", ())
    assert [section.status for section in record(root).sections] == ["compiled"]


def test_a_file_that_moved_within_raw_is_the_same_source_and_no_new_version(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, note(SECTIONS))
    (root / "raw/kept").mkdir()
    (root / "raw/long.md").rename(root / "raw/kept/long.md")
    register(root, load_manifest(root), NOW)
    assert record(root).path == "raw/kept/long.md"
    assert record(root).versions == ()
    assert compile_sources(root, Config(), now=NOW, version="1").made == ()


def test_a_source_that_vanished_deletes_nothing_and_is_reported(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, note(SECTIONS))
    (root / "raw/long.md").unlink()
    pages = load_pages(root / "wiki")[0]
    done = compile_sources(root, Config(link_titles=False), now=NOW, version="1")
    assert [problem.code for problem in done.problems] == ["missing-source"]
    assert load_pages(root / "wiki")[0] == pages
    assert "missing-source" in {problem.code for problem in lint_wiki(root)}
    assert len(record(root).sections) == 50
