"""Pages that disagree: the same of the same, with a value that excludes the other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Drift, Page
from citewiki.query.drift import disagreements, drift_pairs
from citewiki.store.pages import parse_page


def page(
    title: str,
    body: str,
    since: int = 2026,
    until: int | None = None,
    aliases: tuple[str, ...] = (),
) -> Page:
    slug = title.lower().replace(" ", "-")
    return Page(
        path=f"{slug}.md", slug=slug, title=title, body=body, aliases=aliases,
        valid_from=datetime(since, 1, 1, tzinfo=UTC),
        valid_until=datetime(until, 1, 1, tzinfo=UTC) if until else None,
    )  # fmt: skip


def between(one: str, other: str) -> list[Drift]:
    """The drift of two pages, each of one sentence, whose titles say nothing of it."""
    return drift_pairs([page("Notes of March", one), page("Handbook", other)])


OLD = page("House rules", "The retention period of archived pages is 90 days.", 2024)


def test_the_same_of_the_same_with_another_value_is_drift_and_the_newer_comes_first() -> None:
    new = page("Running it", "The retention period of archived pages is 180 days.", 2026)
    (drift,) = drift_pairs([OLD, new, page("Other", "Something else entirely is said here.")])
    assert drift.pages == ("running-it", "house-rules")
    assert drift.quotes == (new.body, OLD.body)
    assert drift.message == "“Running it” says 180 days, “House rules” says 90 days"


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        ("The capital of Norland is Aveny.", "The capital of Norland is Bergholm.",
         {"Aveny", "Bergholm"}),
        ("The Kern bridge was designed by Anna Kern.", "The Kern bridge was designed by Bob Miller.",
         {"Anna Kern", "Bob Miller"}),
        ("Anna Kern founded Hexon.", "Hexon was founded by Bob Miller.",
         {"Anna Kern", "Bob Miller"}),
        ("Hexon's head is Anna Kern.", "Bob Miller is the head of Hexon.",
         {"Anna Kern", "Bob Miller"}),
        ("Quillfish is written in Rust.", "Quillfish is written in Go.", {"Rust", "Go"}),
        ("In 1931 the Orlo lighthouse was opened.", "The Orlo lighthouse opened in 1934.",
         {"1931", "1934"}),
        ("The Orlo treaty was signed on 3 May 1921.", "The Orlo treaty was signed on 9 May 1921.",
         {"3 May 1921", "9 May 1921"}),
        ("The weekly sync takes place on Tuesday.", "The weekly sync takes place on Friday.",
         {"Tuesday", "Friday"}),
        ("The standard crate weighs 18 kg.", "The standard crate weighs 24 kg.",
         {"18 kg", "24 kg"}),
        ("The sea wall at Dorn protects 4,000 homes.", "The sea wall at Dorn protects 6,500 homes.",
         {"4,000", "6,500"}),
        ("The billing service uses PostgreSQL.", "The billing service uses MySQL.",
         {"PostgreSQL", "MySQL"}),
        ("The export endpoint of Hexon is public.", "The export endpoint of Hexon is private.",
         {"public", "private"}),
        ("Thủ đô của Norland là Aveny.", "Thủ đô của Norland là Bergholm.", {"Aveny", "Bergholm"}),
        ("Cầu Long Vân được thiết kế bởi Nguyễn An.", "Cầu Long Vân do Trần Bình thiết kế.",
         {"Nguyễn An", "Trần Bình"}),
        ("Bảo tàng Hoa Sen mở cửa năm 1987.", "Bảo tàng Hoa Sen mở cửa năm 1991.",
         {"năm 1987", "năm 1991"}),
        ("Thời hạn lưu trang lưu trữ là 90 ngày.", "Thời hạn lưu trang lưu trữ là 180 ngày.",
         {"90 ngày", "180 ngày"}),
        ("诺兰的首都是阿文尼。", "诺兰的首都是贝格霍姆。", {"阿文尼", "贝格霍姆"}),
        ("青山大桥由李明设计。", "王强设计了青山大桥。", {"李明", "王强"}),
        ("青山大桥于1987年建成。", "青山大桥于1991年建成。", {"1987年", "1991年"}),
        ("青山水库的最大深度是40米。", "青山水库的最大深度是55米。", {"40米", "55米"}),
    ],
)  # fmt: skip
def test_one_value_for_another_is_drift_and_the_message_names_both(
    one: str, other: str, values: set[str]
) -> None:
    (drift,) = between(one, other)
    assert all(f"says {value.removeprefix('năm ')}" in drift.message for value in values)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Quillfish supports Windows.", "Quillfish supports Linux."),
        ("Redis is a database.", "Redis is a cache."),
        ("The Mira plant produces steel.", "The Mira plant produces copper."),
        ("Anna Kern is a member of the board.", "Bob Miller is a member of the board."),
        ("Anna Kern wrote the parser.", "Anna Kern wrote the lexer."),
        ("The capital of Norland is Aveny.", "The capital of Sudland is Bergholm."),
        ("The capital of Norland was Aveny.", "The capital of Norland is Bergholm."),
        ("The goal of Marlin is speed.", "The goal of Marlin is safety."),
        ("Mount Pell is higher than Mount Orr.", "Mount Pell is higher than Mount Gath."),
        ("For example, a page has 3 links.", "For example, a page has 7 links."),
        ("What is the capital of Norland: Aveny?", "The capital of Norland is Bergholm."),
        ("Quillfish 2 needs 4 GB of memory.", "Quillfish 3 needs 8 GB of memory."),
        ("The team had 12 members in 2024.", "The team had 15 members in 2025."),
        ("Norland won the cup in 2004.", "Norland won the cup in 2012."),
        ("The upload limit of Hexon is 10 MB.", "The upload limit of Hexon is 25 MB for members."),
        ("Marlin runs on Linux.", "Marlin runs on Windows."),
        ("青山大桥比长河大桥长。", "青山大桥比东湖大桥长。"),
        ("李明是星海公司的员工。", "王强是星海公司的员工。"),
        ("Hệ thống Sao Mai hỗ trợ Windows.", "Hệ thống Sao Mai hỗ trợ Linux."),
    ],
)
def test_another_member_example_subject_time_or_scope_is_none(one: str, other: str) -> None:
    assert between(one, other) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Orlo trial takes 2 hours.", "The Orlo trial takes 120 minutes."),
        ("The Orlo museum owns 1.5 million works.", "The Orlo museum owns 1,500,000 works."),
        ("The Orlo museum owns more than 1,000 works.", "The Orlo museum owns 1,240 works."),
        ("The Orlo treaty was signed on 3 May 1921.", "The Orlo treaty was signed in May 1921."),
        ("The Dorn hymn was composed by Lena Thal.", "The Dorn hymn was composed by L. Thal."),
        ("Hexon is based in Lyon.", "Hexon is based in Lyon, France."),
    ],
)
def test_the_same_value_in_other_words_is_none(one: str, other: str) -> None:
    assert between(one, other) == []


def test_two_names_of_one_page_are_no_two_values() -> None:
    pages = [
        page("Notes", "The database of Hexon is Postgres."),
        page("Handbook", "The database of Hexon is PG."),
    ]
    assert len(drift_pairs(pages)) == 1
    assert drift_pairs([*pages, page("Postgres", "It is old.", aliases=("PG",))]) == []


def test_what_each_page_may_mean_of_its_own_subject_is_none() -> None:
    tall = page("Eiffel Tower", "The tower is 330 metres tall.")
    leaning = page("Tower of Pisa", "The tower is 55 metres tall.")
    assert drift_pairs([tall, leaning]) == []
    years = [page(f"Season {n}", f"The whole competition has {n} teams.") for n in (12, 15)]
    assert drift_pairs(years) == []


def test_a_pronoun_stands_for_what_its_page_is_about() -> None:
    one = page("Eiffel Tower", "It is 330 metres tall.")
    other = page("Paris sights", "The Eiffel Tower is 300 metres tall.")
    assert len(drift_pairs([one, other])) == 1


def test_a_negation_against_none_is_drift() -> None:
    (drift,) = between(
        "The judge is a different model from the answerer.",
        "The judge is not a different model from the answerer.",
    )
    assert "is not a different model" in drift.message


def test_pages_whose_times_do_not_overlap_do_not_disagree() -> None:
    ended = page("Ended", "The retention period of archived pages is 90 days.", 2020, 2024)
    new = page("New", "The retention period of archived pages is 180 days.", 2024)
    assert drift_pairs([ended, new]) == []


def test_who_says_it_does_not_matter() -> None:
    said = page(
        "Chat", "**Ann:** Decided today: The retention period of archived pages is 180 days."
    )
    assert len(drift_pairs([OLD, said])) == 1


def test_code_says_nothing() -> None:
    code = page("Code", "    The retention period of archived pages is 180 days.\n")
    assert drift_pairs([OLD, code]) == []


def test_what_is_quoted_is_held_against_the_pages_at_hand() -> None:
    new = page("Running it", "It rains. The retention period of archived pages is 180 days.")
    assert len(disagreements([(OLD, OLD.body)], [OLD, new])) == 1
    assert disagreements([(new, "It rains.")], [OLD, new]) == []


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_compared(one: str, other: str) -> None:
    assert all(drift.message for drift in between(one, other))


@given(st.sampled_from(["The capital of Norland is {}.", "Hexon was founded by {}.", "{}"]))
def test_a_page_agrees_with_its_own_words(form: str) -> None:
    text = form.format("Aveny")
    assert between(text, text) == []


@pytest.mark.parametrize(
    ("title", "own", "other"),
    [
        (
            "Harbour Ferry",
            "Harbour Ferry is a public boat service. The service has 31 berths.",
            "Harbour Ferry has 29 berths.",
        ),
        (
            "Harbour Ferry",
            "Harbour Ferry is a boat line. The line is 4 kilometres long and has 31 berths.",
            "Harbour Ferry has 29 berths.",
        ),
        ("Trường Lê Lợi", "Trường có 900 học sinh.", "Trường Lê Lợi có 850 học sinh."),
        ("青山隧道", "全长42公里，设有3座车站。", "青山隧道设有4座车站。"),
        ("Hexon", "Hexon did not buy Orlan.", "Hexon bought Orlan."),
        ("Hexon", "Hexon does not support old printers.", "Hexon supports old printers."),
    ],
)
def test_a_shortened_subject_or_another_verb_form_hides_no_disagreement(title, own, other):
    pages = [
        Page("a.md", "a", title, own + "\n"),
        Page("b.md", "b", "Guide", other + "\n"),
    ]
    assert len(drift_pairs(pages)) == 1


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("The captain has 3 keys.", "Harbour Ferry has 2 keys."),
        (
            "Harbour Ferry is a boat line. The old line had 31 berths.",
            "Harbour Ferry has 29 berths.",
        ),
        ("Harbour Ferry is a boat line. The line has 31 boats.", "Harbour Ferry has 29 berths."),
    ],
)
def test_another_subject_or_another_thing_is_no_disagreement(own, other):
    pages = [
        Page("a.md", "a", "Harbour Ferry", own + "\n"),
        Page("b.md", "b", "Guide", other + "\n"),
    ]
    assert drift_pairs(pages) == []


@pytest.mark.parametrize(
    ("titles", "disagree"),
    [
        (("Pier", "Pier survey"), True),
        (("Pier plan", "Piers"), True),
        (("Pier", "Southwold Pier"), False),
        (("North pier", "South pier"), False),
        (("Pier", "Jetty"), False),
    ],
)
def test_the_thing_that_pages_are_called_by_is_one_thing(
    titles: tuple[str, str], disagree: bool
) -> None:
    said = "The pier is 80 metres long.", "The pier is 95 metres long."
    pages = [
        parse_page(f"---\ntitle: {title}\n---\n{text}\n", f"{number}.md")
        for number, (title, text) in enumerate(zip(titles, said, strict=True))
    ]
    assert bool(drift_pairs(pages)) == disagree
