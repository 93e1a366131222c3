"""What wiki/index.md brings to the site: a person's words."""

from __future__ import annotations

from pathlib import Path

from citewiki.markdown import frontmatter
from citewiki.site.model import SiteModel
from citewiki.store.catalog import INDEX_MARK


def home_text(model: SiteModel) -> str:
    """Markdown for the top of the home page: of wiki/index.md, what the program did not write.

    The list below the program's mark names every page, hidden ones too, and is not shown; the
    site makes its own. A person's words have no date: a snapshot goes without.
    """
    text = "" if model.is_snapshot else _read(model.wiki / "index.md")
    own = text.split(INDEX_MARK)[0].strip()
    return "" if own == "# Index" else own


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
    return frontmatter.split(text)[1]
