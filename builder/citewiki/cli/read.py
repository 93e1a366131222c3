"""`search`, `show`, `graph`: find, read, draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewiki.cli.options import (
    PATH,
    as_of_option,
    domain_option,
    known_at_option,
    now,
    output_options,
    viewer_option,
    wiki_option,
)
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki
from citewiki.errors import QuestionError, UnknownPage

if TYPE_CHECKING:
    from citewiki.model import Page
    from citewiki.store.confidence import Confidence


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

    wanted = " ".join(words)
    if not any(char.isprintable() and not char.isspace() for char in wanted):
        raise QuestionError(
            "there are no words to look for", hint="search so: citewiki search WORDS"
        )
    with open_wiki(wiki, viewer, quiet).index_at(known_at) as index:
        hits = find(index, wanted, limit=limit, domain=domain, as_of=as_of, known_at=known_at)
        if json:
            print_json(hits)
            return
        if not hits:
            say("nothing found", quiet)
        for hit in hits:
            about = index.about(hit.path)
            over = _over(about, now()) if as_of is None and known_at is None else ""
            print(f"{styled(hit.title, '1')}  {styled(hit.slug + over, '2')}")
            if not quiet and about["summary"]:
                print(f"    {about['summary']}")
            if verbose:
                print(styled(f"    score {hit.score:.2f}, wiki/{hit.path}", "2"))


def _over(about: Mapping[str, str], at: datetime) -> str:
    """That a page that is found no longer holds; by what it is superseded, `show` tells."""
    if about["superseded_by"]:
        return "  superseded"
    end = about["valid_until"]
    return f"  held until {end[:10]}" if end and datetime.fromisoformat(end) <= at else ""


@click.command()
@click.argument("page", help="Title, alias, slug or path.")
@wiki_option
@as_of_option
@known_at_option
@viewer_option
@output_options
def show(
    page: str,
    wiki: Path,
    as_of: datetime | None,
    known_at: datetime | None,
    viewer: str | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Print one page: its state, its text, and the pages that link to it."""
    from citewiki.cli.states import link_states, missing
    from citewiki.cli.trust import trust

    opened = open_wiki(wiki, viewer, quiet)
    present = as_of is None and known_at is None
    try:
        found = opened.page(page, as_of=as_of, known_at=known_at)
    except UnknownPage as error:
        raise missing(opened, page, error) if present else error from None
    graph = opened.graph(as_of=as_of, known_at=known_at)
    back = graph.back.get(found.path, ())
    out_of_use = list(link_states(opened, found, graph)) if present else []
    trusted = trust(found, graph, as_of or known_at or now(), opened.config.ask.stale_days)
    if json:
        links = [
            {"slug": graph.pages[edge.source].slug, "sentence": edge.link.sentence} for edge in back
        ]
        sure = {
            "confidence": trusted.value if trusted else None,
            "confidence_reasons": trusted.reasons if trusted else (),
        }
        about = {"backlinks": links, "links_out_of_use": out_of_use}
        print_json({**_as_dict(found), **sure, **about})
        return
    print(styled(found.title, "1"))
    if not quiet:
        titles = {each.slug: each.title for each in graph.pages.values()}
        for line in _status(found, titles, trusted):
            print(styled(line, "2"))
        print()
    print(found.body.rstrip())
    if out_of_use and not quiet:
        print(styled("\nLinks to pages out of use", "1"))
        for link in out_of_use:
            print(f"- {link.title} ({link.slug}): {link.state}")
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
    help="Write .svg, .png, .graphml or .json. Default: a list on stdout.",
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
@as_of_option
@known_at_option
@viewer_option
@output_options
def graph(
    output: Path | None,
    around: str,
    depth: int,
    wiki: Path,
    as_of: datetime | None,
    known_at: datetime | None,
    viewer: str | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """The graph of links: as a list, as JSON, or drawn."""
    import json as jsonlib

    from citewiki.site.drawing import graph_svg, svg_png
    from citewiki.site.graph import GraphData, graph_data
    from citewiki.site.graphml import graphml
    from citewiki.store.files import write_atomic

    opened = open_wiki(wiki, viewer, quiet)
    found = opened.graph(around, depth=depth, as_of=as_of, known_at=known_at)
    if output is not None:
        written: dict[str, Callable[[GraphData], str | bytes]] = {
            ".svg": graph_svg,
            ".png": lambda data: svg_png(graph_svg(data)),
            ".graphml": graphml,
            ".json": lambda data: jsonlib.dumps(data.as_json()),
        }
        if output.suffix not in written:
            raise click.BadParameter(f"{output}: end it in {', '.join(written)}")
        write_atomic(output, written[output.suffix](graph_data(found)))
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


def _status(page: Page, titles: Mapping[str, str], trusted: Confidence | None) -> list[str]:
    """What is known of a page, a line each; `titles` are those of all pages by slug."""
    from citewiki.model import iso

    lines = [f"wiki/{page.path}"]
    if page.last_verified_at:
        lines[0] += f" · verified {iso(page.last_verified_at)[:10]}"
    if trusted:
        lines.append(f"confidence {trusted.value:g}: {', '.join(trusted.reasons)}")
    if page.valid_from or page.valid_until:
        lines.append(_span(page))
    if page.superseded_by:
        title = titles.get(page.superseded_by)
        by = f"see [[{title}]] ({page.superseded_by})" if title else f"by {page.superseded_by}"
        lines.append(f"superseded: {by}")
    lines += [
        f"source: {ref.resource or ref.id}, {ref.locator}".rstrip(", ") for ref in page.sources
    ]
    return lines


def _span(page: Page) -> str:
    from citewiki.model import iso

    start = f"from {iso(page.valid_from)[:10]}" if page.valid_from else ""
    end = f"until {iso(page.valid_until)[:10]}" if page.valid_until else ""
    return f"holds {start} {end}".replace("  ", " ").rstrip()
