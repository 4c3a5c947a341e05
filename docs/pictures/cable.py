"""A cable between two posts, with lanterns."""

import numpy as np

import sinew
from _studio import camera, colours, draw, furnish, save

COUNT, LENGTH = 49, 1.5

CABLE = f"""
<mujoco>
  <option timestep="0.002" integrator="implicitfast"/>
  <asset/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom type="capsule" fromto="-0.62 0 0.02 -0.62 0 0.9" size="0.025" material="night"/>
    <geom type="capsule" fromto="0.62 0 0.02 0.62 0 0.9" size="0.025" material="night"/>
    <geom type="cylinder" size="0.09 0.015" pos="-0.62 0 0.015" material="night"/>
    <geom type="cylinder" size="0.09 0.015" pos="0.62 0 0.015" material="night"/>
    <composite type="cable" curve="s" count="{COUNT} 1 1" size="{LENGTH} 0 0" offset="-0.62 0 0.9" initial="ball"
               prefix="c">
      <joint kind="main" damping="0.002"/>
      <geom type="capsule" size="0.009" material="clay" density="1500"/>
    </composite>
  </worldbody>
  <equality/>
</mujoco>
"""

spec = sinew.Spec.from_xml(CABLE)
colours(spec)
spec.section("equality").add(
    "connect", body1="cB_last", anchor=[LENGTH / (COUNT - 1), 0, 0], name="end"
)
for k, (link, material) in enumerate(((10, "sand"), (24, "sea"), (38, "sand"))):
    x = -0.62 + LENGTH * link / (COUNT - 1)
    lantern = spec.world.add("body", f"lantern{k}", pos=[x, 0, 0.9])
    lantern.add("freejoint")
    lantern.add(
        "geom",
        type="capsule",
        size=[0.004],
        fromto=[0, 0, 0, 0, 0, -0.14],
        material="night",
        mass=0.005,
    )
    lantern.add(
        "geom",
        type="ellipsoid",
        size=[0.06, 0.06, 0.075],
        pos=[0, 0, -0.2],
        material=material,
        mass=0.08,
    )
    lantern.add(
        "geom", type="cylinder", size=[0.03, 0.008], pos=[0, 0, -0.13], material="night", mass=0.01
    )
    spec.section("equality").add(
        "connect", f"lantern{k}", body1=f"lantern{k}", body2=f"cB_{link}", anchor=[0, 0, 0]
    )
model = furnish(spec).compile()
data = sinew.Data(model)
post = np.array([0.62, 0, 0.9])
target = model.equality("end").data[3:6]
start = (
    target.copy()
)  # where the end is at first: the cable is straight then, and longer than the way
for part in np.linspace(0, 1, 600):
    target[:] = start + part * (post - start)
    sinew.step(model, data)
sinew.step(model, data, nstep=4000)
sinew.forward(model, data)
save(draw(model, data, camera(model, [0, 0, 0.47], 1.75, 105, -8), (800, 400)))
