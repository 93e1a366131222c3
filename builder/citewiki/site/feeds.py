"""What is new and changed, for feed readers: RSS 2.0 and JSON Feed 1.1 (jsonfeed.org)."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as etree
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from urllib.parse import quote

from citewiki.markdown.plain import plain
from citewiki.model import Page, iso
from citewiki.site.model import SiteModel

RSS, JSON = "feed.xml", "feed.json"
LENGTH = 50  # entries: some weeks of a busy wiki
_TEXT = 600  # characters of a page that has no summary
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Item:
    """A page as it stands in a feed."""

    title: str
    url: str  # absolute when the site's address is known
    text: str  # plain
    came: datetime | None
    changed: datetime
    tags: tuple[str, ...]


def items(model: SiteModel, base: str, limit: int = LENGTH) -> list[Item]:
    """The pages last written or verified that hold, the newest first; `base` ends in "/"."""
    current = {page.path for page in model.current()}
    newest = [found for found in model.newest(len(model.pages)) if found[0].path in current]
    return [_item(model, page, changed, base) for page, changed in newest[:limit]]


def rss(found: Sequence[Item], title: str, about: str, base: str) -> str:
    """feed.xml."""
    etree.register_namespace("atom", _ATOM)
    root = etree.Element("rss", {"version": "2.0"})
    channel = etree.SubElement(root, "channel")
    for name, text in (("title", title), ("link", base), ("description", about or title)):
        etree.SubElement(channel, name).text = _clean(text)
    if "://" in base:
        itself = {"href": f"{base}{RSS}", "rel": "self", "type": "application/rss+xml"}
        etree.SubElement(channel, f"{{{_ATOM}}}link", itself)
    if found:
        etree.SubElement(channel, "lastBuildDate").text = format_datetime(found[0].changed)
    for item in found:
        entry = etree.SubElement(channel, "item")
        etree.SubElement(entry, "title").text = _clean(item.title)
        etree.SubElement(entry, "link").text = item.url
        identity = etree.SubElement(entry, "guid", {"isPermaLink": "false"})
        identity.text = f"{item.url}#{iso(item.changed)}"
        etree.SubElement(entry, "pubDate").text = format_datetime(item.changed)
        etree.SubElement(entry, "description").text = _clean(item.text)
        for tag in item.tags:
            etree.SubElement(entry, "category").text = _clean(tag)
    etree.indent(root, " ")
    return etree.tostring(root, "unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="utf-8"?>\n', "\n")
    )


def json_feed(found: Sequence[Item], title: str, about: str, base: str) -> str:
    """feed.json."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        **({"description": about} if about else {}),
        **({"home_page_url": base, "feed_url": f"{base}{JSON}"} if "://" in base else {}),
        "items": [
            {
                "id": item.url,
                "url": item.url,
                "title": item.title,
                "content_text": item.text,
                **({"date_published": iso(item.came)} if item.came else {}),
                "date_modified": iso(item.changed),
                **({"tags": list(item.tags)} if item.tags else {}),
            }
            for item in found
        ],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1) + "\n"


def _item(model: SiteModel, page: Page, changed: datetime, base: str) -> Item:
    text = page.summary or _first_words(page.body) or page.title
    url = f"{base}{quote(model.urls[page.path])}"
    return Item(page.title, url, text, page.ingested_at, changed, page.tags)


def _first_words(body: str) -> str:
    text = " ".join(plain(body[: 4 * _TEXT]).split())
    return text if len(text) <= _TEXT else f"{text[:_TEXT].rsplit(' ', 1)[0]} …"


def _clean(text: str) -> str:
    """`text` without the control characters that no XML may hold."""
    return _NOT_XML.sub("", text)
