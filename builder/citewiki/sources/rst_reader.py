"""reStructuredText, by docutils: nothing is included, nothing raw, and Sphinx's words are kept."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from citewiki.errors import SourceError
from citewiki.model import Problem, Source
from citewiki.sources.about import About, about
from citewiki.sources.encoding import clean
from citewiki.sources.html_body import parsed, tree_markdown
from citewiki.sources.markdown_reader import source

MEDIA_TYPE = "text/x-rst"

LARGEST = 4 << 20
"""Characters: docutils takes some 10 s for a million of them."""

_SETTINGS = {
    "file_insertion_enabled": False,  # no include, no csv-table from a file
    "raw_enabled": False,
    "_disable_config": True,  # no docutils.conf of the folder
    "report_level": 5,
    "halt_level": 5,
    "line_length_limit": 1 << 20,
    "doctitle_xform": True,
    "docinfo_xform": True,
    "smart_quotes": False,
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "embed_stylesheet": False,
    "stylesheet_path": None,
    "input_encoding": "unicode",
    "output_encoding": "unicode",
}
_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:.+-]+)::", re.M)
_ROLE = re.compile(r":([A-Za-z][\w:.+-]*):`")
_FROM_FILES = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:include|literalinclude)::[ \t]*(\S.*)$|^[ \t]+:file:[ \t]*(\S.*)$", re.M
)
_WITHOUT_WORDS = frozenset(("toctree", "index", "highlight", "currentmodule", "tabularcolumns"))
"""Directives of Sphinx that show nothing, or the names of other files."""


def read(text: str, name: str) -> Source:
    """The sections of a text; raises SourceError when it is too large or damaged."""
    if len(text) > LARGEST:
        raise SourceError(name, f"the text has more than {LARGEST >> 20} MB", hint="split it")
    _register(text)
    from docutils.core import publish_doctree, publish_from_doctree

    quiet = {**_SETTINGS, "warning_stream": io.StringIO()}
    try:
        tree = publish_doctree(text, settings_overrides=quiet)
        facts = replace(_about(tree), problems=tuple(_left_out(text, name)))
        html = publish_from_doctree(tree, writer="html5", settings_overrides=quiet)
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as e:
        raise SourceError(name, f"docutils cannot read it ({type(e).__name__})") from e
    root = parsed(html)
    main = next(root.iter("main"), root) if root is not None else None
    for span in main.iter("span") if main is not None else ():
        if "literal" in (span.get("class") or "").split():
            span.tag = "code"
    body = clean(tree_markdown(main)) if main is not None else ""
    return source(facts, body, name, reader="rst", media_type=MEDIA_TYPE)


def _about(tree: Any) -> About:
    """What the document's field list says (docinfo)."""
    from docutils import nodes

    values: dict[str, Any] = {"title": tree.get("title", "")}
    for info in list(tree.findall(nodes.docinfo)):
        for field in info.children:
            if isinstance(field, nodes.field):
                values[field[0].astext().lower()] = field[1].astext()
            else:
                values[field.tagname] = field.astext()
        info.parent.remove(info)
    return about({**values, "tags": str(values.get("tags", ""))})


def _left_out(text: str, name: str) -> Iterator[Problem]:
    """A problem for every file that the text would take in."""
    for found in _FROM_FILES.finditer(text):
        file = clean(found[1] or found[2]).strip()
        message = f"takes in {file}, which is not read here; ingest it too"
        line = text.count("\n", 0, found.start()) + 1
        yield Problem(name, message, line, "warning", "include")


def _register(text: str) -> None:
    """Teach docutils the directives and roles of the text that it does not know (Sphinx's).

    Of a directive its argument and content are kept, of a role its text.
    """
    from docutils import nodes
    from docutils.parsers.rst import Directive, directives, roles
    from docutils.parsers.rst.languages import en

    class Unknown(Directive):  # type: ignore[misc]
        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption()

        def run(self) -> Sequence[nodes.Node]:
            if self.name.rpartition(":")[2] in _WITHOUT_WORDS:
                return []
            holder = nodes.container()
            if self.arguments:
                parsed, _ = self.state.inline_text(self.arguments[0], self.lineno)
                holder += nodes.paragraph("", "", *parsed)
            self.state.nested_parse(self.content, self.content_offset, holder)
            return [holder]

    def words(
        role: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None,
        content: Any = (),
    ) -> tuple[list[nodes.Node], list[nodes.Node]]:  # fmt: skip
        shown = re.sub(r"\s*(?<!^)<[^<>]*>$", "", text).lstrip("~!")
        return [nodes.inline(rawtext, shown)], []

    known = en.directives.keys() | directives._directives.keys()
    for name in {match[1].lower() for match in _DIRECTIVE.finditer(text)} - known:
        directives.register_directive(name, Unknown)
    known_roles = en.roles.keys() | roles._roles.keys() | roles._role_registry.keys()
    for name in {match[1].lower() for match in _ROLE.finditer(text)} - known_roles:
        roles.register_local_role(name, words)


class _AnyOption(dict[str, Any]):
    """Options of every name, with any value."""

    def __getitem__(self, key: str) -> Any:
        return lambda value: value or ""
