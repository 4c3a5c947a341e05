"""A flag in wind, a ball on a cushion, and a gripper with soft pads that holds a mug."""

import numpy as np
from PIL import Image

import sinew
from _studio import MODELS, camera, draw, furnish, save


def settled(name, seconds, control=None):
    spec = sinew.Spec.from_path(MODELS / name)
    spec.geom("floor").rgba = [0, 0, 0, 0]
    model = furnish(spec).compile()
    data = sinew.Data(model)
    while data.time < seconds:
        if control:
            data.ctrl[:] = control(data.time)
        sinew.step(model, data)
    sinew.forward(model, data)
    return model, data


def lift(time):
    """Close, then rise by 15 cm."""
    closed = -0.04 if time > 0.2 else 0.0
    return [0.15 * np.clip(time - 0.8, 0, 1), closed, closed]


flag, blown = settled("flag.xml", 0.25)
cushion, pressed = settled("cushion.xml", 1.5)
gripper, held = settled("soft_gripper.xml", 2.0, lift)
whole = Image.new("RGB", (900, 300))
for k, (model, data, eye) in enumerate(
    [
        (flag, blown, camera(flag, [0.35, 0, 1.45], 2.0, 100, -4)),
        (cushion, pressed, camera(cushion, [0, 0, 0.12], 1.15, 115, -22)),
        (gripper, held, camera(gripper, [0, 0, 0.2], 0.62, 70, -12)),
    ]
):
    whole.paste(draw(model, data, eye, (300, 300)), (300 * k, 0))
save(whole)
