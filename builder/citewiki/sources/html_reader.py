"""Web pages saved as HTML: the main text without navigation, footer and banners, as Markdown."""

from __future__ import annotations

import re

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.about import About, about
from citewiki.sources.clean import clean_markdown
from citewiki.sources.encoding import clean
from citewiki.sources.html_body import body_markdown
from citewiki.sources.markdown_reader import source
from citewiki.sources.words import count_words
from citewiki.sources.xml_tree import MOST_TAGS

LARGEST_FOR_EXTRACTION = 2_000_000
"""Characters up to which the main text is looked for; the search takes 5 s there and grows faster
than the page (3 million: 13 s). Larger pages give their whole body, which takes linear time."""

FEW_WORDS = 30
"""Main text shorter than this is taken for a failure: the page's whole body is read."""

_XML_DECLARATION = re.compile(r"^\s*<\?xml\b[^>]*\?>", re.I)
_LANGUAGE = re.compile(r"<html\b[^>]{0,1000}?\blang\s*=\s*[\"']?([A-Za-z]{2})\b", re.I)
_SAVED_FROM = re.compile(r"<!--\s*saved from url=(?:\(\d+\))?(https?://[^\s>]+)", re.I)
_TITLE = re.compile(r"<title\b[^>]{0,500}>([^<]{1,500})</title", re.I)
_FENCE_BEFORE_TABLE = re.compile(r"^(```)\n(?=\|)", re.M)


def read(text: str, name: str) -> Source:
    """The sections of a page; `name` is the file's. Raises SourceError when it is too large."""
    if text.count("<") > MOST_TAGS:
        raise SourceError(name, f"the page has more than {MOST_TAGS:,} tags", hint="split it")
    html = _XML_DECLARATION.sub("", text)
    body = _main_text(html) if len(html) <= LARGEST_FOR_EXTRACTION else ""
    if count_words(body) < FEW_WORDS:
        whole = body_markdown(html)
        # Markup too deep for the parser still has its tags taken out with those of Markdown.
        body = max((whole, body), key=count_words) or html
    return source(
        _about(html),
        clean_markdown(clean(_FENCE_BEFORE_TABLE.sub("\\1\n\n", body))),
        name,
        reader="html",
        media_type="text/html",
        authority="article",
    )


def _main_text(html: str) -> str:
    """What trafilatura takes for the main text, as Markdown; "" when it finds none."""
    import trafilatura

    found = trafilatura.extract(
        html,
        output_format="markdown",
        include_links=True,
        include_tables=True,
        include_formatting=True,
        include_images=False,
        include_comments=False,
    )
    return found or ""


def _about(html: str) -> About:
    """Title, author, date … from the page's metadata."""
    from trafilatura.metadata import extract_metadata

    head = html if len(html) <= LARGEST_FOR_EXTRACTION else html[: LARGEST_FOR_EXTRACTION // 10]
    found = extract_metadata(head)
    values = found.as_dict() if found else {}
    language = _LANGUAGE.search(html[:10_000])
    saved = _SAVED_FROM.search(html[:2_000])
    title = _TITLE.search(html[:100_000])
    return about(
        {
            "title": values.get("title") or (title[1] if title else ""),
            "description": values.get("description"),
            "author": values.get("author"),
            "date": values.get("date"),
            "url": values.get("url") or (saved[1] if saved else ""),
            "lang": language[1] if language else "",
            "tags": [
                tag for group in values.get("tags") or () for tag in re.split(r"\s*[,;]\s*", group)
            ],
        }
    )
