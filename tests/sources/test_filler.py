"""Which sections hold nothing of their own."""

from __future__ import annotations

import pytest

from citewiki.sources.filler import filler

PROSE = "Hybrid search joins two ranked lists."


@pytest.mark.parametrize(
    ("title", "text", "reason"),
    [
        ("", "", "there is no text in it"),
        ("A", "", "there is no text under its heading"),
        ("A", "---", "there is no text under its heading"),
        ("A", "![chart](https://x.org/a.png)\n\n![[b.png]]", "pictures only"),
        ("Links", "- [BM25](https://x.org)\n- [[Vector DB]]\n- https://y.org/z", "only links"),
        ("A", "> [source](https://x.org)", "only links"),
        ("Refs", "[a]: https://x.org\n[b]: https://y.org", "only links"),
        ("参考文献", "+ 【1】《Go 语言实战》", "a list of references"),
        ("7. References", "[1] Smith, J. A title. 2010.", "a list of references"),
        ("Table of Contents", "One\nTwo", "a table of contents"),
        ("A", "- [One](#one)\n- [Two](#two)", "a table of contents"),
        ("A", "\n".join(f"{n} Chapter ..... {n}0" for n in range(1, 7)), "a table of contents"),
        ("Index", "\n".join(f"term {n}, {n}, 1{n}" for n in range(6)), "an index of terms"),
    ],
)
def test_filler_is_recognised(title: str, text: str, reason: str) -> None:
    found = filler(title, text)

    assert found is not None
    assert found[1] == reason


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("A", PROSE),
        ("References to pages", PROSE),
        ("Index", "An index maps words to pages."),
        ("A", "```sh\nrun it\n```"),
        ("A", f"{PROSE} See [BM25](https://x.org)."),
        (
            "Tools",
            "- [Tantivy](https://x.org): a fast index in Rust with BM25\n- [X](y) is slow and old",
        ),
        ("A", "| year | value |\n| --- | --- |\n| 2010 | 3 |"),
        ("A", f"![chart](https://x.org/a.png)\n\n{PROSE}"),
    ],
)
def test_what_says_something_is_kept(title: str, text: str) -> None:
    assert filler(title, text) is None
