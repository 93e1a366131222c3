"""What a page's sources look like to a reader: a title, a place, and where the original is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from citewiki.model import Page, SourceRef
from citewiki.site.urls import ROOT

_PAGE_NUMBER = re.compile(r"\bpp?\.\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Original:
    """One source as raw/manifest.jsonl knows it."""

    path: str  # "raw/…"
    title: str
    url: str = ""  # where it came from, when that is an address


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source as it stands under a page."""

    title: str
    locator: str  # "pp. 3-7 › 2.1 Hybrid"; "" the whole
    href: str = ""  # of the original, with urls.ROOT when it is on the site; "" not published


def read_manifest(path: Path) -> dict[str, Original]:
    """Originals by id and by path; lines that cannot be read are left to `citewiki lint`."""
    found: dict[str, Original] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return found
    for line in lines:
        try:
            record = json.loads(line)
            where, title = str(record["path"]), str(record.get("title") or "")
            origin = str(record.get("origin") or "")
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        original = Original(where, title, origin if is_address(origin) else "")
        found[where] = original
        found.setdefault(str(record.get("id") or where), original)
    return found


def evidence(
    page: Page, originals: Mapping[str, Original], *, publish_raw: bool
) -> tuple[Evidence, ...]:
    """The sources of `page`, each once, in the page's order."""
    return tuple(
        dict.fromkeys(describe(ref, originals, publish_raw=publish_raw) for ref in page.sources)
    )


def describe(ref: SourceRef, originals: Mapping[str, Original], *, publish_raw: bool) -> Evidence:
    """A reference as title, place and, when it may be opened, the address of the original."""
    resource = ref.resource or ref.id
    original = originals.get(ref.resource) or originals.get(ref.id)
    address = original.url if original else resource if is_address(resource) else ""
    if publish_raw and original:
        number = _PAGE_NUMBER.search(ref.locator)
        place = f"#page={number[1]}" if number and original.path.endswith(".pdf") else ""
        address = f"{ROOT}{quote(original.path)}{place}"
    if original and original.title:
        title = original.title
    elif is_address(resource):
        title = resource.partition("://")[2].rstrip("/")
    else:
        title = resource.rpartition("/")[2] or resource
    return Evidence(title, ref.locator, address)


def is_address(text: str) -> bool:
    """Whether `text` is a web address."""
    return text.startswith(("https://", "http://"))
