"""What a section says of itself goes before what its source says."""

from __future__ import annotations

from datetime import UTC, datetime

from citewiki.distill.extractive import Taken, distill
from citewiki.markdown.footnotes import references
from citewiki.model import Page, Section, Source
from citewiki.sources.ingest import record_of
from tests.conftest import NOW


def page(section: Section, *others: Section, date: datetime | None = None) -> Page:
    source = Source("Mail", "mail", "application/mbox", (section, *others), date=date)
    record = record_of(source, id="mail", path="raw/m.mbox", origin="m", data=b"x", now=NOW)
    draft = distill(section, source, record, domain="d", taken=Taken((), ()), now=NOW, version="0")
    return draft.page


def test_a_page_holds_from_the_date_of_its_own_section_on() -> None:
    old, new = datetime(2024, 5, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)

    assert page(Section("a", "A", "", "Words.", date=old), date=new).valid_from == old
    assert page(Section("a", "A", "", "Words."), date=new).valid_from == new


def test_names_and_tags_of_one_section_are_not_those_of_the_others() -> None:
    first = Section("a", "A", "", "Words of one.", aliases=("Alpha",), tags=("greek",))
    second = Section("b", "B", "", "Words of two.")

    assert page(first, second).aliases == ("Alpha",)
    assert "greek" in page(first, second).tags
    assert page(second, first).aliases == ()


def test_an_address_at_the_end_of_a_paragraph_does_not_swallow_its_footnote() -> None:
    found = page(Section("a", "A", "§ A", "The paper is at https://x.org/paper"))

    assert "https://x.org/paper [^mail.1]" in found.body
    assert len(references(found.body)) == 1
