"""What holds after any sequence of actions, and when a run is killed between any two writes."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.errors import LifecycleError, UnknownPage, WriteError
from citewiki.model import Page
from citewiki.store import lifecycle
from citewiki.store.catalog import read_log, render_index, write_index
from citewiki.store.journal import NOTE, Write, complete, put
from citewiki.store.ledger import FILE
from citewiki.store.pages import is_archived, load_pages
from citewiki.store.succession import circles
from tests.conftest import write_files

START = datetime(2026, 5, 1, tzinfo=UTC)
SLUGS = ("a", "b", "c", "d")
PAGES = {
    "wiki/ml/a.md": "---\ntype: concept\ntitle: A\nslug: a\nvalid_from: 2026-01-01\n---\nSee [[B]].\n",
    "wiki/ml/b.md": "\ufeff---\ntitle: B # remark\nmine: [x]\nvalid_until: 2030-01-01\n---\n\nB text",
    "wiki/c.md": "# C\r\n\r\nC has no front matter.\r\n",
    "wiki/ml/deep/d.md": "---\ntitle: D\nsupersedes: []\ngenerated: {by: x/1}\n---\nD text.\n\n\n",
    "wiki/index.md": "# Index\n",
}

Do = Callable[..., object]
texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)
ends = st.sampled_from(["\n", "\r\n"])
slugs = st.sampled_from(SLUGS)
some = st.lists(slugs, min_size=1, max_size=3, unique=True)
steps = st.one_of(
    st.tuples(st.just("archive"), some),
    st.tuples(st.just("restore"), some),
    st.tuples(st.just("supersede"), some, slugs),
    st.tuples(st.just("unsupersede"), some),
    st.tuples(st.just("reverify"), some),
    st.tuples(st.just("unverify"), some),
    st.tuples(st.just("delete"), some),
)
runs = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


class Killed(BaseException):
    """The process ends here."""


def failing(at: int, error: BaseException, *, after: bool = False) -> Write:
    """A writer that fails at its write number `at`, before or after having done it."""
    count = 0

    def write(path: Path, text: str | None) -> None:
        nonlocal count
        count += 1
        if count == at and not after:
            raise error
        put(path, text)
        if count == at:
            raise error

    return write


def act(root: Path, step: tuple, number: int, write: Write = put) -> bool:
    """Do one step; whether it could be done."""
    name, *arguments = step
    try:
        getattr(lifecycle, name)(
            root, *arguments, now=START + timedelta(minutes=number), who="ann", write=write
        )
    except (LifecycleError, UnknownPage):
        return False
    return True


def wiki(folder: str) -> Path:
    root = write_files(Path(folder), PAGES)
    write_index(root / "wiki", load_pages(root / "wiki")[0])
    return root


def tree(root: Path) -> dict[str, bytes]:
    """All files, but for what is derived from them."""
    files = (path for path in root.rglob("*") if path.is_file() and path.name != FILE)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def loaded(root: Path) -> dict[str, Page]:
    return {page.slug: page for page in load_pages(root / "wiki", archived=True)[0]}


def told(root: Path) -> dict[str, tuple[bool, str, int]]:
    """Archived, superseded by, times verified: as the log has it of each page that is left."""
    archived, newer, verified = dict.fromkeys(SLUGS, False), dict.fromkeys(SLUGS, ""), {}
    gone: set[str] = set()
    for line in reversed(read_log(root / "wiki")):
        called = re.findall(r"“\w” \((\w)\)", line.what)
        verb = line.what.split(" “")[0]
        slug = called[0]
        if verb in ("archived", "restored"):
            archived[slug] = verb == "archived"
        elif verb == "superseded":
            newer[slug] = called[1]
        elif verb == "no longer superseded:":
            newer[slug] = ""
        elif verb == "deleted":
            gone.add(slug)
            heir = newer[slug]
            newer = {old: heir if new == slug else new for old, new in newer.items()}
        else:
            verified[slug] = verified.get(slug, 0) + (1 if verb == "verified" else -1)
    return {
        slug: (archived[slug], newer[slug], verified.get(slug, 0))
        for slug in SLUGS
        if slug not in gone
    }


def states(root: Path) -> dict[str, tuple[bool, str, int]]:
    return {
        slug: (is_archived(page), page.superseded_by, len(page.verified))
        for slug, page in sorted(loaded(root).items())
    }


@runs
@given(st.lists(steps, max_size=8))
def test_log_and_pages_agree_and_no_text_is_lost_after_any_sequence_of_actions(done: list[tuple]):
    with TemporaryDirectory() as folder:
        root = wiki(folder)
        bodies = {slug: page.body for slug, page in loaded(root).items()}
        deleted: set[str] = set()
        for number, step in enumerate(done):
            before = tree(root)
            if not act(root, step, number):
                assert tree(root) == before  # refused whole
            elif step[0] == "delete":
                deleted.update(step[1])
            pages = loaded(root)
            assert states(root) == told(root)
            assert {slug: page.body for slug, page in pages.items()} == {
                slug: body for slug, body in bodies.items() if slug not in deleted
            }
            assert circles(pages) == []
            for page in pages.values():
                assert page.problems == ()
                assert page.superseded_by == "" or page.slug in pages[page.superseded_by].supersedes
                assert all(pages[old].superseded_by == page.slug for old in page.supersedes)
            listed = (root / "wiki/index.md").read_text()
            assert listed == render_index(pages.values(), listed)


@runs
@given(st.lists(steps, max_size=3), steps, st.integers(1, 9), st.booleans())
def test_a_run_that_is_killed_between_two_writes_is_finished_by_the_next(
    before: list[tuple], last: tuple, at: int, after: bool
):
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        whole, cut = wiki(first), wiki(second)
        for root in (whole, cut):
            for number, step in enumerate(before):
                act(root, step, number)
        start = tree(cut)
        with contextlib.suppress(Killed):
            act(cut, last, 50, failing(at, Killed(), after=after))
        began = (cut / NOTE).exists() or tree(cut) != start
        complete(cut)
        if began:
            act(whole, last, 50)
        assert tree(cut) == tree(whole)


@runs
@given(st.lists(steps, max_size=3), steps, st.integers(1, 9))
def test_a_disk_that_refuses_one_write_leaves_everything_as_it_was(
    before: list[tuple], last: tuple, at: int
):
    with TemporaryDirectory() as folder:
        root = wiki(folder)
        for number, step in enumerate(before):
            act(root, step, number)
        start = tree(root)
        try:
            act(root, last, 50, failing(at, WriteError("x", "no space left on the disk")))
        except WriteError:
            if not (root / NOTE).exists():  # else even the note could not be taken away
                assert tree(root) == start
            complete(root)
        assert states(root) == told(root)


KEYS = st.sampled_from(
    [
        "title: Text",
        "mine: {a: 1}",
        "# remark",
        "supersedes: [z]",
        'tags: ["x"]',
        "archived_at: null",
        "superseded_by:",
        "valid_until: ~  # none",
        "last_verified_at: null",
        "verified:",
    ]
)
FILES = st.builds(
    lambda mark, keys, body, end: (
        mark + "".join(f"{line}\n" for line in (["---", *keys, "---"] if keys else [])) + body
    ).replace("\n", end),
    st.sampled_from(["", "\ufeff"]),
    st.lists(KEYS, max_size=6, unique=True).filter(lambda keys: keys != ["# remark"]),
    texts,
    ends,
)


@runs
@given(FILES, st.sampled_from(["ml/x.md", "x.md", "Ünï/Ghi chú.md"]))
def test_what_is_archived_and_restored_has_the_bytes_that_it_had(text: str, path: str):
    with TemporaryDirectory() as folder:
        root = write_files(Path(folder), {f"wiki/{path}": text})
        before = tree(root / "wiki")
        lifecycle.archive(root, [path], now=START)
        (away,) = loaded(root).values()
        assert (away.path, away.archived_at) == (f"_archive/{path}", START)
        lifecycle.restore(root, [away.slug], now=START)
        after = tree(root / "wiki")
        del after["log.md"]
        assert after == before


@runs
@given(FILES)
def test_what_is_superseded_or_verified_and_taken_back_has_the_bytes_that_it_had(text: str):
    with TemporaryDirectory() as folder:
        root = write_files(Path(folder), {"wiki/x.md": text, "wiki/new/n.md": text})
        before = tree(root / "wiki")
        lifecycle.reverify(root, ["x.md"], by="ann", now=START)
        lifecycle.supersede(root, "x.md", "new/n.md", now=START)
        lifecycle.unsupersede(root, ["x.md"], now=START)
        lifecycle.unverify(root, ["x.md"], now=START)
        after = tree(root / "wiki")
        del after["log.md"]
        assert after == before
