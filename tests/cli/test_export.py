"""`export`, and `ingest` of what it wrote."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import MakeWiki, write_files

PAGES = {
    "wiki/ml/a.md": "---\ntype: concept\ntitle: A\n---\nA is [[B]].\n",
    "wiki/ml/b.md": "---\ntype: concept\ntitle: B\nowner: ann\n---\nB.\n",
}


def test_a_bundle_goes_out_and_comes_in_as_pages_beside_a_source(
    make_wiki: MakeWiki, tmp_path: Path, run: Run
) -> None:
    root = make_wiki(PAGES)
    ran = run("export", "okf", tmp_path / "out", "--wiki", root)
    assert (ran.status, ran.err) == (0, f"{tmp_path / 'out'}: 2 pages; 5 files written\n")
    other = write_files(tmp_path / "other", {"mkdocs.yml": "", "wiki/z.md": "z\n", "raw/x.md": ""})
    note = write_files(tmp_path, {"note.md": "# Storks\n\nStorks are large birds that wade.\n"})
    done = run("ingest", tmp_path / "out", note / "note.md", "--wiki", other, "--json").json
    assert done["imported"][0]["made"] == ["a", "b"]
    assert len(done["taken"]["added"]) == 1
    assert (other / "wiki/ml/a.md").read_text() == PAGES["wiki/ml/a.md"]
    again = run("ingest", tmp_path / "out", "--wiki", other)
    assert again.status == 0
    assert again.err == f"{tmp_path / 'out'} is a bundle of pages: 0 pages made, 2 there already\n"


def test_an_export_is_for_its_viewer_and_says_what_is_wrong(
    make_wiki: MakeWiki, tmp_path: Path, run: Run
) -> None:
    root = make_wiki(PAGES)
    ran = run("export", "json", tmp_path / "out", "--wiki", root, "--viewer", "*", "--json")
    assert ran.json["pages"] == 1
    again = run("export", "json", tmp_path / "out", "--wiki", root)
    assert again.status == 1
    assert again.err.count("\n") == 1
    assert "is not an empty folder" in again.err
    assert run("export", "json", tmp_path / "out", "--wiki", root, "--force").status == 0
    assert run("export", "xml", tmp_path / "out", "--wiki", root).status == 2
