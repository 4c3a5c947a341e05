"""Whole machines of our own against the peer: every smooth stage, sensors, and one step of each integrator.

Each is read by both loaders and put into 200 random states. Tolerances: stages 1e-10 of the largest number,
sensors and steps 1e-9.
"""

import mujoco
import numpy as np
import pytest

import bridge
from models import lift_limits, random_state
from test_actuator import dense_moment
from test_model import compare, load_text

STATES = 200
IMPLICIT = 2  # and above: the integrators implicit and implicitfast

# A beam on a cart that a string around a drum lifts; the string runs through the inside of a ring.
CRANE = """
<mujoco>
  <option wind="2 1 0" density="1.2" viscosity="1.8e-5"><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/><site name="ground" pos="0 0 .1"/>
    <body name="cart" pos="0 0 .5">
      <joint name="rail" type="slide" axis="1 0 0" range="-2 2" damping="3" frictionloss=".4"/>
      <geom type="box" size=".3 .2 .1" mass="20" contype="0" conaffinity="0"/><site name="winch" pos="-.2 0 .2"/>
      <body name="tower" pos="0 0 .2">
        <joint name="slew" axis="0 0 1" armature=".1" damping=".5"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size=".06" contype="0" conaffinity="0"/>
        <body name="boom" pos="0 0 1">
          <joint name="luff" axis="0 -1 0" range="-20 70" damping="1"/>
          <geom type="capsule" fromto="0 0 0 1.5 0 0" size=".05" contype="0" conaffinity="0"/>
          <geom name="drum" type="cylinder" size=".1 .05" pos=".1 0 .05" euler="90 0 0" contype="0" conaffinity="0"/>
          <geom name="ring" type="cylinder" size=".12 .02" pos="1.1 0 .1" euler="0 90 0" contype="0" conaffinity="0"/>
          <site name="over" pos=".1 0 .3"/><site name="in_ring" pos="1.1 .01 .12"/>
          <site name="head" pos="1.5 0 .1"/><site name="mid" pos=".7 0 .2"/>
          <body name="block" pos="1.5 0 -.8">
            <joint name="swing" type="ball" pos="0 0 .8" damping=".02"/>
            <joint name="hoist" type="slide" axis="0 0 1" range="-.5 .5" damping="2"/>
            <geom type="box" size=".1 .1 .15" mass="5" contype="0" conaffinity="0"/><site name="hook" pos="0 0 .15"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="lift" stiffness="4" damping="2" range="0 3.4" frictionloss=".2">
      <site site="winch"/><geom geom="drum" sidesite="over"/><site site="mid"/>
      <geom geom="ring" sidesite="in_ring"/><site site="head"/><pulley divisor="2"/><site site="head"/><site site="hook"/>
    </spatial>
    <fixed name="both" springlength=".1 .4" stiffness="6"><joint joint="rail" coef="1"/><joint joint="luff" coef=".3"/></fixed>
  </tendon>
  <actuator>
    <position tendon="lift" kp="40" dampratio="1" timeconst=".1"/><velocity joint="rail" kv="20" forcerange="-30 30"/>
    <intvelocity joint="slew" kp="30" kv="2" actrange="-3 3"/><motor joint="luff" gear="50"/>
  </actuator>
  <sensor>
    <tendonpos tendon="lift"/><tendonvel tendon="lift"/><tendonactuatorfrc tendon="lift"/><tendonlimitpos tendon="lift"/>
    <subtreecom body="cart"/><subtreelinvel body="boom"/><subtreeangmom body="cart"/><e_potential/><e_kinetic/>
    <framepos objtype="site" objname="hook" reftype="body" refname="boom"/><force site="winch"/><torque site="hook"/>
    <framelinvel objtype="site" objname="hook" reftype="xbody" refname="tower"/><accelerometer site="hook"/>
  </sensor>
</mujoco>
"""

# A shoulder, an elbow and a wrist with eight muscles around spheres and cylinders.
MUSCLE_ARM = """
<mujoco>
  <compiler><lengthrange timestep=".005" inttotal="8" tolrange=".1"/></compiler>
  <option timestep=".002" viscosity=".3"/>
  <default><geom contype="0" conaffinity="0"/><muscle force="-1" scale="300"/>
    <default class="wrap"><geom type="sphere" size=".04" mass="0"/></default></default>
  <worldbody>
    <geom name="chest" class="wrap" size=".09" pos="0 -.1 0"/>
    <site name="o1" pos=".05 -.15 .1"/><site name="o2" pos="-.08 -.1 .1"/><site name="o3" pos=".06 -.1 -.1"/><site name="o4" pos="-.06 -.12 -.08"/>
    <body name="upper">
      <joint name="flex" axis="0 1 0" range="-50 90" damping=".3" armature=".01"/><joint name="abd" axis="1 0 0" range="-30 80" damping=".3" armature=".01"/>
      <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.3"/>
      <geom name="ball" class="wrap" pos="0 .01 0"/><site name="out" pos="0 .1 .03"/>
      <site name="u1" pos=".03 .01 -.12"/><site name="u2" pos="-.03 .01 -.13"/><site name="u3" pos=".03 0 -.2"/><site name="u4" pos="-.03 0 -.2"/>
      <body name="lower" pos="0 0 -.3">
        <joint name="elbow" axis="0 1 0" range="-140 5" damping=".2" armature=".01"/>
        <geom type="capsule" size=".025" fromto="0 0 0 0 0 -.25"/>
        <geom name="roll" type="cylinder" class="wrap" size=".03 .05" euler="90 0 0"/><site name="behind" pos="-.08 0 .02"/>
        <site name="l1" pos=".02 0 -.06"/><site name="l2" pos="-.025 0 -.05"/><site name="l3" pos=".02 .01 -.15"/><site name="l4" pos="-.02 -.01 -.15"/>
        <body name="hand" pos="0 0 -.25">
          <joint name="wrist" type="ball" range="0 60" damping=".05" armature=".002"/>
          <geom type="box" size=".04 .015 .07" pos="0 0 -.07" mass=".4"/><site name="h1" pos=".02 0 -.04"/><site name="h2" pos="-.02 0 -.04"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="front"><site site="o1"/><geom geom="chest"/><site site="u1"/></spatial>
    <spatial name="back"><site site="o2"/><geom geom="ball" sidesite="out"/><site site="u2"/></spatial>
    <spatial name="low"><site site="o3"/><site site="u1"/></spatial>
    <spatial name="side"><site site="o4"/><geom geom="ball"/><site site="u2"/></spatial>
    <spatial name="biceps"><site site="o1"/><site site="u3"/><geom geom="roll"/><site site="l1"/></spatial>
    <spatial name="triceps"><site site="u4"/><geom geom="roll" sidesite="behind"/><site site="l2"/></spatial>
    <spatial name="bend"><site site="l3"/><site site="h1"/></spatial>
    <spatial name="stretch" stiffness="5"><site site="l4"/><site site="h2"/></spatial>
  </tendon>
  <actuator>
    <muscle tendon="front" tausmooth=".1"/><muscle tendon="back" lmin=".4" lmax="1.7" lengthrange=".25 .45"/><muscle tendon="low" vmax="2" fpmax="1.6"/>
    <muscle tendon="side" fvmax="1.4"/><muscle tendon="biceps" range=".6 1.2" name="m"/><muscle tendon="triceps" force="200"/>
    <muscle tendon="bend" timeconst=".02 .06" lengthrange=".08 .2"/><muscle tendon="stretch" lengthrange=".07 .2"/>
  </actuator>
  <sensor><actuatorpos actuator="m"/><actuatorvel actuator="m"/><actuatorfrc actuator="m"/><jointactuatorfrc joint="elbow"/>
    <ballquat joint="wrist"/><ballangvel joint="wrist"/><velocimeter site="h1"/><gyro site="h1"/>
    <frameangacc objtype="body" objname="hand"/><framelinacc objtype="site" objname="h1"/></sensor>
</mujoco>
"""

# Four rotors that push and twist in their own frames, and a load on a spring below.
QUADROTOR = """
<mujoco>
  <option density="1.2" wind="1 .5 -.3" timestep=".004"/>
  <worldbody>
    <body name="frame" pos="0 0 1">
      <freejoint/><geom type="box" size=".08 .08 .03" mass=".5"/><site name="imu" euler="3 -2 1"/>
      <geom type="capsule" fromto="-.14 -.14 0 .14 .14 0" size=".01"/><geom type="capsule" fromto="-.14 .14 0 .14 -.14 0" size=".01"/>
      <site name="r1" pos=".14 .14 .03" euler="2 0 0"/><site name="r2" pos="-.14 .14 .03"/>
      <site name="r3" pos="-.14 -.14 .03" euler="0 -2 0"/><site name="r4" pos=".14 -.14 .03"/>
      <body pos="0 0 -.3"><joint type="ball" pos="0 0 .3" damping=".002"/><joint type="slide" axis="0 0 1" stiffness="40" damping=".5"/>
        <geom size=".04" mass=".1"/></body>
    </body>
    <site name="home" pos=".5 0 1" euler="0 0 30"/>
  </worldbody>
  <actuator>
    <motor site="r1" gear="0 0 1 0 0 .02" ctrlrange="0 5"/><motor site="r2" gear="0 0 1 0 0 -.02" ctrlrange="0 5"/>
    <general site="r3" gear="0 0 1 0 0 .02" ctrlrange="0 5" dyntype="filterexact" dynprm=".05"/>
    <general site="r4" gear="0 0 1 0 0 -.02" ctrlrange="0 5" dyntype="filter" dynprm=".05" actearly="true"/>
    <position site="imu" refsite="home" gear="1 2 0" kp=".5"/>
  </actuator>
  <sensor><accelerometer site="imu"/><gyro site="imu"/><magnetometer site="imu"/><framequat objtype="body" objname="frame"/>
    <framezaxis objtype="site" objname="imu"/><subtreeangmom body="frame"/><framepos objtype="site" objname="imu" reftype="site" refname="home"/></sensor>
</mujoco>
"""

# Two fingers and a thumb, each pulled by a flexor and an extensor across its joints; coupled by fixed tendons.
HAND = """
<mujoco>
  <option timestep=".002" integrator="implicitfast"/>
  <default><geom type="capsule" size=".008" contype="0" conaffinity="0"/><joint axis="0 1 0" range="-10 95" damping=".01" armature=".0005" stiffness=".02"/>
    <tendon/><default class="pulley"><geom type="cylinder" size=".007 .01" euler="90 0 0" mass=".001"/></default></default>
  <worldbody>
    <body name="palm"><joint name="twist" type="ball" range="0 70" stiffness=".5" damping=".1"/>
      <geom type="box" size=".04 .03 .01" pos="-.04 0 0"/><site name="p1" pos="-.05 .02 .012"/><site name="p2" pos="-.05 .02 -.012"/>
      <site name="p3" pos="-.05 -.02 .012"/><site name="p4" pos="-.05 -.02 -.012"/>
      {fingers}
    </body>
  </worldbody>
  <tendon>{tendons}
    <fixed name="couple" damping=".01" springlength="0" stiffness=".3" frictionloss=".002"><joint joint="a2" coef="1"/><joint joint="a3" coef="-.8"/></fixed>
  </tendon>
  <actuator>{actuators}<position tendon="couple" kp=".1" ctrlrange="-1 1"/><motor joint="twist" gear=".1 .2 0"/></actuator>
  <sensor><tendonpos tendon="flex_a"/><tendonvel tendon="ext_b"/><jointpos joint="a1"/><jointvel joint="b2"/>
    <tendonlimitfrc tendon="flex_a"/><framexaxis objtype="site" objname="a_tip" reftype="body" refname="palm"/></sensor>
</mujoco>
"""


def hand():
    fingers, tendons, actuators = "", "", ""
    for name, y, top, bottom in (("a", 0.02, "p1", "p2"), ("b", -0.02, "p3", "p4")):
        body = f'<geom fromto="0 0 0 .02 0 0"/><site name="{name}_tip" pos=".018 0 -.007"/><site name="{name}_nail" pos=".018 0 .007"/>'
        for k in (3, 2, 1):
            place = f"0 {y} 0" if k == 1 else ".04 0 0"
            link = '<geom fromto="0 0 0 .04 0 0"/>' if k < 3 else ""
            sites = f'<site name="{name}{k}u" pos=".012 0 .009"/><site name="{name}{k}d" pos=".012 0 -.009"/>'
            wrap = (
                f'<geom class="pulley" name="{name}{k}g"/><site name="{name}{k}s" pos="0 0 .02"/>'
            )
            body = f'<body pos="{place}"><joint name="{name}{k}"/>{link}{sites}{wrap}{body}</body>'
        fingers += body
        flexor = "".join(f'<site site="{name}{k}d"/>' for k in (1, 2, 3))
        extensor = "".join(
            f'<geom geom="{name}{k}g" sidesite="{name}{k}s"/><site site="{name}{k}u"/>'
            for k in (1, 2, 3)
        )
        tendons += f'<spatial name="flex_{name}" range=".05 .2"><site site="{bottom}"/>{flexor}<site site="{name}_tip"/></spatial>'
        tendons += f'<spatial name="ext_{name}" stiffness="20" damping=".05"><site site="{top}"/>{extensor}<site site="{name}_nail"/></spatial>'
        actuators += f'<motor tendon="flex_{name}" gear="-1" ctrlrange="0 2"/><cylinder tendon="ext_{name}" area="3" timeconst=".05"/>'
    return HAND.format(fingers=fingers, tendons=tendons, actuators=actuators)


# A flat sail on a line in wind, every coefficient of the ellipsoid fluid at work.
KITE = """
<mujoco>
  <option density="1.2" viscosity=".00002" wind="8 1 0" timestep=".005"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="peg"/>
    <body name="kite" pos="3 0 3" euler="0 -30 0">
      <freejoint/><geom type="ellipsoid" size=".4 .5 .01" mass=".2" fluidshape="ellipsoid" fluidcoef=".7 .3 1.4 1.1 .9"/>
      <geom type="cylinder" size=".02 .5" euler="90 0 0" mass=".05" fluidshape="ellipsoid"/><site name="bridle" pos=".1 0 -.2"/>
      <body pos="-.4 0 0"><joint type="ball" damping=".001"/><geom type="box" size=".2 .02 .005" pos="-.2 0 0" mass=".02" fluidshape="ellipsoid" fluidcoef="1 .2 .5 .1 .3"/>
        <body pos="-.4 0 0"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="capsule" size=".01 .1" pos="-.1 0 0" euler="0 90 0" mass=".01" fluidshape="ellipsoid"/></body></body>
    </body>
  </worldbody>
  <tendon><spatial name="line" stiffness="50" damping=".5" springlength="0 4"><site site="peg"/><site site="bridle"/></spatial></tendon>
  <sensor><tendonpos tendon="line"/><framelinvel objtype="body" objname="kite"/><accelerometer site="bridle"/></sensor>
</mujoco>
"""

# A crank that drives a piston rod by a slider-crank actuator, a scotch yoke by a fixed tendon, and a fin in water.
ENGINE = """
<mujoco>
  <option density="100" viscosity=".1"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="wheel" pos="0 0 .5"><joint name="turn" axis="0 1 0" damping=".1"/><geom type="cylinder" size=".2 .02" euler="90 0 0"/>
      <site name="pin" pos=".15 0 0" euler="20 0 10"/>
      <body pos="0 .1 0"><joint name="cam" axis="0 1 0" stiffness="3" springref="20"/><geom type="box" size=".1 .02 .03" pos=".05 0 0"/></body></body>
    <body name="piston" pos=".8 0 .5"><joint name="slide" type="slide" axis="1 0 0" range="-.3 .3" damping="2"/>
      <geom type="box" size=".08 .05 .05"/><site name="axis" pos="0 0 0" euler="0 80 5"/></body>
    <body name="fin" pos="0 1 .5"><joint name="fin" type="ball" damping=".2"/><geom type="ellipsoid" size=".4 .1 .2" pos=".3 0 0" fluidshape="ellipsoid"/></body>
  </worldbody>
  <tendon><fixed name="yoke" damping=".4" armature=".05"><joint joint="turn" coef=".2"/><joint joint="slide" coef="-1"/></fixed></tendon>
  <actuator>
    <motor cranksite="pin" slidersite="axis" cranklength=".7" gear="3"/><position cranksite="pin" slidersite="axis" cranklength=".2" kp="5"/>
    <velocity tendon="yoke" kv="2"/><damper joint="cam" kv="2" ctrlrange="0 1"/><motor jointinparent="fin" gear="1 -2 .5"/>
    <general joint="turn" gaintype="affine" gainprm="2 .3 -.2" biastype="affine" biasprm=".1 -1 -.2" dyntype="integrator" actrange="-1 1"/>
  </actuator>
  <sensor><jointpos joint="slide"/><jointlimitpos joint="slide"/><jointlimitvel joint="slide"/><framepos objtype="site" objname="pin"/></sensor>
</mujoco>
"""

MACHINES = {
    "crane": CRANE,
    "muscle_arm": MUSCLE_ARM,
    "quadrotor": QUADROTOR,
    "hand": hand(),
    "kite": KITE,
    "engine": ENGINE,
}
STAGES = (
    "xpos xquat xipos site_xpos subtree_com cinert cdof qM ten_length ten_J ten_velocity wrap_xpos "
    "actuator_length actuator_velocity cvel cdof_dot qfrc_spring qfrc_damper qfrc_fluid qfrc_passive "
    "qfrc_bias actuator_force act_dot qfrc_actuator qfrc_smooth qacc_smooth"
).split()
ROWS = "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_D efc_aref".split()
INPUTS = "qpos qvel act ctrl qfrc_applied xfrc_applied qacc_warmstart".split()


def close(ours, theirs, what, tolerance):
    ours, theirs = np.ravel(ours), np.ravel(theirs)
    assert ours.shape == theirs.shape, what
    scale = 1 + np.abs(theirs).max(initial=0)
    error = np.abs(ours - theirs).max(initial=0)
    assert error <= tolerance * scale, f"{what}: {error:g}, scale {scale:g}"


def moments(peer, source):
    names = ("moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment")
    return dense_moment(peer, *(np.ravel(getattr(source, n)) for n in names))


class Views:
    """Arrays of constant size, looked up once."""

    def __init__(self, data):
        names = {*STAGES, *INPUTS, "qacc", "sensordata", "energy"}
        names |= {"moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment"}
        for name in names:
            setattr(self, name, getattr(data, name))


def conditioning(peer, pdata):
    """How much the inverse of the inertia multiplies rounding errors of forces."""
    full = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(peer, full, pdata.qM)
    return np.linalg.cond(full)


@pytest.fixture(params=MACHINES)
def machine(request):
    """The model in both."""
    text = MACHINES[request.param]
    ours, error = load_text(text)
    assert ours, error.message.decode()
    return ours, mujoco.MjModel.from_xml_string(text)


def test_compiles_as_the_peer(machine):
    # the ends of long simulations against soft limits
    compare(*machine, {"actuator_lengthrange": 1e-7, "actuator_biasprm": 1e-9})


def test_stages_and_steps(machine):
    ours, peer = machine
    peer.opt.tolerance = 0  # the peer's solver goes on to the end, as ours does
    ours.actuator_lengthrange = peer.actuator_lengthrange
    data, pdata = bridge.make_data(ours), mujoco.MjData(peer)
    mine = Views(data)
    rng = np.random.default_rng(11)
    rows = 0
    for k in range(STATES):
        peer.opt.integrator = integrator = 4 * k // STATES
        bridge.set_option(ours, "integrator", integrator)
        if integrator >= IMPLICIT:
            lift_limits(peer, ours)
        random_state(rng, peer, pdata, False)
        pdata.act[:] = rng.uniform(-0.2, 1.2, peer.na)
        pdata.qfrc_applied[:] *= 0.1
        pdata.xfrc_applied[:] *= 0.1
        for name in INPUTS:
            view = getattr(mine, name)
            view[...] = getattr(pdata, name).reshape(view.shape)
        data.time = pdata.time
        mujoco.mj_forward(peer, pdata)
        bridge.call("forward", ours, data)
        # qacc_smooth = inv(M) f: rounding of f times the condition of M
        loss = max(1, 1e-15 * conditioning(peer, pdata) / 1e-10)
        mine.ten_J = data.ten_J  # a copy
        for name in STAGES:
            close(getattr(mine, name), getattr(pdata, name), name, 1e-10 * (loss if name == "qacc_smooth" else 1))  # fmt: skip
        close(moments(peer, mine), moments(peer, pdata), "actuator_moment", 1e-10)
        close(mine.energy, pdata.energy, "energy", 1e-10)
        assert data.scalar("nefc") == pdata.nefc
        rows += pdata.nefc
        for name in ROWS:
            close(getattr(data, name), getattr(pdata, name), name, 1e-10)
        close(mine.qacc, pdata.qacc, "qacc", 1e-9 * loss)
        close(mine.sensordata, pdata.sensordata, "sensordata", 1e-9 * loss)
        mujoco.mj_step(peer, pdata)
        bridge.call("step", ours, data)
        for name in ("qpos", "qvel", "act"):
            close(getattr(mine, name), getattr(pdata, name), f"{name} after a step", 1e-9)
    assert rows or not peer.ntendon or not peer.tendon_limited.any()
