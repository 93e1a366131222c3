"""Org and reStructuredText."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Source
from citewiki.sources import org_reader, rst_reader
from citewiki.sources.read import read_bytes

ORG = """#+TITLE: Search notes
#+AUTHOR: Ann Lee
#+DATE: <2024-05-01 Wed>
#+FILETAGS: :search:ranking:
#+INCLUDE: "other.org"
# a comment

Intro with *bold*, =code <b>=, a/b/c and [[https://x.org][a link]] to [[id:1-2][BM25]].[fn:1]

* TODO [#A] Method :draft:
:PROPERTIES:
:ID: 12
:END:
Words of it.
- [X] done
- term :: meaning
#+begin_src python
* not a heading
,* nor this
#+end_src
** Deep
: literal
* Results
| k | recall |
|---+--------|
| 60 | 97 % |
#+begin_export html
<script>hidden</script>
#+end_export

[fn:1] The note.
"""

RST = """=====
Notes
=====
:Author: Ann Lee
:Date: 2024-05-01

Intro with :func:`~a.rank` and :ref:`a page <target>`, ``lit<b>``.

Method
======

.. note:: Watch out.

.. versionadded:: 3.1
   It is new.

.. toctree::
   :maxdepth: 2

   other

.. code-block:: python

   k = 60

Deep
----

====  ======
k     recall
====  ======
60    97
====  ======

Results
=======

Broken `words.
"""


def org(text: str) -> Source:
    return read_bytes(text.encode(), "notes")


def test_org_is_told_by_its_keywords_and_read_with_what_they_say() -> None:
    source = org(ORG)

    assert (source.reader, source.title, source.author) == ("org", "Search notes", "Ann Lee")
    assert source.tags == ("search", "ranking")
    assert source.date is not None
    assert source.date.date().isoformat() == "2024-05-01"
    assert [p.message for p in source.problems] == [
        'takes in "other.org", which is not read here; ingest it too'
    ]


def test_org_becomes_markdown_with_its_outline() -> None:
    intro, method, results = org(ORG).sections

    assert (
        intro.text
        == "Intro with **bold**, `code <b>`, a/b/c and [a link](https://x.org) to BM25.[1]"
    )
    assert method.title == "Method"
    assert "- done\n- **term**: meaning" in method.text
    assert "```python\n* not a heading\n* nor this\n```" in method.text
    assert "```\nliteral\n```" in method.text
    assert method.places[-1].label == "§ Deep"
    assert results.text == "| k | recall |\n| --- | --- |\n| 60 | 97 % |\n\n[1] The note."


def test_restructuredtext_is_told_by_its_directives_and_read_with_its_fields() -> None:
    source = read_bytes(RST.encode(), "notes")

    assert (source.reader, source.title, source.author) == ("rst", "Notes", "Ann Lee")
    assert source.date is not None
    assert [section.title for section in source.sections] == ["", "Method", "Results"]


def test_what_only_sphinx_knows_keeps_its_words() -> None:
    intro, method, results = read_bytes(RST.encode(), "notes.rst").sections

    assert intro.text == "Intro with a.rank and a page, `lit<b>`."
    assert "3.1 It is new." in method.text or "3.1\n\nIt is new." in method.text
    assert "Watch out." in method.text
    assert "```\nk = 60\n```" in method.text
    assert "| 60 | 97 |" in method.text
    assert "other" not in method.text
    assert results.text == "Broken `words."


@pytest.mark.parametrize(
    "directive",
    [
        ".. include:: {}",
        ".. literalinclude:: {}",
        ".. raw:: html\n   :file: {}",
        ".. csv-table:: A\n   :file: {}",
    ],
)
def test_no_other_file_is_read_and_each_is_named(directive: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the secret")
    line = directive.format(tmp_path / "secret.txt")
    source = rst_reader.read(f"Notes\n=====\n\nWords.\n\n{line}\n", "a.rst")

    assert "the secret" not in "".join(section.text for section in source.sections)
    assert "secret.txt, which is not read here" in source.problems[0].message


def test_raw_html_is_left_out() -> None:
    source = rst_reader.read(
        "Words.\n\n.. raw:: html\n\n   <script>x</script>\n\nMore words.\n", "a.rst"
    )

    assert source.sections[0].text == "Words.\n\nMore words."


@given(st.text(st.sampled_from("ab*=/~+_:[]|#-. \n<>fn+1"), max_size=200))
def test_no_text_crashes_the_org_reader(text: str) -> None:
    assert org_reader.read(text, "a.org").sections


@pytest.mark.parametrize(
    "unit", ["*", "=", "/a/ ", "[[a]", "[fn:1]", ":a:\n", "#+begin_src\n", "|", "- a ::"]
)
def test_org_of_any_repetition_is_read_in_linear_time(unit: str) -> None:
    assert org_reader.read(unit * 5_000, "a.org").sections
