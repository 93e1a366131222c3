"""What keeps a sentence from stating something: a doubt, a plan, another's word, a pointing word.

By default such a sentence supports what it speaks of. With `--strict` it does not, unless the
question itself asks for what may be, is planned or is said ("What is planned for 2027?").
English, Vietnamese and Chinese.
"""

from __future__ import annotations

import re
from typing import Literal

from citewiki.text.folding import nfc

Doubt = Literal["possible", "planned", "attributed"]

_DOUBTS: tuple[tuple[Doubt, re.Pattern[str]], ...] = (
    (
        "possible",
        re.compile(
            r"""\b(?:may(?!\s+not\b)(?!\s+\d)|might|could(?!\s+not\b))\b
            |(?i:\b(?:perhaps|maybe|possibly|probably|presumably|supposedly|apparently|likely
              |unlikely|conceivably|arguably|tentative(?:ly)?|unconfirmed|uncertain|unclear
              |seem(?:s|ed)?|appear(?:s|ed)?\s+to|suggest(?:s|ed)?\s+that|estimated)\b
            |có\s+thể|có\s+lẽ|dường\s+như|hình\s+như|có\s+khả\s+năng|chưa\s+xác\s+nhận|ước\s+tính
            |không\s+rõ|không\s+chắc)
            |(?<!不)可能(?!性)|也许|也許|或许|或許|似乎|大概|恐怕|疑似|看来|好像|估计|估計|未经证实
            |未經證實|不确定|尚不清楚""",
            re.VERBOSE,
        ),
    ),
    (
        "planned",
        re.compile(
            r"""(?i:\b(?:(?:planned|expected|scheduled|slated|intended|due|set|proposed|hoped)\s+
              (?:to|for)|plans?\s+to|intends?\s+to|hopes?\s+to|aims?\s+to|considering
              |(?:is|are)\s+(?:planned|proposed|intended|expected))\b
            |dự\s+kiến|dự\s+định|có\s+kế\s+hoạch|đang\s+cân\s+nhắc|sắp\s+tới\s+sẽ)
            |预计|預計|预期|計劃|计划(?=于|在|将|到|把|用)|拟(?=于|在|将)|打算|有望|将要|考虑""",
            re.VERBOSE,
        ),
    ),
    (
        "attributed",
        re.compile(
            r"""(?i:\b(?:reportedly|allegedly|purportedly|rumou?r(?:s|ed)?|hearsay|gossip|speculat\w+
              |(?:is|are|was|were)\s+(?:said|believed|thought|claimed|alleged|assumed|reputed)\s+to
              |(?:claim|alleg|believ|suspect|argu|think|assum|speculat)(?:s|es|ed)?\s+that|claims?\s+to
              |(?:said|says|thinks|thought|guess(?:es|ed)?|told\s+\w+)\s+that
              |according\s+to\s+(?:some|many|one|critics|legend|tradition|unconfirmed|unnamed
                 |anonymous|several|a\s+source|sources|reports?|estimates)
              |legend\s+has\s+it|it\s+is\s+(?:said|believed|thought|assumed))\b
            |nghe\s+nói|tin\s+đồn|đồn\s+rằng|được\s+đồn|được\s+cho\s+là|cho\s+rằng|người\s+ta\s+nói
            |theo\s+(?:lời|một\s+số|truyền\s+thuyết)|bị\s+nghi)
            |据说|據說|据传|據傳|传闻|傳聞|传言|谣传|据称|據稱|相传|据报道|據報道|声称|聲稱|有人说|有人認為
            |有人认为|被认为""",
            re.VERBOSE,
        ),
    ),
)
_QUOTED = re.compile(
    r"[\"“„«「『][^\"”“»」』]{12,}[\"”»」』]\s*,?\s*"
    r"(?:(?:[A-Z]\S*\s+){0,3}(?:said|says|wrote|writes|claim(?:s|ed)|argue[sd]|told)\b"
    r"|(?:said|says|wrote|writes|claim(?:s|ed)|argue[sd])\b)"
    r"|\b(?:said|says|wrote|writes|claim(?:s|ed)|argue[sd]|nói|viết)\s*[,:]\s*[\"“„«]"
    r"|(?:说|說|称|稱|写道|認為|认为)[,:，：]?\s*[“「『\"]"
)
_POINTS = re.compile(
    r"(?:[\W_]|\b(?:and|but|so|also|then|however|thus)\b)*"
    r"(?:(?:it|he|she|they|this|these|those|its|his|her|their|such|both|the\s+(?:former|latter|same)"
    r"|nó|họ|chúng|ông\s+ấy|bà\s+ấy|anh\s+ấy|cô\s+ấy|điều\s+này|việc\s+này)\b"
    r"|它|他们|她们|他|她|其(?!他|它|中|实|余)|这|這|该|該(?!当)|此(?!外))",
    re.IGNORECASE,
)


def doubts(text: str) -> dict[Doubt, str]:
    """Each kind of doubt in a text, with the first words that tell of it."""
    plain = nfc(text)
    found: dict[Doubt, str] = {}
    for kind, words in _DOUBTS:
        match = words.search(plain)
        if match:
            found[kind] = " ".join(match[0].split())
    quoted = _QUOTED.search(plain)
    if quoted:
        found.setdefault("attributed", quoted[0])
    return found


def points_elsewhere(text: str) -> str:
    """The word at the beginning that stands for what another sentence names; "" when none does."""
    match = _POINTS.match(nfc(text))
    return match[0].strip() if match else ""


def states(sentence: str, granted: frozenset[Doubt] = frozenset()) -> bool:
    """Whether a sentence by itself states what it says; doubts that are `granted` do not count."""
    return not (doubts(sentence).keys() - granted or points_elsewhere(sentence))
