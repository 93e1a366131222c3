"""Small exports in the forms that programs write them, each telling of rank fusion."""

from __future__ import annotations

import io
import json
import mailbox
import zipfile
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

FUSION = (
    "Reciprocal rank fusion merges ranked lists without training. "
    "The constant k of reciprocal rank fusion is 60. It damps the first places."
)
OTHER = "We still have to choose the wood for the new shelves in the hall."
AT = 1777631460  # 2026-05-01 10:31 UTC
HASH = "0123456789abcdef0123456789abcdef"


def zipped(files: Mapping[str, Any]) -> bytes:
    """A zip of texts, bytes, and values that become JSON."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            raw = content if isinstance(content, str | bytes) else json.dumps(content)
            archive.writestr(name, raw)
    return buffer.getvalue()


def mail(sender: str, subject: str, text: str, *, id: str = "<1@x.org>") -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "team@x.org"
    message["Subject"] = subject
    message["Date"] = "Fri, 01 May 2026 10:31:00 +0000"
    message["Message-ID"] = id
    message.set_content(text)
    return message


def eml() -> bytes:
    return mail("Alice <a@x.org>", "Fusion", FUSION).as_bytes()


def mbox() -> bytes:
    """A mailbox as Python's own mailbox module writes it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "team.mbox")
        box = mailbox.mbox(path)
        box.add(mail("Bob <b@x.org>", "Shelves", OTHER, id="<0@x.org>"))
        box.add(mail("Alice <a@x.org>", "Fusion", FUSION))
        box.close()
        return path.read_bytes()


def chatgpt() -> list[dict[str, Any]]:
    def node(parent: str, children: list[str], role: str, text: str) -> dict[str, Any]:
        content = {"content_type": "text", "parts": [text]}
        message = {"author": {"role": role}, "content": content, "create_time": AT}
        return {"message": message, "parent": parent, "children": children}

    tree = {
        "root": {"message": None, "parent": None, "children": ["a"]},
        "a": node("root", ["b"], "user", "How are ranked lists merged?"),
        "b": node("a", [], "assistant", FUSION),
    }
    return [{"title": "Fusion", "mapping": tree, "current_node": "b"}]


def claude() -> list[dict[str, Any]]:
    said = {"sender": "assistant", "text": "", "content": [{"type": "text", "text": FUSION}]}
    return [{"uuid": "1", "name": "Fusion", "chat_messages": [
        {"sender": "human", "text": "How are lists merged?", "created_at": "2026-05-01T10:30:00Z"},
        {**said, "created_at": "2026-05-01T10:31:00Z"},
    ]}]  # fmt: skip


def gemini() -> list[dict[str, Any]]:
    return [{
        "header": "Gemini Apps", "title": "Prompted How are lists merged?",
        "time": "2026-05-01T10:31:00.000Z", "safeHtmlItem": [{"html": f"<p>{FUSION}</p>"}],
    }]  # fmt: skip


def slack() -> dict[str, Any]:
    message = {"type": "message", "user": "U1", "text": FUSION, "ts": f"{AT}.000100"}
    return {
        "users.json": [{"id": "U1", "name": "al", "profile": {"display_name": "Alice"}}],
        "channels.json": [{"id": "C1", "name": "search"}],
        "search/2026-05-01.json": [message],
        "search/2026-05-02.json": [{**message, "text": OTHER, "ts": f"{AT + 86400}.000100"}],
    }


def discord() -> dict[str, Any]:
    author = {"id": "1", "name": "al", "nickname": "Alice"}
    message = {"id": "1", "type": "Default", "timestamp": "2026-05-01T10:31:00.000+00:00"}
    return {
        "guild": {"name": "Searchers"},
        "channel": {"name": "ranking"},
        "messages": [{**message, "content": FUSION, "author": author, "attachments": []}],
    }


def telegram() -> dict[str, Any]:
    message = {"id": 1, "type": "message", "date": "2026-05-01T10:31:00", "from": "Alice"}
    text = [FUSION, " ", {"type": "link", "text": "https://x.org"}]
    return {"name": "Search", "type": "private_group", "messages": [{**message, "text": text}]}


def messenger() -> dict[str, Any]:
    """As Facebook writes it: UTF-8 with each byte as a character, the newest message first."""
    name = "Nguyễn".encode().decode("latin-1")
    return {
        "participants": [{"name": name}, {"name": "Bob"}],
        "messages": [
            {"sender_name": "Bob", "timestamp_ms": AT * 1000 + 60_000, "content": "Good."},
            {"sender_name": name, "timestamp_ms": AT * 1000, "content": FUSION},
        ],
        "title": name,
    }


def whatsapp() -> str:
    return (
        "01/05/2026, 10:30 - Messages and calls are end-to-end encrypted.\n"
        f"01/05/2026, 10:31 - Alice: {FUSION}\n01/05/2026, 10:33 - Bob: Good.\n"
    )


def signal() -> str:
    return f"[2026-05-01 10:31] Alice: {FUSION}\n[2026-05-01 10:33] Me: Good.\n"


def imessage() -> str:
    return (
        f"May 01, 2026 10:31:00 AM (Read by you after 1 minute)\nAlice\n{FUSION}\n\n"
        "May 01, 2026 10:33:00 AM\nMe\nGood.\nTapbacks:\n    Loved by Alice\n\n"
    )


def dayone() -> dict[str, Any]:
    entry = {"uuid": "A1", "creationDate": "2026-05-01T10:31:00Z", "timeZone": "Asia/Ho_Chi_Minh"}
    photo = {"md5": "ff", "type": "jpeg", "caption": "The board"}
    journal = {
        "metadata": {"version": "1.0"},
        "entries": [
            {**entry, "text": f"# Fusion\n\n{FUSION}", "tags": ["search"], "photos": [photo]},
            {**entry, "uuid": "A2", "text": OTHER, "creationDate": "2026-05-02T10:31:00Z"},
        ],
    }
    return {"Journal.json": journal, "photos/ff.jpeg": b"\xff\xd8\xff"}


def apple_notes() -> dict[str, Any]:
    return {
        "iCloud Notes/Search/Fusion/Fusion.txt": f"Fusion\n\n{FUSION}\n",
        "iCloud Notes/Search/Fusion/board.jpeg": b"\xff\xd8\xff",
        "iCloud Notes/Home/Shelves/Shelves.html": f"<html><body><p>{OTHER}</p></body></html>",
    }


def notion() -> dict[str, Any]:
    pages = {
        f"Home {HASH}.md": f"# Home\n\nSee [Fusion](Home%20{HASH}/Fusion%20{HASH}.md). {OTHER}\n",
        f"Home {HASH}/Fusion {HASH}.md": f"# Fusion\n\nTags: search\n\n{FUSION}\n",
        f"Home {HASH}/Lists {HASH}.csv": "\ufeffName,Status\nFusion,Done\nBorda,Open\n",
    }
    return {"ExportBlock-0f0f0f0f-Part-1.zip": zipped(pages)}


def vault() -> dict[str, Any]:
    return {
        ".obsidian/app.json": {},
        "search/Fusion.md": f"---\naliases: [RRF]\ntags: [search]\n---\n{FUSION}\n\nSee [[Plan]].\n",
        "Plan.canvas": canvas(),
        "board.png": b"\x89PNG",
    }


def canvas() -> dict[str, Any]:
    place = {"width": 100, "height": 50}
    return {
        "nodes": [
            {"id": "g", "type": "group", "label": "Ranking", "x": -10, "y": -10, "width": 300, "height": 100},
            {"id": "a", "type": "text", "text": FUSION, "x": 0, "y": 0, **place},
            {"id": "b", "type": "file", "file": "search/Fusion.md", "x": 400, "y": 0, **place},
        ],
        "edges": [{"id": "e", "fromNode": "a", "toNode": "b", "label": "is told in"}],
    }  # fmt: skip


def tweets() -> str:
    def tweet(id: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
        at = f"Fri May 01 10:{minute}:00 +0000 2026"
        return {"tweet": {"id_str": id, "full_text": text, "created_at": at, **more}}

    first, second = FUSION[:60], FUSION[60:].strip()
    link = {"url": "https://t.co/aa", "expanded_url": "https://x.org/paper"}
    found = [
        tweet("2", second, 33, in_reply_to_status_id_str="1", in_reply_to_screen_name="me"),
        tweet("1", f"{first} https://t.co/aa", 31, entities={"urls": [link]}),
        tweet("3", "RT @bob: words of Bob", 35),
    ]
    return f"window.YTD.tweets.part0 = {json.dumps(found)}"


def twitter() -> dict[str, Any]:
    account = json.dumps([{"account": {"username": "me"}}])
    return {
        "data/tweets.js": tweets(),
        "data/account.js": f"window.YTD.account.part0 = {account}",
        "data/like.js": "window.YTD.like.part0 = []",
    }


def rss() -> str:
    return (
        '<?xml version="1.0"?><rss version="2.0"><channel><title>Searching</title>'
        f"<link>https://x.org</link><item><title>Fusion</title><link>https://x.org/rrf</link>"
        f"<pubDate>Fri, 01 May 2026 10:31:00 +0000</pubDate><description>&lt;p&gt;{FUSION}&lt;/p&gt;"
        f"</description></item><item><title>Shelves</title><description>{OTHER}</description></item>"
        "</channel></rss>"
    )


def picture() -> bytes:
    about = PngInfo()
    about.add_text("Title", "Fusion")
    about.add_itxt("Description", FUSION)
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, "PNG", pnginfo=about)
    return buffer.getvalue()


def _json(make: Callable[[], Any]) -> Callable[[], bytes]:
    return lambda: json.dumps(make()).encode()


def _zip(make: Callable[[], Mapping[str, Any]]) -> Callable[[], bytes]:
    return lambda: zipped(make())


def _text(make: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: make().encode()


EXPORTS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "eml": ("fusion.eml", eml, "2026-05-01 10:31, Alice"),
    "mbox": ("team.mbox", mbox, "2026-05-01 10:31, Alice"),
    "chatgpt": ("conversations.json", _json(chatgpt), "2026-05-01 10:31, assistant"),
    "chatgpt zip": (
        "chatgpt.zip",
        lambda: zipped({"conversations.json": chatgpt(), "user.json": {}}),
        "2026-05-01 10:31, assistant",
    ),
    "claude": ("conversations.json", _json(claude), "2026-05-01 10:31, assistant"),
    "gemini": ("My Activity.json", _json(gemini), "2026-05-01 10:31, Gemini"),
    "slack": ("slack.zip", _zip(slack), "2026-05-01 10:31, Alice"),
    "discord": ("ranking.json", _json(discord), "2026-05-01 10:31, Alice"),
    "telegram": ("result.json", _json(telegram), "2026-05-01 10:31, Alice"),
    "messenger": ("message_1.json", _json(messenger), "2026-05-01 10:31, Nguyễn"),
    "whatsapp": ("chat.txt", _text(whatsapp), "01/05/2026, 10:31, Alice"),
    "signal": ("signal.txt", _text(signal), "2026-05-01 10:31, Alice"),
    "imessage": ("Alice.txt", _text(imessage), "2026-05-01 10:31, Alice"),
    "day one": ("journal.zip", _zip(dayone), "entry of 2026-05-01 17:31, Journal"),
    "apple notes": ("notes.zip", _zip(apple_notes), "iCloud Notes › Search › Fusion"),
    "notion": ("notion.zip", _zip(notion), "Home › Fusion"),
    "vault": ("vault.zip", _zip(vault), "search › Fusion"),
    "canvas": ("Plan.canvas", _json(canvas), "Plan › Ranking"),
    "tweets": ("tweets.js", _text(tweets), "https://x.com/i/web/status/"),
    "twitter": ("twitter.zip", _zip(twitter), "https://x.com/me/status/"),
    "rss": ("feed.xml", _text(rss), "entry of 2026-05-01, https://x.org/rrf"),
    "picture": ("fusion.png", picture, "picture “fusion.png”"),
}
"""By kind: the file's name, its bytes, and where in it a citation of `FUSION` points."""
