"""What a person and the program have written comes together: store/merge.py."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.footnotes import footnotes, references
from citewiki.markdown.notes import parted
from citewiki.store.merge import Conflict, merge

BASE = """\
Opening words.[^s.1]

## Setup

Install it first.[^s.2]

- one
- two
- three

## Use

Call it.[^s.3]

[^s.1]: raw/s.md, § A: "Opening words."
[^s.2]: raw/s.md, § B: "Install it first."
[^s.3]: raw/s.md, § C: "Call it."
"""


def test_a_persons_new_paragraph_and_the_programs_new_section_both_stay():
    theirs = BASE.replace("Call it.[^s.3]\n", "Call it.[^s.3]\n\nMind the gap.\n")
    ours = BASE.replace("## Use", "## Checks\n\nCheck it.\n\n## Use")
    merged = merge(BASE, theirs, ours)
    assert merged.conflicts == ()
    assert parted(merged.body)[0] == (
        "Opening words.[^s.1]\n\n## Setup\n\nInstall it first.[^s.2]\n\n- one\n- two\n- three\n\n"
        "## Checks\n\nCheck it.\n\n## Use\n\nCall it.[^s.3]\n\nMind the gap."
    )


def test_neighbouring_paragraphs_changed_on_one_side_each_are_no_conflict():
    base = "First thing said.\n\nSecond thing said.\n\nThird thing said.\n"
    theirs = base.replace("First thing said", "First thing put")
    ours = base.replace("Second thing said", "Second thing put")
    merged = merge(base, theirs, ours)
    assert merged.body == "First thing put.\n\nSecond thing put.\n\nThird thing said.\n"
    assert merged.conflicts == ()


def test_items_of_one_list_are_merged_one_by_one_and_the_list_stays_tight():
    merged = merge(BASE, BASE.replace("- one", "- ONE"), BASE.replace("- three", "- three\n- four"))
    assert "- ONE\n- two\n- three\n- four\n" in merged.body
    assert merged.conflicts == ()


def test_rows_of_a_table_are_merged_one_by_one_and_it_stays_a_table():
    base = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    merged = merge(base, base.replace("| 1 |", "| 9 |"), base + "| 5 | 6 |\n")
    assert merged.body == "| a | b |\n|---|---|\n| 9 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"


def test_two_tables_that_were_added_at_one_place_stay_two():
    mine, yours = ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| c | d |\n|---|---|\n| 3 | 4 |\n")
    assert merge("Words.\n", f"Words.\n\n{mine}", f"Words.\n\n{yours}").body == (
        f"Words.\n\n{yours}\n{mine}"
    )


def test_code_with_blank_lines_is_one_thing():
    base = "Run:\n\n```sh\na\n\nb\n```\n\nThen wait.\n"
    merged = merge(base, base.replace("wait", "rest"), base.replace("a\n\nb", "a\n\nb\n\nc"))
    assert merged.body == "Run:\n\n```sh\na\n\nb\n\nc\n```\n\nThen rest.\n"


def test_what_both_have_changed_is_a_conflict_with_both_sides_and_the_page_keeps_the_persons():
    merged = merge(BASE, BASE.replace("first.[", "last.["), BASE.replace("first.[", "with care.["))
    assert merged.conflicts == (
        Conflict(
            "Setup",
            "Install it first.[^s.2]",
            "Install it last.[^s.2]",
            "Install it with care.[^s.2]",
        ),
    )
    assert merged.body == BASE.replace("first.[", "last.[")
    assert merged.program == BASE.replace("first.[", "with care.[")


def test_a_section_that_a_person_has_moved_and_the_program_changed_is_changed_where_it_stands_now():
    base = "## A\n\nSaid of a.\n\n## B\n\nSaid of b.\n\n## C\n\nSaid of c.\n"
    theirs = "## C\n\nSaid of c.\n\n## A\n\nSaid of a.\n\n## B\n\nSaid of b.\n"
    merged = merge(base, theirs, base.replace("of c", "of all c"))
    assert merged.body == theirs.replace("of c", "of all c")
    assert merged.conflicts == ()


def test_a_heading_that_a_person_has_renamed_keeps_its_name_over_the_programs_new_text():
    theirs = BASE.replace("## Setup", "## Installation")
    ours = BASE.replace("- three", "- three\n- four")
    merged = merge(BASE, theirs, ours)
    assert "## Installation\n\nInstall it first." in merged.body
    assert "- four" in merged.body
    assert "## Setup" not in merged.body
    assert merged.conflicts == ()


def test_a_section_gone_on_one_side_and_as_it_was_on_the_other_is_gone():
    without_use = BASE.replace("## Use\n\nCall it.[^s.3]\n\n", "")
    changed = BASE.replace("Opening", "First")
    for merged in (merge(BASE, without_use, changed), merge(BASE, changed, without_use)):
        assert "## Use" not in merged.body
        assert "First words" in merged.body
        assert merged.conflicts == ()


def test_a_section_that_both_have_taken_out_is_no_conflict():
    gone = BASE.replace("## Use\n\nCall it.[^s.3]\n\n", "")
    merged = merge(BASE, gone.replace("one", "ONE"), gone.replace("Opening", "First"))
    assert "## Use" not in merged.body
    assert merged.conflicts == ()


def test_a_section_gone_on_one_side_and_changed_on_the_other_is_a_conflict():
    gone = BASE.replace("## Use\n\nCall it.[^s.3]\n\n", "")
    changed = BASE.replace("Call it.[", "Do call it.[")
    ours_gone, ours_changed = merge(BASE, changed, gone), merge(BASE, gone, changed)
    assert ours_gone.conflicts == (
        Conflict("Use", "## Use\n\nCall it.[^s.3]", "## Use\n\nDo call it.[^s.3]", ""),
    )
    assert "Do call it" in ours_gone.body
    assert "[^s.3]:" in ours_gone.body
    assert ours_changed.conflicts[0].program == "## Use\n\nDo call it.[^s.3]"
    assert "## Use" not in ours_changed.body
    assert "## Use" in ours_changed.program


def test_a_section_that_both_have_added_under_one_heading_holds_what_both_wrote():
    merged = merge(BASE, BASE + "\n## Notes\n\nMine.\n", BASE + "\n## Notes\n\nYours.\n")
    assert parted(merged.body)[0].endswith("## Notes\n\nYours.\n\nMine.")


def test_a_new_section_of_a_person_does_not_part_the_programs_section_from_what_lies_under_it():
    base = "## A\n\nSaid of a.\n\n## B\n\nSaid of b.\n"
    theirs = base.replace("## B", "## Mine\n\nSaid by me.\n\n## B")
    merged = merge(base, theirs, base.replace("## B", "### Under a\n\nMore.\n\n## B"))
    assert (
        merged.body.index("### Under a") < merged.body.index("## Mine") < merged.body.index("## B")
    )


def test_renumbered_footnotes_are_no_change_and_point_at_the_same_evidence():
    theirs = BASE.replace("Opening words.[", "My own opening.[")
    ours = (
        "A new start.[^s.1]\n\n"
        + BASE.replace("s.3", "s.4").replace("s.2", "s.3").replace("s.1]", "s.2]")
        + '[^s.1]: raw/s.v2.md, § 0: "A new start."\n'
    )
    merged = merge(BASE, theirs, ours)
    assert merged.conflicts == ()
    text = parted(merged.body)[0]
    assert text.startswith(
        "A new start.[^s.1]\n\nMy own opening.[^s.2]\n\n## Setup\n\nInstall it first.[^s.3]"
    )
    notes = footnotes(merged.body)
    assert [notes[label].quote for label in references(text)] == [
        "A new start.", "Opening words.", "Install it first.", "Call it.",
    ]  # fmt: skip


def test_a_persons_own_footnote_gets_a_free_number_when_the_program_has_taken_its_own():
    theirs = BASE.replace("Call it.[", "Call it.[^s.4][") + '[^s.4]: raw/s.md, § D: "Mine."\n'
    ours = BASE.replace("- one", "- one[^s.4]") + '[^s.4]: raw/s.md, § E: "One."\n'
    merged = merge(BASE, theirs, ours)
    notes = footnotes(merged.body)
    assert sorted(note.quote for note in notes.values()) == [
        "Call it.", "Install it first.", "Mine.", "One.", "Opening words.",
    ]  # fmt: skip
    assert notes["s.4"].quote == "One."
    assert "Call it.[^s.5][^s.3]" in merged.body


def test_links_alone_are_no_change_by_the_program_and_one_by_a_person():
    base = BASE.replace("Install it", "[[Install]] it")
    theirs = base.replace("Call it", "[[Calls|Call]] it")
    merged = merge(base, theirs, BASE.replace("- one", "- won"))
    assert "[[Calls|Call]] it" in merged.body
    assert "- won" in merged.body
    assert merged.conflicts == ()


# -- for any texts ------------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from("alpha beta gamma delta omega".split()), min_size=1, max_size=5)
SENTENCES = WORDS.map(lambda words: " ".join(words) + ".")
NOTED = st.tuples(SENTENCES, st.integers(1, 4)).map(lambda pair: f"{pair[0]}[^s.{pair[1]}]")
BLOCKS = st.one_of(
    SENTENCES,
    NOTED,
    st.lists(SENTENCES, min_size=1, max_size=3).map(
        lambda items: "\n".join(f"- {i}" for i in items)
    ),
    SENTENCES.map(lambda words: f"```\n{words}\n\n{words}\n```"),
    SENTENCES.map(lambda words: f"| {words} | b |\n|---|---|\n| {words} | c |"),
    SENTENCES.map(lambda words: f"<!-- {words}\n\n{words} -->"),
)
HEADINGS = st.tuples(st.sampled_from(("##", "###")), st.sampled_from("ABCD")).map(" ".join)
TEXTS = st.lists(st.one_of(BLOCKS, HEADINGS), max_size=9)


def body_of(blocks: list[str], shift: int) -> str:
    """A body of these blocks, with a definition for each footnote."""
    text = "\n\n".join(blocks)
    notes = (
        f'[^{label}]: raw/s.md: "quote {int(label[2:]) + shift}"'
        for label in sorted(references(text))
    )
    return f"{text}\n\n{chr(10).join(notes)}".strip() + "\n"


BODIES = st.builds(body_of, TEXTS, st.integers(0, 2))


def lines(text: str, notes: str) -> set[str]:
    """The lines of a text, headings of any level, with what a footnote of `notes` quotes in place of its label."""
    found = footnotes(notes)
    shown = re.sub(r"\[\^([^\]]+)\]", lambda mark: f"[{found[mark[1]].quote}]", parted(text)[0])
    return {line.strip("# ") for line in shown.split("\n") if line.strip()}


@given(BODIES, BODIES)
def test_where_a_person_changed_nothing_the_programs_text_comes_out(base: str, other: str):
    assert merge(base, base, other).body == other
    assert merge(base, other, base).body == other
    assert merge(base, other, other).body == other


@given(BODIES, BODIES, BODIES)
def test_no_line_that_a_side_has_written_is_lost(base: str, theirs: str, ours: str):
    merged = merge(base, theirs, ours)
    before = lines(base, base)
    told = [(conflict.person, conflict.program) for conflict in merged.conflicts]
    person = lines(merged.body, merged.body).union(*(lines(p, merged.body) for p, _ in told))
    program = lines(merged.body, merged.body).union(*(lines(p, merged.program) for _, p in told))
    assert lines(theirs, theirs) - before <= person
    assert lines(ours, ours) - before <= program
    assert lines(ours, ours) - before <= lines(merged.program, merged.program)


@given(BODIES, BODIES, BODIES)
def test_every_reference_of_a_merged_page_has_its_definition(base: str, theirs: str, ours: str):
    merged = merge(base, theirs, ours)
    for body in (merged.body, merged.program):
        assert set(references(parted(body)[0])) <= footnotes(body).keys()


@given(BODIES, BODIES, st.lists(SENTENCES, min_size=1, max_size=2))
def test_what_a_person_adds_under_a_heading_of_their_own_meets_no_conflict(
    base: str, ours: str, own: list[str]
):
    text, notes = parted(base)
    theirs = "\n\n".join((text, "## My own", *own, *notes.values())) + "\n"
    merged = merge(base, theirs, ours)
    assert merged.conflicts == ()
    assert "## My own\n\n" + "\n\n".join(dict.fromkeys(own)) in merged.body or base == ours


@given(BODIES, BODIES, BODIES)
def test_merging_again_with_what_was_merged_changes_nothing(base: str, theirs: str, ours: str):
    merged = merge(base, theirs, ours)
    if not merged.conflicts:
        assert merge(ours, merged.body, ours).body == merged.body
