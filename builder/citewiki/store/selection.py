"""Which pages an action is about: by name, or by domain, tag and words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from citewiki.errors import LifecycleError, UnknownPage
from citewiki.model import Page, Viewer
from citewiki.store.names import Names, Resolved
from citewiki.store.visibility import may_write
from citewiki.text.folding import name_key
from citewiki.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class Where:
    """What chosen pages have in common; what is empty asks for nothing."""

    domain: str = ""
    tag: str = ""
    query: str = ""  # words that all stand in title, aliases, tags, summary or body

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.domain or self.tag or self.query)

    def __str__(self) -> str:
        """For a person."""
        asked = (("domain", self.domain), ("tag", self.tag), ("words", self.query))
        return ", ".join(f"{name} “{value}”" for name, value in asked if value)


NOWHERE = Where()


def select(
    pages: Collection[Page],
    names: Sequence[str] = (),
    where: Where = NOWHERE,
    *,
    others: Collection[Page] = (),
    why_not: str = "",
    viewer: Viewer = None,
) -> list[Page]:
    """The pages that `names` call (slug, title, alias or path), or all that `where` describes.

    Each once, in the order of the names, or by path. `others` are pages that are there, but not
    for this: one that is named is refused with `why_not`. All of them are what `viewer` sees; a
    name means a page of their own first, and `where` describes only pages that they may change.
    Raises UnknownPage with the nearest names, and LifecycleError for a name that could mean several
    pages, for both kinds of choice at once, for none, and where no page is as described.
    """
    if names and where:
        raise LifecycleError(
            str(where), "pages are chosen by name, or by what they have in common, not by both"
        )
    if not names and not where:
        raise LifecycleError("no page", "name one, or choose by --domain, --tag or --query")
    if names:
        return _named(pages, names, others, why_not, viewer)
    own = (page for page in pages if may_write(page, viewer))
    found = sorted(matching(own, where), key=lambda page: page.path)
    if not found:
        raise LifecycleError(str(where), "fits no page that this can be done to")
    return found


def matching(pages: Iterable[Page], where: Where) -> list[Page]:
    """The pages of that domain and tag that hold all the words."""
    domain, tag, words = name_key(where.domain), name_key(where.tag), set(tokens(where.query))
    return [
        page
        for page in pages
        if (not domain or name_key(page.domain) == domain)
        and (not tag or tag in map(name_key, page.tags))
        and (not words or words <= set(tokens(_text(page))))
    ]


def _named(
    pages: Collection[Page],
    names: Sequence[str],
    others: Collection[Page],
    why_not: str,
    viewer: Viewer,
) -> list[Page]:
    known = Names(pages, viewer)
    by_path = {page.path: page for page in (*pages, *others)}
    found: dict[str, Page] = {}
    for name in names:
        meant = known.resolve(name) if name.strip() else Resolved(None)
        if meant.path is None:
            rest = Names(others, viewer).resolve(name) if name.strip() else meant
            if rest.path is None:
                raise UnknownPage(name, Names(by_path.values()).nearest(name))
            raise LifecycleError(by_path[rest.path].slug, why_not)
        if meant.ambiguous:
            paths = ", ".join(sorted((meant.path, *meant.others)))
            raise LifecycleError(f"“{name}”", f"could mean {paths}; write the path")
        found[meant.path] = by_path[meant.path]
    return list(found.values())


def _text(page: Page) -> str:
    return "\n".join((page.title, *page.aliases, *page.tags, page.summary, page.body))
