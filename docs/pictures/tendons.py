"""A finger that tendons bend: they wrap around its knuckles and run through rings."""

import sinew
from _studio import camera, colours, draw, furnish, save

FINGER = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <default>
    <geom type="capsule" material="sand" contype="0" conaffinity="0"/>
    <joint axis="0 1 0" range="-90 5" damping="0.3" armature="0.01"/>
    <site size="0.006" material="night"/>
    <tendon width="0.005"/>
    <default class="knuckle">
      <geom type="cylinder" size="0.032 0.03" euler="90 0 0" material="steel"/>
    </default>
  </default>
  <worldbody>
    <geom type="box" size="0.05 0.05 0.02" pos="-0.10 0 0.40" material="night"/>
    <geom fromto="-0.10 0 0.40 0 0 0.40" size="0.018"/>
    <site name="motor" pos="-0.10 0 0.355" size="0.012" material="clay"/>
    <site name="spring" pos="-0.10 0 0.445" size="0.012" material="sea"/>
    <body name="near" pos="0 0 0.40">
      <joint name="near"/>
      <geom class="knuckle" name="knuckle1"/>
      <site name="below1" pos="0 0 -0.05"/>
      <site name="above1" pos="0 0 0.05"/>
      <geom fromto="0 0 0 0.20 0 0" size="0.016"/>
      <site name="ring1" pos="0.10 0 -0.03"/>
      <site name="guide1" pos="0.10 0 0.028"/>
      <body name="middle" pos="0.20 0 0">
        <joint name="middle"/>
        <geom class="knuckle" name="knuckle2"/>
        <site name="below2" pos="0 0 -0.05"/>
        <site name="above2" pos="0 0 0.05"/>
        <geom fromto="0 0 0 0.15 0 0" size="0.015"/>
        <site name="ring2" pos="0.075 0 -0.028"/>
        <site name="guide2" pos="0.075 0 0.026"/>
        <body name="tip" pos="0.15 0 0">
          <joint name="tip"/>
          <geom class="knuckle" name="knuckle3" size="0.026 0.026"/>
          <site name="below3" pos="0 0 -0.05"/>
          <site name="above3" pos="0 0 0.05"/>
          <geom fromto="0 0 0 0.11 0 0" size="0.014"/>
          <site name="end" pos="0.09 0 -0.016"/>
          <site name="back" pos="0.09 0 0.016"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="flexor" rgba="0.80 0.30 0.20 1">
      <site site="motor"/><geom geom="knuckle1" sidesite="below1"/><site site="ring1"/>
      <geom geom="knuckle2" sidesite="below2"/><site site="ring2"/><geom geom="knuckle3" sidesite="below3"/>
      <site site="end"/>
    </spatial>
    <spatial name="extensor" rgba="0.20 0.46 0.66 1" stiffness="25" springlength="0.30">
      <site site="spring"/><geom geom="knuckle1" sidesite="above1"/><site site="guide1"/>
      <geom geom="knuckle2" sidesite="above2"/><site site="guide2"/><geom geom="knuckle3" sidesite="above3"/><site site="back"/>
    </spatial>
  </tendon>
</mujoco>
"""

spec = sinew.Spec.from_xml(
    FINGER.replace("<default>\n    <geom", "<asset/>\n  <default>\n    <geom")
)
colours(spec)
model = furnish(spec, floor=0.03, tile=0.2).compile()
data = sinew.Data(model)
data.qpos[:] = 0.45, 0.75, 0.55
sinew.forward(model, data)
save(draw(model, data, camera(model, [0.13, 0, 0.27], 0.72, 100, -8), (800, 400)))
