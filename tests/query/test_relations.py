"""What a verb asks for, and what people say instead."""

from __future__ import annotations

import pytest

from citewiki.query.relations import relations_asked, says_relation
from citewiki.text.verbs import verb_forms


def test_a_verb_is_answered_by_what_people_say_instead() -> None:
    assert says_relation("who sang it", "It was recorded by the band.") == 1.0
    assert says_relation("who sang it", "It is long.") == 0.0
    assert says_relation("蓝色的", "由乐队录制。") == 0.5


@pytest.mark.parametrize(
    ("asked", "said", "other"),
    [
        ("Who founded it?", "It was established in 1900.", "It is open."),
        ("Ai sáng lập làng?", "Làng được thành lập năm 1900.", "Làng có chợ."),
        ("塔是谁建的？", "塔由知县主持修筑。", "塔有七层。"),
        ("他哪一年出生？", "他生于1620年。", "他是知县。"),
    ],
)
def test_synonyms_speak_of_the_same_in_three_languages(asked: str, said: str, other: str) -> None:
    assert any(says.search(said.casefold()) for says in relations_asked(asked))
    assert not any(says.search(other.casefold()) for says in relations_asked(asked))


def test_irregular_verbs_are_one_verb() -> None:
    assert verb_forms("struck") == {"strik", "struck", "stricken"}
    assert verb_forms("strik") == verb_forms("struck")
    assert verb_forms("table") == {"table"}
