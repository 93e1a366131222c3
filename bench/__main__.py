"""`make bench`: every measurement, as a table of figures and bars."""

from __future__ import annotations

import argparse

from bench import compile, load, site, sources, speed, time


def main() -> None:
    """Run the measurements that were asked for; all when none was."""
    suites = {
        "speed": speed.run,
        "sources": sources.run,
        "compile": compile.run,
        "site": site.run,
        "time": time.run,
        "load": load.run,
    }
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("suite", nargs="*", choices=[[], *suites], help=", ".join(suites))
    parser.add_argument("--pages", type=int, help="size of the generated wiki")
    chosen = parser.parse_args()
    for name in chosen.suite or suites:
        print(f"## {name}")
        for row in suites[name](**({"pages": chosen.pages} if chosen.pages else {})):
            verdict = "met" if row.met else "MISSED"
            print(f"{row.name:<58} {row.figure:>9.3g} {row.unit:<4} bar {row.bar:<6g} {verdict}")


if __name__ == "__main__":
    main()
