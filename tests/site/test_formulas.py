"""Math as MathML."""

from __future__ import annotations

import pytest

from citewiki.markdown.structure import headings
from citewiki.site.formulas import formula
from citewiki.site.harmless import harmless
from tests.site.conftest import Html


@pytest.mark.parametrize("written", ["$x^2$", "$$x^2$$", "$`x^2`$", "$$\nx^2\n$$"])
def test_math_is_shown_without_a_script(html: Html, written: str) -> None:
    shown = html(f"Say {written} here.")
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in shown
    assert 'alttext="x^2"' in shown
    assert ('display="block"' in shown) == written.startswith("$$")


def test_a_block_of_math_as_on_github(html: Html) -> None:
    assert '<math alttext="x" display="block">' in html("```math\nx\n```")


def test_money_is_no_math(html: Html) -> None:
    for text in ("From $5 to $10.", "5$ and 6$", "$5-$10", "$ 5 and 6 $"):
        assert html(text) == f"<p>{text}</p>"
    assert html("\\$x$") == "<p>$x$</p>"


def test_what_is_no_latex_stays_as_written_and_says_why(html: Html) -> None:
    shown = html("$\\foo{x} < 1$")
    assert "$\\foo{x} &lt; 1$</code>" in shown
    assert 'title="Unknown command &quot;\\foo&quot;."' in shown


def test_math_may_hold_what_markdown_would_read(html: Html) -> None:
    shown = html("$a_1 * b_2 * c$ | $[[b]]$\n\n| a | b |\n|---|---|\n| $|x|$ | y |")
    assert "<em>" not in shown
    assert shown.count("<td>") == 2
    assert "missing" not in shown


def test_math_in_a_quote_over_several_lines(html: Html) -> None:
    shown = html("> $$\n> a + b\n> $$")
    assert 'alttext="a + b"' in shown


def test_math_in_a_heading_leaves_its_id_as_links_know_it(html: Html) -> None:
    body = "Text.\n\n## The $\\alpha_1 x$ value\n"
    shown = html(body)
    assert f'id="{headings(body)[0].anchor}"' in shown
    assert "<math" in shown


def test_math_in_code_is_code(html: Html) -> None:
    assert "<math" not in html("`$x$`\n\n```\n$y$\n```\n\n    $z$\n")


def test_formulas_are_harmless_and_links_in_them_are_none() -> None:
    shown = formula("$$\\begin{aligned}a&=\\frac{b}{\\sqrt{c}}\\end{aligned}$$")
    assert harmless(shown).replace(";", "").replace(": ", ":") == shown.replace("; ", ";").replace(
        ";", ""
    ).replace(": ", ":")
    assert "javascript" not in formula("$\\href{javascript:alert(1)}{x}$").partition(">")[2]
    acting = "<math href='javascript:x'><mi onclick='x'>y</mi><annotation-xml><script>z</script>"
    assert harmless(acting) == "<math><mi>y</mi></math>"


@pytest.mark.parametrize(
    "latex", ["{" * 5000, "\\sqrt" * 5000, "\\def\\x{\\x\\x}\\x", "x" * 30_000]
)
def test_a_formula_that_would_take_long_is_shown_as_written(latex: str) -> None:
    assert formula(f"${latex}$").startswith("<code")
