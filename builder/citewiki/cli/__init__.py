"""The command line: parse, call, render."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `citewiki`; the one place where an error becomes a line and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    from citewiki.cli.app import app
    from citewiki.errors import CitewikiError

    try:
        app(standalone_mode=True)
    except CitewikiError as error:
        print(f"citewiki: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    except BrokenPipeError:  # the reader of our output has left: `citewiki search x | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
