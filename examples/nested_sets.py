"""A hierarchy as nested sets: what each level leaves to those below it, in the plane of two unknowns.

python nested_sets.py [FOLDER]

Level 1 has five inequalities, level 2 a strip: both can be met, and leave the points that meet them. Level 3 wants a line
that lies outside: the points nearest to it are left, an edge, and its slack w is how far that is. Level 4 wants a line
that crosses the edge, and leaves one point. With a FOLDER draws the sets as control_nested_sets.svg.
"""

import pathlib
import sys

import charts
import numpy as np

from sinew import control

ALONG = np.array([2, 1]) / np.sqrt(5)  # across the strip and the line
WALLS = np.array([[-1, 0], [0, -1], [0, 1], [1, 0.2], [-1, 1.4]])
LEVELS = [
    (WALLS, None, [-0.35, -0.35, 3.1, 3.5, 3.0]),
    (ALONG[None], 1.3, 2.5),
    (ALONG[None], 3.4),
    ([[-0.4, 1]], 0.3),
]
PURPLE = "#8a5a83"
SCALE, WIDTH, HEIGHT, CORNER = 44, 178, 172, (14, 30)  # pixels a unit, of a panel, of the first
SIZE = WIDTH / SCALE, HEIGHT / SCALE


def clip(polygon, normal, bound):
    """The part of a polygon with normal'x <= bound."""
    kept = []
    for a, b in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        over_a, over_b = normal @ a - bound, normal @ b - bound
        if over_a <= 0:
            kept.append(a)
        if (over_a < 0) != (over_b < 0) and over_a != over_b:
            kept.append(a + over_a / (over_a - over_b) * (b - a))
    return kept


def sets(violation):
    """What levels 1 and 2 leave, and the edge that level 3 with its violation does."""
    whole = [np.array(p, float) for p in ((0, 0), (SIZE[0], 0), SIZE, (0, SIZE[1]))]
    first = whole
    for normal, bound in zip(WALLS, LEVELS[0][2], strict=True):
        first = clip(first, normal, bound)
    second = clip(clip(first, ALONG, LEVELS[1][2]), -ALONG, -LEVELS[1][1])
    edge = [p for p in second if abs(ALONG @ p - (LEVELS[2][1] - violation)) < 1e-9]
    return first, second, edge


class Panel:
    """Shapes in the plane of the unknowns, the origin below on the left."""

    def __init__(self, number, title):
        self.left, self.bottom = CORNER[0] + number * (WIDTH + 14), CORNER[1] + HEIGHT
        x, y = self.left, CORNER[1]
        self.shapes = [
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="#fff" stroke="#888"/>',
            charts.text(x + 4, y - 7, title),
        ]

    def pixel(self, point):
        return self.left + SCALE * point[0], self.bottom - SCALE * point[1]

    def path(self, kind, points, **attributes):
        pairs = " ".join("{:.1f},{:.1f}".format(*self.pixel(p)) for p in points)
        more = " ".join(f'{k.replace("_", "-")}="{v}"' for k, v in attributes.items())
        self.shapes.append(f'<{kind} points="{pairs}" {more}/>')

    def area(self, points, colour, opacity):
        self.path("polygon", points, fill=colour, opacity=opacity)
        self.path("polygon", points, fill="none", stroke=colour, stroke_width=1.4)

    def line(self, normal, bound, colour):
        """normal'x = bound, as far as the panel goes."""
        normal = np.asarray(normal, float)
        box = [np.array(p, float) for p in ((0, 0), (SIZE[0], 0), SIZE, (0, SIZE[1]))]
        below = clip(box, normal, bound)
        ends = [p for p in below if abs(normal @ p - bound) < 1e-9]
        self.path(
            "polyline", ends, fill="none", stroke=colour, stroke_width=1.6, stroke_dasharray="5 3"
        )

    def dot(self, point, colour):
        x, y = self.pixel(point)
        self.shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.0" fill="{colour}"/>')

    def word(self, point, words, colour="#222"):
        x, y = self.pixel(point)
        self.shapes.append(charts.text(f"{x:.1f}", f"{y:.1f}", words, fill=colour))


def arrow(panel, start, end, colour):
    """From start to end, with a head."""
    way = (end - start) / np.linalg.norm(end - start)
    across = np.array([-way[1], way[0]])
    head = [end, end - 0.17 * way + 0.07 * across, end - 0.17 * way - 0.07 * across]
    panel.path("polyline", [start, end - 0.12 * way], fill="none", stroke=colour, stroke_width=1.8)
    panel.path("polygon", head, fill=colour)


def draw(result):
    first, second, edge = sets(result.violations[2])
    titles = (
        "level 1: can be met",
        "level 2: can be met",
        "level 3: cannot, by w",
        "level 4: on what is left",
    )
    panels = [Panel(i, title) for i, title in enumerate(titles)]
    for i, panel in enumerate(panels):
        panel.area(first, charts.BLUE, 0.14 if i else 0.3)
        if i:
            panel.area(second, charts.GREEN, 0.2 if i > 1 else 0.4)
        if i > 1:
            panel.line(ALONG, LEVELS[2][1], charts.RED)
            panel.path("polyline", edge, fill="none", stroke=charts.RED, stroke_width=4)
    middle = np.mean(edge, 0)
    arrow(panels[2], middle, middle + result.violations[2] * ALONG, charts.RED)
    panels[2].word(middle + result.violations[2] / 2 * ALONG + [0.06, -0.2], "w", charts.RED)
    panels[3].line(LEVELS[3][0][0], LEVELS[3][1], PURPLE)
    panels[3].dot(result.x, PURPLE)
    panels[3].word(result.x + [0.12, -0.22], "x", PURPLE)
    panels[0].word((0.8, 1.3), "S1", charts.BLUE)
    panels[1].word((1.25, 1.3), "S2", charts.GREEN)
    panels[2].word(middle + [-0.5, -0.25], "S3", charts.RED)
    shapes = [shape for panel in panels for shape in panel.shapes]
    return charts.picture(shapes, 2 * CORNER[0] + 4 * WIDTH + 3 * 14, CORNER[1] + HEIGHT + 14)


def main():
    result = control.solve_hqp(LEVELS)
    print("x", result.x.round(4), "violations", result.violations.round(4))
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "control_nested_sets.svg").write_text(draw(result))


if __name__ == "__main__":
    main()
