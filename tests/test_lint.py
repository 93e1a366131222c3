from __future__ import annotations

from citewiki.lint import fix_wiki, lint_wiki
from tests.conftest import NOW, MakeWiki


def found(root, code: str = "") -> list[str]:
    return [str(p) for p in lint_wiki(root) if not code or p.code == code]


def test_a_link_to_a_missing_page_or_heading_is_reported_where_it_stands(make_wiki: MakeWiki):
    root = make_wiki(
        {
            "wiki/a.md": "---\ntitle: A\n---\n\nSee [[B#Uses]] and\n[[Nowhere]] and `[[code]]`.\n",
            "wiki/b.md": "---\ntitle: B\n---\n\n## Use\n\nBack to [[a]].\n",
        }
    )
    assert found(root) == [
        "wiki/a.md:5: warning: “B” has no heading “Uses”",
        "wiki/a.md:6: warning: links to “Nowhere”, which does not exist",
    ]


def test_an_ambiguous_link_is_reported_with_what_it_could_mean(make_wiki: MakeWiki):
    root = make_wiki(
        {"wiki/b/Dup.md": "[[x]]", "wiki/c/Dup.md": "[[x]]", "wiki/x.md": "[[Dup]] [[b/Dup]]"}
    )
    assert found(root, "ambiguous-link") == [
        "wiki/x.md:1: warning: “Dup” could also mean c/Dup.md; write the path"
    ]
    assert found(root, "duplicate-title") == [
        "wiki/c/Dup.md: warning: has the title of wiki/b/Dup.md: “Dup”"
    ]


def test_wrong_front_matter_and_shared_slugs_are_errors(make_wiki: MakeWiki):
    root = make_wiki(
        {
            "wiki/a.md": "---\nslug: x\nconfidence: 7\n---\n[[b]]",
            "wiki/b.md": "---\nslug: x\n---\n[[a]]",
        }
    )
    errors = [p for p in lint_wiki(root) if p.severity == "error"]
    assert [p.code for p in errors] == ["front-matter", "duplicate-slug"]
    assert errors[0].line == 3


def test_a_quote_that_its_source_does_not_hold_is_an_error(make_wiki: MakeWiki):
    manifest = (
        '{"id": "s", "path": "raw/s.md", "origin": "s.md", "sha256": "", "media_type": "text/markdown",'
        ' "bytes": 1, "fetched_at": "2026-05-12T14:00:00Z", "reader": "markdown", "title": "S",'
        ' "sections": []}\n'
    )
    root = make_wiki(
        {
            "raw/s.md": "The constant is sixty, they say. And more “words” here.",
            "raw/manifest.jsonl": manifest,
            "wiki/a.md": 'It is.[^1] So.[^2]\n\n[^1]: raw/s.md, p. 1: "constant is  sixty"\n'
            '[^2]: raw/s.md: "constant is seventy"\n',
        }
    )
    assert found(root, "quote") == [
        "wiki/a.md:4: error: raw/s.md does not say “constant is seventy” (any more)"
    ]


def test_a_page_that_nothing_links_is_an_orphan_and_lists_do_not_count(make_wiki: MakeWiki):
    root = make_wiki({"wiki/a.md": "alone", "wiki/index.md": "[[a]]"})
    assert found(root) == ["wiki/a.md: warning: no page links here, and it links to none"]


def test_fixing_adds_the_missing_type_and_leaves_bodies_alone(make_wiki: MakeWiki):
    root = make_wiki(
        {"wiki/a.md": "---\n# mine\nodd: 1\n---\n\nBody  \n\n\n[[b]]\n", "wiki/b.md": "[[a]]"}
    )
    assert fix_wiki(root, now=NOW) == [
        "wiki/a.md: front matter completed",
        "wiki/b.md: front matter completed",
    ]
    assert (
        root / "wiki/a.md"
    ).read_text() == "---\ntype: concept\n# mine\nodd: 1\n---\n\nBody  \n\n\n[[b]]\n"
    assert fix_wiki(root, now=NOW) == []
