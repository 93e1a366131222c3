"""Only sentences that answer what is asked may be the basis of an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Answer, Page
from citewiki.query.basis import demand, named, supports
from citewiki.query.question import question
from citewiki.store.pages import parse_page
from citewiki.wiki import Wiki
from tests.conftest import MakeWiki


def page(title: str) -> Page:
    return parse_page(f"---\ntitle: {title}\n---\nText.\n", f"{title}.md")


def holds(asked: str, title: str, sentence: str, *others: str) -> bool:
    pages = [page(title), *map(page, others)]
    return supports(demand(question(asked), pages), pages[0], "", sentence)


@pytest.mark.parametrize(
    ("asked", "title", "says", "lacks"),
    [
        (
            "When was the tower built?",
            "Tower",
            "It was completed in 1902.",
            "It was painted in 1902.",
        ),
        ("When was the tower built?", "Tower", "It was built in 1902.", "It was built of stone."),
        (
            "How many questions does HAGRID have?",
            "HAGRID",
            "It has 2,638 questions.",
            "Its questions are those of another set.",
        ),
        (
            "How many boats sank in the storm?",
            "Great storm",
            "It sank eleven boats.",
            "It sank in 1953.",
        ),
        ("Where was Ada Brenn born?", "Ada Brenn", "She was born in Orsk.", "She lived in Orsk."),
        (
            "Who designed the wall?",
            "Sea wall",
            "It was designed by Jan Kaas.",
            "Jan Kaas walked on it.",
        ),
        (
            "What colour is the boat house?",
            "Boat house",
            "It was painted green in February.",
            "It was painted in February.",
        ),
        ("Nhà thuyền màu gì?", "Nhà thuyền", "Nó được sơn xanh.", "Nó được sơn năm ngoái."),
        ("船屋是什么颜色？", "船屋", "船屋漆成绿色。", "船屋去年重新粉刷。"),
        (
            "What licence does Quillbase have?",
            "Quillbase",
            "Its licence is MIT.",
            "Quillbase runs on Linux.",
        ),
        (
            "What is the price of the ferry?",
            "Ferry",
            "A ticket for the ferry costs 4 euros.",
            "The ferry takes 35 minutes.",
        ),
        (
            "Which algorithm encrypts secrets?",
            "Secret",
            "The algorithm is AES.",
            "Secrets are encrypted.",
        ),
        ("Hồ Sương sâu bao nhiêu?", "Hồ Sương", "Hồ sâu 12 mét.", "Hồ Sương là một hồ nước ngọt."),
        ("Đền Trúc xây năm nào?", "Đền Trúc", "Đền được xây năm 1742.", "Đền thờ một vị tướng."),
        (
            "Lê Hòa sinh năm nào?",
            "Lê Hòa",
            "Bà sinh năm 1950.",
            "Bà nhận giải thưởng năm 2001.",
        ),
        ("西湖有多深？", "西湖", "西湖平均水深两米。", "西湖位于杭州市西部。"),
        ("石板桥是谁设计的？", "石板桥", "桥由李雷设计。", "石板桥连接镇子的东西两岸。"),
        ("青石城有多少人口？", "青石城", "青石城有三万人口。", "城墙有四座城门。"),
    ],
)
def test_a_basis_has_the_form_and_speaks_of_what_is_asked(
    asked: str, title: str, says: str, lacks: str
) -> None:
    assert holds(asked, title, says)
    assert not holds(asked, title, lacks)


def test_a_basis_is_about_the_page_that_the_question_names() -> None:
    asked = "List the fields of a snapshot"
    assert not holds(asked, "Record", "A record has these fields: id and body.", "Snapshot")
    assert holds(asked, "Record", "A snapshot has these fields: id and body.", "Snapshot")


def test_a_sentence_that_only_sends_to_another_page_is_no_basis() -> None:
    assert not holds("What is the harbour museum?", "Lighthouse", "See Harbour museum.")


def test_a_page_that_a_named_page_names_is_a_subject_too() -> None:
    cache = parse_page("# Cache\n\nMaria Lopez wrote the cache.\n", "cache.md")
    pages = [cache, page("Maria Lopez"), page("Ada Brenn")]
    wanted = demand(question("Where was the engineer born who wrote the cache?"), pages)
    assert supports(wanted, pages[1], "", "She was born in Valencia.")
    assert not supports(wanted, pages[2], "", "She was born in Orsk.")


def test_a_name_is_held_in_any_order() -> None:
    incident = page("Incident of the empty index")
    assert named("When did the empty index incident happen?", [incident])
    assert not named("When was the index made?", [incident])


def test_the_longest_names_in_a_question_are_its_subjects() -> None:
    pages = [page("Sea wall"), page("Wall"), page("Ferry")]
    assert named("How high is the sea wall?", pages) == [frozenset({"sea", "wall"})]


@given(st.text(min_size=1, max_size=40), st.text(max_size=60))
def test_any_question_may_be_put_to_any_sentence(asked: str, sentence: str) -> None:
    if any(char.isalnum() for char in asked):
        assert isinstance(holds(asked, "Title", sentence), bool)


def ask_of(make_wiki: MakeWiki, pages: dict[str, str], text: str) -> Answer:
    made = {
        f"wiki/{n}.md": f"---\ntitle: {title}\n---\n{body}\n"
        for n, (title, body) in enumerate(pages.items())
    }
    return Wiki.open(make_wiki(made)).ask(text)


FIRM = {
    "Orlan Works": "Orlan Works is a maker of lamps in Marlow. It was founded by Karl Voss in 1923.",
    "Diary of Ann": "Ann wrote that the ferry has 77 seats.",
    "Blue Ferry": "Blue Ferry is a boat line in the city of Marlow. It runs from Old Quay to Dorn.",
    "Strike plan": "Codename Falconry is a plan of the union.",
}


@pytest.mark.parametrize(
    "text", ["When was Orlan Works's founder born?", "Who wrote the Falconry plan?"]
)
def test_what_is_said_of_something_else_is_no_answer(make_wiki: MakeWiki, text: str):
    assert ask_of(make_wiki, FIRM, text).refusal


def test_where_a_line_starts_is_told_by_its_way(make_wiki: MakeWiki):
    answer = ask_of(make_wiki, FIRM, "Where does the Blue Ferry start?")
    assert answer.answer == "It runs from Old Quay to Dorn."


def test_a_refusal_names_what_no_page_is_about_in_whole_phrases(make_wiki: MakeWiki):
    pages = {"Cà phê": "Cà phê là đồ uống làm từ hạt rang."}
    refusal = ask_of(make_wiki, pages, "Ai là thủ tướng Canada?").refusal
    assert refusal
    assert "thủ tướng" in refusal.message
    assert "(Ai" not in refusal.message


def test_pages_that_share_only_empty_words_with_a_question_are_not_named(make_wiki: MakeWiki):
    pages = {f"Talk {n}": f"Today we met. What's new today is item {n}." for n in range(4)}
    refusal = ask_of(make_wiki, pages, "What's the weather today?").refusal
    assert refusal
    assert (refusal.kind, refusal.available) == ("no_relevant_page", ())


@pytest.mark.parametrize(
    ("text", "status"),
    [("How long is Blue Ferry?", "answered"), ("How many stops does Blue Ferry have?", "refused")],
)
def test_pages_conflict_only_on_what_is_asked(make_wiki: MakeWiki, text: str, status: str):
    pages = {
        "Blue Ferry": "Blue Ferry is a boat line. The line is 23 kilometres long and has 31 stops.",
        "Guide": "Blue Ferry has 29 stops.",
    }
    assert ask_of(make_wiki, pages, text).status == status
