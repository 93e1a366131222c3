"""llms.txt: what is on the site, for programs that read it page by page (llmstxt.org, version 2).

The file at the root fits into the reader's memory however large the wiki is: beyond `ROWS` pages
it names the most linked of each domain, and the file that lists all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote

from citewiki.markdown.regions import uncommented
from citewiki.model import Page, iso
from citewiki.site.model import SiteModel
from citewiki.site.urls import DOMAINS, domain_url

LLMS = "llms.txt"
FULL = "llms-full.txt"
ROWS = 200  # pages that the root's file lists: with summaries some 15,000 tokens
PER_FILE = 1000  # pages that one file of a domain lists
ABOUT = 240  # characters of a page's summary there

Write = Callable[[str, str], None]
"""Takes the address of a file from the site's root, and its text."""

_FILES = (
    (FULL, "every page's text in one file"),
    ("index.json", "every page's facts: title, summary, tags, state, sources, times"),
    ("backlinks.json", "who links to each page, with the sentence"),
    ("graph.json", "the link graph"),
    ("graph.graphml", "the same for graph programs"),
)
_RULE = re.compile(r"^[ \t]*(=+)[ \t]*$", re.MULTILINE)


def write_lists(model: SiteModel, title: str, summary: str, base: str, write: Write) -> None:
    """Hand llms.txt to `write`, and those of domains where it cannot list all pages.

    `base` is the site's address, or "/".
    """
    write(LLMS, llms_txt(model, title, summary, base))
    for domain, files in _files(model).items():
        for number, pages in enumerate(files):
            part = f", {number + 1} of {len(files)}" if len(files) > 1 else ""
            head = f"# {domain or 'Pages without a domain'} · {title}{part}\n"
            rows = "\n".join(_row(model, page, base) for page in pages)
            write(_address(domain, number), f"{head}\n## {domain or 'Pages'}\n\n{rows}\n")


def llms_txt(model: SiteModel, title: str, summary: str, base: str) -> str:
    """The site's contents by domain, each page by the address of its Markdown.

    Superseded pages and machine-readable lists stand under "Optional", which a reader short of
    room may skip.
    """
    lines = [f"# {_one_line(title)}", "", f"> {_about(model, summary)}", "", *_HOW]
    optional: list[str] = []
    files = _files(model)
    for domain, pages in _parts(model).items():
        rows: list[str] = []
        for page in _chosen(model, pages) if files else pages:
            (optional if model.is_superseded(page) else rows).append(_row(model, page, base))
        for number, part in enumerate(files.get(domain, ())):
            rows.append(
                f"- [{_name(part)}]({base}{quote(_address(domain, number))}): {len(part)} pages"
            )
        if rows:
            lines += ["", f"## {domain or 'Pages'}", "", *rows]
    lines += ["", "## Optional", "", *optional]
    lines += [f"- [{name}]({base}{name}): {what}" for name, what in _FILES]
    return "\n".join(lines) + "\n"


_HOW = (
    "Each page is Markdown with facts about it in YAML in front. Words in double brackets link the",
    "page of that title. A footnote names the source of a sentence and quotes it; cite the page",
    "and that source.",
)


def llms_full_txt(model: SiteModel, title: str, summary: str, base: str) -> str:
    """Every page's text, each after a rule that no page holds, with its title and address."""
    texts = [(page, uncommented(page.body).strip()) for page in model.pages.values()]
    longest = max((len(rule[1]) for _, text in texts for rule in _RULE.finditer(text)), default=0)
    rule = "=" * max(longest + 1, 20)
    parts = [
        f"# {_one_line(title)}\n\n> {_about(model, summary)}\n\n"
        f"{len(texts)} pages, each after a line of {len(rule)} equals signs.\n"
    ]
    for page, text in texts:
        about = f"\n> {_one_line(page.summary)}\n" if page.summary else ""
        parts.append(
            f"\n{rule}\n\n# {page.title}\n\nSource: {address(model, page, base)}\n{about}\n{text}\n"
        )
    return "".join(parts)


def address(model: SiteModel, page: Page, base: str) -> str:
    """Where `page` stands on the site."""
    return f"{base}{quote(model.urls[page.path])}"


def _parts(model: SiteModel) -> dict[str, tuple[Page, ...]]:
    """Pages by domain; those without one come first."""
    loose = tuple(page for page in model.pages.values() if not page.domain)
    return {"": loose, **model.domains}


def _files(model: SiteModel) -> dict[str, list[Sequence[Page]]]:
    """The pages of each domain's own files; none where the root's lists all."""
    if len(model.pages) <= ROWS:
        return {}
    return {
        domain: [pages[start : start + PER_FILE] for start in range(0, len(pages), PER_FILE)]
        for domain, pages in _parts(model).items()
        if pages
    }


def _chosen(model: SiteModel, pages: Sequence[Page]) -> Iterator[Page]:
    """The most linked of a domain's pages that still hold, as many as it has a share of."""
    share = ROWS * len(pages) // len(model.pages)
    held = (page for page in pages if not model.is_superseded(page))
    ranked = sorted(held, key=lambda page: -model.in_links[page.path])
    yield from ranked[:share]


def _address(domain: str, number: int) -> str:
    folder = domain_url(domain) if domain else DOMAINS
    return f"{folder}llms-{number + 1}.txt" if number else f"{folder}{LLMS}"


def _name(pages: Sequence[Page]) -> str:
    return _linked(f"All from {pages[0].title} to {pages[-1].title}")


def _row(model: SiteModel, page: Page, base: str) -> str:
    about = _one_line(page.summary)
    if len(about) > ABOUT:
        about = f"{about[:ABOUT].rpartition(' ')[0] or about[:ABOUT]} …"
    where = f"{address(model, page, base)}index.md"
    return f"- [{_linked(page.title)}]({where})" + (f": {about}" if about else "")


def _linked(words: str) -> str:
    return _one_line(words).replace("[", "\\[").replace("]", "\\]")


def _about(model: SiteModel, summary: str) -> str:
    """What the site is, and of which moment when that has passed."""
    said = _one_line(summary) or "A wiki that cites."
    return f"As of {iso(model.now)}: {said}" if model.is_snapshot else said


def _one_line(text: str) -> str:
    return " ".join(text.split())
