"""Chats written as text or exported as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Place, Source
from citewiki.sources.read import read_bytes


def read(text: str, name: str = "team-chat.txt") -> Source:
    return read_bytes(text.encode(), name)


def read_json(data: Any) -> Source:
    return read(json.dumps(data), "export.json")


def test_messages_become_paragraphs_with_the_time_as_their_place() -> None:
    source = read(
        "[2026-05-01 10:31] Alice: Shall we use BM25?\nIt is simple.\n"
        "[2026-05-01 10:33] Bob: Yes.\n"
    )

    (section,) = source.sections
    assert section.text == "**Alice:** Shall we use BM25?\nIt is simple.\n\n**Bob:** Yes."
    assert section.places == (
        Place(0, "2026-05-01 10:31, Alice"),
        Place(45, "2026-05-01 10:33, Bob"),
    )
    assert (source.reader, source.authority, source.title) == ("chat", "chat", "Team chat")


@pytest.mark.parametrize(
    "text",
    [
        "Alice (10:31): Hello.\nBob (10:33): Hello, Alice.",
        "**Alice** (10:31): Hello.\n\n**Bob** (10:33): Hello, Alice.",
        "01/05/2026, 10:31 - Alice: Hello.\n01/05/2026, 10:33 - Bob: Hello, Alice.",
        "[01/05/26, 10:31:00 AM] Alice: Hello.\n[01/05/26, 10:33:00 AM] Bob: Hello, Alice.",
        "[2026-05-01 10:31] Alice：Hello.\n[2026-05-01 10:33] Bob：Hello, Alice.",
    ],
)
def test_the_usual_forms_of_chats_are_recognised(text: str) -> None:
    (section,) = read(text).sections

    assert section.text == "**Alice:** Hello.\n\n**Bob:** Hello, Alice."


def test_a_dialogue_with_an_assistant_needs_no_times() -> None:
    (section,) = read("**User:** What is RRF?\n\n**Assistant:** Rank fusion.\n\n- a list").sections

    assert section.text == "**User:** What is RRF?\n\n**Assistant:** Rank fusion.\n\n- a list"


def test_a_chat_over_several_days_is_cut_by_day() -> None:
    source = read(
        "[2026-05-01 10:31] Alice: One.\n[2026-05-01 10:33] Bob: Two.\n[2026-05-02 09:00] Alice: Three."
    )

    assert [(s.title, s.locator) for s in source.sections] == [
        ("Team chat, 2026-05-01", "2026-05-01"),
        ("Team chat, 2026-05-02", "2026-05-02"),
    ]


def test_headings_of_a_chat_name_its_conversations() -> None:
    source = read(
        "# Search team\n\n## Ranking\n\n[2026-05-01 10:31] Alice: One.\n\n"
        "[2026-05-01 10:33] Bob: Two.\n\n## Graph\n\n[2026-05-02 09:00] Alice: Three.\n",
        "chat.md",
    )

    assert source.title == "Search team"
    assert [(s.title, s.text) for s in source.sections] == [
        ("Ranking", "**Alice:** One.\n\n**Bob:** Two."),
        ("Graph", "**Alice:** Three."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[2026-05-01 10:31:22] ERROR: failed\n[2026-05-01 10:31:23] INFO: went on",
        "Note: one thing.\nNote: another thing.",
        "System: macOS\nUser: bob\n\nIt crashes.",
        "Version 1.2 (2024-01-02): fixed.\nVersion 1.1 (2024-01-01): broken.",
        "The meeting (10:31) was short.\nThe next one (11:00) was not.",
    ],
)
def test_logs_notes_and_prose_are_no_chats(text: str) -> None:
    assert read(text).reader == "text"


def test_a_list_of_messages_in_json() -> None:
    source = read_json(
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is RRF?", "timestamp": "2026-05-01T10:31:00Z"},
            {"role": "assistant", "content": [{"type": "text", "text": "Rank fusion."}]},
        ]
    )

    (section,) = source.sections
    assert section.text == "**user:** What is RRF?\n\n**assistant:** Rank fusion."
    assert section.places == (Place(0, "2026-05-01 10:31, user"),)
    assert source.media_type == "application/json"


def test_a_tree_of_messages_is_read_along_the_thread_that_was_shown() -> None:
    def node(parent: str | None, children: list[str], role: str, text: str) -> dict[str, Any]:
        message = {
            "author": {"role": role},
            "content": {"parts": [text]},
            "create_time": 1777631460.0,
        }
        return {"message": message, "parent": parent, "children": children}

    source = read_json(
        [
            {
                "title": "Fusion",
                "current_node": "c",
                "mapping": {
                    "root": {"message": None, "parent": None, "children": ["a"]},
                    "a": node("root", ["b", "c"], "user", "What is RRF?"),
                    "b": node("a", [], "assistant", "A first try."),
                    "c": node("a", [], "assistant", "Rank fusion."),
                },
            },
            {"title": "Empty", "mapping": {}},
        ]
    )

    assert [(s.title, s.text, s.status) for s in source.sections] == [
        ("Fusion", "**user:** What is RRF?\n\n**assistant:** Rank fusion.", "pending"),
        ("Empty", "", "no_text"),
    ]
    assert source.sections[0].places == (
        Place(0, "2026-05-01 10:31, user"),
        Place(24, "2026-05-01 10:31, assistant"),
    )


def test_every_conversation_of_an_export_is_a_section() -> None:
    chat = {
        "chat_messages": [{"sender": "human", "text": "Hi", "created_at": "2026-05-01T10:31:00Z"}]
    }

    source = read_json([{"name": "One", **chat}, {"name": "Two", **chat}])

    assert [(s.title, s.locator) for s in source.sections] == [("One", "§ One"), ("Two", "§ Two")]


def test_json_lines_are_read() -> None:
    lines = '{"from": "Alice", "text": "One."}\n{"from": "Bob", "text": "Two."}\n'

    assert read(lines, "chat.jsonl").sections[0].text == "**Alice:** One.\n\n**Bob:** Two."


def test_json_of_another_kind_says_so() -> None:
    (section,) = read_json({"name": "package", "version": "1.0"}).sections

    assert section.status == "unreadable"
    assert "no JSON of a known form" in section.reason


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["mapping", "messages", "role", "content", "parent", "text", "date"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_no_json_crashes_the_reader(data: Any) -> None:
    assert read_json(data).sections


def test_a_loop_in_a_tree_of_messages_ends() -> None:
    loop = {"a": {"parent": "b", "children": ["b"]}, "b": {"parent": "a", "children": ["a"]}}

    assert read_json({"mapping": loop, "current_node": "a"}).sections[0].status == "unreadable"
