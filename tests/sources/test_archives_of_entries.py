"""Diaries, notes, posts, feeds and pictures: an archive is a source, an entry a section."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from citewiki.model import Source
from citewiki.sources import ocr
from citewiki.sources.html_fragment import fragment_markdown
from citewiki.sources.read import read_bytes
from citewiki.sources.vault_links import Titles, linked
from tests import exports
from tests.exports import FUSION, HASH, OTHER, zipped


def read(data: Any, name: str) -> Source:
    if not isinstance(data, str | bytes):
        data = json.dumps(data)
    return read_bytes(data.encode() if isinstance(data, str) else data, name)


def test_a_diary_entry_keeps_its_date_tags_place_and_pictures() -> None:
    export = exports.dayone()
    export["Journal.json"]["entries"][0]["location"] = {
        "placeName": "Hoan Kiem",
        "country": "Vietnam",
    }

    first, second, rest = read(zipped(export), "journal.zip").sections

    assert (first.title, first.tags, f"{first.date:%Y-%m-%d}") == (
        "Fusion",
        ("search",),
        "2026-05-01",
    )
    assert first.text == f"{FUSION}\n\nPlace: Hoan Kiem, Vietnam.\n\nPictures: The board (ff.jpeg)."
    assert first.locator == "entry of 2026-05-01 17:31, Journal"
    assert (second.title, second.text) == (OTHER.rstrip("."), OTHER)
    assert (rest.status, rest.reason) == (
        "skipped",
        "another file of the archive: pictures and recordings, named where they belong (photos/ff.jpeg)",
    )


def test_a_diary_entry_with_only_rich_text_is_read() -> None:
    rich = json.dumps({"contents": [{"text": "Words "}, {"text": "of mine."}]})
    data = {"entries": [{"uuid": "1", "creationDate": "2026-05-01T10:31:00Z", "richText": rich}]}

    assert read(data, "Journal.json").sections[0].text == "Words of mine."


def test_apple_notes_are_sections_and_deleted_ones_are_skipped() -> None:
    export = exports.apple_notes()
    export["iCloud Notes/Recently Deleted/Old/Old.txt"] = "Old\n\nGone.\n"

    fusion, shelves, old, rest = read(zipped(export), "notes.zip").sections

    assert (fusion.title, fusion.text) == ("Fusion", FUSION)
    assert shelves.locator == "iCloud Notes › Home › Shelves"
    assert (old.status, rest.status) == ("skipped", "skipped")


def test_notion_pages_link_one_another_by_title() -> None:
    home, fusion, lists = read(zipped(exports.notion()), "notion.zip").sections

    assert (home.title, home.text) == ("Home", f"See [[Fusion]]. {OTHER}")
    assert (fusion.locator, fusion.tags) == ("Home › Fusion", ("search",))
    assert fusion.text == f"- Tags: search\n\n{FUSION}"
    assert lists.locator == "Home › Lists (database)"
    assert lists.text == (
        "| Name | Status |\n| --- | --- |\n| [[Fusion]] | Done |\n| Borda | Open |"
    )


def test_notion_pages_in_html_link_one_another_too() -> None:
    pages = {
        f"Home {HASH}.html": f"<html><head><title>Home</title></head><body><h1>Home</h1><p>See "
        f'<a href="Home%20{HASH}/A%20%26%20B%20{HASH}.html">that</a>.</p></body></html>',
        f"Home {HASH}/A & B {HASH}.html": "<title>A &amp; B</title><p>Words.</p>",
    }

    home, other = read(zipped(pages), "notion.zip").sections

    assert (home.title, home.text) == ("Home", "See [[A & B|that]].")
    assert (other.title, other.text) == ("A & B", "Words.")


def test_of_two_tables_of_a_notion_database_the_whole_one_is_read() -> None:
    tables = {f"L {HASH}.csv": "Name\nOne\n", f"L {HASH}_all.csv": "Name\nOne\nTwo\n"}

    (section,) = read(zipped(tables), "notion.zip").sections

    assert section.text.endswith("| Two |")


def test_a_vault_keeps_its_links_names_and_arrows() -> None:
    fusion, plan, rest = read(zipped(exports.vault()), "vault.zip").sections

    assert (fusion.title, fusion.aliases, fusion.tags) == ("Fusion", ("RRF",), ("search",))
    assert fusion.text == f"{FUSION}\n\nSee [[Plan]]."
    assert plan.text == (
        f"[[Fusion]]\n\n## Ranking\n\n{FUSION}\n\n## Arrows\n\n"
        "- Reciprocal rank fusion merges ranked lists without… → [[Fusion]]: is told in"
    )
    assert "board.png" in rest.reason


def test_a_note_goes_by_its_title_and_by_the_name_of_its_file() -> None:
    notes = {"a/rrf.md": f"---\ntitle: Rank fusion\n---\n# Fusing ranks\n\n{FUSION}\n\n## Why\n\nx"}

    (section,) = read(zipped(notes), "vault.zip").sections

    assert (section.title, section.aliases) == ("Rank fusion", ("Fusing ranks", "rrf"))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[x](b%20c.md)", "[[Title B|x]]"),
        ("[Title B](../n/b%20c.md#part)", "[[Title B]]"),
        ("[[n/b c]]", "[[Title B]]"),
        ("[[n/b c#Part|x]]", "[[Title B#Part|x]]"),
        ("[[b c]] [x](https://x.org/b%20c.md) `[x](b%20c.md)`", None),
        ("[x](gone.md) ![x](b%20c.md)", None),
    ],
)
def test_links_between_files_become_links_between_pages(written: str, shown: str | None) -> None:
    assert linked(written, "n/a.md", Titles({"n/b c.md": "Title B"})) == (shown or written)


def test_a_file_in_a_folder_of_notes_that_has_a_reader_is_read_too() -> None:
    files = {"a.md": OTHER, "talk/fusion.eml": exports.eml(), "broken.pdf": b"%PDF-1.4 x"}

    note, mail, pdf = read(zipped(files), "folder.zip").sections

    assert note.text == OTHER
    assert mail.locator == "talk › fusion, 2026-05-01 10:31, Alice"
    assert (pdf.title, pdf.status) == ("Broken", "unreadable")


def test_a_thread_of_tweets_is_a_section_and_retweets_are_counted() -> None:
    thread, rest, retweets = read(zipped(exports.twitter()), "twitter.zip").sections

    assert thread.text.startswith(f"{FUSION[:60]} https://x.org/paper\n\n")
    assert [place.label for place in thread.places] == [
        "2026-05-01 10:31, https://x.com/me/status/1",
        "2026-05-01 10:33, https://x.com/me/status/2",
    ]
    assert "data/like.js" in rest.reason
    assert retweets.reason == "a retweet: the words of others, and left out"


def test_a_long_tweet_has_all_of_its_text() -> None:
    whole = f"{FUSION} {OTHER} " * 3
    tweet = {"id_str": "1", "full_text": f"{whole[:270]}… https://t.co/x"}
    files = {
        "data/tweets.js": f"window.YTD.tweets.part0 = {json.dumps([{'tweet': tweet}])}",
        "data/note-tweet.js": "window.YTD.note_tweet.part0 = "
        + json.dumps([{"noteTweet": {"core": {"text": whole}}}]),
    }

    assert read(zipped(files), "twitter.zip").sections[0].text == whole.strip()


def test_the_other_scripts_of_a_twitter_archive_make_no_pages() -> None:
    (section,) = read("window.YTD.like.part0 = [ {} ]", "like.js").sections

    assert section.status == "skipped"


def test_an_entry_of_a_feed_is_clean_dated_and_linked() -> None:
    atom = (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>A &amp;amp; B</title>'
        "<entry><title>One</title><id>1</id><link href='https://x.org/1'/>"
        "<published>2023-05-01T10:31:00Z</published><updated>2024-05-01T10:31:00Z</updated>"
        "<category term='search'/><content type='html'>&lt;p&gt;Body &lt;a href='https://y.org'&gt;"
        "link&lt;/a&gt;.&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;&lt;ul&gt;&lt;li&gt;x&lt;/ul&gt;"
        "</content></entry></feed>"
    )

    source = read(atom, "feed")
    (section,) = source.sections

    assert (source.title, source.reader, source.media_type) == (
        "A & B",
        "feed",
        "application/atom+xml",
    )
    assert section.text == "Body [link](https://y.org).\n\n- x"
    assert section.locator == "entry of 2023-05-01, https://x.org/1"
    assert (f"{section.date:%Y}", section.tags) == ("2024", ("search",))


def test_a_json_feed_is_a_feed() -> None:
    item = {"id": "1", "url": "https://x.org/1", "content_html": f"<p>{FUSION}</p>"}
    data = {"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [item]}

    (section,) = read(data, "feed.json").sections

    assert (section.text, section.locator) == (FUSION, "https://x.org/1")


def test_a_picture_tells_what_its_metadata_say() -> None:
    image = Image.new("RGB", (8, 8))
    exif = image.getexif()
    exif[0x010E], exif[0x0132] = "A lighthouse at dusk", "2024:05:01 10:31:00"
    exif[0x9C9C] = "Đèn biển\0".encode("utf-16-le")
    xmp = (
        b"<x:xmpmeta><rdf:Description photoshop:Headline='no'><dc:subject><rdf:Bag><rdf:li>sea</rdf:li>"
        b"</rdf:Bag></dc:subject><Iptc4xmpCore:AltTextAccessibility><rdf:Alt><rdf:li xml:lang='en'>"
        b"A white tower</rdf:li></rdf:Alt></Iptc4xmpCore:AltTextAccessibility></rdf:Description>"
    )
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", exif=exif, xmp=xmp)

    source = read(buffer.getvalue(), "IMG_1.jpg")
    (section,) = source.sections

    assert section.text == (
        "Alt text: A white tower\n\nDescription: A lighthouse at dusk\n\nComment: Đèn biển"
    )
    assert section.locator == "picture “IMG_1.jpg”, taken 2024-05-01 10:31"
    assert section.tags == ("sea",)


@pytest.mark.skipif(ocr.is_installed(), reason="its words would be read")
def test_a_picture_without_words_says_what_is_missing() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, "PNG")

    (section,) = read(buffer.getvalue(), "IMG_1.png").sections

    assert section.status == "no_text"
    assert "OCR is not installed" in section.reason


def test_a_drawing_is_read_without_entities() -> None:
    svg = (
        '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        '<svg xmlns="http://www.w3.org/2000/svg"><title>Flow</title><desc>How pages flow. &x;</desc></svg>'
    )

    assert (
        read(svg.replace('[<!ENTITY x SYSTEM "file:///etc/passwd">]', ""), "f.svg").title == "Flow"
    )
    assert "root:" not in str(read(svg, "f.svg").sections)


def test_html_in_entries_keeps_links_and_lists() -> None:
    html = "<p>See <a href='https://x.org'>this</a> &amp; <b>that</b>.<ul><li>one<li>two</ul>"

    assert fragment_markdown(html) == "See [this](https://x.org) & that.\n\n- one\n\n- two"
    assert fragment_markdown("1 &lt; 2") == "1 < 2"


def test_html_nested_too_deep_keeps_its_words() -> None:
    assert fragment_markdown("<div>" * 20_000 + "Words of the entry.") == "Words of the entry."
    assert fragment_markdown("<p><style>p {}</style></p>") == ""


KEYS = (
    "entries uuid creationDate text tags photos location nodes edges type x id label fromNode toNode"
    " file tweet full_text id_str created_at entities urls url expanded_url version items content_html"
    " header title time safeHtmlItem html messages sender_name timestamp_ms content envelope"
).split()
VALUES = [
    "text",
    "file",
    "group",
    "1",
    "",
    "https://jsonfeed.org/version/1",
    "2026-05-01T10:31:00Z",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@example({"nodes": [{"type": [], "x": 0}]}, "")
@given(JSON, st.sampled_from(["entries", "nodes", "items", "messages", "tweets", ""]))
@settings(max_examples=200)
def test_no_json_crashes_a_reader_of_exports(data: Any, holder: str) -> None:
    if holder == "tweets":
        text = f"window.YTD.tweets.part0 = {json.dumps(data)}"
    else:
        version = "https://jsonfeed.org/version/1"
        text = json.dumps({holder: data, "version": version} if holder else data)
    source = read_bytes(text.encode(), "export.json")

    assert source.sections
    assert all(bool(s.reason) == (s.status != "pending") for s in source.sections)


NAMES = st.sampled_from(
    ["conversations.json", "users.json", "general/2026-05-01.json", "data/tweets.js", "Journal.json",
     "result.json", f"Page {HASH}.md", f"Table {HASH}_all.csv", "a.canvas", "inner.zip", "x.html",
     "ExportBlock-00000000-Part-1.zip", "messages/c1/messages.json", "_chat.txt", "a.md", "photos/a.jpg"]
)  # fmt: skip
CONTENTS = st.binary(max_size=30) | st.sampled_from(
    [b"{}", b"[]", b"[{}]", b"null", b'{"entries": [1, {}]}', b'{"nodes": [{"type": "text", "x": 0}]}',
     b"a,b\n1,2,3\n", b"# T\n\n[x](a.md) [[b/a]]", b"PK\x03\x04", b"window.YTD.tweets.part0 = [{}]"]
)  # fmt: skip


@given(st.dictionaries(NAMES, CONTENTS, min_size=1, max_size=6))
@settings(max_examples=150)
def test_no_archive_crashes_a_reader_and_each_says_what_became_of_it(
    files: dict[str, bytes],
) -> None:
    source = read_bytes(zipped(files), "export.zip")

    assert source.sections
    assert len({s.id for s in source.sections}) == len(source.sections)
    assert all(bool(s.reason) == (s.status != "pending") for s in source.sections)


PARSED = {
    "chatgpt": exports.chatgpt(),
    "claude": exports.claude(),
    "gemini": exports.gemini(),
    "discord": exports.discord(),
    "telegram": exports.telegram(),
    "messenger": exports.messenger(),
    "day one": exports.dayone()["Journal.json"],
    "canvas": exports.canvas(),
    "tweets": json.loads(exports.tweets().partition(" = ")[2]),
}


ODD = [None, "", 0, -1.5, [], {}, "x", [None], True, 1e300]


def places(value: Any) -> list[tuple[Any, Any]]:
    """(holder, key) of all values inside a value."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            pairs += [(value, key), *places(value[key])]
    return pairs


@given(
    st.sampled_from(sorted(PARSED)),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, len(ODD) - 1)), max_size=3),
)
@settings(max_examples=200)
def test_an_export_with_odd_values_is_read_without_a_crash(
    kind: str, changes: list[tuple[int, int]]
) -> None:
    data = json.loads(json.dumps(PARSED[kind]))
    for number, odd in changes:
        if found := places(data):
            holder, key = found[number % len(found)]
            holder[key] = json.loads(json.dumps(ODD[odd]))
    text = json.dumps(data)
    text = f"window.YTD.tweets.part0 = {text}" if kind == "tweets" else text
    source = read_bytes(text.encode(), "export.json")

    assert source.sections
    assert all(bool(s.reason) == (s.status != "pending") for s in source.sections)
