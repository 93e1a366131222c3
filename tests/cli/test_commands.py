from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from citewiki.store.pages import load_pages
from tests.cli.conftest import Run
from tests.conftest import write_files

NOTES = {
    "fusion.md": "# Fusion notes\n\nThese are notes about merging ranked lists.\n\n"
    "## Reciprocal rank fusion\n\nReciprocal rank fusion (RRF) merges ranked lists without their scores. "
    "It was proposed by Gordon Cormack, Charles Clarke and Stefan Büttcher in 2009. "
    "Its constant k is 60.\n\n"
    "## Weighted sum\n\nA weighted sum needs scores that can be compared, unlike RRF.\n",
    "vi.md": "# Tìm kiếm tiếng Việt\n\nTiếng Việt có sáu thanh. Chữ đ phải có quy tắc riêng khi bỏ dấu.\n",
    "zh.md": "# 二元切分\n\n二元切分把汉字串切成相邻的两个字。它的代价是索引变大。\n",
}


@pytest.fixture
def wiki(tmp_path: Path, run: Run) -> Path:
    """A wiki made with `init` and `ingest`, as a user makes one."""
    root = tmp_path / "my wiki"
    notes = write_files(tmp_path / "notes", NOTES)
    assert run("init", root).status == 0
    ran = run("ingest", "--wiki", root, notes)
    assert ran.status == 0, ran.err
    return root


def test_from_notes_to_a_cited_answer(wiki: Path, run: Run):
    ran = run("ask", "--wiki", wiki, "What is the constant k of reciprocal rank fusion?", "--json")
    assert ran.status == 0, ran.out
    answer = ran.json
    assert answer["status"] == "answered"
    assert "60" in answer["answer"]
    citation = answer["claims"][0]["citations"][0]
    assert citation["slug"] == "reciprocal-rank-fusion"
    assert citation["source"].startswith("raw/notes/fusion.md, § Reciprocal rank fusion")
    pages = {page.slug: page for page in load_pages(wiki / "wiki")[0]}
    for claim in answer["claims"]:
        assert claim["verdict"] == "supported"
        for cited in claim["citations"]:
            assert cited["quote"] in pages[cited["slug"]].body


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Tiếng Việt có bao nhiêu thanh?", "sáu thanh"),
        ("tieng Viet co bao nhieu thanh?", "sáu thanh"),
        ("二元切分的代价是什么？", "索引变大"),
    ],
)
def test_a_question_is_answered_in_its_own_language(wiki: Path, run: Run, question: str, said: str):
    ran = run("ask", "--wiki", wiki, question)
    assert ran.status == 0, ran.out
    assert said in ran.out


def test_what_no_page_says_is_refused_with_the_next_step_and_exit_status_3(wiki: Path, run: Run):
    ran = run("ask", "--wiki", wiki, "How many moons does Jupiter have?", "--json")
    assert ran.status == 3
    refusal = ran.json["refusal"]
    assert refusal["kind"] in ("no_relevant_page", "not_stated")
    assert refusal["next_action"]
    assert ran.json["claims"] == []
    ran = run("ask", "--wiki", wiki, "How many moons does Jupiter have?")
    assert ran.status == 3
    assert "Next: " in ran.out


def test_search_show_and_graph_find_read_and_draw(wiki: Path, run: Run, tmp_path: Path):
    hits = run("search", "--wiki", wiki, "rank", "fusion", "--json").json
    assert hits[0]["slug"] == "reciprocal-rank-fusion"
    shown = run("show", "--wiki", wiki, "rrf")
    assert "Its constant k is 60." in shown.out
    assert "Weighted sum" in shown.out.split("Linked from")[1]
    assert run("show", "--wiki", wiki, "rrf", "--json").json["backlinks"]
    svg = tmp_path / "out" / "graph.svg"
    assert run("graph", "--wiki", wiki, "-o", svg).status == 0
    assert "<svg" in svg.read_text()
    graph = run("graph", "--wiki", wiki, "--around", "RRF", "--json").json
    assert "Reciprocal rank fusion" in {node["title"] for node in graph["nodes"]}
    assert run("graph", "--wiki", wiki, "-o", "x.bmp").status == 2


def test_lint_coverage_and_doctor_say_that_all_is_well(wiki: Path, run: Run):
    assert run("lint", "--wiki", wiki).status == 0
    covered = run("coverage", "--wiki", wiki, "--json").json
    assert {s["status"] for record in covered for s in record["sections"]} == {"compiled"}
    ran = run("doctor", "--wiki", wiki, "--json")
    assert ran.status == 0
    assert {finding["state"] for finding in ran.json} <= {"ok", "optional"}
    (offered,) = (finding for finding in ran.json if finding["what"] == "MCP")
    assert "tools" in offered["detail"]


def test_a_deleted_index_is_made_again_unasked(wiki: Path, run: Run):
    before = run("search", "--wiki", wiki, "fusion", "--json").out
    shutil.rmtree(wiki / ".citewiki")
    assert run("search", "--wiki", wiki, "fusion", "--json").out == before


def test_an_edited_page_is_found_by_its_new_words_at_once(wiki: Path, run: Run):
    page = wiki / "wiki/notes/weighted-sum.md"
    page.write_text(page.read_text() + "\nIt behaves like a zeppelin.\n")
    assert [hit["slug"] for hit in run("search", "--wiki", wiki, "zeppelin", "--json").json] == [
        "weighted-sum"
    ]


def test_an_unknown_page_is_one_line_with_near_names(wiki: Path, run: Run):
    ran = run("show", "--wiki", wiki, "Reciprocal rank fusio")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "citewiki: no page is called “Reciprocal rank fusio”; "
        "did you mean “Reciprocal rank fusion”?\n"
    )


def test_outside_a_wiki_the_line_says_how_to_make_one(tmp_path: Path, run: Run):
    ran = run("search", "--wiki", tmp_path, "x")
    assert ran.status == 1
    assert "citewiki init DIR" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("question", ["", "   ", "\x00\x07", "x" * 100_000])
def test_a_question_that_cannot_be_asked_is_one_line(wiki: Path, run: Run, question: str):
    ran = run("ask", "--wiki", wiki, question)
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("question", ['"(a AND', "title:x OR [1 TO", "]\\*?~^{", "؟ما هذا", "😀😀"])
def test_signs_and_foreign_scripts_are_plain_text(wiki: Path, run: Run, question: str):
    assert run("ask", "--wiki", wiki, question).status == 3


def test_a_wiki_with_no_pages_refuses(tmp_path: Path, run: Run):
    run("init", tmp_path / "w")
    ran = run("ask", "--wiki", tmp_path / "w", "What is BM25?", "--json")
    assert ran.status == 3
    assert ran.json["refusal"]["kind"] == "no_relevant_page"
    assert "citewiki ingest" in ran.json["refusal"]["next_action"]


def test_init_never_overwrites(tmp_path: Path, run: Run):
    write_files(tmp_path / "w", {"mkdocs.yml": "site_name: Mine\n", "AGENTS.md": "mine"})
    assert run("init", tmp_path / "w").status == 0
    assert (tmp_path / "w/mkdocs.yml").read_text() == "site_name: Mine\n"
    again = run("init", tmp_path / "w")
    assert again.status == 1
    assert "is a wiki already" in again.err


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_wiki_is_read_and_one_line_says_what_cannot_be_written(
    wiki: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shutil.rmtree(wiki / ".citewiki")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    everything = [wiki, *wiki.rglob("*")]
    modes = [path.stat().st_mode for path in everything]
    try:
        for path in reversed(everything):
            path.chmod(0o555 if path.is_dir() else 0o444)
        found = run("search", "--wiki", wiki, "fusion")
        assert (found.status, "Reciprocal rank fusion" in found.out) == (0, True)
        refused = run("ingest", "--wiki", wiki, tmp_path / "notes")
        assert refused.status == 1
        assert "not allowed to write here" in refused.err
        assert "Traceback" not in refused.err
    finally:
        for path, mode in zip(everything, modes, strict=True):
            path.chmod(mode)


def test_ingest_says_in_json_what_it_took_in_and_what_became_of_it(tmp_path: Path, run: Run):
    run("init", tmp_path / "w")
    write_files(tmp_path / "in", {"a.md": NOTES["fusion.md"], "empty.md": ""})
    ran = run("ingest", "--wiki", tmp_path / "w", tmp_path / "in", "--json")
    assert ran.status == 1
    assert "empty.md" in ran.err
    assert len(ran.json["taken"]["added"]) == 2
    assert len(ran.json["compiled"]["made"]) == 3


def test_a_named_pipe_among_the_pages_stops_nobody(wiki: Path, run: Run):
    os.mkfifo(wiki / "wiki" / "pipe.md")
    assert run("search", "--wiki", wiki, "fusion", "--json").json
    assert (
        run("ask", "--wiki", wiki, "What is the constant k of reciprocal rank fusion?").status == 0
    )


def test_explaining_shows_terms_pages_and_claims_as_tables_and_as_json(wiki: Path, run: Run):
    question = "What is the constant k of reciprocal rank fusion?"
    shown = run("ask", "--wiki", wiki, question, "--explain").out
    for title in ("Terms", "Pages, as chosen", "Claims"):
        assert f"\n{title}" in shown
    explained = run("ask", "--wiki", wiki, question, "--explain", "--json").json["explain"]
    assert {"terms", "missing", "pages", "claims"} <= set(explained)
    assert explained["terms"][0]["frequency"] >= 1
    assert explained["pages"][0]["via"] == "index"
    assert explained["terms"][0]["weight"] > 0
    assert explained["claims"][0]["checks"]


@pytest.mark.parametrize("columns", [80, 120])
def test_an_explanation_fits_the_terminal(
    wiki: Path, run: Run, monkeypatch: pytest.MonkeyPatch, columns: int
):
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", str(columns))
    write_files(
        wiki,
        {
            "wiki/常数.md": "# 倒数排名融合的常数应该取多少才合适呢\n\n[[Reciprocal Rank Fusion]] 的常数 k 是 60。\n",
        },
    )
    shown = run("ask", "--wiki", wiki, "倒数排名融合的常数 k 是多少？", "--explain").out
    tables = shown[shown.index("Terms") :]
    assert max(map(cell_len, tables.splitlines())) <= columns
    assert not any(line.endswith(" ") for line in tables.splitlines())


def test_many_warnings_of_a_kind_are_cut_short_and_json_has_them_all(tmp_path: Path, run: Run):
    run("init", tmp_path / "w")
    letters = {f"in/{n}.md": f"# Letter {n}\n\nAsk ann{n}@acme.com of it.\n" for n in range(14)}
    write_files(tmp_path, letters)
    ran = run("ingest", "--wiki", tmp_path / "w", tmp_path / "in", "--json")
    assert ran.status == 0
    assert ran.err.count("masked: e-mail address") == 10
    assert "4 more warnings" in ran.err
    assert len(ran.json["compiled"]["problems"]) == 14


def test_coverage_says_whether_a_source_is_missing(wiki: Path, run: Run):
    lost = run("coverage", "--wiki", wiki, "--json").json[0]
    (wiki / lost["path"]).unlink()
    now = run("coverage", "--wiki", wiki, "--json").json
    assert [each["path"] for each in now if each["missing"]] == [lost["path"]]
    assert "its file is gone, pages stay" in run("coverage", "--wiki", wiki).out
