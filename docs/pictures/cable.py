"""A cable that hangs over two posts and carries a weight."""

import sinew
from _studio import camera, colours, draw, furnish, save, settle

CABLE = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast"/>
  <asset/>
  <worldbody>
    <geom type="capsule" fromto="-0.55 -0.12 0.62 -0.55 0.12 0.62" size="0.05" material="steel"/>
    <geom type="capsule" fromto="0.55 -0.12 0.62 0.55 0.12 0.62" size="0.05" material="steel"/>
    <geom type="box" size="0.035 0.035 0.31" pos="-0.55 0.12 0.31" material="night"/>
    <geom type="box" size="0.035 0.035 0.31" pos="0.55 0.12 0.31" material="night"/>
    <composite type="cable" curve="s" count="45 1 1" size="2.2 0 0" offset="-1.1 0 0.70" initial="none" prefix="c">
      <joint kind="main" damping="0.004"/>
      <geom type="capsule" size="0.014" material="clay" density="1500" friction="1.2 0.05 0.001" condim="4"/>
    </composite>
    <body name="weight" pos="0 0 0.50">
      <freejoint/>
      <geom type="cylinder" size="0.07 0.05" material="sea" mass="0.6"/>
      <geom type="capsule" fromto="0 0 0.05 0 0 0.2" size="0.008" material="night" mass="0.01"
            contype="0" conaffinity="0"/>
    </body>
    <geom type="plane" size="0 0 0.05" rgba="0 0 0 0"/>
  </worldbody>
  <equality>
    <connect body1="weight" body2="cB_22" anchor="0 0 0.2"/>
  </equality>
</mujoco>
"""

spec = sinew.Spec.from_xml(CABLE)
colours(spec)
model = furnish(spec).compile()
save(draw(model, settle(model, 2.5), camera(model, [0, 0, 0.36], 2.1, 105, -10), (800, 400)))
