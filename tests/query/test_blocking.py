"""Texts that share rare words are found without comparing all with all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.query.blocking import Blocking

BLOCKING = Blocking(
    ignored=frozenset({"the"}), fewest=2, most=6, rarest=3, largest=4, shared=0.5, unshared=3
)
TEXTS = st.lists(st.lists(st.sampled_from("the a b c d e f g h".split()), max_size=9), max_size=9)


def one_by_one(texts: list[list[str]], blocking: Blocking) -> set[tuple[int, int]]:
    """The same by comparing all with all."""
    sets = [frozenset(text) - set(blocking.ignored) for text in texts]
    sets = [each if blocking.fewest <= len(each) <= blocking.most else frozenset() for each in sets]
    spread = Counter(word for each in sets for word in each)
    blocks: dict[tuple[str, ...], list[int]] = {}
    for at, each in enumerate(sets):
        shared = sorted(
            (word for word in each if spread[word] > 1), key=lambda word: (spread[word], word)
        )
        for pair in combinations(shared[: blocking.rarest], 2):
            blocks.setdefault(pair, []).append(at)
    return {
        pair
        for block in blocks.values()
        if len(block) <= blocking.largest
        for pair in combinations(block, 2)
        if blocking.alike(sets[pair[0]], sets[pair[1]])
    }


@given(TEXTS)
def test_the_same_pairs_are_found_as_by_comparing_all_with_all(texts: list[list[str]]) -> None:
    assert set(BLOCKING.neighbours(map(BLOCKING.counted, texts))) == one_by_one(texts, BLOCKING)


def test_a_phrase_that_many_share_makes_no_pairs() -> None:
    texts = [["lorem", "ipsum", str(number)] for number in range(5)]
    assert list(BLOCKING.neighbours(texts)) == []
    assert len(list(replace(BLOCKING, largest=5).neighbours(texts))) == 10


def test_texts_are_alike_when_each_lacks_but_a_few_words_of_the_other() -> None:
    one = frozenset("abcd")
    assert BLOCKING.alike(one, frozenset("abxy"))
    assert not BLOCKING.alike(one, frozenset("axyz"))
    assert not BLOCKING.alike(frozenset("ab"), frozenset("abwxyz"))


def test_no_text_and_texts_without_words_make_no_pairs() -> None:
    assert list(BLOCKING.neighbours([])) == []
    texts = map(BLOCKING.counted, (["a", "the"], ["the"], []))
    assert list(BLOCKING.neighbours(texts)) == []
