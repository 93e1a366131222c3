"""Pages and dates as templates print them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from citewiki.model import Page
from citewiki.site.model import SiteModel
from citewiki.site.urls import href, relative

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(frozen=True)  # no slots: it is pickled for every page
class Anchor:
    """Something to click on."""

    text: str
    href: str
    note: str = ""
    count: int = 0
    colour: int = -1  # of a domain, 0..11; -1 none


def anchor(model: SiteModel, page: Page, at: str, count: int = 0) -> Anchor:
    """A link to `page` on the page at the address `at`."""
    return Anchor(page.title, to(model.urls[page.path], at), page.summary, count)


def to(url: str, at: str, part: str = "") -> str:
    """The way from the page at `at` to `url`, or to the element of it with the id `part`."""
    return relative(href(url, part), at)


def day(moment: datetime | None) -> str:
    """A date for a reader: 12 May 2026; "" for none."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}" if moment else ""


def month(moment: datetime) -> str:
    """A month for a reader: May 2026."""
    return f"{_MONTHS[moment.month - 1]} {moment.year}"
