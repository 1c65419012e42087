"""Plots as SVG, by hand: lines over a logarithmic or even axis, and bars. They read well on light and dark pages
alike."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 58, 52
COLORS = ["#2563eb", "#0d9488", "#d97706", "#db2777", "#7c3aed", "#64748b"]
STYLE = (
    "<style>text{font:13px"
    " system-ui,sans-serif;fill:#1f2937}.title{font-weight:600;font-size:15px}.axis{stroke:#9ca3af}"
    ".grid{stroke:#e5e7eb}.small{font-size:12px}</style>"
)


def short(value):
    """A number as an axis shows it."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    if value >= 1e4:
        return f"{value / 1e3:.3g} k"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def ticks(most):
    """Even steps from nothing to what holds the largest value."""
    size = 10 ** math.floor(math.log10(most / 4)) if most else 1
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor * 5 >= most)
    return [step * number for number in range(math.ceil(most / step - 1e-9) + 1)]


def frame(title, label, names, body):
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            f' aria-label="{escape(title)}">'
        ),
        STYLE,
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>',
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
    ]
    x = LEFT
    for number, name in enumerate(names):
        parts.append(f'<rect x="{x}" y="33" width="11" height="11" rx="2" fill="{COLORS[number]}"/>')
        parts.append(f'<text class="small" x="{x + 16}" y="43">{escape(name)}</text>')
        x += 30 + 6.7 * len(name)
    parts += body
    parts.append(
        f'<text class="small" x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end">{escape(label)}</text></svg>'
    )
    return "\n".join(parts) + "\n"


def vertical(top):
    """Lines and numbers of the upright axis."""
    marks = ticks(top)
    place = lambda value: HEIGHT - BOTTOM - value / marks[-1] * (HEIGHT - TOP - BOTTOM)  # noqa: E731
    body = []
    for mark in marks:
        y = place(mark)
        body.append(
            f'<line class="{"grid" if mark else "axis"}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        body.append(f'<text class="small" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{short(mark)}</text>')
    return place, body


def lines(title, label, series, is_logarithmic=True, unit=""):
    """Lines of `{name: [(x, y)]}`; the label names both axes."""
    xs = sorted({x for points in series.values() for x, _ in points})
    scale = math.log10 if is_logarithmic else float
    least, most = scale(xs[0]), scale(xs[-1])
    at = lambda x: LEFT + 12 + (scale(x) - least) / ((most - least) or 1) * (WIDTH - LEFT - RIGHT - 24)  # noqa: E731
    place, body = vertical(max(y for points in series.values() for _, y in points))
    shown = xs if len(xs) <= 8 else ([x for x in xs if is_logarithmic] or ticks(xs[-1]))[:8]
    for x in shown:
        body.append(
            f'<text class="small" x="{at(x):.1f}" y="{HEIGHT - BOTTOM + 18}"'
            f' text-anchor="middle">{short(x)}{unit}</text>'
        )
    for number, points in enumerate(series.values()):
        path = " ".join(f"{at(x):.1f},{place(y):.1f}" for x, y in points)
        body.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[number]}" stroke-width="2"/>')
        if len(points) <= 12:
            body += [
                f'<circle cx="{at(x):.1f}" cy="{place(y):.1f}" r="3.5" fill="{COLORS[number]}"/>' for x, y in points
            ]
    return frame(title, label, list(series), body)


def distribution(title, label, series):
    """Cumulative shares of `{name: sorted values}`, by an even axis."""
    xs = ticks(max(values[-1] for values in series.values()))
    at = lambda x: LEFT + x / xs[-1] * (WIDTH - LEFT - RIGHT)  # noqa: E731
    place, body = vertical(100)
    for x in xs:
        body.append(
            f'<text class="small" x="{at(x):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{short(x)}</text>'
        )
    for number, values in enumerate(series.values()):
        step = max(1, len(values) // 200)
        points = [(values[place_], 100 * (place_ + 1) / len(values)) for place_ in range(0, len(values), step)] + [
            (values[-1], 100)
        ]
        path = " ".join(f"{at(x):.1f},{place(y):.1f}" for x, y in points)
        body.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[number]}" stroke-width="2"/>')
    return frame(title, label, list(series), body)


def bars(title, label, groups, names):
    """Groups of bars of `{group: [value or None]}`, one bar for each name, with the value above it."""
    place, body = vertical(max(value for values in groups.values() for value in values if value))
    width = (WIDTH - LEFT - RIGHT) / len(groups)
    each = min(46, width * 0.8 / len(names))
    for number, (group, values) in enumerate(groups.items()):
        left = LEFT + number * width + (width - each * len(names)) / 2
        body.append(
            f'<text class="small" x="{LEFT + (number + 0.5) * width:.1f}" y="{HEIGHT - BOTTOM + 18}"'
            f' text-anchor="middle">{escape(group)}</text>'
        )
        for bar, value in enumerate(values):
            if value is None:
                continue
            y = place(value)
            body.append(
                f'<rect x="{left + bar * each + 1:.1f}" y="{y:.1f}" width="{each - 2:.1f}"'
                f' height="{max(0, HEIGHT - BOTTOM - y):.1f}" rx="2" fill="{COLORS[bar]}"/><text class="small"'
                f' x="{left + (bar + 0.5) * each:.1f}" y="{y - 4:.1f}" text-anchor="middle">{short_value(value)}</text>'
            )
    return frame(title, label, names, body)


def short_value(value):
    return f"{value:.2f}" if value < 10 else short(value)
