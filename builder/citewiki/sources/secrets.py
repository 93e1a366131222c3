"""Keys, tokens and passwords in texts: by the forms that their makers gave them, and by cue words.

What has a maker's mark (`ghp_…`, `AKIA…`) is sure. Behind a cue ("token = …", "mật khẩu là …")
only what looks like a secret counts: text about passwords holds none.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator

from citewiki.sources.finding import Finding

# Marks of makers, as their documentation and public scanners give them.
_MARKED = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      (?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])                    # Amazon
    | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_\w{40,}
    | glpat-[\w-]{20,} | xox[abeprs]-[\w-]{10,} | xapp-[\w-]{20,}
    | AIza[\w-]{35} | ya29\.[\w-]{20,} | GOCSPX-[\w-]{20,}      # Google
    | sk-(?:ant-|proj-|svcacct-|or-)?[\w-]{20,}                 # model providers
    | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,} | whsec_[\w+/=]{20,}
    | npm_[A-Za-z0-9]{36} | pypi-AgEI[\w-]{40,} | hf_[A-Za-z0-9]{30,} | dckr_pat_[\w-]{20,}
    | SG\.[\w-]{20,}\.[\w-]{20,} | SK[0-9a-f]{32} | AC[0-9a-f]{32}
    | \d{8,10}:AA[\w-]{33}                                      # Telegram bots
    | cw_[\w-]{40,}                                             # this program's own
    | eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}                     # JSON Web Tokens
    | shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32} | dop_v1_[0-9a-f]{64} | nvapi-[\w-]{40,}
    )""",
    re.VERBOSE,
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?P<what>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----.{0,20000}?"
    r"(?:-----END (?P=what)-----|\Z)",
    re.DOTALL,
)
_IN_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,64}:(?P<it>[^\s/@\"'<>]{1,128})@")
_VALUE = (  # in quotation marks, or up to where a word of ASCII ends
    r"(?P<q>[\"'`“]?)(?P<it>(?<=[\"'`“])[^\"'`”\n]{4,128}(?=[\"'`”])"
    r"|[^\s\"'`“”<>,;\u2e80-\uffff]{4,256})"
)
_NAMED_KEY = re.compile(
    r"(?<![A-Za-z])(?:[A-Za-z0-9]+[_-]){0,4}(?:api[_ -]?key|secret(?:[_ -]?key)?|access[_ -]?key"
    r"|(?:account|shared|encryption|signing|master|license|storage|deploy|webhook)[_ -]?key"
    r"|(?:auth|access|refresh|bearer)?[_ -]?token|client[_ -]?secret|private[_ -]?key|credentials?)"
    r"[\"'`]?\s{0,3}(?::=|=>|[:=：]|\bis\b|\blà\b|是)\s{0,3}(?:Bearer\s+)?" + _VALUE,
    re.IGNORECASE,
)
_BEARER = re.compile(r"\bAuthorization:\s*(?:Bearer|Basic|token)\s+(?P<it>[\w.~+/=-]{8,})", re.I)
_PASSWORD = re.compile(
    r"(?:(?<![A-Za-z])(?:(?:[A-Za-z0-9]+[_-]){0,3}(?:pass(?:word|wd|phrase|code|wort)|pwd"
    r"|pw(?=\s{0,2}[:=：]\s{0,3}(?=\S*[A-Za-z])(?=\S*\d)\S{6}))"
    r"|(?:[A-Za-z0-9]+[_-]){1,3}pass|contraseña|mot de passe|senha|kennwort)(?![A-Za-z])"
    r"|mật\s+khẩu|mat\s+khau|密[码碼]|口令|パスワード|暗証番号|비밀번호|пароль)"
    r"[^\n.。:=：]{0,40}?[\"'`*]{0,3}\s{0,3}"
    r"(?P<link>:=|=>|[:=：]|(?<=\s)(?:is|was|ist|est|es|là|to)(?=\s)|是|为|為|は)\s{0,3}" + _VALUE,
    re.IGNORECASE,
)
# A look that is quick: most texts name neither.
_KEY_WORDS = ("key", "token", "secret", "credential")
_PASSWORD_WORDS = (
    "pass", "pw", "mật", "mat khau", "密码", "密碼", "口令", "パスワ", "暗証", "비밀", "парол",
    "contrase", "mot de", "senha", "kennw",
)  # fmt: skip
_PIN = re.compile(
    r"\b(?:PIN(?: code| number)?\s{0,3}(?:[:=]|is)\s{0,3}(?P<it>\d{4,8})"
    r"|CV[VC]2?(?: code)?\s{0,3}(?:[:=]|is)?\s{0,3}(?P<cvv>\d{3,4}))\b"
)
_WORD_FOR_IT = (
    r"(?:your|my|the|an?|some|new|old|change|example|secret|password|passwd|token|key|value|none"
    r"|null|true|false|todo|tbd|redacted|masked|env|config|string|str|required|optional|here|me)"
)
# What stands where a secret would: brackets, the name of a variable, the same sign again and
# again, a word for it. A secret may begin as any of them does.
_PLACEHOLDER = re.compile(
    r"[<\[{…]|[$%][({]|[$%][A-Za-z_]+\W*$|%[A-Za-z]|\.\.|--|(?:os|process|config|env)\."
    r"|([x*._•#-])\1{2,}|" + _WORD_FOR_IT + r"(?:[-_. ]?" + _WORD_FOR_IT + r")*\W*$",
    re.IGNORECASE,
)
# A file, a call, a path, a quantity, a date, the name of a variable.
_NO_SECRET = re.compile(
    r"[\w.-]+\.[A-Za-z]{2,4}|\w+\(.*|/.*|\d+(?:\.\d+)?%|\d{4}-\d\d-\d\d|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
    r"|\w+(?:[.:]{1,2}\w+)+"
)


def find_secrets(text: str) -> Iterator[Finding]:
    """Every key, token and password that is found, in no order; findings may overlap."""
    low = text.lower()
    for found in _PRIVATE_KEY.finditer(text) if "-----BEGIN" in text else ():
        yield Finding("key", *found.span(), 1.0)
    for found in _MARKED.finditer(text):
        yield Finding("key", *found.span(), 0.95)
    for found in _IN_URL.finditer(text) if "://" in text else ():
        if not _PLACEHOLDER.match(found["it"]):
            yield Finding("password", *found.span("it"), 0.9)
    for found in _PIN.finditer(text) if "PIN" in text or "CV" in text else ():
        yield Finding("password", *found.span(found.lastgroup or "it"), 0.75)
    for found in _BEARER.finditer(text) if "authorization" in low else ():
        if not _PLACEHOLDER.match(found["it"]):
            yield Finding("key", *found.span("it"), 0.9)
    for found in _NAMED_KEY.finditer(text) if any(map(low.__contains__, _KEY_WORDS)) else ():
        value = found["it"].partition("[^")[0].rstrip(".)]}")  # a footnote may follow
        if len(value) >= 8 and not _PLACEHOLDER.match(value) and _random(value):
            yield Finding("key", found.start("it"), found.start("it") + len(value), 0.8)
    if any(map(low.__contains__, _PASSWORD_WORDS)):
        yield from _passwords(text)


def _passwords(text: str) -> Iterator[Finding]:
    for found in _PASSWORD.finditer(text):
        value = found["it"] if found["q"] else found["it"].rstrip(".!?)]}*_")
        said = not found["link"].strip(":=>：")  # a sign, not a verb: "password: …"
        if len(value) < 4 or _PLACEHOLDER.match(value) or _NO_SECRET.fullmatch(value):
            continue
        if _mixed(value) or (found["q"] and said and value.isascii() and " " not in value):
            start = found.start("it")
            yield Finding("password", start, start + len(value), 0.85 if said else 0.75)


def _mixed(value: str) -> bool:
    """Whether a word is no plain word: it has digits or signs among its letters, or is a number."""
    if value.isdecimal():
        return len(value) <= 12
    if re.fullmatch(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*", value):
        return any(a.islower() and b.isupper() for a, b in itertools.pairwise(value))
    return any(not character.isalpha() for character in value) and value.isascii()


def _random(value: str) -> bool:
    """Whether a string looks drawn by lot: Shannon entropy of its characters, in bits, is high.

    Words have some 2.5 to 3 bits a character, keys in hexadecimal digits some 3.3, in base 64
    above 3.5.
    """
    if not value.isascii() or not any(character.isdigit() for character in value):
        return False
    counts = Counter(value)
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return entropy >= 3.0
