from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.distill.checks import best_sentences, faults, known
from citewiki.distill.ground import Ground
from citewiki.model import Section, Source

TEXT = """Replication keeps copies of the data on several nodes. It raises availability, but writes
become slower.

The leader handles all writes. Followers copy its log, usually within 50 ms, though no guarantee
is given.

In 2019 the team measured an estimated 40 % drop in latency after moving from MySQL 5.7 to
PostgreSQL 12. Maria Lopez led the work.

Do not enable asynchronous mode unless losing data is acceptable. If a disk is full, writes fail.
"""


def ground(text: str = TEXT, title: str = "Replication", **more: str) -> Ground:
    section = Section("s", title, f"§ {title}", text)
    return Ground(section, Source("Databases", "markdown", "text/markdown", (section,), **more))  # type: ignore[arg-type]


def against(statement: str, quote: str, on: Ground | None = None) -> list[str]:
    on = on or ground()
    found = on.find(quote)
    assert found, quote
    return faults(statement, [found.text], on)


COPIES = "Replication keeps copies of the data on several nodes."
SLOWER = "It raises availability, but writes become slower."
LEADER = "The leader handles all writes."
LOG = "Followers copy its log, usually within 50 ms, though no guarantee is given."
MOVE = (
    "In 2019 the team measured an estimated 40 % drop in latency after moving from MySQL 5.7"
    " to PostgreSQL 12."
)
LOPEZ = "Maria Lopez led the work."
MODE = "Do not enable asynchronous mode unless losing data is acceptable."
FULL = "If a disk is full, writes fail."


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Replication keeps copies of data on several nodes.", COPIES),
        ("All writes are handled by the leader.", LEADER),
        ("Followers usually copy its log within 50 ms, but no guarantee is given.", LOG),
        ("Latency dropped by an estimated 40 % after the move to PostgreSQL 12 in 2019.", MOVE),
        ("The work was led by Maria Lopez.", LOPEZ),
        ("Asynchronous mode should not be enabled unless losing data is acceptable.", MODE),
        ("Writes fail if a disk is full.", FULL),
        ("**Replication** raises availability, but writes become slower.", SLOWER),
    ],
)
def test_a_statement_that_says_what_its_quote_says_stands(statement: str, quote: str):
    assert against(statement, quote) == []


@pytest.mark.parametrize(
    ("statement", "quote", "turns_on"),
    [
        ("Replication keeps copies of the data on one node.", COPIES, "several"),
        ("Oracle keeps copies of the data on several nodes.", COPIES, "Oracle"),
        ("Replication lowers availability, but writes become slower.", SLOWER, "lower"),
        ("Followers handle all writes.", LEADER, "follower"),
        ("The leader handles some writes.", LEADER, "some"),
        ("Followers copy its log within 50 ms.", LOG, "usually"),
        ("Followers usually copy its log within 500 ms, with no guarantee.", LOG, "500"),
        ("In 2018 the team measured an estimated 40 % drop in latency.", MOVE, "2018"),
        ("The team measured a 40 % drop in latency after moving to PostgreSQL 12.", MOVE, "estim"),
        ("Latency had an estimated 40 % drop from PostgreSQL 12 to MySQL 5.7.", MOVE, "other way"),
        ("Mario Lopez led the work.", LOPEZ, "Mario"),
        ("Enable asynchronous mode unless losing data is acceptable.", MODE, "deny"),
        ("Do not enable asynchronous mode.", MODE, "unless"),
        ("Asynchronous mode is safe.", MODE, "safe"),
        ("Writes fail.", FULL, "If"),
        ("Replication is the best way to keep copies of data.", COPIES, "best"),
    ],
)
def test_a_statement_that_says_something_else_is_turned_down_with_the_words_it_turns_on(
    statement: str, quote: str, turns_on: str
):
    assert turns_on.lower() in "; ".join(against(statement, quote)).lower()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Asynchronous mode is to be enabled.", "enable asynchronous mode"),
        ("Writes fail.", "writes fail."),
        ("The mode is enabled unless losing data is acceptable.", "losing data is acceptable"),
    ],
)
def test_a_quote_that_is_cut_short_loses_neither_negation_nor_condition(statement: str, quote: str):
    assert ground().clause(quote) != quote or against(statement, quote)
    assert against(statement, quote)


@pytest.mark.parametrize(
    ("text", "statement", "turns_on"),
    [
        ("该系统不支持并行写入。", "该系统支持并行写入。", "deny"),
        ("大约有40个节点。", "有50个节点。", "50"),
        ("Hệ thống không hỗ trợ ghi song song.", "Hệ thống hỗ trợ ghi song song.", "deny"),
        ("Có khoảng 40 nút trong cụm.", "Có 40 nút trong cụm.", "khoảng"),
    ],
)
def test_other_languages_have_negations_numbers_and_doubts_too(
    text: str, statement: str, turns_on: str
):
    on = ground(text, "")
    assert turns_on in "; ".join(faults(statement, [text], on))
    assert faults(text, [text], on) == []


def test_the_judge_is_asked_last_and_sees_the_passage_under_its_title():
    asked: list[tuple[str, str]] = []

    def judge(statement: str, passages: object) -> bool:
        asked.append((statement, str(passages)))
        return False

    on = ground()
    assert faults("Mario Lopez led it.", [LOPEZ], on, judge) != []
    assert asked == []
    assert faults(LOPEZ, [LOPEZ], on, judge) == ["the quotes do not say it"]
    assert asked == [(LOPEZ, str([f"Replication. {LOPEZ}"]))]


def test_a_summary_is_held_against_the_sentences_that_say_most_of_it():
    assert best_sentences("All writes go to the leader.", ground()) == [LEADER]
    assert best_sentences("Bananas.", ground()) == []


def test_titles_and_tags_have_to_be_of_words_that_the_section_has():
    assert known("Asynchronous mode", ground())
    assert not known("Quantum mode", ground())
    assert not known("", ground())


SENTENCES = st.lists(
    st.sampled_from([COPIES, SLOWER, LEADER, LOG, MOVE, LOPEZ, MODE, FULL]),
    min_size=1,
    unique=True,
)


@given(SENTENCES)
def test_what_a_section_says_word_for_word_always_stands(sentences: list[str]):
    on = ground("\n\n".join(sentences))
    for sentence in sentences:
        assert against(sentence, sentence, on) == []


EVERY = [COPIES, SLOWER, LEADER, LOG, MOVE, LOPEZ, MODE, FULL]


@pytest.mark.parametrize("statement", EVERY)
def test_no_statement_stands_on_the_quote_of_another(statement: str):
    assert [other for other in EVERY if other != statement and not against(statement, other)] == []
