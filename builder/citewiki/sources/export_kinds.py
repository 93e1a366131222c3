"""What programs export, told by its shape: the tests in read.py's tables for archives."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from citewiki.sources.archive import Archive
from citewiki.sources.kinds import binary_type

_HEAD_BYTES = 64 << 10  # in which a file's first header or element has to end

LARGEST_PARSED = 24 << 20
"""Bytes of JSON that are parsed at once, which takes some six times as much memory."""

_OF_CONVERSATIONS = (b'"mapping"', b'"chat_messages"', b'"messages"')

# Mail: a header that only programs write, or a name that says what the file is.
_HEADER = re.compile(rb"(?:>?From [^\n]*\n)?((?:[!-9;-~]{1,76}:[^\n]*\n(?:[ \t][^\n]*\n)*)+)")
_KEY = re.compile(rb"^([!-9;-~]{1,76}):", re.M)
_SENDERS = frozenset((b"from", b"sender", b"return-path"))
_BY_PROGRAMS = frozenset(
    (b"message-id", b"received", b"mime-version", b"return-path", b"delivered-to")
)
_APPLE_COUNT = re.compile(rb"\A\d{1,12}[ \t]*\r?\n")

_XML_PROLOG = (  # possessive: no text is read twice
    rb"\A(?:\xef\xbb\xbf)?\s*+"
    rb"(?:<\?[^>]*+>\s*+|<!--(?:(?!-->).)*+-->\s*+|<!DOCTYPE(?:[^\[>]|\[[^\]]*+\])*+>\s*+)*+"
)
_FEED = re.compile(_XML_PROLOG + rb"<(?:rss|feed|rdf:RDF|atom:feed)\b", re.S | re.I)
_SVG = re.compile(_XML_PROLOG + rb"<svg\b", re.S)

IMESSAGE_HEAD = re.compile(
    r"[A-Z][a-z]{2} \d{1,2}, \d{4} +\d{1,2}:\d{2}:\d{2} [AP]M(?: \((?:Read|Delivered)[^()\n]*\))?$"
)
"""The line above each message of imessage-exporter: its time, and when it was read."""

TWITTER_SCRIPT = re.compile(r"\s*window\.YTD\.(?P<what>\w+)\.part\d+\s*=\s*(?=[\[{])")
"""How each file of a Twitter archive begins."""

TWEETS_FILE = re.compile(r"(?:^|/)(?:tweets?|community-tweets?)(?:-part\d+)?\.js$")
SLACK_DAY = re.compile(r"(?:^|/)([^/]+)/\d{4}-\d{2}-\d{2}\.json$")
CHAT_FILE = re.compile(
    r"(?:^|/)(?:conversations(?:-\d+)?\.json|result\.json|_chat\.txt|whatsapp chat[^/]*\.txt"
    r"|message_\d+\.json|c?\d+/messages\.json)$",
    re.I,
)
NOTION_ID = re.compile(r"[ _-]?[0-9a-f]{32}(?=$|/|\.[A-Za-z]{2,4}$|_all\.csv$)")
_NOTION_PART = re.compile(r"(?:^|/)(?:ExportBlock|Export)-[0-9a-f-]{8,}[^/]*\.zip$", re.I)
_DAYONE_FOLDERS = frozenset(("photos", "videos", "audios", "pdfs"))
_CANVAS_CARDS = ("text", "file", "link", "group")
_ASSISTANTS = ("Gemini", "Bard", "Assistant")

ATTACHMENTS = frozenset(
    ".png .jpg .jpeg .gif .svg .webp .bmp .avif .heic .tif .tiff .mp3 .m4a .wav .ogg .mp4 .mov"
    " .webm .3gp .caf .css .js .plist .ttf .woff .woff2 .ico .db .sqlite .yml .yaml".split()
)
"""Ends of the names of files that stand in a folder of notes without being notes."""


def is_mail(data: bytes, name: str) -> bool:
    """Whether the bytes begin with the headers of a mail, or with a mailbox's first separator."""
    head = _APPLE_COUNT.sub(b"", data[:_HEAD_BYTES].lstrip(b"\r\n\xef\xbb\xbf"))
    found = _HEADER.match(head.replace(b"\r\n", b"\n"))
    if not found:
        return False
    keys = {key.lower() for key in _KEY.findall(found[1])}
    named = name.lower().endswith((".eml", ".mbox", ".mbx", ".emlx"))
    return bool(keys & _SENDERS) and (named or (b"date" in keys and bool(keys & _BY_PROGRAMS)))


def is_large_chat(data: bytes, name: str) -> bool:
    """Whether the bytes are a list of conversations, and more than is parsed as one."""
    head = data[:_HEAD_BYTES].lstrip() if len(data) > LARGEST_PARSED else b""
    return head.startswith(b"[") and any(key in head for key in _OF_CONVERSATIONS)


def is_feed(data: bytes, name: str) -> bool:
    """Whether the bytes are XML whose root is that of RSS or Atom."""
    return bool(_FEED.match(data[:_HEAD_BYTES]))


def is_svg(data: bytes) -> bool:
    """Whether the bytes are a drawing in SVG."""
    return bool(_SVG.match(data[:_HEAD_BYTES]))


def is_image(data: bytes, name: str) -> bool:
    """Whether the bytes are a picture."""
    return binary_type(data, name).startswith("image/") or is_svg(data)


def is_chat_zip(archive: Archive, name: str) -> bool:
    """Whether members are named as the chat exports of known programs name them."""
    tops = {member.rpartition("/")[2] for member in archive.names}
    slack = bool(tops & {"users.json", "channels.json"}) and any(
        map(SLACK_DAY.search, archive.names)
    )
    return slack or any(map(CHAT_FILE.search, archive.names))


def is_twitter_zip(archive: Archive, name: str) -> bool:
    """Whether the zip holds a file of tweets."""
    return any(map(TWEETS_FILE.search, archive.names))


def is_journal_zip(archive: Archive, name: str) -> bool:
    """Whether the zip has JSON files at its top, beside folders of media only (Day One)."""
    tops = [member for member in archive.names if "/" not in member]
    folders = {member.split("/")[0] for member in archive.names if "/" in member}
    named = all(member.lower().endswith(".json") for member in tops)
    return bool(tops) and named and folders <= _DAYONE_FOLDERS


def is_notion(archive: Archive, name: str) -> bool:
    """Whether members carry Notion's ids, or are the parts of its export."""
    return any(
        _NOTION_PART.search(member)
        or (member.endswith((".md", ".csv", ".html")) and NOTION_ID.search(member))
        for member in archive.names
    )


def is_folder(archive: Archive, name: str) -> bool:
    """Whether any member may be more than an attachment."""
    return any(PurePosixPath(member).suffix.lower() not in ATTACHMENTS for member in archive.names)


def is_canvas(data: Any, name: str) -> bool:
    """Whether parsed JSON is a canvas (jsoncanvas.org): nodes of its kinds, which have a place."""
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if not isinstance(nodes, list) or not isinstance(data.get("edges", []), list):
        return False
    cards = [node for node in nodes if isinstance(node, dict)]
    return bool(cards) and all(n.get("type") in _CANVAS_CARDS and "x" in n for n in cards)


def is_journal(data: Any, name: str) -> bool:
    """Whether parsed JSON is a journal of Day One: entries with a date of creation."""
    entries = data.get("entries") if isinstance(data, dict) else None
    return isinstance(entries, list) and any(
        isinstance(entry, dict) and "creationDate" in entry and ("uuid" in entry or "text" in entry)
        for entry in entries[:5]
    )


def is_json_feed(data: Any, name: str) -> bool:
    """Whether parsed JSON says that it is a JSON Feed (jsonfeed.org)."""
    return (
        isinstance(data, dict)
        and str(data.get("version", "")).startswith("https://jsonfeed.org/")
        and isinstance(data.get("items"), list)
    )


def is_activity(data: Any, name: str) -> bool:
    """Whether parsed JSON is a list of activities with Google's assistant (Takeout)."""
    first = data[0] if isinstance(data, list) and data else None
    return (
        isinstance(first, dict)
        and {"header", "title", "time"} <= first.keys()
        and ("safeHtmlItem" in first or any(word in str(first["header"]) for word in _ASSISTANTS))
    )


def is_twitter_script(text: str, name: str) -> bool:
    """Whether the text is one of the files of a Twitter archive: tweets, likes, settings …"""
    return TWITTER_SCRIPT.match(text[:200]) is not None


def is_imessage(text: str, name: str) -> bool:
    """Whether the text opens with a message's time and goes on with its sender and words."""
    lines = text[:1_000].lstrip("\n").split("\n", 3)
    return len(lines) >= 3 and bool(IMESSAGE_HEAD.match(lines[0])) and bool(lines[1].strip())
