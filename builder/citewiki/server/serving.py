"""What the handlers of one server share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from citewiki.server.identity import caller_of, identity_of, is_still, viewer_of

if TYPE_CHECKING:
    from jinja2 import Environment

    from citewiki.config import Config
    from citewiki.server.limits import Limits
    from citewiki.server.mcp.session import Engines, Session
    from citewiki.server.opened import Opened
    from citewiki.server.site import Sites
    from citewiki.wiki import Wiki

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Serving:
    """One wiki as it is served."""

    root: Path
    config: Config
    opened: Opened
    limits: Limits
    sites: Sites
    engines: Engines  # what works for users; nobody known gets what is built in
    now: Callable[[], datetime]
    url: str  # under which people reach it, such as https://wiki.example.org; "" not said

    @cached_property
    def templates(self) -> Environment:
        """The pages that the server writes itself; whatever they are given is escaped."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        return Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    @cached_property
    def name(self) -> str:
        """What the wiki calls itself in mkdocs.yml."""
        import re

        try:
            text = (self.root / "mkdocs.yml").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return "Wiki"
        found = re.search(r"^site_name:[ \t]*(.+?)[ \t]*$", text, re.M)
        return found[1].strip("\"'") if found else "Wiki"

    def wiki(self, request: HTTPConnection) -> Wiki:
        """The wiki as who makes the request may see it."""
        return self.opened.wiki(viewer_of(request))

    def session(self, request: HTTPConnection) -> Session:
        """The same for MCP's tools, with what else depends on who asks."""
        from citewiki.server.mcp.session import Engines, Session

        identity = identity_of(request)
        return Session(
            self.wiki(request),
            read_only=identity is None or identity.read_only,
            engines=self.engines if identity else Engines(),
            who=caller_of(request),
            base_url=self.url,
            holds=partial(is_still, self, identity),
        )

    def page(
        self,
        request: HTTPConnection,
        template: str,
        values: Mapping[str, Any],
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """A page made from `template`, with the frame that all have."""
        identity = identity_of(request)
        html = self.templates.get_template(template).render(
            site_name=self.name, user=identity.user if identity else "", **values
        )
        return HTMLResponse(html, status, headers)


def serving_of(request: HTTPConnection) -> Serving:
    """The wiki that a request is made to."""
    serving: Serving = request.app.state.serving
    return serving
