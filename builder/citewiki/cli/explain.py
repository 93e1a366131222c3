"""`ask --explain`, as tables for a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from citewiki.cli.output import styled
from citewiki.model import Answer


def print_explain(answer: Answer) -> None:
    """Terms, pages, claims and a model's steps of an explained answer, each as a small table."""
    found: dict[str, Any] = answer.explain or {}
    _table(
        "Terms",
        ("word", "term", "pages", "idf", "in"),
        (
            (t["word"], t["text"], t["frequency"], f"{t['idf']:.2f}", _counts(t["frequencies"]))
            for t in found.get("terms", ())
        ),
    )
    if found.get("missing"):
        print("In no page: " + ", ".join(found["missing"]))
    _table(
        "Pages",
        ("score", "page", "came in", "by field"),
        (
            (f"{p['score']:.2f}", p["title"], _way(p), _scores(p.get("fields", {})))
            for p in found.get("pages", ())
        ),
    )
    _table(
        "Claims",
        ("verdict", "claim", "checks that failed"),
        ((c["verdict"], c["text"], _failed(c["checks"])) for c in found.get("claims", ())),
    )
    _table(
        "Steps",
        ("tool", "with", "result"),
        ((s["tool"], _pairs(s["arguments"]), s["result"]) for s in found.get("steps", ())),
    )


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Columns as wide as their widest cell, at most 44 characters, the last one open."""
    cells = [[str(cell) for cell in row] for row in rows]
    if not cells:
        return
    print(styled(f"\n{title}", "1"))
    widths = [
        min(44, max(len(row[n]) for row in (list(heads), *cells))) for n in range(len(heads) - 1)
    ]
    for row in (list(heads), *cells):
        fixed = (
            cell[: width - 1] + "…" if len(cell) > width else cell.ljust(width)
            for cell, width in zip(row, widths, strict=False)
        )
        line = "  ".join((*fixed, row[-1])).rstrip()
        print(f"  {styled(line, '2') if row == list(heads) else line}")


def _way(page: dict[str, Any]) -> str:
    """How a page came in: "index", or over which link from which page, and how deep."""
    if not page["through"]:
        return "index"
    by = {"wikilink": "link from", "backlink": "links to"}.get(page["via"], "shares a name with")
    return f"{by} {page['through']} (depth {page['depth']})"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _scores(scores: dict[str, float]) -> str:
    return ", ".join(f"{name} {score:.2f}" for name, score in scores.items())


def _failed(checks: Sequence[dict[str, Any]]) -> str:
    failed = (check for check in checks if not check["passed"])
    return "; ".join(f"{each['name']}: {', '.join(each['words'])}" for each in failed) or "none"


def _pairs(values: dict[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
