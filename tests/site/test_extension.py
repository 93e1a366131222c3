"""The wikilink forms of DESIGN §3, each as a page shows it."""

from __future__ import annotations

import unicodedata

import pytest

from citewiki.markdown.structure import headings
from citewiki.site.render import Renderer
from tests.site.conftest import Html, Model, links


def test_a_title_is_linked_whatever_its_case_and_folder(html: Html) -> None:
    shown = html("[[Note Two]]", {"deep/Note two.md": "text"})
    assert links(shown) == [("../deep/note-two/", "Note Two")]


def test_the_exact_spelling_goes_before_the_folded_one(html: Html) -> None:
    files = {"x/Note two.md": "a", "y/Note Two.md": "---\nslug: exact\n---\nb"}
    assert links(html("[[Note Two]]", files)) == [("../y/exact/", "Note Two")]


def test_an_alias_is_linked_but_a_file_name_goes_first(html: Html) -> None:
    aliased = {"b.md": "---\naliases: [second note]\n---\nb"}
    assert links(html("[[second note]]", aliased)) == [("../b/", "second note")]
    named = {**aliased, "second note.md": "c"}
    assert links(html("[[second note]]", named)) == [("../second-note/", "second note")]


@pytest.mark.parametrize(("written", "stored"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_unicode_forms_of_one_name_are_one_page(html: Html, written: str, stored: str) -> None:
    name = "Đường phố"
    files = {f"{unicodedata.normalize(stored, name)}.md": "text"}
    shown = html(f"[[{unicodedata.normalize(written, name)}]]", files)
    assert [address for address, _ in links(shown)] == ["../%C4%91%C6%B0%E1%BB%9Dng-ph%E1%BB%91/"]


def test_a_link_with_words_leaves_its_table_cell_whole(html: Html) -> None:
    table = "| a | b |\n|---|---|\n| [[b\\|words]] | [[#Network]] |\n\n# Network\n"
    shown = html(table, {"b.md": "b"})
    assert shown.count("<td>") == 2
    assert links(shown)[:2] == [("../b/", "words"), ("#network", "Network")]


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("[[b#Key Idea]]", "../b/#key-idea"),
        ("[[b##Key Idea|x]]", "../b/#key-idea"),
        ("[[b#Part#Key Idea]]", "../b/#key-idea"),
        ("[[b#Đề mục tiếng Việt]]", "../b/#%C4%91%E1%BB%81-m%E1%BB%A5c-ti%E1%BA%BFng-vi%E1%BB%87t"),
        ("[[b#标题 一]]", "../b/#%E6%A0%87%E9%A2%98-%E4%B8%80"),
        ("[[b#て-sequence]]", "../b/#%E3%81%A6-sequence"),
        ("[[b#Nowhere]]", "../b/"),
    ],
)
def test_a_heading_link_leads_to_the_headings_id(html: Html, link: str, address: str) -> None:
    body = "# Part\n\n## Key Idea\n\n## Đề mục tiếng Việt\n\n## 标题 一\n\n## て-sequence\n"
    assert links(html(link, {"b.md": body}))[0][0] == address


def test_ids_that_links_use_are_the_ids_of_headings(html: Html) -> None:
    written = ["C++ (x) .*", "Same", "Same", "A *b* `c`", "标题 一", "Đề mục", "With [[b]] in it"]
    body = "\n\n".join(f"## {heading}" for heading in written)
    shown = html(body)
    for heading in headings(body):
        assert f'id="{heading.anchor}"' in shown


def test_a_block_carries_its_id_and_hides_the_marker(html: Html) -> None:
    shown = html("See [[#^b1]] and [[#^b2]].\n\nWords. ^b1\n\n- item\n- last\n\n^b2\n")
    assert [address for address, _ in links(shown)] == ["#^b1", "#^b2"]
    assert '<p id="^b1">Words.</p>' in shown
    assert '<ul id="^b2">' in shown
    assert shown.count("^b2") == 2 + 1  # address, words and id


@pytest.mark.parametrize(
    "code",
    [
        "`[[b]]`",
        "```\n[[b]]\n```",
        "    [[b]]",
        "<!-- [[b]] -->",
        "%%[[b]]%%",
        "$[[b]]$",
        '```bash\n[[ -n "$x" ]] && echo\n```',
        "```toml\n[[outputs.x]]\n```",
        '```mermaid\ngraph TD; a[["Switch"]]\n```',
        "`[[:space:]]`",
    ],
)
def test_nothing_inside_code_comments_and_math_is_a_link(html: Html, code: str) -> None:
    shown = html(f"Before.\n\n{code}\n\nAfter.", {"b.md": "b"})
    assert "wikilink" not in shown
    assert "missing" not in shown
    assert "\x02" not in shown


def test_code_shows_what_was_written(html: Html) -> None:
    shown = html("- item\n\n    `[[b]]` and\n\n```\n[[b|c]]\n```\n", {"b.md": "b"})
    assert "<code>[[b]]</code>" in shown
    assert "[[b|c]]" in shown


def test_obsidian_comments_are_not_shown(html: Html) -> None:
    assert html("a %%secret [[b]]%% z") == "<p>a  z</p>"


def test_an_escaped_link_is_shown_as_written(html: Html) -> None:
    assert html("\\[[b]]", {"b.md": "b"}) == "<p>[[b]]</p>"


def test_two_links_on_one_line_are_two(html: Html) -> None:
    shown = html("[[A|x]] and [[b/B|y]]", {"b/B.md": "b"})
    assert links(shown) == [("../a/", "x"), ("../b/b/", "y")]


def test_a_missing_page_is_marked_and_leads_nowhere(html: Html) -> None:
    shown = html("[[Missing Page|words]]")
    assert shown == (
        '<p><span class="missing" title="no page is called “Missing Page”">words</span></p>'
    )


def test_of_two_pages_with_one_name_the_nearer_is_meant(model: Model) -> None:
    made = model({"b/Dup.md": "b", "c/Dup.md": "c", "c/x.md": "[[Dup]]", "a.md": "[[c/Dup]]"})
    renderer = Renderer(made)
    assert links(renderer.draw("c/x.md").body)[0][0] == "../../" + made.urls["c/Dup.md"]
    assert links(renderer.draw("a.md").body)[0][0] == "../" + made.urls["c/Dup.md"]


def test_titles_with_signs_are_matched_exactly(html: Html) -> None:
    files = {"p.md": '---\ntitle: "C++ (x) .*"\n---\n', "q.md": "---\ntitle: C\n---\n"}
    assert links(html("[[C++ (x) .*]] [[C]]", files)) == [
        ("../p/", "C++ (x) .*"),
        ("../q/", "C"),
    ]


def test_pictures_are_found_by_name_and_sized(html: Html) -> None:
    files = {"files/image one.png": b"", "files/film.mp4": b"", "files/paper.pdf": b""}
    shown = html("![[image one.png|300]] ![[image one.png|words|20x10]]", files)
    assert '<img alt="" loading="lazy" src="../files/image%20one.png" width="300" />' in shown
    assert 'alt="words" height="10"' in shown
    assert 'src="../files/film.mp4"></video>' in html("![[film.mp4]]", files)
    assert links(html("![[paper.pdf]]", files)) == [("../files/paper.pdf", "paper.pdf")]


def test_markdown_links_lead_to_pages_files_and_headings(html: Html) -> None:
    files = {"b.md": "# One\n\n## Two\n", "x y.png": b"", "deep/c.md": "c"}
    shown = html("[p](b.md#two) [q](deep/c.md) [r](/b.md) ![s](x%20y.png) [t](b) [u](#v)", files)
    assert [address for address, _ in links(shown)] == [
        "../b/#two",
        "../deep/c/",
        "../b/",
        "../b/",
        "#v",
    ]
    assert 'src="../x%20y.png"' in shown


def test_markdown_links_to_nowhere_are_marked(html: Html) -> None:
    shown = html("[gone](gone.md) [abs](/no/where) ![pic](gone.png) <a href='gone.md'>raw</a>")
    assert "href" not in shown
    assert "src" not in shown
    assert shown.count("missing") == 4


def test_addresses_of_the_web_are_left_alone(html: Html) -> None:
    shown = html("[w](https://example.org/a.md) <mailto:a@b.c> [m](mailto:x@y.z)")
    assert 'href="https://example.org/a.md"' in shown
    assert "mailto:x@y.z" in shown


def test_a_bare_web_address_is_a_link(html: Html) -> None:
    assert links(html("See https://example.org/x_(y), or (https://a.b).")) == [
        ("https://example.org/x_(y)", "https://example.org/x_(y)"),
        ("https://a.b", "https://a.b"),
    ]


def test_links_to_the_lists_of_the_wiki_lead_to_the_home_page(html: Html) -> None:
    assert [address for address, _ in links(html("[[index]] [home](index.md)"))] == ["../", "../"]


def test_an_archived_page_is_named_but_not_linked(html: Html) -> None:
    shown = html("[[Old]] [o](_archive/old.md)", {"_archive/old.md": "---\ntitle: Old\n---\n"})
    assert "href" not in shown
    assert '<span class="archived" title="this page has been archived">Old</span>' in shown


def test_a_superseded_page_is_linked_and_says_so(html: Html) -> None:
    files = {"b.md": "---\nsuperseded_by: c\n---\n", "c.md": "---\ntitle: New\n---\n"}
    shown = html("[[b]]", files)
    assert 'class="wikilink superseded"' in shown
    assert 'title="superseded by “New”"' in shown


def test_a_footnote_that_names_a_source_shows_title_place_and_words(html: Html) -> None:
    shown = html('Claim.[^p.1]\n\n[^p.1]: raw/paper.pdf, p. 4: "a <b> [[c]] *d*"\n')
    assert "<cite>paper.pdf</cite>" in shown
    assert '<span class="locator">p. 4</span>' in shown
    assert "<q>a &lt;b&gt; [[c]] *d*</q>" in shown


def test_a_footnote_in_a_persons_words_keeps_them(html: Html) -> None:
    shown = html("Claim.[^1]\n\n[^1]: See https://example.org and **think**.\n")
    assert "See <a href=" in shown
    assert "<strong>think</strong>" in shown


def test_no_control_character_reaches_the_page(html: Html) -> None:
    shown = html(
        "\x02w0\x03 \x02root/ [[b]] ![[b]] <b title='[[b]]'>x</b> ![[[b]]](x.png)", {"b.md": "b"}
    )
    assert "\x02" not in shown
    assert "\x03" not in shown


def test_many_links_in_one_paragraph_take_linear_time(model: Model) -> None:
    links_of_one = " ".join(f"[[b|{number}]] https://x.y/{number}" for number in range(2000))
    made = model({"b.md": "b"})
    shown = Renderer(made).draw("a.md", links_of_one, "a/").body
    assert shown.count("<a ") == 4000


def test_a_page_nested_too_deeply_is_shown_as_text_and_named(model: Model) -> None:
    renderer = Renderer(model({"a.md": "".join("  " * n + "- a\n" for n in range(400))}))
    assert renderer.draw("a.md").body.startswith("<pre>- a")
    assert [problem.path for problem in renderer.problems] == ["a.md"]


def test_words_of_a_link_may_hold_markup(html: Html) -> None:
    assert '">a <em>b</em> <code>c</code></a>' in html("[[b|a *b* `c`]]", {"b.md": "b"})
