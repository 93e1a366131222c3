"""Evaluation sets: documents and questions, and the wiki that is made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citewiki.distill.crosslinks import link_pages
from citewiki.errors import DataError
from citewiki.index.index import Index, open_index
from citewiki.model import Page
from citewiki.store.files import write_atomic
from citewiki.store.pages import render_page


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set, with what people say answers it."""

    id: str
    text: str
    gold: tuple[str, ...]  # slugs of the pages that answer it
    answerable: bool = True  # whether any page answers it
    support: tuple[str, ...] = ()  # sentences that answer it; empty: the set does not say
    set: str = ""  # of which set it is, where several are asked together


@dataclass(frozen=True, slots=True)
class Collection:
    """Pages and the questions about them."""

    pages: tuple[Page, ...]  # cross-linked as `compile` does it
    questions: tuple[Asked, ...]


def load_collection(folder: Path) -> Collection:
    """The set in `folder` (corpus.jsonl, queries.jsonl), or all sets in its folders as one.

    Raises DataError when there is none, or when a line lacks what it needs.
    """
    folders = [folder] if (folder / "corpus.jsonl").is_file() else sorted(folder.glob("*/"))
    folders = [each for each in folders if (each / "corpus.jsonl").is_file()]
    if not folders:
        raise DataError(str(folder), "holds no corpus.jsonl", hint="name the folder of a set")
    several = len(folders) > 1
    pages: list[Page] = []
    questions: list[Asked] = []
    for each in folders:
        name = each.name if several else ""
        pages += [_page(row, each) for row in rows(each / "corpus.jsonl")]
        questions += [_question(row, each, name) for row in rows(each / "queries.jsonl")]
    return Collection(tuple(link_pages(pages)), tuple(questions))


@contextmanager
def indexed(pages: tuple[Page, ...]) -> Iterator[Index]:
    """An index of a wiki of these pages in a temporary folder."""
    with TemporaryDirectory(prefix="citewiki-eval-") as name:
        wiki = Path(name) / "wiki"
        for page in pages:
            write_atomic(wiki / page.path, render_page(page))
        with open_index(wiki, Path(name) / "cache") as index:
            yield index


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file; raises DataError naming the line that is none."""
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise DataError(f"{path}:{number}", "is not a JSON object")
                yield row
    except OSError as error:
        raise DataError(str(path), error.strerror or "cannot be read") from error
    except ValueError as error:
        raise DataError(str(path), f"is not JSON Lines ({error})") from error


def _page(row: dict[str, Any], folder: Path) -> Page:
    slug = _slug(folder, _value(row, "_id", folder / "corpus.jsonl"))
    title = str(row.get("title") or slug)
    body = str(_value(row, "text", folder / "corpus.jsonl"))
    path = f"{folder.name}/{slug}.md"
    return Page(path=path, slug=slug, title=title, body=f"{body}\n", domain=folder.name)


def _question(row: dict[str, Any], folder: Path, name: str) -> Asked:
    path = folder / "queries.jsonl"
    gold = row.get("gold")
    ids = gold if isinstance(gold, list) else [gold] if gold is not None else []
    return Asked(
        id=str(_value(row, "_id", path)),
        text=str(_value(row, "text", path)),
        gold=tuple(_slug(folder, each) for each in ids),
        answerable=bool(row.get("answerable", True)),
        support=tuple(map(str, row.get("support") or ())),
        set=str(row.get("set") or name),
    )


def _slug(folder: Path, identifier: object) -> str:
    return f"{folder.name.replace('_', '-')}-{identifier}".lower()


def _value(row: dict[str, Any], key: str, path: Path) -> Any:
    if key not in row:
        raise DataError(str(path), f"a line has no “{key}”: {str(row)[:60]}")
    return row[key]
