"""A picture of a report: one measure by step, as SVG."""

from __future__ import annotations

from html import escape

from citewiki.evaluate.metrics import Report

_WIDTH, _BAR, _GAP, _LEFT, _TOP = 760, 16, 14, 170, 46
_COLOURS = ("#4c78dd", "#e0803a", "#3a9d73", "#c9517f", "#8a63d2")


def recall_by_step(report: Report, measure: str = "recall@5") -> str:
    """Bars of `measure` for every step and set, the program's own last; SVG text."""
    steps = {**report.baselines, "citewiki": report.figures}
    keys = [name for name in report.figures if name == measure or name.endswith(f"/{measure}")]
    group = len(keys) * _BAR + _GAP
    height = _TOP + len(steps) * group + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="12" y="20" font-size="14">{escape(f"{report.suite}: {measure} by step")}</text>'
    ]
    for number, key in enumerate(keys):
        x = _LEFT + number * 150
        colour = _COLOURS[number % len(_COLOURS)]
        label = escape(key.removesuffix(measure).rstrip("/") or "all")
        parts.append(f'<rect x="{x}" y="28" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 15}" y="37">{label}</text>')
    for row, (name, figures) in enumerate(steps.items()):
        y = _TOP + row * group
        parts.append(f'<text x="12" y="{y + group / 2}">{escape(name)}</text>')
        for number, key in enumerate(keys):
            value = figures.get(key, 0.0)
            top = y + number * _BAR
            length = value * (_WIDTH - _LEFT - 70)
            colour = _COLOURS[number % len(_COLOURS)]
            parts.append(
                f'<rect x="{_LEFT}" y="{top}" width="{length:.1f}" height="{_BAR - 3}" '
                f'fill="{colour}"/><text x="{_LEFT + length + 6:.1f}" y="{top + 11}">'
                f"{100 * value:.1f}</text>"
            )
    return "".join([*parts, "</svg>"]) + "\n"
