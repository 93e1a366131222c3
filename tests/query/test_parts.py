"""Questions that are two."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from citewiki.query.parts import parts
from citewiki.wiki import Wiki
from tests.conftest import MakeWiki

NOW = datetime(2026, 6, 1, tzinfo=UTC)
PAGES = {
    "wiki/hexon.md": "---\ntitle: Hexon\n---\nHexon is a maker of pumps. It was founded in 1911.\n\n"
    "Its chief executive is Tom Brandt.\n",
    "wiki/orlan.md": "---\ntitle: Orlan\n---\nOrlan is a maker of lamps. It was founded in 1935.\n",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "When was Hexon founded and who is its head?",
            ["When was Hexon founded?", "who is Hexon’s head?"],
        ),
        ("When did it open, and who runs Hexon?", ["When did it open?", "who runs Hexon?"]),
        ("Which firm made it, and who acquired it?", None),
        ("When was the bridge built and who owns it?", None),
        ("Who are Ann and Ben?", None),
        ("What is the difference between A and what B says?", None),
        ("", None),
    ],
)
def test_a_question_is_parted_where_each_part_asks_by_itself(text, found):
    assert parts(text, lambda _: ["Hexon"]) == (found or [text])


def test_both_parts_of_a_question_are_answered(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki(PAGES))
    answer = wiki.ask("When was Hexon founded and who is its chief executive?", now=NOW)
    assert "1911" in answer.answer
    assert "Tom Brandt" in answer.answer
    assert answer.warnings == ()


def test_an_answer_says_which_part_of_the_question_no_page_states(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki(PAGES))
    answer = wiki.ask("When was Orlan founded and who is its chief executive?", now=NOW)
    assert "1935" in answer.answer
    assert "Brandt" not in answer.answer
    assert [each.kind for each in answer.warnings] == ["unstated"]
    assert "chief executive" in answer.warnings[0].message
