"""Markdown, with the front matter of Jekyll, Hugo and Obsidian."""

from __future__ import annotations

from citewiki.model import Source
from citewiki.sources.about import About, readable_title, split_about
from citewiki.sources.clean import clean_markdown
from citewiki.sources.note_names import named
from citewiki.sources.outline import outline, same_title
from citewiki.sources.vault_links import FileNames, linked
from citewiki.text.language import language


def read(text: str, name: str) -> Source:
    """The sections of a Markdown text; `name` is the file's, for a title of last resort."""
    about, body = split_about(text, name)
    body = clean_markdown(linked(body, name, FileNames()))
    found = source(about, body, name, reader="markdown", media_type="text/markdown")
    return named(found, name)


def source(
    about: About, body: str, name: str, *, reader: str, media_type: str, authority: str = "note"
) -> Source:
    """A source from a clean Markdown body: shared by every reader that ends in Markdown."""
    fallback = readable_title(name)
    found = outline(body, about.title or fallback)
    title = about.title or found.heading or fallback
    # A title heading that says more than the front matter's title is another name of the source.
    heading = () if not found.heading or same_title(found.heading, title) else (found.heading,)
    return Source(
        title=title,
        reader=reader,
        media_type=media_type,
        sections=found.sections,
        authority=about.authority or authority,
        language=about.language or language(body[:20_000]),
        author=about.author,
        date=about.date,
        url=about.url,
        tags=about.tags,
        aliases=tuple(dict.fromkeys([*about.aliases, *heading])),
        summary=about.summary,
        problems=about.problems,
    )
