"""Shapes of all kinds in a heap, with their contacts and forces."""

import sinew
from _studio import camera, colours, draw, furnish, save, settle

SHAPES = (
    ("box", "0.10 0.07 0.05", "clay"),
    ("sphere", "0.08", "sea"),
    ("capsule", "0.045 0.09", "sand"),
    ("cylinder", "0.07 0.06", "moss"),
    ("ellipsoid", "0.11 0.07 0.05", "steel"),
)


def heap() -> sinew.Spec:
    """A tray and fifteen things above it."""
    spec = sinew.Spec.from_xml("<mujoco/>")
    colours(spec)
    spec.section("visual/map").force = 0.03
    spec.section("visual/scale").contactwidth = 0.06
    spec.section("visual/scale").contactheight = 0.02
    spec.section("visual/scale").forcewidth = 0.025
    spec.world.add("geom", type="plane", size=[0, 0, 0.05], rgba=[0, 0, 0, 0])
    for k in range(15):
        kind, size, material = SHAPES[k % 5]
        turn = k * 2.39996
        radius = 0.09 + 0.045 * (k % 3)
        body = spec.world.add(
            "body", pos=[radius * 1.5 * ((k % 4) - 1.5), radius * ((k % 3) - 1), 0.15 + 0.11 * k]
        )
        body.euler = [40 * turn, 25 * turn, 60 * turn]
        body.add("freejoint")
        body.add(
            "geom",
            type=kind,
            size=size,
            material=material,
            density=500,
            condim=4,
            friction="0.8 0.02 0.002",
        )
    return furnish(spec)


model = heap().compile()
data = settle(model, 3.0)
save(
    draw(
        model,
        data,
        camera(model, [0, 0, 0.12], 1.45, 125, -24),
        flags=("contactpoint", "contactforce"),
    )
)
