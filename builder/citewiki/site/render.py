"""A page's Markdown as HTML, by one parser for the whole site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from citewiki.markdown.footnotes import Footnote
from citewiki.markdown.regions import uncommented
from citewiki.model import Problem, SourceRef
from citewiki.site.diagrams import diagram_fence, mermaid_file
from citewiki.site.embeds import expand
from citewiki.site.evidence import describe
from citewiki.site.extension import WikiExtension
from citewiki.site.formulas import math_fence
from citewiki.site.inline import QuickExtension, settle
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
        self._embedded = {edge.target for edge in model.graph.edges if edge.link.embed}
        self._kept: dict[str, Rendered] = {}  # pages that others embed, by path
        self.problems: list[Problem] = []  # pages that could not be rendered as they should
        self._extension = WikiExtension(Resolver(model), self._cite)
        given = [*extensions, *(name for name in EXTENSIONS if name not in extensions)]
        self._markdown = Markdown(
            extensions=[QuickExtension(), *given, self._extension],
            extension_configs=with_defaults(configs or {}),
        )
        settle(self._markdown)

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
        found = self._kept.get(path)
        if found is None:
            if text is None:
                text = self._model.pages[path].body
            found = self._convert(path, text)
            if path in self._embedded:
                self._kept[path] = found
        return found

    def _convert(self, path: str, text: str) -> Rendered:
        self._markdown.reset()
        self._extension.at = path
        try:
            html = self._extension.finish(self._markdown.convert(text))
        except Exception as error:  # noqa: BLE001 - extensions that mkdocs.yml names are anybody's
            deep = isinstance(error, RecursionError)  # lists or quotes some hundred levels deep
            why = (
                "is nested too deeply" if deep else f"breaks the Markdown parser ({_named(error)})"
            )
            self.problems.append(Problem(path, f"{why} and is shown as plain text"))
            self._markdown.parser.state.clear()  # of where it was, which `reset` leaves as it is
            return Rendered(f"<pre>{escape(uncommented(text))}</pre>", (), frozenset())
        headings = list(getattr(self._markdown, "toc_tokens", ()))
        return Rendered(html, headings, frozenset(self._extension.files))

    def _cite(self, note: Footnote) -> str:
        """A footnote that names a source: title, place, and the words it rests on."""
        page = self._model.pages.get(self._extension.at)
        files = self._model.files
        known = files.originals_of(page, note.resource) if page else files.originals
        shown = describe(
            SourceRef(id=note.resource, resource=note.resource, locator=note.locator),
            known,
            publish_raw=self._model.config.site.publish_raw,
            words=note.quote,
        )
        title = escape(shown.title)
        if shown.href:
            title = f'<a href="{escape(shown.href)}">{title}</a>'
        place = f' <span class="locator">{escape(shown.locator)}</span>' if shown.locator else ""
        quote = f" <q>{escape(note.quote)}</q>" if note.quote else ""
        return f"<cite>{title}</cite>{place}{quote}"


def _named(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def with_defaults(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Extension settings of mkdocs.yml with ours where it says nothing: Unicode heading ids."""
    from pymdownx.slugs import slugify  # type: ignore[import-untyped]

    own: dict[str, dict[str, Any]] = {
        "toc": {"slugify": slugify(case="lower"), "permalink": True},
        "footnotes": {"BACKLINK_TEXT": "↩"},
        "pymdownx.tilde": {"subscript": False},  # "3~10, 84%~95%" are numbers
        "pymdownx.superfences": {"custom_fences": list(fences())},
    }
    return {name: {**own.get(name, {}), **configs.get(name, {})} for name in {**own, **configs}}


def fences() -> Iterator[dict[str, Any]]:
    """Blocks of code that are shown as something else, as on GitHub."""
    yield {"name": "math", "class": "cw-math", "format": math_fence}
    if mermaid_file():
        yield {"name": "mermaid", "class": "cw-diagram", "format": diagram_fence}
