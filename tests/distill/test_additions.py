from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.distill.additions import added, carried
from citewiki.markdown.footnotes import footnotes, references

PAGE = (
    "First words.[^a.1]\n\n## More\n\nOther words.[^a.2]\n\nPart of [[Top]]. Next: [[B]].\n\n"
    '[^a.1]: raw/a.md: "First words."\n[^a.2]: raw/a.md: "Other words."\n'
)
NEW = '## Cases\n\nNew words.[^b.1]\n\nFirst words.[^b.2]\n\n[^b.1]: raw/b.md: "New words."\n[^b.2]: raw/b.md: "First words."\n'


def test_an_addition_stands_under_its_heading_above_the_links_to_its_neighbours():
    assert added(PAGE, NEW, heading="By B", source="b") == (
        "First words.[^a.1]\n\n## More\n\nOther words.[^a.2]\n\n"
        "## By B\n\n### Cases\n\nNew words.[^b.1]\n\nPart of [[Top]]. Next: [[B]].\n\n"
        '[^a.1]: raw/a.md: "First words."\n[^a.2]: raw/a.md: "Other words."\n'
        '[^b.1]: raw/b.md: "New words."\n'
    )


def test_an_addition_of_the_same_source_takes_the_place_of_the_one_before():
    once = added(PAGE, NEW, heading="By B", source="b")
    assert added(once, NEW, heading="By B", source="b") == once
    newer = added(once, NEW.replace("New words", "Newer words"), heading="By B", source="b")
    assert ("New words." in newer, newer.count("Newer words.[^b.1]")) == (False, 1)


def test_what_a_page_says_already_is_not_said_again():
    assert added(PAGE, "Other words.[^b.1]\n\n[^b.1]: raw/b.md\n", heading="B", source="b") == PAGE


def test_a_part_that_another_source_or_a_person_wrote_under_that_heading_is_left_alone():
    by_person = PAGE.replace("## More", "## By B\n\nA person's.\n\n## More")
    by_person = by_person.replace("A person's.", "A person's.[^a.1]")
    assert "A person's." in added(by_person, NEW, heading="By B", source="b")


def test_code_with_blank_lines_is_added_whole():
    code = "```\nx = 1\n\n# not a heading\n```"
    page = added(PAGE, f"Words.[^b.1]\n\n{code}\n\n[^b.1]: raw/b.md\n", heading="B", source="b")
    assert code in page


def test_a_new_text_of_a_source_keeps_what_others_have_added():
    both = added(PAGE, NEW, heading="By B", source="b")
    new = 'Changed.[^a.1]\n\nPart of [[Top]].\n\n[^a.1]: raw/a.md: "Changed."\n'
    assert carried(new, both, "a") == (
        "Changed.[^a.1]\n\n## By B\n\n### Cases\n\nNew words.[^b.1]\n\nPart of [[Top]].\n\n"
        '[^a.1]: raw/a.md: "Changed."\n[^b.1]: raw/b.md: "New words."\n'
    )
    assert carried(new, PAGE, "a") == new


WORDS = st.lists(st.sampled_from("one two three four five".split()), min_size=1, max_size=6)


PARAGRAPHS = st.lists(WORDS, min_size=1, max_size=4)


@given(PARAGRAPHS, PARAGRAPHS, st.integers(1, 2))
def test_no_footnote_is_lost_or_left_over(
    first: list[list[str]], then: list[list[str]], times: int
):
    def body(source: str, paragraphs: list[list[str]]) -> str:
        text = [f"{' '.join(words)}.[^{source}.{n}]" for n, words in enumerate(paragraphs, 1)]
        notes = [f"[^{source}.{n}]: raw/{source}.md" for n, _ in enumerate(paragraphs, 1)]
        return "\n\n".join((*text, "\n".join(notes))) + "\n"

    page = body("a", first)
    for _ in range(times):
        page = added(page, body("b", then), heading="By B", source="b")
    assert set(references(page)) == set(footnotes(page))
    assert {f"a.{n}" for n in range(1, len(first) + 1)} <= set(footnotes(page))
