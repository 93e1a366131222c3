"""The ways in which links go wrong elsewhere, each through a real build of one wiki."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest

from citewiki.index.graph import link_graph
from citewiki.lint import lint_wiki
from citewiki.store.pages import load_pages
from tests.conftest import NOW
from tests.site.conftest import BuildSite

STREET = "Đường phố"
WIKI = {
    # 1 and 2
    "notes/Note two.md": "# Note two\n\nText.",
    "both/Plan B.md": "# b\n\nThe exact one.",
    "both/other/plan b.md": "---\nslug: folded\n---\n# c\n\nThe folded one.",
    "names.md": "[[Note Two]] [[Plan B]] [[plan b]] [[second note]] [[third note]]",
    "alias.md": "---\naliases: [second note, third note]\n---\n# An aliased page",
    "third note.md": "# A file called so",
    # 3
    f"{unicodedata.normalize('NFD', STREET)}.md": "A street.",
    "composed.md": f"[[{unicodedata.normalize('NFC', STREET)}]]",
    "decomposed.md": f"[[{unicodedata.normalize('NFD', STREET)}]]",
    # 4
    "table.md": "| a | b |\n|---|---|\n| [[target\\|words]] | [[#Network]] and [[target]] |\n\n# Network\n",
    # 5
    "front.md": '---\nrelated: "[[target|b]]"\nnote: "[[target]] and [[nobody]]"\n---\nText.\n',
    # 6, 7 and 8
    "target.md": (
        "# Part\n\n## ReplicaSet\n\nWhat it says.\n\n## Đề mục tiếng Việt\n\n## 标题 一\n\n"
        "## て-sequence\n\nA paragraph. ^block-id\n\n- an item ^item\n    - below it\n\n"
        "| t | u |\n|---|---|\n| 1 | 2 |\n\n^rows\n\n## Named ^named\n\n## Same\n\n## Same\n"
    ),
    "headings.md": (
        "[[target##ReplicaSet|R]] [[target#Đề mục tiếng Việt]] [[target#标题 一]] "
        "[[target#て-sequence]] [[target#Part#ReplicaSet]] [[target#replicaset]] [[target#Same]] "
        "[x](target.md#same-1) [y](target.md#%E6%A0%87%E9%A2%98-%E4%B8%80)"
    ),
    "blocks.md": "[[target#^block-id]] [[target#^item]] [[target#^rows]] [[target#^named]]",
    # 9, 10 and 11
    "embeds.md": "![[target]]\n\n![[notes/Note two|words]]\n\n![[target#^block-id]]",
    "itself.md": "## One\n\nHere.\n\n![[#One]]\n",
    "circle-a.md": "In A.\n\n![[circle-b]]",
    "circle-b.md": "In B.\n\n![[circle-a]]",
    "sections.md": "## A\n\nOf A.\n\n## B\n\nOf B.\n",
    "two-sections.md": "![[sections#A]]\n\n![[sections#B]]\n",
    # 12 and 13
    "code.md": (
        "`[[target]]`\n\n```\n[[target]]\n```\n\nText:\n\n    [[target]]\n\n<!-- [[target]] -->\n\n"
        "%%[[target]]%%\n\n$[[target]]$\n\n%%\n\n[[target]]\n\n%%\n\n"
        '```mermaid\ngraph TD; a[["Switch"]]\n```\n\n```bash\n[[ -n "$x" ]] && echo\n```\n\n'
        "```toml\n[[outputs.x]]\n```\n\n`[[:space:]]` and [[:space:]]\n"
    ),
    "escaped.md": "\\[[target]] \\![[target]]",
    # 14, 15 and 16
    "line.md": "[[target|x]] and [[notes/Note two|y]]",
    "missing.md": "[[Missing Page]] ![[Missing Page]] [gone](gone.md)",
    "b/Dup.md": "---\nslug: dup-b\n---\nb",
    "c/Dup.md": "---\nslug: dup-c\n---\nc",
    "c/here.md": "[[Dup]] [[b/Dup]]",
    "elsewhere.md": "[[Dup]] [[c/Dup]]",
    # 17 and 18
    "section-link.md": "It rests on [[note-b#section]].",
    "note-b.md": "# Note B\n\n## section\n",
    "signs.md": "[[C++ (x) .*]] [[C]]",
    "cpp.md": '---\ntitle: "C++ (x) .*"\n---\n',
    "c-only.md": "---\ntitle: C\n---\n",
    # 19
    "tag-scalar.md": "---\ntags: word\n---\nText #word and #nothing and #1.",
    "tag-null.md": "---\ntags: [null]\n---\nText",
    "tag-year.md": "---\ntags: 2024\n---\nText",
    # 24
    "renamed.md": "---\ntitle: New Name\naliases: [Old Name]\n---\nText",
    "old-link.md": "[[Old Name]]",
}  # fmt: skip


@pytest.fixture(scope="module")
def site(build_site: BuildSite) -> Path:
    return build_site({f"wiki/{path}": text for path, text in WIKI.items()})


@cache
def text_of(site: Path, address: str) -> str:
    """The article of a page, without what stands under it."""
    whole = (site / address / "index.html").read_text(encoding="utf-8")
    return whole.partition("<article")[2].partition('class="cw-foot"')[0]


def targets(site: Path, address: str) -> list[str]:
    """Where the links in a page's text lead, from the top of the site."""
    found = re.findall(
        r'<a (?=[^>]*href="([^"]*)")(?![^>]*headerlink)[^>]*>', text_of(site, address)
    )
    absolute = (unquote(urljoin(f"/{address}/", unescape(href))) for href in found)
    return [
        href.lstrip("/") for href in absolute if "/domains/" not in href and "/tags/" not in href
    ]


def shown(site: Path, address: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text_of(site, address))).split())


def edges(site: Path) -> set[tuple[str, str]]:
    pages, _ = load_pages(site.parent / "wiki")
    return {(edge.source, edge.target) for edge in link_graph(pages).edges}


def test_a_name_resolves_in_any_folder_and_case_and_the_exact_spelling_wins(site: Path) -> None:
    two, exact, folded = targets(site, "names")[:3]
    assert two == "notes/note-two/"
    assert "The exact one." in text_of(site, exact.rstrip("/"))
    assert "The folded one." in text_of(site, folded.rstrip("/"))


def test_an_alias_makes_link_backlink_and_edge_and_a_file_name_goes_first(site: Path) -> None:
    assert targets(site, "names")[3:] == ["alias/", "third-note/"]
    assert ("names.md", "alias.md") in edges(site)
    backlinks = json.loads((site / "backlinks.json").read_text(encoding="utf-8"))
    assert "names" in json.dumps(backlinks["alias"])


def test_the_unicode_forms_of_a_name_are_one_page(site: Path) -> None:
    composed = unicodedata.normalize("NFC", "đường-phố")
    assert targets(site, "composed") == targets(site, "decomposed") == [f"{composed}/"]
    assert (site / composed / "index.html").is_file()


def test_a_link_in_a_table_cell_leaves_the_cell_whole(site: Path) -> None:
    assert text_of(site, "table").count("<td>") == 2
    assert targets(site, "table") == ["target/", "table/#network", "target/"]
    assert "words" in shown(site, "table")


def test_front_matter_is_not_rewritten(site: Path) -> None:
    written = (site.parent / "wiki" / "front.md").read_text(encoding="utf-8")
    assert written == WIKI["front.md"]
    assert ("front.md", "target.md") in edges(site)


def test_a_heading_link_leads_to_the_headings_id_in_any_script(site: Path) -> None:
    found = targets(site, "headings")
    assert found == [
        "target/#replicaset", "target/#đề-mục-tiếng-việt", "target/#标题-一", "target/#て-sequence",
        "target/#replicaset", "target/#replicaset", "target/#same", "target/#same_1",
        "target/#标题-一",
    ]  # fmt: skip
    for address in found:
        assert f'id="{address.partition("#")[2]}"' in text_of(site, "target")


def test_a_block_link_leads_to_the_block_whose_marker_is_hidden(site: Path) -> None:
    found = targets(site, "blocks")
    assert found == ["target/#^block-id", "target/#^item", "target/#^rows", "target/#named"]
    page = text_of(site, "target")
    assert '<p id="^block-id">A paragraph.</p>' in page
    assert re.search(r'<li id="\^item">an item\s*<ul', page)
    assert '<table id="^rows">' in page
    assert "^" not in shown(site, "target")


def test_an_embedded_page_section_or_block_is_shown_with_a_link_to_it(site: Path) -> None:
    page = text_of(site, "embeds")
    assert page.count('class="embed"') == 3
    assert "<img" not in page
    assert {"target/", "notes/note-two/", "target/#^block-id"} <= set(targets(site, "embeds"))
    assert shown(site, "embeds").count("A paragraph.") == 2


@pytest.mark.parametrize("page", ["itself", "circle-a", "circle-b"])
def test_a_circle_of_embeds_stops_and_says_so(site: Path, page: str) -> None:
    assert text_of(site, page).count("embed-stopped") == 1
    assert "not shown again" in shown(site, page)


def test_two_sections_of_one_page_are_no_circle(site: Path) -> None:
    assert "embed-stopped" not in text_of(site, "two-sections")
    assert "Of A." in shown(site, "two-sections")
    assert "Of B." in shown(site, "two-sections")


def test_nothing_in_code_comments_math_and_diagrams_is_a_link_or_an_edge(site: Path) -> None:
    page = text_of(site, "code")
    assert targets(site, "code") == []
    assert "missing" not in page
    assert not [edge for edge in edges(site) if edge[0] == "code.md"]
    assert shown(site, "code").count("[[target]]") >= 3
    assert 'a[["Switch"]]' in shown(site, "code")


def test_an_escaped_link_is_shown_as_written(site: Path) -> None:
    assert "[[target]] !" in shown(site, "escaped")
    assert targets(site, "escaped") == ["target/"]


def test_two_links_on_one_line_are_two(site: Path) -> None:
    assert targets(site, "line") == ["target/", "notes/note-two/"]


def test_a_missing_page_is_marked_reported_and_a_placeholder_in_the_graph(site: Path) -> None:
    assert targets(site, "missing") == []
    assert text_of(site, "missing").count('class="missing"') == 3
    problems = lint_wiki(site.parent, now=NOW)
    said = [problem for problem in problems if problem.path == "wiki/missing.md"]
    assert "missing-page" in {problem.code for problem in said}
    assert "Missing Page" in (site / "graph.json").read_text(encoding="utf-8")


def test_of_two_pages_with_one_name_the_nearer_is_meant_and_lint_tells(site: Path) -> None:
    assert [address.rpartition("dup-")[2] for address in targets(site, "c/here")] == ["c/", "b/"]
    assert targets(site, "elsewhere")[1].endswith("dup-c/")
    problems = lint_wiki(site.parent, now=NOW)
    assert "ambiguous-link" in {p.code for p in problems if p.path == "wiki/elsewhere.md"}


def test_a_link_to_a_section_is_a_backlink_of_its_page(site: Path) -> None:
    whole = (site / "note-b" / "index.html").read_text(encoding="utf-8")
    assert "It rests on note-b" in unescape(re.sub(r"<[^>]+>", "", whole))


def test_titles_with_signs_are_matched_exactly(site: Path) -> None:
    assert targets(site, "signs") == ["cpp/", "c-only/"]
    assert {("signs.md", "cpp.md"), ("signs.md", "c-only.md")} <= edges(site)


def test_tags_are_read_as_a_list_of_texts(site: Path) -> None:
    tags = (site / "tags" / "index.html").read_text(encoding="utf-8")
    assert {"word", "2024"} <= set(re.findall(r'<dt id="[^"]*">([^<]*)', tags))
    assert "null" not in re.findall(r'<dt id="[^"]*">([^<]*)', tags)
    assert 'tags/#tag:word">#word</a>' in text_of(site, "tag-scalar")
    assert "#nothing and #1." in shown(site, "tag-scalar")


def test_a_link_by_an_old_title_still_leads_to_the_page(site: Path) -> None:
    assert targets(site, "old-link") == ["renamed/"]
