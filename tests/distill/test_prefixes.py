"""Prefixes: written by a model about passages, found by, and never quoted."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from citewiki.ask import ask
from citewiki.config import AskConfig
from citewiki.distill.prefixes import AT_ONCE, LONGEST, write_prefixes
from citewiki.errors import EngineError, EngineRefused, EngineUnavailable
from citewiki.index.index import open_index
from citewiki.llm.port import Reply, Request, Turn, Usage
from citewiki.llm.scripted import ScriptedEngine
from citewiki.model import Page
from citewiki.query.pack import pack
from citewiki.query.question import question
from citewiki.query.retrieve import search
from citewiki.store.pages import load_pages
from citewiki.store.prefixes import passage_key, prefix_file, read_prefixes
from tests.conftest import MakeWiki

NOW = datetime(2026, 5, 12, tzinfo=UTC)
PUMP = """---
title: Pump P7
domain: plant
shared_with: ["*"]
---
It stands in the cellar.

## Service

The seal is renewed every 400 hours.
"""
SECRET = "---\ntitle: Diary\nowner: ann\n---\nToday it rained.\n"
TOLD = {1: "Where the drainage machine stands.", 2: "Maintenance interval of the drainage machine."}


def written(told: dict[int, str]) -> str:
    return json.dumps({"prefixes": [{"number": n, "text": text} for n, text in told.items()]})


def numbered(request: Request) -> str:
    """A prefix for every passage that was asked about."""
    count = request.blocks[1].text.count("<section ")
    return written({n: f"about number {n}" for n in range(1, count + 1)})


def pages_of(root: Path) -> list[Page]:
    return load_pages(root / "wiki")[0]


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki({"wiki/pump.md": PUMP, "wiki/diary.md": SECRET})


def found(root: Path, words: str, viewer: str | None = None) -> list[str]:
    with open_index(root / "wiki", root / ".citewiki", viewer) as index:
        return [hit.slug for hit in search(index, words)]


def test_a_page_is_found_by_a_word_that_only_a_prefix_holds(root: Path):
    assert found(root, "drainage") == []
    pump = [page for page in pages_of(root) if page.slug == "pump"]
    done = write_prefixes(ScriptedEngine([written(TOLD)]), pump, root / ".citewiki")
    assert (done.written, done.kept) == (2, 0)
    assert found(root, "drainage") == ["pump"]
    shutil.rmtree(root / ".citewiki" / "prefixes")
    assert found(root, "drainage") == []


def test_a_prefix_leads_to_its_passage_and_is_no_part_of_it(make_wiki: MakeWiki):
    filler = "".join(f"## Part {n}\n\n{f'Words about nothing {n}. ' * 30}\n\n" for n in range(9))
    root = make_wiki({"wiki/pump.md": f"# Pump\n\n{filler}## Service\n\nIt is renewed often.\n"})
    told = {10: "Maintenance interval of the drainage machine."}
    write_prefixes(ScriptedEngine([written(told)]), pages_of(root), root / ".citewiki")
    with open_index(root / "wiki", root / ".citewiki") as index:
        (only,) = pack(index, search(index, "drainage"), question("drainage"), page_chars=1000)
    assert "Service" in [passage.heading for passage in only.passages]
    assert "drainage" not in "".join(passage.text for passage in only.passages)


def test_nothing_of_a_prefix_is_quoted_or_cited(root: Path):
    write_prefixes(
        ScriptedEngine([written(TOLD), written(TOLD)]), pages_of(root), root / ".citewiki"
    )
    bodies = "\n".join(page.body for page in pages_of(root))
    with open_index(root / "wiki", root / ".citewiki") as index:
        for text in (
            "How often is the seal of Pump P7 renewed?",
            "What is the maintenance interval of the drainage machine?",
            "Where does the drainage machine stand?",
        ):
            answer = ask(index, text, settings=AskConfig(), now=NOW)
            quotes = [cited.quote for claim in answer.claims for cited in claim.citations]
            assert all(quote in bodies for quote in quotes)
            assert "drainage" not in answer.answer
    assert quotes == [] or "seal" in bodies


def test_a_second_run_asks_only_for_what_changed(root: Path):
    cache = root / ".citewiki"
    engine = ScriptedEngine(numbered)
    write_prefixes(engine, pages_of(root), cache)
    assert len(engine.requests) == 2
    done = write_prefixes(engine, pages_of(root), cache)
    assert (len(engine.requests), done.written, done.kept) == (2, 0, 3)
    (root / "wiki" / "pump.md").write_text(PUMP.replace("400", "500"))
    done = write_prefixes(engine, pages_of(root), cache)
    assert (len(engine.requests), done.written, done.kept) == (3, 1, 2)
    assert "500 hours" in engine.requests[2].blocks[1].text
    pump = next(page for page in pages_of(root) if page.slug == "pump")
    kept = read_prefixes(prefix_file(cache, pump.path))
    assert len(kept) == 2  # that of the old text is gone
    assert passage_key("Pump P7", "The seal is renewed every 500 hours.") in kept


def test_a_prefix_is_made_from_its_own_page_and_seen_by_its_readers_only(root: Path):
    def tell(request: Request) -> str:
        given = request.blocks[0].text + request.blocks[1].text
        assert ("Diary" in given) != ("Pump" in given)
        return written({1: "umbrella weather"} if "Diary" in given else {})

    write_prefixes(ScriptedEngine(tell), pages_of(root), root / ".citewiki")
    assert found(root, "umbrella", "ann") == ["diary"]
    assert found(root, "umbrella", "*") == []
    assert "diary" not in str(list((root / ".citewiki" / "prefixes").iterdir()))


def test_what_is_no_sentence_for_a_passage_is_left_out(root: Path):
    told = {0: "nobody", 2: "x" * (LONGEST + 1), 7: "too far", 1: "  two\n lines "}
    pump = [page for page in pages_of(root) if page.slug == "pump"]
    write_prefixes(ScriptedEngine([written(told)]), pump, root / ".citewiki")
    assert list(read_prefixes(prefix_file(root / ".citewiki", "pump.md")).values()) == ["two lines"]


def test_a_run_that_breaks_off_keeps_what_was_written_and_says_what_it_cost(root: Path):
    reply = Reply(
        written({1: "umbrella weather"}), usage=Usage(100, 10), turn=Turn("assistant", ())
    )
    engine = ScriptedEngine([reply, EngineUnavailable("no network")])
    with pytest.raises(EngineError) as broken:
        write_prefixes(engine, pages_of(root), root / ".citewiki")
    assert broken.value.usage is not None
    assert broken.value.usage["input_tokens"] == 100
    assert found(root, "umbrella") == ["diary"]


def test_a_page_without_a_usable_reply_is_told_of_and_the_others_go_on(root: Path):
    refused = EngineRefused("declined", usage=Usage(50, 5).as_dict())
    done = write_prefixes(
        ScriptedEngine([refused, written(TOLD)]), pages_of(root), root / ".citewiki"
    )
    assert (done.written, done.failed) == (2, ("Diary: declined",))
    assert (done.usage.input, done.usage.output) == (50, 5)


def test_a_long_page_is_asked_about_in_groups_around_what_is_asked(make_wiki: MakeWiki):
    body = "".join(f"## Part {n}\n\nText of part {n}. {'word ' * 500}\n\n" for n in range(30))
    root = make_wiki({"wiki/long.md": f"# Long\n\n{body}"})
    engine = ScriptedEngine(numbered)
    done = write_prefixes(engine, pages_of(root), root / ".citewiki")
    assert done.written == 30
    assert [each.blocks[1].text.count("<section ") for each in engine.requests] == [
        AT_ONCE,
        AT_ONCE,
        30 - 2 * AT_ONCE,
    ]
    for request in engine.requests:
        first = request.blocks[1].text.split("Text of part ")[1].split(".")[0]
        assert f"Text of part {first}." in request.blocks[0].text


@pytest.mark.parametrize("content", [b"", b"[1]", b"\xff", b'{"a": 3}'])
def test_a_damaged_file_of_prefixes_counts_as_none(root: Path, content: bytes):
    file = prefix_file(root / ".citewiki", "pump.md")
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    assert found(root, "seal") == ["pump"]
    assert read_prefixes(file) == {}
