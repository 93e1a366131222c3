"""A picture of a report: recall by step, or every figure with its interval. SVG, or PNG of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from citewiki.evaluate.metrics import Interval, Report

OWN = "citewiki"
"""What the program itself is called beside its baselines."""

_WIDTH, _BAR, _GAP, _TOP, _LETTER = 800, 15, 12, 34, 7  # px; _LETTER: of text, at most, on average
_MIDDLE = 'text-anchor="middle"'
_INK, _FAINT = "#333", "#ddd"
_COLOURS = ("#4c78dd", "#e0803a", "#3a9d73", "#c9517f", "#8a63d2", "#2f9db5", "#b08d1e")
_DEPTHS = ("recall@1", "recall@5", "recall@10")
_BY_SET = "recall@5"  # where questions come in sets, each of them has a bar of this alone
_ZOOM = 2.0  # pixels of the PNG for one of the SVG


@dataclass(frozen=True, slots=True)
class _Bar:
    """One value, 0..1."""

    series: int
    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class _Chart:
    """Groups of bars; bars of one series have one colour."""

    title: str
    series: Sequence[str]
    groups: Mapping[str, Sequence[_Bar]]


def svg(report: Report) -> str:
    """A report drawn: recall by step where it has that, else all its fractions, as SVG text.

    Whiskers are 95 % intervals.
    """
    return _drawn(_steps(report) if _BY_SET in report.figures else _figures(report))


def png(report: Report) -> bytes:
    """The same picture as PNG."""
    import resvg_py

    return resvg_py.svg_to_bytes(svg_string=svg(report), zoom=_ZOOM)


def _steps(report: Report) -> _Chart:
    """A group for each step, the program's own last: recall by depth, or of every set."""
    sets = [name for name in report.figures if name.endswith(f"/{_BY_SET}")]
    keys = [_BY_SET, *sets] if sets else [key for key in _DEPTHS if key in report.figures]
    names = [key.removesuffix(f"/{_BY_SET}") for key in keys]
    names[0] = "all" if sets else names[0]
    groups = {step: _bars(figures, keys, {}) for step, figures in report.baselines.items()}
    groups[OWN] = _bars(report.figures, keys, report.intervals)
    return _Chart(f"{report.suite}: {_BY_SET if sets else 'recall'} by step", names, groups)


def _bars(
    figures: Mapping[str, float], keys: Sequence[str], intervals: Mapping[str, Interval]
) -> list[_Bar]:
    return [
        _Bar(series, figures[key], intervals.get(key))
        for series, key in enumerate(keys)
        if key in figures
    ]


def _figures(report: Report) -> _Chart:
    """A group for each figure: the program's own bar, then those of the baselines."""
    runs = {OWN: report.figures, **report.baselines}
    groups = {
        key: [
            _Bar(series, figures[key], report.intervals.get(key) if name == OWN else None)
            for series, (name, figures) in enumerate(runs.items())
            if key in figures
        ]
        for key in report.figures
        if not key.endswith("_ms")
    }
    return _Chart(f"{report.suite}: figures", list(runs), groups)


def _drawn(chart: _Chart) -> str:
    left = 24 + _LETTER * max(map(len, chart.groups))
    wide = _WIDTH - left - 60
    legend = list(_legend(chart.series, left))
    top = _TOP + 20 * (legend[-1][1] + 1)
    height = top + sum(len(bars) * _BAR + _GAP for bars in chart.groups.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height + 30}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="12" y="22" font-size="15">{escape(chart.title)}, percent</text>'
    ]
    for series, (x, row) in enumerate(legend):
        y = _TOP + 20 * row
        parts.append(f'<rect x="{x}" y="{y}" width="11" height="11" fill="{_colour(series)}"/>')
        parts.append(f'<text x="{x + 16}" y="{y + 10}">{escape(chart.series[series])}</text>')
    for tenth in range(0, 11, 2):
        x = left + wide * tenth // 10
        line = f'<path d="M{x} {top - 4}V{height}" stroke="{_FAINT}"/>'
        parts.append(f'{line}<text x="{x}" y="{height + 18}" {_MIDDLE}>{10 * tenth}</text>')
    y = top
    for name, bars in chart.groups.items():
        middle = y + len(bars) * _BAR / 2 + 3
        parts.append(f'<text x="12" y="{middle:.1f}">{escape(name)}</text>')
        for bar in bars:
            parts += _bar(bar, left, y, wide)
            y += _BAR
        y += _GAP
    return "".join([*parts, "</svg>"]) + "\n"


def _legend(series: Sequence[str], left: int) -> Iterator[tuple[int, int]]:
    """Where the entries of the legend stand: x in px, and the row."""
    x, row = left, 0
    for name in series:
        room = 36 + _LETTER * len(name)
        if x > left and x + room > _WIDTH:
            x, row = left, row + 1
        yield x, row
        x += room


def _bar(bar: _Bar, left: int, y: int, wide: int) -> Iterator[str]:
    """A bar, its whisker, and its value in percent behind both."""
    end = left + wide * bar.value
    yield (
        f'<rect x="{left}" y="{y}" width="{end - left:.1f}" height="{_BAR - 3}" '
        f'fill="{_colour(bar.series)}"/>'
    )
    if bar.interval:
        low, high = (left + wide * each for each in bar.interval)
        middle = y + (_BAR - 3) / 2
        yield (
            f'<path d="M{low:.1f} {middle - 3}v6M{low:.1f} {middle}H{high:.1f}m0 -3v6" '
            f'stroke="{_INK}" fill="none"/>'
        )
        end = max(end, high)
    yield f'<text x="{end + 6:.1f}" y="{y + 10}" font-size="11">{100 * bar.value:.1f}</text>'


def _colour(series: int) -> str:
    return _COLOURS[series % len(_COLOURS)]
