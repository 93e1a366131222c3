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

_HITS = 10  # pages that each question brings
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
    """Retrieval in a process that has been asked other questions, against one bare tantivy query.

    Each question is asked once, of both by turns, so that a machine that slows down meanwhile
    slows both.
    """
    from citewiki.index.index import open_index
    from citewiki.query.question import question
    from citewiki.query.retrieve import retrieve
    from citewiki.text.tokens import query_terms

    index = open_index(root / "wiki", root / ".citewiki")
    bare = _bare(root)

    def times(texts: list[str], depth: int) -> Iterator[tuple[float, float]]:
        for text in texts:
            terms, asked = " ".join(term.text for term in query_terms(text)), question(text)
            yield (
                _cpu(partial(bare, terms)),
                _cpu(partial(retrieve, index, asked, depth=depth, limit=_HITS)),
            )

    for number, (depth, bar) in enumerate(((1, 5.0), (2, 4.0))):
        for _ in times(questions(seed=10 + number), depth):  # reads in what any question needs
            pass
        both = list(times(questions(seed=20 + number), depth))
        base, ours = map(statistics.median, zip(*both, strict=True))
        yield Row(f"retrieval, depth {depth}, p50 / bare tantivy query", ours / base, bar)


def _bare(root: Path) -> Callable[[str], object]:
    """A query of terms in all fields of a plain tantivy index that has the same fields.

    It gives back what retrieval does: title and slug of the best ten, which the index stores.
    """
    import tantivy

    from citewiki.index.analysis import analyse
    from citewiki.index.words import FIELDS
    from citewiki.store.pages import load_pages

    schema = tantivy.SchemaBuilder()
    for name in FIELDS:
        schema.add_text_field(name, tokenizer_name="whitespace")
    for name in ("name", "slug"):
        schema.add_text_field(name, stored=True, tokenizer_name="raw")
    folder = root / "bare"
    folder.mkdir(exist_ok=True)
    index = tantivy.Index(schema.build(), str(folder), reuse=False)
    writer = index.writer(num_threads=1)
    for page in load_pages(root / "wiki")[0]:
        writer.add_document(
            tantivy.Document(name=page.title, slug=page.slug, **analyse(page).fields)
        )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(terms: str) -> object:
        query = index.parse_query(terms, list(FIELDS))
        found = [searcher.doc(address) for _, address in searcher.search(query, _HITS).hits]
        return [(page["name"][0], page["slug"][0]) for page in found]

    return ask


def _cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
