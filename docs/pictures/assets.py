"""Ground from a height field, and textures on shapes."""

import numpy as np

import sinew
from _studio import camera, colours, draw, furnish, save, settle


def hills(rows: int, columns: int) -> np.ndarray:
    """Smooth hills with a valley in the middle."""
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    waves = sum(np.sin(3.1 * k * x + k * k) * np.cos(2.7 * k * y - k) / k**1.6 for k in range(1, 6))
    return 0.6 * (waves - waves.min()) / np.ptp(waves) * (0.25 + np.minimum(1, 2.2 * (x**2 + y**2)))


def ground() -> sinew.Spec:
    """The hills, and things that roll on them."""
    spec = sinew.Spec.from_xml("<mujoco/>")
    colours(spec)
    assets = spec.section("asset")
    heights = hills(80, 120)
    assets.add(
        "hfield", "hills", nrow=80, ncol=120, elevation=heights.ravel(), size=[1.5, 1, 0.45, 0.1]
    )
    assets.add("texture", "grass", type="2d", builtin="checker", rgb1="0.42 0.55 0.36", rgb2="0.38 0.51 0.33",
               mark="random", markrgb="0.55 0.62 0.40", random=0.05, width=300, height=200)  # fmt: skip
    assets.add("material", "grass", texture="grass", texrepeat="6 4")
    assets.add("texture", "crate", type="cube", builtin="flat", rgb1="0.78 0.60 0.38", mark="edge",
               markrgb="0.42 0.28 0.15", width=64, height=64)  # fmt: skip
    assets.add("material", "crate", texture="crate")
    assets.add("texture", "ball", type="2d", builtin="checker", rgb1="0.90 0.92 0.94", rgb2="0.20 0.46 0.66",
               width=64, height=64)  # fmt: skip
    assets.add("material", "ball", texture="ball", texrepeat="8 4", specular=0.6, shininess=0.7)
    spec.world.add("geom", type="hfield", hfield="hills", material="grass")
    for k in range(9):
        body = spec.world.add("body", pos=[-0.8 + 0.2 * k, 0.35 * np.sin(2.1 * k), 0.8])
        body.add("freejoint")
        kind = ("box", "sphere")[k % 2]
        body.add("geom", type=kind, size=[0.09] if k % 2 else [0.08, 0.08, 0.08], material=("crate", "ball")[k % 2],
                 density=300, condim=6, friction="1 0.02 0.01")  # fmt: skip
    return furnish(spec, floor=-0.1)


model = ground().compile()
save(draw(model, settle(model, 1.6), camera(model, [0, 0, 0.15], 2.6, 115, -26)))
