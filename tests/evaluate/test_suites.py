from __future__ import annotations

import json
from pathlib import Path

import pytest

from citewiki.errors import DataError
from citewiki.evaluate import answers, retrieval, verdicts
from citewiki.evaluate.data import load_collection
from citewiki.evaluate.plot import svg
from tests.conftest import write_files

DOCUMENTS = [
    {"_id": "1", "title": "Rank fusion", "text": "Rank fusion merges lists. Its constant is 60."},
    {"_id": "2", "title": "BM25", "text": "BM25 ranks pages. It goes well with rank fusion."},
    {"_id": "3", "title": "Tomatoes", "text": "Tomatoes are red. They need sun and water."},
    {"_id": "4", "title": "Bicycles", "text": "Bicycles have two wheels. They need air."},
]
QUESTIONS = [
    {"_id": "a", "text": "What is the constant of rank fusion?", "gold": "1", "answerable": True,
     "support": ["Its constant is 60 ."]},
    {"_id": "b", "text": "What do tomatoes need?", "gold": ["3"], "answerable": True,
     "support": ["They need sun and water ."]},
    {"_id": "c", "text": "Who painted the Mona Lisa?", "gold": None, "answerable": False},
]  # fmt: skip


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(
        tmp_path / "set", {"corpus.jsonl": lines(DOCUMENTS), "queries.jsonl": lines(QUESTIONS)}
    )


def test_documents_become_pages_that_link_one_another_as_compile_links_them(folder: Path):
    collection = load_collection(folder)
    bodies = {page.title: page.body for page in collection.pages}
    assert "goes well with [[Rank fusion|rank fusion]]" in bodies["BM25"]
    assert [asked.gold for asked in collection.questions] == [("set-1",), ("set-3",), ()]


def test_the_retrieval_suite_measures_the_program_and_the_steps_before_it(folder: Path):
    report = retrieval.run("retrieval", folder)
    assert report.n == 2
    assert report.figures["recall@1"] == 1
    assert {"recall@5", "recall@10", "all_gold@5", "mrr", "ndcg@10", "p50_ms", "p95_ms"} <= set(
        report.figures
    )
    assert {"bm25", "index"} <= set(report.baselines)
    assert set(report.intervals) <= set(report.figures)


def test_the_refusal_suite_knows_answers_from_refusals_and_right_quotes_from_wrong(folder: Path):
    report = answers.run(folder)
    assert report.figures["balanced_accuracy"] == 1
    assert report.figures["support_precision"] == 1
    assert report.figures["answerable_recall@1"] == 1


def test_sets_in_folders_are_asked_in_one_index_and_told_apart(tmp_path: Path):
    for name in ("one", "two"):
        write_files(
            tmp_path / name,
            {"corpus.jsonl": lines(DOCUMENTS), "queries.jsonl": lines(QUESTIONS[:2])},
        )
    collection = load_collection(tmp_path)
    assert len({page.slug for page in collection.pages}) == 8
    assert {asked.set for asked in collection.questions} == {"one", "two"}
    assert "one/recall@5" in retrieval.run("retrieval", tmp_path).figures


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no corpus.jsonl"),
        ({"corpus.jsonl": "{}\n", "queries.jsonl": ""}, "has no “_id”"),
        ({"corpus.jsonl": "nonsense\n", "queries.jsonl": ""}, "not JSON Lines"),
        ({"corpus.jsonl": "[]\n", "queries.jsonl": ""}, "corpus.jsonl:1: is not a JSON object"),
    ],
)
def test_a_set_that_lacks_something_is_one_line(tmp_path: Path, files, message: str):
    with pytest.raises(DataError, match=message.replace("[", r"\[")):
        load_collection(write_files(tmp_path, {"readme": "", **files}))


def test_the_judge_suite_counts_what_is_accepted_of_what_the_documents_contradict(tmp_path: Path):
    documents = [{"_id": "d", "title": "Mice", "sentences": ["The drug reduces weight in mice."]}]
    pairs = [
        {"claim": "The drug reduces weight in mice.", "doc": "d", "label": "SUPPORT"},
        {"claim": "The drug increases weight in mice.", "doc": "d", "label": "CONTRADICT"},
        {"claim": "Elephants never forget a face.", "doc": "d", "label": "NEI"},
    ]
    folder = write_files(tmp_path, {"corpus.jsonl": lines(documents), "pairs.jsonl": lines(pairs)})
    report = verdicts.run(folder)
    assert report.figures["balanced_accuracy"] == 1
    assert report.figures["false_accept_contradict"] == 0
    assert "word overlap" in report.baselines


def test_recall_by_step_is_a_picture_with_a_bar_for_every_step(folder: Path):
    report = retrieval.run("retrieval", folder)
    picture = svg(report)
    assert picture.startswith("<svg")
    for step in ("bm25", "index", "citewiki"):
        assert f">{step}</text>" in picture
