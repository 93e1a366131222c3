"""At a date when a page is not there, nothing of it is found: not on any surface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki import Wiki
from citewiki.cli.app import app
from citewiki.config import Config
from citewiki.errors import EngineError
from citewiki.llm.port import Reply, ToolCall, Turn
from citewiki.llm.scripted import ScriptedEngine
from citewiki.site.exports import write_all
from citewiki.site.graph import graph_data
from citewiki.site.model import build_model
from tests.conftest import NOW, MakeWiki, write_files

SIGNS = ("zefflin", "brundlewick", "tagzorp", "vexquill", "norgumble")
"""Of the page that is not there: of its title, its words, its tag, its slug and its file."""

NEIGHBOUR = """---
title: Keeping rules
slug: keeping-rules
source_authority: docs
---
The retention period of archived pages is 90 days. It replaced [[the old rules]].
Frequent words: retention, archived, backup.
"""
OTHER = (
    "---\ntitle: Backups\n---\nA backup of archived pages is made each night. [[Keeping rules]]\n"
)
HIDDEN = """---
title: Quixomar Zefflin
slug: vexquill
aliases: [the old rules]
tags: [tagzorp]
summary: Rules of retention by brundlewick.
{front}
---
The retention period of archived pages is 45 days. Brundlewick wrote it, see [[Keeping rules]].
A backup of brundlewick is kept.
"""
QUESTION = "What is the retention period of archived pages?"


@dataclass(frozen=True)
class Case:
    """A page with its times, the options for a day when it is not there, and for one when it is."""

    front: str
    hidden: tuple[str, ...]
    shown: tuple[str, ...]
    path: str = "wiki/norgumble.md"


CASES = {
    "archived, now": Case(
        "archived_at: 2021-06-01", (), ("--known-at", "2021-05-31"), "wiki/_archive/norgumble.md"
    ),
    "archived where it lay, now": Case(
        "archived_at: 2021-06-01", (), ("--known-at", "2021-06-01T06:00:00+07:00")
    ),
    "archived before that day": Case(
        "archived_at: 2021-06-01", ("--known-at", "2021-06-01"), ("--known-at", "2021-05-31"),
        "wiki/_archive/norgumble.md",
    ),
    "not known yet": Case(
        "ingested_at: 2021-06-01", ("--known-at", "2021-05-31"), ("--known-at", "2021-06-01")
    ),
    "no longer valid": Case(
        "valid_until: 2021-06-01", ("--as-of", "2021-06-01"), ("--as-of", "2021-05-31")
    ),
    "not valid yet": Case(
        "valid_from: 2021-06-01", ("--as-of", "2021-05-31"), ("--as-of", "2021-06-01")
    ),
    "valid, but not known yet": Case(
        "valid_from: 2021-01-01\ningested_at: 2021-06-01",
        ("--as-of", "2021-02-01", "--known-at", "2021-05-31"),
        ("--as-of", "2021-02-01", "--known-at", "2021-06-01"),
    ),
    "known, but no longer valid": Case(
        "valid_until: 2021-02-01\ningested_at: 2021-01-01",
        ("--as-of", "2021-02-01", "--known-at", "2021-05-31"),
        ("--as-of", "2021-01-31", "--known-at", "2021-05-31"),
    ),
}  # fmt: skip

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("search", "retention period", "--json"),
    ("search", "quixomar", "-v"),
    ("search", "brundle", "tagz", "zeffling"),
    ("ask", QUESTION, "--json", "--explain"),
    ("ask", QUESTION, "--explain", "--depth", "3"),
    ("ask", QUESTION, "--strict", "--allow-stale", "--drift", "auto"),
    ("ask", "Who wrote the retention period, what is the backup?", "--explain"),
    ("show", "Keeping rules"),
    ("show", "keeping-rules", "--json"),
    ("show", "Quixomar Zeffl"),
    ("show", "the old rule"),
    ("graph",),
    ("graph", "--json"),
    ("graph", "--around", "Keeping rules", "--depth", "3"),
    ("graph", "--around", "the old rules"),
    ("drift",),
    ("drift", "--json"),
)


def made(make_wiki: MakeWiki, case: Case) -> Path:
    return make_wiki(
        {
            "wiki/keeping.md": NEIGHBOUR,
            "wiki/backups.md": OTHER,
            case.path: HIDDEN.format(front=case.front),
        }
    )


def told(root: Path, command: Sequence[str], when: Sequence[str]) -> str:
    """All that a command says to a reader of the wiki, errors included; in small letters."""
    ran = CliRunner().invoke(app, [*command, *when, "--wiki", str(root), "--viewer", "*"])
    return f"{ran.output}\n{ran.exception}".lower()


@pytest.mark.parametrize("name", CASES)
def test_nothing_of_a_page_is_told_by_any_command_at_a_date_when_it_is_not_there(
    make_wiki: MakeWiki, name: str
) -> None:
    case = CASES[name]
    root = made(make_wiki, case)
    for command in COMMANDS:
        said = told(root, command, case.hidden)
        assert [sign for sign in SIGNS if sign in said] == [], command
    found = {command[0] for command in COMMANDS if "zefflin" in told(root, command, case.shown)}
    assert found == {"search", "ask", "show", "graph", "drift"}


@pytest.mark.parametrize("name", CASES)
def test_counts_of_words_are_those_of_a_wiki_without_the_page(
    make_wiki: MakeWiki, name: str
) -> None:
    case = CASES[name]
    root = made(make_wiki, case)
    command = ("ask", f"{QUESTION} Brundlewick Zefflin", "--json", "--explain")
    with_it = explained(root, command, case.hidden)
    (root / case.path).unlink()
    assert with_it == explained(root, command, case.hidden)
    assert with_it["missing"] == ["Brundlewick", "Zefflin"]


def explained(root: Path, command: Sequence[str], when: Sequence[str]) -> dict[str, object]:
    ran = CliRunner().invoke(app, [*command, *when, "--wiki", str(root)])
    said = json.loads(ran.output)["explain"]
    return {"terms": said["terms"], "missing": said["missing"]}


@pytest.mark.parametrize("name", CASES)
def test_a_model_that_looks_things_up_is_told_nothing_of_it(make_wiki: MakeWiki, name: str) -> None:
    case = CASES[name]
    wiki = Wiki.open(made(make_wiki, case))
    wanted = [
        ("search", {"words": "retention quixomar brundle"}),
        ("follow_links", {"slug": "keeping-rules"}),
        ("read_page", {"slug": "keeping-rules"}),
        ("read_page", {"slug": "the old rules"}),
        ("read_page", {"slug": "quixomar"}),
    ]
    made_calls = tuple(
        ToolCall(f"t{number}", tool, arguments) for number, (tool, arguments) in enumerate(wanted)
    )
    engine = ScriptedEngine([Reply("", None, made_calls, turn=Turn("assistant", made_calls))])
    when = dict(zip(case.hidden[::2], case.hidden[1::2], strict=True))
    with pytest.raises(EngineError):  # the script has ended
        wiki.ask(
            QUESTION,
            engine=engine,
            agentic=True,
            now=NOW,
            as_of=day(when.get("--as-of")),
            known_at=day(when.get("--known-at")),
        )
    said = repr(engine.requests[1].turns[1:]).lower()
    assert "keeping rules" in said
    assert [sign for sign in SIGNS if sign in said] == []


def day(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


@pytest.mark.parametrize("name", ["archived, now", "archived where it lay, now"])
def test_no_file_of_the_site_for_programs_tells_of_an_archived_page(
    make_wiki: MakeWiki, name: str
) -> None:
    case = CASES[name]
    model = build_model(made(make_wiki, case), Config(), NOW)
    files: dict[str, str] = {}
    write_all(model, graph_data(model.graph), "Wiki", "", "", files.__setitem__)
    assert {"llms.txt", "llms-full.txt", "graph.json"} <= files.keys()
    for path, text in files.items():
        assert [sign for sign in SIGNS if sign in (path + text).lower()] == [], path


@pytest.mark.parametrize("front", ["ingested_at: 2021-06-01", "valid_from: 2021-06-01"])
def test_no_file_of_a_snapshot_for_programs_tells_of_a_page_that_came_later(
    make_wiki: MakeWiki, front: str
) -> None:
    root = made(make_wiki, Case(front, (), ()))
    model = build_model(root, Config(), NOW, as_of=datetime(2021, 5, 31, tzinfo=UTC))
    files: dict[str, str] = {}
    write_all(model, graph_data(model.graph), "Wiki", "", "", files.__setitem__)
    for path, text in files.items():
        assert [sign for sign in SIGNS if sign in (path + text).lower()] == [], path


def test_a_successor_that_the_wiki_did_not_have_is_not_named(make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            "wiki/rules.md": "---\ntitle: Keeping rules\nslug: keeping-rules\n"
            "superseded_by: vexquill\nvalid_until: 2021-06-01\nsuperseded_at: 2021-06-01\n---\n"
            "The retention period of archived pages is 90 days.\n",
            "wiki/norgumble.md": HIDDEN.format(
                front="ingested_at: 2021-06-01\nsupersedes: [keeping-rules]"
            ),
        }
    )
    for command in COMMANDS:
        said = told(root, command, ("--known-at", "2021-05-31"))
        assert [sign for sign in SIGNS if sign in said] == [], command
    for when in (("--as-of", "2021-05-31"), ("--as-of", "2021-05-31", "--known-at", "2021-06-01")):
        said = told(root, ("ask", QUESTION), when)
        assert "90 days" in said
        assert "is superseded by “quixomar zefflin” (vexquill)" in said


TIMES = st.one_of(st.none(), st.integers(0, 8))
PAGES = st.lists(st.tuples(TIMES, TIMES, TIMES, TIMES), min_size=1, max_size=6)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAGES, st.integers(0, 9), st.integers(0, 9))
def test_two_dates_differ_only_by_pages_with_a_bound_between_them(
    tmp_path_factory: pytest.TempPathFactory,
    pages: list[tuple[int | None, ...]],
    one: int,
    other: int,
) -> None:
    root = write_files(tmp_path_factory.mktemp("wiki"), dict(files(pages)))
    wiki = Wiki.open(root)
    first, last = sorted((one, other))
    for key, low, high in (("as_of", 0, 1), ("known_at", 2, 3)):
        before, after = (found(wiki, key, at) for at in (first, last))
        changed = {
            f"page-{number}"
            for number, times in enumerate(pages)
            for bound in (times[low], times[high])
            if bound is not None and first < bound <= last
        }
        assert before ^ after <= changed
        then = {
            f"page-{number}"
            for number, times in enumerate(pages)
            if (times[low] is None or times[low] <= first)  # type: ignore[operator]
            and (times[high] is None or first < times[high])  # type: ignore[operator]
        }
        if key == "as_of":  # what is archived today is not asked
            then -= {f"page-{n}" for n, times in enumerate(pages) if times[3] is not None}
        assert before == then


def moment(number: int) -> datetime:
    return datetime(2021, 1, 1 + number, tzinfo=UTC)


def files(pages: Sequence[tuple[int | None, ...]]) -> Iterator[tuple[str, str]]:
    names = ("valid_from", "valid_until", "ingested_at", "archived_at")
    for number, times in enumerate(pages):
        front = "".join(
            f"{name}: {moment(at):%Y-%m-%d}\n"
            for name, at in zip(names, times, strict=True)
            if at is not None
        )
        folder = "wiki/_archive" if times[3] is not None and number % 2 else "wiki"
        text = f"---\ntitle: Page {number}\nslug: page-{number}\n{front}---\nA zebra, [[Page 0]].\n"
        yield f"{folder}/page-{number}.md", text


def found(wiki: Wiki, key: str, at: int) -> set[str]:
    """The pages at a date, by every way of asking for them; all have to agree."""
    as_of = moment(at) if key == "as_of" else None
    known_at = moment(at) if key == "known_at" else None
    by_words = {hit.slug for hit in wiki.search("zebra", as_of=as_of, known_at=known_at)}
    listed = {page.slug for page in wiki.pages(as_of=as_of, known_at=known_at)}
    drawn = {page.slug for page in wiki.graph(as_of=as_of, known_at=known_at).pages.values()}
    assert by_words == listed == drawn
    return by_words
