"""A wiki that holds what it should not is built as far as it goes, and each fault is named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from citewiki.markdown.regions import uncommented
from citewiki.site.media import media_paths
from tests.conftest import write_files
from tests.site.conftest import REPOSITORY, BuildSite, Files

BAD = {
    "wiki/fine.md": "# Fine\n\nSee [[Two]] and [[what?#%41]].\n\n![p](pic%20%231%25.png)",
    "wiki/yaml.md": "---\ntitle: [a\n b: : c\n---\nText stays.",
    "wiki/tabs.md": "---\n\ttitle: x\n- y\n---\nText stays.",
    "wiki/value.md": "---\nconfidence: high\n---\nText stays.",
    "wiki/latin.md": "# caf\xe9".encode("latin-1"),
    "wiki/deep.md": "\n".join("    " * level + "- a" for level in range(260)) + "\n\n%%UNSEEN%%",
    "wiki/folder.md/inner.md": "# Inner",
    "wiki/a\nb.md": "# Line",
    "wiki/q\"uo'te.md": "# Quote",
    "wiki/what?#%41.md": "# Marks",
    "wiki/pic #1%.png": b"\x89PNG",
    "wiki/one/x.md": "---\nslug: same\n---\n# One",
    "wiki/two/x.md": "---\nslug: same\n---\n# Two",
    "wiki/Case.md": "# Upper",
    "wiki/case.md": "# Lower",
    "wiki/long.md": f"---\nslug: {'x' * 300}\ndomain: {'y' * 300}\n---\n# Long",
    "wiki/out.md": "---\nslug: ../../out\ndomain: ../..\n---\n# Out",
    **{
        f"wiki/own/{number}.md": f"---\nslug: {name}\ntitle: {name}\n---\nx"
        for number, name in enumerate(("index.html", "llms.txt", "404.html", "graph.json", "tags"))
    },
    **{
        f"wiki/{name}.md": f"# {name}"
        for name in ("tags", "graph", "domains", "search", "ask", "sources", "timeline", "assets")
    },
    **{
        f"wiki/{name}/page.md": f"# {name}"
        for name in ("tags", "graph", "domains", "search", "ask", "sources", "timeline", "assets")
    },
}
BREAKS = '''"""A Markdown extension that cannot read some pages."""
from markdown import Extension
from markdown.preprocessors import Preprocessor

class Breaking(Preprocessor):
    def run(self, lines):
        if "BREAK" in lines:
            raise ValueError("no such\\nthing")
        return lines

class Breaks(Extension):
    def extendMarkdown(self, md):
        md.preprocessors.register(Breaking(md), "breaks", 99)
'''


def build(root: Path, *options: str, before: tuple[str, ...] = ()) -> tuple[int, str]:
    """Exit status and all that `mkdocs build` says of the wiki at `root`."""
    ran = subprocess.run(
        [*before, sys.executable, "-m", "mkdocs", "build", *options],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{REPOSITORY / 'builder'}:{root}", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture
def wiki(tmp_path: Path) -> Callable[[Files], Path]:
    """A function that lays down `files` as a wiki with this repository's settings."""

    def lay(files: Files) -> Path:
        shutil.copy(REPOSITORY / "mkdocs.yml", tmp_path)
        shutil.copytree(REPOSITORY / "hooks", tmp_path / "hooks")
        return write_files(tmp_path, files)

    return lay


def test_a_wiki_full_of_faults_is_built_and_each_file_at_fault_is_named(
    wiki: Callable[[Files], Path],
) -> None:
    root = wiki(BAD)
    status, said = build(root)
    assert status == 0, said
    assert "Traceback" not in said
    warned = [line for line in said.splitlines() if "WARNING" in line]
    assert [line for line in warned if "latin.md: error: is not UTF-8" in line]
    assert [line for line in warned if "deep.md: error: is nested too deeply" in line]
    assert [line for line in warned if "tabs.md:2: error: front matter is not YAML" in line]
    assert [line for line in warned if "value.md:2: error: confidence: must be" in line]
    assert [line for line in warned if "two/x.md: error: shares the slug" in line]
    named = ("latin.md", "deep.md", "tabs.md", "value.md", "two/x.md")
    assert [line for line in warned if not any(f" {name}:" in line for name in named)] == []
    site = root / "site"
    pages = list(site.rglob("index.md"))
    assert len(pages) == sum(path.endswith(".md") for path in BAD) - 1  # all but latin.md
    assert all((page.parent / "index.html").is_file() for page in pages)
    assert not (root / "out").exists()
    assert not (root.parent / "out").exists()
    fine = (site / "fine" / "index.html").read_text("utf-8")
    assert 'href="../two/two-same/"' in fine or 'href="../two/same/"' in fine
    assert 'src="../pic%20%231%25.png"' in fine
    assert "Text stays." in (site / "yaml" / "index.html").read_text("utf-8")
    assert "UNSEEN" not in (site / "deep" / "index.html").read_text("utf-8")
    assert build(root, "--strict")[0] == 1


def test_a_page_that_an_extension_cannot_read_is_named_and_shown_as_it_is_written(
    wiki: Callable[[Files], Path],
) -> None:
    root = wiki({"wiki/a.md": "BREAK\n\n*x* %%mine%%", "wiki/b.md": "*y*", "breaks.py": BREAKS})
    settings = (root / "mkdocs.yml").read_text("utf-8")
    settings = settings.replace(
        "markdown_extensions:\n", "markdown_extensions:\n  - breaks:Breaks\n"
    )
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    status, said = build(root)
    assert status == 0
    words = (
        "a.md: error: breaks the Markdown parser (ValueError: no such thing) and is shown as plain"
    )
    assert words in said
    assert "Traceback" not in said
    assert "<pre>BREAK\n\n*x* </pre>" in (root / "site/a/index.html").read_text("utf-8")
    assert "<em>y</em>" in (root / "site/b/index.html").read_text("utf-8")


def test_a_page_that_cannot_be_rendered_leaves_no_trace_in_the_next(build_site: BuildSite) -> None:
    from citewiki.config import Config
    from citewiki.site.model import build_model
    from citewiki.site.render import Renderer
    from tests.conftest import NOW

    text = "- a\n- b\n\n> c\n>\n> - d"
    root = build_site({"wiki/z.md": text}).parent
    alone = Renderer(build_model(root, Config(), NOW)).draw("z.md")
    write_files(root, {"wiki/a.md": BAD["wiki/deep.md"]})
    after = Renderer(build_model(root, Config(), NOW))
    after.draw("a.md")
    assert len(after.problems) == 1
    assert after.draw("z.md") == alone


def test_links_out_of_the_folder_and_into_pages_are_followed_by_nothing(
    wiki: Callable[[Files], Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    write_files(outside, {"far.md": "# Outsidezorp", "far.png": "Outsidezorp"})
    root = wiki({"wiki/a.md": "![[far.png]] ![[page.png]] ![[loop.png]] [[far]]",
                 "wiki/b.md": "---\nowner: bob\n---\nSecretzorp"})  # fmt: skip
    links = {
        "far.md": outside / "far.md", "far.png": outside / "far.png", "folder": outside,
        "page.png": root / "wiki/b.md", "loop.png": root / "wiki/loop.png",
        "loop.md": root / "wiki/loop.md", "gone.md": root / "wiki/nothing.md", "up": root / "wiki",
    }  # fmt: skip
    for name, target in links.items():
        (root / "wiki" / name).symlink_to(target)
    assert media_paths(root / "wiki") == []
    status, said = build(root)
    assert status == 0, said
    assert "Traceback" not in said
    for path in (root / "site").rglob("*"):
        assert path.is_dir() or not re.search(b"Outsidezorp|Secretzorp", path.read_bytes()), path
    assert (root / "site/a/index.html").is_file()


def without_root() -> tuple[str, ...]:
    """What to put before a command so that modes of files hold for it."""
    if os.geteuid():
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("root reads every file, and setpriv is not installed")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def test_a_file_that_may_not_be_read_is_named_and_the_rest_is_built(
    wiki: Callable[[Files], Path],
) -> None:
    root = wiki({"wiki/a.md": "# A\n\n![[p.png]]", "wiki/b.md": "# B", "wiki/p.png": b"\x89PNG"})
    (root / "wiki/b.md").chmod(0)
    before = without_root()
    status, said = build(root, before=before)
    assert status == 0, said
    assert "b.md: error: cannot be read" in said
    assert (root / "site/a/index.html").is_file()
    assert build(root, "--strict", before=before)[0] == 1
    (root / "wiki/p.png").chmod(0)
    status, said = build(root, before=before)
    assert status == 0, said
    assert "p.png: error: cannot be read" in said
    assert "Traceback" not in said


def test_a_page_of_five_thousand_links_is_a_page(build_site: BuildSite) -> None:
    many = "\n".join(f"- [[p{number}]] and [[hub]] here." for number in range(5000))
    site = build_site({"wiki/many.md": many, "wiki/hub.md": "# Hub"})
    page = (site / "many/index.html").read_text("utf-8")
    assert page.count('class="missing"') >= 5000
    assert page.count('href="../hub/"') >= 5000


def test_comments_are_cut_out_and_code_stays() -> None:
    assert uncommented("a%%b%%c <!-- d -->e `%%f%%`") == "ac e `%%f%%`"
