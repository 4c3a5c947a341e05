"""Charts and drawings as SVG, by hand: shapes, words, frames, curves."""

import pathlib

import numpy as np

BLUE, RED, GREEN, GREY = "#3b6ea5", "#c8553d", "#588157", "#888"
PAPER = "#faf9f5"


def attributes(more):
    return "".join(f' {k.replace("_", "-")}="{v}"' for k, v in more.items())


def text(x, y, words, size=11, **more):
    """Words at x, y, which may be numbers or texts of numbers."""
    x, y = (f"{v:.1f}" if isinstance(v, float) else v for v in (x, y))
    return f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}"{attributes(more)}>{words}</text>'


def line(x1, y1, x2, y2, colour=GREY, width=1.0, dash=None):
    more = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"{more}/>'
    )


def box(x, y, width, height, fill, **more):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{attributes(more)}/>'


def disc(x, y, radius, fill, **more):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}"{attributes(more)}/>'


def chart(title, corner, size, x_ends, y_ends, curves, unit, powers=False):
    """Shapes of a chart: a frame, the ends of both axes, curves (x, y, colour), thin where a fourth says so.

    With `powers` the upright axis is one of powers of ten.
    """
    (left, top), (width, height) = corner, size
    scale = np.log10 if powers else np.asarray
    low, high = scale(y_ends)
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
        up = (scale(np.clip(y, *y_ends)) - low) / (high - low)
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
        f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def write(pictures, folder):
    """Draws pictures, functions by name, into a folder."""
    for name, draw in pictures.items():
        path = pathlib.Path(folder) / f"{name}.svg"
        path.write_text(draw())
        print(f"{path}: {path.stat().st_size} bytes")
