"""A server on loopback that speaks the Messages API, well or badly, as a test tells it to."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from citewiki.markdown.structure import sentences


@dataclass(frozen=True)
class Wire:
    """What goes over the wire instead of a good reply."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    stop_reason: str = "end_turn"
    text: str = ""
    wait: threading.Event | None = None  # the reply is held back until it is set

    def bytes(self) -> bytes:
        return self.body or json.dumps(message(self.text, self.stop_reason)).encode()


Model = Callable[[dict[str, Any]], "str | Wire"]
"""What a model says to a request's JSON: the text of its reply, or something worse."""


def message(text: str, stop_reason: str = "end_turn") -> dict[str, Any]:
    """A reply of the Messages API."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "local",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 50},
    }


def failure(status: int, kind: str = "api_error", **headers: str) -> Wire:
    """An error of the API; clients wait a millisecond before they try again."""
    body = {"type": "error", "error": {"type": kind, "message": "as told"}}
    return Wire(status, json.dumps(body).encode(), {"retry-after-ms": "1", **headers})


BUSY = failure(429, "rate_limit_error")
OVERLOADED = failure(529, "overloaded_error")
NO_JSON = Wire(body=b'{"content": [')
HTML = Wire(body=b"<html>It works!</html>", headers={"content-type": "text/html"})


def cut_off(text: str) -> Wire:
    """A reply that ran into its limit of tokens."""
    return Wire(text=text, stop_reason="max_tokens")


REFUSAL = Wire(text="", stop_reason="refusal")


def told(request: dict[str, Any]) -> str:
    """All that the first message of a request says."""
    content = request["messages"][0]["content"]
    return "\n".join(part["text"] for part in content if part["type"] == "text")


def faithful(request: dict[str, Any]) -> str:
    """A model that says what a section says, sentence by sentence, and finds no fault."""
    found = re.search(
        r'<section title="([^"]*)"[^>]*>\n(.*?)\n</section>', told(request), re.DOTALL
    )
    if not found or "<draft" in told(request):
        return json.dumps({"objections": []})
    said = [sentence.text for sentence in sentences(found[2])]
    claims = [{"text": text, "quotes": [text]} for text in said]
    title = found[1].rpartition(" › ")[2]
    parts = [{"heading": "", "claims": claims, "copied": ""}]
    return json.dumps({"title": title, "summary": said[0], "parts": parts})


@dataclass
class Served:
    """A running server: where it is, and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    most_at_once: int = 0


@contextmanager
def serving(model: Model) -> Iterator[Served]:
    """The server while the block runs; batches are done as soon as they are sent."""
    lock = threading.Lock()
    running = 0

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            nonlocal running
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path.endswith("/batches"):
                with lock:
                    name = f"msgbatch_{len(served.batches)}"
                    served.batches[name] = request["requests"]
                return self._send(Wire(body=json.dumps(self._batch(name)).encode()))
            with lock:
                served.requests.append(request)
                running += 1
                served.most_at_once = max(served.most_at_once, running)
            said = model(request)
            wire = said if isinstance(said, Wire) else Wire(text=said)
            if wire.wait is not None:
                wire.wait.wait(30)
            with lock:
                running -= 1
            return self._send(wire)

        def do_GET(self) -> None:
            name = self.path.split("/batches/")[1].split("/")[0].split("?")[0]
            if not self.path.endswith("/results"):
                return self._send(Wire(body=json.dumps(self._batch(name)).encode()))
            lines = [
                json.dumps({"custom_id": item["custom_id"], "result": self._result(item["params"])})
                for item in served.batches[name]
            ]
            return self._send(
                Wire(
                    body="\n".join(lines).encode(),
                    headers={"content-type": "application/x-jsonl"},
                )
            )

        def _result(self, request: dict[str, Any]) -> dict[str, Any]:
            said = model(request)
            wire = said if isinstance(said, Wire) else Wire(text=said)
            if wire.status != 200:
                return {"type": "errored", "error": json.loads(wire.body)}
            return {"type": "succeeded", "message": json.loads(wire.bytes())}

        def _batch(self, name: str) -> dict[str, Any]:
            count = len(served.batches[name])
            return {
                "id": name,
                "type": "message_batch",
                "processing_status": "ended",
                "request_counts": {
                    "processing": 0, "succeeded": count, "errored": 0, "canceled": 0, "expired": 0,
                },
                "created_at": "2026-11-30T00:00:00Z",
                "expires_at": "2026-12-01T00:00:00Z",
                "ended_at": "2026-11-30T00:00:01Z",
                "archived_at": None,
                "cancel_initiated_at": None,
                "results_url": f"{served.url}/v1/messages/batches/{name}/results",
            }  # fmt: skip

        def _send(self, wire: Wire) -> None:
            body = wire.bytes()
            self.send_response(wire.status)
            for name, value in {"content-type": "application/json", **wire.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing on stderr."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    served = Served(f"http://127.0.0.1:{http.server_address[1]}")
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
