"""Draws what closed loops let move: rings, a mechanism whose mobility changes, branches, the triangle of a boom.

python draw_mobility.py FOLDER

Positions, ranks, K and G are Sinew's, as they are drawn.
"""

import sys
import warnings

import charts
import numpy as np
from charts import GREY, line, text
from draw_mechanisms import FRONT, MODELS, Drawing

import sinew
import sinew.loops


def linkage(links, loops, gravity="0 0 -9.81"):
    """A planar mechanism of rods, each with a hinge at its start.

    links: name to (parent or None, start, end, radius), points in the xz plane; loops: name to (link, link or None for
    the world, point) of the hinge that closes it.
    """
    children = {}
    for name, (parent, *_) in links.items():
        children.setdefault(parent, []).append(name)

    def sites(link, origin):
        return "".join(
            f'<site name="{name}_{k}" pos="{p[0] - origin[0]} 0 {p[1] - origin[1]}" zaxis="0 -1 0"/>'
            for name, (*two, p) in loops.items()
            for k in range(2)
            if two[k] == link
        )

    def body(name, origin):
        _, a, b, radius = links[name]
        inner = "".join(body(child, a) for child in children.get(name, ()))
        return (
            f'<body name="{name}" pos="{a[0] - origin[0]} 0 {a[1] - origin[1]}"><joint name="{name}" axis="0 -1 0"/>'
            f'<geom type="capsule" fromto="0 0 0 {b[0] - a[0]} 0 {b[1] - a[1]}" size="{radius}"/>'
            f"{sites(name, a)}{inner}</body>"
        )

    fields = "".join(f'<text name="sinew_loop_{n}" data="revolute {n}_0 {n}_1"/>' for n in loops)
    world = "".join(body(name, (0, 0)) for name in children[None])
    model = sinew.Model.from_xml(
        f'<mujoco><option gravity="{gravity}"/><custom>{fields}</custom>'
        '<default><geom contype="0" conaffinity="0"/></default>'
        f"<worldbody>{sites(None, (0, 0))}{world}</worldbody></mujoco>"
    )
    return model, sinew.Data(model)


def numbers(model, data):
    """n, n^c, r and mobility, in words."""
    _, whole = sinew.loops.properties(model, data)
    power = '<tspan dy="-4" font-size="8">c</tspan><tspan dy="4">'
    return f"n {whole.n}, n{power} {whole.nc}, r {whole.r}</tspan>", f"mobility {whole.mobility}"


def ring(*points):
    """A chain of rods through the points, its last end a hinge on the world."""
    links, last = {}, None
    for k, (a, b) in enumerate(zip(points, points[1:], strict=False)):
        links[f"rod{k + 1}"] = (last, a, b, 0.012)
        last = f"rod{k + 1}"
    return linkage(links, {"pin": (last, None, points[-1])})


def rings():
    """A triangle, a four-bar and a five-bar, each with as many other poses as it has freedoms."""
    shapes = []
    kinds = {
        "triangle": ring((0, 0), (0.25, 0.42), (0.5, 0)),
        "four-bar": ring((0, 0), (0.05, 0.25), (0.45, 0.42), (0.5, 0)),
        "five-bar": ring((0, 0), (-0.08, 0.28), (0.26, 0.5), (0.58, 0.28), (0.5, 0)),
    }
    for k, (name, (model, data)) in enumerate(kinds.items()):
        sinew.forward(model, data)
        words = numbers(model, data)
        drawing = Drawing(model, FRONT, 220, (0, 0), (75 + 225 * k, 160))
        drawing.new_panel()
        freedoms = sinew.loops.mobility(model, data)
        start = data.qpos.copy()
        held = [f"rod{i + 1}" for i in range(freedoms)]
        for freedom in range(freedoms):
            for turn in (-0.5, -0.25) if freedom == 0 else (-0.3, -0.15):
                data.qpos[:] = start
                data.qpos[freedom] += turn
                sinew.loops.assemble(model, data, fixed=held)
                drawing.pose(data, opacity=0.2)
        data.qpos[:] = start
        shapes += [line(45 + 225 * k, 166, 45 + 225 * k + 165, 166)]
        drawing.pose(data)
        shapes += drawing.shapes
        shapes += [
            text(45 + 225 * k, 22, name, font_weight="bold"),
            text(45 + 225 * k, 188, words[0]),
            text(45 + 225 * k, 204, words[1], font_weight="bold"),
        ]
    return charts.picture(shapes, 720, 216)


CRANK, ARMS = 0.25, (0.4, 0.22)  # m


def kite(crank, arms=(0.0, 0.0)):
    """Points of two arms whose ends hang on the end of a crank, B, and on the ground, D.

    A, B the crank, A, D the ground, as long; C and E the elbows of both arms. Where B is on D arms have any angles.
    """
    A, D = np.zeros(2), np.array([CRANK, 0])
    B = CRANK * np.array([np.cos(crank), np.sin(crank)])
    middle, half = (B + D) / 2, np.linalg.norm(B - D) / 2
    ways = arms if half < 1e-12 else (crank / 2, crank / 2)
    C, E = (
        middle + np.sqrt(arm**2 - half**2) * np.array([np.cos(a), np.sin(a)])
        for arm, a in zip(ARMS, ways, strict=True)
    )
    return A, B, C, D, E


def two_arms():
    """The mechanism of figure 8.2a."""
    A, B, C, D, E = kite(1.0)
    return linkage(
        {
            "crank": (None, A, B, 0.012),
            "upper1": ("crank", B, C, 0.012),
            "upper2": ("crank", B, E, 0.012),
            "lower1": (None, D, C, 0.004),
            "lower2": (None, D, E, 0.004),
        },
        {"elbow1": ("upper1", "lower1", C), "elbow2": ("upper2", "lower2", E)},
    )


# of crank, upper and lower rods: the two of an arm in one colour
RODS = charts.BLUE, charts.RED, charts.GREEN, "#eebcae", "#b9d0b9"


def rods(points):
    """Directions of crank, upper and lower rods of both arms (rad), those of upper rods against the crank."""
    A, B, C, D, E = points
    ways = np.array([B - A, C - B, E - B, C - D, E - D])
    angles = np.arctan2(ways[:, 1], ways[:, 0])
    return angles - [0, angles[0], angles[0], 0, 0]


def put(model, data, points, start=rods(kite(1.0))):
    """The mechanism in a pose of these points, without a past."""
    sinew.resetData(model, data)
    data.qpos[:] = rods(points) - start
    with warnings.catch_warnings():  # that it is a singular pose is what is to be seen
        warnings.simplefilter("ignore", sinew.SimulationWarning)
        sinew.forward(model, data)
    assert max(sinew.loops.error(model, data).values()) < 1e-12


def mobility():
    model, data = two_arms()
    shapes = []
    degrees = np.pi / 180
    poses = {
        "the crank is turned": [kite(a * degrees) for a in (100, 80, 60)],
        "all in one line": [kite(0)],
        "the arms go on their own": [
            kite(0, (a * degrees, b * degrees)) for a, b in ((-20, 60), (-5, 90), (40, 120))
        ],
    }
    corners = 60, 310, 560
    for left, (words, ways) in zip(corners, poses.items(), strict=True):
        drawing = Drawing(model, FRONT, 190, (0, 0), (left, 140))
        drawing.new_panel()
        drawing.colour = {body + 1: colour for body, colour in enumerate(RODS)}.get
        a, d = drawing.pixel(np.zeros(3)), drawing.pixel(np.array([CRANK, 0, 0]))
        shapes += [line(*a, *d, GREY, 7)]
        for k, points in enumerate(ways):
            put(model, data, points)
            drawing.pose(data, opacity=1.0 if k == len(ways) - 1 else 0.15)
        shapes += drawing.shapes
        rank, free = numbers(model, data)
        shapes += [
            text(left - 30, 20, words, font_weight="bold"),
            text(left - 30, 186, rank),
            text(left - 30, 202, free, font_weight="bold"),
        ]
    shapes += values_of_K(model, data)
    return charts.picture(shapes, 760, 358)


def values_of_K(model, data):
    """Singular values of K on a way through the pose in which all is in one line."""
    way = np.linspace(-60, 60, 121)
    values = []
    for a in way * np.pi / 180:
        put(model, data, kite(-a) if a < 0 else kite(0, (a, 2 * a)))
        values.append(np.linalg.svd(sinew.loops.K(model, data), compute_uv=False)[:4])
    colours = charts.BLUE, charts.GREEN, charts.RED, "#8a5a83"
    curves = [(way, v, c) for v, c in zip(np.array(values).T, colours, strict=True)]
    top = np.ceil(np.max(values) * 10) / 10
    shapes = charts.chart(
        "the four largest singular values of K, the smaller two alike on the left",
        (50, 236),
        (680, 90),
        (-60, 60),
        (0, top),
        curves,
        "degrees",
    )
    return [
        *shapes,
        text(270, 339, "the crank closes", text_anchor="middle"),
        text(390, 339, "0", text_anchor="middle"),
        text(510, 339, "the arms turn", text_anchor="middle"),
        line(390, 236, 390, 326, GREY, 0.8, "2 3"),
    ]


def branches():
    """A four-bar, its crank at one angle, its other bodies where assembly finds them: figure 8.2b."""
    model = sinew.Model.from_path(MODELS / "four_bar.xml")
    data = sinew.Data(model)
    drawing = Drawing(model, FRONT, 220, (0, 0), (60, 125))
    drawing.new_panel()
    shapes = [line(35, 131, 195, 131)]
    for over, opacity, y, ink in ((3.5, 0.35, 172, GREY), (0, 1.0, 50, "#222")):
        sinew.resetData(model, data)
        data.qpos[0] = 1.5
        data.qpos[2] += over
        sinew.loops.assemble(model, data, fixed=["crank"])
        drawing.pose(data, opacity)
        words = "crank {:.3f}, coupler {:.3f}, rocker {:.3f} rad".format(*data.qpos)
        shapes.append(text(250, y, words, fill=ink))
    return charts.picture(shapes + drawing.shapes, 520, 200)


# ---- a triangle as a closure function


def arc(corner, turn, name, colour):
    """An angle from the horizontal, with its name."""
    (x, y), radius = corner, 22
    at = [(x + radius * np.cos(a), y - radius * np.sin(a)) for a in np.linspace(0, float(turn), 12)]
    points = " ".join(f"{u:.1f},{v:.1f}" for u, v in at)
    x, y = x + 1.25 * radius * np.cos(turn / 2), y - 1.25 * radius * np.sin(turn / 2)
    return [
        line(*corner, corner[0] + radius, corner[1], colour, 1, "2 3"),
        f'<polyline points="{points}" fill="none" stroke="{colour}"/>',
        text(x, y + 3, name, 12, font_style="italic", fill=colour),
    ]


def turn_boom(model, data, angle):
    """Loops closed with the boom at this angle, which is q1 and y."""
    sinew.resetData(model, data)
    data.qpos[model.joint("joint1").id] = angle
    sinew.loops.assemble(model, data, fixed=["joint1", "joint4"])
    sinew.forward(model, data)


def boom(model, data):
    """The boom, and in it the triangle: l1, l2 and q1 between them, q3 and its direction q2."""
    turn_boom(model, data, 0.8)
    drawing = Drawing(model, FRONT, 62, (0, 0), (40, 290), skip=["turret"])
    drawing.new_panel()
    drawing.pose(data, 0.35)
    j1, j2 = (model.joint(name).id for name in ("joint1", "joint2"))
    places = data.xanchor[j1], data.xanchor[j2], data.site_xpos[model.site("boom_eye").id]
    a, b, c = (np.array(drawing.pixel(p)) for p in places)

    def beside(p, q, words, dx, dy, colour="#222"):
        x, y = (p + q) / 2 + (dx, dy)
        return text(x, y, words, 12, fill=colour, font_style="italic")

    return [
        *drawing.shapes,
        line(*a, *b, "#222", 1.6),
        line(*a, *c, "#222", 1.6),
        line(*b, *c, charts.RED, 2),
        beside(a, b, "l1", -6, 16),
        beside(a, c, "l2", -22, -2),
        beside(b, c, "q3", 10, 4, charts.RED),
        *arc(a, data.qpos[j1], "q1", charts.BLUE),
        *arc(b, data.qpos[j2], "q2", charts.GREEN),
    ]


def triangle():
    """The boom of figure 8.3, and how direction and length of the third side hang on the angle between the others."""
    model = sinew.Model.from_path(MODELS / "excavator_boom.xml")
    data = sinew.Data(model)
    shapes = boom(model, data)
    dofs = [model.joint(name).id for name in ("joint2", "joint3")]
    angles, rows = np.linspace(0.1, 3, 60), []
    for angle in angles:
        turn_boom(model, data, angle)
        G, _ = sinew.loops.independent(model, data, ["joint1", "joint4"])
        rows.append([*data.qpos[dofs], *G[dofs, 0]])
    q2, q3, u1, u2 = np.array(rows).T
    for top, title, heights, third, direction in (
        (28, "gamma: q3, m (red), q2, rad (green)", (0, 4), q3, q2),
        (148, "G: of q3, m/rad (red), of q2 (green)", (-1, 3), u2, u1),
    ):
        curves = [(angles, third, charts.RED), (angles, direction, charts.GREEN)]
        shapes += charts.chart(title, (330, top), (330, 80), (0, 3), heights, curves, "rad = q1")
    return charts.picture(shapes, 700, 262)


PICTURES = {
    "loops_rings": rings,
    "loops_mobility": mobility,
    "loops_branches": branches,
    "loops_triangle": triangle,
}

if __name__ == "__main__":
    charts.write(PICTURES, sys.argv[1])
