"""A humanoid, its centre of mass above its feet, and the forces that carry it."""

import sinew
from _studio import MODELS, camera, colours, draw, furnish, save

spec = sinew.Spec.from_path(MODELS / "humanoid.xml")
colours(spec)
spec.geom("floor").rgba = [0, 0, 0, 0]
spec.section("visual/map").force = 0.0015
model = furnish(spec).compile()
data = sinew.Data(model)
sinew.resetDataKeyframe(model, data, model.key("squat").id)
sinew.step(model, data, nstep=20)
sinew.forward(model, data)
eye = camera(model, [0, 0, 0.62], 2.3, 130, -10)
save(draw(model, data, eye, (800, 450), ("com", "contactforce", "transparent")))
