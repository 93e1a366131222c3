"""What words do in a statement, for finding statements that exclude each other.

English by stems, Vietnamese and Chinese by phrases. The lists hold relations of which a subject has
one at a time (a capital, an author, a place of birth), or say what is not of that kind: without
them "supports Windows" would disagree with "supports Linux".
"""

from __future__ import annotations

import re

from citewiki.text.tokens import stem
from citewiki.text.verbs import BASES


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def _stems(listed: str) -> frozenset[str]:
    return frozenset(map(stem, listed.split()))


_MARKS = {
    "be": "is are was were be been being là 是 为 為",
    "by": "by bởi do 由",
    "in": "in at on under inside within into tại ở trong vào bằng 在 于 於",
    "of": "of của 的",
    "for": "for to cho 对",
    "as": "as",
    "after": "after sau",
    "since": "since từ 自",
    "from": "from",
    "have": "has have had có 有",
    "not": "not no never cannot n't without không chưa chẳng 不 没有 沒有 没 未 无",
    "than": "than hơn 比",
    "and": "and or và hoặc 和 与 及 或",
    "may": "may might could should would 可能 也许 có·thể",
}
MARKS = {word.replace("·", " "): mark for mark, listed in _MARKS.items() for word in listed.split()}
"""Function words → what they do. One stands for another of its row."""

PAST = _words("was were had 曾 曾是 từng")

PHRASES = {
    "thiết kế": "design", "thành lập": "found", "sáng lập": "found", "xây dựng": "build",
    "mở cửa": "open", "khánh thành": "open", "sản xuất": "produce", "phát hành": "release",
    "phát minh": "invent", "sáng tác": "compose", "sử dụng": "use", "hết hạn": "expire",
    "bắt đầu": "begin", "hoàn thành": "complete", "trụ sở": "headquarter", "viết": "write",
    "sinh": "bear", "dùng": "use", "nằm": "lie", "đặt": "locate", "xây": "build",
    "có trụ sở": "headquarter", "sinh ra": "bear", "qua đời": "die",
    "设计": "design", "建造": "build", "建成": "build", "修建": "build", "成立": "found",
    "创立": "found", "创办": "found", "创建": "found", "建立": "found", "发明": "invent",
    "发现": "discover", "编写": "write", "撰写": "write", "写成": "write", "创作": "compose",
    "开放": "open", "开业": "open", "开通": "open", "通车": "open", "发布": "release",
    "位于": "locate", "出生": "bear", "生于": "bear", "去世": "die", "逝世": "die", "使用": "use",
    "采用": "use", "开始": "begin", "举行": "hold", "签署": "sign", "总部": "headquarter",
    "存储": "store", "保存": "store", "作为": "as", "拥有": "have", "过期": "expire",
    "支持": "support", "喜欢": "like", "现在": "", "存在": "exist", "应用": "apply",
    "关于": "about", "由于": "because", "因为": "because", "成为": "become", "认为": "think",
    "自由": "free", "对于": "about", "至于": "about", "大于": "than", "小于": "than",
    "有限": "limited", "所有": "all", "是否": "whether", "不同": "differ", "不是": "not",
    "目前": "", "已经": "", "大约": "", "一共": "", "总共": "", "一个": "", "超过": "", "至少": "",
    "最多": "", "不超过": "", "了": "", "共": "", "约": "", "已": "", "将": "", "用": "use",
}  # fmt: skip
"""Vietnamese and Chinese words of several letters → the English stem that does the same; "": it
adds nothing. So that no function word is found inside of them."""
PHRASE_STEMS = {
    phrase: stem(word) if word not in _MARKS else word for phrase, word in PHRASES.items()
}

IRREGULAR = BASES | {
    form: stem(base)
    for base, forms in {
        "write": "writes", "bear": "borne", "lie": "lies lay", "begin": "begins",
        "found": "founded founds", "die": "died dies", "locate": "located",
        "base": "based bases", "store": "stored stores",
    }.items()
    for form in (base, *forms.split())
}  # fmt: skip
"""Forms of verbs that the stemmer leaves apart → the stem of their verb; "found" founds more often
than it finds."""

DROPPED = _words("""
    a an the its their his her this that these those it now currently usually usual officially also
    always still just exactly today typically normally generally only about approximately around
    roughly nearly almost over more most least less up all total now's which who both very located
    situated được bị các những một cái chiếc này đó hiện nay tại·đây đang đã cũng rất khoảng vào·lúc
    ra nhất
""") - {"most", "least", "less", "more", "located", "situated", "all", "only"}  # fmt: skip
"""Words that change nothing of what a statement gives its subject."""

MADE_BY = _stems("""
    design found invent discover write compose direct build paint create develop establish author
    translate edit draw sculpt engineer architect conceive coin chair head lead own
""")
"""What is done to a thing by one agent, who may stand before the verb or after "by"."""

BY_MANY = _stems("""
    use used support supported like liked visit visited mention mentioned quote quoted follow
    followed cite cited read played affect affected cause caused influence influenced inspire
    inspired accompanied surround surrounded recommend recommended review reviewed join joined
    improve improved call called shared sponsor sponsored
""")
"""What is done to a thing by any number of agents."""

ONE_PLACE = _stems("""
    bear die bury buried found founded establish established locate located situate situated base
    based headquarter headquartered headquarters seat lie stand store stored keep kept host hosted
    deploy deployed write build hold sign signed make release released license licensed licence
    licenced publish published compile compiled implement implemented live deployed
""") - {"live"}  # fmt: skip
"""What has one place, one language, one material or one licence."""

USES = _stems("use run speak require adopt") - {"speak"}
"""Verbs whose object a subject mostly has one of, if it is a name."""

ONCE = MADE_BY | _stems("""
    bear die open opened close closed complete completed finish finished release released launch
    launched publish published introduce introduced sign signed inaugurate inaugurated erect form
    formed start started begin end ended abolish abolished dissolve dissolved patent premiere adopt
    adopted construct constructed incorporate incorporated expire arrive due take hold run deploy
    deployed migrate migrated destroy destroyed demolish merge merged acquire acquired since
""")
"""What happens to a thing once, or at one set time."""

MANY = _stems("""
    example reason advantage benefit disadvantage drawback feature goal part kind type sort member
    problem thing way option method step one instance case tool friend employee aspect issue use
    idea purpose customer partner competitor 员工 成员 例子 原因 优点 缺点 特点 功能 目的 之一 客户
    thành·viên nhân·viên lý·do ưu·điểm
""")
"""Nouns of which a subject has several."""

LABELS = _stems("""
    chapter step section figure table version part phase page item level example exercise volume
    no number day lesson round 第 chương bước phần hình bảng phiên·bản
""")
"""Nouns that a number only tells apart: "step 3"."""

MEASURES = _stems("""
    weigh cost produce hold carry last take contain employ need measure count house seat store serve
    get receive happen reach run expire limit pay earn generate consume allow accept support process
    listen
    nặng cao dài rộng sâu giá chứa tốn cần gồm mất sau thuê
""")
"""Verbs that give a number, where their ending does not tell that they are verbs."""

OTHER_TIME = _words("""
    formerly previously originally once until before earlier later initially first then old former
    planned từng trước đầu 曾 曾经 以前 原 最初 之前
""")
"""Words that put a statement into another time."""

NO_STATEMENT = re.compile(
    r"\?|？|::|\b(?:for example|for instance|e\.g\.|such as|suppose|imagine|if|let's|see|cf|ví dụ|"
    r"chẳng hạn|nếu|giả sử|would|should|let)\b|例如|比如|如果|假设|假如|譬如",
    re.IGNORECASE,
)
"""Questions, examples, references and conditions give a subject no value."""

NO_VALUE = re.compile(
    r"(?:able|ible|ful|ous|ive|less|ish|ic|ical|ing|ed|ant|ent|est|er)$|^(?:good|bad|big|small|fast|"
    r"slow|easy|hard|simple|new|old|long|short|modern|great|large|clear|free|true|false|high|low|"
    r"important|available|better|best|worse|same|different|well|ready|here|there)$"
)
"""Common words that describe and are no value: two of them may be true of one subject."""

OF_TITLE = re.compile(r"^(?:it|he|she|they|nó|ông ấy|bà ấy)\s+(?=\S)|^(?:它|他|她|其)(?=\w)", re.I)
"""A pronoun at the beginning stands for what the page is about."""

ANAPHORA = re.compile(
    r"^\W*(?:its|their|his|her)\b"
    r"|\b(?:it|them|they|he|him|she|this|these|those|such|you|your|i|my|nó|chúng|này|đó|trên)\b"
    r"|[它他她此该這这那]|我(?!们)",
    re.IGNORECASE,
)
"""Words that point at something that another sentence names."""
