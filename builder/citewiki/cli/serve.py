"""`serve`: the wiki over HTTP, for people and programs."""

from __future__ import annotations

import socket
import sys
from dataclasses import replace
from pathlib import Path

import click

from citewiki.cli.engines import served_engines
from citewiki.cli.options import output_options, wiki_option
from citewiki.cli.output import print_json, say
from citewiki.cli.wiki import open_wiki

CONNECTIONS = 1000  # at once; who comes when all are taken is told to come back
ENDING = 5  # seconds that replies under way have when the server is stopped


@click.command()
@wiki_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0: any that is free.",
)
@click.option(
    "--url", default="", help="Under which people reach it, such as https://wiki.example."
)
@click.option("--web", is_flag=True, help="Let users ask the web when the wiki refuses.")
@click.option("--rotate-key", is_flag=True, help="Sign sessions with a new key from now on.")
@output_options
def serve(
    wiki: Path,
    host: str,
    port: int,
    url: str,
    web: bool,
    rotate_key: bool,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Serve the site, a page to ask in, an API, and MCP at /mcp; people log in with a token.

    Without a token everybody sees what is shared with anyone. Ends with Ctrl-C. --verbose tells
    of every request, --json the address as soon as it can be called.
    """
    if url and not url.startswith(("http://", "https://")):
        raise click.BadParameter(f"“{url}” is no address; write it as https://wiki.example")
    opened = open_wiki(wiki, quiet=quiet)
    import uvicorn

    from citewiki.server.app import build_app
    from citewiki.server.patience import PatientProtocol
    from citewiki.store import keys

    if rotate_key:
        keys.rotate_key(opened.root)
    name = f"[{host}]" if ":" in host else host
    engines = served_engines(opened.config.engine, opened.cache)
    app = build_app(
        opened.root,
        opened.config,
        url=url,
        hosts=(name,),
        engines=engines if web else replace(engines, searches=None),
        cache=opened.cache,
    )
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            http=PatientProtocol,
            ws="none",
            log_level="info" if verbose else "warning",
            access_log=verbose,
            proxy_headers=bool(url),  # only a proxy on this machine is believed
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=ENDING,
        )
    )
    try:  # who calls at the address from now on is answered
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=server.config.backlog)
        # Else the body of a reply waits 40 ms until its head is acknowledged (Nagle's algorithm).
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        why = error.strerror or error
        raise click.ClickException(f"cannot listen on {host}, port {port}: {why}") from error
    address = url or f"http://{name}:{listening.getsockname()[1]}"
    if json:
        print_json({"wiki": opened.root, "url": address})
        sys.stdout.flush()
    say(f"{opened.root} at {address}", quiet or json)
    server.run(sockets=[listening])
    if not server.started:
        sys.exit(1)
