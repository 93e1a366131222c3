"""What a question's verb asks for, and what the sentences that answer it say instead.

Relations of everyday life, in English, Vietnamese and Chinese. A question in other words is simply
not helped by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from citewiki.text.folding import fold

_Pair = tuple[re.Pattern[str], re.Pattern[str]]


def _pair(asks: str, says: str, han: str = "") -> _Pair:
    """Words of a question, and words that answer them; `han` asks and answers in Chinese."""

    def pattern(words: str) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{words})\b" + (f"|{han}" if han else ""))

    return pattern(asks), pattern(says)


_RELATIONS = (
    _pair(
        "sing|sings|sang|sung|singer|recorded|hát",
        "sings?|sang|sung|recorded|recording|performed|covered|vocals?|singer|version|hát|ca sĩ",
        "唱",
    ),
    _pair(
        r"plays?|played|actor|actress|voiced?|voice of|talks? for|portray\w*|star\w*|cast|đóng vai",
        r"play(?:s|ed|ing)?|portray\w*|starr?\w*|cast|role|voic\w+|actor|actress|đóng|vai",
        "饰|扮演|主演|配音",
    ),
    _pair(
        "wrote|write|writes|written|author|writer|viết|tác giả",
        r"wrote|writes?|written|author\w*|writer|penned|composed|compil\w*|collected|edited"
        r"|attributed|viết|tác giả|soạn"
        "|sáng tác",
        "写|著|作者|编[写著]|撰",
    ),
    _pair(
        r"creat\w*|invent\w*|came up|develop\w*|design\w*|discover\w*|found|founded|founder"
        r"|introduc\w*|propos\w*|started|began|begun|establish\w*|describ\w*"
        "|sáng lập|thành lập|phát minh|tạo ra|thiết kế|phát hiện|bắt đầu|đề xuất",
        r"created|creators?|invent(?:ed|or|ion)|developed|developers?|designed|designers?"
        r"|discover(?:ed|er|y)|(?:co-)?found(?:ed|er|ers|ing)|established|introduced|proposed|began"
        "|begun|started|formed|launched|originated|released|published|described|coined"
        "|dates? (?:from|back)|sáng lập|thành lập|phát minh|tạo ra|thiết kế|phát hiện|bắt đầu"
        "|đề xuất|ra đời|công bố",
        "创[立建办始造]|成立|发明|发现|设计|提出|开发|发布|推出|始于|诞生|首创",
    ),
    (  # colours are few, and a sentence that names one need not call it a colour
        re.compile(r"\b(?:colou?rs?|màu)\b|颜色|什么色"),
        re.compile(
            r"\b(?:colou?r\w*|red|orange|yellow|green|blue|purple|violet|pink|brown|black|white"
            r"|gr[ea]y|beige|turquoise|crimson|scarlet|silver|golden?|màu|đỏ|cam|vàng|xanh|tím|hồng"
            r"|nâu|đen|trắng|xám|bạc)\b|颜色|[红橙黄绿蓝紫粉棕黑白灰银金青]色"
        ),
    ),
    _pair(
        r"made|makes?|maker|manufactur\w*|produc\w*|làm ra|sản xuất",
        r"made|makes?|making|maker|manufactur\w*|produc\w*|built|builds?|created|làm|sản xuất",
        "制造|制作|生产|做",
    ),
    _pair(
        r"come out|came out|come on|release\w*|premier\w*|air(?:ed)?|debut|publish\w*|phát hành"
        "|xuất bản|ra mắt",
        "released?|premiered?|debut(?:ed)?|air(?:ed|ing)?|published|launch(?:ed)?|scheduled"
        "|opened|broadcast|printed|phát hành|xuất bản|ra mắt|in|công bố",
        "发[布行表]|出版|上映|首播|推出|问世",
    ),
    _pair(
        r"com(?:e|es) from|came from|origins?|originat\w*|derive\w*|gets? (?:its|their|his) name"
        "|named after|nguồn gốc",
        r"origin(?:s|ally|at\w*)?|deriv\w*|etymology|named|comes from|came from|roots?|nguồn gốc"
        "|bắt nguồn|từ",
        "起源|源[自于]|来自|来源|出自|得名",
    ),
    _pair(
        r"made (?:out )?(?:of|from)|consist\w*|materials?|contain\w*|làm (?:bằng|từ)|gồm",
        r"made (?:of|from|up|out)|built (?:of|from)|consists?|composed|comprise[sd]?|contains?"
        r"|includ\w+|material\w*|constructed|bằng|gồm|chứa|từ",
        "由|包[含括]|组成|材料|[制砌]成|用",
    ),
    _pair(
        r"die[ds]?|death|dead|kill\w*|murder\w*|mất|chết|qua đời|thiệt mạng",
        r"die[ds]?|deaths?|dead|kill(?:ed|s)|murder\w*|executed|assassinat\w*|buried|lives? lost"
        "|casualties|victims|mất|chết|qua đời|thiệt mạng|tử vong|hy sinh",
        "死|逝世|去世|病逝|卒|遇难|身亡",
    ),
    _pair(
        r"born|birth\w*|sinh|quê",
        r"born|birth\w*|native of|sinh|chào đời|quê",
        "出生|生于|诞生|祖籍|籍贯",
    ),
    _pair(
        "wins?|won|winner|champion|thắng|vô địch",
        r"w[io]n(?:s|ner|ning)?|defeat\w*|beat|champion\w*|victory|title|thắng|vô địch|giành",
        "赢|获[得胜奖]|冠军|夺",
    ),
    _pair(
        r"buil[dt]|construct\w*|erect\w*|xây|dựng",
        r"buil[dt]|construct\w*|erect\w*|completed|opened|dates? from|xây|dựng|khánh thành|khởi "
        r"công",
        "建|筑|修|落成|竣工",
    ),
    _pair(
        r"open\w*|mở cửa|khai trương",
        r"open(?:s|ed|ing)?|inaugurat\w*|launched|mở cửa|khai trương|khánh thành",
        "开[放业馆幕张]|启用|开门",
    ),
    _pair(
        "owns?|owned|owner|acquired?|bought|buy|sở hữu|mua",
        r"own\w*|subsidiary|acquired|purchased|bought|buys?|sold|parent|sở hữu|mua",
        "拥有|收购|买|所属",
    ),
    _pair(
        r"live[sd]?|living|habitat|grow\w*|sống",
        r"live[sd]?|native|habitat|inhabit\w*|found|reside\w*|grows?|range|distribut\w*|sống|cư "
        r"trú",
        "生活|居住|栖息|分布|住",
    ),
    _pair(
        r"happen\w*|occur\w*|takes? place|took place|held|xảy ra|diễn ra|tổ chức",
        r"occur\w*|took place|takes? place|happen\w*|held|began|struck|broke out|xảy ra|diễn ra"
        "|tổ chức|họp",
        "发生|举[行办]|爆发|召开",
    ),
    _pair(
        "lead|leads|leader|head|president|king|ruler|ruled?|runs?|maintain\\w*|manag\\w*|lãnh đạo",
        r"led|leads?|leader|head\w*|president|king|ruled?|ruler|appointed|elected|monarch|chief"
        r"|commander|reign\w*|runs?|run|maintain\w*|manag\w*|lãnh đạo|quản lý|đứng đầu",
        "领导|负责|主持|管理|维护|统治",
    ),
    _pair(
        "live in|population|people|inhabitants|residents|dân số|dân|người",
        "population|people|inhabitants|residents|dân|người|dân số",
        "人口|居民|[\\d万千百]人",
    ),
    _pair(
        "keeps?|kept|stored?|lưu|bảo quản",
        r"keeps?|kept|stored?|retain\w*|retention|preserv\w*|hold|holds|held|lưu(?: trữ| giữ)?"
        "|bảo quản",
        "保[存留管]|存[储放]|留存",
    ),
    _pair(
        "need(?:s|ed)?|require[ds]?|requirements?|prerequisites?|necessary|cần",
        r"needs?|needed|requir\w*|prerequisites?|necessary|must|has to|have to|depends on|cần|phải",
        "需要|必[须需]|要求",
    ),
    _pair("licen[cs]e[ds]?|giấy phép", r"licen[cs]e[ds]?|open[- ]source|giấy phép", "许可证|协议"
    "|授权"),
    _pair("title|names?|named|called|tên", "title[ds]?|names?|named|called|entitled|known as|tên"
    "|gọi", "名|称|叫|《"),
)  # fmt: skip
"""What can be said of a thing: an answer has to speak of it."""

_FORMAL = (
    _pair(
        "where|located|location|find|found",
        r"located|situated|lies|found (?:in|on)|in the|near|at the|headquarter\w*|based|between"
        r"|border\w*|capital|(?:north|south|east|west)(?:ern)?",
    ),
    _pair(
        r"purpose|function|role|job|point|used for|do|does|responsib\w*|use",
        r"purpose|function\w*|role|responsible|used (?:to|for|in|as)|in order to|serves?"
        "|designed to|allows?|helps?|enables?|provides?|duties|aims?",
    ),
    _pair(
        "means?|meaning|definition|define|what (?:is|are)",
        "is (?:an?|the)|are|means?|meaning|refers? to|defined|known as|derives?|denotes?|term",
    ),
    _pair(
        "how many|how much|number|population",
        "total|number|population|approximately|about|estimated|million|billion|thousand|percent"
        "|average",
    ),
    _pair(
        "why|reason|cause[sd]?",
        r"because|due to|caused?|result(?:ed|s)?|reason\w*|le(?:d|ads?) to|since|therefore"
        r"|so that|in order|driven|response|contribut\w*",
    ),
    _pair(
        "how (?:do|does|did|can|is|are|to)|process|steps?|stages?",
        "by|through|using|process|method|first|then|when|must|via|involves?|divided",
    ),
    _pair(
        "types?|kinds?|examples?|list|parts?|stages?|characteristics|features",
        r"includ\w+|such as|types?|divided|categor\w*|consist\w*|two|three|four|five|six"
        r"|several|classified|e\.g",
    ),
    _pair(
        "difference|differ|compare|versus|vs",
        r"differ\w*|unlike|whereas|while|contrast|distinct|compared|than|however|distinguish\w*",
    ),
)
"""What sort of sentence is asked for: it speaks for an answer, and is not demanded of it."""

_NEUTRAL = 0.5


def says_relation(asked: str, text: str) -> float:
    """Share of the relations that `asked` asks for of which `text` speaks; 0.5 when it asks none.

    >>> says_relation("who sang it", "It was recorded by the band in 1963.")
    1.0
    """
    folded, said = fold(asked), fold(text)
    wanted = [says for asks, says in (*_RELATIONS, *_FORMAL) if asks.search(folded)]
    if not wanted:
        return _NEUTRAL
    return sum(bool(says.search(said)) for says in wanted) / len(wanted)


_ROLE = re.compile(
    r"\b(?:founder|author|writer|creator|inventor|designer|maker|builder|owner|leader|head"
    r"|president|king|ruler|winner|champion|actor|actress|singer|tác giả|người sáng lập"
    r"|nhà sáng lập|chủ sở hữu)s?\b|创[始立办]人|作者|发明[者家]|设计师|领导人|所有者"
)
"""What a person or thing is to another: "X's founder"."""


def relation_asked_last(asked: str) -> list[re.Pattern[str]]:
    """`relations_asked` without those that only tell whom a question is about.

    "When was X's founder born?" asks for a birth, not for who founded X.
    """
    folded = fold(asked)
    bare = _ROLE.sub(" ", folded)
    last = [says for asks, says in _RELATIONS if asks.search(bare)]
    return last if last and bare != folded else relations_asked(asked)


def told_otherwise(words: Iterable[str], text: str) -> frozenset[str]:
    """Those of a question's `words` whose relation `text` tells in another word.

    >>> sorted(told_otherwise(["pages", "kept"], "Their retention is 90 days."))
    ['kept']
    """
    said = fold(text)
    return frozenset(
        word
        for word in words
        if any(asks.fullmatch(fold(word)) and says.search(said) for asks, says in _RELATIONS)
    )


def relations_asked(asked: str) -> list[re.Pattern[str]]:
    """What a sentence says that speaks of what `asked` asks, one pattern for each relation."""
    folded = fold(asked)
    return [says for asks, says in _RELATIONS if asks.search(folded)]
