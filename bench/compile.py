"""Speed and memory of compiling without a model, beside reading and parsing its sources."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.corpus import vocabulary
from bench.rows import Row
from citewiki.config import Config
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import register
from citewiki.sources.manifest import MANIFEST
from citewiki.sources.read import read_source

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 3
SECTIONS = 10  # in one source

_FUNCTION_WORDS = "the of and to in is that it for as with on by this are be at from or".split()

_COMPILE = """
import resource, sys
from pathlib import Path
from bench.compile import compile_all
compile_all(Path(sys.argv[1]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def run(pages: int = 1_000) -> Iterator[Row]:
    """All rows; `pages` is the number of sections, ten to a source, of some 300 words each."""
    root = Path(tempfile.mkdtemp(prefix="citewiki-bench-"))
    try:
        write_sources(root, pages)
        reading, compiling = [], []
        for _ in range(ROUNDS):  # by turns, so that a machine that slows down slows both
            reading.append(_seconds(lambda: read_all(root)))
            shutil.rmtree(root / "wiki")
            shutil.rmtree(root / ".citewiki", ignore_errors=True)
            (root / MANIFEST).unlink(missing_ok=True)
            (root / "wiki").mkdir()
            register(root, {}, NOW)
            compiling.append(_seconds(lambda: compile_all(root)))
        ratio = min(compiling) / min(reading)
        yield Row(f"compiling {pages} sections / reading and parsing them", ratio, 4)
        small, large = _memory(root, pages // 4), _memory(root, pages)
        yield Row("peak memory of compiling: 4 × as many sources", large / small, 1.5)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def write_sources(root: Path, sections: int, seed: int = 1) -> None:
    """Markdown files below raw/ with headings, paragraphs and lists of made-up words."""
    chance = random.Random(seed)
    known = [*_FUNCTION_WORDS, *vocabulary()]  # the most frequent words of any text
    weights = [1 / rank for rank in range(1, len(known) + 1)]

    def prose(words: int) -> str:
        text = chance.choices(known, weights, k=words)
        ends = range(0, words, 12)
        return " ".join(" ".join(text[at : at + 12]).capitalize() + "." for at in ends)

    shutil.rmtree(root, ignore_errors=True)
    for number in range(-(-sections // SECTIONS)):
        parts = [f"# Notes on {known[-number - 1]} {number}"]
        for part in range(SECTIONS):
            title = f"{known[-number * SECTIONS - part - 1]} {chance.choice(known)}".title()
            items = "\n".join(f"- {prose(12)}" for _ in range(4))
            parts.append(f"## {title}\n\n{prose(96)}\n\n{prose(96)}\n\n{items}\n\n{prose(60)}")
        path = root / f"raw/domain-{number % 8}/notes-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    (root / "wiki").mkdir()
    (root / "mkdocs.yml").write_text("site_name: Bench\n", encoding="utf-8")


def read_all(root: Path) -> None:
    """Read and parse every source."""
    for path in sorted(root.glob("raw/*/*.md")):
        read_source(path)


def compile_all(root: Path) -> None:
    """Make pages of every source in the manifest."""
    compile_sources(root, Config(), now=NOW, version="bench")


def _memory(root: Path, sections: int) -> float:
    """Peak KiB of compiling so many sections, in a process of its own."""
    write_sources(root, sections)
    register(root, {}, NOW)
    command = [sys.executable, "-c", _COMPILE, str(root)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def _seconds(work: Callable[[], None]) -> float:
    """CPU seconds, as the disk's share is not ours to measure."""
    before = time.process_time()
    work()
    return time.process_time() - before
