"""One scene with soft and with rigid contact, side by side: a ball falls on a stack of bricks.

python soft_and_hard.py [FOLDER]

Prints how deep bodies get into each other, what the floor carries, and the energy; with a FOLDER draws all three over
time, and the scene, as contact_soft_and_hard.svg.
"""

import pathlib
import sys

import draw_mechanisms
import numpy as np
from charts import text

import sinew

SECONDS = 1.0
POSES = (0.1, 0.27, SECONDS)
COLOURS = {"soft": "#c8553d", "rigid": "#3b6ea5"}
# of each curve: name, unit, range, whether the axis is one of powers of ten
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


def curve(times, values, bounds, powers, corner, size):
    """Points of a curve: of every four steps the largest value, within the bounds of the axis."""
    low, high = np.log10(bounds) if powers else bounds
    groups = values[: len(values) // 4 * 4].reshape(-1, 4).max(1)
    numbers = np.log10(np.maximum(groups, bounds[0])) if powers else groups
    x = corner[0] + size[0] * times[3::4][: len(groups)] / SECONDS
    y = corner[1] + size[1] * (high - np.clip(numbers, low, high)) / (high - low)
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def chart(k, results, corner, size):
    """Shapes of a chart: a frame, the ends of its axis, a curve of each kind."""
    name, unit, bounds, powers = CURVES[k]
    left, top = corner
    shapes = [
        f'<rect x="{left}" y="{top}" width="{size[0]}" height="{size[1]}" fill="#fff" stroke="#888"/>',
        text(left + 4, top - 4, f"{name}, {unit}"),
        text(left - 4, top + 9, f"{bounds[1]:g}", text_anchor="end"),
        text(left - 4, top + size[1], f"{bounds[0]:g}", text_anchor="end"),
    ]
    for kind, (_, measured, _) in results.items():
        points = curve(measured[:, 0], measured[:, k + 1], bounds, powers, corner, size)
        shapes.append(
            f'<polyline points="{points}" fill="none" stroke="{COLOURS[kind]}" stroke-width="1.5"/>'
        )
    return shapes


def picture(results):
    shapes = []
    for row, (kind, (model, _, poses)) in enumerate(results.items()):
        shapes += [text(8, 20 + 180 * row, kind, fill=COLOURS[kind], font_weight="bold")]
        shapes += scene(model, poses, 180 * row)
    for k in range(len(CURVES)):
        shapes += chart(k, results, (400, 24 + 112 * k), (310, 84))
    shapes.append(text(710, 346, f"{SECONDS:g} s", text_anchor="end"))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 730 360" width="730" height="360">\n'
        '<rect width="730" height="360" rx="6" fill="#faf9f5"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


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
