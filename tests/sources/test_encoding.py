"""Bytes to text: the right encoding, also of short texts, and nothing invisible kept."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.sources.encoding import clean, decode

FRENCH = "Le café est déjà prêt, à Paris."
SPANISH = "¿Qué tal, señor? El niño está aquí."
GERMAN = "Größe über alles: “Müller” – 5 €"
CHINESE = "混合检索把两个列表合成一个。"
TRADITIONAL = "這是繁體中文的測試文件，用來搜尋資料。"
JAPANESE = "これは日本語のテキストです。"
KOREAN = "안녕하세요, 한국어 문서입니다."
RUSSIAN = "Привет, это обычный русский текст."
VIETNAMESE = "Nguyễn Văn Đức viết về truy hồi tài liệu."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((text, "utf-8") for text in (FRENCH, CHINESE, JAPANESE, KOREAN, RUSSIAN, VIETNAMESE)),
        *(
            (text, "cp1252")
            for text in (FRENCH, SPANISH, GERMAN, "café", "naïve", "Größe", "El Niño")
        ),
        *((text, "gb18030") for text in (CHINESE, "你好", "标题", "你好, world (测试)")),
        (TRADITIONAL, "big5"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (KOREAN, "cp949"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        *((text, "utf-16-le") for text in ("plain words", VIETNAMESE, CHINESE, f"{CHINESE}\n# A")),
        *((text, "utf-16-be") for text in ("plain words", VIETNAMESE, CHINESE)),
    ],
)
def test_a_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("text", ["# A\n\nText with \0 in it and \0.\n", f"{CHINESE} \0 b" * 9])
def test_a_stray_zero_byte_makes_no_utf16(text: str) -> None:
    assert decode(text.encode()) == (text.replace("\0", ""), "utf-8", None)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_decides_and_is_dropped(mark: bytes, encoding: str) -> None:
    assert decode(mark + CHINESE.encode(encoding)) == (CHINESE, encoding, None)


def test_a_declared_charset_decides_where_the_bytes_do_not() -> None:
    czech = "Příliš žluťoučký kůň"

    assert decode(czech.encode("cp1250"), declared="windows-1250").text == czech
    assert decode(FRENCH.encode("cp1252"), declared="ISO-8859-1").text == FRENCH
    assert decode(CHINESE.encode("gbk"), declared="gb2312").text == CHINESE


def test_utf8_wins_over_a_declaration_that_was_not_changed_when_the_page_was_saved() -> None:
    assert decode(CHINESE.encode(), declared="gbk").text == CHINESE


@pytest.mark.parametrize("declared", ["no-such-charset", "utf-16", "", "utf\0-8"])
def test_a_useless_declaration_is_ignored(declared: str) -> None:
    assert decode(FRENCH.encode("cp1252"), declared=declared).text == FRENCH


def test_a_file_cut_inside_a_character_is_read_with_a_problem() -> None:
    text, encoding, problem = decode(CHINESE.encode()[:-1])

    assert (text, encoding) == (CHINESE[:-1] + "\ufffd", "utf-8")
    assert problem == "a character could not be read as utf-8 and became \ufffd"


def test_data_that_is_no_text_is_not_forced_into_one() -> None:
    text, encoding, problem = decode(bytes(range(256)) * 8)

    assert (text, encoding) == ("", "")
    assert problem


def test_line_ends_are_made_one_and_control_characters_go() -> None:
    assert decode(b"one line\r\nb\rc\x00\x1bd\tand more").text == "one line\nb\ncd\tand more"


def test_decomposed_letters_are_composed() -> None:
    assert decode("Nguye\u0302\u0303n".encode()).text == "Nguyễn"


@given(st.binary(max_size=300), st.text(max_size=10))
def test_any_bytes_are_decoded_or_refused(data: bytes, declared: str) -> None:
    text, encoding, problem = decode(data, declared=declared)

    assert encoding or (problem and not text)
    assert clean(text) == text
    text.encode()  # no lone surrogates


@given(st.text(st.characters(categories=["L", "N", "P", "Z"]), min_size=1))
def test_utf8_is_always_recognised(text: str) -> None:
    assert decode(text.encode()).text == clean(text)
