from __future__ import annotations

from datetime import UTC, datetime

import pytest

from citewiki.model import Page
from citewiki.query.drift import disagreements, drift_pairs


def page(title: str, body: str, since: int = 2026, until: int | None = None) -> Page:
    slug = title.lower().replace(" ", "-")
    return Page(
        path=f"{slug}.md", slug=slug, title=title, body=body,
        valid_from=datetime(since, 1, 1, tzinfo=UTC),
        valid_until=datetime(until, 1, 1, tzinfo=UTC) if until else None,
    )  # fmt: skip


OLD = page("House rules", "The retention period of archived pages is 90 days.", 2024)


def test_the_same_of_the_same_with_another_value_is_drift_and_the_newer_comes_first():
    new = page("Running it", "The retention period of archived pages is 180 days.", 2026)
    (drift,) = drift_pairs([OLD, new, page("Other", "Something else entirely is said here.")])
    assert drift.pages == ("running-it", "house-rules")
    assert drift.quotes == (new.body, OLD.body)
    assert drift.message == "“Running it” says 180, “House rules” says 90"


@pytest.mark.parametrize(
    "body",
    [
        "The retention period of archived pages is 90 days.",
        "The retention period of deleted drafts is 180 days.",
        "Archived pages stay in the folder _archive for a long time.",
        "In 2031 we wrote down many other numbers, such as 5 and 6 and 7.",
    ],
)
def test_the_same_value_another_subject_or_no_value_is_none(body: str):
    assert drift_pairs([OLD, page("Other", body)]) == []


def test_a_negation_against_none_is_drift():
    yes = page("Yes", "The judge is a different model from the answerer.")
    no = page("No", "The judge is not a different model from the answerer.")
    assert len(drift_pairs([yes, no])) == 1


def test_the_same_of_another_year_is_none():
    one = page("One", "The team had 12 members in 2024 in all.")
    other = page("Two", "The team had 15 members in 2025 in all.")
    assert drift_pairs([one, other]) == []


def test_pages_whose_times_do_not_overlap_do_not_disagree():
    ended = page("Ended", "The retention period of archived pages is 90 days.", 2020, 2024)
    new = page("New", "The retention period of archived pages is 180 days.", 2024)
    assert drift_pairs([ended, new]) == []


def test_who_says_it_does_not_matter():
    said = page(
        "Chat", "**Ann:** Decided today: The retention period of archived pages is 180 days."
    )
    assert len(drift_pairs([OLD, said])) == 1


def test_what_is_quoted_is_held_against_the_pages_at_hand():
    new = page("Running it", "It rains. The retention period of archived pages is 180 days.")
    assert len(disagreements([(OLD, OLD.body)], [OLD, new])) == 1
    assert disagreements([(new, "It rains.")], [OLD, new]) == []


def test_chinese_and_vietnamese_values_drift_too():
    zh = [page("一", "归档页面的保留期是 90 天。"), page("二", "归档页面的保留期是 180 天。")]
    vi = [
        page("a", "Thời hạn lưu trang lưu trữ là 90 ngày."),
        page("b", "Thời hạn lưu trang lưu trữ là 180 ngày."),
    ]
    tight = [page("三", "青山水库的最大深度是40米。"), page("四", "青山水库的最大深度是55米。")]
    assert len(drift_pairs(zh)) == 1
    assert len(drift_pairs(tight)) == 1
    assert len(drift_pairs(vi)) == 1
