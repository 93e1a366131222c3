"""Words that exclude each other: what a sentence says with one, it does not say with the other."""

from __future__ import annotations

from itertools import chain

_PAIRS = tuple(
    tuple(pair.split("/"))
    for pair in """
    first/last before/after earliest/latest minimum/maximum north/south east/west northern/southern
    eastern/western inside/outside internal/external male/female men/women boy/girl win/lose
    won/lost true/false allow/forbid allowed/forbidden permit/prohibit legal/illegal open/closed
    open/close majority/minority best/worst largest/smallest oldest/youngest longest/shortest
    highest/lowest light/dark black/white day/night summer/winter hot/cold wet/dry old/new
    early/late left/right upper/lower buy/sell import/export
    enable/disable enabled/disabled include/exclude includes/excludes included/excluded
    accept/reject accepted/rejected agree/disagree success/failure succeeded/failed gain/loss
    profit/loss public/private rural/urban positive/negative synchronous/asynchronous
    mutable/immutable required/optional mandatory/optional safe/unsafe ascending/descending
    encrypt/decrypt lock/unlock connect/disconnect attach/detach visible/hidden
    trước/sau đầu/cuối nam/nữ bắc/nam đông/tây đúng/sai thắng/thua bật/tắt mở/đóng
    之前/之后 以前/以后 男/女 最大/最小 最高/最低 最早/最晚 允许/禁止 成功/失败 打开/关闭 同步/异步
    """.split()
)

OPPOSITES: dict[str, frozenset[str]] = {
    word: frozenset(chain.from_iterable(pair for pair in _PAIRS if word in pair)) - {word}
    for word in chain.from_iterable(_PAIRS)
}
"""A word → its opposites, folded."""
