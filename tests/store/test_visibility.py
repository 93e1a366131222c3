from __future__ import annotations

import pytest

from citewiki.model import Page
from citewiki.store.visibility import visible


@pytest.mark.parametrize(
    ("owner", "shared", "viewer", "seen"),
    [
        ("", (), "*", True),
        ("ann", (), "*", False),
        ("ann", (), "ann", True),
        ("ann", (), "bob", False),
        ("ann", ("bob",), "bob", True),
        ("ann", ("bob",), "*", False),
        ("ann", ("*",), "*", True),
        ("ann", ("*",), "bob", True),
        ("ann", (), None, True),
        ("*", (), "*", False),
    ],
)
def test_a_page_is_seen_by_its_owner_its_readers_and_the_operator(owner, shared, viewer, seen):
    page = Page(path="a.md", slug="a", title="A", body="", owner=owner, shared_with=shared)
    assert visible(page, viewer) is seen
