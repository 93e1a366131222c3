"""What kind of file bytes are: by their first bytes and their markup, then by the file's name."""

from __future__ import annotations

import mimetypes
import re
from pathlib import PurePath

from citewiki.markdown import frontmatter
from citewiki.sources.archive import Archive
from citewiki.sources.encoding import is_binary

# First bytes of what cannot be read, as (offset, bytes, media type).
_SIGNATURES = (
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),  # .doc .xls .ppt .msg
    (0, b"{\\rtf", "application/rtf"),
    (0, b"%!PS", "application/postscript"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftyp", "video/mp4"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\x7fELF", "application/x-executable"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_OFFICE = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".epub": "application/epub+zip",
}
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.I | re.S,
)
_META_CHARSET = re.compile(rb"<meta\b[^>]{0,400}?\bcharset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.I)
_XML_ENCODING = re.compile(rb"^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]{2,40})", re.I)
_ATX_HEADING = re.compile(r"^#{1,6} +\S", re.M)
_ORG = re.compile(
    r"^#\+(?:title|author|startup|options|filetags|property|begin_src|begin_quote|begin_example)\b",
    re.I | re.M,
)
_RST = re.compile(r"^\.\. (?:[a-z][\w:-]*::(?:\s|$)|_[^:\n]{1,80}:(?:\s|$)|\[[\w#*]+\] )", re.M)
_MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")
TABLE_SUFFIXES = (".csv", ".tsv", ".tab")
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")


def is_pdf(data: bytes, name: str) -> bool:
    """Whether the header stands at the start, or as late as readers allow (1,024 bytes)."""
    if data.startswith(b"%PDF-"):
        return True
    return b"%PDF-" in data[:1024] and (name.lower().endswith(".pdf") or b"%%EOF" in data[-1024:])


def is_epub(archive: Archive, name: str) -> bool:
    return "META-INF/container.xml" in archive


def is_docx(archive: Archive, name: str) -> bool:
    return "word/document.xml" in archive


def is_pptx(archive: Archive, name: str) -> bool:
    return "ppt/presentation.xml" in archive


def is_xlsx(archive: Archive, name: str) -> bool:
    return "xl/workbook.xml" in archive


def is_odt(archive: Archive, name: str) -> bool:
    """OpenDocument text, of which templates are a kind."""
    if "mimetype" not in archive or "content.xml" not in archive:
        return False
    return archive.read("mimetype").startswith(b"application/vnd.oasis.opendocument.text")


def is_rtf(data: bytes, name: str) -> bool:
    return data.lstrip()[:5] == b"{\\rtf"


def binary_type(data: bytes, name: str) -> str:
    """The media type of a file that is known not to be text; "" when it may be text."""
    for offset, signature, media_type in _SIGNATURES:
        if not data.startswith(signature, offset):
            continue
        if is_binary(data) or not signature.isalnum():  # a text may begin with "ID3" or "GIF8" too
            return _OFFICE.get(PurePath(name).suffix.lower(), media_type)
    return ""


def is_encrypted_office(data: bytes) -> bool:
    """Whether it is an office file with a password: a container of the old kind around it."""
    return data.startswith(b"\xd0\xcf\x11\xe0") and _ENCRYPTED_PACKAGE in data


def guessed_type(name: str) -> str:
    """The media type that a file's name suggests, for files whose content says nothing."""
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def declared_charset(data: bytes) -> str:
    """The charset that a page names in its first bytes; "" when it names none."""
    found = _XML_ENCODING.search(data[:1024]) or _META_CHARSET.search(data[:8192])
    return found[1].decode("ascii") if found else ""


def anything(content: object, name: str) -> bool:
    """For kinds that only reading can tell."""
    return True


def is_html(text: str, name: str) -> bool:
    """Markup first; the name decides for fragments, as Markdown may begin with a tag too."""
    return bool(_HTML.match(text[:4096])) or name.lower().endswith(_HTML_SUFFIXES)


def is_markdown(text: str, name: str) -> bool:
    """Front matter, two headings, or the name; plain text has `#` lines only by accident."""
    if name.lower().endswith(_MARKDOWN_SUFFIXES):
        return True
    return frontmatter.split(text)[0] is not None or len(_ATX_HEADING.findall(text)) >= 2


def is_org(text: str, name: str) -> bool:
    """The name, or keywords that only Org has."""
    return name.lower().endswith(".org") or bool(_ORG.search(text[:20_000]))


def is_rst(text: str, name: str) -> bool:
    """The name, or a directive or target of reStructuredText in a text without Markdown."""
    if name.lower().endswith((".rst", ".rest")):
        return True
    return bool(_RST.search(text[:50_000])) and not is_markdown(text, name)


def may_be_csv(text: str, name: str) -> bool:
    """Whether it may be a table of values; only parsing can tell."""
    return not name.lower().endswith(_MARKDOWN_SUFFIXES)


def advice(media_type: str) -> str:
    """What to do with a file of a kind that cannot be read; "" when nothing would help."""
    if media_type.startswith("image/"):
        return "run OCR on it and ingest the text"
    if media_type in _OFFICE.values() or media_type in (
        "application/rtf",
        "application/x-ole-storage",
    ):
        return "save it as PDF, HTML or Markdown"
    return ""
