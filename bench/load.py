"""Many clients of one server at once: how long calls take, and whether anything is lost or torn.

A real `citewiki serve` on this machine is asked in two ways. First by users who call as often as
the limit of calls lets them, 100 times a minute each. Then by clients that ask again as soon as
they have a reply, without limits: such a closed loop of n clients takes n times as long for a call
as the scarcest resource is busy with one (Little's law), so that it tells how much of a lone call
is waiting, and how much of it several processors share.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.client import Client
from bench.corpus import questions, write_wiki
from bench.rows import Row

CLIENTS, CALLS = 50, 20
PACE = 100  # calls a minute that a user may make, unless a wiki sets another limit
_SETTINGS = """
[tool.citewiki.server]
calls_per_minute = 100000000
answer_chars = 200000
"""
_START = 30.0  # seconds within which a server has to be up


def run(pages: int = 10_000) -> Iterator[Row]:
    """All rows; `pages` is the size of the wiki that is asked. A tenth of it is written to."""
    root = Path(tempfile.mkdtemp(prefix="citewiki-load-"))
    try:
        write_wiki(root / "asked", pages)
        tokens = prepare(root / "asked", ["ann"])
        with serving(root / "asked") as server:
            yield from _asking(server, tokens[0])
        write_wiki(root / "written", max(pages // 10, 20))
        tokens = prepare(root / "written", [f"user-{number}" for number in range(5)])
        with serving(root / "written") as server:
            seen = asyncio.run(write_and_read(server, tokens, writers=20, readers=50, seconds=20))
        yield Row("20 writers, 50 readers, 20 s: pages read torn or stale", len(seen.wrong), 0, "")
        yield Row(
            "… entries that were written and are not there", seen.lost(root / "written"), 0, ""
        )
        yield Row("… errors", len(seen.errors), 0, "")
        yield Row(f"… memory at the end / after a quarter ({seen.told})", seen.growth, 1.1)
    finally:
        shutil.rmtree(root, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    pid: int

    def cpu(self) -> float:
        """Seconds of CPU that it has taken so far, in user and system mode."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """MiB that it holds in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def prepare(root: Path, users: Sequence[str], *, index: bool = True) -> list[str]:
    """High limits, users, and their indexes in the wiki at `root`; returns a token for each."""
    from citewiki.index.index import open_index
    from citewiki.store.users import add_user, issue_token

    (root / "pyproject.toml").write_text(_SETTINGS, encoding="utf-8")
    now, tokens = datetime.now(UTC), []
    for user in users:
        add_user(root, user, now=now)
        tokens.append(issue_token(root, user, name="load", now=now))
        if index:
            open_index(root / "wiki", root / ".citewiki", user).close()
    return tokens


@contextlib.contextmanager
def serving(root: Path) -> Iterator[Server]:
    """`citewiki serve` for the wiki at `root`, until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "citewiki", "serve", "--wiki", str(root), "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait_for(port, process)
            yield Server(port, process.pid)
        finally:
            process.terminate()
            process.wait(30)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _START
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start (exit {process.poll()})")


@dataclass(frozen=True, slots=True)
class Asked:
    """What asking took."""

    times: list[float]  # seconds of each call
    errors: list[str]
    wall: float  # seconds of all
    server: float  # seconds of CPU of the server
    client: float  # … and of the clients

    def percentile(self, share: float) -> float:
        """Seconds within which so large a share of the calls was answered."""
        return sorted(self.times)[int(share * (len(self.times) - 1))]

    @property
    def told(self) -> str:
        """The figures in a line."""
        calls = len(self.times)
        return (
            f"{calls / self.wall:.0f} calls/s, p50 {1e3 * self.percentile(0.5):.1f} ms, "
            f"p95 {1e3 * self.percentile(0.95):.1f} ms, CPU of a call: server "
            f"{1e3 * self.server / calls:.2f} ms, client {1e3 * self.client / calls:.2f} ms"
        )


async def ask(
    server: Server, token: str, texts: Sequence[Sequence[str]], *, every: float = 0.0
) -> Asked:
    """Each client asks its `texts` one after another; all clients at once.

    With `every` a client asks one in so many seconds, beginning at a moment of its own; a call
    counts from when it should have been made, also when the one before took too long.
    """
    times: list[float] = []
    errors: list[str] = []
    chance = random.Random(11)

    async def one(mine: Sequence[str]) -> None:
        client = Client(server.port, token)
        first = time.perf_counter() + chance.uniform(0, every)
        for number, text in enumerate(mine):
            start = max(first + number * every, 0.0 if every else time.perf_counter())
            await asyncio.sleep(max(start - time.perf_counter(), 0.0))
            try:
                await client.call("wiki_query", question=text)
            except (RuntimeError, OSError, asyncio.IncompleteReadError) as error:
                errors.append(f"{type(error).__name__}: {error}")
            times.append(time.perf_counter() - start)
        await client.close()

    wall, cpu, own = time.perf_counter(), server.cpu(), time.process_time()
    await asyncio.gather(*map(one, texts))
    return Asked(
        times,
        errors,
        time.perf_counter() - wall,
        server.cpu() - cpu,
        time.process_time() - own,
    )


def _asking(server: Server, token: str) -> Iterator[Row]:
    """A lone client; 50 at the pace of the limit; 50 without pause; the same with shared questions.

    A lone call is the median of calls of one client that waits for each reply, to the same server.
    """
    size = CLIENTS * CALLS
    asyncio.run(ask(server, token, [questions(300, seed=40)]))  # reads in what any call needs
    alone = asyncio.run(ask(server, token, [questions(200, seed=41)]))
    single = statistics.median(alone.times)
    print(f"one client: {alone.told}")
    common = questions(200, seed=44)
    drawn = random.Random(7).choices(common, [1 / rank for rank in range(1, 201)], k=size)
    for name, texts, every in (
        (f"{PACE} calls a minute each", questions(size, seed=42), 60 / PACE),
        ("without pause", questions(size, seed=43), 0.0),
        ("without pause, 200 questions by Zipf's law", drawn, 0.0),
    ):
        asked = asyncio.run(
            ask(server, token, [texts[n::CLIENTS] for n in range(CLIENTS)], every=every)
        )
        print(f"{CLIENTS} clients, {name}: {asked.told}")
        yield Row(f"{CLIENTS} × {CALLS} wiki_query, {name}: errors", len(asked.errors), 0, "")
        yield Row("… p95 / median of a lone call", asked.percentile(0.95) / single, 10)


@dataclass
class Seen:
    """What writers wrote and readers saw."""

    written: dict[str, int] = field(default_factory=dict)  # title → entries acknowledged
    slugs: dict[str, str] = field(default_factory=dict)  # title → slug
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MiB, by turns
    reads: int = 0

    @property
    def growth(self) -> float:
        """Memory of the last quarter of the time against that of the second."""
        quarter = len(self.memory) // 4
        return statistics.mean(self.memory[-quarter:]) / statistics.mean(
            self.memory[quarter : 2 * quarter]
        )

    @property
    def told(self) -> str:
        """The figures in a line."""
        return f"{sum(self.written.values())} writes, {self.reads} reads, {self.memory[-1]:.0f} MiB"

    def lost(self, root: Path) -> int:
        """Entries that a writer was told are written, and that the files do not hold."""
        files = {path.stem: path for path in (root / "wiki").rglob("*.md")}
        missing = 0
        for title, count in self.written.items():
            file = files.get(self.slugs[title])
            text = file.read_text(encoding="utf-8") if file else ""
            missing += sum(entry(title, number) not in text for number in range(count))
        return missing


def entry(title: str, number: int) -> str:
    """A line that cannot be cut or changed without being noticed."""
    return f"- entry {number} {hashlib.sha256(f'{title} {number}'.encode()).hexdigest()}"


def body(title: str, count: int) -> str:
    """A page of `count` entries."""
    return "\n".join(entry(title, number) for number in range(count))


async def write_and_read(
    server: Server, tokens: Sequence[str], *, writers: int, readers: int, seconds: float
) -> Seen:
    """Writers add entries to a page of their own each, while readers read all of these pages.

    A page that is read has to be whole, and to hold what its writer was told is written.
    """
    seen = Seen()
    end = time.monotonic() + seconds

    async def write(number: int) -> None:
        token = tokens[number % len(tokens)]
        client, title, count = Client(server.port, token), f"Journal {number}", 0
        while time.monotonic() < end:
            count += 1
            found = await client.call(
                "wiki_save_page", title=title, body=body(title, count), shared_with=["*"]
            )
            if found["action"] not in ("created", "merged"):
                seen.errors.append(f"{found}")
                break
            seen.slugs[title] = found["slug"]
            seen.written[title] = count
        await client.close()

    async def read(number: int) -> None:
        client, chance = Client(server.port, tokens[number % len(tokens)]), random.Random(number)
        while time.monotonic() < end:
            if not seen.written:
                await asyncio.sleep(0.01)
                continue
            title, known = chance.choice(list(seen.written.items()))
            found = await client.call("wiki_get_article", name=seen.slugs[title])
            seen.reads += 1
            lines = [line for line in found["text"].splitlines() if line.startswith("- entry")]
            if len(lines) < known or lines != body(title, len(lines)).splitlines():
                seen.wrong.append(f"{title}: {len(lines)} of {known} entries")
        await client.close()

    async def watch() -> None:
        while time.monotonic() < end:
            seen.memory.append(server.memory())
            await asyncio.sleep(seconds / 100)

    async def told(work: asyncio.Future[None]) -> None:
        try:
            await work
        except (RuntimeError, OSError, asyncio.IncompleteReadError) as error:
            seen.errors.append(f"{type(error).__name__}: {error}")

    work = [*map(write, range(writers)), *map(read, range(readers)), watch()]
    await asyncio.gather(*(told(asyncio.ensure_future(each)) for each in work))
    return seen
