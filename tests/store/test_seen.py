"""The few pages that an action needs are found as if all had been read."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.model import Page
from citewiki.store.ledger import Ledger
from citewiki.store.names import Names
from citewiki.store.pages import load_pages
from citewiki.store.seen import Seen
from tests.conftest import write_files

NAMES = st.sampled_from(
    (
        "a",
        "A",
        "b",
        "B/a",
        "ml/a",
        "Ml/b",
        "./a",
        "../b",
        "/ml/a",
        "a.md",
        "é",
        "e\u0301",
        "",
        "a/.",
    )
)
PATHS = st.sampled_from(
    ("a.md", "ml/a.md", "ml/A.md", "x/ml/a.md", "ml/b.md", "_archive/ml/b.md", "é.md")
)
FRONTS = st.fixed_dictionaries(
    {
        "title": NAMES,
        "owner": st.sampled_from(("", "", "ann", "bob")),
        "slug": st.sampled_from(("", "a", "b", "ml-a")),
        "aliases": st.lists(NAMES.filter(bool), max_size=2),
        "superseded_by": st.sampled_from(("", "a", "b", "A")),
        "supersedes": st.lists(st.sampled_from(("a", "b")), max_size=2, unique=True),
    }
)
VIEWERS = st.sampled_from((None, "ann", "bob", "*"))


def written(front: dict[str, object]) -> str:
    lines = [f"{key}: {value!r}" for key, value in front.items() if value]
    return "\n".join(("---", *lines, "---", "Text.", ""))


def at(pages: list[Page]) -> set[tuple[str, str]]:
    return {(page.path, page.slug) for page in pages}


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(PATHS, FRONTS, min_size=1, max_size=6), NAMES, VIEWERS)
def test_what_is_found_of_the_pages_is_what_is_found_by_reading_them_all(
    files: dict[str, dict[str, object]], name: str, viewer: str | None
):
    with TemporaryDirectory() as folder:
        root = write_files(
            Path(folder), {f"wiki/{path}": written(front) for path, front in files.items()}
        )
        pages, _ = load_pages(root / "wiki", archived=True, viewer=viewer)
        with Ledger(root / "wiki", root / ".citewiki") as ledger:
            seen = Seen(ledger, viewer)
            few, all_of_them = Names(seen.called(name), viewer), Names(pages, viewer)
            found, wanted = few.resolve(name), all_of_them.resolve(name)
            assert (found.path, set(found.others)) == (wanted.path, set(wanted.others))
            for slug in ("a", "b", "ml-a", "ml-b", name):
                same = {page.slug: page for page in pages}.get(slug)
                assert (slug in seen) == (same is not None)
                assert same is None or (seen[slug].path, seen[slug].slug) == (same.path, slug)
            assert at(seen.superseded_by("a")) == at([p for p in pages if p.superseded_by == "a"])
            assert at(seen.superseding(["a"])) == at([p for p in pages if "a" in p.supersedes])
            assert at(seen.all) == at(pages)
