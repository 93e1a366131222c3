"""Footnotes as a set: markdown/notes.py."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.footnotes import footnotes, references
from citewiki.markdown.notes import joined, parted, relabelled, without

BODY = """\
One.[^a.1] Code `[^a.1]` and \\[^a.1] are none.[^b]

[^a.1]: raw/a.md: "One."
[^b]: a note
    of two lines

```
[^a.1]: code
```
"""


def test_a_body_is_parted_into_its_text_and_its_definitions():
    text, notes = parted(BODY)
    assert notes == {"a.1": '[^a.1]: raw/a.md: "One."', "b": "[^b]: a note\n    of two lines"}
    assert text == (
        "One.[^a.1] Code `[^a.1]` and \\[^a.1] are none.[^b]\n\n\n```\n[^a.1]: code\n```"
    )


def test_new_labels_are_given_at_once_and_not_in_code():
    text = relabelled(BODY, {"a.1": "b", "b": "a.1"})
    assert text.startswith("One.[^b] Code `[^a.1]` and \\[^a.1] are none.[^a.1]\n\n[^b]: raw/a.md")
    assert "```\n[^a.1]: code\n```" in text


def test_marks_are_taken_away_and_code_stays():
    assert without("One.[^a] Two.[^b] `[^a]`", {"a"}) == "One. Two.[^b] `[^a]`"


def test_a_body_without_text_or_without_definitions_is_joined_without_empty_lines():
    assert joined("Text.\n\n", []) == "Text.\n"
    assert joined("", ["[^a]: b"]) == "[^a]: b\n"


@given(st.lists(st.sampled_from("abc"), max_size=4), st.permutations("abc"))
def test_parting_and_joining_keep_every_reference_and_definition(
    cited: list[str], order: list[str]
):
    text = " ".join(f"Words.[^{label}]" for label in cited) or "Words."
    body = joined(text, [f'[^{label}]: raw/x.md: "{label}"' for label in order])
    again, notes = parted(body)
    assert (again, list(notes)) == (text, order)
    assert joined(again, notes.values()) == body
    assert set(references(again)) <= footnotes(body).keys()
