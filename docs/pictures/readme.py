"""Models of examples/models on one floor: what Sinew simulates."""

import numpy as np

import sinew
from _studio import MODELS, camera, colours, draw, furnish, paint, save

PLACES = {  # model: where it stands, how it is turned, in degrees about z, its materials; humanoid: its own
    "humanoid": ([0.2, -0.3, 0], -65, ()),
    "stewart": ([1.55, 0.25, 0], 10, ("steel", "sea", "steel", "sea", "steel", "sea")),
    "cassie_legs": ([-0.95, -0.55, 0], -60, ("sand", "steel", "clay", "night")),
    "excavator": ([-5.0, 7.2, 1.55], -10, ("night", "sand", "sand")),
    "delta": ([-2.1, 0.1, 1.05], 30, ("clay", "steel", "steel")),
}


def machine(name: str, materials: tuple[str, ...]) -> sinew.Spec:
    """A model without floor and lamps, painted."""
    spec = sinew.Spec.from_path(MODELS / f"{name}.xml")
    for element in [*[g for g in spec.geoms if g.type == "plane"], *spec.lights]:
        element.remove()
    if materials:
        colours(spec)
        paint(spec, materials)
    return spec


def surroundings(spec: sinew.Spec) -> None:
    """What the delta robot hangs on, and what the excavator's arm stands on."""
    colours(spec)
    for k in range(3):
        angle = np.radians(30 + 60 + 120 * k)
        foot = [-2.1 + 0.45 * np.cos(angle), 0.1 + 0.45 * np.sin(angle), 0]
        head = [-2.1 + 0.24 * np.cos(angle), 0.1 + 0.24 * np.sin(angle), 1.07]
        spec.world.add("geom", type="capsule", size=[0.02], fromto=[*foot, *head], material="night")
    spec.world.add(
        "geom", type="cylinder", size=[0.26, 0.02], pos=[-2.1, 0.1, 1.09], material="night"
    )
    spec.world.add(
        "geom", type="cylinder", size=[0.22, 0.2], pos=[-2.1, 0.1, 0.2], material="steel"
    )
    house = spec.world.add("body", pos=[-5.0, 7.2, 0], euler=[0, 0, -10])
    for y in (-0.75, 0.75):
        house.add(
            "geom", type="capsule", size=[0.3], fromto=[-1.3, y, 0.3, 0.9, y, 0.3], material="night"
        )
    house.add("geom", type="box", size=[1.1, 0.8, 0.35], pos=[-0.6, 0, 0.95], material="sand")
    house.add("geom", type="box", size=[0.4, 0.3, 0.45], pos=[-0.2, -0.48, 1.75], material="night")


spec = sinew.Spec()
spec.section("option").integrator = "implicitfast"
for name, (pos, turn, materials) in PLACES.items():
    frame = spec.world.add("frame", pos=pos, euler=[0, 0, turn])
    frame.attach(machine(name, materials), prefix=f"{name}/")
surroundings(spec)
model = furnish(spec).compile()
data = sinew.Data(model)
for joint, angle in {
    "hip_pitch_left": -38, "knee_left": 55, "hip_pitch_right": 12, "shoulder_pitch_right": -50, "elbow_right": -60,
    "shoulder_pitch_left": 25, "elbow_left": -35,
}.items():  # fmt: skip
    data.joint(f"humanoid/{joint}").qpos[:] = np.radians(angle)
sinew.forward(model, data)
save(draw(model, data, camera(model, [-0.25, 0, 0.86], 4.1, 90, -9), (880, 440)))
