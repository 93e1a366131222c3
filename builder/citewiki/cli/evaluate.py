"""`eval`: the program measured on data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewiki.cli.options import PATH, output_options
from citewiki.cli.output import print_json, say

if TYPE_CHECKING:
    from citewiki.evaluate.metrics import Report

SUITES = ("retrieval", "multihop", "refusal", "judge", "multilingual")


@click.command("eval")
@click.argument("suite", type=click.Choice(SUITES), help="What is measured.")
@click.option("--data", type=PATH, required=True, metavar="DIR", help="The folder of the set.")
@click.option("--plot", type=PATH, metavar="F", help="Write a picture of it, .svg or .png.")
@output_options
def evaluate(
    suite: str, data: Path, plot: Path | None, json: bool, quiet: bool, verbose: bool
) -> None:
    """Measure retrieval, refusal or the judge on a set: figures, intervals, baselines."""
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{plot}: end it in .svg or .png")
    if plot is not None and not plot.parent.is_dir():
        raise click.BadParameter(f"{plot}: there is no folder {plot.parent}; make it first")
    report = _run(suite, data)
    if plot is not None:
        from citewiki.evaluate.plot import png, svg
        from citewiki.store.files import write_atomic

        write_atomic(plot, png(report) if plot.suffix == ".png" else svg(report))
        say(f"{plot}: a picture of {suite}", quiet)
    if json:
        print_json(report)
    else:
        print_report(report)


def _run(suite: str, data: Path) -> Report:
    if suite == "refusal":
        from citewiki.evaluate import answers

        return answers.run(data)
    if suite == "judge":
        from citewiki.evaluate import verdicts

        return verdicts.run(data)
    from citewiki.evaluate import retrieval

    return retrieval.run(suite, data)


def print_report(report: Report) -> None:
    """A report as a table: a line a figure, its 95 % interval, and the baselines beside it."""
    steps = list(report.baselines)
    width = max(map(len, report.figures))
    print(f"{report.suite}, n = {report.n}")
    heads = "".join(f"{step:>{max(len(step), 6) + 2}}" for step in steps)
    print(f"{'':<{width}}  {'figure':>7}  {'95 % interval':>15}{heads}")
    for name, value in report.figures.items():
        low, high = report.intervals.get(name, (value, value))
        interval = f"{low:.3f} - {high:.3f}" if name in report.intervals else ""
        others = ""
        for step in steps:
            found = report.baselines[step].get(name)
            shown = "" if found is None else f"{found:.3f}"
            others += f"{shown:>{max(len(step), 6) + 2}}"
        print(f"{name:<{width}}  {value:>7.3f}  {interval:>15}{others}".rstrip())
