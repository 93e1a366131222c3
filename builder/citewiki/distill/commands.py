"""Text that reads like an order to a language model, so that it is never taken for evidence.

A source may try to speak to the model that reads it. Models are told not to listen; this is the
part that does not rest on them. What matches stays in the source, and is reported.
"""

from __future__ import annotations

import re

_TOLD = (  # what such texts speak of: the orders that a model has been given
    r"instructions?|prompts?|rules|guidelines|directives|orders|commands?"
    r"|Anweisung\w*|Anleitung\w*|Vorgaben?|Regeln|Befehle?"
    r"|consignes?|règles|instrucciones|reglas|órdenes|istruzioni|instruções"
    r"|hướng dẫn|chỉ dẫn|chỉ thị|mệnh lệnh|câu lệnh"
)
_DROP = (
    r"ignore|disregard|forget|override|bypass|neglect|overrule"
    r"|ignorier\w*|missachte\w*|vergiss|vergesst|ignorez|oublie[rz]?|ignora[rd]?|olvida\w*"
    r"|ignorare|dimentica|ignorar|esqueça"
    r"|bỏ qua|phớt lờ|quên|lờ đi"
)
_ORDER = re.compile(
    rf"\b(?:{_DROP})\b[^.!?\n]{{0,60}}?\b(?:{_TOLD})\b"
    r"|\b(?:ignore|disregard|forget)\s+(?:all|everything|anything|whatever)\b[^.!?\n]{0,40}"
    r"\b(?:above|before|previous(?:ly)?|prior|said|told)\b"
    r"|\b(?:new|updated|real|actual|revised)\s+(?:system\s+)?(?:instructions?|prompt)\s*[:：]"
    r"|\bsystem\s+prompt\b[^.!?\n]{0,40}\b(?:is|says|reads|reveal|print|show|override)\b"
    r"|\b(?:reveal|print|show|repeat|leak)\b[^.!?\n]{0,40}\bsystem\s+prompt\b"
    r"|\byou\s+are\s+(?:now|no\s+longer)\s+(?:an?\s|the\s|in\s|bound|\w+GPT)"
    r"|\b(?:attention|note|message|dear|hey|hello)\b[\s,:]{0,3}(?:to\s+)?(?:all\s+|any\s+|the\s+)?"
    r"(?:AIs?|LLMs?|(?:AI|language|large\s+language)\s+(?:models?|assistants?)|chatbots?)\b"
    r"|\b(?:if\s+you\s+are|as)\s+an?\s+(?:AI|LLM|(?:AI|language|large\s+language)\s+"
    r"(?:model|assistant)|chatbot)\b[^.!?\n]{0,60}\b(?:you|must|should|write|say|reply|answer)\b"
    r"|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|<</?SYS>>"
    r"|^\s*(?:system|assistant)\s*[:：]\s*you\b"
    r"|(?:忽略|无视|無視|忘记|忘記|不要理会|不理会|不要遵守|违反)[^。！？\n]{0,30}?"
    r"(?:指令|指示|提示|命令|规则|規則|说明|要求)"
    r"|(?:指示|命令|プロンプト|指令|ルール)[^。！？\n]{0,10}?(?:無視|忘れ|従わない)"
    r"|(?:지시|명령|프롬프트)[^.!?\n]{0,10}?(?:무시|잊)",
    re.IGNORECASE,
)


def commanding(text: str) -> bool:
    """Whether a block of plain text gives orders to a language model that reads it.

    Sentences that only speak of such orders match too: they are left out as evidence, no more.
    """
    return _ORDER.search(text) is not None
