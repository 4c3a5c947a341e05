"""Small models for batches: what lanes have kernels for, each several times, under settings that are far apart."""

MIXED = """<mujoco>
<option timestep=".003" {option}><flag energy="enable" {flag}/></option>
<default><geom condim="{condim}" friction=".8 .02 .002"/></default>
<asset>
  <mesh name="stone" vertex="0 0 .12  .1 0 -.05  -.05 .09 -.05  -.05 -.09 -.05"/>
  <hfield name="hills" nrow="4" ncol="4" size="1 1 .2 .1" elevation="0 1 0 2 1 0 2 1 0 1 1 0 2 0 1 1"/>
</asset>
<worldbody>
  <geom name="floor" type="plane" size="5 5 1"/>
  <geom name="hills" type="hfield" hfield="hills" pos="3 0 0"/>
  <site name="post" pos="0 1 1.4"/>
  <body name="hand" mocap="true" pos="-1 0 1"><geom size=".03" contype="0" conaffinity="0"/></body>
  <body name="crate" pos="0 0 .11"><freejoint/><geom type="box" size=".1 .12 .1"/><site name="lid" pos="0 0 .1"/></body>
  <body name="lid" pos="0 .02 .27"><freejoint/><geom type="box" size=".08 .08 .05"/></body>
  <body name="ball" pos=".5 0 .1"><freejoint/><geom size=".1" density="200"/></body>
  <body name="rod" pos=".5 .5 .06"><joint type="free" damping=".01"/><geom type="capsule" size=".05 .15" euler="0 80 0"/></body>
  <body name="egg" pos="-.5 .3 .12"><joint type="slide" axis="0 0 1"/><joint type="ball" damping=".001"/>
    <geom type="ellipsoid" size=".1 .08 .12"/></body>
  <body name="drum" pos="-.5 -.5 .12"><freejoint/><geom type="cylinder" size=".08 .1"/></body>
  <body name="stone" pos="2.8 .1 .3"><freejoint/><geom type="mesh" mesh="stone"/></body>
  <body name="upper" pos="0 1 1">
    <joint name="shoulder" axis="0 1 0" damping=".2" armature=".01" range="-100 100" limited="true"/>
    <joint name="turn" axis="0 0 1" damping=".1" stiffness=".5"/>
    <geom name="upper" type="capsule" size=".04" fromto="0 0 0 .3 0 0"/><site name="mid" pos=".15 0 .08"/>
    <geom name="roll" type="cylinder" size=".06 .1" pos=".15 0 0" euler="90 0 0" mass=".1" contype="0" conaffinity="0"/>
    <body name="fore" pos=".3 0 0">
      <joint name="elbow" axis="0 1 0" damping=".1" frictionloss=".05" range="-120 5" limited="true"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .25 0 0"/><site name="tip" pos=".25 0 0"/>
    </body>
  </body>
  <body name="twin" pos="0 1.4 1">
    <joint name="follow" axis="0 1 0" damping=".2"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/>
  </body>
</worldbody>
<tendon>
  <spatial name="cord" springlength=".3" stiffness="20" damping="1" width=".01" limited="true" range="0 .95">
    <site site="post"/><geom geom="roll" sidesite="mid"/><site site="tip"/></spatial>
  <fixed name="sum" frictionloss=".03"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-.5"/></fixed>
</tendon>
<equality>
  <weld name="hold" body1="hand" body2="ball" active="false"/>
  <connect name="link" body1="crate" body2="lid" anchor="0 0 .1" active="false"/>
  <joint name="mimic" joint1="follow" joint2="shoulder" polycoef="0 1 .1 0 0" active="true"/>
  <tendon name="tight" tendon1="sum" active="false"/>
</equality>
<actuator>
  <motor name="lift" joint="shoulder" gear="3" ctrlrange="-1 1"/>
  <position name="bend" joint="elbow" kp="4" kv=".3" ctrlrange="-2 2"/>
  <muscle name="pull" tendon="cord" ctrlrange="0 1" force="20" lengthrange=".2 1"/>
  <general name="slow" joint="turn" dyntype="filterexact" dynprm=".1" gainprm="2" biastype="affine" biasprm="0 -1 -.1"/>
  <intvelocity name="wind" joint="follow" kp="2" actrange="-1 1"/>
</actuator>
<sensor>
  <framepos objtype="site" objname="tip"/><accelerometer site="lid"/><touch site="lid"/><velocimeter site="mid"/>
  <tendonpos tendon="cord"/><actuatorfrc actuator="pull"/><subtreecom body="upper"/><rangefinder site="tip"/><clock/>
  <e_kinetic/><jointlimitfrc joint="elbow"/><framelinacc objtype="body" objname="ball"/>
</sensor>
<keyframe>
  <key name="high" time="2" qpos="0 0 .6 1 0 0 0  0 .02 .8 1 0 0 0  .5 0 1 1 0 0 0  .5 .5 .6 1 0 0 0
    .3 1 0 0 0  -.5 -.5 .5 .7 .7 0 0  2.8 .1 .6 1 0 0 0  .4 .1 -.6 .3"/>
</keyframe>
</mujoco>"""

SETTINGS = {
    "Euler": {},
    "implicitfast": {"option": 'integrator="implicitfast"'},
    "RK4": {"option": 'integrator="RK4"'},
    "elliptic": {"option": 'cone="elliptic" impratio="3"', "condim": 4},
    "elliptic rolling": {
        "option": 'cone="elliptic" integrator="implicitfast" density="1.2" viscosity=".01"',
        "condim": 6,
    },
    "pyramidal rolling": {"condim": 6, "option": 'wind="1 0 0" density="1.2"'},
    "frictionless": {"condim": 1},
    "PGS": {"option": 'solver="PGS" iterations="30"'},
    "cold": {"flag": 'warmstart="disable" eulerdamp="disable"'},
    "few iterations": {"option": 'iterations="3" ls_iterations="4"'},
    "override": {"flag": 'override="enable" refsafe="disable" multiccd="enable"'},
}


def text(name):
    return MIXED.format(**({"option": "", "flag": "", "condim": 3} | SETTINGS[name]))
