"""The command line: parse, call, render."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `citewiki`; the one place where an error becomes a line and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    from click import Abort, ClickException

    from citewiki.cli.app import app
    from citewiki.errors import CitewikiError

    status = 1
    try:
        status = app(prog_name="citewiki", standalone_mode=False) or 0
        sys.stdout.flush()
    except ClickException as error:  # how the command was called
        error.show()
        status = error.exit_code
    except CitewikiError as error:
        print(f"citewiki: {error}", file=sys.stderr)
    except BrokenPipeError:  # the reader of our output has left: `citewiki search x | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Abort:  # Ctrl-C
        status = 130
    raise SystemExit(status)
