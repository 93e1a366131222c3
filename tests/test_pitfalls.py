"""What goes wrong for people who keep wikis: names, links and files, from source to page.

`COVERED` names the test that holds each pitfall off where a room's own tests do it; the tests
below take the same pitfalls through the whole way from a source to its page.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from citewiki.config import Config
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import take_in
from citewiki.distill.running import Compiled
from citewiki.index.graph import link_graph
from citewiki.lint import lint_wiki
from citewiki.model import Page
from citewiki.sources.manifest import load_manifest
from citewiki.store.names import Names
from citewiki.store.pages import load_pages, parse_page
from tests.conftest import NOW, MakeWiki, write_files

COVERED: dict[str, tuple[str, ...]] = {
    "a title without ASCII letters has no slug": (
        "text/test_slugs.py::test_a_slug_keeps_the_letters_of_its_title",
        "text/test_slugs.py::test_a_title_without_letters_gets_a_slug_of_its_own",
        "test_pitfalls.py::test_every_odd_title_has_a_page_of_its_own_that_links_reach",
    ),
    "two titles share a slug and a page is lost": (
        "text/test_slugs.py::test_titles_never_share_a_slug",
        "store/test_pages.py::test_two_files_never_share_a_slug_and_lint_hears_of_it",
        "distill/test_compile.py::test_titles_of_two_sources_that_are_the_same_make_two_pages",
    ),
    "names with diacritics are cut to single letters": (
        "text/test_slugs.py::test_a_slug_keeps_the_letters_of_its_title",
        "distill/test_crosslinks.py::test_vietnamese_names_link_as_whole_words",
    ),
    "two Unicode forms of a name are two pages": (
        "text/test_slugs.py::test_composed_and_decomposed_spellings_have_one_slug",
        "store/test_names.py::test_nfc_and_nfd_are_one_name",
        "test_pitfalls.py::test_a_source_from_a_mac_is_known_when_it_comes_from_elsewhere",
    ),
    "signs, length, emoji and device names in titles": (
        "text/test_slugs.py::test_every_slug_is_a_safe_name_and_its_own_slug",
        "text/test_slugs.py::test_names_that_a_system_reserves_are_not_used",
        "text/test_slugs.py::test_a_long_title_is_cut_at_a_word",
        "test_pitfalls.py::test_every_odd_title_has_a_page_of_its_own_that_links_reach",
    ),
    "links are guessed": (
        "store/test_names.py::test_a_missing_name_is_never_guessed_but_near_ones_are_offered",
        "test_pitfalls.py::test_a_link_that_the_program_made_leads_to_a_page",
    ),
    "links in code, comments and math are rewritten": (
        "markdown/test_regions.py::test_indented_code_is_protected_where_it_is_code",
        "distill/test_crosslinks.py::"
        "test_code_headings_links_comments_math_footnotes_and_addresses_are_left_alone",
        "site/test_extension.py::test_nothing_inside_code_comments_and_math_is_a_link",
        "test_pitfalls.py::test_what_is_no_prose_in_a_source_stays_as_it_was",
    ),
    "a bar cuts a table's row": (
        "markdown/test_wikilinks.py::test_the_bar_in_a_table_cell_is_escaped",
        "distill/test_crosslinks.py::test_a_bar_inside_a_table_is_escaped",
        "site/test_extension.py::test_a_link_with_words_leaves_its_table_cell_whole",
    ),
    "a title links inside a longer word": (
        "distill/test_crosslinks.py::"
        "test_parts_of_words_other_cases_of_acronyms_and_common_words_do_not_link",
    ),
    "aliases are ignored": (
        "distill/test_crosslinks.py::test_an_alias_links_to_the_title",
        "site/test_extension.py::test_an_alias_is_linked_but_a_file_name_goes_first",
    ),
    "a heading link breaks at signs or foreign letters": (
        "site/test_extension.py::test_a_heading_link_leads_to_the_headings_id",
        "site/test_links.py::test_a_heading_is_found_by_its_words_whatever_the_signs",
        "test_pitfalls.py::test_a_title_that_holds_a_number_sign_is_an_edge",
    ),
    "two pages of one title in different folders": (
        "store/test_names.py::"
        "test_among_pages_of_one_name_the_own_folder_then_the_shortest_path_is_meant",
        "test_lint.py::test_an_ambiguous_link_is_reported_with_what_it_could_mean",
        "distill/test_crosslinks.py::"
        "test_a_name_that_two_pages_have_does_not_link_to_the_wrong_one",
    ),
    "old encodings are misread": (
        "sources/test_encoding.py::test_a_text_is_read_in_the_encoding_it_was_written_in",
        "sources/test_encoding.py::test_a_stray_zero_byte_makes_no_utf16",
        "test_pitfalls.py::test_a_source_in_any_encoding_is_a_page_in_its_words",
    ),
    "a byte order mark hides the front matter": (
        "markdown/test_frontmatter.py::test_a_file_is_split_at_its_fences",
        "store/test_pages.py::"
        "test_windows_line_ends_and_a_byte_order_mark_are_read_and_line_ends_kept",
        "test_pitfalls.py::test_a_source_from_windows_is_read_with_its_front_matter",
    ),
    "line ends of Windows": (
        "markdown/test_frontmatter.py::test_line_ends_of_windows_are_kept",
        "test_pitfalls.py::test_a_source_from_windows_is_read_with_its_front_matter",
    ),
    "tabs, repeated keys, colons and rules in front matter": (
        "markdown/test_frontmatter.py::test_what_yaml_refuses_is_read_as_it_was_meant_and_reported",
        "markdown/test_frontmatter.py::"
        "test_of_a_key_given_twice_the_last_counts_and_the_second_is_reported",
        "markdown/test_frontmatter.py::test_a_file_is_split_at_its_fences",
    ),
    "values change their type": (
        "markdown/test_frontmatter.py::test_values_are_texts_of_no_other_type",
        "store/test_pages.py::test_values_keep_the_type_that_was_written",
        "test_pitfalls.py::test_values_that_yaml_would_retype_reach_the_page_as_written",
    ),
    "a source that vanished takes its pages with it": (
        "distill/test_compile.py::test_a_source_that_vanished_deletes_nothing_and_is_reported",
        "distill/test_compile.py::test_a_section_that_left_its_source_keeps_its_page_and_is_reported",
    ),
}

TITLES = (
    "深度学习",
    "Nguyễn Văn Đức",
    "Nguyễn Văn Đực",
    "Привет, мир",
    "😀🎉",
    "🎉",
    'a/b\\c: d? *e* "f" <g>',
    "...hidden.",
    "trailing   ",
    "CON",
    "aux",
    "index",
    "log",
    "C++",
    "C#",
    "C",
    "Straße",
    "STRASSE",
    "Same",
    "same",
    "长" * 250,
    "長" * 250,
    "word " * 60 + "one",
    "word " * 60 + "two",
    "--- : ---",
    "no",
    "1.10",
    "2024-01-01",
    "[draft] @home",
)


@pytest.mark.parametrize("pitfall", COVERED)
def test_every_pitfall_has_tests_that_exist(pitfall: str) -> None:
    for name in COVERED[pitfall]:
        file, _, function = name.partition("::")
        text = (Path(__file__).parent / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), name


def distilled(root: Path, files: dict[str, str | bytes]) -> tuple[list[Page], Compiled]:
    """The pages that `files` become in the wiki at `root`."""
    take_in(root, [write_files(root.parent / "inbox", files)], now=NOW)
    done = compile_sources(root, Config(), now=NOW, version="test")
    return load_pages(root / "wiki")[0], done


def test_every_odd_title_has_a_page_of_its_own_that_links_reach(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    files = {f"{n}.md": f"# {title}\n\nText number {n}.\n" for n, title in enumerate(TITLES)}
    pages, _ = distilled(root, dict(files))
    assert len({page.slug for page in pages}) == len({page.path for page in pages}) == len(TITLES)
    assert {n for n, _ in enumerate(TITLES) for p in pages if f"Text number {n}." in p.body} == {
        *range(len(TITLES))
    }
    names = Names(pages)
    for page in pages:
        assert names.resolve(page.title, page.path).path is not None
        assert names.resolve(page.slug, "").path == page.path
    assert [problem for problem in lint_wiki(root) if problem.severity == "error"] == []


def test_a_source_from_a_mac_is_known_when_it_comes_from_elsewhere(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    name, text = "Đường phố Hà Nội", "# Đường phố Hà Nội\n\nPhố đông người.\n"
    mac = unicodedata.normalize("NFD", name)
    distilled(root, {f"{mac}.md": unicodedata.normalize("NFD", text)})
    (root.parent / "inbox" / f"{mac}.md").unlink()
    pages, done = distilled(root, {f"{name}.md": text})
    assert [(page.title, page.slug) for page in pages] == [(name, "đường-phố-hà-nội")]
    assert (len(load_manifest(root)), done.made) == (1, ())


def test_a_link_that_the_program_made_leads_to_a_page(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    pages, _ = distilled(
        root,
        {
            "fusion.md": "# Rank fusion\n\nRank fusion merges lists of Okapi BM25 and of C++.\n",
            "bm25.md": "# Okapi BM25\n\nOkapi BM25 ranks. Rank Fusion uses it.\n\n## Limits\n\nNone.\n",
            "cpp.md": "# C++\n\nA language, as fast as Okapi BM25, and no rank fusions.\n",
        },
    )
    graph = link_graph(pages)
    assert graph.missing == {}
    assert len(graph.edges) >= 4


def test_what_is_no_prose_in_a_source_stays_as_it_was(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    kept = (
        "    rank fusion opens the text",
        "`rank fusion`",
        '```sh\n[[ -n "$rank fusion" ]]\n```',
        "<!-- rank fusion -->",
        "$rank fusion$",
    )
    under = "## Below\n    rank fusion under its heading"
    text = "# Code\n\n" + "\n\n".join((*kept, under)) + "\n\nWords to read.\n"
    pages, _ = distilled(root, {"a.md": text, "b.md": "# Rank fusion\n\nIt merges lists.\n"})
    body = "".join(page.body for page in pages if page.title != "Rank fusion")
    for part in (*(part for part in kept if not part.startswith("<!--")), under.split("\n")[1]):
        assert part in body
    assert "[[Rank fusion" not in body


def test_a_title_that_holds_a_number_sign_is_an_edge() -> None:
    pages = [
        parse_page("# F# notes\n\nText.\n", "f-sharp.md"),
        parse_page("# A\n\nSee [[F# notes]], [[C#]] and [[B#Part]].\n", "a.md"),
        parse_page("# B\n\n## Part\n\nText.\n", "b.md"),
    ]
    graph = link_graph(pages)
    assert [(e.target, e.link.name, e.link.heading) for e in graph.edges] == [
        ("f-sharp.md", "F# notes", ""),
        ("", "C#", ""),
        ("b.md", "B", "Part"),
    ]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Das Größte “Zitat” kostet fünf €, und der Rest ist naïve.", "cp1252"),
        ("深度学习是机器学习的一个分支，使用多层神经网络来学习数据的表示方法。", "gbk"),
        ("東京の天気は今日も晴れです。明日は雨が降るでしょう。", "shift_jis"),
        ("Plain words and Größe in two bytes each.", "utf-16"),
        ("Plain words and Größe in two bytes each.", "utf-16-be"),
    ],
)
def test_a_source_in_any_encoding_is_a_page_in_its_words(
    make_wiki: MakeWiki, text: str, encoding: str
) -> None:
    pages, done = distilled(make_wiki({}), {"note.txt": text.encode(encoding)})
    assert [text in page.body for page in pages] == [True]
    assert done.problems == ()


def test_a_source_from_windows_is_read_with_its_front_matter(make_wiki: MakeWiki) -> None:
    text = "\ufeff---\r\ntitle: From Windows\r\n---\r\n\r\nOne line.\r\nAnother line.\r\n"
    (page,), _ = distilled(make_wiki({}), {"note.md": text})
    assert page.title == "From Windows"
    assert "One line.\nAnother line." in page.body
    assert "\r" not in page.body


@pytest.mark.parametrize("title", ["no", "1.10", "2024-01-01", "null", "0x1F", "1_000", "a: b"])
def test_values_that_yaml_would_retype_reach_the_page_as_written(
    make_wiki: MakeWiki, title: str
) -> None:
    root = make_wiki({})
    text = f'---\ntitle: "{title}"\ntags: [no, 1.10, 2024-01-01]\n---\n\nWords.\n'
    (page,), _ = distilled(root, {"note.md": text})
    assert page.title == title
    assert {"no", "1.10", "2024-01-01"} <= set(page.tags)
