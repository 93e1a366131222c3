"""`ask --explain`, as tables for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from citewiki.model import Answer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_NUMBERS = frozenset(("pages", "idf", "share", "weight", "score", "own words", "links", "names"))
_CHOSEN = "Pages, as chosen: the best first, then those that add most to it"


def print_explain(answer: Answer) -> None:
    """Terms, pages, claims and a model's steps of an explained answer, each as a small table.

    As wide as the terminal (80 columns where there is none); what is longer wraps in its cell.
    """
    from rich.console import Console

    found: dict[str, Any] = answer.explain or {}
    console = Console(markup=False, emoji=False, highlight=False)
    _table(
        console,
        "Terms",
        ("word", "term", "pages", "idf", "share", "weight", "pages by field"),
        (
            (
                *(t["word"], t["text"], t["frequency"]),
                *(f"{t['idf']:.2f}", f"{t['share']:.0%}", f"{t['weight']:.2f}"),
                _counts(t["frequencies"]),
            )
            for t in found.get("terms", ())
        ),
    )
    if found.get("missing"):
        console.print("In no page: " + ", ".join(found["missing"]))
    _table(
        console,
        _CHOSEN,
        ("score", "own words", "links", "names", "page"),
        (row for page in found.get("pages", ()) for row in _page(page)),
    )
    _table(
        console,
        "Claims",
        ("verdict", "claim, and what its checks turned on"),
        (row for claim in found.get("claims", ()) for row in _claim(claim)),
    )
    _table(
        console,
        "Steps",
        ("tool", "with", "result"),
        ((s["tool"], _pairs(s["arguments"]), s["result"]) for s in found.get("steps", ())),
    )


def _table(
    console: Console, title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """A table with its title; nothing where it has no rows. Numbers stand on the right."""
    from rich.padding import Padding
    from rich.table import Table

    cells = list(rows)
    if not cells:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        number = head in _NUMBERS
        table.add_column(
            head, justify="right" if number else "left", no_wrap=number, overflow="fold"
        )
    for row in cells:
        table.add_row(*(_cell(cell) for cell in row))
    console.print(f"\n{title}", style="bold")
    with console.capture() as printed:
        console.print(Padding(table, (0, 0, 0, 2)))
    for line in printed.get().splitlines():
        print(line.rstrip())


def _cell(cell: object) -> RenderableType:
    """A cell's text; one that starts with spaces is indented in all its lines."""
    from rich.padding import Padding

    text = str(cell)
    inner = text.lstrip(" ")
    return Padding(inner, (0, 0, 0, len(text) - len(inner)))


def _page(page: dict[str, Any]) -> Iterator[Sequence[str]]:
    """A page's score and what it is the sum of; below it its fields and the way it came in."""
    own = sum(page["fields"].values())
    yield (
        f"{page['score']:.2f}",
        f"{own:.2f}",
        _nonzero(page["links"]),
        _nonzero(page["names"]),
        page["title"],
    )
    fields = ", ".join(f"{name} {score:.2f}" for name, score in page["fields"].items())
    if page["own_share"] < 1:
        fields += f" ({page['own_share']:.0%} of {page['own']:.2f}: what the chain lacks)"
    for line in (fields, _way(page["route"]) + _raised(page["raised_by"], page["title"])):
        yield "", "", "", "", f"  {line}"


def _way(route: Sequence[dict[str, Any]]) -> str:
    """The whole route by which a page came in, from the page that the index found."""
    first, *rest = route
    if not rest:
        return "index"
    ways = [f"index: {first['title']}"]
    for before, step in zip(route, rest, strict=False):
        source, target, depth = before["title"], step["title"], f"at depth {step['depth']}"
        if step["name"]:
            shared = step["name"].replace("_", " ")
            ways.append(f"{source} and {target} both name “{shared}”")
        elif step["via"] == "backlink":
            ways.append(f"backlink from {target} to {source} {depth}")
        else:
            ways.append(f"wikilink {source} → {target} {depth}")
    return "; ".join(ways)


def _raised(by: dict[str, Any] | None, title: str) -> str:
    """What raised the score of a page that the index found."""
    if by is None:
        return ""
    if by["name"]:
        return f"; raised by {by['title']}, which also names “{by['name'].replace('_', ' ')}”"
    ends = (title, by["title"]) if by["via"] == "backlink" else (by["title"], title)
    return f"; raised by the link {ends[0]} → {ends[1]}"


def _claim(claim: dict[str, Any]) -> Iterator[Sequence[str]]:
    """A claim, then each of its checks with the words that it turned on."""
    yield claim["verdict"], claim["text"]
    for check in claim["checks"]:
        sign = "passed" if check["passed"] else "failed"
        words = ", ".join(check["words"])
        yield "", f"  {sign} {check['name']}" + (f": {words}" if words else "")


def _nonzero(score: float) -> str:
    return f"{score:.2f}" if score else "–"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _pairs(values: dict[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
