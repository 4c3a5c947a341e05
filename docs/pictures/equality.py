"""Gears: joints held in a ratio."""

import sinew
from _studio import MODELS, camera, colours, draw, furnish, save, settle

spec = sinew.Spec.from_path(MODELS / "gears.xml")
colours(spec)
for k, geom in enumerate(spec.geoms):
    if geom.type != "plane":
        geom.material = ("clay", "steel", "sea", "sand", "moss")[k % 5]
model = furnish(spec, floor=-0.6).compile()
print(model.stat.center, model.stat.extent)
save(
    draw(
        model,
        settle(model, 0.3),
        camera(model, list(model.stat.center), 2.0 * model.stat.extent, 115, -18),
        (800, 360),
    )
)
