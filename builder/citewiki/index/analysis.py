"""What of a page is indexed: terms by field, names, links, and when it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from citewiki.index.epoch import OPEN_END, OPEN_START, seconds
from citewiki.index.graph import links
from citewiki.index.mentions import mentions, name_term, split_title
from citewiki.markdown.plain import plain_and_headings
from citewiki.markdown.structure import passages
from citewiki.model import Page
from citewiki.store.paths import is_put_away
from citewiki.store.prefixes import passage_key
from citewiki.text.language import language
from citewiki.text.tokens import is_stop, tokens, written_terms

_SAMPLE = 2000  # characters by which a page's language is told


@dataclass(frozen=True, slots=True)
class Analysed:
    """A page as the index sees it. Texts are terms of `text.tokens`, parted by spaces."""

    fields: dict[str, str]  # field → its terms in reading order; empty fields are left out
    terms: str  # all its terms, each once, with a space on both sides
    title: str  # the terms of its title without stop words and qualifier, written likewise
    title_length: int  # terms in that, other spellings of a word not counted; at least 1
    called: tuple[str, ...]  # its title and aliases of several words, as `called_key` gives them
    length: int  # terms in its body
    language: str  # ISO 639-1; "" unknown
    names: tuple[str, ...]  # that it goes by or mentions, as `mentions` gives them
    prefixes: dict[str, str]  # anchor of a passage → what a model wrote about it
    links: tuple[tuple[str, str, str], ...]
    """Name of the target, the same with its "#…", terms of the sentence (as in `terms`)."""
    domain: str
    starts: int  # it holds from this second of the epoch on …
    ends: int  # … until before this one
    known: int  # the wiki has held it since this second …
    away: int  # … and put it away at this one
    settled: int  # when the wiki recorded what superseded it, and with it that it ends


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a page; what they mean says `Analysed`."""

    text: str  # of the page, as a reader sees it
    fields: dict[str, list[str]]
    title: str
    title_length: int
    called: tuple[str, ...]
    language: str


def terms_of(page: Page, told: Iterable[str] = ()) -> Terms:
    """Cut a page into terms; `told` is what a model wrote about its passages."""
    text, headings = plain_and_headings(page.body)
    title, qualifier = split_title(page.title)
    places = [source.locator for source in page.sources]
    parts = {
        "title": title,
        "aliases": "\n".join(page.aliases),
        "tags": "\n".join((*page.tags, qualifier)),
        "summary": page.summary,
        "headings": "\n".join((*headings, *places)),
        "prefixes": "\n".join(told),
        "body": text,
    }
    terms = {field: tokens(part) for field, part in parts.items()}
    written = dict.fromkeys(written_terms(title))
    return Terms(
        text,
        terms,
        title=_each_once(term for term in terms["title"] if not is_stop(term))
        or _each_once(terms["title"]),
        title_length=sum(not is_stop(term) for term in written) or max(len(written), 1),
        called=tuple(
            dict.fromkeys(filter(None, map(called_key, (page.title, title, *page.aliases))))
        ),
        language=language(text[:_SAMPLE] or page.title),
    )


def analyse(page: Page, prefixes: Mapping[str, str] | None = None) -> Analysed:
    """Cut a page into what is indexed of it; `prefixes` are those of its passages, by their key."""
    told = _told(page, prefixes) if prefixes else {}
    found = terms_of(page, told.values())
    own_end = page.valid_until == page.valid_until_before  # it came with no successor
    names = map(name_term, (page.title, split_title(page.title)[0], *page.aliases))
    return Analysed(
        fields={field: " ".join(terms) for field, terms in found.fields.items() if terms},
        terms=_each_once(chain.from_iterable(found.fields.values())),
        title=found.title,
        title_length=found.title_length,
        called=found.called,
        length=len(found.fields["body"]),
        language=found.language,
        names=tuple(filter(None, dict.fromkeys(chain(names, mentions(found.text))))),
        prefixes=told,
        links=tuple(
            (link.name, link.written, _each_once(tokens(link.sentence)))
            for link in links(page)
            if link.name
        ),
        domain=page.domain,
        starts=seconds(page.valid_from, OPEN_START),
        ends=seconds(page.valid_until, OPEN_END),
        known=seconds(page.ingested_at, OPEN_START),
        settled=OPEN_START if own_end else seconds(page.superseded_at, OPEN_START),
        away=seconds(page.archived_at, OPEN_START if is_put_away(page.path) else OPEN_END),
    )


def _told(page: Page, prefixes: Mapping[str, str]) -> dict[str, str]:
    """The prefix of every passage that has one, by the passage's anchor."""
    keys = {each.anchor: passage_key(page.title, each.text) for each in passages(page.body)}
    return {anchor: prefixes[key] for anchor, key in keys.items() if key in prefixes}


def called_key(name: str) -> str:
    """A name of several words as pages are found by it in a question; "" for a single word."""
    from citewiki.text.tokens import own_terms

    words = own_terms(name)
    return "_".join(words) if len(words) > 1 else ""


def _each_once(terms: Iterable[str]) -> str:
    joined = " ".join(dict.fromkeys(terms))
    return f" {joined} " if joined else ""
