"""One scene with soft and with rigid contact, side by side: a ball falls on a stack of bricks.

python soft_and_hard.py [FOLDER]

Prints how deep bodies get into each other, what the floor carries, and the energy; with a FOLDER draws all three over
time, and the scene, as contact_soft_and_hard.svg.
"""

import pathlib
import sys

import charts
import draw_mechanisms
import numpy as np
from charts import text

import sinew

SECONDS = 1.0
POSES = (0.1, 0.27, SECONDS)
COLOURS = {"soft": "#c8553d", "rigid": "#3b6ea5"}
# of each chart: name, unit, range, whether the axis is one of powers of ten
CURVES = (
    ("deepest contact", "mm", (1e-3, 1e2), True),
    ("force on the floor", "N", (1e0, 1e5), True),
    ("energy", "J", (23, 38), False),
)


def load(kind):
    """The model, which asks for rigid contact itself, and data."""
    model = sinew.Model.from_path(draw_mechanisms.MODELS / "brick_stack.xml")
    model.opt.contact = sinew.ContactModel.SOFT if kind == "soft" else sinew.ContactModel.LCP
    model.opt.enableflags |= int(sinew.EnableBit.ENERGY)
    return model, sinew.Data(model)


def measure(model, data):
    """Time, s; depth, mm; force of the floor on what stands on it, N; energy, J: of the step just made."""
    floor = model.geom("floor").id
    depth = max((-contact.dist for contact in data.contact), default=0.0)
    # with cone="elliptic" the first row of a contact is its normal force, soft or rigid
    rows = [c.efc_address for c in data.contact if floor in c.geom and c.efc_address >= 0]
    return data.time, 1e3 * max(depth, 0.0), data.efc_force[rows].sum(), data.energy.sum()


def run(kind):
    """Measurements of each step (steps, 4), and data where the poses are drawn."""
    model, data = load(kind)
    measured, poses = [], []
    for time in POSES:
        while data.time < time - model.opt.timestep / 2:
            sinew.step(model, data)
            measured.append(measure(model, data))
        poses.append(data.qpos.copy())
    return model, np.array(measured), poses


# ---- drawing


def scene(model, poses, top):
    """Shapes of the poses in a row."""
    drawing = draw_mechanisms.Drawing(model, draw_mechanisms.FRONT, 200, (110, 0), (52, top + 160))
    data = sinew.Data(model)
    for pose in poses:
        drawing.new_panel()
        drawing.ground()
        data.qpos[:] = pose
        drawing.pose(data)
    return drawing.shapes


def groups(values):
    """Of every four steps the largest value."""
    return values[: len(values) // 4 * 4].reshape(-1, 4).max(1)


def picture(results):
    shapes = []
    for row, (kind, (model, _, poses)) in enumerate(results.items()):
        shapes += [text(8, 20 + 180 * row, kind, fill=COLOURS[kind], font_weight="bold")]
        shapes += scene(model, poses, 180 * row)
    for k, (name, unit, ends, powers) in enumerate(CURVES):
        curves = [
            (groups(measured[:, 0]), groups(measured[:, k + 1]), COLOURS[kind])
            for kind, (_, measured, _) in results.items()
        ]
        corner, size = (400, 22 + 116 * k), (310, 80)
        shapes += charts.chart(
            f"{name}, {unit}", corner, size, (0, SECONDS), ends, curves, "s", powers
        )
    return charts.picture(shapes, 730, 360)


if __name__ == "__main__":
    results = {kind: run(kind) for kind in COLOURS}
    print("        deepest contact, mm   floor carries, N   energy, J")
    print("          most    at rest      most    at rest    lost")
    for kind, (_, measured, _) in results.items():
        _, depth, force, energy = measured.T
        print(
            f"{kind:6} {depth.max():7.3f} {depth[-1]:10.3f} {force.max():9.0f} {force[-1]:10.2f}"
            f" {energy[0] - energy[-1]:7.2f}"
        )
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "contact_soft_and_hard.svg").write_text(picture(results))
