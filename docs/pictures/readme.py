"""Models of examples/models on one floor: what Sinew simulates."""

import numpy as np

import sinew
from _studio import MODELS, camera, colours, draw, furnish, save

PLACES = {  # model: where it stands, and how it is turned, in degrees about z
    "humanoid": ([0, 0, 0], 15),
    "stewart": ([-1.6, 1.2, 0], 0),
    "excavator": ([2.2, 1.6, 0], 200),
    "cassie_legs": ([-1.2, -0.6, 0], -20),
    "delta": ([1.2, -0.5, 0], 0),
}


def world() -> sinew.Spec:
    """All of them in one spec."""
    spec = sinew.Spec()
    spec.section("option").integrator = "implicitfast"
    colours(spec)
    for name, (pos, turn) in PLACES.items():
        other = sinew.Spec.from_path(MODELS / f"{name}.xml")
        for geom in other.geoms:
            if geom.type == "plane":
                geom.remove()
        for light in other.lights:
            light.remove()
        frame = spec.world.add("frame", pos=pos, euler=[0, 0, turn])
        frame.attach(other.world, prefix=f"{name}/")
    return furnish(spec)


model = world().compile()
print(model, np.round(model.stat.center, 2), model.stat.extent)
save(draw(model, None, camera(model, [0.1, 0.3, 0.75], 6.2, 90, -14)))
