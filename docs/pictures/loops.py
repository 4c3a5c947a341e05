"""Mechanisms of closed loops: a Stewart platform, a delta robot, an excavator's arm."""

import sinew
from _studio import MODELS, camera, caption, colours, draw, furnish, row, save

LOOKS = {  # model: words, height of the floor, controls, where it is looked at, from how far, azimuth, elevation
    "stewart": ("Stewart platform", 0.0, None, [0, 0, 0.38], 1.9, 120, -14),
    "delta": ("delta robot", -0.75, None, [0, 0, -0.28], 1.8, 110, -12),
    "excavator": ("excavator's arm", -1.9, None, [2.6, 0, 0.6], 10.0, 105, -10),
}

pictures = []
for name, (words, floor, ctrl, *view) in LOOKS.items():
    spec = sinew.Spec.from_path(MODELS / f"{name}.xml")
    colours(spec)
    bodies = {body.name: k for k, body in enumerate(spec.bodies)}
    for geom in spec.geoms:
        parent = geom.parent.name or ""
        kind = bodies.get(parent, 0)
        geom.material = ("clay", "steel", "sand", "sea", "night")[kind % 5]
    model = furnish(spec, floor=floor).compile()
    data = sinew.Data(model)
    sinew.step(model, data, nstep=round(0.5 / model.opt.timestep))
    sinew.forward(model, data)
    pictures.append(caption(draw(model, data, camera(model, *view), (264, 300)), words))
save(row(pictures, 4))
