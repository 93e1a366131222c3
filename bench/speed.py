"""Speed and memory of the index and of asking, as ratios within one run."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.corpus import questions, write_wiki
from bench.rows import Row

_INDEX = """
import resource, sys
from pathlib import Path
from citewiki.index.index import open_index
root = Path(sys.argv[1])
open_index(root / "wiki", root / ".citewiki")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def run(pages: int = 10_000) -> Iterator[Row]:
    """All rows; `pages` is the size of the generated wiki (400 words and 8 links a page)."""
    root = Path(tempfile.mkdtemp(prefix="citewiki-bench-"))
    try:
        write_wiki(root, 300)
        yield _cold_start(root)
        shutil.rmtree(root / "wiki")
        shutil.rmtree(root / ".citewiki", ignore_errors=True)
        write_wiki(root, pages)
        full, memory = _full_build(root)
        yield Row(f"peak memory of indexing {pages} pages", memory / 1024, 500, "MiB")
        yield Row(
            "refresh after one page changed / full build", 100 * _one_changed(root) / full, 5, "%"
        )
        yield from _asking(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _cold_start(root: Path) -> Row:
    """`citewiki search` as a process against Python importing tantivy and pydantic; CPU time."""
    command = [sys.executable, "-m", "citewiki", "search", "--wiki", str(root), "-q", "bacodi"]
    _cpu_of(command)  # builds the index
    bare = [sys.executable, "-c", "import tantivy, pydantic"]
    # By turns, so that a machine that slows down meanwhile slows both.
    times = [(_cpu_of(command), _cpu_of(bare)) for _ in range(9)]
    ours, base = map(statistics.median, zip(*times, strict=True))
    return Row("cold start of search / importing tantivy and pydantic", ours / base, 1.5)


def _cpu_of(command: list[str]) -> float:
    """CPU seconds that a command and its children took."""
    cached = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=cached
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _full_build(root: Path) -> tuple[float, float]:
    """CPU seconds and peak KiB of indexing everything, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _INDEX, str(root)], check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, float(done.stdout)


def _one_changed(root: Path) -> float:
    """CPU seconds of a refresh when one page of many has changed (median of five)."""
    from citewiki.index.index import open_index

    page = sorted((root / "wiki").rglob("*.md"))[17]
    times = []
    for number in range(5):
        with page.open("a", encoding="utf-8") as file:
            file.write(f"\nOne more sentence, number {number}.\n")
        os.utime(page)
        times.append(_cpu(lambda: open_index(root / "wiki", root / ".citewiki").close()))
    return statistics.median(times)


def _asking(root: Path) -> Iterator[Row]:
    """Retrieval, warm, against a bare tantivy query of the same words: parse, search, fetch ten."""
    from citewiki.index.index import open_index
    from citewiki.query.question import question
    from citewiki.query.retrieve import retrieve

    index = open_index(root / "wiki", root / ".citewiki")
    bare = _bare(root)
    asked = [question(text) for text in questions()]
    base = statistics.median([_cpu(partial(bare, item.text)) for item in asked])
    for depth, bar in ((1, 5.0), (2, 4.0)):
        ours = [_cpu(partial(retrieve, index, item, depth=depth)) for item in asked]
        ratio = statistics.median(ours) / base
        yield Row(f"retrieval, depth {depth}, p50 / bare tantivy query", ratio, bar)


def _bare(root: Path) -> Callable[[str], object]:
    """A tantivy index of the same texts as anyone would make it, and a query against it."""
    import tantivy

    from citewiki.store.pages import load_pages

    schema = tantivy.SchemaBuilder()
    for name in ("title", "body"):
        schema.add_text_field(name, stored=name == "title", tokenizer_name="en_stem")
    index = tantivy.Index(schema.build())
    writer = index.writer()
    for page in load_pages(root / "wiki")[0]:
        writer.add_document(tantivy.Document(title=page.title, body=page.body))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(text: str) -> object:
        query = index.parse_query(text, ["title", "body"])
        return [searcher.doc(address) for _, address in searcher.search(query, 10).hits]

    return ask


def _cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
