"""Charts as SVG, by hand: frames, curves, words."""

import numpy as np

BLUE, RED, GREEN = "#3b6ea5", "#c8553d", "#588157"


def text(x, y, words, **attributes):
    more = "".join(f' {k.replace("_", "-")}="{v}"' for k, v in attributes.items())
    return f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="11"{more}>{words}</text>'


def chart(title, corner, size, x_ends, y_ends, curves, unit):
    """Shapes of a chart: a frame, the ends of both axes, curves (x, y, colour), thin where a fourth says so."""
    (left, top), (width, height) = corner, size
    shapes = [
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#fff" stroke="#888"/>',
        text(left + 4, top - 5, title),
        text(left - 4, top + 9, f"{y_ends[1]:g}", text_anchor="end"),
        text(left - 4, top + height, f"{y_ends[0]:g}", text_anchor="end"),
        text(left, top + height + 13, f"{x_ends[0]:g}"),
        text(left + width, top + height + 13, f"{x_ends[1]:g} {unit}", text_anchor="end"),
    ]
    for x, y, colour, *thin in curves:
        along = (np.asarray(x) - x_ends[0]) / (x_ends[1] - x_ends[0])
        up = (np.clip(y, *y_ends) - y_ends[0]) / (y_ends[1] - y_ends[0])
        points = " ".join(
            f"{left + width * a:.1f},{top + height * (1 - b):.1f}"
            for a, b in zip(along, up, strict=True)
        )
        stroke = 'stroke-width="1" stroke-dasharray="3 2"' if thin else 'stroke-width="1.5"'
        shapes.append(f'<polyline points="{points}" fill="none" stroke="{colour}" {stroke}/>')
    return shapes


def picture(shapes, width, height):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" stroke-linecap="round">\n'
        f'<rect width="{width}" height="{height}" rx="6" fill="#faf9f5"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )
