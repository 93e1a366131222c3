"""What a sentence leaves unsaid of its subject."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.subjects import clauses, kinds, with_subject


@pytest.mark.parametrize(
    ("title", "body", "kind"),
    [
        ("Harbour Ferry", "Harbour Ferry is a public boat service in Marlow.", "service"),
        ("Novac", "# Novac\n\nNovac is a bridge that was built in 1931.", "bridge"),
        ("Orlan", "Orlan makes a bridge.", ""),
        ("Orlan", "Hexon is a company.", ""),
        ("东岭集团", "东岭集团是一家建筑公司，总部位于海州。", "公司"),
    ],
)
def test_the_first_sentence_of_a_page_says_of_what_kind_it_is(title, body, kind):
    assert kinds(title, body) == ({kind} if kind else frozenset())


@pytest.mark.parametrize(
    ("text", "title", "whole"),
    [
        ("It has 31 stops.", "Blue Line", "Blue Line has 31 stops."),
        ("The line has 31 stops.", "Blue Line", "Blue Line has 31 stops."),
        ("The service has 31 stops.", "Harbour Ferry", "Harbour Ferry has 31 stops."),
        ("The driver has 31 stops.", "Harbour Ferry", "The driver has 31 stops."),
        ("Trường có 900 học sinh.", "Trường Lê Lợi", "Trường Lê Lợi có 900 học sinh."),
        ("Cà phê có vị đắng.", "Cà phê Buôn Ma Thuột", "Cà phê có vị đắng."),
        ("Trường Kim Liên có 900 học sinh.", "Trường Lê Lợi", "Trường Kim Liên có 900 học sinh."),
        ("全长42公里。", "青山隧道", "青山隧道全长42公里。"),
        ("铁路全长42公里。", "青山隧道", "铁路全长42公里。"),
    ],
)
def test_the_title_stands_for_a_shortened_subject_only_where_that_is_certain(text, title, whole):
    assert with_subject(text, title, frozenset(("service",))) == whole


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Mira Lake is 40 metres deep and has two islands.", 2),
        ("The ship weighs 900 tons and carries 40 people.", 1),
        ("Hồ Mira sâu 40 mét và có hai đảo.", 1),
        ("Hồ Mira rộng 40 mét và có hai đảo.", 2),
        ("青山隧道全长42公里，设有3座车站。", 2),
        ("Anna and Ben met.", 1),
    ],
)
def test_a_second_verb_has_the_subject_of_the_first(text, parts):
    assert len(clauses(text)) == parts


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
def test_a_shortened_subject_is_filled_in_only_once(text, title):
    once = with_subject(text, title)
    assert once == text or once.startswith(title)
