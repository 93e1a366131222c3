"""Personal data in texts: card and account numbers, identity numbers, addresses, phones.

Numbers count when their check digits are right (ISO/IEC 7812, ISO 13616, the rules of each
country); forms that ordinary numbers often have too need a cue word beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module

from citewiki.sources.finding import Finding

_DIGITS = re.compile(r"\d(?:[ ./()-]{0,2}\d){5}")  # no number that counts has fewer
_CARD = re.compile(r"(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-]|\.\d)")
# First digits of the networks' numbers (ISO/IEC 7812-1): Visa, Mastercard, Amex, JCB, UnionPay …
_CARD_STARTS = re.compile(
    r"4|5[1-5]|2[2-7]|3[47]|35|30[0-5]|3[68]|6(?:011|[245])|62|81|9792|220[0-4]"
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)")

# Forms that are rare enough to speak for themselves, by the module of stdnum that checks them.
_IDENTITY = {
    "cn.ric": r"\d{17}[\dXx]",
    "us.ssn": r"\d{3}-\d{2}-\d{4}",
    "br.cpf": r"\d{3}\.\d{3}\.\d{3}-\d{2}",
    "kr.rrn": r"\d{6}-[1-8]\d{6}",
    "it.codicefiscale": r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]",
    "mx.curp": r"[A-Z][AEIOUX][A-Z]{2}\d{6}[HM][A-Z]{5}[A-Z0-9]\d",
    "fr.nir": r"[12]\d{2}(?:0[1-9]|1[0-2])(?:\d{2}|2[AB])\d{8}",
}
_FORMED = re.compile(
    rf"(?<![\w.-])(?:{'|'.join(f'({form})' for form in _IDENTITY.values())})(?![\w-]|\.\d)"
)
# What stands behind a cue word; the numbers of some countries have no check digits.
_CUED = re.compile(
    r"(?:\b(?:SSN|social security|passport|national id|identity (?:card|number)|id (?:card|number)"
    r"|tax id|aadhaar|DNI|NIE|PESEL|BSN|SIN|CCCD|CMND|CMT|căn cước|chứng minh|hộ chiếu)\b"
    r"|身份证|身分證|护照|護照|マイナンバー|旅券)[^\n\d]{0,30}?"
    r"(?<!\w)(?P<it>[A-Z]{0,2}\d(?:[ -]?\d){5,13}[A-Z]?)(?!\w)",
    re.IGNORECASE,
)
_EMAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,4}[^\W\d_]{2,24}(?![\w-])"
)
# Names that nobody can own (RFC 2606), and forms that only look like addresses.
_NOBODY = re.compile(
    r"@(?:[\w.-]*\.)?(?:example|test|invalid|localhost)(?:\.(?:com|net|org))?$"
    r"|^(?:git|hg|svn)@|@\d+x\.(?:png|jpg|jpeg|webp|gif|svg)$|\.(?:png|jpe?g|svg|gif|webp)$",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"://[^\s/:@]{0,64}:$")  # what follows is a password and a host
_CUED_PHONE = re.compile(
    r"(?:\b(?:phone|tel|telephone|mobile|cell|fax|call|whatsapp|handy|telefon|teléfono|điện thoại"
    r"|đt|sđt|di động|hotline)\b|电话|電話|手机|手機|携帯|전화|☎|📞)[^\n\d+(]{0,20}"
    r"(?P<it>\+?(?:\(\d{2,5}\)\s?)?\d(?:[ .-]?\d){6,14})(?![\w-])",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:(?:19|20)\d\d[ .-]?){2,}")
_WITH_COUNTRY = re.compile(r"[+＋]\s?\(?\d")
_CN_MOBILE = re.compile(r"(?<![\w.])1[3-9]\d{9}(?![\w.])")


def find_personal(text: str, regions: Iterable[str] = ()) -> Iterator[Finding]:
    """Every number and address that is found, in no order; findings may overlap.

    `regions` are countries ("US", "VN") whose phone numbers count without their country's code.
    """
    if _DIGITS.search(text):
        yield from _cards(text)
        yield from _identities(text)
        yield from _phones(text, tuple(regions))
    for found in _EMAIL.finditer(text) if "@" in text else ():
        if not _NOBODY.search(found[0]) and not _IN_URL.search(text, 0, found.start()):
            yield Finding("email", *found.span(), 0.95)


def _cards(text: str) -> Iterator[Finding]:
    from stdnum import iban, luhn

    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found[0])
        if _CARD_STARTS.match(digits) and len(set(digits)) > 1 and luhn.is_valid(digits):
            yield Finding("card", *found.span(), 0.95)
    for found in _IBAN.finditer(text):
        if iban.is_valid(found[0]):
            yield Finding("card", *found.span(), 1.0)


def _identities(text: str) -> Iterator[Finding]:
    for found in _FORMED.finditer(text):
        module = tuple(_IDENTITY)[(found.lastindex or 1) - 1]
        if import_module(f"stdnum.{module}").is_valid(found[0]):
            yield Finding("identity", *found.span(), 0.9)
    for found in _CUED.finditer(text):
        yield Finding("identity", *found.span("it"), 0.75)


def _phones(text: str, regions: tuple[str, ...]) -> Iterator[Finding]:
    import phonenumbers

    for region in (*((None,) if _WITH_COUNTRY.search(text) else ()), *regions):
        for match in phonenumbers.PhoneNumberMatcher(text, region):
            yield Finding("phone", match.start, match.end, 0.9)
    for found in _CN_MOBILE.finditer(text):
        if phonenumbers.is_valid_number(phonenumbers.parse(found[0], "CN")):
            yield Finding("phone", *found.span(), 0.8)
    for found in _CUED_PHONE.finditer(text):
        if not _YEARS.fullmatch(found["it"]):
            yield Finding("phone", *found.span("it"), 0.75)
