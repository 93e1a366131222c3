"""Bodies cut into blocks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.blocks import blocks


def test_a_body_is_cut_into_headings_paragraphs_items_rows_and_code() -> None:
    body = """\
Two
lines.
# Heading
- one
  more
    - nested
1. [ ] task

    its paragraph
> quote
lazy line
: definition

a | b
--|--
`|` | [[P\\|q]]
| c |

    code
"""
    found = [(b.kind, [body[start:end] for start, end in b.lines]) for b in blocks(body)]
    assert found == [
        ("paragraph", ["Two", "lines."]),
        ("heading", ["Heading"]),
        ("item", ["one", "more"]),
        ("item", ["nested"]),
        ("item", ["task"]),
        ("paragraph", ["its paragraph"]),
        ("paragraph", ["quote", "lazy line"]),
        ("item", ["definition"]),
        ("row", ["a | b"]),
        ("row", ["`|` | [[P\\|q]]"]),
        ("row", ["c"]),
        ("code", ["    code"]),
    ]


def test_what_shows_no_text_is_no_block() -> None:
    assert not blocks(
        '!!! note "Title"\n\n??? tip\n\n=== "Tab"\n\n[TOC]\n\n***\n\n- - -\n\n{: .c}\n\n'
        "[ref]: https://a.b\n\n[^1]: note\n\n<!-- a\n\nb -->\n\n%%\nc\n%%\n\n^block\n\n-\n"
    )


def test_the_cells_of_a_row_come_with_their_header() -> None:
    body = "| A | B |\n|:--|--:|\n| 1 | |\n"
    header, row = blocks(body)
    assert [body[start:end] for start, end in row.cells] == ["1", ""]
    assert [body[start:end] for start, end in row.header] == ["A", "B"]
    assert header.header == ()


@given(st.text(alphabet="ab |-#>`*:=\n\t1.[]", max_size=150))
def test_blocks_are_in_order_and_hold_their_lines(body: str) -> None:
    position = 0
    for block in blocks(body):
        assert position <= block.start <= block.end <= len(body)
        assert block.lines
        assert all(block.start <= start <= end <= block.end for start, end in block.lines)
        position = block.start
