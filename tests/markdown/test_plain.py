"""Markdown as readable text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.plain import plain


def test_markup_goes_and_words_stay() -> None:
    markdown = """\
# RAG *hybrid* {#own}

See [[Vector DB|vectors]], [docs](x.html) and `code`.[^1] <b>Bold</b> &amp; wrapped
line.<!-- hidden -->

- one
- [x] two

> quoted

| A | B |
|---|---|
| 1 | [[C\\|d]] |

```py
print(1)
```

![image](x.png)

[^1]: raw/x.pdf: "no"
"""
    assert plain(markdown) == (
        "RAG hybrid\n\n"
        "See vectors, docs and code. Bold & wrapped line.\n\n"
        "one\ntwo\n\n"
        "quoted\n\n"
        "A, B\n1, d\n\n"
        "print(1)"
    )


@given(st.text(alphabet="ab. []()|*_`#>-!\n", max_size=150))
def test_plain_text_of_anything_has_no_space_around_it(markdown: str) -> None:
    text = plain(markdown)
    assert text == text.strip("\n")
    assert "\n\n\n" not in text or "```" in markdown or "    " in markdown
