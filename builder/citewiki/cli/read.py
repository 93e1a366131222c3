"""`search`, `show`, `graph`: find, read, draw."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewiki.cli.options import (
    PATH,
    as_of_option,
    domain_option,
    known_at_option,
    output_options,
    viewer_option,
    wiki_option,
)
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from citewiki.model import Page


@click.command()
@click.argument("words", nargs=-1, required=True, help="What to look for.")
@wiki_option
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="At most N pages.",
)
@domain_option
@as_of_option
@known_at_option
@viewer_option
@output_options
def search(
    words: tuple[str, ...],
    wiki: Path,
    limit: int,
    domain: str,
    as_of: datetime | None,
    known_at: datetime | None,
    viewer: str | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Find pages by words; best first."""
    from citewiki.query.retrieve import search as find

    with open_wiki(wiki, viewer, quiet).index as index:
        hits = find(
            index, " ".join(words), limit=limit, domain=domain, as_of=as_of, known_at=known_at
        )
        if json:
            print_json(hits)
            return
        if not hits:
            say("nothing found", quiet)
        for hit in hits:
            print(f"{styled(hit.title, '1')}  {styled(hit.slug, '2')}")
            if not quiet and (summary := index.summary(hit.path)):
                print(f"    {summary}")
            if verbose:
                print(styled(f"    score {hit.score:.2f}, wiki/{hit.path}", "2"))


@click.command()
@click.argument("page", help="Title, alias, slug or path.")
@wiki_option
@viewer_option
@output_options
def show(page: str, wiki: Path, viewer: str | None, json: bool, quiet: bool, verbose: bool) -> None:
    """Print one page: its state, its text, and the pages that link to it."""
    opened = open_wiki(wiki, viewer, quiet)
    found = opened.page(page)
    graph = opened.graph()
    back = graph.back.get(found.path, ())
    if json:
        links = [
            {"slug": graph.pages[edge.source].slug, "sentence": edge.link.sentence} for edge in back
        ]
        print_json({**_as_dict(found), "backlinks": links})
        return
    print(styled(found.title, "1"))
    if not quiet:
        for line in _status(found):
            print(styled(line, "2"))
        print()
    print(found.body.rstrip())
    if back and not quiet:
        print(styled("\nLinked from", "1"))
        for path in dict.fromkeys(edge.source for edge in back):
            sentence = next(edge.link.sentence for edge in back if edge.source == path)
            print(f"- {graph.pages[path].title}: {sentence}")


@click.command()
@click.option(
    "--output",
    "-o",
    type=PATH,
    metavar="F",
    help="Write .svg or .json. Default: a list on stdout.",
)
@click.option("--around", default="", metavar="PAGE", help="Only what is near this page.")
@click.option(
    "--depth",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="How many links away is near.",
)
@wiki_option
@viewer_option
@output_options
def graph(
    output: Path | None,
    around: str,
    depth: int,
    wiki: Path,
    viewer: str | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """The graph of links: as a list, as JSON, or drawn."""
    import json as jsonlib

    from citewiki.site.graph import graph_data, graph_svg
    from citewiki.store.files import write_atomic

    found = open_wiki(wiki, viewer, quiet).graph(around, depth=depth)
    if output is not None:
        if output.suffix not in (".svg", ".json"):
            raise click.BadParameter(f"{output}: end it in .svg or .json")
        data = graph_data(found)
        text = graph_svg(data) if output.suffix == ".svg" else jsonlib.dumps(data.as_json())
        write_atomic(output, text)
        say(f"{output}: {len(found.pages)} pages, {len(found.edges)} links", quiet)
    if json:
        print_json(graph_data(found).as_json())
    elif output is None:
        for path, page in found.pages.items():
            targets = [
                found.pages[edge.target].title
                if edge.target in found.pages
                else f"{edge.link.name}?"
                for edge in found.out.get(path, ())
            ]
            print(f"{styled(page.title, '1')} → {', '.join(dict.fromkeys(targets)) or '–'}")


def _as_dict(page: Page) -> dict[str, Any]:
    from citewiki.model import as_json

    plain: dict[str, Any] = as_json(page)
    del plain["body_line"]
    return plain


def _status(page: Page) -> list[str]:
    from citewiki.model import iso

    lines = [f"wiki/{page.path}"]
    if page.last_verified_at:
        lines[0] += f" · verified {iso(page.last_verified_at)[:10]}"
    if page.confidence is not None:
        lines[0] += f" · confidence {page.confidence:g}"
    if page.superseded_by:
        lines.append(f"superseded by {page.superseded_by}")
    lines += [
        f"source: {ref.resource or ref.id}, {ref.locator}".rstrip(", ") for ref in page.sources
    ]
    return lines
