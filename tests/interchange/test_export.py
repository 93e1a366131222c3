"""Who gets what in an export, when, and where it is written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from citewiki.errors import DataError, WriteError
from citewiki.wiki import Wiki
from tests.conftest import MakeWiki, write_files

FORMS = ("okf", "json")
SEEN = {
    "wiki/ml/shared.md": (
        "---\ntitle: Shared\nowner: alice\nshared_with: [bob, carol-qq]\nsecret_key: '[[QQtitle]]'\n"
        "# QQremark\nsuperseded_by: qqslug\nsupersedes: [qqslug]\n"
        "scopes: [{beside: qqslug, note: QQnote}]\n---\n"
        "See [[ml/qqslug|that page]], [[Own]] and [[Nowhere|no page]].\n"
    ),
    "wiki/own.md": "---\ntitle: Own\nowner: bob\nmine: yes\n---\nMine: [[Shared]].\n",
    "wiki/_archive/away.md": "---\ntitle: Gone-off\nowner: bob\narchived_at: 2026-05-01\n---\nAway.\n",
}
HIDDEN = {
    "wiki/ml/qqslug.md": "---\ntitle: QQtitle\nslug: qqslug\nowner: alice\n---\nQQbody [[Own]]\n",
    "wiki/ml/own.md": "---\ntitle: QQown\nowner: alice\n---\nTakes the same file name: [[Shared]]\n",
    "wiki/_archive/qq.md": "---\ntitle: QQgone\nowner: alice\narchived_at: 2026-05-01\n---\nx\n",
}


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def exported(root: Path, folder: Path, form: str, viewer: str | None) -> dict[str, str]:
    Wiki.open(root, viewer=viewer).export(form, folder)
    return files(folder)


@pytest.mark.parametrize("form", FORMS)
def test_a_hidden_page_leaves_no_trace(tmp_path: Path, form: str) -> None:
    log = {"wiki/log.md": "# Log\n\n- 2026-05-01T00:00:00Z · al · wrote “QQtitle” (qqslug)\n"}
    with_it = write_files(tmp_path / "with", {"mkdocs.yml": "", **SEEN, **HIDDEN, **log})
    without = write_files(tmp_path / "without", {"mkdocs.yml": "", **SEEN})
    for viewer in ("bob", "dave", "*"):
        got = exported(with_it, tmp_path / f"{viewer}-1", form, viewer)
        assert got == exported(without, tmp_path / f"{viewer}-2", form, viewer)
        told = json.dumps(got).lower()
        assert "qq" not in told
        assert "gone-off" not in told
        assert ("that page" in told) == (viewer == "bob")
    assert "qqbody" in json.dumps(exported(with_it, tmp_path / "all", form, None)).lower()


def test_an_owner_takes_their_own_pages_whole(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki({**SEEN, **HIDDEN})
    Wiki.open(root, viewer="bob").export("okf", tmp_path / "out", archived=True)
    out = files(tmp_path / "out")
    assert sorted(name for name in out if name.endswith(".md") and "index" not in name) == [
        "_archive/away.md",
        "log.md",
        "ml/shared.md",
        "own.md",
    ]
    assert "mine: yes" in out["own.md"]
    assert "no page" in out["ml/shared.md"]


def test_archived_pages_leave_only_when_asked_for(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki({**SEEN, **HIDDEN})
    wiki = Wiki.open(root)
    wiki.export("json", tmp_path / "without")
    wiki.export("json", tmp_path / "with", archived=True)
    assert "away.json" not in files(tmp_path / "without")
    assert {"away.json", "qq.json"} <= set(files(tmp_path / "with"))


TIMES = {
    "wiki/old.md": (
        "---\ntitle: Old\ningested_at: 2026-01-01\nvalid_until: 2026-03-01\n"
        "superseded_by: new\nsuperseded_at: 2026-03-01\n---\nOld.\n"
    ),
    "wiki/new.md": "---\ntitle: New\ningested_at: 2026-03-01\nvalid_from: 2026-03-01\n---\nNew.\n",
    "wiki/_archive/gone.md": (
        "---\ntitle: Gone\ningested_at: 2026-01-01\narchived_at: 2026-04-01\n---\nGone.\n"
    ),
}


def test_a_day_has_the_pages_that_held_or_were_known_then(
    make_wiki: MakeWiki, tmp_path: Path
) -> None:
    wiki = Wiki.open(make_wiki(TIMES))
    then = datetime(2026, 2, 1, tzinfo=UTC)
    wiki.export("okf", tmp_path / "held", as_of=then)
    assert {"old.md"} == set(files(tmp_path / "held")) - {"index.md", "log.md", _LIST}
    wiki.export("okf", tmp_path / "known", known_at=then)
    known = files(tmp_path / "known")
    assert {"old.md", "gone.md"} == set(known) - {"index.md", "log.md", _LIST}
    assert "superseded_by" not in known["old.md"]
    assert "archived_at" not in known["gone.md"]
    assert "2026-03-01" not in known["log.md"]


_LIST = ".citewiki-export.json"


def test_only_what_an_export_wrote_is_replaced(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root, out = make_wiki({"wiki/a.md": "a\n", "wiki/b/c.md": "c\n"}), tmp_path / "out"
    wiki = Wiki.open(root)
    wiki.export("okf", out)
    with pytest.raises(DataError, match="--force"):
        wiki.export("okf", out)
    (out / "mine.txt").write_text("mine")
    (root / "wiki/b/c.md").unlink()
    (root / "wiki/a.md").write_text("a2\n")
    done = wiki.export("okf", out, force=True)
    assert done.removed == ("b/c.md", "b/index.md")
    assert not (out / "b").exists()
    assert (out / "mine.txt").read_text() == "mine"
    assert wiki.export("okf", out, force=True).written == ()
    before = files(out)
    (out / "a.md").write_text("edited since")
    with pytest.raises(DataError, match=r"a\.md: is in the way"):
        wiki.export("okf", out, force=True)
    assert files(out) == {**before, "a.md": "edited since"}


def _stranger(out: Path, given: Mapping[str, str]) -> None:
    write_files(out, given)


def test_no_strangers_file_is_touched(make_wiki: MakeWiki, tmp_path: Path) -> None:
    wiki = Wiki.open(make_wiki({"wiki/a.md": "a\n", "wiki/b/c.md": "c\n"}))
    out = write_files(tmp_path / "out", {"a.md": "a stranger's"})
    for force in (False, True):
        with pytest.raises(DataError):
            wiki.export("okf", out, force=force)
    assert files(out) == {"a.md": "a stranger's"}
    elsewhere = write_files(tmp_path / "elsewhere", {"c.md": "c"})
    linked = write_files(tmp_path / "linked", {"x.txt": ""})
    os.symlink(elsewhere, linked / "b")
    with pytest.raises(DataError, match="b: is in the way"):
        wiki.export("okf", linked, force=True)
    listed = {"format": "citewiki-export", "files": {"../elsewhere/c.md": ["x"], "/etc/x": ["x"]}}
    crafted = write_files(tmp_path / "crafted", {_LIST: json.dumps(listed)})
    wiki.export("okf", crafted, force=True)
    assert files(elsewhere) == {"c.md": "c"}


def test_an_export_never_becomes_part_of_its_own_wiki(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "a\n"})
    for place in ("wiki/out", "raw/out", "wiki", ".citewiki/x"):
        with pytest.raises(WriteError, match="lies in the wiki itself"):
            Wiki.open(root).export("okf", root / place, force=True)
    assert Wiki.open(root).export("okf", root / "out").pages == 1


def test_an_export_never_becomes_part_of_another_wiki(make_wiki: MakeWiki, tmp_path: Path) -> None:
    wiki = Wiki.open(make_wiki({"wiki/a.md": "a\n"}))
    other = write_files(tmp_path / "other", {"mkdocs.yml": "", "wiki/b.md": "b\n"})
    for place in ("wiki/out", "raw", ""):
        with pytest.raises(WriteError, match="lies in another wiki"):
            wiki.export("okf", other / place, force=True)
    assert sorted(files(other)) == ["mkdocs.yml", "wiki/b.md"]


@pytest.mark.parametrize("force", [False, True])
def test_what_can_be_no_folder_is_said_in_one_line(
    make_wiki: MakeWiki, tmp_path: Path, force: bool
) -> None:
    wiki = Wiki.open(make_wiki({"wiki/a.md": "a\n"}))
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for place, why in (
        ("file", "file: is a file"),
        ("file/sub/sub", "file: is a file"),
        ("dead", "dead: is a link to nowhere"),
        ("dead/sub", "dead: is a link to nowhere"),
    ):
        with pytest.raises(DataError, match=why):
            wiki.export("okf", tmp_path / place, force=force)
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()
    assert wiki.export("okf", tmp_path / "link").written
    assert (tmp_path / "real/a.md").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do all")
def test_a_folder_without_rights_is_said(make_wiki: MakeWiki, tmp_path: Path) -> None:
    wiki = Wiki.open(make_wiki({"wiki/a.md": "a\n"}))
    for mode in (0o500, 0o300, 0o000):
        folder = tmp_path / f"closed-{mode}"
        folder.mkdir(mode=mode)
        try:
            with pytest.raises(WriteError, match="not allowed to write here"):
                wiki.export("okf", folder, force=True)
        finally:
            folder.chmod(0o700)
        assert not list(folder.iterdir())


def test_json_pages_have_all_facts_and_lists_beside_them(
    make_wiki: MakeWiki, tmp_path: Path
) -> None:
    root = make_wiki(
        {
            "wiki/ml/a.md": "---\ntitle: A\nrating: 5\n---\n[[B]] [[A]] [[b]]\n",
            "wiki/b.md": "---\ntitle: B\nslug: Ünique b/ö\n---\n[[A]]\n",
        }
    )
    Wiki.open(root).export("json", tmp_path / "out")
    out = {name: json.loads(text) for name, text in files(tmp_path / "out").items()}
    page = out["a.json"]
    assert page["content"] == "[[B]] [[A]] [[b]]\n"
    assert page["links"] == ["Ünique b/ö"]
    assert page["front_matter"] == "title: A\nrating: 5\n"
    schema = out["page.schema.json"]
    assert set(page) <= set(schema["properties"])
    assert set(schema["properties"]) - set(page) == {"file"}
    assert out["_backlinks.json"] == {"a": ["Ünique b/ö"], "Ünique b/ö": ["a"]}
    assert [(each["slug"], each["file"]) for each in out["_index.json"]["pages"]] == [
        ("Ünique b/ö", "ünique-b-ö.json"),
        ("a", "a.json"),
    ]


def test_an_unreadable_page_is_told_to_the_operator_alone(
    make_wiki: MakeWiki, tmp_path: Path
) -> None:
    root = make_wiki({"wiki/a.md": "a\n", "wiki/bad.md": b"\xff\xfe"})
    done = Wiki.open(root).export("okf", tmp_path / "all")
    assert [problem.path for problem in done.problems] == ["bad.md"]
    assert Wiki.open(root, viewer="bob").export("okf", tmp_path / "bob").problems == ()
