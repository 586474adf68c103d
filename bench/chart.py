# SPDX-License-Identifier: Apache-2.0
"""Draws series of numbers as SVG."""

import html
import math

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP = 60, 150, 34
COLOURS = ("#1f6fb2", "#d1601f", "#3c8d40", "#8a4fa3", "#777777")


def ticks(low, high, log):
    """Round numbers, the first not above `low` and the last not below `high`."""
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0 ** e for e in range(first, max(last, first + 1) + 1)]
    step = 10.0 ** math.floor(math.log10(high or 1))
    while high / step < 4:
        step /= 2
    return [step * i for i in range(math.ceil(high / step) + 1)]


def text(x, y, content, anchor="middle", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>'
            f"{html.escape(str(content))}</text>")


def axes(title, labels, marks, place_x, place_y):
    bottom = place_y(marks[0])
    yield text(LEFT, 18, title, "start", 'font-weight="bold"')
    for mark in marks:
        y = place_y(mark)
        yield (f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
               + text(LEFT - 6, y + 4, f"{mark:g}", "end"))
    for i, label in enumerate(labels):
        x, y = place_x(i), bottom + 14
        slanted = (f'transform="rotate(-50 {x:.1f} {y:.1f})"'
                   if len(str(label)) > 4 else "")
        yield text(x, y, label, "end" if slanted else "middle", slanted)


def line(number, name, values, place_x, place_y):
    """One series; where a value is None it is interrupted."""
    colour = COLOURS[number % len(COLOURS)]
    path, pen = "", "M"
    for i, value in enumerate(values):
        if value is None:
            pen = "M"
            continue
        x, y = place_x(i), place_y(value)
        path += f"{pen}{x:.1f} {y:.1f}"
        pen = "L"
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
    yield f'<path d="{path}" fill="none" stroke="{colour}"/>'
    yield text(WIDTH - RIGHT + 12, TOP + 12 + 18 * number, name, "start",
               f'fill="{colour}"')


def chart(path, title, labels, series, log=False):
    """Writes a chart. `series` is a dictionary from names to lists with a value,
    or None, for each of the labels. Nothing is written if all are None."""
    values = [v for row in series.values() for v in row if v is not None]
    if log:
        values = [v for v in values if v > 0]
    if not values:
        return
    marks = ticks(min(values), max(values), log)
    scale = math.log10 if log else float
    low, high = scale(marks[0]), scale(marks[-1])
    longest = max(len(str(label)) for label in labels)
    under = 24 if longest <= 4 else 20 + 5 * longest
    step = (WIDTH - LEFT - RIGHT) / len(labels)

    def place_x(i):
        return LEFT + step * (i + 0.5)

    def place_y(value):
        value = scale(max(value, marks[0]))
        return TOP + (HEIGHT - TOP) * (1 - (value - low) / (high - low))

    parts = list(axes(title, labels, marks, place_x, place_y))
    for number, (name, row) in enumerate(series.items()):
        parts += line(number, name, row, place_x, place_y)
    size = f'width="{WIDTH}" height="{HEIGHT + under}"'
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        'font-family="sans-serif" font-size="11">\n'
        f'<rect {size} fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
