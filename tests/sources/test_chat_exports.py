"""Chats as assistants and messengers export them: every shape, nothing silent."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from citewiki.model import Source
from citewiki.sources import chat_large
from citewiki.sources.chat import epoch_stamp
from citewiki.sources.chat_dates import stamp_dates
from citewiki.sources.mojibake import repaired
from citewiki.sources.read import read_bytes
from tests import exports


def read(data: Any, name: str = "export.json") -> Source:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return read_bytes(raw, name)


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("12/05/2024, 10:31 - Alice: A\n12/05/2024, 10:33 - Bob: B", "12/05/2024, 10:31"),
        ("[12.05.24, 10:31:00] ~\u202fAlice: A\n\u200e[12.05.24, 10:33:00] Bob: B", "12.05.24, 10:31:00"),
        ("5/12/24, 10:31\u202fPM - Alice: A\n5/12/24, 10:33\u202fPM - Bob: B", "5/12/24, 10:31 PM"),
        ("12/5/24, 10:31 a.\xa0m. - Alice: A\n12/5/24, 10:33 a.\xa0m. - Bob: B", "12/5/24, 10:31 a. m."),
        ("12/05/2024 à 10:31 - Alice: A\n12/05/2024 à 10:32 - Bob: B", "12/05/2024 à 10:31"),
        ("2024/5/12 下午10:31 - Alice: A\n2024/5/12 下午10:32 - Bob: B", "2024/5/12 下午10:31"),
        ("[2024/5/12 下午10:31:00] Alice: A\n[2024/5/12 下午10:31:00] Bob: B", "2024/5/12 下午10:31:00"),
        ("2024년 5월 12일 오후 10:31, Alice : A\n2024년 5월 12일 오후 10:31, Bob : B", "2024년 5월 12일 오후 10:31"),
        ("10:31, 12/05/2024 - Alice: A\n10:31, 12/05/2024 - Bob: B", "10:31, 12/05/2024"),
    ],
)  # fmt: skip
def test_whatsapp_is_read_in_the_forms_of_many_locales(text: str, stamp: str) -> None:
    (section,) = read(text.encode(), "chat.txt").sections

    assert section.text == "**Alice:** A\n\n**Bob:** B"
    assert section.places[0].label == f"{stamp}, Alice"
    assert section.date == datetime(2024, 5, 12, tzinfo=UTC)


def test_a_notice_between_messages_belongs_to_none_of_them() -> None:
    text = (
        "12/05/2024, 10:30 - Messages are end-to-end encrypted.\n"
        "12/05/2024, 10:31 - +1 (555) 123-4567: One\nmore\n12/05/2024, 10:32 - Bob left\n"
        "12/05/2024, 10:33 - Alice: Two\n"
    )

    (section,) = read(text.encode(), "chat.txt").sections

    assert section.text == (
        "Messages are end-to-end encrypted.\n\n**+1 (555) 123-4567:** One\nmore\n\n"
        "Bob left\n\n**Alice:** Two"
    )


@pytest.mark.parametrize(
    ("stamps", "days"),
    [
        (["1/2/2024", "13/2/2024"], ["2024-02-01", "2024-02-13"]),
        (["1/2/2024", "2/13/2024"], ["2024-01-02", "2024-02-13"]),
        (["1/2/24", "5/2/24", "1/3/24"], ["2024-02-01", "2024-02-05", "2024-03-01"]),
        (["1/2/24, 10:31 PM"], ["2024-01-02"]),
        (["1/2/24, 22:31"], ["2024-02-01"]),
        (["2024-02-01 10:31", "10:31", "99/99/2024"], ["2024-02-01", "", ""]),
    ],
)
def test_the_whole_chat_tells_which_number_is_the_day(stamps: list[str], days: list[str]) -> None:
    assert [f"{at:%Y-%m-%d}" if at else "" for at in stamp_dates(stamps)] == days


@pytest.mark.parametrize(
    ("seconds", "stamp"),
    [
        (1777631460, "2026-05-01 10:31"),
        (1777631460000, "2026-05-01 10:31"),
        (1777631460000000, "2026-05-01 10:31"),
        (float("inf"), ""),
        (float("-inf"), ""),
        (float("nan"), ""),
        (-1e300, ""),
    ],
)
def test_unix_times_are_read_in_any_unit(seconds: float, stamp: str) -> None:
    assert epoch_stamp(seconds) == stamp


def test_what_an_assistant_thinks_and_calls_is_not_what_it_said() -> None:
    said = {"type": "text", "text": "Rank fusion."}
    content = [{"type": "thinking", "thinking": "x"}, {"type": "tool_use", "input": {}}, said]
    file = {"file_name": "a.txt", "extracted_content": "k is 60"}
    data = [
        {
            "name": "",
            "chat_messages": [
                {"sender": "human", "text": "What is RRF?", "attachments": [file]},
                {"sender": "assistant", "text": "", "content": content},
            ],
        },
        {"name": "Other", "chat_messages": [{"sender": "human", "text": "Hi"}]},
        {"name": "Empty", "chat_messages": []},
    ]

    first, _, empty = read(data).sections

    assert (first.title, first.locator) == ("What is RRF?", "conversation 1")
    assert first.text == (
        "**human:** What is RRF?\n\n(attached: a.txt)\n\nFrom the attached a.txt:\n\nk is 60\n\n"
        "**assistant:** Rank fusion."
    )
    assert (empty.title, empty.status) == ("Empty", "no_text")


def test_tools_and_marks_of_chatgpt_are_left_out() -> None:
    def node(role: str, parts: list[Any], children: list[str], parent: str, **more: Any) -> Any:
        content = {"content_type": "text", "parts": parts}
        message = {"author": {"role": role}, "content": content, **more}
        return {"message": message, "parent": parent, "children": children}

    tree = {
        "a": node("user", ["Why?", {"content_type": "image_asset_pointer"}], ["b"], ""),
        "b": node("assistant", ["search('x')"], ["c"], "a", recipient="web"),
        "c": node("tool", ["result"], ["d"], "b"),
        "d": node("assistant", ["So\ue200cite\ue202turn0\ue201."], [], "c", recipient="all"),
    }

    (section,) = read({"title": "T", "mapping": tree, "current_node": "d"}).sections

    assert section.text == "**user:** Why?\n\n**assistant:** So."


def test_an_export_too_large_to_parse_is_read_one_conversation_at_a_time() -> None:
    data = [*exports.chatgpt(), {"title": 'A "{[" here', "mapping": {}}, 1, *exports.claude()]
    raw = json.dumps(data).encode()

    assert list(chat_large.items(raw)) == [item for item in data if item != 1]
    assert chat_large.read(raw, "x.json") == read(raw, "x.json")
    assert chat_large.read(b'[{"messages": "cut', "x.json") is None


def test_telegram_texts_of_pieces_are_one_line() -> None:
    data = exports.telegram()
    data["messages"].insert(0, {"id": 0, "type": "service", "actor": "Alice", "text": ""})

    (section,) = read(data, "result.json").sections

    assert section.text == f"**Alice:** {exports.FUSION} https://x.org"


def test_all_chats_of_telegram_are_sections_by_chat_and_day() -> None:
    def message(day: int) -> dict[str, Any]:
        return {"type": "message", "date": f"2026-05-0{day}T10:31:00", "from": "Bob", "text": "x"}

    chats = [
        {"name": "Alice", "messages": [message(1)]},
        {"name": "Bob", "messages": [message(1), message(2)]},
    ]

    sections = read({"chats": {"list": chats}}, "result.json").sections

    assert [s.locator for s in sections] == ["§ Alice", "§ Bob, 2026-05-01", "§ Bob, 2026-05-02"]


def test_messenger_is_repaired_and_put_in_order() -> None:
    source = read(exports.messenger())

    assert source.title == "Nguyễn"
    assert source.sections[0].text == f"**Nguyễn:** {exports.FUSION}\n\n**Bob:** Good."


@pytest.mark.parametrize("text", ["Nguyễn", "Grüße", "naïve café", "日本", "😀", "plain"])
def test_text_that_was_not_spoilt_stays(text: str) -> None:
    assert repaired(text) == text
    assert repaired(text.encode().decode("latin-1")) == text


def test_slack_people_channels_and_links_are_named() -> None:
    export = exports.slack()
    export["search/2026-05-01.json"][0]["text"] = (
        "<@U1> see <https://x.org|this> &amp; <#C1|search>"
    )
    export["search/2026-05-02.json"] = [{"type": "message", "subtype": "channel_join", "user": "U1",
                                         "text": "joined", "ts": "1.1"}]  # fmt: skip

    message, rest = read(exports.zipped(export), "slack.zip").sections

    assert message.text == "**Alice:** @Alice see [this](https://x.org) & #search"
    assert rest.status == "skipped"
    assert "users.json" in rest.reason


def test_the_files_of_a_messenger_thread_are_one_conversation() -> None:
    def said(text: str, minute: int) -> dict[str, Any]:
        message = {"sender_name": "Bob", "timestamp_ms": 1777631460000 + minute * 60_000}
        return {"title": "Bob", "participants": [], "messages": [{**message, "content": text}]}

    inbox = "your_activity/messages/inbox/bob_1"
    files = {f"{inbox}/message_1.json": said("Two.", 1), f"{inbox}/message_2.json": said("One.", 0)}

    (section,) = read(exports.zipped(files), "facebook.zip").sections

    assert section.text == "**Bob:** One.\n\n**Bob:** Two."


def test_the_package_of_discord_has_the_words_of_its_owner() -> None:
    said = {"ID": 1, "Timestamp": "2026-05-01 10:31:00", "Contents": "Hello.", "Attachments": ""}

    source = read(exports.zipped({"messages/c1/messages.json": [said]}), "package.zip")

    assert source.sections[0].text == "**me:** Hello."


def test_a_chat_of_signal_cli_is_read() -> None:
    line = {
        "envelope": {
            "sourceName": "Al",
            "dataMessage": {"timestamp": 1714559460000, "message": "Hi"},
        }
    }

    (section,) = read(f"{json.dumps(line)}\n{json.dumps(line)}".encode(), "s.jsonl").sections

    assert section.places[0].label == "2024-05-01 10:31, Al"


@pytest.mark.parametrize(
    "data",
    [
        {"conversations": [{"conversation": {"title": "T"}, "responses": [
            {"response": {"sender": "human", "message": "Hi",
                          "create_time": {"$date": {"$numberLong": "1777631460000"}}}}]}]},
        [{"title": "T", "mapping": {"1": {"parent": None, "children": [], "message": {
            "inserted_at": "2026-05-01T10:31:00Z",
            "fragments": [{"type": "REQUEST", "content": "Hi"}]}}}}],
        {"room_name": "T", "messages": [{"sender": "@a:x.org", "origin_server_ts": 1777631460000,
                                         "content": {"body": "Hi", "msgtype": "m.text"}}]},
    ],
    ids=["grok", "deepseek", "matrix"],
)  # fmt: skip
def test_messages_inside_other_objects_are_found(data: Any) -> None:
    source = read(data)

    assert source.title == "T"
    assert source.sections[0].text.endswith("** Hi")
    assert source.sections[0].places[0].label.startswith("2026-05-01 10:31")


@pytest.mark.parametrize(
    "data",
    [
        [{"name": "theme", "value": "dark"}, {"name": "size", "value": "12"}],
        [{"title": "One", "author": "Alice", "text": "Words."}],
    ],
)
def test_settings_and_records_are_no_chats(data: Any) -> None:
    assert read(data).reader != "chat"


def test_imessage_answers_and_reactions_are_not_said_twice() -> None:
    text = (
        "May 17, 2022  5:29:42 PM (Read by you after 1 minute)\nMe\nHello\n"
        "    May 17, 2022  5:31:00 PM\n    Alice\n    Hi\n\n"
        "May 17, 2022  5:31:00 PM\nAlice\nHi\nThis message responded to an earlier message.\n"
        "Tapbacks:\n    Loved by Me\n\n"
        "May 18, 2022  9:00:00 AM\nMe\nBye\n"
    )

    source = read(text.encode(), "Alice.txt")

    assert [(s.title, s.text) for s in source.sections] == [
        ("Alice, 2022-05-17", "**Me:** Hello\n\n**Alice:** Hi"),
        ("Alice, 2022-05-18", "**Me:** Bye"),
    ]
