"""What site generators and editors leave in Markdown goes; words and code stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.sources.clean import clean_markdown


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a {% include JB/setup %} b", "a  b"),
        (
            "{% highlight go %}\n# not a heading\nx := 1\n{% endhighlight %}",
            "```go\n# not a heading\nx := 1\n```",
        ),
        ('{{< highlight go "linenos=table" >}}\nx := 1\n{{< /highlight >}}', "```go\nx := 1\n```"),
        ("see {{< youtube abc >}} it", "see  it"),
        ("[x]({{ site.baseurl }}/a)", "[x](/a)"),
        ("# Title {#anchor .wide}", "# Title"),
        ("text\n{: .note}", "text"),
        ("* Contents\n{:toc}\n\ntext", "text"),
        ("- 目录\n    {:toc}\n\ntext", "text"),
        ("[[toc]]\n\ntext", "text"),
        ("[TOC]\n\ntext", "text"),
        ("a<!-- more -->b", "ab"),
        ("a <!-- two\nlines --> b", "a  b"),
        ("a %%private note%% b", "a  b"),
        ('<iframe src="x"></iframe>\ntext', "text"),
        ("<script>\nalert('<p>')\n</script>\ntext", "text"),
        ("a <b>bold</b> word", "a bold word"),
        ("<div align=center>\n  <p>centred</p>\n</div>", "centred"),
        ('see <a href="https://x.org/a">the <b>page</b></a>', "see [the page](https://x.org/a)"),
        ('<img src="a.png" alt="a chart">', "a chart"),
        ("![a chart](img/a.png)", "a chart"),
        ("![a chart](https://x.org/a_(1).png)", "![a chart](https://x.org/a_(1).png)"),
        ("![[photo.png|300]] text", "text"),
        ("![[Other note]]", "![[Other note]]"),
        ("<pre><code>if a &lt; b:\n    c</code></pre>", "```\nif a < b:\n    c\n```"),
        ("a&nbsp;b", "a b"),
        ("a\n\n\n\nb", "a\n\nb"),
    ],
)
def test_it_reads_as_a_reader_sees_it(written: str, read: str) -> None:
    assert clean_markdown(written).strip() == read


@pytest.mark.parametrize(
    "text",
    [
        "`{% raw %}` and `<b>`",
        "```liquid\n{% include x %}\n<!-- kept -->\n![a](b.png)\n```",
        "text\n\n    {% indented %}\n    <script>x</script>\n",
        "a < b and c > d",
        "List<String> and <T>",
        "<https://x.org>",
        "{ a: 1 } and {b}",
        "50% of 20% is 10%",
        "| a | b |\n| - | - |\n| 1 | 2 |",
        "an unclosed <select is no element",
    ],
)
def test_code_and_prose_that_looks_like_markup_stay(text: str) -> None:
    assert clean_markdown(text) == text.strip("\n")


def test_an_element_without_an_end_loses_its_tag_and_not_the_rest() -> None:
    assert clean_markdown("the <video> tag\n\nand the rest") == "the  tag\n\nand the rest"


def test_an_html_table_becomes_a_markdown_table() -> None:
    table = (
        "<table class=x><thead><tr><th>Name</th><th>Value</th></tr></thead>"
        '<tr><td><p>a | b</p></td><td><a href="https://x.org">link</a></td></tr>'
        "<tr><td>`code`</td></tr></table>"
    )

    assert clean_markdown(f"before\n{table}\nafter").split("\n\n") == [
        "before",
        "| Name | Value |\n| --- | --- |\n| a \\| b | [link](https://x.org) |\n| `code` |  |",
        "after",
    ]


@pytest.mark.parametrize(
    "opening",
    [
        *("<a ", "<a href='https://x.org'>", "<!--", "{% ", "{% highlight go %}\n", "{{< "),
        *("<script>", "<pre>", "<table>", "%%", "![[", "![", "[", " ", "\n", "\n\n```\n\n"),
    ],
)
def test_many_openings_without_an_end_take_linear_time(opening: str) -> None:
    assert clean_markdown(opening * 10_000 + "x") is not None


@given(st.text(st.sampled_from("ab \n<>{}%!-[]()`#|/:=\"'&;$*_"), max_size=200))
def test_any_text_is_cleaned(text: str) -> None:
    assert "\ufdd0" not in clean_markdown(text)
