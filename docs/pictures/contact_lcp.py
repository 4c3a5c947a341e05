"""Bricks that rest on each other, rigid, with the forces between them."""

import sinew
from _studio import MODELS, camera, colours, draw, furnish, save, settle

spec = sinew.Spec.from_path(MODELS / "brick_stack.xml")
colours(spec)
for k, geom in enumerate(g for g in spec.geoms if g.type != "plane"):
    geom.material = ("clay", "sand", "clay", "steel")[k % 4]
for geom in [g for g in spec.geoms if g.type == "plane"]:
    geom.rgba = [0, 0, 0, 0]
model = furnish(spec).compile()
data = settle(model, 1.0)
height = data.xpos[:, 2].max()
eye = camera(model, [0, 0, 0.5 * height], 2.4 * height, 125, -14)
save(draw(model, data, eye, flags=("contactpoint", "contactforce", "transparent")))
