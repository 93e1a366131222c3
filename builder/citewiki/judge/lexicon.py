"""Words that turn what a sentence says: up, down, not; quantities; hedges; shares of a meaning.

English is listed by beginnings ("increas" is increase, increased, increasing), Vietnamese by
syllables, Chinese by words. All are folded. A word that is neither listed nor begins like a listed
one turns nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from citewiki.text.folding import fold

Turn = Literal["up", "down", "not", ""]
"""What a word does to what it stands with."""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_UP = _words("""
    accelerat accumul activat activ aggravat amplif augment benefi better boost caus climb contribut
    deepen doubl driv elevat encourag enhanc escalat exacerbat exceed excess expand expans
    facilitat faster favo foster gain greater greatest grew grow highest higher hyperactiv improv
    increas induc intensif larger longer more most outperform overexpress positiv predispos promot
    prone rais rapid reconstitut replenish rescu restor rise risen rose sensitiv sensitiz soar
    stimulat strengthen stronger superior suppor surge susceptib tripl trigger up-regulat upregulat
    vulnerab widen
""")
_DOWN = _words("""
    ablat abolish abrogat absen alleviat ameliorat antagoni arrest attenuat avert avoid block blunt
    ceas compromis counter curb dampen declin decreas defect defic deficit degrad delay delet deplet
    depriv destroy deteriorat devoid diminish disrupt down-regulat downregulat drop dying
    dysfunction eliminat fall fell fewer halt hamper hinder impair imped inferior inhibit
    insensit insuffic interfer interrupt inverse kill knockdown knockout knock-out lack least
    less limit lose loses loss lost lower lowest mitigat negativ neutralis neutraliz null
    obstruct oppos poor prevent protect quench reduc refractory reliev remov resist restrict scarce
    shorter shrank shrink silenc slow slower smaller stop suppress undermin unlik weaken weaker wors
""")
_NOT = _words("""
    not no never neither nor none nothing nobody nowhere cannot can't without fail fails failed
    failure unable hardly scarcely barely rarely seldom unrelated unaffected unaltered unchanged
    unnecessary independent independently insensitive irrelevant ineffective negligible dispensable
    don't doesn't didn't isn't aren't wasn't weren't won't wouldn't couldn't hasn't haven't hadn't
""")
_WHOLE = {"high": "up", "up": "up", "above": "up", "low": "down", "down": "down", "below": "down",
          "rare": "down", "fall": "down", "falls": "down", "drops": "down"}  # fmt: skip
# Begin like a word of the lists without its meaning.
_NO_TURN = _words("activity activities active actively mostly moreover lately later's immunol")

_VIETNAMESE: dict[str, Turn] = {
    "không": "not", "chưa": "not", "chẳng": "not", "chả": "not", "đừng": "not", "tăng": "up",
    "nâng": "up", "cao": "up", "giảm": "down", "hạ": "down", "thấp": "down", "sụt": "down",
    "thiếu": "down",
}  # fmt: skip
# Chinese and Japanese: found inside an unspaced run, the longest first; some only look like one.
_HAN: dict[str, Turn] = {
    **dict.fromkeys(
        "不仅 不但 不断 不过 不同 不久 不管 不论 不少 不得不 非常 未来 无论 无线 无限 没收".split(),
        "",
    ),
    **dict.fromkeys("不 没有 沒有 没 沒 無 无 未 非 勿 ない ません".split(), "not"),
    **dict.fromkeys(
        """增加 增长 增長 增強 增强 提高 提升 上升 上涨 扩大 促进 加快 升高 更多 更高 増加 増える
        """.split(),
        "up",
    ),
    **dict.fromkeys(
        """減少 减少 降低 下降 下跌 减弱 缩小 抑制 阻止 防止 减缓 更少 更低 缺乏 缺少 減る
        """.split(),
        "down",
    ),
}
HAN_TURN = re.compile("|".join(sorted(_HAN, key=lambda word: (-len(word), word))))

QUANTITIES = tuple(
    _words(group)
    for group in (
        "all every each always entire entirely whole completely mọi tất 所有 全部 一切 总是 每",
        "most mostly majority usually generally mainly largely typically hầu 多数 大部 通常",
        "some several few certain sometimes occasionally partly vài 一些 某些 有些 有时",
        "no none never neither nothing nobody",
        "only solely exclusively merely just duy chỉ 只有 仅 唯一",
    )
)
"""Words that say of how much a statement holds: of all, most, some, none; or of nothing else."""

HEDGES = _words("""
    may might could can possibly possible probably perhaps likely seem seems seemed appear appears
    appeared suggest suggests suggested allegedly reportedly claimed estimated believed thought
    potential potentially hypothesis unclear uncertain tentative dường 可能 也许 或许 似乎 大概
    据说 估计
""")
"""Words that take the certainty out of a statement."""


@lru_cache(maxsize=1 << 15)
def turn(word: str) -> Turn:
    """What one word as written turns; of a Han run ask `HAN_TURN` and `han_turn`."""
    folded = fold(word).replace("’", "'")
    if folded in _NOT or folded.endswith("n't"):
        return "not"
    if folded in _VIETNAMESE:
        return _VIETNAMESE[folded]
    if folded in _WHOLE:
        return "up" if _WHOLE[folded] == "up" else "down"
    if folded in _NO_TURN or not folded.isascii():
        return ""
    for end in range(len(folded), 2, -1):
        if folded[:end] in _DOWN:
            return "down"
        if folded[:end] in _UP:
            return "up"
    return ""


def han_turn(found: str) -> Turn:
    """What a word that `HAN_TURN` found turns."""
    return _HAN[found]
