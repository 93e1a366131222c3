"""What /api takes and gives, as OpenAPI 3.1: made from the models that check requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from citewiki import __version__
from citewiki.server import api
from citewiki.server.asking import Asked

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_TIME = {"type": ["string", "null"], "format": "date-time"}
_COUNT = {"type": "integer", "minimum": 0}


def _object(optional: tuple[str, ...] = (), more: bool = False, **fields: Any) -> dict[str, Any]:
    required = [name for name in fields if name not in optional]
    return {
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": more,
    }


def _list(of: str) -> dict[str, Any]:
    return {"type": "array", "items": _see(of)}


def _see(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: dict[str, dict[str, Any]] = {
    "Citation": _object(page=_TEXT, slug=_TEXT, heading=_TEXT, quote=_TEXT, source=_TEXT),
    "Check": _object(name=_TEXT, passed={"type": "boolean"}, words=_TEXTS),
    "Claim": _object(
        text=_TEXT,
        verdict={"enum": ["supported", "not_supported", "outside_wiki"]},
        citations=_list("Citation"),
        checks=_list("Check"),
    ),
    "Refusal": _object(
        kind={"enum": ["no_relevant_page", "not_stated", "conflict", "stale"]},
        message=_TEXT,
        available=_TEXTS,
        next_action=_TEXT,
    ),
    "Drift": _object(
        pages=_TEXTS, titles=_TEXTS, quotes=_TEXTS, message=_TEXT, key=_TEXT, scope=_TEXT
    ),
    "Caution": _object(page=_TEXT, slug=_TEXT, kind=_TEXT, message=_TEXT, newest=_TEXT),
    "Hit": _object(
        path=_TEXT,
        slug=_TEXT,
        title=_TEXT,
        score={"type": "number"},
        via={"enum": ["index", "backlink", "wikilink"]},
        depth=_COUNT,
        through=_TEXT,
    ),
    "Answer": _object(
        optional=("warnings",),
        status={"enum": ["answered", "refused"]},
        question=_TEXT,
        answer=_TEXT,
        claims=_list("Claim"),
        refusal={"anyOf": [_see("Refusal"), {"type": "null"}]},
        drift=_list("Drift"),
        warnings=_list("Caution"),
        retrieved=_list("Hit"),
        engine=_TEXT,
        usage={"type": "object", "additionalProperties": {"type": "number"}},
        elapsed_ms={"type": "number"},
    ),
    "Row": _object(
        slug=_TEXT, title=_TEXT, summary=_TEXT, domain=_TEXT, tags=_TEXTS, last_verified_at=_TIME
    ),
    "Listing": _object(items=_list("Row"), total=_COUNT, next_offset={"type": ["integer", "null"]}),
    "Page": _object(
        more=True,
        slug=_TEXT,
        path=_TEXT,
        title=_TEXT,
        body=_TEXT,
        type=_TEXT,
        aliases=_TEXTS,
        summary=_TEXT,
        domain=_TEXT,
        tags=_TEXTS,
        source_authority=_TEXT,
        confidence={"type": ["number", "null"]},
        last_verified_at=_TIME,
        valid_from=_TIME,
        valid_until=_TIME,
        superseded_by=_TEXT,
        backlinks={"type": "array", "items": _object(slug=_TEXT, title=_TEXT)},
    ),
    "Saved": _object(
        slug=_TEXT,
        action={"enum": ["created", "merged", "unchanged", "queued"]},
        losses=_TEXTS,
        message=_TEXT,
    ),
    "Problem": _object(
        optional=("seconds", "errors"),
        type=_TEXT,
        title=_TEXT,
        status={"type": "integer"},
        detail=_TEXT,
        seconds=_COUNT,
        errors={"type": "array", "items": {"type": "object"}},
    ),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that /api does."""

    method: str
    path: str
    does: str
    takes: type[BaseModel] | None = None  # in the body of a POST, else in the address
    gives: tuple[tuple[int, str], ...] = ()  # statuses of success, each with its schema
    fails: tuple[int, ...] = ()

    @property
    def parameters(self) -> list[tuple[str, str, bool]]:
        """Name, meaning and need of what it takes, for a reader."""
        fields = self.takes.model_fields if self.takes else {}
        return [
            (name, field.description or "", field.is_required()) for name, field in fields.items()
        ]


def operations() -> Iterator[Operation]:
    """All that /api does."""
    yield Operation(
        "POST", "/api/ask", _first(api.ask), Asked, ((200, "Answer"),), (400, 415, 422, 502, 503)
    )
    yield Operation(
        "GET", "/api/search", _first(api.search), api.Searched, ((200, "Hits"),), (400, 422)
    )
    yield Operation(
        "GET", "/api/pages", _first(api.list_pages), api.Listed, ((200, "Listing"),), (422,)
    )
    yield Operation(
        "GET", "/api/pages/{slug}", _first(api.get_page), None, ((200, "Page"),), (404,)
    )
    yield Operation(
        "POST",
        "/api/pages",
        _first(api.save_page),
        api.NewPage,
        ((201, "Saved"), (200, "Saved"), (202, "Saved")),
        (400, 403, 409, 413, 415, 422, 503),
    )


def document(url: str) -> dict[str, Any]:
    """The description of /api; `url` is the server's address, "" for wherever it was read."""
    schemas: dict[str, Any] = {**SCHEMAS, "Hits": _list("Hit")}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations():
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(
            operation, schemas
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "citewiki",
            "version": __version__,
            "description": "A wiki that answers with citations, or refuses. Without a token it "
            "shows what is for everybody.",
        },
        "servers": [{"url": url or "/"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "cw_…"}
            },
        },
    }


def _described(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    name = operation.does
    found: dict[str, Any] = {"summary": name, "responses": {}}
    if operation.takes and operation.method == "POST":
        schema = operation.takes.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas[operation.takes.__name__] = schema
        body = {"application/json": {"schema": _see(operation.takes.__name__)}}
        found["requestBody"] = {"required": True, "content": body}
        found["security"] = (
            [{"token": []}] if operation.path == "/api/pages" else [{}, {"token": []}]
        )
    elif operation.takes:
        properties = operation.takes.model_json_schema()
        required = properties.get("required", [])
        found["parameters"] = [
            {"name": key, "in": "query", "required": key in required, "schema": value}
            for key, value in properties["properties"].items()
        ]
    if "{slug}" in operation.path:
        found["parameters"] = [{"name": "slug", "in": "path", "required": True, "schema": _TEXT}]
    for status, gives in operation.gives:
        found["responses"][str(status)] = {
            "description": "Done.",
            "content": {"application/json": {"schema": _see(gives)}},
        }
    for status in sorted({401, 429, *operation.fails}):
        found["responses"][str(status)] = {
            "description": "What is wrong, and what to do.",
            "content": {"application/problem+json": {"schema": _see("Problem")}},
        }
    return found


def _first(function: Any) -> str:
    """The first sentence of a handler's docstring."""
    return str(function.__doc__).partition("\n")[0]
