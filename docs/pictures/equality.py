"""A lift of crossed bars: each pair held together by a soft pin, an equality `connect`."""

import numpy as np

import sinew
from _studio import camera, colours, draw, furnish, save

LENGTH, STAGES, HALF = 0.5, 4, 0.06


def lift() -> sinew.Spec:
    """Two zigzags of bars; pins where they cross and where they end, a plate on top."""
    spec = sinew.Spec.from_xml("<mujoco/>")
    colours(spec)
    spec.section("option").integrator = "implicitfast"
    angle = np.radians(38)
    step = LENGTH * np.array([np.cos(angle), np.sin(angle)])
    pins = spec.section("equality")
    for side in (-1, 1):
        parent, at = spec.world, [0.0, side * 0.012, 0.08]
        for k in range(STAGES):
            ahead = 1 if (k % 2 == 0) == (side < 0) else -1
            if k == 0:
                at = [-0.5 * ahead * step[0], side * 0.012, 0.08]
            parent = parent.add("body", f"bar{side}{k}", pos=at)
            parent.add("joint", f"bar{side}{k}", axis=[0, 1, 0], damping=0.05)
            end = [ahead * step[0], 0, step[1]]
            for y in (-HALF, HALF):
                parent.add("geom", type="capsule", size=[0.011], fromto=[0, y, 0, end[0], y, end[2]],
                           material=("clay", "sea")[side > 0], contype=0, conaffinity=0)  # fmt: skip
            parent.add("geom", type="cylinder", size=[0.016, HALF + 0.02], pos=[end[0] / 2, 0, end[2] / 2],
                       euler=[90, 0, 0], material="night", contype=0, conaffinity=0)  # fmt: skip
            at = end
    for k in range(STAGES):
        ahead = 1 if k % 2 == 0 else -1
        pins.add(
            "connect",
            body1=f"bar-1{k}",
            body2=f"bar1{k}",
            anchor=[0.5 * ahead * step[0], 0.012, 0.5 * step[1]],
        )
    spec.world.add("geom", type="box", size=[0.32, 0.12, 0.03], pos=[0, 0, 0.03], material="steel")
    top = spec.world.add("body", "plate", pos=[0, 0, 0.08 + STAGES * step[1] + 0.03])
    top.add("joint", type="slide", axis=[0, 0, 1])
    top.add(
        "geom",
        type="box",
        size=[0.32, 0.12, 0.015],
        material="steel",
        contype=0,
        conaffinity=0,
        mass=0.2,
    )
    top.add(
        "geom", type="box", size=[0.09, 0.09, 0.09], pos=[0, 0, 0.105], material="sand", mass=0.1
    )
    return furnish(spec)


model = lift().compile()
data = sinew.Data(model)
sinew.forward(model, data)
save(draw(model, data, camera(model, [0, 0, 0.72], 2.45, 120, -10), (800, 450)))
