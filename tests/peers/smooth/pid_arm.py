"""An arm for controllers: every way in which an actuator pulls, and what a controller may have."""

PHYSICS = '<text name="sinew_physics" data="4.0"/>'
WORLD = """
<mujoco>
  <custom>{custom}</custom>
  <option timestep="0.01" gravity="0 0 -2" integrator="{integrator}"/>
  <worldbody>
    <site name="ground" pos="0 0 .1"/>
    <body>
      <joint name="ball" type="ball" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
      <body pos=".3 0 0">
        <joint name="hinge" axis="0 1 0" range="-60 100"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <body pos=".3 0 0">
          <joint name="slide" type="slide" actuatorfrcrange="-60 60"/><geom size=".08"/><site name="tip" pos=".1 0 .1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="fixed"><joint joint="hinge" coef=".7"/><joint joint="slide" coef="-1.2"/></fixed>
    <spatial name="spatial"><site site="ground"/><site site="tip"/></spatial>
  </tendon>
  <actuator>{actuators}</actuator>
  <sensor>{sensors}</sensor>
</mujoco>"""
TARGETS = (
    'joint="hinge" gear="2"', 'joint="slide"', 'joint="ball" gear="0 0 2"', 'jointinparent="ball" gear=".4 1 0"',
    'tendon="fixed" gear="-1.5"', 'tendon="spatial"', 'site="tip" refsite="ground" gear="0 0 0 .5 0 1"',
    'site="tip" gear="1 0 2 0 0 0"',
)  # fmt: skip
INPUTS = ("pos", "vel", "ff", "pos vel", "pos ff", "vel ff", "pos vel ff")


def text(actuators, integrator="Euler", custom="", sensors="", physics=PHYSICS):
    return WORLD.format(
        actuators=actuators, integrator=integrator, custom=physics + custom, sensors=sensors
    )
