"""Whether a sentence tells who: a name, an agent (“by the town”), or a subject that does it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from citewiki.text.folding import fold
from citewiki.text.tokens import is_stop, tokens

_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*\.?")
_PLACED = frozenset(
    "in at on from near to of into around across through toward towards ở tại bên bờ giữa gần sông "
    "hồ phố làng huyện tỉnh thành thị xã quận phường đường núi biển".split()
)
"""Words before names of places."""
_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays "
    "fridays saturdays sundays january february march april may june july august september october "
    "november december chủ nhật".split()
)
_AGENT = re.compile(
    r"\bby (?!(?:\w+ing|hand|day|night|\d+|default|name|means|far|then|now|word|words)\b)[^\W\d]"
    r"|\b(?:do|bởi) [^\W\d]|[由被]\w{2,}"
)
_PASSIVE = frozenset("was were is are be been being được bị là".split())
_FAMILY = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢"
    "姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_HAN_NAME = re.compile(rf"[{_FAMILY}][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]+·[\u4e00-\u9fff]+")


def says_person(sentence: str, known: str, verbs: Collection[str]) -> bool:
    """Whether it names somebody or something that acts, who is not in `known` (question, title).

    `verbs` are the terms of what is asked about: what stands before one of them acts, unless the
    verb is passive.
    """
    said = set(tokens(known))
    for name, before in _names(sentence):
        new = [word for word in name if not said & set(tokens(word))]
        if new and before not in _PLACED and not all(fold(word) in _TIMES for word in new):
            return True
    folded = fold(sentence)
    if _AGENT.search(folded):
        return True
    if any(match.group() not in known for match in _HAN_NAME.finditer(sentence)):
        return True
    return _acts(sentence, said, verbs)


def proper_names(text: str) -> list[str]:
    """Runs of capitalised words, without the first word of the text when it stands alone."""
    return [" ".join(name) for name, _ in _names(text)]


def _names(text: str) -> Iterator[tuple[list[str], str]]:
    """Every run of capitalised words, with the word before it (folded; "" at the start)."""
    run: list[str] = []
    start = 0
    end = -1
    before = last = ""
    for match in _WORD.finditer(text):
        word = match.group()
        joined = bool(run) and text[end : match.start()].strip() == ""
        if run and not (word[0].isupper() and joined):
            if start > 0 or len(run) > 1:
                yield run, before
            run = []
        if word[0].isupper() and not (is_stop(word) and not run):
            if not run:
                start, before = match.start(), last
            run.append(word)
        end = match.end()
        last = fold(word)
    if run and (start > 0 or len(run) > 1):
        yield run, before


def _acts(sentence: str, said: Collection[str], verbs: Collection[str]) -> bool:
    words = [match.group() for match in _WORD.finditer(sentence)]
    for place, word in enumerate(words):
        if set(tokens(word)) & set(verbs):
            ahead = words[:place]
            passive = any(fold(each) in _PASSIVE for each in ahead)
            new = [w for w in ahead if not is_stop(w) and not set(tokens(w)) & {*said, *verbs}]
            return bool(new) and not passive
    return False
