"""CPU of a site build: plain mkdocs-material against ours, on the same text, in one run.

Both get the same pages (600 words, 8 links each), the same navigation (no page in it) and the
same Markdown extensions; plain gets the links as Markdown, ours as wikilinks. Ours makes
everything: graph layout, backlinks, lists, search index, Markdown and JSON for programs, the index
of the Ask page. Python's bytecode is there, as after any first run. Measured from nothing, with
nothing changed, and with one page's text edited.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.rows import Row

REPOSITORY = Path(__file__).parent.parent
WORDS, LINKS, DOMAINS, SEED, ROUNDS = 600, 8, 12, 7, 2
SIZES = (200, 1000, 3000)
LARGE = 3000  # pages
WARM = 20  # pages of a build that comes first

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


@dataclass(frozen=True, slots=True)
class Built:
    """What one `mkdocs build` took."""

    seconds: float  # of CPU
    memory: int  # KiB, at the most


def build(root: Path) -> Built:
    """One `mkdocs build --strict`, in a process of its own whose children count with it."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(root.parent / "bytecode")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # both run as they are installed: compiled
    told = subprocess.run(
        [sys.executable, "-c", _MEASURED, sys.executable],
        cwd=root, env=environment, check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    return Built(float(told[0]), int(told[1]))


_MEASURED = """
import resource, subprocess, sys
subprocess.run([sys.argv[1], "-m", "mkdocs", "build", "--strict", "--quiet"], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def cold(root: Path) -> Built:
    """A build from nothing."""
    for folder in ("site", ".citewiki"):
        shutil.rmtree(root / folder, ignore_errors=True)
    return build(root)


def size(root: Path) -> int:
    """Bytes of the built site."""
    return sum(path.stat().st_size for path in (root / "site").rglob("*") if path.is_file())


@dataclass(frozen=True, slots=True)
class Figures:
    """What a wiki of one size took."""

    plain: float  # CPU seconds of mkdocs-material alone
    cold: float
    same: float  # nothing changed
    edited: float  # one page's text
    memory: float  # MiB
    page: float  # KiB of the site for each page


def measure(pages: int, rounds: int = ROUNDS) -> Figures:
    """The least of some builds of each kind, in turn, as other work on the machine only adds."""
    with tempfile.TemporaryDirectory(prefix="citewiki-bench-") as name:
        plain, ours = Path(name, "plain"), Path(name, "ours")
        for root in (plain, ours):  # one build that does not count: it leaves the bytecode
            make(root, WARM, ours=root == ours)
            build(root)
            shutil.rmtree(root)
            make(root, pages, ours=root == ours)
        found: list[tuple[float, float, float, float]] = []
        memory = 0
        for turn in range(rounds):
            bare = cold(plain).seconds
            whole = cold(ours)
            memory = max(memory, whole.memory)
            same = build(ours).seconds
            page = ours / "wiki" / "d1" / "page-1.md"
            page.write_text(f"{page.read_text(encoding='utf-8')}And {turn} more.\n", "utf-8")
            found.append((bare, whole.seconds, same, build(ours).seconds))
        least = [min(column) for column in zip(*found, strict=True)]
        return Figures(*least, memory / 1024, size(ours) / 1024 / pages)


def rows(pages: int, found: Figures) -> Iterator[Row]:
    """The figures of one size with their bars."""
    told = f"ours {found.cold:.1f} s / plain {found.plain:.1f} s"
    yield Row(f"site of {pages} pages, CPU: {told}", found.cold / found.plain, 1.0)
    yield Row("  nothing changed, CPU", found.same, 2.0, "s")
    yield Row("  one page edited, CPU", found.edited, 3.0, "s")
    if pages >= LARGE:  # below that, starting Python is most of it
        yield Row(
            "  nothing changed, of a build from nothing", 100 * found.same / found.cold, 10, "%"
        )
        yield Row("  one page edited, of the same", 100 * found.edited / found.cold, 10, "%")
        yield Row("  memory", found.memory, 250, "MiB")
    yield Row("  size of the site, a page", found.page, 35, "KiB")


def run(pages: int = 0) -> Iterator[Row]:
    """Sites of 200, 1,000 and 3,000 pages, or of as many as are asked for."""
    grown: list[Figures] = []
    for count in (pages,) if pages else SIZES:
        grown.append(found := measure(count))
        yield from rows(count, found)
    if not pages:
        yield Row("from 1,000 to 3,000 pages, CPU", grown[2].cold / grown[1].cold, 3.3)
        yield Row("from 1,000 to 3,000 pages, size of a page", grown[2].page / grown[1].page, 1.05)
