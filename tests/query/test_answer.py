"""Answers from the pages' own sentences, and refusals, over tiny wikis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from citewiki.index.index import open_index
from citewiki.query.answer import ProposedClaim, answer
from citewiki.query.evidence import evidence
from citewiki.query.pack import pack
from citewiki.query.question import question
from citewiki.query.refusal import answers, refuse, signs
from citewiki.query.retrieve import retrieve
from tests.conftest import MakeWiki

PAGES = {
    "wiki/ops/sessions.md": "# Sessions\n\nA session is the time in which a user stays logged in. "
    "The server keeps every session for 30 minutes.\n\n## Sharing\n\nSessions are not shared "
    "between nodes, because every node has its own [[Cache]].\n",
    "wiki/ops/cache.md": "# Cache\n\nThe cache holds rendered pages in memory. "
    "Maria Lopez wrote the cache in March 2019. It was moved to Madrid later.\n",
    "wiki/people/maria-lopez.md": "# Maria Lopez\n\nMaria Lopez is an engineer. "
    "She was born in Valencia and studied physics.\n",
    "wiki/ops/deploy.md": "# Deploy\n\nEvery change is deployed on Fridays. The build takes nine "
    "minutes on average. Nobody deploys by hand.\n",
    "wiki/zh/huancun.md": "# 缓存\n\n缓存把渲染好的页面保存在内存中。缓存由李雷在2019年编写。\n",
    "wiki/ops/logs.md": "# Logs\n\nAll requests are logged in a file that is rotated every night. "
    "Old files are compressed.\n",
}


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki(PAGES)


def told(root: Path, text: str) -> list[ProposedClaim]:
    asked = question(text)
    with open_index(root / "wiki", root / ".citewiki") as index:
        found = retrieve(index, asked)
        packed = pack(index, found.hits, asked)
        sentences = evidence(asked, found.weighed, packed)
        if not answers(asked, signs(asked, found.weighed, packed, sentences)):
            return []
        return list(answer(asked, sentences))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("How long does the server keep a session?", "The server keeps every session for 30 min"),
        ("Who wrote the cache?", "Maria Lopez wrote the cache in March 2019."),
        ("When was the cache written?", "Maria Lopez wrote the cache in March 2019."),
        ("What is a session?", "A session is the time in which a user stays logged in."),
        ("Why are sessions not shared between nodes?", "Sessions are not shared between nodes"),
        ("缓存是谁编写的？", "缓存由李雷在2019年编写。"),
    ],
)
def test_a_question_is_answered_by_the_sentence_that_says_it(
    root: Path, text: str, said: str
) -> None:
    assert any(claim.text.startswith(said) for claim in told(root, text))


def test_every_claim_quotes_its_page_word_for_word(root: Path) -> None:
    bodies: Mapping[str, str] = {Path(name).stem: text for name, text in PAGES.items()}
    claims = told(root, "Why are sessions not shared between nodes?")
    assert claims
    for claim in claims:
        (citation,) = claim.citations
        assert citation.quote in bodies[citation.slug]


def test_an_answer_has_one_to_five_sentences_from_at_most_four_pages(root: Path) -> None:
    claims = told(root, "How does the cache keep pages in memory?")
    assert 1 <= len(claims) <= 5
    assert len({claim.citations[0].slug for claim in claims}) <= 4


def test_sentences_of_one_page_come_in_reading_order(root: Path) -> None:
    claims = told(root, "How are sessions kept and shared by the server and its nodes?")
    places = [PAGES["wiki/ops/sessions.md"].find(claim.citations[0].quote) for claim in claims]
    assert [place for place in places if place >= 0] == sorted(p for p in places if p >= 0)


def test_a_question_over_two_pages_cites_both(root: Path) -> None:
    claims = told(root, "Where was the engineer born who wrote the cache?")
    assert {"cache", "maria-lopez"} <= {claim.citations[0].slug for claim in claims}


def test_a_sentence_that_announces_a_list_is_told_with_it(make_wiki: MakeWiki) -> None:
    body = "The gate is made of steel. The gate speaks three protocols:\n\n- MQTT\n- OPC UA\n"
    root = make_wiki({"wiki/gate.md": f"# Gate\n\n{body}- Modbus\n\nThe gate is heavy.\n"})
    (claim,) = told(root, "Which protocols does the gate speak?")
    assert claim.text == "The gate speaks three protocols: MQTT; OPC UA; Modbus"
    assert claim.citations[0].quote.endswith("- OPC UA\n- Modbus")


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "How many moons has Jupiter?",
        "长城有多长？",
        "What is a node cache?",
        "什么是渲染内存？",
        "zebra quagga",
    ],
)
def test_what_no_page_says_is_not_answered(root: Path, text: str) -> None:
    assert told(root, text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What is the capital of France?", "no_relevant_page"),
        ("How much does the session server cost per year?", "not_stated"),
    ],
)
def test_a_refusal_says_why_and_what_to_do(root: Path, text: str, kind: str) -> None:
    asked = question(text)
    with open_index(root / "wiki", root / ".citewiki") as index:
        found = retrieve(index, asked)
        refusal = refuse(asked, found.weighed, pack(index, found.hits, asked))
    assert refusal.kind == kind
    assert "citewiki ingest" in refusal.next_action
    assert bool(refusal.available) == (kind == "not_stated")


@pytest.mark.parametrize("text", ['"(a AND', "field:value^2 [x TO y]", "????", "\\", "+-!(){}~*"])
def test_query_syntax_is_plain_text(root: Path, text: str) -> None:
    assert isinstance(told(root, text), list)


def test_an_empty_wiki_answers_nothing(make_wiki: MakeWiki) -> None:
    assert told(make_wiki({}), "What is a session?") == []
