"""Secrets and personal data are found, masked, and not found where there are none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.config import PrivacyConfig
from citewiki.model import Place, Section, Source
from citewiki.sources.finding import Finding, disjoint
from citewiki.sources.privacy import MARKS, findings, masked, masked_path, masked_text, rules

DEFAULT = PrivacyConfig()


def hide(text: str, settings: PrivacyConfig = DEFAULT) -> str:
    return masked_text(text, findings(text, settings, [rules(settings)]))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("My password is hunter2.", "hunter2"),
        ("The Wi-Fi password for guests: Sommer!2024", "Sommer!2024"),
        ("mật khẩu: Abc@1234", "Abc@1234"),
        ("数据库密码是qwe123!，请勿外传", "qwe123!"),
        ("パスワードはabc12345です", "abc12345"),
        ("contraseña: p4lomita", "p4lomita"),
        ('{"password": "whosyourdaddy"}', "whosyourdaddy"),
        ("DB_PASS=tr0ub4dor&3", "tr0ub4dor&3"),
        ("His PIN is 4821.", "4821"),
        ("Wifi: Gast / PW: Sommer2024!", "Sommer2024!"),
        ("exp 12/27 CVV 123", "123"),
        ("The password for the launch server is Xk29!pqR.", "Xk29!pqR"),
        ("password: $tr0ng!One", "$tr0ng!One"),
        ("Password: secret!2024", "secret!2024"),
        ("password: -mY.9pass", "-mY.9pass"),
        ("postgres://bob:s3cr3t@db.acme.io/x", "s3cr3t"),
    ],
)
def test_a_password_is_masked_also_when_said_in_prose(text: str, secret: str) -> None:
    shown = hide(text)
    assert secret not in shown
    assert MARKS["password"] in shown


@pytest.mark.parametrize(
    "key",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "aB3" * 12,
        "github_pat_" + "aB3_" * 11,
        "sk-ant-api03-" + "aB3-" * 8,
        "xoxb-123456789012-abcdefABCDEF",
        "AIza" + "Sy3" * 11 + "ab",
        "cw_" + "aB3" * 15,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow and the rest is cut off",
    ],
)
def test_a_key_with_its_maker_s_mark_is_masked_anywhere(key: str) -> None:
    assert hide(f"Use {key}") == f"Use {MARKS['key']}"


@pytest.mark.parametrize(
    "text",
    [
        'api_key = "AKsdf983hjfQ3hf9h3f9"',
        "SECRET_KEY=dj4ngo-insecure-8f$k3",
        "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6",
        "Postman-Token: 649dbec6-4f13-7064-67f0-11461281ceb2",
        "Authorization: Bearer 8f3kd92jf8s7",
    ],
)
def test_a_key_without_a_mark_is_masked_by_its_name_and_its_looks(text: str) -> None:
    assert hide(text).endswith((MARKS["key"], f'{MARKS["key"]}"'))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Card 4111 1111 1111 1111 please", "card"),
        ("IBAN DE89 3704 0044 0532 0130 00", "card"),
        ("SSN 123-45-6789", "identity"),
        ("身份证号 11010519491231002X", "identity"),
        ("CCCD: 001099012345", "identity"),
        ("passport number C01234567", "identity"),
        ("bob.smith+news@acme.co.uk", "email"),
        ("call +84 24 3825 3868", "phone"),
        ("tel. 024 3825 3868", "phone"),
        ("手机 13812345678", "phone"),
        ("Phone: (415) 555-2671", "phone"),
    ],
)
def test_personal_numbers_and_addresses_are_masked(text: str, kind: str) -> None:
    [found] = findings(text, DEFAULT, [rules(DEFAULT)])
    assert found.kind == kind
    assert not any(character.isdigit() or character == "@" for character in hide(text))


@pytest.mark.parametrize(
    "text",
    [
        "The password is stored hashed.",
        "Passwords must be at least 12 characters.",
        "password: required, a string",
        'token = os.environ["TOKEN"]; password = get_password()',
        '"password_env": "GMAIL_APP_PASSWORD"',
        "export API_KEY=<your key>",
        "pw = 1000, pw: f(x1, y2), license key: none, fax 2020-2021, CV 2019",
        "password: xxxxxxxx, PASSWORD=$DB_PASSWORD, pwd=${PWD1}, password=%(password)s",
        "password: your_password, password: ********, passwd: my-secret-key",
        "--- PASS: TestHeapSort (0.02s)",
        "The secret is to keep going. The key is under the mat.",
        "Card 4111-1111-1111-1112 fails its check digit.",
        "DOI 10.1145/3292500.3330701, ISBN 978-3-16-148410-0",
        "On 2026-11-30 at 12:30:45, version 1.2.3.4, 192.168.10.1",
        "user@example.com, git@github.com:a/b.git, logo@2x.png",
        "The population was 1,234,567,890 in 2011 and 1 428 627 663 in 2023.",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "Order 20261130123456 of 3.14159265358979",
    ],
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert hide(text) == text


def test_what_the_settings_call_public_stays() -> None:
    settings = PrivacyConfig(public=("Info@Acme.com",))
    assert hide("info@acme.com, ann@acme.com", settings) == f"info@acme.com, {MARKS['email']}"


def test_phones_without_a_country_count_where_a_country_is_set() -> None:
    text = "It rings at (650) 253-0000 all day."
    assert hide(text) == text
    assert MARKS["phone"] in hide(text, PrivacyConfig(phone_regions=("US",)))


def source(*sections: Section, title: str = "Notes") -> Source:
    return Source(title, "text", "text/plain", sections)


def test_findings_are_told_with_kind_place_and_confidence_and_without_their_text() -> None:
    section = Section("a", "Contact", "p. 4", "Write to ann@acme.com or bob@acme.com.")
    clean = masked(source(section), DEFAULT)
    [problem] = clean.problems
    assert problem.message == "masked: 2 × e-mail address (sure), p. 4"
    assert "@" not in str(clean)


def test_a_source_full_of_addresses_is_told_of_in_one_line() -> None:
    sections = [Section(str(n), "", f"p. {n}", f"Write to a{n}@acme.com.") for n in range(40)]
    [problem] = masked(source(*sections), DEFAULT).problems
    assert problem.message.startswith("masked: 40 × e-mail address (sure), p. 0, p. 1")
    assert problem.message.endswith("and 35 more places")


def test_what_is_kept_is_told_too() -> None:
    section = Section("a", "Contact", "p. 4", "Write to ann@acme.com.")
    clean = masked(source(section), PrivacyConfig(mask=("key",)))
    assert clean.sections == (section,)
    assert clean.problems[0].message.startswith("kept: e-mail address")


def test_titles_headings_locators_and_ids_do_not_tell_either() -> None:
    section = Section(
        "password-is-hunter2",
        "My password is hunter2",
        "§ My password is hunter2",
        "Text.",
        parents=("Card 4111 1111 1111 1111",),
        places=(Place(0, "§ My password is hunter2"),),
    )
    clean = masked(source(section, title="ann@acme.com"), DEFAULT)
    assert not any(secret in str(clean) for secret in ("hunter2", "4111", "ann@"))


def test_places_in_a_section_move_with_its_text() -> None:
    text = "ann@acme.com wrote.\n\nThe answer."
    section = Section(
        "a", "", "", text, places=(Place(0, "p. 1"), Place(text.index("The"), "p. 2"))
    )
    clean = masked(source(section), DEFAULT).sections[0]
    assert clean.text[clean.places[1].offset :] == "The answer."


def test_a_source_without_anything_private_is_the_same() -> None:
    clean = source(Section("a", "A", "§ A", "Nothing here."))
    assert masked(clean, DEFAULT) == clean


spans = st.tuples(
    st.sampled_from(["key", "email", "phone"]), st.integers(0, 40), st.integers(1, 10)
).map(lambda it: Finding(it[0], it[1], it[1] + it[2], 0.9))  # type: ignore[arg-type]


@given(st.lists(spans, max_size=12))
def test_overlapping_findings_are_one_and_none_is_left_uncovered(found: list[Finding]) -> None:
    merged = disjoint(found)
    assert all(a.end <= b.start for a, b in pairwise(merged))
    assert all(any(m.start <= f.start and f.end <= m.end for m in merged) for f in found)


@given(st.text(max_size=300))
def test_masking_what_is_masked_changes_nothing(text: str) -> None:
    once = hide(text)
    assert hide(once) == once


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("mail/bob@acme.com.eml", "mail/e-mail-address-masked.eml"),
        ("mail/bob@acme.com", "mail/e-mail-address-masked"),
        ("bob@acme.com/2024 notes@home.md", "e-mail-address-masked/2024 notes@home.md"),
        (f"keys ghp_{'aB3' * 12} old.txt", "keys key-or-token-masked old.txt"),
        ("a/2024-05-12 v1.2.3.tar.gz", "a/2024-05-12 v1.2.3.tar.gz"),
        ("Makefile", "Makefile"),
        ("./.notes.md", "./.notes.md"),
    ],
)
def test_the_name_of_a_file_tells_nothing_and_keeps_its_ending(path: str, shown: str) -> None:
    assert masked_path(path, DEFAULT) == shown
    assert masked_path(path, PrivacyConfig(mask=())) == path
