"""The site's files for feed readers, and for addresses at which nothing stands (any more)."""

from __future__ import annotations

from collections.abc import Callable

from citewiki.site import feeds
from citewiki.site.head import Site
from citewiki.site.model import SiteModel
from citewiki.site.redirects import INDEX, names_index, redirect_page, redirects


def write_all(
    model: SiteModel, site: Site, summary: str, write: Callable[[str, str], None]
) -> None:
    """Hand every file to `write(address from the site's root, text)`.

    A snapshot has no feeds: what it shows is not new.
    """
    base = site.base or "/"
    if not model.is_snapshot:
        found = feeds.items(model, base)
        write(feeds.RSS, feeds.rss(found, site.name, summary, base))
        write(feeds.JSON, feeds.json_feed(found, site.name, summary, base))
    former = redirects(model)
    for url, path in former.items():
        write(f"{url}index.html", redirect_page(model, url, path, site.base, site.language))
    write(INDEX, names_index(model, former))
