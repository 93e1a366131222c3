"""The Ask page answers in the browser as the command line does."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from citewiki import Wiki
from citewiki.config import Config
from citewiki.markdown.plain import plain
from citewiki.model import Answer
from citewiki.query.drift import drift_pairs
from citewiki.query.rules import rules
from citewiki.site.ask_index import ASSETS, write_all
from citewiki.site.exports import markdown_file
from citewiki.site.model import build_model
from tests.conftest import NOW, needs, write_files

REPOSITORY = Path(__file__).parents[2]
SOURCES = REPOSITORY / "builder" / "citewiki" / "site" / "assets"
NODE = shutil.which("node")
HERE = Path(__file__).parent

pytestmark = needs("node", NODE, "Node.js is not installed: apt install nodejs")

Ask = Callable[..., list[dict[str, Any]]]


def publish(root: Path, site: Path, now: datetime = NOW) -> None:
    """What of the site of the wiki at `root` the Ask page reads."""
    model = build_model(root, Config(), now)
    model = replace(model, drifts=tuple(drift_pairs(model.current())))
    site.mkdir()
    write_all(model, rules(), site)
    pages = {
        f"{model.urls[page.path]}index.md": markdown_file(model, page)
        for page in model.pages.values()
    }
    write_files(site, pages)
    (site / "assets").mkdir()
    for name in ASSETS:
        shutil.copy(SOURCES / name, site / "assets")
    (site / "assets" / "package.json").write_text('{"type": "module"}')


def asked(site: Path, questions: list[str]) -> list[dict[str, Any]]:
    """What the Ask page's scripts say to each question."""
    command = [str(NODE), str(HERE / "ask_node.mjs"), str(site)]
    done = subprocess.run(
        command, input=json.dumps(questions), capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Asks a wiki made of `files`, whose paths start under wiki/."""

    def ask(files: dict[str, str], *questions: str) -> list[dict[str, Any]]:
        root = tmp_path / "root"
        written = {f"wiki/{path}": text for path, text in files.items()}
        write_files(root, {"mkdocs.yml": "site_name: t\n", **written})
        publish(root, tmp_path / "site")
        return asked(tmp_path / "site", list(questions))

    return ask


MILL = {
    "places/mill.md": (
        "---\ntitle: Old Mill\naliases: [The Mill]\ndomain: places\n---\n# Old Mill\n\n"
        "The Old Mill is a water mill on the river Ise. It was built in 1742 by [[Jan Brandt]].\n\n"
        "## Opening\n\nThe mill opens every Sunday at `10.30`. "
        "Entry costs **4 euros**.[^a]\n\n[^a]: raw/mill.md: \"Entry costs 4 euros\"\n"
    ),
    "people/jan.md": "---\ntitle: Jan Brandt\n---\nJan Brandt was a carpenter from Emden.",
    "vi/song.md": "---\ntitle: Sông Đà\n---\nSông Đà dài 910 km và chảy qua Hòa Bình.",
    "zh/bridge.md": "---\ntitle: 石桥\n---\n石桥建于1605年，位于清水镇。桥长四十二米。",
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "claim", "page"),
    [
        ("When was the Old Mill built?", "It was built in 1742 by Jan Brandt.", "mill"),
        ("How much does entry to the mill cost?", "Entry costs 4 euros.", "mill"),
        ("Song Da dai bao nhieu?", "Sông Đà dài 910 km và chảy qua Hòa Bình.", "song"),
        ("石桥建于哪一年？", "石桥建于1605年，位于清水镇。", "bridge"),
        ("Who was Jan Brandt?", "Jan Brandt was a carpenter from Emden.", "jan"),
    ],
)
def test_an_answer_is_a_sentence_of_a_page_with_its_address(
    ask: Ask, question: str, claim: str, page: str
) -> None:
    (answer,) = ask(MILL, question)
    assert answer["refusal"] is None
    assert answer["claims"][0]["text"] == claim
    assert page in answer["claims"][0]["url"] or page in answer["claims"][0]["title"].lower()


def test_what_no_page_says_is_refused_with_what_is_available(ask: Ask) -> None:
    unstated, unknown = ask(MILL, "How deep is the Old Mill?", "Who won the chess final?")
    assert unstated["claims"] == unknown["claims"] == []
    assert unstated["refusal"]["kind"] == "not_stated"
    assert [page["title"] for page in unstated["refusal"]["available"]][:1] == ["Old Mill"]
    assert unknown["refusal"]["kind"] == "no_relevant_page"
    assert unknown["refusal"]["available"] == []


def test_a_question_of_two_parts_is_answered_in_both(ask: Ask) -> None:
    (answer,) = ask(MILL, "When was the Old Mill built and when does it open?")
    said = " ".join(claim["text"] for claim in answer["claims"])
    assert "1742" in said
    assert "Sunday" in said


def test_a_superseded_page_gives_way_to_its_successor(ask: Ask) -> None:
    files = {
        "old.md": "---\ntitle: Fee 2020\nsuperseded_by: fee\n---\nThe parking fee is 3 euros.",
        "fee.md": "---\ntitle: Fee\nslug: fee\n---\nThe parking fee is 5 euros.",
    }
    (answer,) = ask(files, "How much is the parking fee?")
    assert [claim["text"] for claim in answer["claims"]] == ["The parking fee is 5 euros."]


def test_the_index_reads_only_the_parts_and_pages_that_a_question_needs(ask: Ask) -> None:
    many = {
        f"d{number % 5}/p{number}.md": f"---\ntitle: Page {number}\n---\n"
        + " ".join(f"word{number * 7 + at} common{at % 90}" for at in range(150))
        for number in range(200)
    }
    (answer,) = ask({**many, **MILL}, "When was the Old Mill built?")
    parts = [size for address, size in answer["loaded"] if address.endswith(".bin")]
    assert 1 <= len(parts) <= 3
    assert max(parts) < 20_000
    assert sum(address.endswith("index.md") for address, _ in answer["loaded"]) <= 8


def test_a_last_word_that_is_being_typed_finds_what_it_begins(ask: Ask) -> None:
    (found,) = ask(MILL, "carpen")
    assert found["searched"][0] == "people/jan/"


def test_answers_are_those_of_the_command_line(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(REPOSITORY / "wiki", root / "wiki")
    (root / "mkdocs.yml").write_text("site_name: t\n")
    publish(root, tmp_path / "site", datetime.now(UTC))
    wiki = Wiki.open(root, viewer="*")
    titles = sorted(page.title for page in wiki.pages())
    questions = [
        *(f"What is {title}?" for title in titles[::12]),
        *(f"How does {title} work?" for title in titles[3::25]),
        *(f"Why is {title} needed?" for title in titles[5::25]),
        *(f"When was {title} introduced?" for title in titles[7::25]),
        "What is the difference between BM25 and hybrid search?",
        "How many pages should an answer read?",
        "Who won the world cup in 1998?",
    ]
    here = asked(tmp_path / "site", questions)
    there = [wiki.ask(question) for question in questions]
    pairs = list(zip(here, there, strict=True))
    first = [_slug(one["retrieved"]) == _first(other) for one, other in pairs]
    decided = [bool(one["claims"]) == bool(other.claims) for one, other in pairs]
    said = [
        one["claims"][0]["text"] == other.claims[0].text
        for one, other in pairs
        if one["claims"] and other.claims
    ]
    assert len(questions) > 50
    assert sum(first) >= 0.95 * len(first)
    assert sum(decided) >= 0.95 * len(decided)
    assert sum(said) >= 0.9 * len(said)
    shown = {page.slug: plain(page.body) for page in wiki.pages()}
    for one in here:
        for claim in one["claims"]:
            words = " ".join(shown[_slug([claim["url"]])].split())
            assert (
                claim["quote"] in words or ": " in claim["quote"]
            )  # of a table's row: with header


def _slug(urls: list[str]) -> str:
    return urls[0].split("/")[-2] if urls else ""


def _first(answer: Answer) -> str:
    return answer.retrieved[0].slug if answer.retrieved else ""
