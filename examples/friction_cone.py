"""A block slides on a floor and stops: friction of rigid contact in a cone, and in a box.

python friction_cone.py [FOLDER]

The block starts in many directions at one speed. Prints how far it comes in three of them and by how much it is turned;
with a FOLDER draws all paths from above as contact_cone_and_box.svg.
"""

import pathlib
import sys

import charts
import numpy as np
from charts import disc, text

import sinew

SPEED, MU = 2.0, 0.4  # m/s
SECONDS = 0.6
DIRECTIONS = np.arange(0, 360, 15)  # degrees
PRINTED = (0, 15, 30, 45)
MODEL = f"""
<mujoco>
  <option timestep="0.001"/>
  <custom><text name="sinew_contact" data="lcp"/></custom>
  <default><geom friction="{MU}"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .02"><freejoint/><geom type="box" size=".05 .05 .02"/></body>
  </worldbody>
</mujoco>"""
SHARES = {"elliptic": "a cone", "pyramidal": "a box"}


def slide(cone, direction):
    """Path of the block's middle over the floor, a point every 20 ms (n, 2)."""
    model = sinew.Model.from_xml(MODEL)
    model.opt.cone = sinew.Cone[cone.upper()]
    data = sinew.Data(model)
    angle = np.radians(direction)
    data.qvel[:2] = SPEED * np.cos(angle), SPEED * np.sin(angle)
    path = [data.qpos[:2].copy()]
    while data.time < SECONDS - model.opt.timestep / 2:
        sinew.step(model, data, nstep=20)
        path.append(data.qpos[:2].copy())
    assert np.abs(data.qvel).max() < 1e-6
    return np.array(path)


def stop(path):
    """How far from the start the path ends, m, and in which direction, degrees."""
    x, y = path[-1]
    return np.hypot(x, y), np.degrees(np.arctan2(y, x)).round(6) + 0.0


def draw(paths):
    shapes, scale = [], 185
    for k, (cone, words) in enumerate(SHARES.items()):
        x0, y0 = 130 + 270 * k, 145
        radius = scale * SPEED**2 / (2 * MU * 9.81)
        shapes.append(text(x0 - 105, 22, f'cone="{cone}": {words}'.replace('"', "&quot;")))
        shapes.append(disc(x0, y0, round(radius, 1), "#fff", stroke="#888", stroke_dasharray="3 2"))
        for direction in DIRECTIONS:
            at = [(x0 + scale * x, y0 - scale * y) for x, y in paths[cone, direction]]
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
            colour = charts.RED if direction in PRINTED else charts.BLUE
            shapes.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
            x, y = at[-1]
            shapes.append(disc(x, y, 2.5, colour))
    shapes.append(text(560, 22, "ends of the red paths, m"))
    for k, direction in enumerate(PRINTED):
        reach = [stop(paths[cone, direction])[0] for cone in SHARES]
        shapes.append(
            text(560, 46 + 18 * k, f"{direction}&#176; cone {reach[0]:.2f}, box {reach[1]:.2f}")
        )
    shapes.append(text(560, 130, "dashed: v&#178;/(2 mu g)"))
    return charts.picture(shapes, 710, 268)


def main():
    paths = {(cone, a): slide(cone, a) for cone in SHARES for a in DIRECTIONS}
    print("starts at     cone: stops after, at     box: stops after, at")
    for direction in PRINTED:
        words = [
            f"{far:.3f} m, {way:4.1f} degrees"
            for far, way in (stop(paths[cone, direction]) for cone in SHARES)
        ]
        print(f"{direction:2} degrees   {words[0]}     {words[1]}")
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "contact_cone_and_box.svg").write_text(draw(paths))


if __name__ == "__main__":
    main()
