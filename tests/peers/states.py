"""Random states of third-party models and of our own, in the peer's data and in ours."""

import mujoco
import numpy as np
import pytest

import bridge
from models import everything

STATES = 6
TOLERANCE = 1e-10

# All joint types with anchors off the origin, springs and dampers, gravity compensation, a mocap body, a
# simple free body, frames that coincide and frames that do not, every camera and light mode, all actuator
# kinds on all joint types, a fluid with wind.
ZOO = """
<mujoco>
  <option density="1.2" viscosity="0.3" wind="0.5 -1 0.2" gravity="0.3 -0.2 -9"/>
  <visual><map znear="0.02"/></visual>
  <worldbody>
    <light name="l0" pos="0 0 3" dir="0 1 -2"/>
    <camera name="c0" pos="1 2 3" euler="10 20 30"/>
    <geom type="plane" size="3 3 0.1" contype="0" conaffinity="0"/>
    <site name="w" pos="0.4 0.2 0.1" euler="20 40 60"/>
    <body name="mocap" mocap="true" pos="1 1 1" euler="20 0 10">
      <geom type="box" size="0.1 0.2 0.3" contype="0" conaffinity="0"/>
      <body pos="0.1 0.2 0.3"><geom size="0.1" contype="0" conaffinity="0"/><site name="ms"/></body>
    </body>
    <body name="loose" pos="3 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
    <body name="bob" pos="-3 0 1" gravcomp="0.7">
      <joint type="slide" axis="1 0 0" stiffness="3" damping="0.4" springref="0.2"/>
      <joint type="slide" axis="0 1 0" damping="0.4" actuatorgravcomp="true"/>
      <joint type="slide" axis="0 0 1" damping="0.4" actuatorgravcomp="true" actuatorfrcrange="-1 1"/>
      <geom size="0.1"/>
    </body>
    <body name="base" pos="0 0 1" gravcomp="0.5">
      <joint name="free" type="free" stiffness="2" damping="0.3" armature="0.2"/>
      <geom type="capsule" size="0.1" fromto="0 0 0 0.3 0.2 0.1"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.3 0 0.1" euler="30 20 10"/>
      <site name="s0" pos="0.1 0.1 0.1" euler="10 0 0"/>
      <light name="l1" mode="track" pos="0 1 2" dir="1 0 -1"/>
      <light name="l2" mode="trackcom" pos="0 1 2" dir="1 0 -1"/>
      <light name="l3" mode="targetbody" target="b3" pos="0 1 2"/>
      <light name="l4" mode="targetbodycom" target="b1" pos="0 1 2"/>
      <camera name="c1" mode="track" pos="0 1 2" euler="10 20 30"/>
      <camera name="c2" mode="trackcom" pos="0 1 2" euler="10 20 30"/>
      <camera name="c3" mode="targetbody" target="b3" pos="0 1 2"/>
      <camera name="c4" mode="targetbodycom" target="b1" pos="0 1 2"/>
      <body name="b1" pos="0.3 0.2 0" euler="0 30 50">
        <joint name="ball" type="ball" pos="0.05 0.02 -0.1" stiffness="5" damping="0.5" armature="0.1"
               actuatorgravcomp="true"/>
        <geom type="ellipsoid" size="0.1 0.2 0.15"/>
        <body name="b2" pos="0.1 0.3 0.2" euler="10 0 70">
          <joint name="h1" axis="1 2 3" pos="0.1 0 0.1" stiffness="4" springref="30" damping="0.2"
                 actuatorgravcomp="true"/>
          <joint name="s1" type="slide" axis="0 1 1" stiffness="7" springref="0.1" damping="0.3"/>
          <joint name="h2" axis="0 1 0" armature="0.05" frictionloss="0.1" ref="20"
                 actuatorfrcrange="-0.5 0.7"/>
          <geom type="cylinder" size="0.1 0.2" pos="0.1 0.1 0.1"/>
          <site name="s2" pos="0 0.1 0.2"/>
          <body name="b3" pos="0.2 0.2 0.1">
            <joint name="h3" axis="0 0 1" pos="0 0.05 0"/>
            <geom type="sphere" size="0.12" pos="0 0 0.2" mass="0"/>
            <geom type="sphere" size="0.12"/>
          </body>
        </body>
        <body name="b4" pos="-0.3 0.1 0.1" gravcomp="1.5">
          <joint name="h4" axis="1 1 0" damping="0.3" stiffness="0.4"/>
          <geom type="box" size="0.1 0.05 0.2" pos="0.1 0 0"/>
          <inertial pos="0.1 0.02 0.03" mass="1.3" fullinertia="0.3 0.4 0.35 0.05 0.04 0.03"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="h1" gear="3" ctrlrange="-1 1" ctrllimited="true"/>
    <position joint="h2" kp="20" kv="0.5" forcerange="-1 2"/>
    <velocity joint="s1" kv="3"/>
    <general joint="h3" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="0.3 0.2 0.1" group="2"/>
    <motor joint="ball" gear="1 2 3"/>
    <motor joint="free" gear="1 2 3 4 5 6"/>
    <motor joint="h4" group="3"/>
    <general jointinparent="ball" gear="0.5 -1 2" biastype="affine" biasprm="0 -3 -0.2"/>
    <motor jointinparent="free" gear="0.4 1 2 -1 0.3 2"/>
    <motor jointinparent="h4" gear="2"/>
  </actuator>
</mujoco>
"""


MODELS = [pytest.param(lambda: mujoco.MjModel.from_xml_string(ZOO), id="zoo")] + [
    pytest.param(
        lambda path=path: mujoco.MjModel.from_xml_path(str(path)),
        id="-".join(path.parts[-3:]),
    )
    for path in everything()
]


def randomise(rng, m, d):
    """A random state in the peer's data, positions within about 1.5 times the ranges."""
    mujoco.mj_resetData(m, d)
    for j in range(m.njnt):
        a = m.jnt_qposadr[j]
        kind = m.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            d.qpos[a : a + 3] = rng.normal(size=3)
            d.qpos[a + 3 : a + 7] = rng.normal(size=4)
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            d.qpos[a : a + 4] = rng.normal(size=4)
        elif m.jnt_limited[j]:
            low, high = m.jnt_range[j]
            d.qpos[a] = (low + high) / 2 + rng.uniform(-0.75, 0.75) * (high - low)
        else:
            d.qpos[a] = rng.normal()
    d.qvel[:] = rng.normal(size=m.nv)
    d.ctrl[:] = 2 * rng.normal(size=m.nu)
    d.act[:] = rng.normal(size=m.na)
    d.qfrc_applied[:] = rng.normal(size=m.nv)
    d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6))
    d.mocap_pos[:] += rng.normal(size=(m.nmocap, 3))
    d.mocap_quat[:] += rng.normal(size=(m.nmocap, 4))


INPUTS = [
    "qpos",
    "qvel",
    "ctrl",
    "act",
    "qfrc_applied",
    "xfrc_applied",
    "mocap_pos",
    "mocap_quat",
]


def copy_state(source, target):
    for name in INPUTS:
        setattr(target, name, getattr(source, name))


def check(ours, theirs, what, tolerance=TOLERANCE):
    """Largest difference within `tolerance` of the largest entry (1 at least in effect for small fields)."""
    ours, theirs = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
    assert ours.shape == theirs.shape, what
    if theirs.size == 0:
        return
    scale = max(1.0, np.abs(theirs).max())
    worst = np.abs(ours - theirs).max()  # NaN fails the comparison below
    assert worst <= tolerance * scale, f"{what}: off by {worst:g}, scale {scale:g}"


def check_fields(ours, theirs, names):
    for name in names.split():
        check(getattr(ours, name), getattr(theirs, name), name)


def states(make, seed=1, count=STATES):
    peer = make()
    model = bridge.copy_model(peer, narena=1 << 20)
    theirs, ours = mujoco.MjData(peer), bridge.make_data(model)
    rng = np.random.default_rng(seed)
    for _ in range(count):
        randomise(rng, peer, theirs)
        copy_state(theirs, ours)
        yield peer, model, theirs, ours, rng


def pointer(array):
    return array.ctypes.data_as(bridge.ctypes.c_void_p)


class Solution:
    """Lends the peer's accelerations, contacts and rows to our data."""

    def __init__(self, ours, theirs):
        self.ours = ours
        ours.qacc = theirs.qacc
        ours.qfrc_actuator = theirs.qfrc_actuator
        self.contacts = np.zeros(theirs.ncon, bridge.CONTACT)
        for i, c in enumerate(theirs.contact):
            for name in bridge.CONTACT.names:
                self.contacts[i][name] = getattr(c, name, 0)  # the peer has not all
        self.arrays = {"contact": self.contacts}
        for name, dtype in [
            ("efc_type", np.int32),
            ("efc_id", np.int32),
            ("efc_pos", float),
            ("efc_margin", float),
            ("efc_vel", float),
            ("efc_force", float),
        ]:
            self.arrays[name] = np.array(getattr(theirs, name), dtype)
        self.counts = {
            "ncon": theirs.ncon,
            "nefc": theirs.nefc,
            "nl": theirs.nl,
            "nf": theirs.nf,
            "ne": theirs.ne,
        }

    def scalar(self, name):
        order = ["ncon", "ne", "nf", "nl", "nefc"]
        address = self.ours.pointer.value + 8 + 4 * order.index(name)
        return bridge.ctypes.c_int.from_address(address)

    def pointer_of(self, name):
        _, field = self.ours.fields[name]
        return bridge.ctypes.c_void_p.from_address(self.ours.pointer.value + field.offset)

    def __enter__(self):
        for name, value in self.counts.items():
            self.scalar(name).value = value
        for name, array in self.arrays.items():
            self.pointer_of(name).value = array.ctypes.data
        return self

    def __exit__(self, *_):
        for name in self.counts:
            self.scalar(name).value = 0
        for name in self.arrays:
            self.pointer_of(name).value = None
