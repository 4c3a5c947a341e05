"""The humanoid of examples/balance.py: it stands, is pushed, squats; its centre of mass and the forces that carry it."""

import sys

import numpy as np

import sinew
from _studio import DOCS, MODELS, camera, caption, colours, draw, furnish, hide_floors, row, save

sys.path.insert(0, str(DOCS.parent / "examples"))
import balance  # noqa: E402

PUSH, TIMES = 80.0, {0.5: "stands", 1.13: "is pushed", 10.45: "squats"}

spec = sinew.Spec.from_path(MODELS / "humanoid.xml")
colours(spec)
hide_floors(spec)
spec.section("visual/map").force = 0.05
spec.section("visual/map").alpha = 0.5
spec.section("visual/scale").forcewidth = 0.06
model = furnish(spec).compile()
data = balance.start(model)
controller, task = balance.brain(model, data)
centre, chest = data.subtree_com[0].copy(), model.body("chest").id
eye = camera(model, [0.05, 0, 0.78], 2.4, 130, -8)
pictures = []
for moment, words in TIMES.items():
    while data.time < moment:
        balance.squat(task, centre, data.time)
        controller.solve(data)
        controller.apply(data)
        data.xfrc_applied[chest, :2] = balance.force_at(data.time)
        sinew.step(model, data)
    data.xfrc_applied[:] = 0
    sinew.forward(model, data)
    picture = draw(model, data, eye, (264, 340), ("com", "contactforce", "transparent"))
    pictures.append(caption(picture, words))
assert np.isfinite(data.qpos).all()
save(row(pictures, 4))
