"""Concepts that many pages mention and no page explains."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log

from citewiki.distill.maintain.measures import shown
from citewiki.markdown.structure import headings, sentences
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.store.names import Names
from citewiki.text.folding import fold, name_key, nfc, strip_marks
from citewiki.text.language import language
from citewiki.text.numbers import values
from citewiki.text.phrases import common_word, generic_heading, key_phrases
from citewiki.text.tokens import is_stop, is_unspaced, stem

LEAST_PAGES = 3
"""Pages that have to mention a concept: two share a phrase by chance (a decision)."""

SMALL = 20
"""Pages that may mention a concept in any case: of a small wiki, most may be about one matter."""

LEAST_PROPOSERS = 2
"""Pages among whose key phrases it has to be: one page's phrase is that page's own matter."""

MOST_SHARE = 0.2
"""Share of all pages from which a phrase is what the wiki as a whole speaks of, and a page on it
would say what all of them do."""

NOMINAL = 0.25
"""Share of the mentions of a plain phrase before which an article or a preposition has to stand,
in languages that have them: "a vector index", but not "colleagues published"."""

EVERYDAY = 0.5
"""How often a single word may be written without a capital, beside with one, to count as a name."""

LEAST_HAN = 3
"""Characters of a Chinese phrase: those of two are mostly everyday words, and no list of terms
tells them apart; a linked one counts whatever its length."""

TOGETHER = 200  # pages whose phrases are looked for together: one mentions a concept only once
ENOUGH = 40  # mentions that are looked at to tell whether a phrase stands where nouns do
PHRASES = 3  # phrases a page, of all of them together
LONGEST = 6  # words of a name

_WORD = re.compile(r"[^\W_]+(?:[-'’&/][^\W_]+)*(?:\+\+|#)?")
_PART = re.compile(r"[^\W_]+")
_LINKED = (
    3.0  # what a page's link to a page that is missing counts, beside a mention: it was asked for
)
_NAMED = 1.5  # what a name counts, beside a phrase: it means one thing


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that mentions a concept."""

    slug: str  # of its page
    title: str
    sentence: str  # plain text


@dataclass(frozen=True, slots=True)
class Concept:
    """What no page explains."""

    name: str  # as it is written most often
    score: float  # unbounded; higher: a page of it would help more
    pages: tuple[str, ...]  # slugs of the pages that mention it
    linked: tuple[str, ...]  # slugs of those that link a page of its name, which is missing
    mentions: tuple[Mention, ...]


def concepts(pages: Iterable[Page]) -> list[Concept]:
    """The concepts of `pages` (with bodies) that no page explains, the most wanted first.

    They are taken from links to missing pages, key phrases and capitalised names. One is explained
    when a page or a heading goes by its name, whatever its case, accents, hyphens and plural. A
    mention inside a longer name ("fusion" in "rank fusion") is not counted.
    """
    pages = sorted((page for page in pages if not page.superseded_by), key=lambda page: page.path)
    explained = _explained(pages)
    linked = _missing(pages)
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    proposers: dict[str, set[str]] = defaultdict(set)
    wanted: set[str] = set()
    for name in _phrases(pages):
        spellings[key_of(name)][name] += 1
        wanted.add(key_of(name))
    plain = set(wanted)  # phrases for which nothing speaks yet but that they recur
    for page in pages:
        for name in dict.fromkeys(_names(page)):
            key = key_of(name)
            spellings[key][name] += 1
            proposers[key].add(page.slug)
    for name, slugs in linked.items():
        spellings[key_of(name)][name] += 2 * len(slugs)  # a person wrote it as a name
    proposed = {key for key, slugs in proposers.items() if len(slugs) >= LEAST_PROPOSERS}
    plain -= proposed | set(map(key_of, linked))
    wanted |= proposed
    wanted = {key for key in wanted if _may_be(spellings[key].most_common(1)[0][0])}
    wanted |= {key_of(name) for name in linked}
    wanted = {key for key in wanted if key not in explained and key}
    found = _within_shorter(_mentions(pages, wanted, explained))
    by_key: dict[str, set[str]] = defaultdict(set)
    for name, slugs in linked.items():
        by_key[key_of(name)] |= slugs
    ranked = [
        _concept(spellings[key], found.get(key, []), by_key[key], len(pages))
        for key in sorted(wanted)
        if not (key in plain and not _nominal(key, found.get(key, [])))
        and _many(found.get(key, []), by_key[key], len(pages))
    ]
    return sorted(ranked, key=lambda concept: (-concept.score, concept.name))


def _explained(pages: Iterable[Page]) -> set[str]:
    """Keys of all names that pages and their headings go by."""
    found: set[str] = set()
    for page in pages:
        found.update(map(key_of, (page.title, *page.aliases)))
        found.update(key_of(heading.text) for heading in headings(page.body))
        if ": " in page.title:  # "Book: Chapter"
            found.add(key_of(page.title.partition(": ")[2]))
    return found


def _missing(pages: list[Page]) -> dict[str, set[str]]:
    """Names that are linked and that no page goes by → slugs of the pages that link them."""
    names = Names(pages)
    found: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for link in wikilinks(page.body):
            file = link.embed and "." in link.target[-6:]
            if not link.target or file or "/" in link.target:
                continue
            if not names.resolve(link.target, page.path, page.owner).path:
                found[link.target].add(page.slug)
    return found


def _dated(name: str) -> bool:
    """Whether a name is a month or begins with an amount: "March", "two pages"."""
    month = any(value.unit == "month" for value in values(f"{name} 5"))
    return month or any(not v.start and name[v.end : v.end + 1] == " " for v in values(name))


def _phrases(pages: Iterable[Page]) -> Iterator[str]:
    """The key phrases of pages of one language, taken together in groups."""
    texts: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        text = shown(page)
        texts[language(text)].append(text)
    for spoken, own in texts.items():
        for start in range(0, len(own), TOGETHER):
            group = own[start : start + TOGETHER]
            limit = PHRASES * max(len(group), 10)
            yield from key_phrases("\n\n".join(group), "", limit, spoken=spoken)


def _names(page: Page) -> Iterator[str]:
    """What a page names: its tags, and what it writes with capitals."""
    yield from page.tags
    for sentence in sentences(page.body):
        yield from _capitalised(sentence.text)


def _capitalised(sentence: str) -> Iterator[str]:
    """Runs of words with capitals, and acronyms; a sentence's first word tells nothing alone."""
    run: list[str] = []
    end = 0
    for match in (*_WORD.finditer(sentence), None):
        word = match[0] if match else ""
        joined = match is not None and sentence[end : match.start()] == " "
        if run and not (joined and word[:1].isupper()):
            if len(run) > 1 or run[0].isupper():  # German writes every noun with one
                yield " ".join(run)
            run = []
        if match and word[0].isupper() and match.start() > 0:
            run.append(word)
        end = match.end() if match else end


def _may_be(name: str) -> bool:
    """Whether a phrase may name a concept: a name, a phrase of two words, or one of Han."""
    if common_word(name) or generic_heading(name) or len(name) < 2 or _dated(name):
        return False
    words = name.split()
    if is_unspaced(name[0]):
        return LEAST_HAN <= len(name) <= 8
    if len(words) == 1:
        return any(map(str.isupper, name)) and len(name) > 1
    return not any(is_stop(word) for word in (fold(words[0]), fold(words[-1])))


_BEFORE_NOUN = re.compile(
    r"\b(?:an?|the|this|each|every|any|no|of|in|for|by|with|from|as|der|die|das|de[mns]|ein\w*|kein\w*"
    r"|le|la|les|l|un|une|du|des|de|el|los|las|una|del|il|lo|i|gli|o|os|um|uma|do|da)\W*$"
)
_HAS_ARTICLES = frozenset(("en", "de", "fr", "es", "it", "pt"))


def _nominal(key: str, mentions: list[Mention]) -> bool:
    """Whether a phrase stands where nouns stand; for languages where that can be seen."""
    told = [mention.sentence for mention in mentions[:ENOUGH]]
    if not told or language(" ".join(told[:5])) not in _HAS_ARTICLES:
        return True
    size = len(key.split())
    seen = 0
    for sentence in map(fold, told):
        words = list(_PART.finditer(sentence))
        stems = [stem(strip_marks(word[0])) for word in words]
        ends = range(size, len(stems) + 1)
        at = next((end - size for end in ends if " ".join(stems[end - size : end]) == key), None)
        if at is not None:
            seen += bool(_BEFORE_NOUN.search(sentence, 0, words[at].start()))
    return seen >= NOMINAL * len(told)


def _many(mentions: list[Mention], linked: set[str], count: int) -> bool:
    pages = {mention.slug for mention in mentions} | linked
    return len(pages) >= (1 if len(linked) > 1 else LEAST_PAGES) and (
        bool(linked) or len(pages) <= max(SMALL, MOST_SHARE * count)
    )


def _within_shorter(found: dict[str, list[Mention]]) -> dict[str, list[Mention]]:
    """Mentions of a longer name counted as mentions of the shorter one in it ("language model" of
    "large language model"), where that is mentioned enough by itself."""
    enough = {key for key, own in found.items() if len({m.slug for m in own}) >= LEAST_PAGES}
    merged: dict[str, list[Mention]] = {}
    for key in sorted(found, key=lambda key: (len(key), key)):
        inside = next((part for part in _parts(key) if part in enough and part in merged), None)
        merged.setdefault(inside or key, []).extend(found[key])
    return {key: list(dict.fromkeys(own)) for key, own in merged.items()}


def _parts(name: str) -> Iterator[str]:
    """The shorter names inside a name, the shortest first."""
    units, joiner = (list(name), "") if is_unspaced(name[:1]) else (name.split(), " ")
    for size in range(1, len(units)):
        for start in range(len(units) - size + 1):
            yield joiner.join(units[start : start + size])


def _concept(
    spellings: Counter[str], mentions: list[Mention], linked: set[str], count: int
) -> Concept:
    name = min(spellings, key=lambda each: (-spellings[each], each))
    pages = dict.fromkeys((*(mention.slug for mention in mentions), *sorted(linked)))
    score = (len(pages) + (_LINKED - 1) * len(linked)) * log(1 + count / len(pages))
    if any(map(str.isupper, name)):
        score *= _NAMED
    return Concept(name, round(score, 2), tuple(pages), tuple(sorted(linked)), tuple(mentions))


# -- where they are mentioned -------------------------------------------------------------------


def _mentions(pages: Iterable[Page], wanted: set[str], known: set[str]) -> dict[str, list[Mention]]:
    """The sentences that mention what is `wanted`, by key; the longest name at a place counts."""
    spaced = {key for key in wanted | known if not is_unspaced(key[:1])}
    starts: dict[str, int] = {}  # first word → words of the longest name that begins so
    for key in spaced:
        words = key.split()
        if len(words) <= LONGEST and words:
            starts[words[0]] = max(starts.get(words[0], 0), len(words))
    solid = sorted((key for key in (wanted | known) - spaced), key=lambda key: (-len(key), key))
    pattern = re.compile("|".join(map(re.escape, solid))) if solid else None
    found: dict[str, list[Mention]] = defaultdict(list)
    everyday: Counter[str] = Counter()
    for page in pages:
        for sentence in sentences(page.body):
            for key, named in dict.fromkeys(_keys(sentence.text, spaced, starts, pattern)):
                if key in wanted and named:
                    found[key].append(Mention(page.slug, page.title, sentence.text))
                everyday[key] += not named
    for key in [key for key in found if everyday[key] >= EVERYDAY * len(found[key])]:
        del found[key]
    return found


def _keys(
    text: str, spaced: set[str], starts: dict[str, int], pattern: re.Pattern[str] | None
) -> Iterator[tuple[str, bool]]:
    """The names that a sentence mentions, each with whether it is written as one there.

    One word is written as a name when it has a capital that is not its sentence's.
    """
    found = list(_PART.finditer(nfc(text)))
    words = [stem(strip_marks(fold(match[0]))) for match in found]
    place = 0
    while place < len(words):
        for size in range(min(starts.get(words[place], 0), len(words) - place), 0, -1):
            key = " ".join(words[place : place + size])
            if key in spaced:
                written = found[place][0] if found[place].start() else found[place][0][1:]
                yield key, size > 1 or any(map(str.isupper, written))
                place += size - 1
                break
        place += 1
    if pattern:
        yield from ((key, True) for key in pattern.findall(strip_marks(fold(text))))


def key_of(name: str) -> str:
    """By what names of one concept are compared: words without case, accents, signs and plural."""
    words = [stem(strip_marks(fold(word))) for word in _PART.findall(nfc(name))]
    signs = "".join(re.findall(r"[+#]+", name))  # C, C++ and C# are three things
    return " ".join(words) + signs or name_key(name)


def name_in(text: str, name: str) -> bool:
    """Whether a text mentions a name, whatever its case, accents, hyphens and plural."""
    key = key_of(name)
    if is_unspaced(key[:1]):
        return key in strip_marks(fold(text))
    return f" {key} " in f" {key_of(text)} "
