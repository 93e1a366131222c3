"""Questions put to a real wiki by `citewiki ask`, as a table of what came back.

`python -m bench.asked --pages DIR [--questions FILE]`: DIR holds the pages; FILE is JSON Lines of
`question` and `page`, the title of the page that has to come first. They are ours: neither the
pages nor their text are kept here.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

QUESTIONS = Path(__file__).with_name("cyeam.jsonl")
_SHOWN = 60  # characters of a quote in the table
_REFUSED = 3


@dataclass(frozen=True, slots=True)
class Row:
    """What came back for one question."""

    question: str
    page: str  # title of the one that came first; "" when none did
    right: bool  # whether it is the one that had to
    answered: bool
    quote: str  # the first one; "" when refused

    def __str__(self) -> str:
        came = "answered" if self.answered else "refused"
        quote = self.quote if len(self.quote) <= _SHOWN else f"{self.quote[:_SHOWN].rstrip()} …"
        cells = (self.question, self.page, "yes" if self.right else "no", came, quote or "–")
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def run(pages: Path, questions: Path = QUESTIONS) -> list[Row]:
    """Make a wiki of the pages in a temporary folder, and ask it one question after another."""
    root = Path(tempfile.mkdtemp(prefix="citewiki-bench-"))
    try:
        shutil.copytree(pages, root / "wiki")
        (root / "mkdocs.yml").write_text("site_name: Questions\n", encoding="utf-8")
        lines = questions.read_text(encoding="utf-8").splitlines()
        return [_asked(root, json.loads(line)) for line in lines if line.strip()]
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _asked(root: Path, wanted: dict[str, str]) -> Row:
    """One question, by the command as people give it."""
    command = [sys.executable, "-m", "citewiki", "ask", "--json", "--wiki", str(root)]
    done = subprocess.run([*command, wanted["question"]], capture_output=True, text=True)
    if done.returncode not in (0, _REFUSED):
        raise SystemExit(done.stderr)
    answer: dict[str, Any] = json.loads(done.stdout)
    first = answer["retrieved"][0]["title"] if answer["retrieved"] else ""
    quotes = [cited["quote"] for claim in answer["claims"] for cited in claim["citations"]]
    quote = " ".join(quotes[0].split()) if quotes else ""
    right = first == wanted["page"]
    return Row(wanted["question"], first, right, answer["status"] == "answered", quote)


def main() -> None:
    """Print the table, and how many of the first pages are right."""
    parser = argparse.ArgumentParser(prog="bench.asked", description=__doc__)
    parser.add_argument("--pages", type=Path, required=True, help="folder of the wiki's pages")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="JSON Lines")
    chosen = parser.parse_args()
    rows = run(chosen.pages, chosen.questions)
    print("| question | first page | right | | first quote |\n|---|---|---|---|---|")
    print(*rows, sep="\n")
    right, answered = sum(row.right for row in rows), sum(row.answered for row in rows)
    print(f"\nRight page first: {right} of {len(rows)}; answered: {answered}.")


if __name__ == "__main__":
    main()
