"""Mechanisms of closed loops: a Stewart platform, a delta robot, an excavator's arm."""

import sinew
from _studio import MODELS, camera, caption, colours, draw, furnish, paint, row, save

LOOKS = {  # model: words, height of the floor, its tiles, where it is looked at, from how far, azimuth, elevation
    "stewart": ("Stewart platform", 0.0, 0.5, [0, 0, 0.38], 1.9, 120, -14),
    "delta": ("delta robot", -0.75, 0.5, [0, 0, -0.28], 1.8, 110, -12),
    "excavator": ("excavator's arm", -1.9, 2.0, [2.6, 0, 0.6], 10.0, 105, -10),
}

pictures = []
for name, (words, floor, tile, *view) in LOOKS.items():
    spec = sinew.Spec.from_path(MODELS / f"{name}.xml")
    colours(spec)
    paint(spec)
    model = furnish(spec, floor=floor, tile=tile).compile()
    data = sinew.Data(model)
    sinew.step(model, data, nstep=round(0.5 / model.opt.timestep))
    sinew.forward(model, data)
    pictures.append(caption(draw(model, data, camera(model, *view), (264, 300)), words))
save(row(pictures, 4))
