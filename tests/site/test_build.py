"""Whole sites, built by `mkdocs build --strict`."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

import pytest
from mkdocs.exceptions import Abort

from tests.site.conftest import BuildSite

FOREIGN = {
    "wiki/_index.md": "# Wiki Index\n\n- [[nobody]]\n",
    "wiki/README.md": "# Read me\n\n[x](other.md) [gone](gone.md) [abs](/nowhere/at/all) [[Plain]]",
    "wiki/other.md": "no heading at all",
    "wiki/Plain.md": "# Plain <b>bold</b> & co\n\n![p](pics/used.png) ![[gone.png]]",
    "wiki/深度/🍀 花园.md": "---\ntags: word\n---\n# 花园\n\n## 标题 一\n\n多智能体系统。 [[#标题 一]]",
    "wiki/null.md": "---\ntags: [null]\naliases: null\ntitle: 2024\n---\ntext",
    "wiki/broken.md": "---\ntitle: a: b: c\n\ttabs: [\n---\nStill here.",
    "wiki/index/index.md": "# Nested index",
    "wiki/index/README.md": "# Nested readme",
    "wiki/tags/index.md": "# A page at tags",
    "wiki/tags.md": "# A page called tags",
    "wiki/pics/used.png": b"\x89PNG",
    "wiki/pics/unused.png": b"\x89PNG",
    "wiki/data.json": "{}",
    "wiki/many.md": "# One\n\na\n\n# Two\n\nb",
    "wiki/_archive/old.md": "# Put away, UNSEEN",
    "wiki/html.md": "<div markdown='0'>[[Plain]] <a href='other.md'>x</a></div>\n\n{{ jinja }} {% x %}",
}


@pytest.fixture(scope="module")
def foreign(build_site: BuildSite) -> Path:
    return build_site(FOREIGN)


def read(site: Path, address: str) -> str:
    return (site / address / "index.html").read_text(encoding="utf-8")


def test_a_wiki_that_others_wrote_builds_strictly(foreign: Path) -> None:
    built = {path.parent.relative_to(foreign).as_posix() for path in foreign.rglob("index.html")}
    assert {".", "other", "plain", "null", "broken", "many", "tags", "graph"} <= built
    assert len([name for name in built if name.startswith("深度/")]) == 1
    assert len([name for name in built if "tags" in name]) == 4


def test_links_that_lead_nowhere_are_marked_and_others_work(foreign: Path) -> None:
    readme = next(path for path in foreign.glob("readme*/index.html")).read_text(encoding="utf-8")
    assert '<a href="../other/">x</a>' in readme
    assert '<a class="wikilink" href="../plain/">Plain</a>' in readme
    assert readme.count('class="missing"') == 2


def test_titles_are_shown_as_text(foreign: Path) -> None:
    page = read(foreign, "plain")
    assert "<title>Plain bold &amp; co - citewiki</title>" in page.replace("  ", " ")


def test_only_files_that_a_page_shows_are_published(foreign: Path) -> None:
    assert (foreign / "pics" / "used.png").is_file()
    assert not (foreign / "pics" / "unused.png").exists()
    assert not (foreign / "data.json").exists()
    assert not (foreign / "_archive").exists()


def test_of_the_theme_only_what_a_page_asks_for_is_published(foreign: Path) -> None:
    scripts = foreign / "assets" / "javascripts"
    assert [path.name.partition(".")[0] for path in scripts.rglob("*.js")] == ["bundle"]
    assert not list(foreign.rglob("*.map"))
    assert (foreign / "assets/images/favicon.png").is_file()


def test_every_page_has_its_markdown_beside_it(foreign: Path) -> None:
    for item in json.loads((foreign / "index.json").read_text(encoding="utf-8")):
        assert (foreign / unquote(item["markdown"])).is_file()
    head = read(foreign, "plain").partition("</head>")[0]
    for link in ('rel="alternate" type="text/markdown"', 'rel="describedby" type="text/markdown"'):
        before = head[: head.index(f"<link {link}")]
        assert before.count("<noscript") == before.count("</noscript>")
    assert '<link rel="describedby"' in read(foreign, "tags")


def test_several_first_headings_are_all_in_the_table_of_contents(foreign: Path) -> None:
    page = read(foreign, "many")
    assert 'href="#one" class="md-nav__link"' in page.replace("\n", " ").replace("  ", " ")
    assert 'href="#two"' in page


def test_navigation_names_no_wiki_page(build_site: BuildSite) -> None:
    site = build_site({f"wiki/ml/page-{number}.md": "text" for number in range(30)})
    page = read(site, "ml/page-7")
    assert "page-8" not in page
    assert 'href="../../domains/ml/"' in page


def test_what_the_viewer_may_not_see_is_nowhere_in_the_output(build_site: BuildSite) -> None:
    site = build_site(
        {
            "wiki/open.md": "---\nshared_with: ['*', zoe-reader]\ntags: [seen]\n---\n# Open\n\nText.",
            "wiki/vault/plan.md": (
                "---\ntitle: Xylophone Plan\nowner: quentin\ntags: [xenotag]\naliases: [xalias]\n"
                "sources: [{id: xsource, resource: raw/xsource.pdf}]\n---\n"
                "[[Open]] Xbody. ![[xpicture.png]]"
            ),
            "wiki/vault/xpicture.png": b"xbytes",
            "wiki/index.md": (
                "# Mine\n\nHello.\n\n"
                "<!-- citewiki: the list below is written by the program -->\n\n- Xylophone Plan"
            ),
            "wiki/log.md": "# Log\n\n- wrote Xylophone Plan",
            "raw/xsource.pdf": b"%PDF xbytes",
            "raw/manifest.jsonl": '{"id": "xsource", "path": "raw/xsource.pdf", "title": "Xtitle"}\n',
        }
    )
    secrets = [b"xylophone", b"quentin", b"xenotag", b"xalias", b"xsource", b"xbody", b"xpicture",
               b"xbytes", b"xtitle", b"vault", b"zoe-reader"]  # fmt: skip
    for path in site.rglob("*"):
        assert not any(word in path.as_posix().lower().encode() for word in secrets), path
        if path.is_file() and not path.is_relative_to(site / "assets" / "javascripts"):
            content = path.read_bytes().lower()
            assert not [word for word in secrets if word in content], path
    assert "Hello." in read(site, "")


def test_editing_a_page_changes_the_backlinks_of_others(build_site: BuildSite) -> None:
    files = {"wiki/a.md": "# A\n\nNothing.", "wiki/b.md": "# B"}
    site = build_site(files)
    assert "Linked from" not in read(site, "b")
    build_site({"wiki/a.md": "# A\n\nNow it names [[b]] too."}, site.parent)
    assert "Now it names b too." in read(site, "b")


def test_the_same_wiki_gives_the_same_bytes(
    build_site: BuildSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    files = {f"wiki/d{n % 3}/p{n}.md": f"# P {n}\n\n[[p{(n * 7) % 12}]] ^b" for n in range(12)}
    first, second = (
        {
            path.relative_to(site).as_posix(): path.read_bytes()
            for path in site.rglob("*")
            if path.is_file()
        }
        for site in (build_site(files), build_site(files))
    )
    assert first == second


def test_originals_are_published_only_when_asked_for(build_site: BuildSite) -> None:
    files = {
        "wiki/a.md": "---\nsources: [{id: p, resource: raw/p.pdf, locator: p. 2}]\n---\nText.",
        "raw/p.pdf": b"%PDF",
        "raw/other.pdf": b"%PDF",
        "raw/manifest.jsonl": '{"id": "p", "path": "raw/p.pdf", "title": "Paper"}\n',
    }
    site = build_site(files)
    assert "<b>Paper</b>" in read(site, "a")
    assert not (site / "raw").exists()
    settings = "[tool.citewiki.site]\npublish_raw = true\n"
    site = build_site({**files, "pyproject.toml": settings})
    assert '<a href="../raw/p.pdf#page=2">Paper</a>' in read(site, "a")
    assert [path.name for path in (site / "raw").iterdir()] == ["p.pdf"]


def test_a_wrong_setting_is_one_line(
    build_site: BuildSite, caplog: pytest.LogCaptureFixture
) -> None:
    settings = "[tool.citewiki.site]\npublish_raw = 3\n"
    with pytest.raises(Abort):
        build_site({"wiki/a.md": "x", "pyproject.toml": settings})
    assert "tool.citewiki.site.publish_raw must be true or false" in caplog.text


def test_the_log_is_a_page_of_what_can_tell_nothing_hidden(build_site: BuildSite) -> None:
    line = "- 2026-05-12T00:00:00Z · bob · verified “a” (a) by human:bob: of Hidden"
    site = build_site({"wiki/a.md": "x", "wiki/log.md": f"# Log\n\n{line}\n"})
    shown = read(site, "log")
    assert "verified “a” (a) by human:bob" in shown
    assert "Hidden" not in shown


def test_an_empty_wiki_is_a_site_too(build_site: BuildSite) -> None:
    site = build_site({"wiki/.gitkeep": ""})
    assert "<b>0</b>pages" in read(site, "")


def test_a_page_that_has_just_been_taken_in_holds_and_stands_on_the_timeline(
    build_site: BuildSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = "2026-05-12T14:59:58Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(moment).timestamp())))
    front = f"---\ntitle: New\ningested_at: {moment}\nvalid_from: {moment}\n---\n"
    site = build_site({"wiki/new.md": f"{front}It takes 40 days."})
    assert "New" in (site / "timeline/index.html").read_text("utf-8")
