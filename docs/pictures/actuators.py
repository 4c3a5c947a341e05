"""Muscles by activation: dark at rest, red when they pull."""

import sinew
from _studio import camera, colours, draw, furnish, save

ARM = """
<mujoco>
  <option gravity="0 0 0"/>
  <asset/>
  <default>
    <geom contype="0" conaffinity="0"/>
    <joint axis="0 1 0" damping="0.4"/>
    <site size="0.008" material="night"/>
    <muscle ctrlrange="0 1" range="0.6 1.4"/>
    <default class="bone"><geom type="capsule" size="0.022" material="sand"/></default>
  </default>
  <worldbody>
    <geom type="box" size="0.03 0.06 0.25" pos="-0.03 0 0.62" material="night"/>
    <site name="root_front" pos="0 0 0.75"/>
    <site name="root_back" pos="0 0 0.48"/>
    <body name="upper" pos="0.03 0 0.62">
      <joint name="shoulder"/>
      <geom name="shoulder" type="cylinder" size="0.045 0.035" euler="90 0 0" material="steel"/>
      <geom class="bone" fromto="0 0 0 0.36 0 0"/>
      <site name="front1" pos="0.16 0 0.028"/>
      <site name="back1" pos="0.16 0 -0.028"/>
      <site name="front2" pos="0.06 0 0.045"/>
      <site name="back2" pos="0.06 0 -0.045"/>
      <body name="lower" pos="0.36 0 0">
        <joint name="elbow"/>
        <geom name="elbow" type="cylinder" size="0.04 0.03" euler="90 0 0" material="steel"/>
        <geom class="bone" fromto="0 0 0 0.32 0 0" size="0.018"/>
        <site name="elbow_front" pos="0 0 0.07"/>
        <site name="elbow_back" pos="0 0 -0.07"/>
        <site name="front3" pos="0.11 0 0.022"/>
        <site name="back3" pos="0.11 0 -0.022"/>
        <geom type="sphere" size="0.035" pos="0.34 0 0" material="clay"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="shoulder_front" width="0.016"><site site="root_front"/><site site="front1"/></spatial>
    <spatial name="shoulder_back" width="0.016"><site site="root_back"/><site site="back1"/></spatial>
    <spatial name="elbow_front" width="0.016">
      <site site="front2"/><geom geom="elbow" sidesite="elbow_front"/><site site="front3"/>
    </spatial>
    <spatial name="elbow_back" width="0.016">
      <site site="back2"/><geom geom="elbow" sidesite="elbow_back"/><site site="back3"/>
    </spatial>
  </tendon>
  <actuator>
    <muscle name="shoulder_front" lengthrange="0.1 0.4" tendon="shoulder_front"/>
    <muscle name="shoulder_back" lengthrange="0.1 0.4" tendon="shoulder_back"/>
    <muscle name="elbow_front" lengthrange="0.1 0.4" tendon="elbow_front"/>
    <muscle name="elbow_back" lengthrange="0.1 0.4" tendon="elbow_back"/>
  </actuator>
</mujoco>
"""

spec = sinew.Spec.from_xml(ARM)
colours(spec)
model = furnish(spec, floor=0.3, tile=0.25).compile()
data = sinew.Data(model)
data.qpos[:] = -0.15, -0.9
data.act[:] = 0.7, 0.1, 1.0, 0.0
data.ctrl[:] = data.act
sinew.forward(model, data)
save(
    draw(
        model,
        data,
        camera(model, [0.3, 0, 0.68], 1.0, 100, -8),
        (800, 400),
        ("actuator", "activation"),
    )
)
