"""A model with a bit of everything, for the tests of the Python package."""

XML = """
<mujoco model="yard">
  <option timestep="0.004"/>
  <default><geom friction="0.8 0.01 0.001"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <camera name="eye" pos="0 -3 1"/>
    <light name="sun" pos="0 0 3"/>
    <body name="crate" pos="0 0 0.099">
      <freejoint name="loose"/>
      <geom name="crate" type="box" size="0.1 0.1 0.1"/>
      <site name="lid" pos="0 0 0.1"/>
    </body>
    <body name="arm" pos="1 0 0.5">
      <joint name="shoulder" axis="0 1 0" damping="0.2" range="-90 90"/>
      <geom name="upper" type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/>
      <body name="forearm" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.1" armature="0.01"/>
        <geom name="lower" type="capsule" size="0.03" fromto="0 0 0 0.25 0 0"/>
        <site name="hand" pos="0.25 0 0"/>
      </body>
    </body>
    <body name="marker" mocap="true" pos="0 0 2"/>
  </worldbody>
  <actuator>
    <motor name="lift" joint="shoulder" gear="2"/>
    <position name="bend" joint="elbow" kp="5"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/>
    <framepos name="place" objtype="site" objname="hand"/>
  </sensor>
  <custom>
    <numeric name="gains" data="1 2 3"/>
    <text name="note" data="a yard"/>
  </custom>
  <keyframe>
    <key name="up" time="1.5" qpos="0 0 1 1 0 0 0 -0.5 0.7"/>
  </keyframe>
</mujoco>
"""
