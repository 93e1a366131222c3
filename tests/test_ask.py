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
    ("front", "now_asked", "advice"),
    [
        ("valid_until: 2026-01-01", "", "set valid_until later"),
        ("superseded_by: bm25", "", "citewiki supersede --undo fusion"),
        ("last_verified_at: 2025-01-01", "current ", "citewiki reverify fusion"),
    ],
)
def test_an_outdated_page_is_no_basis_for_the_present(
    make_wiki: MakeWiki, front: str, now_asked: str, advice: str
):
    question = f"What is the {now_asked}constant k of reciprocal rank fusion?"
    page = PAGES["wiki/fusion.md"].replace("---\n", f"---\n{front}\n", 1)
    wiki = Wiki.open(make_wiki({**PAGES, "wiki/fusion.md": page}))
    answer = wiki.ask(question, now=NOW)
    assert answer.refusal is not None
    assert answer.refusal.kind == "stale"
    assert answer.refusal.available[0] == "Reciprocal rank fusion"
    assert answer.refusal.next_action.startswith("Reverify it")
    assert advice in answer.refusal.next_action


def test_a_refusal_names_no_page_that_the_viewer_may_not_read(make_wiki: MakeWiki):
    old = "---\ntitle: Pump\nsuperseded_by: plan-b\n---\nThe pump holds 40 litres.\n"
    new = "---\ntitle: Plan B\nslug: plan-b\nowner: ann\n---\nThe pump is sold.\n"
    root = make_wiki({"wiki/pump.md": old, "wiki/b.md": new})
    asked = "How many litres does the pump hold?"
    for viewer, named in (("ann", True), ("*", False)):
        refusal = Wiki.open(root, viewer=viewer).ask(asked, now=NOW).refusal
        assert refusal is not None
        assert ("Plan B" in refusal.message) == named
        assert named or "plan-b" not in json.dumps(as_json(refusal))


def test_a_strict_refusal_of_what_the_pages_answer_says_so(wiki: Wiki):
    asked = "Who proposed reciprocal rank fusion?"
    assert wiki.ask(asked, now=NOW).status == "answered"
    refusal = wiki.ask(asked, strict=True, now=NOW).refusal
    assert refusal is not None
    assert refusal.kind == "not_stated"
    assert refusal.available == ("Reciprocal rank fusion",)
    assert "without --strict" in refusal.next_action


def test_a_question_about_a_day_is_answered_by_what_held_then(make_wiki: MakeWiki):
    page = PAGES["wiki/fusion.md"].replace("---\n", "---\nvalid_until: 2026-01-01\n", 1)
    wiki = Wiki.open(make_wiki({**PAGES, "wiki/fusion.md": page}))
    asked = "What is the constant k of reciprocal rank fusion?"
    assert wiki.ask(asked, as_of=NOW - timedelta(days=300), now=NOW).status == "answered"
    assert wiki.ask(asked, as_of=NOW, now=NOW).status == "refused"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What was the toll of Pine Bridge in 2024?", None),
        ("What is the toll of Pine Bridge in 2026?", "stale"),  # the year is not over
        ("What is the toll of Pine Bridge?", "stale"),
        ("What was the toll of Pine Bridge in 2021?", "stale"),
    ],
)
def test_a_question_about_a_year_is_answered_by_what_held_in_it(
    make_wiki: MakeWiki, text: str, kind: str | None
):
    front = "valid_from: 2023-01-01\nvalid_until: 2026-02-01"
    page = f"---\ntitle: Pine Bridge\n{front}\n---\nThe toll of Pine Bridge is 3 euros.\n"
    refusal = Wiki.open(make_wiki({"wiki/pine.md": page})).ask(text, now=NOW).refusal
    assert (refusal.kind if refusal else None) == kind


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


SMALL = {
    "wiki/snapshot.md": "# Snapshot\n\nA snapshot is a copy of all records at one moment. "
    "Snapshots are read-only.\n",
    "wiki/journal.md": "# Journal\n\nA journal is a list of changes since the last [[Snapshot]]. "
    "The journal is flushed to disk every 200 milliseconds.\n",
    "wiki/wall.md": "# Sea wall\n\nThe sea wall protects the lower town from high tides. "
    "It is built of granite blocks. People walk on it in the evening.\n",
    "wiki/ho.md": "# Hồ Sương\n\nHồ Sương là một hồ nước ngọt nằm giữa thị xã Mây. "
    "Nước hồ trong xanh quanh năm.\n",
    "wiki/cha.md": "# 茶馆之争\n\n茶馆之争是两家茶馆之间的一场商业竞争。双方最后在法庭上和解。\n",
    "wiki/ta.md": "# 镇海塔\n\n镇海塔是一座七层砖塔，塔由知县陆文昭主持修建。\n",
}


@pytest.fixture
def small(make_wiki: MakeWiki) -> Wiki:
    return Wiki.open(make_wiki(SMALL))


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("When was the sea wall built?", "Sea wall"),
        ("How high is the sea wall?", "Sea wall"),
        ("Who designed the sea wall?", "Sea wall"),
        ("How many people walk on the sea wall?", "Sea wall"),
        ("What is the price of a snapshot?", "Snapshot"),
        ("Which programming language is the journal written in?", "Journal"),
        ("Hồ Sương sâu bao nhiêu?", "Hồ Sương"),
        ("Hồ Sương có từ năm nào?", "Hồ Sương"),
        ("镇海塔有多高？", "镇海塔"),
        ("镇海塔是什么时候建的？", "镇海塔"),
    ],
)
def test_a_page_about_it_that_does_not_say_it_is_named_and_not_cited(
    small: Wiki, question: str, page: str
):
    answer = small.ask(question, now=NOW)
    assert answer.refusal is not None
    assert answer.refusal.kind == "not_stated"
    assert page in answer.refusal.available


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the sea wall made of?", "It is built of granite blocks."),
        ("tell me about the sea wall", "The sea wall protects the lower town from high tides."),
        ("how does a journal work?", "A journal is a list of changes since the last Snapshot."),
        ("How often is the journal flushed?", "every 200 milliseconds"),
        ("Hồ Sương là gì?", "Hồ Sương là một hồ nước ngọt"),
        ("茶馆之争是怎么回事？", "茶馆之争是两家茶馆之间的一场商业竞争。"),
        ("镇海塔是谁修建的？", "塔由知县陆文昭主持修建"),
    ],
)
def test_what_a_page_says_of_itself_is_cited(small: Wiki, question: str, said: str):
    assert said in small.ask(question, now=NOW).answer


@pytest.mark.parametrize(
    "question",
    ["What is the difference between a snapshot and a journal?", "journal vs snapshot"],
)
def test_a_comparison_cites_what_each_page_says(small: Wiki, question: str):
    answer = small.ask(question, now=NOW)
    assert {cited.slug for claim in answer.claims for cited in claim.citations} == {
        "snapshot",
        "journal",
    }


@pytest.mark.parametrize("question", ['"(a AND', "what is it about", "Кто изобрёл радио?", "????"])
def test_words_that_say_nothing_and_unknown_scripts_find_no_page(small: Wiki, question: str):
    answer = small.ask(question, now=NOW)
    assert answer.refusal is not None
    assert answer.refusal.kind == "no_relevant_page"
    assert answer.refusal.available == ()


def test_an_empty_wiki_says_that_it_is_empty_and_what_to_do(make_wiki: MakeWiki):
    refusal = Wiki.open(make_wiki({})).ask("What is a snapshot?", now=NOW).refusal
    assert refusal is not None
    assert refusal.kind == "no_relevant_page"
    assert "empty" in refusal.message
    assert "citewiki ingest" in refusal.next_action
