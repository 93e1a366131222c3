"""Protected regions: where no link is read and nothing is rewritten."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.regions import masked, protected

MARKDOWN = st.text(alphabet="ab `~<>!-$%\\\n\t>*1.#|/\"'=", max_size=200)


def hidden(text: str) -> list[str]:
    return [text[start:end] for start, end in protected(text)]


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("a `x` b ``y ` z`` c ` d", ["`x`", "``y ` z``"]),
        ("```py\n[[x]]\n```\nafter", ["```py\n[[x]]\n```"]),
        ("~~~~\n~~~\n[[x]]\n~~~~\n[[y]]", ["~~~~\n~~~\n[[x]]\n~~~~"]),
        ("````\n```\n[[x]]\n````", ["````\n```\n[[x]]\n````"]),
        ("- ```bash\n  [[ -n x ]]\n  ```\n- [[y]]", ["```bash\n  [[ -n x ]]\n  ```"]),
        ("1. a\n\n    ```\n    [[x]]\n    ```\n", ["```\n    [[x]]\n    ```"]),
        ("```\nnever closed [[x]]", ["```\nnever closed [[x]]"]),
        ("> ```\n> [[x]]\n\nafter", ["```\n> [[x]]\n"]),
        ("```one line``` [[x]]", ["```one line```"]),
        ("~~~a~~~ is no fence", []),
        ("```mermaid\na[[S]]\n```", ["```mermaid\na[[S]]\n```"]),
    ],
)
def test_fenced_and_inline_code_is_protected(text: str, regions: list[str]) -> None:
    assert hidden(text) == regions


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("para\n\n    code\n\n    more\n\npara", ["    code\n\n    more"]),
        ("    code at the start\n\ntext", ["    code at the start"]),
        ("a\n\n\tcode\n", ["\tcode"]),
        ("para\n    wrapped line", []),
        ("- item\n\n    its paragraph\n\n        its code\n", ["        its code"]),
        ("1. item\n\n    its paragraph", []),
        ("- item\n\n      its code", ["      its code"]),
        ("- item\n\n     its paragraph", []),
        ("1. item\n\n       its code", ["       its code"]),
        ("1. item\n\n      its paragraph", []),
        ("- a\n  - b\n\n        its code", ["        its code"]),
        ("- item\nlazy line\n\n    its paragraph", []),
        ("- item\n\npara\n\n    code", ["    code"]),
        ("- item\n\n# Heading\n\n    code", ["    code"]),
        ("!!! note\n\n    its text\n\nDone\n\n    code", ["    code"]),
        ("[^1]: note\n\n    its text", []),
        ('=== "Tab"\n\n    its text', []),
        ("Title\n===\n\n    code", ["    code"]),
        ("# Heading\n\n    ```\n    shown\n\ntext", ["    ```\n    shown"]),
        ("# Heading\n    code\n\ntext", ["    code"]),
        ("## A `b`\n\tcode", ["`b`", "\tcode"]),
        ("- item\n\n# Heading\n    code", ["    code"]),
        ("Title\n---\n    code", ["    code"]),
        ("***\n    code\n    more\ntext", ["    code\n    more"]),
        ("```\na\n```\n    code", ["```\na\n```", "    code"]),
        ("- # Heading\n    its words", []),
        ("| a |\n|---|\n    its lazy row", []),
        ("#tag is prose\n    wrapped line", []),
    ],
)
def test_indented_code_is_protected_where_it_is_code(text: str, regions: list[str]) -> None:
    assert hidden(text) == regions


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("a <!-- [[x]]\n\n``` --> b", ["<!-- [[x]]\n\n``` -->"]),
        ("<!-- never closed", ["<!-- never closed"]),
        ("in a line <!-- never closed", []),
        ("%%note%% and 100%% sure", ["%%note%%"]),
        ("%%\na\n\nb\n%%\nc", ["%%\na\n\nb\n%%"]),
        ("100%% of\n\n50%% more", []),
        ("<b>[[x]]</b> <br/>", ["<b>", "</b>", "<br/>"]),
        ("<a title=\"x > y\" href='[[z]]'>", ["<a title=\"x > y\" href='[[z]]'>"]),
        ("<pre>[[x]]\n\n</PRE> b", ["<pre>[[x]]\n\n</PRE>"]),
        ("<script>a < b; `</script> c", ["<script>a < b; `</script>"]),
        ('<div class="mermaid">a[[x]]</div>', ['<div class="mermaid">a[[x]]</div>']),
        ("<https://a.b/[[c]]>", ["<https://a.b/[[c]]>"]),
        ("1 < 2 and 3 > 2, a<\n\nb>", []),
    ],
)
def test_comments_and_html_are_protected(text: str, regions: list[str]) -> None:
    assert hidden(text) == regions


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("let $a_1$ be $$b$$.", ["$a_1$", "$$b$$"]),
        ("$$\na\n\nb\n$$\nx", ["$$\na\n\nb\n$$"]),
        ("it costs $5 and $6", []),
        ("between $5-$10", []),
        ("5$ or 6$ each", []),
        ("from $5, $a$ and $b$", ["$a$", "$b$"]),
        ("\\$a\\$ and $b$", ["$b$"]),
        ("$ a$ b", []),
        ("one $a\n\ntwo b$", []),
    ],
)
def test_math_is_protected_and_prices_are_not(text: str, regions: list[str]) -> None:
    assert hidden(text) == regions


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("\\`no\\` `yes`", ["`yes`"]),
        ("- a ` b\n- c ` d", []),
        ("one ` two\n\nthree ` four", []),
        ("| a `|` b |\n| c ` |", ["`|`"]),
        ("`<!--` [[x]] `-->`", ["`<!--`", "`-->`"]),
        ("`$a` b$", ["`$a`"]),
    ],
)
def test_a_region_opens_only_in_prose_and_ends_with_its_block(
    text: str, regions: list[str]
) -> None:
    assert hidden(text) == regions


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000,
        "` " * 50_000,
        " ".join("`" * length for length in range(1, 500)),
        "```x\n" * 20_000,
        "> ```x\n" * 20_000,
        "\n".join("    " + "`" * length for length in range(500, 3, -1)),
        "<a " * 50_000,
        '<a "' * 50_000,
        "<!-- " * 50_000,
        "<pre>" * 50_000,
        "$a " * 50_000,
        "%% a\n\n" * 20_000,
        "- a\n\n    b\n\n" * 20_000,
        "- a\n    b\n" * 20_000,
        "# a\n    b\n" * 20_000,
        "\\" * 100_001,
    ],
    ids=range(16),
)
def test_time_is_linear_whatever_the_page_holds(text: str) -> None:
    begin = time.process_time()
    protected(text)
    assert time.process_time() - begin < 5  # a quadratic scan takes minutes


@given(MARKDOWN)
def test_regions_are_sorted_disjoint_and_not_empty(text: str) -> None:
    end = 0
    for region_start, region_end in protected(text):
        assert end <= region_start < region_end <= len(text)
        end = region_end


@given(MARKDOWN)
def test_masking_keeps_offsets_lines_and_all_that_is_not_protected(text: str) -> None:
    result = masked(text)
    assert len(result) == len(text)
    assert [i for i, c in enumerate(result) if c == "\n"] == [
        i for i, c in enumerate(text) if c == "\n"
    ]
    shown = set(range(len(text))).difference(*(range(*span) for span in protected(text)))
    assert all(result[index] == text[index] for index in shown)
