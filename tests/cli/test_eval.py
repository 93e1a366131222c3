from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import write_files
from tests.evaluate.test_suites import DOCUMENTS, QUESTIONS, lines


def test_eval_prints_a_table_json_and_a_picture(tmp_path: Path, run: Run):
    folder = write_files(
        tmp_path / "set", {"corpus.jsonl": lines(DOCUMENTS), "queries.jsonl": lines(QUESTIONS)}
    )
    picture = tmp_path / "recall.svg"
    ran = run("eval", "retrieval", "--data", folder, "--json", "--plot", picture)
    assert ran.status == 0
    assert set(ran.json) == {"suite", "n", "figures", "intervals", "baselines"}
    assert ran.json["figures"]["recall@5"] == 1
    assert picture.read_text().startswith("<svg")
    table = run("eval", "refusal", "--data", folder).out
    assert "balanced_accuracy" in table
    assert "95 % interval" in table


def test_a_folder_without_a_set_is_one_line(tmp_path: Path, run: Run):
    ran = run("eval", "judge", "--data", tmp_path)
    assert (ran.status, ran.out) == (1, "")
    assert "holds no pairs.jsonl" in ran.err
    assert run("eval", "nonsense", "--data", tmp_path).status == 2
