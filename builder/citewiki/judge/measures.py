"""What can be measured of a claim held against a passage; all shares are 0..1.

The measures are of two kinds: how much of the claim the passage says at all (coverage), and whether
the sentences that say most of it turn it the same way (up, down, not).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from citewiki.judge.reading import Passage, Sentence, Word
from citewiki.text.folding import fold

_COMPARED = 5  # sentences that cover most of the claim and are looked at for what they turn
_DENIED = 4  # words after a "not" that it may deny
_MARGIN = 2  # words around what a sentence shares with the claim that belong to it


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a claim one passage says."""

    passage: float = 0.0  # share of the claim's words, by weight, anywhere in it
    window: float = 0.0  # … in some three sentences on end
    sentence: float = 0.0  # … in one sentence
    letters: float = 0.0  # share of the claim's letter groups
    longest_gap: float = 0.0  # weight of the longest run of words of the claim that it lacks
    unsaid: tuple[Word, ...] = ()  # words of the claim that it lacks


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence beside a claim: where it says words of the claim."""

    sentence: Sentence
    share: float  # of the claim's words that turn nothing, by weight
    places: dict[int, tuple[int, ...]]  # index of a claim's word → indices in the sentence

    @property
    def stretch(self) -> tuple[int, int]:
        """The shortest stretch of the sentence with every shared word, and a little around it."""
        first, last = _shortest(list(self.places.values()))
        return max(0, first - _MARGIN), last + 1 + _MARGIN


@dataclass(frozen=True, slots=True)
class Contrast:
    """Whether sentences turn what they share with a claim as the claim does."""

    same: float = 0.0  # -1..1: both turn it; 1 the same way, -1 the other way
    only_claim: float = 0.0  # -1..1: only the claim turns it; -1 when that makes a difference
    only_passage: float = 0.0  # … only the sentence does
    negation: float = 0.0  # share of sentences with an odd "not" more or less
    denied_alike: float = 0.0  # share of the claim's "not"s that the passage says of the same
    object: float = 0.0  # -1..1: what is done to the same things: 1 the same, -1 the opposite
    words: tuple[str, ...] = field(default=())  # what turns it the other way


def coverage(claim: Sentence, passage: Passage) -> Coverage:
    """How much of `claim` the passage says."""
    wanted = _wanted(claim)
    total = sum(word.weight for word in wanted)
    if not total or not passage.sentences:
        return Coverage(unsaid=tuple(wanted))
    keys = [sentence.keys for sentence in passage.sentences]
    windows = [frozenset().union(*keys[max(0, at - 1) : at + 2]) for at in range(len(keys))]

    def share(said: frozenset[str]) -> float:
        return sum(word.weight for word in wanted if word.keys & said) / total

    gap = longest = 0.0
    for word in wanted:
        gap = 0.0 if word.keys & passage.keys else gap + word.weight
        longest = max(longest, gap)
    return Coverage(
        share(passage.keys),
        max(map(share, windows)),
        max(map(share, keys)),
        _letters(claim, passage),
        longest,
        tuple(word for word in wanted if not word.keys & passage.keys),
    )


def contrast(claim: Sentence, passage: Passage) -> Contrast:
    """How the sentences that cover most of `claim` turn it, each weighed by its share squared."""
    beside = align(claim, passage)[:_COMPARED]
    if not beside:
        return Contrast()
    turns = [word for word in claim.words if word.turn]
    sign, negated = _sign(turns), _negations(turns) % 2
    same = only_claim = only_passage = negation = weights = 0.0
    against: dict[str, None] = {}
    for each in beside:
        weight = each.share**2
        first, last = each.stretch
        found = [word for word in each.sentence.words[first:last] if word.turn]
        agreement = weight * sign * _sign(found)
        same += agreement if turns and found else 0.0
        only_claim += agreement if turns and not found else 0.0
        only_passage += agreement if found and not turns else 0.0
        negation += weight * (_negations(found) % 2 != negated)
        weights += weight
        if agreement < 0:
            against.update(dict.fromkeys(word.text for word in [*turns, *found]))
    done, undone = _objects(claim, beside)
    return Contrast(
        same / weights,
        only_claim / weights,
        only_passage / weights,
        negation / weights,
        denied_alike(claim, passage),
        (done - undone) / (done + undone + 0.2),
        tuple(against),
    )


def align(claim: Sentence, passage: Passage) -> list[Aligned]:
    """The sentences that share words with the claim, beginning with those that share most."""
    wanted = {at: word for at, word in enumerate(claim.words) if word.weight and not word.turn}
    total = sum(word.weight for word in wanted.values())
    found = []
    for sentence in passage.sentences:
        places = {
            at: tuple(place for place, said in enumerate(sentence.words) if word.keys & said.keys)
            for at, word in wanted.items()
            if word.keys & sentence.keys
        }
        if places:
            share = sum(wanted[at].weight for at in places) / total
            found.append(Aligned(sentence, share, places))
    return sorted(found, key=lambda each: -each.share)


def denied_alike(claim: Sentence, passage: Passage) -> float:
    """Share of the claim's "not"s that some sentence says too, before the same words; 0 of none.

    A claim may join what the passage says and denies in sentences apart, so this looks at what each
    "not" stands before, and not at the sentence that says most of the claim.
    """
    denied = [_after(claim.words, at) for at, word in enumerate(claim.words) if word.turn == "not"]
    said = [
        frozenset().union(*(word.keys for word in _after(sentence.words, at)))
        for sentence in passage.sentences
        for at, word in enumerate(sentence.words)
        if word.turn == "not"
    ]
    alike = [
        any(2 * sum(bool(word.keys & keys) for word in words) >= len(words) for keys in said)
        for words in denied
        if words
    ]
    return sum(alike) / len(denied) if denied else 0.0


def _after(words: Sequence[Word], at: int) -> list[Word]:
    """The next words that carry meaning."""
    return [word for word in words[at + 1 : at + 1 + 2 * _DENIED] if word.weight][:_DENIED]


def said_turns(claim: Sentence, beside: Aligned | None) -> bool:
    """Whether the sentence has every word of the claim that turns it, and "not" as often."""
    if beside is None:
        return False
    turns = [word for word in claim.words if word.turn]
    first, last = beside.stretch
    said = _negations(beside.sentence.words[first:last])
    return (_negations(turns) - said) % 2 == 0 and all(
        word.turn == "not" or word.keys & beside.sentence.keys for word in turns
    )


def _wanted(claim: Sentence) -> list[Word]:
    content = claim.content
    return [word for word in content if not word.turn] or content


def _letters(claim: Sentence, passage: Passage) -> float:
    """Share of the claim's groups of four letters (of two, in scripts without spaces)."""
    size = 4 if " " in claim.text else 2
    wanted = _groups(claim.text, size)
    said: set[str] = set()
    for sentence in passage.sentences:
        said |= _groups(sentence.text, size)
    return len(wanted & said) / len(wanted) if wanted else 0.0


def _groups(text: str, size: int) -> set[str]:
    plain = " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())
    return {plain[at : at + size] for at in range(len(plain) - size + 1)}


def _sign(words: Sequence[Word]) -> int:
    """What words that turn make together: 1 as without them, -1 the opposite."""
    lowered = sum(word.turn in ("down", "not") for word in words)
    return -1 if lowered % 2 else 1


def _negations(words: Sequence[Word]) -> int:
    return sum(word.turn == "not" for word in words)


def _objects(claim: Sentence, beside: Sequence[Aligned]) -> tuple[float, float]:
    """How much the sentences do to the same things what the claim does, and how much the opposite.

    For every "up" or "down" of the claim: the next word that it acts on, or else the one before;
    and around that word in a sentence, the nearest word that turns it.
    """
    same = opposite = 0.0
    for at, word in enumerate(claim.words):
        if word.turn not in ("up", "down"):
            continue
        for each in beside:
            acted_on = _acted_on(at, each.places)
            if acted_on is None:
                continue
            low, high = sorted((at, acted_on))
            sign = _sign([word for word in claim.words[low : high + 1] if word.turn])
            for place in each.places[acted_on]:
                other = _turned_at(each.sentence.words, place)
                if other == sign:
                    same += each.share**2
                elif other:
                    opposite += each.share**2
    return same, opposite


def _acted_on(at: int, places: dict[int, tuple[int, ...]]) -> int | None:
    after = [place for place in places if 0 < place - at <= 5]
    before = [place for place in places if 0 < at - place <= 3]
    if after:
        return min(after)
    return max(before) if before else None


def _turned_at(words: Sequence[Word], place: int) -> int:
    """The sign of the nearest "up" or "down" around a word, six before it to four after; 0 none."""
    near = [
        (abs(at - place) + (2 if at > place else 0), at)
        for at in range(max(0, place - 6), min(len(words), place + 5))
        if words[at].turn in ("up", "down")
    ]
    if not near:
        return 0
    low, high = sorted((min(near)[1], place))
    return _sign([word for word in words[max(0, low - 1) : high + 2] if word.turn])


def _shortest(places: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The shortest stretch that holds one place of each: smallest range over sorted lists."""
    events = sorted((place, owner) for owner, owned in enumerate(places) for place in owned)
    count = [0] * len(places)
    missing, start = len(places), 0
    best = (events[0][0], events[-1][0])
    for place, owner in events:
        missing -= count[owner] == 0
        count[owner] += 1
        while not missing:
            first, first_owner = events[start]
            if place - first < best[1] - best[0]:
                best = (first, place)
            count[first_owner] -= 1
            missing += count[first_owner] == 0
            start += 1
    return best
