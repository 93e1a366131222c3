from __future__ import annotations

import re
import zlib
from xml.etree import ElementTree

from citewiki.evaluate.metrics import Report
from citewiki.evaluate.plot import OWN, png, svg

STEPS = {
    "bm25": {"recall@1": 0.5, "recall@5": 0.7},
    "index <1>": {"recall@1": 0.6, "recall@5": 0.8},
}
RETRIEVAL = Report(
    "retrieval",
    40,
    {"recall@1": 0.75, "recall@5": 0.9, "p50_ms": 3.0},
    {"recall@1": (0.7, 0.8), "recall@5": (0.85, 0.95)},
    STEPS,
)
REFUSAL = Report(
    "refusal",
    40,
    {"balanced_accuracy": 0.81, "refusal_recall": 0.79, "p50_ms": 3.0},
    {"balanced_accuracy": (0.75, 0.86)},
    {"always answer": {"balanced_accuracy": 0.5}},
)


def texts(report: Report) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg(report)).iter() if each.text]


def test_recall_is_drawn_for_every_step_and_the_program_last():
    shown = texts(RETRIEVAL)
    assert [text for text in shown if text in {*STEPS, OWN}] == [*STEPS, OWN]
    assert {"50.0", "70.0", "60.0", "80.0", "75.0", "90.0"} <= set(shown)
    assert "300.0" not in shown


def test_questions_of_several_sets_have_a_bar_for_each_set():
    figures = {"recall@5": 0.9, "en/recall@5": 0.95, "vi/recall@5": 0.85}
    shown = texts(Report("multilingual", 9, figures, {}, {"bm25": figures}))
    assert {"all", "en", "vi"} <= set(shown)


def test_other_suites_show_every_fraction_beside_its_baselines():
    shown = texts(REFUSAL)
    assert {"balanced_accuracy", "refusal_recall", "always answer", "81.0", "50.0"} <= set(shown)
    assert "p50_ms" not in shown
    assert svg(REFUSAL).count("v6") == 2  # the ends of one whisker


def test_a_png_is_the_picture_at_twice_its_size():
    data = png(REFUSAL)
    width, height = (
        int(each) for each in re.findall(r'(?:width|height)="(\d+)"', svg(REFUSAL))[:2]
    )
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (2 * width, 2 * height)
    assert zlib.crc32(data[12:29]) == int.from_bytes(data[29:33])
