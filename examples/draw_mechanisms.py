"""Draws mechanisms with closed loops as they move: stroboscopic pictures, SVG by hand.

python draw_mechanisms.py FOLDER
"""

import pathlib
import sys

import legs_motion
import numpy as np

import sinew

MODELS = pathlib.Path(__file__).parent / "models"
COLOURS = ("#3b6ea5", "#c8553d", "#588157", "#8a5a83", "#b08900", "#3d8b8b")
FRONT = np.array([[1, 0, 0], [0, 0, 1]])  # the xz plane
OBLIQUE = np.array([[0.87, -0.5, 0], [0.17, 0.3, 0.94]])


class Drawing:
    """Poses of a model in a row of panels; in each, earlier poses are paler."""

    def __init__(self, model, view, scale, panel, origin, skip=()):
        self.model, self.view, self.scale = model, np.asarray(view, float), scale
        self.panel, self.origin = (
            panel,
            origin,
        )  # pixels: width and height, where the world's origin is
        self.skip = {model.body(name).id for name in skip}
        self.away = np.cross(self.view[1], self.view[0])
        self.shapes, self.count = [], 0

    def pixel(self, point):
        x, y = self.view @ point * self.scale
        return self.origin[0] + (self.count - 1) * self.panel[0] + x, self.origin[1] - y

    def add(self, name, opacity=1.0, **attributes):
        if opacity < 1:
            attributes["opacity"] = opacity
        numbers = {k: f"{v:.1f}" for k, v in attributes.items() if isinstance(v, float)}
        text = " ".join(
            f'{k.replace("_", "-")}="{v}"' for k, v in {**attributes, **numbers}.items()
        )
        self.shapes.append(f"<{name} {text}/>")

    def new_panel(self):
        self.count += 1

    def colour(self, body):
        return COLOURS[(body - 1) % len(COLOURS)]

    def stick(self, a, b, radius, colour, opacity):
        (x1, y1), (x2, y2) = self.pixel(a), self.pixel(b)
        self.add("line", opacity, x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=radius)

    def disc(self, point, radius, fill, opacity, **more):
        x, y = self.pixel(point)
        self.add("circle", opacity, cx=x, cy=y, r=radius, fill=fill, **more)

    def outline(self, points, colour, opacity):
        """The convex hull of points."""
        at = apart([self.pixel(p) for p in points])
        middle = at.mean(0)
        far = [p for p in at if not inside(p, at)]
        far.sort(key=lambda p: np.arctan2(*(p - middle)))
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in far)
        self.add("polygon", opacity, points=text, fill=colour)

    def geom(self, data, i, opacity):
        m = self.model
        place, frame = data.geom_xpos[i], data.geom_xmat[i].reshape(3, 3)
        size, colour = m.geom_size[i], self.colour(int(m.geom_bodyid[i]))
        width = max(2.0, 2 * self.scale * size[0])
        kind = sinew.GeomType(m.geom_type[i])
        if kind == sinew.GeomType.CAPSULE:
            half = size[1] * frame[:, 2]
            self.stick(place - half, place + half, width, colour, opacity)
        elif kind == sinew.GeomType.BOX:
            corners = [
                place + frame @ (size * s) for s in np.indices((2, 2, 2)).reshape(3, 8).T * 2 - 1
            ]
            self.outline(corners, colour, opacity)
        elif kind == sinew.GeomType.SPHERE:
            self.disc(place, float(self.scale * size[0]), colour, opacity)
        elif kind == sinew.GeomType.CYLINDER:
            turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
            ring = size[0] * (
                np.outer(np.cos(turn), frame[:, 0]) + np.outer(np.sin(turn), frame[:, 1])
            )
            ends = [place + p + s * size[1] * frame[:, 2] for s in (-1, 1) for p in ring]
            self.outline(ends, colour, opacity)

    def pose(self, data, opacity=1.0):
        """Geoms from back to front, then joints, then loop joints."""
        m = self.model
        sinew.forward(m, data)
        shown = [i for i in range(m.ngeom) if int(m.geom_bodyid[i]) not in self.skip | {0}]
        for i in sorted(shown, key=lambda i: -round(float(self.away @ data.geom_xpos[i]), 6)):
            self.geom(data, i, opacity)
        for j in range(m.njnt):
            hinge = m.jnt_type[j] in (sinew.JointType.HINGE, sinew.JointType.BALL)
            if hinge and int(m.jnt_bodyid[j]) not in self.skip:
                self.disc(data.xanchor[j], 1.6, "#222", opacity)
        for first, _ in m.loop_siteid:
            if int(m.site_bodyid[first]) not in self.skip:
                self.disc(
                    data.site_xpos[first], 3.2, "#fff", opacity, stroke="#d00", stroke_width=1.6
                )

    def trace(self, points, colour="#d00"):
        text = " ".join("{:.1f},{:.1f}".format(*self.pixel(p)) for p in points)
        self.add("polyline", points=text, fill="none", stroke=colour, stroke_dasharray="3 2")

    def ground(self, height=0.0):
        x = (self.count - 1) * self.panel[0]
        y = self.origin[1] - height * self.scale
        self.add(
            "line",
            x1=x + 4.0,
            y1=y,
            x2=x + self.panel[0] - 4.0,
            y2=y,
            stroke="#888",
            stroke_width=1.0,
        )

    def text(self):
        width, height = self.panel[0] * self.count, self.panel[1]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" stroke-linecap="round">\n'
            f'<rect width="{width}" height="{height}" rx="6" fill="#faf9f5"/>\n'
            + "\n".join(self.shapes)
            + "\n</svg>\n"
        )


def apart(points):
    """Those of the points that are not on one before them, whatever rounding says."""
    kept = []
    for p in np.array(points):
        if all(np.abs(p - q).max() > 1e-3 for q in kept):
            kept.append(p)
    return np.array(kept)


def inside(p, points):
    """Whether a point lies within the hull of the others: they are seen all round it."""
    towards = [q - p for q in points if np.abs(q - p).max() > 1e-9]
    angles = np.sort([np.arctan2(y, x) for x, y in towards])
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    return gaps.max() < np.pi - 1e-9


def load(name):
    model = sinew.Model.from_path(MODELS / f"{name}.xml")
    return model, sinew.Data(model)


def advance(model, data, time, control=None):
    while data.time < time - model.opt.timestep / 2:
        if control:
            data.ctrl[:] = control(data.time)
        sinew.step(model, data)


def four_bar():
    """The crank goes round once, without gravity; the path of the coupler's middle."""
    model, data = load("four_bar")
    drawing = Drawing(model, FRONT, 300, (380, 260), (115, 145))
    drawing.new_panel()
    model.opt.gravity = 0, 0, 0
    data.qvel[0] = 6
    sinew.step(model, data)  # makes the velocities of coupler and rocker consistent
    turn = data.qpos[0] + np.linspace(0, 2 * np.pi, 61)
    path = []
    for k, angle in enumerate(turn):
        while data.qpos[0] < angle:
            sinew.step(model, data)
        sinew.forward(model, data)
        path.append(data.xipos[model.body("coupler").id].copy())
        if k % 10 == 0:
            drawing.pose(data, opacity=1.0 if k == 60 else round(0.12 + 0.05 * k / 10, 2))
    drawing.trace(path)
    return drawing.text()


def slider_crank():
    """A motor drives the crank round."""
    model, data = load("slider_crank")
    drawing = Drawing(model, FRONT, 330, (190, 110), (45, 55))
    data.qvel[0] = 10
    sinew.step(model, data)  # makes the velocities of rod and piston consistent
    start = data.qpos[0]
    for k in range(5):
        while data.qpos[0] < start + k * 2 * np.pi / 5:
            data.ctrl[0] = 3 * (10 - data.qvel[0])
            sinew.step(model, data)
        drawing.new_panel()
        drawing.pose(data)
    return drawing.text()


def excavator():
    """Boom down, stick in, bucket curled: three cylinders."""
    model, data = load("excavator")
    drawing = Drawing(model, FRONT, 62, (430, 310), (50, 145))
    drawing.new_panel()
    poses, path = 5, []
    bucket = model.body("bucket").id

    def control(time):
        s = 0.5 - 0.5 * np.cos(np.pi * min(time / 4, 1))
        return np.array([-0.08, 0.3, 0.3]) * s

    for k in range(poses):
        for time in np.linspace(k, k + 1, 9)[: 1 if k == poses - 1 else 8]:
            advance(model, data, time, control)
            sinew.forward(model, data)
            tip = data.xpos[bucket] + data.xmat[bucket].reshape(3, 3) @ [0.05, 0, -1.1]
            path.append(tip)
        drawing.pose(data, opacity=1.0 if k == poses - 1 else 0.15)
    drawing.trace(path)
    return drawing.text()


def stewart():
    """The platform tilts as its six legs change."""
    model, data = load("stewart")
    drawing = Drawing(model, OBLIQUE, 130, (180, 200), (90, 145))
    phase = np.arange(6) * np.pi / 3

    def control(time):
        return 0.08 * min(1.0, time) * np.sin(np.pi * time / 2 + phase)

    for time in (0.0, 1.0, 2.0, 3.0):
        advance(model, data, time, control)
        drawing.new_panel()
        drawing.pose(data)
    return drawing.text()


def legs():
    """The left leg from the side, in a squat: achilles rod behind the shin, plantar rod behind the tarsus."""
    model, data = load("cassie_legs")
    right = [model.body(i).name for i in range(model.nbody)]
    right = [name for name in right if name.startswith("right_")]
    drawing = Drawing(model, FRONT, 240, (170, 265), (110, 253), skip=right)
    for time in (0.0, 1.0, 1.5, 2.5):
        advance(model, data, time, lambda t: legs_motion.targets(model, t))
        drawing.new_panel()
        drawing.ground()
        drawing.pose(data)
    return drawing.text()


PICTURES = {
    "loops_four_bar": four_bar,
    "loops_slider_crank": slider_crank,
    "loops_excavator": excavator,
    "loops_stewart": stewart,
    "loops_leg": legs,
}

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name, draw in PICTURES.items():
        path = folder / f"{name}.svg"
        path.write_text(draw())
        print(f"{path}: {path.stat().st_size} bytes")
