"""The wiki as an MCP server: tools, resources and prompts, over stdio and HTTP."""

from citewiki.server.mcp.server import build_mcp

__all__ = ["build_mcp"]
