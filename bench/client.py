"""A client of `citewiki serve` that costs next to nothing, so that the server is what is measured.

One connection that stays open, one request after another, in the stateless form of MCP over HTTP
(2026-07-28). The official client takes more CPU for a call than the server does.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

VERSION = "2026-07-28"


@dataclass
class Client:
    """One user's connection to a server at 127.0.0.1:`port`."""

    port: int
    token: str
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool gives back in its checkable form. Raises RuntimeError for an error."""
        params = {
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": VERSION,
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        status, reply = await self._post(json.dumps(body).encode(), tool)
        if status != 200:
            raise RuntimeError(f"{status}: {reply[:500]!r}")
        message = json.loads(reply)
        if "error" in message or message["result"].get("isError"):
            raise RuntimeError(f"{tool}: {reply[:500]!r}")
        found: dict[str, Any] = message["result"]["structuredContent"]
        return found

    async def _post(self, body: bytes, tool: str) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        reader, writer = self._streams
        writer.write(
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\n"
            f"MCP-Protocol-Version: {VERSION}\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
        }
        return int(first.split()[1]), await reader.readexactly(int(headers["content-length"]))

    async def close(self) -> None:
        """End the connection."""
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()
