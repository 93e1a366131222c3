"""Sections distilled through message batches: the same pages, at the price of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from citewiki.llm.anthropic import MODELS
from citewiki.llm.batch import Batched
from citewiki.llm.cache import Cached
from citewiki.llm.port import Reply, Request, Turn, Usage
from citewiki.llm.shaped import Shaped
from citewiki.store.kept import Kept
from tests.conftest import MakeWiki
from tests.distill.models import model
from tests.distill.test_compile import NOTE, compiled
from tests.distill.test_written import written


class Overnight:
    """A server of batches whose replies a scripted model gives, some looks later."""

    models = MODELS

    def __init__(self) -> None:
        self._model = model()
        self._batches: dict[str, list[tuple[str, str]]] = {}
        self.looks = 0

    def submit(self, requests: Iterable[tuple[str, Request]]) -> str:
        name = f"batch-{len(self._batches)}"
        self._batches[name] = [(key, self._model.reply(request).text) for key, request in requests]
        return name

    def results(self, batch: str) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        self.looks += 1
        if self.looks % 2:
            return None
        return iter(
            [
                (key, {"type": "succeeded", "message": _message(text)})
                for key, text in self._batches[batch]
            ]
        )

    def read(self, message: Mapping[str, Any], request: Request) -> Reply:
        text = message["content"][0]["text"]
        return Reply(text, usage=Usage(output=1, usd=0.5), turn=Turn("assistant", (text,)))


def _message(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}


def overnight(root: Path, server: Overnight) -> tuple[Batched, Shaped]:
    kept = Kept(root / ".citewiki/replies")
    batched = Batched(server, kept, Kept(root / ".citewiki/batches"))
    return batched, Shaped(Cached(batched, kept, MODELS))


def test_runs_over_batches_make_what_one_run_makes(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root, engine=model())
    direct = written(root)
    for path in (*(root / "wiki").rglob("*.md"), root / "raw/manifest.jsonl"):
        path.unlink()
    server, rounds = Overnight(), 0
    batched, engine = overnight(root, server)
    while (done := compiled(root, engine=engine)).put_off:
        rounds += 1
        if rounds == 2:  # killed while a batch is under way: the next run finds it again
            batched.send()
            batched, engine = overnight(root, server)
            compiled(root, engine=engine)
        batched.send()
        batched.collect(lambda: None)
    assert (written(root), done.problems) == (direct, ())
    assert rounds == 2  # one for what is written, one for what is checked
