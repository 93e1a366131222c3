"""From a question to an answer or a refusal, on a real wiki, with and without a model."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from citewiki import Wiki, as_json
from citewiki.errors import EngineTruncated, QuestionError
from citewiki.llm.port import Reply, Request
from citewiki.llm.scripted import ScriptedEngine
from citewiki.model import Verdict
from tests.conftest import NOW, MakeWiki

PAGES = {
    "wiki/fusion.md": "---\ntitle: Reciprocal rank fusion\naliases: [RRF]\n---\n"
    "Reciprocal rank fusion merges ranked lists. It was proposed by Gordon Cormack in 2009.\n\n"
    "## Constant\n\nThe constant k of reciprocal rank fusion is 60. See [[BM25]].\n",
    "wiki/bm25.md": "---\ntitle: BM25\n---\nBM25 is a ranking function from City University London. "
    "Stephen Robertson developed BM25 with Karen Spärck Jones.\n",
    "wiki/idf.md": "---\ntitle: Inverse document frequency\n---\nInverse document frequency was "
    "introduced by Karen Spärck Jones in 1972.\n",
}


@pytest.fixture
def wiki(make_wiki: MakeWiki) -> Wiki:
    return Wiki.open(make_wiki(PAGES))


def engine(claims: list[tuple[str, str, str]], verdict: str = "supported") -> ScriptedEngine:
    """An answerer of `claims` (text, slug, quote), and a judge that finds `verdict` of the first."""

    def reply(request: Request) -> Reply:
        if request.role == "judge":
            return Reply(json.dumps({"findings": [{"claim": 1, "verdict": verdict, "words": []}]}))
        written = [
            {"text": text, "citations": [{"slug": slug, "quote": quote}]}
            for text, slug, quote in claims
        ]
        return Reply(json.dumps({"claims": written, "missing": ""}))

    return ScriptedEngine(reply)


def test_an_answer_is_made_of_sentences_that_stand_in_the_pages(wiki: Wiki):
    answer = wiki.ask("What is the constant k of reciprocal rank fusion?", now=NOW)
    assert answer.status == "answered"
    assert answer.claims[0].text == "The constant k of reciprocal rank fusion is 60."
    citation = answer.claims[0].citations[0]
    assert (citation.slug, citation.heading) == ("fusion", "Constant")
    for claim in answer.claims:
        assert claim.verdict is Verdict.SUPPORTED
        for cited in claim.citations:
            assert cited.quote in wiki.page(cited.slug).body


def test_the_json_of_an_answer_has_the_agreed_keys(wiki: Wiki):
    plain = as_json(wiki.ask("What is BM25?", now=NOW))
    assert list(plain) == [
        "status", "question", "answer", "claims", "refusal", "drift", "retrieved", "engine",
        "usage", "elapsed_ms",
    ]  # fmt: skip
    assert {"text", "verdict", "citations"} <= set(plain["claims"][0])
    assert set(plain["claims"][0]["citations"][0]) == {"page", "slug", "heading", "quote", "source"}
    assert {"slug", "title", "score", "via", "depth"} <= set(plain["retrieved"][0])


def test_what_no_page_says_is_refused(wiki: Wiki):
    answer = wiki.ask("How tall is the Eiffel Tower?", now=NOW)
    assert answer.refusal is not None
    assert answer.refusal.kind == "no_relevant_page"
    assert (answer.answer, answer.claims) == ("", ())


@pytest.mark.parametrize(
    ("front", "question"),
    [
        ("valid_until: 2026-01-01", "What is the constant k of reciprocal rank fusion?"),
        ("superseded_by: bm25", "What is the constant k of reciprocal rank fusion?"),
        (
            "last_verified_at: 2025-01-01",
            "What is the current constant k of reciprocal rank fusion?",
        ),
    ],
)
def test_an_outdated_page_is_no_basis_for_the_present(
    make_wiki: MakeWiki, front: str, question: str
):
    page = PAGES["wiki/fusion.md"].replace("---\n", f"---\n{front}\n", 1)
    wiki = Wiki.open(make_wiki({**PAGES, "wiki/fusion.md": page}))
    answer = wiki.ask(question, now=NOW)
    assert answer.refusal is not None
    assert answer.refusal.kind == "stale"
    assert answer.refusal.available[0] == "Reciprocal rank fusion"
    assert "everify" in answer.refusal.next_action


def test_a_question_about_a_day_is_answered_by_what_held_then(make_wiki: MakeWiki):
    page = PAGES["wiki/fusion.md"].replace("---\n", "---\nvalid_until: 2026-01-01\n", 1)
    wiki = Wiki.open(make_wiki({**PAGES, "wiki/fusion.md": page}))
    asked = "What is the constant k of reciprocal rank fusion?"
    assert wiki.ask(asked, as_of=NOW - timedelta(days=300), now=NOW).status == "answered"
    assert wiki.ask(asked, as_of=NOW, now=NOW).status == "refused"


def test_what_the_wiki_did_not_know_yet_takes_no_part(make_wiki: MakeWiki):
    page = PAGES["wiki/fusion.md"].replace("---\n", "---\ningested_at: 2026-04-01\n", 1)
    wiki = Wiki.open(make_wiki({**PAGES, "wiki/fusion.md": page}))
    asked = "What is the constant k of reciprocal rank fusion?"
    early = wiki.ask(asked, known_at=NOW - timedelta(days=90), now=NOW)
    assert "fusion" not in {hit.slug for hit in early.retrieved}
    assert wiki.ask(asked, known_at=NOW, now=NOW).status == "answered"


def test_a_viewer_is_answered_only_from_what_they_may_see(make_wiki: MakeWiki):
    page = PAGES["wiki/fusion.md"].replace("---\n", "---\nowner: ann\n", 1)
    root = make_wiki({**PAGES, "wiki/fusion.md": page})
    asked = "What is the constant k of reciprocal rank fusion?"
    assert Wiki.open(root, viewer="ann").ask(asked, now=NOW).status == "answered"
    hidden = Wiki.open(root, viewer="*").ask(asked, now=NOW)
    assert hidden.status == "refused"
    assert "usion" not in json.dumps(as_json(hidden.refusal))


@pytest.mark.parametrize("text", ["", " \t\n", "\x00", "x" * 5000])
def test_a_question_that_cannot_be_asked_says_why(wiki: Wiki, text: str):
    with pytest.raises(QuestionError, match="question"):
        wiki.ask(text)


def test_a_model_writes_the_claims_and_their_quotes_are_checked(wiki: Wiki):
    model = engine(
        [
            (
                "The constant of RRF is 60.",
                "fusion",
                "The constant k of reciprocal rank fusion is 60.",
            ),
            ("RRF is made of cheese.", "fusion", "RRF is made of cheese."),
        ]
    )
    answer = wiki.ask("What is the constant of RRF?", engine=model, now=NOW)
    assert [claim.text for claim in answer.claims] == ["The constant of RRF is 60."]
    assert answer.engine == "anthropic"
    assert {request.role for request in model.requests} == {"answer", "judge"}


def test_a_claim_on_which_the_judging_model_disagrees_is_cut(wiki: Wiki):
    model = engine(
        [
            (
                "The constant of RRF is 60.",
                "fusion",
                "The constant k of reciprocal rank fusion is 60.",
            )
        ],
        verdict="not_supported",
    )
    answer = wiki.ask("What is the constant of RRF?", engine=model, now=NOW)
    assert answer.refusal is not None
    assert answer.claims == ()


def test_a_claim_that_the_page_contradicts_is_cut_whatever_the_models_say(wiki: Wiki):
    model = engine(
        [
            (
                "The constant of RRF is 70.",
                "fusion",
                "The constant k of reciprocal rank fusion is 60.",
            )
        ]
    )
    answer = wiki.ask("What is the constant of RRF?", engine=model, now=NOW)
    assert answer.status == "refused"


def test_a_model_that_fails_is_an_error_and_never_an_answer(wiki: Wiki):
    def cut_off(request: Request) -> Reply:
        raise EngineTruncated("the reply was cut off")

    with pytest.raises(EngineTruncated):
        wiki.ask("What is the constant of RRF?", engine=ScriptedEngine(cut_off), now=NOW)


CONFLICT = {
    "wiki/old.md": "---\ntitle: House rules\nvalid_from: 2024-01-01\n---\n"
    "The retention period of archived pages is 90 days.\n",
    "wiki/new.md": "---\ntitle: Cleaning the archive\nvalid_from: 2026-01-01\n---\n"
    "The retention period of archived pages is 180 days.\n",
    "wiki/other.md": "---\ntitle: Tomatoes\n---\nTomatoes need sun and water.\n",
}


def test_pages_that_contradict_each_other_are_named_and_not_averaged(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki(CONFLICT))
    answer = wiki.ask("What is the retention period of archived pages?", now=NOW)
    assert answer.refusal is not None
    assert answer.refusal.kind == "conflict"
    assert set(answer.refusal.available) == {"House rules", "Cleaning the archive"}
    assert answer.claims == ()
    assert answer.drift[0].pages == ("new", "old")


def test_the_newest_wins_when_told_so_and_the_drift_is_said(make_wiki: MakeWiki):
    wiki = Wiki.open(make_wiki(CONFLICT))
    answer = wiki.ask("What is the retention period of archived pages?", newest_wins=True, now=NOW)
    assert answer.answer == "The retention period of archived pages is 180 days."
    assert "90" in answer.drift[0].message
