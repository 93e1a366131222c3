"""What would change on a page, beside the words that it rests on, for a person at a terminal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.notes import parted
from citewiki.model import Page
from citewiki.text.folding import quote_key

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from citewiki.store.merge import Conflict
    from citewiki.store.review import Item

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)
_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_EVIDENCE = 2 / 5
"""Share of the width that the evidence takes."""


def harmless(text: str) -> str:
    """Text of a draft without what would steer a terminal, hide words or turn their direction."""
    return _CONTROL.sub("�", text.replace("\r\n", "\n").replace("\t", "    "))


def difference(old: Page | None, new: Page) -> list[str]:
    """The lines of a unified diff, as of what a person reads of a page; of a new page all."""
    before = _lines(old) if old else []
    lines = list(difflib.unified_diff(before, _lines(new), lineterm="", n=2))[2:]
    if old is None:
        return lines[1:]
    return lines or ["(its text stays as it is)"]


def _lines(page: Page) -> list[str]:
    named = {"aliases": page.aliases, "tags": page.tags, "supersedes": page.supersedes}
    told = [f"{name}: {', '.join(values)}" for name, values in named.items() if values]
    text, _ = parted(page.body)  # footnotes are shown as evidence
    return [f"title: {page.title}", f"summary: {page.summary}", *told, "", *text.split("\n")]


def show_item(
    console: Console,
    item: Item,
    current: Page | None,
    conflicts: Sequence[Conflict],
    opinions: Iterable[str] = (),
) -> None:
    """Print one item: what it is, why it waits, the diff beside its evidence, both sides."""
    from rich.table import Table
    from rich.text import Text

    where = f"{item.kind} · wiki/{item.path} · from {item.source}, {item.section} · by {item.by}"
    console.print(Text(f"{item.id}  {harmless(item.title)}", "bold"))
    console.print(Text(harmless(where), "dim"))
    for label, texts in (("why", [item.why]), ("waits", item.reasons), ("said", opinions)):
        for text in filter(None, texts):
            console.print(_hanging(label, text))
    console.print()
    for conflict in conflicts:
        sides = Table(expand=True, show_lines=False, title_justify="left")
        sides.title = Text(f"Both changed: {harmless(conflict.heading) or 'the opening'}", "bold")
        sides.add_column("on the page (stays with --mine)", ratio=1, overflow="fold")
        sides.add_column("proposed", ratio=1, overflow="fold")
        gone = "(taken out)"
        sides.add_row(
            Text(harmless(conflict.person or gone)), Text(harmless(conflict.program or gone))
        )
        console.print(sides)
    columns = Table.grid(padding=(0, 2), expand=True)
    evidence = max(20, int(console.width * _EVIDENCE))
    columns.add_column(ratio=1, overflow="fold")
    columns.add_column(width=evidence, overflow="fold")
    columns.add_row(Text("Change", "bold"), Text("Evidence", "bold"))
    columns.add_row(_coloured(difference(current, item.page)), _evidence(item, current))
    console.print(columns)


def _hanging(label: str, text: str) -> Text:
    from rich.text import Text

    return Text.assemble((f"{label:<6}", "yellow"), harmless(" ".join(text.split())))


def _coloured(lines: Iterable[str]) -> Text:
    from rich.text import Text

    shown = Text()
    for line in lines:
        shown.append(harmless(line) + "\n", _STYLES.get(line[:1], ""))
    return shown


def _evidence(item: Item, current: Page | None) -> Text:
    """What it quotes, and what the page quotes now and would not any more."""
    from rich.text import Text

    quotes = dict.fromkeys(_quotes(item))
    shown = Text()
    for quote, place in quotes:
        shown.append(f"“{harmless(quote)}”\n")
        shown.append(f"{harmless(place)}\n\n", "dim")
    if not quotes:
        shown.append("(it quotes nothing)\n\n", "red")
    now = {quote_key(quote) for quote, _ in (*quotes, *_noted(item.page))}
    gone = [each for each in _noted(current) if quote_key(each[0]) not in now] if current else []
    for quote, place in gone:
        shown.append(f"- “{harmless(quote)}”\n", "red")
        shown.append(f"{harmless(place)}\n\n", "dim")
    return shown


def _quotes(item: Item) -> list[tuple[str, str]]:
    """The evidence it names, or else what its footnotes quote."""
    named = [(each.quote, _place(each.source, each.locator)) for each in item.evidence]
    return named or _noted(item.page)


def _noted(page: Page) -> list[tuple[str, str]]:
    notes = footnotes(page.body).values()
    return [(note.quote, _place(note.resource, note.locator)) for note in notes if note.quote]


def _place(source: str, locator: str) -> str:
    return ", ".join(filter(None, (source, locator)))
