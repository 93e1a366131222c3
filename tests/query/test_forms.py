"""The form of an answer: what measures, dates and places look like, and what does not."""

from __future__ import annotations

import pytest

from citewiki.query.forms import (
    measure_asked,
    says_cause,
    says_date,
    says_measure,
    says_number,
    says_place,
)


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("How deep is the lake?", "It is 40 metres deep.", True),
        ("How deep is the lake?", "The lake is 40 metres.", True),
        ("How deep is the lake?", "The lake is 5 km long.", False),
        ("How deep is the lake?", "It was dug in 1902.", False),
        ("How tall is the tower?", "It rises to 52 m above the sea.", True),
        ("How long does it take?", "A crossing takes 35 minutes.", True),
        ("How much does a ticket cost?", "Adults pay 6 euros.", True),
        ("How much does a ticket cost?", "Adults wait 6 minutes.", False),
        ("How often does it run?", "It runs every hour.", True),
        ("How long does it take?", "It runs every twenty minutes.", False),
        ("How heavy is it?", "It weighs 3 kg.", True),
        ("How heavy is it?", "It has 3 wheels.", False),
        ("Hồ sâu bao nhiêu?", "Hồ sâu khoảng 12 mét.", True),
        ("Hồ sâu bao nhiêu?", "Hồ nằm giữa thị xã.", False),
        ("Giá vé bao nhiêu?", "Vé vào cửa là 40.000 đồng.", True),
        ("湖有多深？", "湖水最深处有十二米。", True),
        ("湖有多深？", "湖长五公里。", False),
        ("桥有多长？", "桥全长四十二米。", True),
        ("高铁有多长？", "高铁于2015年9月28日通车。", False),
        ("电影有多长？", "影片片长95分钟。", True),
        ("工程用了多长时间？", "工期为15年。", True),
        ("Diện tích trồng là bao nhiêu?", "Diện tích trồng là 210 hecta.", True),
        ("茶多少钱一斤？", "每斤三百元。", True),
        ("茶多少钱一斤？", "茶有兰花香。", False),
    ],
)
def test_a_measure_is_told_by_a_number_with_a_fitting_unit(
    question: str, sentence: str, expected: bool
) -> None:
    wanted = measure_asked(question)
    assert wanted is not None
    assert says_measure(wanted, sentence) is expected


@pytest.mark.parametrize("question", ["How many boats are there?", "有几座岛？", "Who made it?"])
def test_a_question_for_a_count_or_a_name_measures_nothing(question: str) -> None:
    assert measure_asked(question) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It opened in 1987.", True),
        ("It is closed on Mondays.", True),
        ("You may enter.", False),
        ("Chợ họp vào sáng Chủ nhật.", True),
        ("建于明朝。", True),
        ("湖水清澈。", False),
    ],
)
def test_a_date_is_a_time_that_can_be_found_again(sentence: str, expected: bool) -> None:
    assert says_date(sentence, exact=False, habit=False) is expected


def test_a_habit_is_also_told_by_a_condition_and_a_year_only_by_a_year() -> None:
    condition = "It stays in port when the wind is strong."
    assert says_date(condition, exact=False, habit=True)
    assert not says_date(condition, exact=False, habit=False)
    assert not says_date("It opened on a Monday in May.", exact=True, habit=False)


def test_one_as_an_article_is_no_number() -> None:
    assert not says_number("A copy of all records at one moment.")
    assert says_number("It sank eleven boats.")
    assert says_number("湖中有三座小岛。")


def test_places_and_reasons_are_known_without_names() -> None:
    assert says_place("It stands at the mouth of the bay.")
    assert not says_place("It opened in 1987.")
    assert says_place("云湖位于镇西。")
    assert says_cause("It stays, because the stage floods.")
    assert not says_cause("The water is clear.")
