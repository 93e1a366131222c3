"""The git program, for what few commands need of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citewiki.errors import DataError

_NOBODY = ("citewiki", "citewiki@localhost")
"""Name and address of commits where git knows none of the user's."""


@dataclass
class Git:
    """The git program, in one folder."""

    folder: Path
    index: Path | None = None  # instead of the user's own
    who: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not shutil.which("git"):
            raise DataError("git", "is not installed")
        if not self.succeeds("rev-parse", "--git-dir"):
            raise DataError(
                str(self.folder), "is in no git repository", hint="make one with: git init"
            )
        if not (self.value("config", "user.name") and self.value("config", "user.email")):
            for role in ("AUTHOR", "COMMITTER"):
                self.who[f"GIT_{role}_NAME"], self.who[f"GIT_{role}_EMAIL"] = _NOBODY

    def __call__(self, *arguments: str, text: str = "", **environment: str) -> str:
        """What `git ARGUMENTS` prints. Raises DataError with what it complained of."""
        return self.data(*arguments, text=text, **environment).decode(errors="replace")

    def data(self, *arguments: str, text: str = "", **environment: str) -> bytes:
        """The same as bytes."""
        ran = self._run(arguments, text, environment)
        if ran.returncode:
            said = ran.stderr.decode(errors="replace").strip().splitlines() or ["it failed"]
            raise DataError(f"git {arguments[0]}", said[-1])
        return ran.stdout

    def value(self, *arguments: str) -> str:
        """The line that it prints; "" when it fails."""
        ran = self._run(arguments, "", {})
        return "" if ran.returncode else ran.stdout.decode(errors="replace").strip()

    def succeeds(self, *arguments: str) -> bool:
        """Whether it exits without complaint."""
        return self._run(arguments, "", {}).returncode == 0

    def _run(
        self, arguments: Sequence[str], text: str, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        env = {**os.environ, **self.who, **environment}
        if self.index:
            env["GIT_INDEX_FILE"] = str(self.index)
        return subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=env,
            input=text.encode(),
            capture_output=True,
            check=False,
        )
