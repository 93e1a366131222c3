"""Whether a sentence tells who."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.query.persons import proper_names, says_person


@pytest.mark.parametrize(
    ("sentence", "known", "verb", "expected"),
    [
        ("It was started by Tomasz Wren.", "Who started it?", "start", True),
        ("The museum is closed on Mondays.", "Who founded the museum?", "found", False),
        ("She grew up in Port Sorrel.", "Who raised her?", "rais", False),
        ("Three families farm them.", "Who farms the oysters?", "farm", True),
        ("The tower was painted white.", "Who painted the tower?", "paint", False),
        ("Only owners can change a secret.", "Who can change a secret?", "chang", True),
        ("Cầu do kỹ sư Phạm Văn Khôi thiết kế.", "Ai thiết kế cầu?", "thiết", True),
        ("Đền được xây năm 1742 bên bờ Hồ Sương.", "Ai xây đền?", "xây", False),
        ("塔由知县陆文昭主持修建。", "塔是谁修建的？", "修建", True),
        ("阁建于1620年。", "阁是谁建的？", "建", False),
    ],
)
def test_a_person_is_a_name_an_agent_or_who_does_it(
    sentence: str, known: str, verb: str, expected: bool
) -> None:
    assert says_person(sentence, known, [verb]) is expected


def test_proper_names_leave_out_the_first_word_and_function_words() -> None:
    assert proper_names("Where was Edith Calloway born?") == ["Edith Calloway"]
    assert proper_names("where is it") == []


@given(st.text(max_size=80))
def test_proper_names_are_made_of_words_of_the_text(text: str) -> None:
    for name in proper_names(text):
        assert all(word in text for word in name.split(" "))
