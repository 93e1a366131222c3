from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.holding import absent

SHORT = st.text("ab ", max_size=40)


@given(st.sets(SHORT, max_size=120), st.text("ab ", max_size=400))
def test_what_is_absent_is_what_does_not_stand_in_the_text(wanted: set[str], text: str):
    assert absent(wanted, text) == {each for each in wanted if each not in text}


def test_thousands_of_texts_are_looked_for_in_one_pass():
    text = " ".join(f"number {n} is said to be {n * n} at least" for n in range(20_000))
    wanted = {f"number {n} is said to be {n * n + n % 2} at least" for n in range(20_000)}
    started = time.process_time()
    lost = absent(wanted, text)
    assert len(lost) == 10_000
    assert time.process_time() - started < 3  # one by one it takes ten times as long
