"""Plain bars and lines as SVG, readable on light and dark backgrounds."""

import math
from collections.abc import Sequence
from html import escape

COLOURS = ("#3b82c4", "#d9822b", "#8a6fb8", "#4f9d69", "#9aa0a6")
STYLE = """<style>
  text { font: 12px system-ui, sans-serif; fill: #333; }
  .line { stroke: #999; stroke-width: 1; }
  @media (prefers-color-scheme: dark) { text { fill: #ddd; } .line { stroke: #777; } }
</style>"""
LEFT, WIDTH, HEIGHT = 300, 760, 14


def short(value: float) -> str:
    """Three digits."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def document(height: float, title: str, parts: Sequence[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}"'
            f' height="{height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            STYLE,
            *parts,
            "</svg>",
            "",
        ]
    )


def legend(names: Sequence[str], top: float, left: float = 10) -> list[str]:
    parts = []
    for name, colour in zip(names, COLOURS):
        parts.append(f'<rect x="{left:g}" y="{top:g}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{left + 17:g}" y="{top + 10:g}">{escape(name)}</text>')
        left += 35 + 7 * len(name)
    return parts


def bars(title: str, names: Sequence[str], rows: Sequence[tuple[str, Sequence[float | None]]]) -> str:
    """A group of bars for each row, as multiples of its first bar, which stand at one length."""
    ratios = [value / values[0] for _, values in rows for value in values if value and values[0]]
    low, high = math.log10(min(ratios) / 1.5), math.log10(max(ratios) * 1.1)
    scale = (WIDTH - LEFT - 70) / (high - low)
    parts = [f'<text x="10" y="16" font-weight="bold">{escape(title)}</text>', *legend(names, 26)]
    top = 52.0
    for label, values in rows:
        parts.append(f'<text x="10" y="{top + 11:g}">{escape(label)}</text>')
        for value, colour in zip(values, COLOURS):
            if not value or not values[0]:
                continue
            length = (math.log10(value / values[0]) - low) * scale
            parts.append(f'<rect x="{LEFT}" y="{top:.1f}" width="{length:.1f}" height="{HEIGHT - 2}" fill="{colour}"/>')
            parts.append(f'<text x="{LEFT + length + 5:.1f}" y="{top + 10:.1f}">{short(value)}</text>')
            top += HEIGHT
        top += 8
    one = LEFT - low * scale
    parts.append(f'<line class="line" x1="{one:.1f}" y1="46" x2="{one:.1f}" y2="{top:.1f}" stroke-dasharray="3 3"/>')
    return document(top + 8, title, parts)


def lines(title: str, across: str, series: Sequence[tuple[str, Sequence[tuple[float, float]]]]) -> str:
    """A line for each of `series`; both axes are logarithmic, a tick at each value across."""
    left, bottom, top = 70, 300, 60
    xs = sorted({x for _, points in series for x, _ in points})
    ys = [y for _, points in series for _, y in points]
    low, high = math.log10(min(ys) / 1.3), math.log10(max(ys) * 1.3)
    span = math.log10(max(xs) / min(xs)) or 1

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + math.log10(x / min(xs)) / span * (WIDTH - left - 60),
            bottom - (math.log10(y) - low) / (high - low) * (bottom - top),
        )

    parts = [f'<text x="10" y="16" font-weight="bold">{escape(title)}</text>']
    parts += legend([name for name, _ in series], 26)
    parts.append(f'<line class="line" x1="{left}" y1="{bottom}" x2="{WIDTH - 40}" y2="{bottom}"/>')
    for x in xs:
        parts.append(f'<text x="{place(x, 10**low)[0]:.1f}" y="{bottom + 18}" text-anchor="middle">{short(x)}</text>')
    for step in range(math.ceil(low), math.floor(high) + 1):
        y = place(min(xs), 10.0**step)[1]
        parts.append(f'<line class="line" x1="{left}" y1="{y:.1f}" x2="{WIDTH - 40}" y2="{y:.1f}" stroke-dasharray="2 4"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{short(10.0**step)}</text>')
    for (name, points), colour in zip(series, COLOURS):
        placed = [place(x, y) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        parts.append(f'<text x="{placed[-1][0] + 8:.1f}" y="{placed[-1][1] + 4:.1f}">{short(points[-1][1])}</text>')
    parts.append(f'<text x="{WIDTH / 2:g}" y="{bottom + 38}" text-anchor="middle">{escape(across)}</text>')
    return document(bottom + 50, title, parts)
