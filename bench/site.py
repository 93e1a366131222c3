"""CPU of a site build: plain mkdocs-material against ours, on the same text, in one run.

Both get the same pages (600 words, 8 links each), the same navigation (no page in it) and the
same Markdown extensions; plain gets the links as Markdown, ours as wikilinks. Ours makes
everything: graph layout, backlinks, lists, search index, Markdown and JSON for programs.
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
WORDS, LINKS, DOMAINS, SEED, ROUNDS = 600, 8, 12, 7, 3

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
        file = root / "wiki" / folder[number] / f"page-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(parts) + ".\n", encoding="utf-8")
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
    """The least of three builds of each, in turn, as other work on the machine only adds."""
    with tempfile.TemporaryDirectory(prefix="citewiki-bench-") as name:
        plain, ours = Path(name, "plain"), Path(name, "ours")
        make(plain, pages, ours=False)
        make(ours, pages, ours=True)
        bare: list[float] = []
        cold: list[float] = []
        for _ in range(ROUNDS):
            bare.append(build(plain))
            shutil.rmtree(ours / ".citewiki", ignore_errors=True)  # the graph's layout
            cold.append(build(ours))
    figures = f"ours {min(cold):.1f} s / plain {min(bare):.1f} s"
    yield Row(f"site of {pages} pages, CPU: {figures}", min(cold) / min(bare), 1.25)
