"""Reading replies of a given shape."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import EngineUnusable
from citewiki.llm.structured import json_schema, parse


@dataclass(frozen=True)
class Verdict:
    claim: int
    verdict: Literal["yes", "no"]


@dataclass(frozen=True)
class Verdicts:
    verdicts: tuple[Verdict, ...]


ONE = '{"verdicts": [{"claim": 1, "verdict": "yes"}]}'
FILLED = Verdicts((Verdict(1, "yes"),))


@pytest.mark.parametrize(
    "reply",
    [
        ONE,
        f"```json\n{ONE}\n```",
        f"Sure! {ONE} I hope that helps.",
        f'I first thought of {{this}} and {{"verdicts": 3}}.\n{ONE}',
        ONE.replace("}]}", '}], "note": "not asked for"}'),
    ],
)
def test_words_and_fences_around_the_object_do_no_harm(reply: str) -> None:
    assert parse(reply, Verdicts) == FILLED


def test_the_last_object_that_fits_counts() -> None:
    assert parse(ONE.replace("yes", "no") + ONE, Verdicts) == FILLED


def test_a_raw_line_break_inside_a_string_is_let_through() -> None:
    @dataclass(frozen=True)
    class Text:
        text: str

    assert parse('{"text": "two\nlines"}', Text) == Text("two\nlines")


@dataclass(frozen=True)
class Text:
    text: str
    tags: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (r'{"text": "it costs \$5", "tags": ["a"]}', r"it costs \$5"),
        (r'{"text": "where \(x\) holds", "tags": ["a"]}', r"where \(x\) holds"),
        ('{"text": "plain", "tags": ["a",],}', "plain"),
        ("{'text': 'plain', 'tags': ['a']}", "plain"),
        ('{text: "plain", "tags": ["a"] // all of them\n}', "plain"),
        ('Here you are:\n```json\n{"text": "plain", "tags": ["a",]}\n```\nAnything else?', "plain"),
    ],
)
def test_marks_that_weak_models_get_wrong_are_mended(reply: str, text: str) -> None:
    assert parse(reply, Text) == Text(text, ("a",))


@given(st.text(alphabet='{}[]",:\\ab1 \n$', max_size=200))
def test_any_text_is_read_or_refused(reply: str) -> None:
    try:
        value = parse(reply, Text)
    except EngineUnusable:
        return
    assert isinstance(value, Text)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "no JSON object"),
        ("yes", "no JSON object"),
        (ONE[:-2], "ends before its JSON object does"),
        (ONE[:-9], "ends before its JSON object does"),
        ('{"verdicts": [{"claim": 1, "verdict": "maybe"}]}', "verdicts.0.verdict"),
        ('{"verdicts": [{"verdict": "yes"}]}', "verdicts.0.claim"),
        ('{"a":' * 2000, "ends before|depth"),
        ('{"a":' * 2000 + "1" + "}" * 2000, "verdicts|depth"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_fault_is_named(reply: str, fault: str) -> None:
    with pytest.raises(EngineUnusable, match=fault):
        parse(reply, Verdicts)


def test_the_schema_requires_every_field() -> None:
    schema = json_schema(Verdicts)
    assert schema["required"] == ["verdicts"]
    assert schema["$defs"]["Verdict"]["required"] == ["claim", "verdict"]


@given(st.lists(st.tuples(st.integers(), st.sampled_from(["yes", "no"])), max_size=4), st.text())
def test_every_filled_shape_reads_back_whatever_stands_before_it(
    pairs: list[tuple[int, Literal["yes", "no"]]], before: str
) -> None:
    value = Verdicts(tuple(Verdict(*pair) for pair in pairs))
    assert parse(before.replace("{", "") + json.dumps(asdict(value)), Verdicts) == value
