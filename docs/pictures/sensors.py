"""Rangefinders on a rover: each ray ends where it hits."""

import numpy as np

import sinew
from _studio import camera, colours, draw, furnish, save

RAYS = 17

spec = sinew.Spec.from_xml("<mujoco/>")
colours(spec)
rover = spec.world.add("body", "rover", pos=[0, 0, 0.12])
rover.add("freejoint")
rover.add("geom", type="box", size=[0.16, 0.11, 0.05], material="clay")
rover.add("geom", type="cylinder", size=[0.04, 0.03], pos=[0.05, 0, 0.08], material="night")
for x in (-0.11, 0.11):
    for y in (-0.13, 0.13):
        rover.add(
            "geom",
            type="cylinder",
            size=[0.07, 0.025],
            pos=[x, y, -0.05],
            euler=[90, 0, 0],
            material="night",
        )
for k, angle in enumerate(np.linspace(-75, 75, RAYS)):
    a = np.radians(angle)
    rover.add(
        "site",
        f"ray{k}",
        pos=[0.05, 0, 0.08],
        zaxis=[np.cos(a), np.sin(a), 0],
        size=[0.004],
        rgba="0 0 0 0",
    )
    spec.section("sensor").add("rangefinder", f"ray{k}", site=f"ray{k}")
things = (("box", [0.12, 0.3, 0.2], [1.1, 0.5, 0.2], "sand"), ("cylinder", [0.15, 0.3], [0.95, -0.45, 0.3], "sea"),
          ("sphere", [0.18], [0.55, 0.75, 0.18], "moss"), ("box", [0.05, 0.9, 0.15], [1.75, 0, 0.15], "steel"),
          ("capsule", [0.08, 0.2], [0.3, -0.7, 0.28], "steel"))  # fmt: skip
for kind, size, pos, material in things:
    spec.world.add("geom", type=kind, size=size, pos=pos, material=material)
spec.section("visual/rgba").rangefinder = "0.85 0.30 0.15 1"
spec.section("visual/scale").contactwidth = 0.02
model = furnish(spec).compile()
data = sinew.Data(model)
sinew.forward(model, data)
save(draw(model, data, camera(model, [0.7, 0, 0.1], 2.3, 215, -36), (800, 420)))
