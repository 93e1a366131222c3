"""The wiki as an agent reads it: passages, pages at three lengths, lists, the log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from citewiki.errors import QuestionError, UnknownPage
from citewiki.wiki import Wiki
from tests.conftest import NOW, MakeWiki

PARTS = "\n\n".join(
    f"## Part {number}\n\n" + f"The kettle of part {number} is made of tin. " * 12
    for number in range(20)
)


@pytest.mark.parametrize(("depth", "pages"), [(1, 3), (2, 5), (3, 8)])
def test_depth_says_how_many_pages_come(make_wiki: MakeWiki, depth: int, pages: int):
    files = {f"wiki/k{n}.md": f"# Kettle {n}\n\nA kettle of {n} litres.\n" for n in range(12)}
    found = Wiki.open(make_wiki(files)).query("Which kettle has 3 litres?", depth=depth, now=NOW)
    assert len({each.slug for each in found.passages}) == pages


def test_a_long_page_gives_its_best_passages_and_says_where_it_was_cut(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki({"wiki/kettles.md": f"# Kettles\n\nAll kettles.\n\n{PARTS}\n"}))
    found = wiki.query("What is the kettle of part 13 made of?", depth=1, now=NOW)
    assert any(each.heading == "Kettles › Part 13" for each in found.passages)
    assert sum(len(each.text) for each in found.passages) <= 4000
    body = (wiki.folder / "kettles.md").read_text("utf-8")
    for each in found.passages:
        assert each.text in body
    assert any(each.left_out for each in found.passages)
    assert found.markdown.count("[…]") == sum(each.left_out for each in found.passages)
    assert found.markdown.startswith('<page slug="kettles" title="Kettles">')


def test_a_text_that_is_no_question_is_refused(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki({"wiki/a.md": "# A\n\nText.\n"}))
    with pytest.raises(QuestionError, match="empty"):
        wiki.query("  ", now=NOW)
    assert wiki.query("zyzzyva", now=NOW).passages == ()


def test_passages_are_of_the_time_that_is_asked_for(make_wiki: MakeWiki):
    wiki = Wiki.open(
        make_wiki(
            {
                "wiki/old.md": "---\ntitle: Old\nvalid_until: 2026-01-01\n---\nThe fee is 3.\n",
                "wiki/new.md": "---\ntitle: New\nvalid_from: 2026-01-01\n---\nThe fee is 4.\n",
            }
        )
    )
    then = wiki.query("What is the fee?", as_of=datetime(2025, 6, 1, tzinfo=UTC), now=NOW)
    assert [each.slug for each in then.passages] == ["old"]
    now = wiki.query("What is the fee?", now=NOW)
    cautions = {each.slug: each.caution for each in now.passages}
    assert cautions == {"new": "", "old": "“Old” held until 2026-01-01"}
    with pytest.raises(UnknownPage):
        wiki.article("New", as_of=datetime(2025, 6, 1, tzinfo=UTC), now=NOW)
    assert wiki.article("Old", now=NOW).caution == "“Old” held until 2026-01-01"


def test_a_heading_is_called_by_its_text_anchor_or_path(make_wiki: MakeWiki):
    body = "# Tea\n\nTea.\n\n## Green\n\n### Cost\n\nTwo.\n\n## Black\n\n### Cost\n\nThree.\n"
    wiki = Wiki.open(make_wiki({"wiki/tea.md": body}))
    for heading, text in (
        ("cost", "### Cost\n\nTwo."),
        ("## Green", "## Green\n\n### Cost\n\nTwo."),
        ("cost_1", "### Cost\n\nThree."),
        ("Tea › Black › Cost", "### Cost\n\nThree."),
    ):
        assert wiki.article("tea", heading=heading, now=NOW).text == text
    with pytest.raises(QuestionError, match="“Green”"):
        wiki.article("tea", heading="White", now=NOW)
    with pytest.raises(QuestionError, match="one of abstract"):
        wiki.article("tea", level="deep", now=NOW)


def test_the_abstract_of_a_page_without_summary_is_its_first_sentence(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki({"wiki/tea.md": "# Tea\n\nTea is a drink. It is hot.\n"}))
    assert wiki.article("tea", level="abstract", now=NOW).text == "Tea is a drink."
    assert Wiki.open(make_wiki({"wiki/bare.md": ""})).article("bare", now=NOW).text == ""


def test_a_list_is_the_same_in_parts_as_whole(make_wiki: MakeWiki):
    files = {
        f"wiki/p{n}.md": f"---\ntitle: Page {n}\nlast_verified_at: "
        f"{NOW - timedelta(days=n):%Y-%m-%d}\n---\nText.\n"
        for n in range(23)
    }
    wiki = Wiki.open(make_wiki(files))
    whole = wiki.list_pages(limit=100, now=NOW)
    assert (whole.total, whole.next_offset) == (23, None)
    items, offset = [], 0
    while offset is not None:
        part = wiki.list_pages(limit=5, offset=offset, now=NOW)
        items += part.items
        offset = part.next_offset
    assert tuple(items) == whole.items
    assert wiki.list_pages(offset=99, now=NOW).items == ()
    assert wiki.list_pages(stale_days=20, now=NOW).total == 3


def test_what_a_viewer_may_not_see_is_in_no_list_and_no_log(make_wiki: MakeWiki):
    files = {
        "wiki/a.md": "---\ntitle: A\nowner: alice\nshared_with: [bob]\n---\nTea. [[B]]\n",
        "wiki/b.md": "---\ntitle: B\nowner: bob\nshared_with: [carol]\n---\nTea. [[A]]\n",
        "wiki/log.md": (
            "# Log\n\n- 2026-05-02T00:00:00Z · bob · verified “B” (b)\n"
            "- 2026-05-02T00:00:00Z · bob · superseded “A” (a) by “B” (b)\n"
            "- 2026-05-01T00:00:00Z · alice · verified “A” (a)\n"
            "- 2026-05-01T00:00:00Z · operator · compiled raw/b.md: 7 new pages\n"
        ),
    }
    root = make_wiki(files)
    alice = Wiki.open(root, viewer="alice")
    assert [page.slug for page in alice.list_pages(now=NOW).items] == ["a"]
    assert alice.users() == ("alice", "bob")
    assert "“A”" in alice.log()
    assert "“B”" not in alice.log()
    assert "compiled" not in alice.log()
    assert "compiled" in Wiki.open(root).log()
    assert Wiki.open(root, viewer="dora").users() == ("dora",)
    assert Wiki.open(root, viewer="dora").log() == ""


def test_a_part_of_the_graph_is_what_lies_nearest(make_wiki: MakeWiki, tmp_path: Path):
    files = {f"wiki/n{n}.md": f"# N{n}\n\nSee [[N{n + 1}]].\n" for n in range(8)}
    files["wiki/tea.md"] = "# Tea\n\nTea is green, see [[N5]].\n"
    wiki = Wiki.open(make_wiki(files))
    assert list(wiki.graph("N3", depth=2).pages) == [f"n{n}.md" for n in range(1, 6)]
    near = wiki.graph("N3", depth=2, limit=3)
    assert list(near.pages) == ["n3.md", "n4.md", "n2.md"]
    assert [(edge.source, edge.target) for edge in near.edges] == [
        ("n2.md", "n3.md"),
        ("n3.md", "n4.md"),
    ]
    about = wiki.graph(about="green tea", depth=1)
    assert list(about.pages) == ["n5.md", "tea.md"]
    assert [edge.link.name for edge in about.edges] == ["N5"]
    assert len(wiki.graph(limit=4).pages) == 4
    assert wiki.graph(about="zyzzyva").pages == {}
