from __future__ import annotations

import pytest

from citewiki.model import Page
from citewiki.store.pages import parse_page
from citewiki.store.visibility import visible
from citewiki.wiki import Wiki
from tests.conftest import write_files


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
        ("", ("bob",), "", False),
        ("", ("bob",), "bob", True),
    ],
)
def test_a_page_is_seen_by_its_owner_its_readers_and_the_operator(owner, shared, viewer, seen):
    page = Page(path="a.md", slug="a", title="A", body="", owner=owner, shared_with=shared)
    assert visible(page, viewer) is seen


@pytest.mark.parametrize(
    "front",
    [
        "owner: [eve, bob]",
        "shared_with: {a: b}",
        "owner: eve\nshared_with: [eve, [bob]]",
        "Owner: eve",
        "OWNER: eve",
        "owner: eve\nOwner: bob",
        "shared-with: [eve]",
        "sharedWith: eve",
        "\towner: eve",
        "- owner: eve",
        "title: x\n  owner: eve",
        "title: x\nowner eve\ntype: note",
    ],
)
def test_a_page_whose_readers_cannot_be_read_is_seen_by_the_operator_only(front):
    page = parse_page(f"---\n{front}\n---\nText.\n", "a.md")
    assert visible(page, None)
    assert not any(visible(page, viewer) for viewer in ("*", "eve", "bob"))
    assert any("only the operator" in problem.message for problem in page.problems)


def test_an_owner_in_front_matter_that_nothing_closes_hides_the_page():
    page = parse_page("---\ntitle: x\nowner: eve\n\nText.\n", "a.md")
    assert not visible(page, "*")
    assert [(each.line, each.severity) for each in page.problems] == [(3, "error")]


@pytest.mark.parametrize(
    "text",
    [
        "---\nowner:\n---\nText.",
        "---\nshared_with: []\n---\nText.",
        "---\nauthor:\n  owner: eve\n---\nText.",
        "---\n\nThe owner: a person.",
        "The owner: a person.",
    ],
)
def test_a_page_that_names_no_reader_stays_everybodys(text):
    page = parse_page(text, "a.md")
    assert visible(page, "*")
    assert page.problems == ()


def test_no_surface_tells_of_a_page_whose_owner_cannot_be_read(tmp_path):
    write_files(
        tmp_path,
        {
            "citewiki.toml": "",
            "wiki/open.md": "---\ntitle: Zebra\n---\nThe zebra has stripes.\n",
            "wiki/closed.md": "---\ntitle: Okapi\nOwner: eve\n---\nThe okapi sleeps at noon.\n",
        },
    )
    public = Wiki.open(tmp_path, viewer="*")
    assert public.ask("When does the okapi sleep?").refusal
    assert [hit.title for hit in public.search("zebra okapi")] == ["Zebra"]
    assert Wiki.open(tmp_path).ask("When does the okapi sleep?").claims
