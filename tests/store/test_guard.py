"""What a page would lose: store/guard.py."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.footnotes import footnotes, references
from citewiki.markdown.notes import parted
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.store.guard import losses
from citewiki.store.merge import merge
from citewiki.store.pages import body_sha256
from tests.store.test_merge import BODIES

BODY = """\
Rank fusion merges lists of [[Search engine|engines]].[^s.1]

It needs no scores, as it looks at ranks only.[^t.1]

- It is robust.

[^s.1]: raw/s.md, § A: "Rank fusion merges lists of engines."
[^t.1]: raw/t.md, § B: "It needs no scores."
"""


def page(body: str, by_program: str | None = None) -> Page:
    """A page with that body, which the program wrote as `by_program` (default: as it is)."""
    made = body_sha256(body if by_program is None else by_program)
    return Page("d/p.md", "p", "P", body, generated_by="citewiki", generated_sha256=made)


OLD = page(BODY)


def test_the_same_text_loses_nothing_and_more_text_neither():
    assert losses(OLD, OLD) == ()
    assert losses(OLD, page(BODY.replace("- It", "More is said.\n\n- It"))) == ()


def test_renumbered_footnotes_of_a_new_version_are_no_loss():
    new = BODY.replace("s.1", "s.7").replace("raw/s.md, § A", "raw/s.v2.md, § C")
    assert losses(OLD, page(new)) == ()


def test_a_lost_citation_is_told_with_its_words():
    new = BODY.replace("[^t.1]\n", "\n")
    assert losses(OLD, page(new)) == (
        "“It needs no scores, as it looks at ranks only.” no longer cites raw/t.md",
        "no longer cites raw/t.md, § B: “It needs no scores.”",
    )


def test_a_stated_reason_lets_quotes_links_and_words_go_but_no_source():
    new = page('Rank fusion is old.[^s.1]\n\n[^s.1]: raw/s.md: "Rank fusion is old."\n')
    without_reason = losses(OLD, new)
    assert "no longer links [[Search engine]]" in without_reason
    assert "loses 79 % of its words (19 → 4)" in without_reason
    assert losses(OLD, new, why="its source was rewritten") == ("no longer cites raw/t.md at all",)


def test_a_sentence_that_stays_keeps_its_citation_whatever_the_reason():
    new = page(BODY.replace("only.[^t.1]", "only.").replace("robust.", "robust.[^t.1]"))
    assert losses(OLD, new, why="moved") == (
        "“It needs no scores, as it looks at ranks only.” no longer cites raw/t.md",
    )


def test_names_and_tags_are_not_lost_without_a_reason():
    old = replace(OLD, aliases=("RRF",), tags=("ranking",))
    assert losses(old, OLD) == ("no longer goes by “RRF”", "no longer has the tag “ranking”")
    assert losses(old, replace(OLD, title="RRF"), why="retitled") == ()


def test_a_persons_edit_is_never_given_up_whatever_the_reason():
    edited = BODY.replace("- It is robust.", "- It is [[Robust]].\n\nI doubt it.")
    old = page(edited, by_program=BODY)
    assert losses(old, OLD, base=BODY, why="new") == (
        "a person wrote “- It is [[Robust]].”",
        "a person wrote “I doubt it.”",
        "a person took out “- It is robust.”",
    )
    assert losses(old, page(merge(BODY, edited, BODY + "\nMore.\n").body), base=BODY) == ()


def test_a_citation_that_a_person_has_added_is_theirs():
    edited = BODY.replace("robust.", "robust.[^u.1]") + '[^u.1]: raw/u.md: "Robust."\n'
    found = losses(page(edited, by_program=BODY), OLD, base=BODY, why="new")
    assert "a person cited raw/u.md: “Robust.”" in found


def test_without_a_base_everything_on_an_edited_page_is_a_persons():
    old = page("Mine.\n\nYours.\n", by_program="gone")
    assert losses(old, page("Yours.\n"), why="new") == ("a person wrote “Mine.”",)


def test_words_of_scripts_without_spaces_count_too():
    old = page("知识库把资料整理成页面，读者可以查到每一句话的出处。\n")
    assert losses(old, page("知识库。\n"))[-1].startswith("loses ")


@given(BODIES, st.data())
def test_every_citation_that_is_taken_away_is_found(body: str, data: st.DataObject):
    old = page(body.replace("alpha", "[[Alpha]]"))
    found = losses(old, page("Nothing.\n"))
    for label in references(parted(old.body)[0]):
        quote = footnotes(old.body)[label].quote
        assert any(quote in line for line in found)
    assert ("no longer links [[Alpha]]" in found) == bool(wikilinks(old.body))


@given(BODIES, BODIES, BODIES)
def test_what_was_merged_without_conflict_gives_up_no_persons_edit(
    base: str, edited: str, new: str
):
    merged = merge(base, edited, new)
    if not merged.conflicts:
        found = losses(page(edited, by_program=base), page(merged.body), base=base, why="merged")
        assert [
            line for line in found if line.startswith(("a person wrote", "a person cited"))
        ] == []
