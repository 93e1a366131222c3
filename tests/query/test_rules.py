"""What the engine knows, as the Ask page reads it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from citewiki.query.rules import javascript, rules
from tests.conftest import needs

NODE = shutil.which("node")


def test_rules_are_plain_data() -> None:
    found = rules()
    assert json.loads(json.dumps(found)) == found
    assert found["refusal"]["WEIGHTS"]["page"] > 0
    assert "pattern" in found["basis"]["POINTS"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\d+", r"[\p{Nd}]+"),
        (r"[^\W\d_]", r"[^[^\p{L}\p{N}_]\p{Nd}_]"),
        (r"(?P<a>x)\-\"", '(?<a>x)-"'),
        (r"[a-z'&-]", r"[a-z'\&\-]"),
    ],
)
def test_a_pattern_is_written_as_javascript_reads_it(pattern: str, expected: str) -> None:
    assert javascript(pattern) == expected


TEXTS = (
    "How many people live in Hà Nội?", "when was it built in 1742?", "Who leads the team", "石桥建于哪一年",
    "It costs 4 euros and 3.5 km, đồng.", "Because of rain, the mill opens every Sunday at 10:30",
    "vì sao cần chỉ mục?", "The Old Mill is a water mill", "What's the difference between A and B?",
)  # fmt: skip


@needs("node", NODE, "Node.js is not installed: apt install nodejs")
def test_patterns_find_in_javascript_what_they_find_in_python() -> None:
    from citewiki.query import basis, forms, frames, kinds, persons, question, relations

    found: list[re.Pattern[str]] = []

    def gather(value: object) -> None:
        if isinstance(value, re.Pattern):
            found.append(value)
        elif isinstance(value, tuple):
            for each in value:
                gather(each)

    for module in (basis, forms, frames, kinds, persons, question, relations):
        for name, value in vars(module).items():
            if name.isupper():
                gather(value)
    sent = [[javascript(each.pattern), "i" if each.flags & re.I else ""] for each in found]
    script = """
      const [patterns, texts] = JSON.parse(require("fs").readFileSync(0));
      const W = "\\\\p{L}\\\\p{N}_";
      const edge = `(?:(?<=[${W}])(?![${W}])|(?<![${W}])(?=[${W}]))`;
      console.log(JSON.stringify(patterns.map(([source, flags]) => texts.map((text) =>
        new RegExp(source.replaceAll("\\\\b", edge), "v" + flags).exec(text)?.[0] ?? null))));
    """
    done = subprocess.run(
        [str(NODE), "-e", script],
        input=json.dumps([sent, TEXTS]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    here = [
        [match[0] if (match := each.search(text)) else None for text in TEXTS] for each in found
    ]
    assert len(found) > 100
    assert json.loads(done.stdout) == here
