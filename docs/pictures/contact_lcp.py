"""Bricks that rest on each other, rigid, with the forces between them."""

import sinew
from _studio import MODELS, camera, colours, draw, furnish, hide_floors, paint, save, settle

spec = sinew.Spec.from_path(MODELS / "brick_stack.xml")
colours(spec)
paint(spec, ("clay", "sand", "clay", "sand", "steel"))
hide_floors(spec)
spec.section("visual/map").force = 0.004
spec.section("visual/map").alpha = 0.55
scale = spec.section("visual/scale")
scale.contactwidth, scale.contactheight, scale.forcewidth = 0.11, 0.02, 0.05
spec.section("statistic").meansize = 0.1
model = furnish(spec, tile=0.2).compile()
data = settle(model, 1.0)
eye = camera(model, [0, 0, 0.21], 0.95, 130, -14)
save(draw(model, data, eye, flags=("contactpoint", "contactforce", "transparent")))
