"""Mails and mailboxes: threads, their own words, attachments, and the encodings people meet."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Source
from citewiki.sources.mail import parse_mail
from citewiki.sources.mail_quotes import without_repeats
from citewiki.sources.mail_reader import read
from citewiki.sources.read import read_bytes


def mail(text: str, *, id: str = "1", **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = headers.pop("sender", "Alice <a@x.org>")
    message["Date"] = headers.pop("date", "Wed, 01 May 2024 10:31:00 +0200")
    message["Subject"] = headers.pop("subject", "Which index?")
    message["Message-ID"] = f"<{id}@x.org>"
    for key, value in headers.items():
        message[key.replace("_", "-")] = value
    message.set_content(text)
    return message


def box(*mails: EmailMessage, line_end: bytes = b"\n") -> Source:
    data = b"".join(
        b"From x@x.org Wed May  1 10:31:00 2024\n" + mail.as_bytes() + b"\n" for mail in mails
    )
    return read_bytes(data.replace(b"\n", line_end), "team.mbox")


def raw(headers: str, body: bytes) -> Source:
    return read_bytes(headers.encode() + b"\n\n" + body, "a.eml")


def test_a_thread_is_one_section_with_a_place_for_every_mail() -> None:
    answer = mail(
        "Tantivy is right.\n\nOn Wed, 1 May 2024 at 10:31, Alice\n<a@x.org> wrote:\n> Which one?\n",
        id="2",
        sender="Bob <b@x.org>",
        subject="Re: Which index?",
        date="Thu, 02 May 2024 08:00:00 +0000",
        In_Reply_To="<1@x.org>",
    )

    source = box(mail("Which one?\n\n-- \nAlice\nHead of things\n"), answer)

    (section,) = source.sections
    assert section.title == "Which index?"
    assert section.text == (
        "**Alice** (2024-05-01 08:31):\n\nWhich one?\n\n"
        "**Bob** (2024-05-02 08:00):\n\nTantivy is right."
    )
    assert [place.label for place in section.places] == [
        "2024-05-01 08:31, Alice",
        "2024-05-02 08:00, Bob",
    ]
    assert f"{section.date:%Y-%m-%d}" == "2024-05-02"
    assert section.id == "which-index-2024-05-01"


def test_an_answer_without_references_joins_the_thread_of_its_subject() -> None:
    source = box(
        mail("One."),
        mail("Another.", id="2", subject="Lunch"),
        mail("Two.", id="3", subject="AW: Which index?"),
        mail("Three.", id="4", subject="Which index?"),  # no answer: a new thread
    )

    assert [section.text.count("**Alice**") for section in source.sections] == [2, 1, 1]


def test_threads_stay_together_when_the_mail_that_started_them_is_missing() -> None:
    references = "<gone@x.org>"

    source = box(mail("One.", References=references), mail("Two.", id="2", References=references))

    assert len(source.sections) == 1


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_a_line_that_begins_with_from_does_not_end_a_mail(line_end: bytes) -> None:
    text = "Before.\n\nFrom here on all is decided.\n\n>From the desk of Bob."

    (section,) = box(mail(text), line_end=line_end).sections

    assert "From here on all is decided." in section.text
    assert "\nFrom the desk of Bob." in section.text


def test_the_same_mail_twice_is_read_once_and_said() -> None:
    source = box(mail("One."), mail("One."))

    assert len(source.sections) == 1
    assert source.sections[0].text.count("One.") == 1
    assert [problem.code for problem in source.problems] == ["repeated"]


def test_attachments_are_named_and_attached_texts_are_read() -> None:
    message = mail("See the files.")
    message.add_attachment("k is 60\n", filename="notes.txt")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="Bài 1.pdf")

    (section,) = box(message).sections

    assert "Attached: notes.txt (text/plain, 8 bytes), Bài 1.pdf (application/pdf, 5 bytes)." in (
        section.text
    )
    assert section.text.endswith("From the attached notes.txt:\n\nk is 60")


def test_a_forwarded_mail_is_read_with_the_one_that_brings_it() -> None:
    message = mail("Please read this.")
    message.add_attachment(mail("The constant is 60.", subject="Constants", id="9"))

    (section,) = box(message).sections

    assert "From the attached Constants:\n\nThe constant is 60." in section.text


def test_html_is_read_where_there_is_no_plain_text_worth_reading() -> None:
    message = mail("Your program cannot show this mail.")
    words = "We meet at the old house, and the list of guests is on the table in the hall. " * 3
    message.add_alternative(
        f"<html><body><p>{words}See <a href='https://x.org/map'>the map</a>.</p>"
        "<div class='gmail_quote'>Older words.</div><img src='https://x.org/pixel.gif'></body></html>",
        subtype="html",
    )

    (section,) = box(message).sections

    assert "See [the map](https://x.org/map)." in section.text
    assert "Older words" not in section.text
    assert "pixel" not in section.text


@pytest.mark.parametrize(
    ("charset", "declared"),
    [("gbk", "gb2312"), ("shift_jis", "iso-2022-jp"), ("utf-8", "us-ascii"), ("gbk", "nonsense")],
)
def test_a_body_in_another_encoding_than_it_says_is_read(charset: str, declared: str) -> None:
    words = {"gbk": "检索很快，效果很好。", "shift_jis": "検索はとても速いです。", "utf-8": "Grüße"}
    headers = f"From: a@x.org\nDate: Wed, 01 May 2024 10:31:00 +0200\nMessage-ID: <1@x>\nContent-Type: text/plain; charset={declared}"

    (section,) = raw(headers, words[charset].encode(charset)).sections

    assert words[charset] in section.text


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("=?gb2312?B?suLK1A==?=", "测试"),
        ("=?utf-8?Q?Gr=C3=BC?= =?utf-8?Q?=C3=9Fe?=", "Grüße"),
        ("=?utf-8?B?w?= cut", "=?utf-8?B?w?= cut"),
        ("Re: Fwd: AW: 回复：Which index?", "Which index?"),
    ],
)
def test_subjects_are_decoded(subject: str, title: str) -> None:
    headers = f"From: a@x.org\nDate: x\nMessage-ID: <1@x>\nSubject: {subject}"

    assert raw(headers, b"Words of the mail.").sections[0].title == title


def test_a_mail_that_only_the_right_person_can_open_says_so() -> None:
    headers = (
        "From: a@x.org\nDate: Wed, 01 May 2024 10:31:00 +0200\nSubject: Secret\nMIME-Version: 1.0\n"
        "Content-Type: multipart/encrypted; boundary=b"
    )

    (section,) = raw(headers, b"--b\nContent-Type: application/octet-stream\n\nx\n--b--").sections

    assert (section.status, section.title) == ("encrypted", "Secret")


def test_spam_is_accounted_for_and_not_compiled() -> None:
    (section,) = box(mail("Buy now.", X_Gmail_Labels="Spam,Unread")).sections

    assert (section.status, section.reason) == ("skipped", "the mail lies in spam")


@pytest.mark.parametrize(
    "text",
    [
        "Own words.\n\nOn 1 May, Bob wrote:\n> old\n> older\n",
        "Own words.\n\nAm 01.05.24 um 10:31 schrieb Bob:\n> alt\n",
        "Own words.\n\n-----Original Message-----\nFrom: Bob\n\nold\n",
        "Own words.\n\nFrom: Bob\nSent: Monday\nTo: Alice\nSubject: x\n\nold\n",
        "Own words.\n\n在 2024年5月1日，Bob 写道：\n> 旧\n",
        "Own words.\n\n-- \nAlice\nHead of things\n",
        "Own words.\n\nSent from my iPhone\n",
        "Own words.\n\n_______________________________________________\nDev mailing list\nhttps://x.org\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nOwn words.\n-----BEGIN PGP SIGNATURE-----\n\nxyz\n-----END PGP SIGNATURE-----\n",
        "> old\n> older\n\nOwn words.\n",
    ],
)
def test_what_a_mail_repeats_and_appends_is_cut(text: str) -> None:
    assert without_repeats(text, parent_known=True) == "Own words."


def test_a_question_stays_between_the_answers_when_its_mail_is_not_there() -> None:
    text = "> Which index?\n\nTantivy.\n\n> And why?\n\nIt is quick."

    assert without_repeats(text, parent_known=False) == text


def test_a_mail_that_is_only_a_quote_stays_whole() -> None:
    assert without_repeats("> All there is.", parent_known=True) == "> All there is."


@pytest.mark.parametrize(
    "text",
    [
        "From: the desk of Alice\n\nDear all, we meet at noon.",
        "Date: 2024-05-01\nAuthor: Alice\n\nA text with its own heads.",
        "From now on we meet at noon.\nSubject: to change.",
    ],
)
def test_texts_that_look_a_little_like_mails_are_texts(text: str) -> None:
    assert read_bytes(text.encode(), "notes.txt").reader == "text"


@given(st.binary(max_size=400))
def test_no_bytes_after_the_headers_crash_the_reader(data: bytes) -> None:
    head = b"From a Wed\nFrom: a@x.org\nContent-Type: multipart/mixed; boundary=b\nSubject: "

    assert read(head + data, "a.mbox").sections


@given(
    st.lists(
        st.sampled_from(
            [
                "Content-Type: text/plain; charset=",
                "Content-Type: multipart/mixed; boundary=b",
                "Content-Transfer-Encoding: base64",
                "Content-Disposition: attachment; filename*=utf-8''%ff%zz",
                'Content-Type: text/html; charset="=?x?q?y?="',
                "Date: Thu, 99 Foo 10000 99:99:99 +9999",
                "From: =?utf-8?B?////?= <<>>, @@",
                "References: <a> <a> <b@> <",
                "Message-ID: <a>",
                "",
                "--b",
                "--b--",
                "=?=",
                "PGI+aGk8L2I+",
                "begin 644 x",
            ]
        ),
        max_size=14,
    )
)
def test_no_order_of_odd_lines_crashes_the_parser(lines: list[str]) -> None:
    parse_mail("\n".join(lines).encode())
