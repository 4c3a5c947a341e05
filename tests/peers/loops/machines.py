"""Machines with loops that stand on the ground, as MJCF."""

# A floating trunk on four-bar legs whose feet touch the ground; the rods close on the shanks by loop joints, the rear
# ones by a connect. Motors, limits that are reached, dry friction on joints in loops, a tendon with limits across a
# loop, and a free ball in contact with the trunk.
LEG = """
<body name="thigh{i}" pos="{x} {y} 0">
  <joint name="hip{i}" axis="0 1 0" frictionloss=".2" damping=".1" range="-.35 .8" limited="true"/>
  <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.25" mass=".5"/>
  <body name="shank{i}" pos="0 0 -.25"><joint name="knee{i}" axis="0 1 0" {knee}/>
    <geom type="capsule" size=".02" fromto=".1 0 0 0 0 -.25" mass=".3"/>
    <geom name="foot{i}" size=".04" pos="0 0 -.25" mass=".1" contype="1" conaffinity="1" condim="{condim}"
          friction="{friction}"/>
    <site name="end{i}" pos=".1 0 0" zaxis="0 1 0"/></body>
</body>
<body name="rod{i}" pos="{x1} {y} 0"><joint name="rod{i}" axis="0 1 0" frictionloss="{dry}"/>
  <geom type="capsule" size=".01" fromto="0 0 0 0 0 -.25" mass=".2"/>
  <site name="tip{i}" pos="0 0 -.25" zaxis="0 1 0"/></body>
"""


def walker(option="", flags="", condim=3, friction=".8 .01 .001", custom="", exact="exact"):
    legs = "".join(
        LEG.format(
            i=i,
            x=x,
            x1=x + 0.1,
            y=y,
            condim=condim,
            friction=friction,
            dry=0.1 * (i % 2),
            knee='range="-1.2 -.1" limited="true"' if i == 1 else "",
        )
        for i, (x, y) in enumerate([(0.2, 0.15), (0.2, -0.15), (-0.3, 0.15), (-0.3, -0.15)])
    )
    return f"""
<mujoco><compiler angle="degree"/>
<option timestep=".002" {option}><flag {flags}/></option>
<custom><text name="sinew_loops" data="{exact} {custom}"/>
  <text name="sinew_loop_left" data="revolute tip0 end0 stiffness=1 damping=.05"/>
  <text name="sinew_loop_right" data="spherical tip1 end1"/></custom>
<compiler autolimits="false" angle="radian"/>
<default><geom contype="0" conaffinity="0"/><joint solreflimit=".01 1"/></default>
<worldbody><geom type="plane" size="3 3 .1" contype="1" conaffinity="1" condim="{condim}" friction="{friction}"/>
  <body name="trunk" pos="0 0 .54"><freejoint/><geom type="box" size=".4 .2 .05" mass="4" contype="1" conaffinity="1"/>
    {legs}
  </body>
  <body name="ball" pos=".1 .05 .649"><freejoint/><geom size=".06" mass=".3" contype="1" conaffinity="1" condim="6"/></body>
</worldbody>
<equality><connect name="rear2" site1="tip2" site2="end2"/><connect name="rear3" site1="tip3" site2="end3"/></equality>
<tendon><fixed name="across" limited="true" range="-.2 .1" frictionloss=".05"><joint joint="hip2" coef="1"/>
  <joint joint="rod3" coef="-1"/></fixed></tendon>
<actuator><motor joint="hip0" gear="2"/><position joint="knee1" kp="20"/><motor joint="rod2"/><velocity joint="hip3" kv=".5"/>
  <motor tendon="across"/></actuator>
</mujoco>
""".replace('<compiler angle="degree"/>', "")


def heap(option="", flags="", condim=3, friction=".6 .01 .001", custom="", exact="exact"):
    """Free bodies that loops join to mechanisms of several trees, dropped on each other and on a free ball."""

    def box(name, x, z, more=""):
        return (
            f'<body name="{name}" pos="{x} 0 {z}"><freejoint/><geom type="box" size=".1 .08 .06" condim="{condim}" '
            f'friction="{friction}"/><site name="{name}+" pos=".15 0 0" zaxis="0 1 0"/>'
            f'<site name="{name}-" pos="-.15 0 0" zaxis="0 1 0"/>{more}</body>'
        )

    arm = (
        '<body pos="0 .15 0"><joint axis="1 0 0" range="-.1 .1" limited="true" frictionloss=".02"/>'
        '<geom type="capsule" size=".03 .06"/></body>'
    )
    return f"""
<mujoco><compiler angle="radian"/><option timestep=".002" {option}><flag {flags}/></option>
<custom><text name="sinew_loops" data="{exact} {custom}"/>
  <text name="sinew_loop_pair" data="revolute a+ b-"/>
  <text name="sinew_loop_one" data="spherical c+ d-"/><text name="sinew_loop_two" data="universal d+ e-"/>
  <text name="sinew_loop_rail" data="sphere-in-plane side f+"/></custom>
<worldbody><geom type="plane" size="3 3 .1" condim="{condim}" friction="{friction}"/>
  <site name="side" pos="0 0 0" zaxis="0 1 0"/>
  {box("a", 0, 0.06)}{box("b", 0.3, 0.06, arm)}
  {box("c", -0.1, 0.185)}{box("d", 0.2, 0.185)}{box("e", 0.5, 0.185)}{box("f", 0.05, 0.32, arm)}
  <body name="ball" pos=".35 .02 .3"><freejoint/><geom size=".06" condim="6"/></body>
</worldbody>
<equality><weld name="glue" body1="c" body2="b" active="false"/></equality>
<actuator><motor site="a+" gear="0 0 1 0 0 0"/><motor site="e-" gear="1 0 0 0 1 0"/></actuator>
</mujoco>
"""
