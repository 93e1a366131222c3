from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from citewiki.distill.placing import place
from citewiki.model import Draft, Page, Proposal
from citewiki.store import bases
from citewiki.store.pages import body_sha256, edited_by_hand
from tests.conftest import NOW

BODY = 'Fusion merges lists.[^a.1]\n\nIts constant is 60.[^a.2]\n\n[^a.1]: raw/a.md: "Fusion merges lists."\n[^a.2]: raw/a.md: "Its constant is 60."\n'
QUOTES = ("Fusion merges lists.", "Its constant is 60.")


def page(body: str = BODY) -> Page:
    return Page(
        path="d/fusion.md",
        slug="fusion",
        title="Fusion",
        domain="d",
        body=body,
        generated_by="citewiki/1+extractive",
        generated_sha256=body_sha256(body),
    )


def proposal(page: Page, kind: str = "new", **more: object) -> Proposal:
    return Proposal(Draft(page, "a", "s"), kind, quotes=QUOTES, by="model", **more)  # type: ignore[arg-type]


def test_a_new_page_without_problems_is_written(tmp_path: Path):
    placed = place(proposal(page()), None, cache=tmp_path, now=NOW)
    assert (placed.page, placed.item) == (page(), None)


def test_problems_send_it_to_a_person_with_its_evidence(tmp_path: Path):
    placed = place(proposal(page(), problems=("odd",)), None, cache=tmp_path, now=NOW)
    assert placed.page is None
    assert placed.item is not None
    assert placed.item.reasons == ("odd",)
    assert [(each.quote, each.source) for each in placed.item.evidence] == [
        (quote, "raw/a.md") for quote in QUOTES
    ]
    assert placed.item.page == replace(page(), body_line=placed.item.page.body_line)


def test_review_sends_all_to_a_person(tmp_path: Path):
    placed = place(proposal(page()), None, cache=tmp_path, now=NOW, review=True)
    assert placed.item is not None
    assert placed.item.reasons == ("drafts go through review",)


def test_a_text_that_loses_much_without_a_reason_waits(tmp_path: Path):
    new = page('Fusion.[^a.1]\n\n[^a.1]: raw/a.md: "Fusion merges lists."\n')
    placed = place(proposal(new, "addition", target="fusion"), page(), cache=tmp_path, now=NOW)
    assert placed.item is not None
    assert any("no longer cites" in reason for reason in placed.item.reasons)


def test_a_merged_page_names_the_programs_text_so_that_it_stays_a_persons(tmp_path: Path):
    old = page()
    bases.keep(tmp_path, old.body)
    edited = replace(old, body=BODY.replace("lists.[^a.1]", "lists.[^a.1]\n\nMine."))
    new = page(BODY.replace("60", "20"))
    why = "its section has changed"
    placed = place(proposal(new, "update", why=why), edited, cache=tmp_path, now=NOW)
    assert placed.page is not None
    assert "Mine." in placed.page.body
    assert "constant is 20" in placed.page.body
    assert edited_by_hand(placed.page)
    assert bases.base_of(tmp_path, placed.page) == new.body


def test_what_a_person_took_out_is_not_put_back_by_an_addition(tmp_path: Path):
    old = page()
    bases.keep(tmp_path, old.body)
    edited = replace(
        old, body='Fusion merges lists.[^a.1]\n\n[^a.1]: raw/a.md: "Fusion merges lists."\n'
    )
    more = BODY.replace("\n\n[^a.1]:", "\n\n## More\n\nNew words.[^b.1]\n\n[^a.1]:", 1)
    new = page(more + '[^b.1]: raw/b.md: "New words."\n')
    placed = place(proposal(new, "addition"), edited, cache=tmp_path, now=NOW)
    assert placed.page is not None
    assert ("constant" in placed.page.body, "New words." in placed.page.body) == (False, True)
