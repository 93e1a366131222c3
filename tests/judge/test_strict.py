"""The two modes: by default the page supports a claim, with `--strict` it states it."""

from __future__ import annotations

import json

import pytest

from citewiki import Wiki
from citewiki.judge.core import check_claim
from citewiki.llm.port import Reply, Request
from citewiki.llm.scripted import ScriptedEngine
from tests.conftest import NOW, MakeWiki


def verdicts(claim: str, passage: str) -> tuple[bool, bool]:
    """Whether the claim stands by default, and whether it does in strict mode."""
    return (
        check_claim(claim, [passage]).supported,
        check_claim(claim, [passage], strict=True).supported,
    )


BOTH, DEFAULT_ONLY = (True, True), (True, False)


@pytest.mark.parametrize(
    ("claim", "passage", "modes"),
    [
        # word for word
        ("Marlin is written in Go.", "Marlin is written in Go.", BOTH),
        ("Marlin may be rewritten in Rust.", "Marlin may be rewritten in Rust.", DEFAULT_ONLY),
        ("Reportedly, Anna Kern wrote Marlin.", "Reportedly, Anna Kern wrote Marlin.", DEFAULT_ONLY),
        ("It weighs 12 kg.", "The pump is old. It weighs 12 kg.", DEFAULT_ONLY),
        ("Marlin có thể được viết lại.", "Marlin có thể được viết lại.", DEFAULT_ONLY),
        ("青山大桥可能由李明设计。", "青山大桥可能由李明设计。", DEFAULT_ONLY),
        # in other words: with the doubt left out, two sentences joined, a pronoun resolved
        ("Marlin was rewritten in Rust in 2027.",
         "According to rumours, Marlin was rewritten in Rust in 2027.", DEFAULT_ONLY),
        ("The Ferrin pump, which was built in Dorn, weighs 12 kg.",
         "The Ferrin pump was built in Dorn. The pump weighs 12 kg.", DEFAULT_ONLY),
        ("The Ferrin pump weighs 12 kg.", "The Ferrin pump is old. It weighs 12 kg.",
         DEFAULT_ONLY),
        ("The Ferrin pump weighs 12 kg.", "Built in Dorn, the Ferrin pump weighs 12 kg.", BOTH),
        ("The server stores sessions in memory.", "The server keeps sessions in memory.",
         DEFAULT_ONLY),
        ("Cầu Long Vân được sơn màu đỏ.", "Cầu Long Vân được sơn màu đỏ thẫm.", BOTH),
        ("The server keeps all sessions for 30 minutes.",
         "The server keeps sessions for 30 minutes.", DEFAULT_ONLY),
    ],
)  # fmt: skip
def test_strict_wants_the_page_to_state_what_it_supports(
    claim: str, passage: str, modes: tuple[bool, bool]
) -> None:
    assert verdicts(claim, passage) == modes


def test_strict_names_the_words_that_keep_a_claim_from_being_stated() -> None:
    text = "It may move to Rust."
    judged = check_claim(text, [text], strict=True)
    failed = {check.name: check.words for check in judged.checks if not check.passed}
    assert failed == {"hedges": ("may",), "pointers": ("It",)}


PAGES = {
    "wiki/marlin.md": "---\ntitle: Marlin\n---\nMarlin is a parser of log files. Marlin is "
    "written in Go.\n\nAccording to rumours, the author of Marlin is Anna Kern. "
    "Marlin is planned to move to Rust in 2027.\n",
    "wiki/pump.md": "---\ntitle: Ferrin pump\n---\nThe Ferrin pump is made of bronze.\n",
}


@pytest.fixture
def wiki(make_wiki: MakeWiki) -> Wiki:
    return Wiki.open(make_wiki(PAGES))


def test_what_stands_only_in_a_doubtful_sentence_is_an_answer_but_not_a_strict_one(
    wiki: Wiki,
) -> None:
    question = "Who is the author of Marlin?"
    answer = wiki.ask(question, now=NOW)
    assert answer.claims[0].text == "According to rumours, the author of Marlin is Anna Kern."
    refused = wiki.ask(question, now=NOW, strict=True)
    assert refused.refusal
    assert refused.refusal.kind == "not_stated"
    assert refused.refusal.available == ("Marlin",)


def test_what_is_stated_is_an_answer_in_both_modes(wiki: Wiki) -> None:
    question = "In which language is Marlin written?"
    for strict in (False, True):
        answer = wiki.ask(question, now=NOW, strict=strict)
        assert "Marlin is written in Go." in [claim.text for claim in answer.claims]


def test_a_question_for_plans_is_answered_by_a_plan_also_strictly(wiki: Wiki) -> None:
    answer = wiki.ask("When is Marlin planned to move to Rust?", now=NOW, strict=True)
    assert answer.claims[0].text == "Marlin is planned to move to Rust in 2027."
    refused = wiki.ask("In which year does Marlin move to Rust?", now=NOW, strict=True)
    assert refused.refusal


def test_a_model_may_leave_out_a_doubt_by_default_but_not_strictly(wiki: Wiki) -> None:
    quote = "According to rumours, the author of Marlin is Anna Kern."

    def reply(request: Request) -> Reply:
        if request.role == "judge":
            return Reply(
                json.dumps({"findings": [{"claim": 1, "verdict": "supported", "words": []}]})
            )
        cited = {"slug": "marlin", "quote": quote}
        claim = {"text": "The author of Marlin is Anna Kern.", "citations": [cited]}
        return Reply(json.dumps({"claims": [claim], "missing": ""}))

    question = "Who is the author of Marlin?"
    assert wiki.ask(question, now=NOW, engine=ScriptedEngine(reply)).status == "answered"
    strict = wiki.ask(question, now=NOW, engine=ScriptedEngine(reply), strict=True)
    assert strict.status == "refused"
