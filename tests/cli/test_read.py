from __future__ import annotations

import pytest

from tests.cli.conftest import Run
from tests.conftest import MakeWiki


def test_search_prints_the_summary_of_a_page_unless_told_to_be_quiet(run: Run, make_wiki: MakeWiki):
    root = make_wiki(
        {
            "wiki/fusion.md": "---\nsummary: Many lists into one.\n---\n# Rank fusion\n\nMerges lists.\n",
            "wiki/bare.md": "# Bare\n\nMerges nothing.\n",
        }
    )
    found = run("search", "--wiki", root, "fusion").out
    assert found == "Rank fusion  fusion\n    Many lists into one.\n"
    assert run("search", "--wiki", root, "-q", "fusion").out == "Rank fusion  fusion\n"
    assert run("search", "--wiki", root, "bare").out == "Bare  bare\n"
    assert "score" in run("search", "--wiki", root, "-v", "fusion").out


@pytest.mark.parametrize("words", [("",), (" ", "\t"), ("\x00\x1b",)])
def test_a_search_for_nothing_is_one_line_and_an_error(
    run: Run, make_wiki: MakeWiki, words: tuple[str, ...]
):
    ran = run("search", "--wiki", make_wiki({"wiki/a.md": "# A\n"}), *words)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "citewiki: there are no words to look for; search so: citewiki search WORDS\n"


def test_search_says_that_a_page_no_longer_holds_but_not_what_took_its_place(
    run: Run, make_wiki: MakeWiki
):
    root = make_wiki(
        {
            "wiki/old.md": "---\ntitle: Old\nsuperseded_by: new\n---\nThe pump.\n",
            "wiki/new.md": "---\ntitle: New\nowner: ann\n---\nThe pump.\n",
            "wiki/over.md": "---\ntitle: Over\nvalid_until: 2026-01-02\n---\nThe pump.\n",
            "wiki/good.md": "---\ntitle: Good\nvalid_until: 2199-01-02\n---\nThe pump.\n",
        }
    )
    found = run("search", "--wiki", root, "--viewer", "bob", "-q", "pump").out
    assert sorted(found.splitlines()) == [
        "Good  good",
        "Old  old  superseded",
        "Over  over  held until 2026-01-02",
    ]
    then = run("search", "--wiki", root, "-q", "pump", "--as-of", "2025-01-01").out
    assert "held until" not in then
