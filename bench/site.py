"""CPU of a site build: plain mkdocs-material against ours, on the same text, in one run.

Both get the same pages (600 words, 8 links each), the same navigation (no page in it) and the
same Markdown extensions; plain gets the links as Markdown, ours as wikilinks. Ours makes
everything: backlinks, graphs, lists, search index, Markdown and JSON for programs. The first
build of ours lays the graph out; the second finds the layout kept.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.rows import Row

REPOSITORY = Path(__file__).parent.parent
WORDS, LINKS, DOMAINS, SEED = 600, 8, 12, 7

PLAIN = """
site_name: bench
docs_dir: wiki
theme: {name: material, font: false}
plugins: [search]
nav: [{Home: index.md}]
markdown_extensions: [%s]
"""


def make(root: Path, pages: int, *, ours: bool) -> None:
    """A wiki of `pages` generated pages under `root`."""
    chance = random.Random(SEED)
    syllables = [first + vowel for first in "bcdfglmnprstv" for vowel in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(5000)]
    folder = [f"d{number % DOMAINS}" for number in range(pages)]
    for number in range(pages):
        places = set(chance.sample(range(WORDS), LINKS))
        parts = [f"# Page {number}\n"]
        for at in range(WORDS):
            if at % 150 == 0:
                parts.append(f"\n\n## Part {at // 150 + 1} of page {number}\n\n")
            elif at % 50 == 0:
                parts.append(".\n\n")
            word = chance.choice(words)
            if at in places:
                other = chance.randrange(pages)
                path = f"../{folder[other]}/page-{other}.md"
                word = f"[[Page {other}]]" if ours else f"[Page {other}]({path})"
            parts.append(word + " ")
        path = root / "wiki" / folder[number] / f"page-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(parts) + ".\n", encoding="utf-8")
    (root / "wiki" / "index.md").write_text("# Index\n", encoding="utf-8")
    if ours:
        shutil.copy(REPOSITORY / "mkdocs.yml", root)
        shutil.copytree(REPOSITORY / "hooks", root / "hooks")
    else:
        extensions = "attr_list, footnotes, tables, admonition, pymdownx.superfences"
        extensions += ", pymdownx.details, pymdownx.highlight, pymdownx.mark, pymdownx.tilde"
        (root / "mkdocs.yml").write_text(PLAIN % extensions, encoding="utf-8")


def build(root: Path) -> float:
    """CPU seconds of one `mkdocs build --strict`."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=root, env=environment, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(pages: int = 1000) -> Iterator[Row]:
    """Cold and warm builds of ours over the faster of two plain ones."""
    with tempfile.TemporaryDirectory(prefix="citewiki-bench-") as name:
        plain, ours = Path(name, "plain"), Path(name, "ours")
        make(plain, pages, ours=False)
        make(ours, pages, ours=True)
        first, cold, second, warm = build(plain), build(ours), build(plain), build(ours)
    bare = min(first, second)
    what = f"site of {pages} pages, CPU s"
    yield Row(f"{what}: ours {cold:.1f} / plain {bare:.1f}", cold / bare, 1.25)
    yield Row(f"{what}: ours, layout kept {warm:.1f} / plain {bare:.1f}", warm / bare, 1.25)
