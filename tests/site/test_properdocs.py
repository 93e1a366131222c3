"""ProperDocs, the fork of MkDocs that is kept up, builds the same site; `make properdocs` brings it.

It takes the names of MkDocs' modules for its own, so hooks and theme run as they are.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.conftest import needs, write_files
from tests.site.conftest import REPOSITORY

BROUGHT = REPOSITORY / "build" / "properdocs"

pytestmark = needs(
    "properdocs",
    (BROUGHT / "ready").is_file() or find_spec("properdocs"),
    "ProperDocs is not installed: make properdocs",
)

FILES = {
    "wiki/ml/rag.md": (
        "---\ntitle: RAG\nsummary: Fetch, then write.\ntags: [retrieval]\n"
        "sources: [{id: p, resource: raw/p.md, locator: p. 4}]\n---\n"
        "Uses a [[Vector DB]], [[Nobody]] and ![[pic.png]].[^p.1]\n\n## 检索 增强\n\n$x^2$ ==seen==\n\n"
        "> [!note] Well\n> so\n\n```mermaid\ngraph TD; A-->B\n```\n\n"
        '[^p.1]: raw/p.md, p. 4: "the words"\n'
    ),
    "wiki/ml/vector-db.md": "# Vector DB\n\nKeeps vectors. See [[RAG]].\n\n![[RAG#检索 增强]]",
    "wiki/ml/pic.png": b"\x89PNG",
    "wiki/index.md": "# Home\n\nHello.",
    "wiki/old.md": "---\nsuperseded_by: rag\nredirect_from: [older]\n---\nOld.",
    "raw/p.md": "the words",
}
_GENERATOR = re.compile(rb'<meta name="generator" content="mkdocs-[^"]*">')


def built(root: Path, generator: str) -> dict[str, bytes]:
    """Every file of the site that `generator` builds of the wiki at `root`, by path."""
    site = root.parent / generator
    ran = subprocess.run(
        [sys.executable, "-m", generator, "build", "--strict", "-f", "mkdocs.yml", "-d", str(site)],
        cwd=root,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(REPOSITORY / "builder"), str(BROUGHT))),
            "NO_MKDOCS_2_WARNING": "1",
            "SOURCE_DATE_EPOCH": "1780000000",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "WARNING" not in ran.stderr
    found = (path for path in site.rglob("*") if path.is_file())
    return {
        path.relative_to(site).as_posix(): _GENERATOR.sub(b"", path.read_bytes()) for path in found
    }


def test_properdocs_builds_the_same_site_as_mkdocs(tmp_path: Path) -> None:
    root = write_files(tmp_path / "wiki", FILES)
    shutil.copy(REPOSITORY / "mkdocs.yml", root)
    shutil.copytree(REPOSITORY / "hooks", root / "hooks")
    ours = built(root, "mkdocs")
    shutil.rmtree(root / ".citewiki", ignore_errors=True)
    theirs = built(root, "properdocs")
    assert ours.keys() == theirs.keys()
    assert [path for path in ours if ours[path] != theirs[path]] == []
    assert b"Keeps vectors." in theirs["ml/vector-db/index.html"]


def test_properdocs_builds_the_wiki_of_this_repository_strictly(tmp_path: Path) -> None:
    for name in ("wiki", "raw", "hooks"):
        shutil.copytree(REPOSITORY / name, tmp_path / "own" / name)
    for name in ("mkdocs.yml", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, tmp_path / "own")
    pages = built(tmp_path / "own", "properdocs")
    assert {"index.html", "llms.txt", "graph.json", "search/search_index.json"} <= pages.keys()
