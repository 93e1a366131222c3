"""Tables of data: CSV and its relatives, JSON rows."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Source
from citewiki.sources import records
from citewiki.sources.csv_reader import read as read_csv
from citewiki.sources.read import read_bytes

LONG = (
    "Recall counts how many of the relevant pages were found, among all that are relevant to it. "
)


def read(text: str, name: str = "data.csv") -> Source:
    return read_bytes(text.encode(), name)


def test_a_table_of_short_cells_is_a_page_with_its_header() -> None:
    source = read('method,year\n"Borda, count",1781\nFusion,2009\n')

    (section,) = source.sections
    assert (source.reader, source.media_type, section.locator) == ("csv", "text/csv", "rows 2-3")
    assert section.text.splitlines() == [
        "| method | year |", "| --- | --- |", "| Borda, count | 1781 |", "| Fusion | 2009 |",
    ]  # fmt: skip


def test_rows_with_a_name_and_a_long_text_are_a_page_each() -> None:
    source = read(f"id;name;text\n1;Recall;{LONG * 2}\n2;Precision;{LONG * 3}\n")

    assert [(s.title, s.locator) for s in source.sections] == [
        ("Recall", "row 2"),
        ("Precision", "row 3"),
    ]
    assert source.sections[0].text == f"{(LONG * 2).strip()}\n\n- id: 1"


def test_rows_that_share_their_name_stay_a_table() -> None:
    source = read(
        f"name,text\nRecall,{LONG.replace(',', '') * 2}\nRecall,{LONG.replace(',', '') * 2}\n"
    )

    assert [section.locator for section in source.sections] == ["rows 2-3"]


def test_a_long_table_is_cut_into_pages_with_the_header_on_each() -> None:
    rows = "\n".join(f"n{n},{n}" for n in range(450))
    source = read(f"name,count\n{rows}\n")

    assert [s.locator for s in source.sections] == ["rows 2-201", "rows 202-401", "rows 402-451"]
    assert all(s.text.startswith("| name | count |") for s in source.sections)


def test_rows_beyond_the_limit_are_accounted_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_ROWS", 10)
    monkeypatch.setattr("citewiki.sources.csv_reader.MOST_ROWS", 10)

    *_, last = read("name,count\n" + "".join(f"n{n},{n}\n" for n in range(25))).sections

    assert (last.status, last.locator) == ("unreadable", "rows 12-26")
    assert last.reason == "only the first 10 rows of a table are read; split it"


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_a_table_is_told_by_its_content(sign: str) -> None:
    text = "\n".join(sign.join(row) for row in (("a", "b", "c"), ("1", "2", "3"), ("4", "5", "6")))

    assert read(text, "download").reader == "csv"


@pytest.mark.parametrize(
    "text",
    [
        "One, two, three.\nFour, five, six.\nSeven, eight, nine.\n",
        "Dear Bo,\n\nthanks, and see you.\n\nAnn\n",
        "a,b,c\n1,2\n3,4,5,6\n",
        "",
    ],
)
def test_prose_with_commas_is_no_table(text: str) -> None:
    assert read_csv(text, "letter.txt") is None


def test_json_lines_with_the_same_keys_are_rows() -> None:
    rows = [{"method": "Borda", "year": 1781, "by": ["Ann", "Bo"]}, {"method": "RRF", "year": None}]
    source = read("".join(json.dumps(row) + "\n" for row in rows), "methods.jsonl")

    assert (source.reader, source.media_type) == ("json", "application/jsonl")
    assert source.sections[0].text.splitlines()[2:] == [
        "| Borda | 1781 | Ann, Bo |",
        "| RRF |  |  |",
    ]


def test_json_without_rows_says_so() -> None:
    assert read('{"a": {"b": 1}}', "a.json").sections[0].reason.endswith("no JSON of a known form)")


cells = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)


@given(st.lists(st.lists(cells, min_size=2, max_size=4), min_size=2, max_size=8))
def test_no_row_is_lost(rows: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    source = read_csv(buffer.getvalue(), "a.csv")
    said = "".join("".join(s.text + s.title for s in source.sections).split()) if source else ""

    for row in rows:
        for cell in row:
            assert "".join(records.clean(cell).replace("|", "\\|").split()) in said
