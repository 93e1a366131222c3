"""Pieces of HTML inside other files (mails, feed entries, notes, replies) as clean Markdown."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from citewiki.sources.clean import clean_markdown
from citewiki.sources.encoding import clean
from citewiki.sources.html_body import body_markdown

_TAGS = re.compile(r"<[a-zA-Z!/?]")
_EMPTY = re.compile("[\u200b\u2060\u034f\u00ad]+")  # what newsletters fill previews with
_QUOTED = (
    "//blockquote[@type='cite']",
    "//*[contains(concat(' ', @class, ' '), ' gmail_quote ')]",
    "//*[contains(concat(' ', @class, ' '), ' gmail_signature ')]",
    "//*[contains(concat(' ', @class, ' '), ' moz-cite-prefix ')]",
    "//*[contains(concat(' ', @class, ' '), ' moz-signature ')]",
    "//*[contains(concat(' ', @class, ' '), ' yahoo_quoted ')]",
    "//*[@id='divRplyFwdMsg' or @id='appendonsend']/following-sibling::*",
    "//*[@id='divRplyFwdMsg' or @id='appendonsend' or @id='Signature']",
)
"""Where mail programs put the message that is answered, and signatures."""


def fragment_markdown(html: str, *, without_quotes: bool = False) -> str:
    """The visible text of a piece of HTML, all of it; text without tags is only unescaped.

    `without_quotes` leaves out the mail that is answered, and signatures.
    """
    if not _TAGS.search(html):
        return clean_markdown(clean(unescape(html)))
    linked = _with_links(html, _QUOTED if without_quotes else ())
    # Markup too deep for the parser still has its tags taken out with those of Markdown.
    return clean_markdown(clean(_EMPTY.sub("", body_markdown(linked) or html)))


def _with_links(html: str, dropped: tuple[str, ...]) -> str:
    """The HTML with its links to the network as Markdown writes them, less what is dropped."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, ValueError):
        return html
    if root is None:
        return html
    for path in dropped:
        for element in root.xpath(path):
            _drop(element)
    for link in root.iter("a"):
        url = (link.get("href") or "").strip()
        words = "".join(link.itertext()).strip()
        if url.startswith(("http://", "https://")) and words and not re.search(r"[\s()<>]", url):
            same = words.rstrip("/") == url.rstrip("/") or len(link)
            if not same:
                link.text = f"[{' '.join(words.split())}"
                link.tail = f"]({url}){link.tail or ''}"
    return str(etree.tostring(root, encoding="unicode", method="html"))


def _drop(element: Any) -> None:
    """Take an element out of its tree; the words after it stay where they are."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)
