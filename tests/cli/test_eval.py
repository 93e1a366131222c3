from __future__ import annotations

from pathlib import Path

import pytest

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
    picture = tmp_path / "answers.png"
    table = run("eval", "refusal", "--data", folder, "--plot", picture).out
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")
    assert "balanced_accuracy" in table
    assert "95 % interval" in table


def test_a_folder_without_a_set_is_one_line(tmp_path: Path, run: Run):
    ran = run("eval", "judge", "--data", tmp_path)
    assert (ran.status, ran.out) == (1, "")
    assert "holds no pairs.jsonl" in ran.err
    assert run("eval", "nonsense", "--data", tmp_path).status == 2


@pytest.mark.parametrize("name", ["recall.pdf", "recall", "recall.SVGZ"])
def test_a_picture_of_an_unknown_form_is_turned_down_before_anything_is_measured(
    tmp_path: Path, run: Run, name: str
):
    ran = run("eval", "retrieval", "--data", tmp_path, "--plot", tmp_path / name)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("end it in .svg or .png\n")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_in_a_folder_that_does_not_exist_is_an_error(run: Run, tmp_path: Path):
    ran = run("eval", "retrieval", "--data", tmp_path, "--plot", tmp_path / "no" / "such.svg")
    assert ran.status == 2
    assert "there is no folder" in ran.err
    assert not (tmp_path / "no").exists()
