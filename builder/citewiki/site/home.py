"""What wiki/index.md and wiki/log.md bring to the site: a person's words, and the wiki's news."""

from __future__ import annotations

from pathlib import Path

from citewiki.markdown import frontmatter
from citewiki.site.model import SiteModel
from citewiki.store.catalog import INDEX_MARK


def home_text(wiki: Path) -> str:
    """Markdown for the top of the home page: of wiki/index.md, what the program did not write.

    The list below the program's mark names every page, hidden ones too, and is not shown; the
    site makes its own.
    """
    text = _read(wiki / "index.md")
    own = text.split(INDEX_MARK)[0].strip()
    return "" if own == "# Index" else own


def log_text(model: SiteModel) -> str:
    """Markdown of wiki/log.md; "" when the wiki holds a page that the viewer may not see.

    The log names pages; where any is hidden, no line of it can be shown.
    """
    return "" if model.hides_pages else _read(model.wiki / "log.md")


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
    return frontmatter.split(text)[1]
