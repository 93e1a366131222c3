"""Adapters for HTTP and MCP."""
