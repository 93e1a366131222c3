"""What one message of a JSON export says, as Markdown: parts, entities, attachments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from citewiki.sources.encoding import clean

_TEXT = ("content", "text", "message", "body", "value", "contents", "Contents")
_NOT_SAID = frozenset(
    (
        "thinking",
        "thoughts",
        "reasoning_recap",
        "tool_use",
        "tool_result",
        "user_editable_context",
        "model_editable_context",
        "execution_output",
        "tether_browsing_display",
        "image_asset_pointer",
    )
)
"""Types of content that an assistant's program adds; nobody said them."""

_FILES = (
    "attachments",
    "files",
    "photos",
    "videos",
    "audio_files",
    "gifs",
    "attached_files",
)
_FILE_NAME = ("file_name", "fileName", "filename", "name", "title", "uri", "id")
_TELEGRAM_FILE = ("file_name", "file", "photo")
_DEEPEST = 8  # levels at which content may be nested
_PRIVATE = re.compile("\ue200[^\ue201]{0,200}\ue201|[\ue200-\ue20f]|【[^】]{0,60}†[^】]{0,60}】")
"""Marks of ChatGPT for citations that its program shows as links."""

_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|([^<>]*))?>|<#[A-Z0-9]+\|([^<>]*)>|<!(\w+)[^<>]*>")
_SLACK_LINK = re.compile(r"<((?:https?|mailto):[^<>|\s]+)(?:\|([^<>]*))?>")


def said(item: Mapping[str, Any], people: Mapping[str, str]) -> str:
    """The words of a message; "" when it has none. `people` are names by the program's ids."""
    if isinstance(item.get("ts"), str):
        return _slack(_content(item.get("text")), people)
    if isinstance(entities := item.get("text"), list) and "type" in item:
        return _inline(entities)  # Telegram
    for key in _TEXT:
        if key == "value" and "from" not in item:
            continue
        if text := _content(item.get(key)):
            return text
    return ""


def attached(item: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The names of the files sent with a message, and the texts of those that the export holds."""
    found: list[str] = []
    texts: list[str] = []
    for key in _FILES:
        for file in item[key] if isinstance(item.get(key), list) else ():
            if not isinstance(file, dict):
                continue
            name = _bare(next((file[k] for k in _FILE_NAME if isinstance(file.get(k), str)), ""))
            found.append(name)
            if isinstance(inner := file.get("extracted_content"), str) and inner.strip():
                texts.append(f"From the attached {name or 'file'}:\n\n{clean(inner).strip()}")
    one = next((item[key] for key in _TELEGRAM_FILE if isinstance(item.get(key), str)), "")
    return ", ".join(dict.fromkeys(filter(None, (*found, _bare(one))))), texts


def _bare(name: str) -> str:
    """A file's name without the folders above it."""
    return " ".join(clean(name).split()).rpartition("/")[2]


def _content(content: Any, depth: int = 0) -> str:
    """Text, a list of texts and typed parts, or an object that holds either."""
    if isinstance(content, str):
        return _PRIVATE.sub("", clean(content)).strip()
    if depth > _DEEPEST:
        return ""
    if isinstance(content, list):
        return "\n\n".join(filter(None, (_content(part, depth + 1) for part in content)))
    if isinstance(content, dict):
        kind = content.get("content_type") or content.get("type")
        if isinstance(kind, str) and kind in _NOT_SAID:
            return ""
        keys = ("parts", "text", "content", "body")
        found = next(filter(None, (_content(content.get(key), depth + 1) for key in keys)), "")
        return f"```\n{found}\n```" if kind == "code" and found else found
    return ""


def _inline(entities: list[Any]) -> str:
    """Pieces of one line: plain texts, and texts with a look or a link."""
    pieces = []
    for piece in entities:
        if isinstance(piece, str):
            pieces.append(piece)
        elif isinstance(piece, dict) and isinstance(piece.get("text"), str):
            url = piece.get("href")
            linked = isinstance(url, str) and url.startswith("http")
            pieces.append(f"[{piece['text']}]({url})" if linked else piece["text"])
    return clean("".join(pieces)).strip()


def _slack(text: str, people: Mapping[str, str]) -> str:
    """Slack's markup: people, channels and links in angle brackets."""

    def mention(found: re.Match[str]) -> str:
        if found[1]:
            return "@" + (people.get(found[1]) or found[2] or found[1])
        return f"#{found[3]}" if found[3] else f"@{found[4]}"

    text = _MENTION.sub(mention, text)
    text = _SLACK_LINK.sub(lambda f: f"[{f[2]}]({f[1]})" if f[2] else f[1], text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
