"""Time on a built site: banners, history, timeline, pages that disagree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.site.conftest import BuildSite, links

FILES = {
    "wiki/ml/old.md": (
        "---\ntitle: Old\ningested_at: 2020-01-02\nsuperseded_by: new\n"
        "superseded_at: 2020-02-01\nvalid_until: 2020-02-01\n---\nText.\n"
    ),
    "wiki/ml/new.md": "---\ntitle: New\ningested_at: 2020-02-01\nsupersedes: [old]\n---\nText.\n",
    "wiki/ml/one.md": "# Retention\n\nThe retention period of archived pages is 90 days.\n",
    "wiki/ml/two.md": "# Cleaning\n\nThe retention period of archived pages is 180 days.\n",
    "wiki/ml/gone.md": (
        "---\nvalid_until: 2020-01-01\n---\n# Gone\n\n"
        "The retention period of archived pages is 20 days.\n"
    ),
    "wiki/_archive/ml/away.md": "---\ntitle: QQaway\ningested_at: 2020-01-01\n---\nx\n",
    "wiki/log.md": "# Log\n\n- 2020-02-01T00:00:00Z · bob · superseded “Old” (old) by “New” (new)\n",
}


@pytest.fixture(scope="module")
def site(build_site: BuildSite) -> Path:
    return build_site(FILES)


def read(site: Path, address: str) -> str:
    return (site / address / "index.html").read_text(encoding="utf-8")


def test_a_superseded_page_leads_to_the_newest(site: Path) -> None:
    page = read(site, "ml/old")
    assert '<div class="cw-banner cw-banner-superseded" role="note">' in page
    assert ("../../ml/new/", "New") in links(page)
    assert "superseded “Old” (old) by “New” (new) (bob)" in page


def test_pages_that_disagree_show_both_sentences_and_stand_in_a_list(site: Path) -> None:
    page = read(site, "ml/one")
    assert "Another page says otherwise:" in page
    assert "There: <q>The retention period of archived pages is 180 days.</q>" in page
    found = read(site, "disagreements")
    assert found.count("<li><a href=") == 1
    assert {"../ml/one/", "../ml/two/"} <= {address for address, _ in links(found)}
    assert "20 days" not in found


def test_the_timeline_works_without_a_script_and_names_no_archived_page(site: Path) -> None:
    page = read(site, "timeline")
    assert '<h2 id="2020-02">Feb 2020</h2>' in page
    assert '<time datetime="2020-02-01">1 Feb 2020</time>' in page
    assert ("../ml/old/", "Old") in links(page)
    assert "QQaway" not in page
    assert not [path for path in site.rglob("*.html") if "QQaway" in path.read_text("utf-8")]


def test_a_site_as_it_is_bears_no_mark_of_a_snapshot(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "cw-then" not in text
        assert "noindex" not in text
    assert "as_of" not in (site / "ml/new/index.md").read_text("utf-8")


def test_what_a_wiki_does_not_have_is_not_in_its_navigation(
    site: Path, build_site: BuildSite
) -> None:
    assert "Disagreements" in read(site, "ml/new")
    bare = build_site({"wiki/a.md": "# A\n"})
    assert not (bare / "timeline").exists()
    assert not (bare / "disagreements").exists()
    assert "Timeline" not in read(bare, "a")
