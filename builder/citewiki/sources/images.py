"""Pictures: what their metadata says of them, and the words in them where OCR is installed."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources import ocr
from citewiki.sources.about import readable_title
from citewiki.sources.encoding import decode
from citewiki.sources.entries import Entry, archive_source, joined, line, minute
from citewiki.sources.export_kinds import is_svg
from citewiki.sources.text_reader import as_markdown

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MOST_PIXELS = 100_000_000
"""Of a picture whose words are looked for; it takes 400 MB once unpacked."""

_LARGEST_PACKET = 100_000  # characters of XMP that are searched; packets have some 10,000
_EXIF = {
    0x010E: "Description",
    0x013B: "Artist",
    0x8298: "Copyright",
    0x9C9B: "Title",
    0x9C9C: "Comment",
    0x9C9E: "Keywords",
    0x9C9F: "Subject",
}
_IPTC = {5: "Title", 105: "Headline", 120: "Description", 80: "Artist", 116: "Copyright"}
_USER_COMMENT, _TAKEN, _CHANGED = 0x9286, 0x9003, 0x0132
_EXIF_IFD = 0x8769
_COMMENT_CODES = {b"ASCII\0\0\0": "ascii", b"UNICODE\0": "utf-16", b"JIS\0\0\0\0\0": "iso2022_jp"}
_XMP = re.compile(
    r"<(?P<key>dc:title|dc:description|photoshop:Headline|photoshop:CaptionWriter"
    r"|Iptc4xmpCore:AltTextAccessibility|Iptc4xmpCore:ExtDescrAccessibility|exif:UserComment"
    r"|dc:creator|dc:rights)\b[^>]*>(?P<inner>.{0,5000}?)</(?P=key)>"
    r"|(?P<attribute>photoshop:Headline|Iptc4xmpCore:AltTextAccessibility|dc:title)=\"(?P<value>[^\"]*)\"",
    re.S,
)
_SUBJECTS = re.compile(r"<dc:subject\b[^>]*>(.{0,5000}?)</dc:subject>", re.S)
_ITEM = re.compile(r"<rdf:li\b[^>]*>([^<]*)</rdf:li>")
_TAG = re.compile(r"<[^<>]*>")
_NAMES = {
    "dc:title": "Title",
    "dc:description": "Description",
    "photoshop:Headline": "Headline",
    "Iptc4xmpCore:AltTextAccessibility": "Alt text",
    "Iptc4xmpCore:ExtDescrAccessibility": "Alt text",
    "exif:UserComment": "Comment",
    "dc:creator": "Artist",
    "dc:rights": "Copyright",
    "photoshop:CaptionWriter": "",
}
_PNG = ("Title", "Description", "Caption", "Comment", "Author", "Subject", "Copyright", "Keywords")
_SAYING = frozenset(
    ("Title", "Headline", "Alt text", "Description", "Caption", "Comment", "Subject")
)
_EMPTY_SAYINGS = re.compile(
    r"\s*(?:OLYMPUS DIGITAL CAMERA|SONY DSC|DCIM\\.*|MINOLTA DIGITAL CAMERA|KONICA MINOLTA.*"
    r"|Created with .*|default|Screenshot|untitled|\W*)\s*",
    re.I,
)


def read(data: bytes, name: str) -> Source:
    """One section: what the picture's metadata says, else what stands in it.

    Raises SourceError for a picture that cannot be opened.
    """
    if is_svg(data):
        return _source(_svg(data), [], "", None, "", name, "image/svg+xml")
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about size and damaged metadata
        try:
            with Image.open(io.BytesIO(data)) as image:
                facts = _facts(image)
                tags = _keywords(image)
                taken = _taken(image)
                words, why = ("", "") if facts.keys() & _SAYING else _words(image)
                kind = Image.MIME.get(image.format or "", "image/*")
        except UnidentifiedImageError as error:
            raise SourceError(name, "the picture cannot be read") from error
        except Image.DecompressionBombError as error:
            raise SourceError(name, "the picture has too many pixels") from error
        except (OSError, ValueError, SyntaxError, EOFError, KeyError, TypeError) as error:
            # Pillow raises all of these for damaged files.
            raise SourceError(name, f"the picture is damaged ({error})") from error
    return _source(facts, tags, words, taken, why, name, kind)


def _source(
    facts: dict[str, str],
    tags: list[str],
    words: str,
    taken: datetime | None,
    why: str,
    name: str,
    media_type: str,
) -> Source:
    title = facts.get("Title") or facts.get("Headline") or readable_title(name)
    saying = {key: value for key, value in facts.items() if key in _SAYING}
    blocks = [
        f"{key}: {value}" for key, value in facts.items() if key != "Title" or len(saying) == 1
    ]
    blocks += [f"Words in the picture:\n\n{as_markdown(words)}"] if words else []
    locator = joined(f"picture “{name}”", f"taken {minute(taken)}" if taken else "")
    entry = Entry(title, "\n\n".join(blocks), locator, date=taken, key="picture", tags=tuple(tags))
    if not saying and not words:
        reason = f"the picture has no caption, alt text or description; {why}"
        entry = Entry(
            title, "", locator, key="picture", status="no_text", reason=reason.rstrip("; ")
        )
    return archive_source(
        [entry],
        name,
        reader="image",
        media_type=media_type,
        authority="unknown",
        title=title,
        author=facts.get("Artist", ""),
    )


def _words(image: ImageFile) -> tuple[str, str]:
    """The words in a picture; or why none could be read."""
    if not ocr.is_installed():
        return "", ocr.MISSING
    if image.width * image.height > MOST_PIXELS:
        return "", f"it has more than {MOST_PIXELS // 1_000_000} million pixels, too many for OCR"
    shown = image.convert("RGB")
    found = ocr.text_of(shown)
    return (
        (found.strip(), "and OCR finds no words in it") if found is not None else ("", "OCR failed")
    )


def _facts(image: ImageFile) -> dict[str, str]:
    """What the metadata says, by what it is; the first of equal names wins."""
    found: dict[str, str] = {}
    for key, value in (*_xmp(image), *_iptc(image), *_exif(image), *_png(image)):
        value = line(value).strip("\0 ")
        if key and value and not _EMPTY_SAYINGS.fullmatch(value) and value not in found.values():
            found.setdefault(key, value)
    return found


def _iptc(image: ImageFile) -> Iterator[tuple[str, str]]:
    """What press agencies write: IPTC-IIM records of JPEG and TIFF files."""
    from PIL import IptcImagePlugin

    found = IptcImagePlugin.getiptcinfo(image) or {}
    for number, key in _IPTC.items():
        value = found.get((2, number))
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, bytes):
            yield key, decode(value).text


def _exif(image: ImageFile) -> Iterator[tuple[str, str]]:
    exif = image.getexif()
    for tag, key in _EXIF.items():
        value = exif.get(tag)
        if isinstance(value, bytes | tuple):  # the tags of Windows Explorer are UTF-16
            yield key, bytes(value).decode("utf-16-le", errors="ignore")
        elif value is not None and key != "Keywords":
            yield key, _fixed(str(value))
    comment = exif.get_ifd(_EXIF_IFD).get(_USER_COMMENT)
    if isinstance(comment, bytes):
        code = _COMMENT_CODES.get(comment[:8])
        body = comment[8:] if code or comment[:8] == bytes(8) else comment
        yield "Comment", body.decode(code, errors="ignore") if code else decode(body).text
    elif isinstance(comment, str):
        yield "Comment", comment


def _fixed(text: str) -> str:
    """Text that a camera or program wrote in another encoding than Latin-1."""
    try:
        return decode(text.encode("latin-1")).text or text
    except UnicodeEncodeError:
        return text


def _png(image: ImageFile) -> Iterator[tuple[str, str]]:
    """Texts of PNG and GIF files."""
    for key in _PNG:
        for name in (key, key.lower()):
            if isinstance(value := image.info.get(name), str | bytes):
                yield key, value if isinstance(value, str) else decode(value).text


def _packet(image: ImageFile) -> str:
    packet = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp") or b""
    text = packet.decode("utf-8", errors="replace") if isinstance(packet, bytes) else str(packet)
    return text[:_LARGEST_PACKET]


def _xmp(image: ImageFile) -> Iterator[tuple[str, str]]:
    """Texts of the XMP packet, found without a parser: packets are often cut or ill-formed."""
    from html import unescape

    for found in _XMP.finditer(_packet(image)):
        name = _NAMES[found["key"] or found["attribute"]]
        items = _ITEM.findall(found["inner"] or "")
        text = found["value"] or (items[0] if items else _TAG.sub("", found["inner"] or ""))
        yield name, unescape(text)


def _keywords(image: ImageFile) -> list[str]:
    from html import unescape

    found = _SUBJECTS.search(_packet(image))
    return [unescape(line(item)) for item in _ITEM.findall(found[1])] if found else []


def _taken(image: ImageFile) -> datetime | None:
    """When the picture was taken, by the camera's clock, whose zone is not told."""
    exif = image.getexif()
    for value in (exif.get_ifd(_EXIF_IFD).get(_TAKEN), exif.get(_CHANGED)):
        try:
            return datetime.strptime(str(value).strip("\0 "), "%Y:%m:%d %H:%M:%S").replace(
                tzinfo=UTC
            )
        except ValueError:
            continue
    return None


def _svg(data: bytes) -> dict[str, str]:
    """The title, description and words of a drawing."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return {}
    found: dict[str, Any] = {}
    for element in root.iter() if root is not None else ():
        tag = str(element.tag).rpartition("}")[2]
        text = line("".join(element.itertext())) if tag in ("title", "desc", "text") else ""
        if text and tag == "text":
            found["Description"] = joined(found.get("Description", ""), text, by=" · ")
        elif text:
            found.setdefault("Title" if tag == "title" else "Description", text)
    return found
