"""A page's Markdown as HTML, by one parser for the whole site."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from citewiki.markdown.footnotes import Footnote
from citewiki.model import Problem, SourceRef
from citewiki.site.embeds import expand
from citewiki.site.evidence import describe
from citewiki.site.extension import WikiExtension
from citewiki.site.links import Resolver
from citewiki.site.model import SiteModel
from citewiki.site.urls import relative

EXTENSIONS = (
    "attr_list",
    "footnotes",
    "pymdownx.superfences",
    "pymdownx.tilde",
    "sane_lists",
    "tables",
    "toc",
)
"""What pages need, whatever else mkdocs.yml names."""

_FIRST_H1 = re.compile(r"\s*(<h1\b[^>]*>.*?</h1>)\s*", re.S)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as HTML; inner links start with urls.ROOT, embeds are still to be filled."""

    html: str
    headings: Sequence[dict[str, Any]]  # Python-Markdown's toc_tokens
    files: frozenset[str]  # paths under wiki/ of the files that it shows or links


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page's HTML as it stands in its file."""

    heading: str  # <h1>…</h1> of the page's own; "" when it has none at the top
    body: str
    headings: Sequence[dict[str, Any]]
    files: frozenset[str]


class Renderer:
    """Renders the pages of one site; each at most once, however many others embed it."""

    def __init__(
        self,
        model: SiteModel,
        extensions: Sequence[Any] = (),
        configs: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        from markdown import Markdown

        self._model = model
        self._kept: dict[str, Rendered] = {}
        self.problems: list[Problem] = []  # pages that could not be rendered as they should
        self._extension = WikiExtension(Resolver(model), self._cite)
        given = [*extensions, *(name for name in EXTENSIONS if name not in extensions)]
        self._markdown = Markdown(
            extensions=[*given, self._extension], extension_configs=with_defaults(configs or {})
        )

    def draw(self, path: str, text: str | None = None, url: str | None = None) -> Drawn:
        """The page at `path` with its embeds filled and its links relative to it.

        `text` is its Markdown where something else has changed it on the way, or where the
        model does not hold it; `url` is then its address.
        """
        rendered = self.rendered(path, text)
        pages, urls = self._model.pages, self._model.urls
        html = rendered.html
        if "embed:" in html:
            html = expand(
                html,
                path,
                lambda other: self.rendered(other).html,
                pages.__getitem__,
                urls.__getitem__,
            )
        html = relative(html, urls.get(path, "") if url is None else url)
        first = _FIRST_H1.match(html)
        heading, body = (first[1], html[first.end() :]) if first else ("", html)
        return Drawn(heading, body, rendered.headings, rendered.files)

    def rendered(self, path: str, text: str | None = None) -> Rendered:
        """The page at `path` as it can be kept and embedded elsewhere."""
        if path not in self._kept:
            if text is None:
                text = self._model.pages[path].body
            self._kept[path] = self._convert(path, text)
        return self._kept[path]

    def _convert(self, path: str, text: str) -> Rendered:
        self._markdown.reset()
        self._extension.at = path
        try:
            html = self._markdown.convert(text)
        except RecursionError:  # lists or quotes some hundred levels deep
            self.problems.append(Problem(path, "is nested too deeply and is shown as plain text"))
            return Rendered(f"<pre>{escape(text)}</pre>", (), frozenset())
        headings = list(getattr(self._markdown, "toc_tokens", ()))
        return Rendered(html, headings, frozenset(self._extension.files))

    def _cite(self, note: Footnote) -> str:
        """A footnote that names a source: title, place, and the words it rests on."""
        shown = describe(
            SourceRef(id=note.resource, resource=note.resource, locator=note.locator),
            self._model.originals,
            publish_raw=self._model.config.site.publish_raw,
        )
        title = escape(shown.title)
        if shown.href:
            title = f'<a href="{escape(shown.href)}">{title}</a>'
        place = f' <span class="locator">{escape(shown.locator)}</span>' if shown.locator else ""
        quote = f" <q>{escape(note.quote)}</q>" if note.quote else ""
        return f"<cite>{title}</cite>{place}{quote}"


def with_defaults(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Extension settings of mkdocs.yml with ours where it says nothing: Unicode heading ids."""
    from pymdownx.slugs import slugify  # type: ignore[import-untyped]

    own: dict[str, dict[str, Any]] = {
        "toc": {"slugify": slugify(case="lower"), "permalink": True},
        "footnotes": {"BACKLINK_TEXT": "↩"},
    }
    return {name: {**own.get(name, {}), **configs.get(name, {})} for name in {**own, **configs}}
