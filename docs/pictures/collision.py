"""Shapes of all kinds in a tray, with their contacts and forces."""

import numpy as np

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
    spec.section("visual/map").force = 0.06
    scale = spec.section("visual/scale")
    scale.contactwidth, scale.contactheight, scale.forcewidth = 0.09, 0.03, 0.05
    spec.section("statistic").meansize = 0.25
    spec.world.add("geom", type="box", size=[0.42, 0.32, 0.01], pos=[0, 0, 0.01], material="night")
    for x, y, a, b in (
        (0.43, 0, 0.01, 0.33),
        (-0.43, 0, 0.01, 0.33),
        (0, 0.33, 0.42, 0.01),
        (0, -0.33, 0.42, 0.01),
    ):
        spec.world.add("geom", type="box", size=[a, b, 0.06], pos=[x, y, 0.06], material="night")
    angles = np.random.default_rng(2).uniform(0, 360, (15, 3))
    for k in range(15):
        kind, size, material = SHAPES[k % 5]
        place = [0.16 * ((k % 4) - 1.5), 0.15 * ((k % 3) - 1), 0.2 + 0.12 * k]
        body = spec.world.add("body", pos=place, euler=angles[k])
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
eye = camera(model, [0, 0, 0.13], 1.35, 125, -28)
save(draw(model, data, eye, flags=("contactpoint", "contactforce")))
