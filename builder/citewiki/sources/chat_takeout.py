"""Gemini's activity as Google Takeout writes it: a list of prompts with the replies as HTML."""

from __future__ import annotations

import re
from typing import Any

from citewiki.model import Source
from citewiki.sources.about import moment
from citewiki.sources.encoding import clean
from citewiki.sources.entries import Entry, archive_source, first_words, joined, minute
from citewiki.sources.html_fragment import fragment_markdown

_ASKED = re.compile(
    r"^(?:Prompted|Asked|Said|Eingegeben|Hat gesagt|A demandé|Ha pedido|已提问|プロンプト)[:：]?\s+"
)


def read(data: Any, name: str) -> Source:
    """A section for each prompt, the earliest first."""
    entries = [_entry(item) for item in data if isinstance(item, dict)]
    entries.sort(key=lambda entry: entry.locator)
    return archive_source(
        entries, name, reader="chat", media_type="application/json", authority="chat"
    )


def _entry(item: dict[str, Any]) -> Entry:
    asked = _ASKED.sub("", clean(str(item.get("title") or "")).strip())
    answers = item.get("safeHtmlItem")
    pieces = [
        fragment_markdown(answer["html"])
        for answer in (answers if isinstance(answers, list) else ())
        if isinstance(answer, dict) and isinstance(answer.get("html"), str)
    ]
    at = moment(item.get("time"))
    reply = "\n\n".join(filter(None, pieces))
    said = [f"**user:** {asked}" if asked else "", f"**assistant:** {reply}" if reply else ""]
    return Entry(
        title=first_words(asked),
        text="\n\n".join(filter(None, said)),
        locator=joined(minute(at), "Gemini"),
        date=at,
    )
