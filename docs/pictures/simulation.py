"""The humanoid falls: five moments of one simulation."""

import numpy as np

import sinew
from _studio import MODELS, camera, colours, draw, furnish, hide_floors, row, save

spec = sinew.Spec.from_path(MODELS / "humanoid.xml")
colours(spec)
hide_floors(spec)
spec.section("visual/map").force = 0.011
spec.section("visual/scale").forcewidth = 0.06
model = furnish(spec).compile()
data = sinew.Data(model)
noise = np.random.default_rng(3)
pictures = []
for moment in (0.0, 0.45, 0.75, 1.1, 2.0):
    while data.time < moment:
        data.ctrl[:] = noise.normal(0, 0.3, model.nu)
        sinew.step(model, data)
    eye = camera(model, [0.0, 0, 0.8], 2.9, 130, -10)
    pictures.append(draw(model, data, eye, (160, 300), ("contactforce",)))
save(row(pictures, 4))
