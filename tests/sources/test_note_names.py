"""Notes link one another by the names of their files: pages answer to these."""

from __future__ import annotations

import pytest

from citewiki.sources.read import read_bytes
from citewiki.sources.vault_links import FileNames, linked

NOTE = (
    "# Rank fusion\n\n## One\n\nWords of the first part.\n\n## Two\n\nWords of the second part.\n"
)


def test_the_first_page_of_a_cut_note_goes_by_all_its_names() -> None:
    text = f"---\naliases: [RRF]\n---\n{NOTE}"

    first, second = read_bytes(text.encode(), "rrf-notes.md").sections

    assert first.aliases == ("Rank fusion", "RRF", "rrf-notes")
    assert second.aliases == ()


@pytest.mark.parametrize(
    ("name", "aliases"),
    [
        ("rrf-notes.md", ("rrf-notes",)),
        ("Rank fusion.md", ()),
        ("rank-fusion.md", ()),  # its slug
        ("2024-05-01-fusing.md", ()),  # a post, which nobody links by file name
        ("2024-05-01_83ee06ab88d3.md", ()),
        ("Fusing 0123456789abcdef0123456789abcdef.md", ("Fusing",)),
    ],
)
def test_a_whole_note_goes_by_the_name_of_its_file(name: str, aliases: tuple[str, ...]) -> None:
    (section,) = read_bytes(b"# Rank fusion\n\nWords of the note.\n", name).sections

    assert section.aliases == aliases


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[[../features/tags.md|Tags]]", "[[tags|Tags]]"),
        ("![[notes/tags#Use]]", "![[tags#Use]]"),
        ("See [the tags](../features/Tag%20list.md#use).", "See [[Tag list|the tags]]."),
        ("[[tags]] `[[a/b]]` `[x](b.md)` a/b", None),
        ("[[https://x.org/a]] [x](https://x.org/a.md) [x](a.pdf)", None),
    ],
)
def test_a_note_links_others_by_name_wherever_they_lie(written: str, read: str | None) -> None:
    assert linked(written, "n/a.md", FileNames()) == (read or written)
