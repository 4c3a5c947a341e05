"""Everything that depends on position and velocity alone, field by field against the pinned peer.

Third-party models and small ones written here, compiled by the peer, with random states: positions in and
beyond the ranges, random velocities, controls and applied forces. Seeded. Two engines that evaluate the
same formulas in another order differ by rounding: 1e-10 of the field's scale leaves five digits for
conditioning (the factor and what is solved with it).
"""

import glob
import pathlib
import sysconfig

import bridge
import mujoco
import numpy as np
import pytest

SITE = pathlib.Path(sysconfig.get_paths()["purelib"])
FILES = sorted(
    glob.glob(str(SITE / "dm_control/suite/*.xml"))
    + glob.glob(str(SITE / "gymnasium/envs/mujoco/assets/*.xml"))
)
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


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """The peer writes its warnings to a file in the working directory."""
    monkeypatch.chdir(tmp_path)


MODELS = [pytest.param(lambda: mujoco.MjModel.from_xml_string(ZOO), id="zoo")] + [
    pytest.param(
        lambda path=path: mujoco.MjModel.from_xml_path(path),
        id="-".join(path.split("/")[-3:]),
    )
    for path in FILES
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


def states(make, seed=1):
    peer = make()
    model = bridge.copy_model(peer, narena=1 << 20)
    theirs, ours = mujoco.MjData(peer), bridge.make_data(model)
    rng = np.random.default_rng(seed)
    for _ in range(STATES):
        randomise(rng, peer, theirs)
        copy_state(theirs, ours)
        yield peer, model, theirs, ours, rng


def peer_position(m, d):
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_camlight(m, d)
    mujoco.mj_tendon(m, d)
    mujoco.mj_makeM(m, d)
    mujoco.mj_factorM(m, d)
    mujoco.mj_transmission(m, d)


def our_position(m, d):
    for stage in ["kinematics", "comPos", "camlight", "crb", "factorM"]:
        bridge.call(stage, m, d)


def pointer(array):
    return array.ctypes.data_as(bridge.ctypes.c_void_p)


def dense_LD(m, LD):
    """L (unit lower triangular) and D from the layout of qM."""
    L, D = np.eye(m.nv), np.zeros(m.nv)
    for i in range(m.nv):
        a, j = m.dof_Madr[i], m.dof_parentid[i]
        D[i] = LD[a]
        while j >= 0:
            a += 1
            L[i, j] = LD[a]
            j = m.dof_parentid[j]
    return L, D


@pytest.mark.parametrize("make", MODELS)
def test_position(make):
    for peer, model, theirs, ours, rng in states(make):
        peer_position(peer, theirs)
        our_position(model, ours)
        check_fields(
            ours,
            theirs,
            "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos "
            "cam_xmat light_xpos light_xdir subtree_com cdof cinert crb qM",
        )
        check_inertia(peer, model, theirs, ours, rng)


def check_inertia(peer, model, theirs, ours, rng):
    nv = peer.nv
    if nv == 0:
        return
    M = bridge.dense_M(peer, theirs)
    L, D = dense_LD(peer, ours.qLD.ravel())
    check(L.T @ np.diag(D) @ L, M, "L'DL")
    check(ours.qLDiagInv.ravel() * D, np.ones(nv), "diagInv", 1e-14)
    dense = np.empty((nv, nv))
    bridge.lib.sn_fullM(model.pointer, pointer(ours.qM), pointer(dense))
    check(dense, M, "fullM")
    y, x, z = rng.normal(size=(3, nv)), np.empty((3, nv)), np.empty((3, nv))
    bridge.call("mulM", model, ours, pointer(x), pointer(y))
    mujoco.mj_mulM(peer, theirs, z[0], y[0])
    check(x[0], z[0], "mulM")
    bridge.call("solveM", model, ours, pointer(x), pointer(y), 3)
    mujoco.mj_solveM(peer, theirs, z, y)
    check(x, z, "solveM")
    bridge.call("solveM2", model, ours, pointer(x), pointer(y), 3)
    mujoco.mj_solveM2(peer, theirs, z, y, np.sqrt(theirs.qLDiagInv))
    check(x, z, "solveM2")


def has_known_forces(m):
    """No tendons, transmission by joints, no activation, no ellipsoid fluid: what the engine has so far."""
    T, D = mujoco.mjtTrn, mujoco.mjtDyn
    joints = np.isin(m.actuator_trntype, [T.mjTRN_JOINT, T.mjTRN_JOINTINPARENT])
    return (
        m.ntendon == 0 and joints.all() and np.all(m.actuator_dyntype == D.mjDYN_NONE)
    )


def peer_smooth(m, d):
    """The peer up to qacc_smooth and energies, without collision and constraints."""
    peer_position(m, d)
    mujoco.mj_fwdVelocity(m, d)
    mujoco.mj_fwdActuation(m, d)
    mujoco.mj_fwdAcceleration(m, d)
    mujoco.mj_energyPos(m, d)
    mujoco.mj_energyVel(m, d)
    mujoco.mj_subtreeVel(m, d)


def our_smooth(m, d):
    our_position(m, d)
    for stage in ["transmission", "comVel", "actuatorVelocity", "passive"]:
        bridge.call(stage, m, d)
    bridge.call("rne", m, d, 0, pointer(d.qfrc_bias))
    for stage in [
        "fwdActuation",
        "fwdAcceleration",
        "energyPos",
        "energyVel",
        "subtreeVel",
    ]:
        bridge.call(stage, m, d)


VELOCITY = "cvel cdof_dot qfrc_bias subtree_linvel subtree_angmom"
FORCES = (
    "actuator_length actuator_velocity qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive "
    "actuator_force qfrc_actuator qfrc_smooth qacc_smooth energy"
)


@pytest.mark.parametrize("make", MODELS)
def test_velocity_and_forces(make):
    for peer, model, theirs, ours, _ in states(make, seed=2):
        peer_smooth(peer, theirs)
        our_smooth(model, ours) if has_known_forces(peer) else our_velocity(model, ours)
        check_fields(ours, theirs, VELOCITY)
        if has_known_forces(peer):
            check_fields(ours, theirs, FORCES)
            check_fields(
                ours,
                theirs,
                "actuator_moment moment_rownnz moment_rowadr moment_colind",
            )


def our_velocity(m, d):
    our_position(m, d)
    bridge.call("comVel", m, d)
    bridge.call("rne", m, d, 0, pointer(d.qfrc_bias))
    bridge.call("subtreeVel", m, d)


def test_forces_are_known_for_most():
    """The list of models whose forces are compared does not shrink unseen."""
    known = [has_known_forces(param.values[0]()) for param in MODELS]
    assert sum(known) == len(MODELS) - 9  # nine have tendons


D = mujoco.mjtDisableBit
FLAGS = [
    D.mjDSBL_GRAVITY,
    D.mjDSBL_SPRING,
    D.mjDSBL_DAMPER,
    D.mjDSBL_SPRING | D.mjDSBL_DAMPER,
    D.mjDSBL_ACTUATION,
    D.mjDSBL_CLAMPCTRL,
    D.mjDSBL_ACTUATION | D.mjDSBL_GRAVITY,
]


@pytest.mark.parametrize("flags", [int(f) for f in FLAGS])
@pytest.mark.parametrize(
    "text", [ZOO, ZOO.split("<actuator>")[0] + "</mujoco>"], ids=["zoo", "no actuators"]
)
def test_flags(flags, text):
    def make():
        m = mujoco.MjModel.from_xml_string(text)
        m.opt.disableflags = flags
        m.opt.disableactuator = 1 << 2 | 1 << 5
        return m

    for peer, model, theirs, ours, _ in states(make, seed=3):
        peer_smooth(peer, theirs)
        our_smooth(model, ours)
        check_fields(ours, theirs, VELOCITY + " " + FORCES)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -2e10])
@pytest.mark.parametrize("index", [0, 3])
def test_bad_control(bad, index):
    """A bad control zeroes all of them and counts a warning; qvel and qpos stay the caller's business."""
    for peer, model, theirs, ours, _ in states(
        lambda: mujoco.MjModel.from_xml_string(ZOO), seed=4
    ):
        theirs.ctrl[index] = bad
        ours.ctrl[index] = bad
        peer_smooth(peer, theirs)
        our_smooth(model, ours)
        check_fields(ours, theirs, FORCES)
        assert np.array_equal(ours.ctrl.ravel(), theirs.ctrl, equal_nan=True)


def body_points(rng, peer, data):
    for body in range(peer.nbody):
        yield body, data.xpos[body] + rng.normal(size=3), rng.normal(size=3)


@pytest.mark.parametrize("make", MODELS)
def test_jacobians(make):
    for peer, model, theirs, ours, rng in states(make, seed=5):
        peer_position(peer, theirs)
        our_position(model, ours)
        a, b = np.zeros((2, 2, 3, peer.nv))
        for body, point, axis in body_points(rng, peer, theirs):
            mujoco.mj_jac(peer, theirs, a[0], a[1], point, body)
            bridge.call(
                "jac", model, ours, pointer(b[0]), pointer(b[1]), pointer(point), body
            )
            check(b, a, "jac")
            mujoco.mj_jacPointAxis(peer, theirs, a[0], a[1], point, axis, body)
            bridge.call(
                "jacPointAxis",
                model,
                ours,
                pointer(b[0]),
                pointer(b[1]),
                pointer(point),
                pointer(axis),
                body,
            )
            check(b, a, "jacPointAxis")
            mujoco.mj_jacSubtreeCom(peer, theirs, a[0], body)
            bridge.call("jacSubtreeCom", model, ours, pointer(b[0]), body)
            check(b, a, "jacSubtreeCom")
            force, torque = rng.normal(size=(2, 3))
            x = rng.normal(size=peer.nv)
            y = x.copy()
            mujoco.mj_applyFT(peer, theirs, force, torque, point, body, x)
            bridge.call(
                "applyFT",
                model,
                ours,
                pointer(force),
                pointer(torque),
                pointer(point),
                body,
                pointer(y),
            )
            check(y, x, "applyFT")
        for name, count in [
            ("jacBody", peer.nbody),
            ("jacBodyCom", peer.nbody),
            ("jacGeom", peer.ngeom),
            ("jacSite", peer.nsite),
        ]:
            for i in range(count):
                getattr(mujoco, "mj_" + name)(peer, theirs, a[0], a[1], i)
                bridge.call(name, model, ours, pointer(b[0]), pointer(b[1]), i)
                check(b, a, name)


def test_coordinates():
    for peer, model, theirs, ours, rng in states(
        lambda: mujoco.MjModel.from_xml_string(ZOO), seed=6
    ):
        velocity = 3 * rng.normal(size=peer.nv)
        # the peer differences orientations as they stand, so give it unit quaternions
        a = theirs.qpos.copy()
        b = a.copy()
        mujoco.mj_normalizeQuat(peer, a)
        bridge.lib.sn_normalizeQuat(model.pointer, pointer(b))
        check(b, a, "normalizeQuat", 1e-15)
        c, e = a.copy(), a.copy()
        dt = 0.1
        mujoco.mj_integratePos(peer, c, velocity, dt)
        bridge.lib.sn_integratePos(
            model.pointer, pointer(e), pointer(velocity), bridge.ctypes.c_double(dt)
        )
        check(e, c, "integratePos", 1e-14)
        x, y = np.zeros((2, peer.nv))
        mujoco.mj_differentiatePos(peer, x, dt, a, c)
        bridge.lib.sn_differentiatePos(
            model.pointer,
            pointer(y),
            bridge.ctypes.c_double(dt),
            pointer(a),
            pointer(c),
        )
        check(y, x, "differentiatePos", 1e-13)  # angles near pi divided by dt
        bridge.lib.sn_getTotalmass.restype = bridge.ctypes.c_double
        check(
            bridge.lib.sn_getTotalmass(model.pointer),
            mujoco.mj_getTotalmass(peer),
            "totalmass",
            1e-15,
        )


@pytest.mark.parametrize("make", MODELS)
def test_after_constraints(make):
    """Accelerations, contact forces and internal forces from the peer's solution."""
    contacts = 0
    for peer, model, theirs, ours, _ in states(make, seed=7):
        if peer.neq:
            peer.opt.disableflags |= int(D.mjDSBL_EQUALITY)
        peer.opt.cone = contacts % 2
        mujoco.mj_forward(peer, theirs)
        mujoco.mj_rnePostConstraint(peer, theirs)
        contacts += theirs.ncon
        our_velocity(model, ours)
        bridge.set_option(model, "cone", peer.opt.cone)
        with Solution(ours, theirs):
            bridge.call("rnePostConstraint", model, ours)
            check_fields(ours, theirs, "cacc cfrc_ext cfrc_int")
            a, b = np.zeros((2, 6))
            for i in range(theirs.ncon):
                mujoco.mj_contactForce(peer, theirs, i, a)
                bridge.call("contactForce", model, ours, i, pointer(b))
                check(b, a, "contactForce", 1e-14)
            result, expected = np.zeros((2, peer.nv))
            mujoco.mj_rne(peer, theirs, 1, expected)
            bridge.call("rne", model, ours, 1, pointer(result))
            check(result, expected, "rne with acceleration")
        check_objects(peer, model, theirs, ours)


def check_objects(peer, model, theirs, ours):
    a, b = np.zeros((2, 6))
    O = mujoco.mjtObj
    kinds = [
        (O.mjOBJ_BODY, peer.nbody),
        (O.mjOBJ_XBODY, peer.nbody),
        (O.mjOBJ_GEOM, peer.ngeom),
        (O.mjOBJ_SITE, peer.nsite),
        (O.mjOBJ_CAMERA, peer.ncam),
    ]
    for kind, count in kinds:
        for i in range(count):
            for local in (0, 1):
                for name in ("objectVelocity", "objectAcceleration"):
                    getattr(mujoco, "mj_" + name)(peer, theirs, kind, i, a, local)
                    bridge.call(name, model, ours, int(kind), i, pointer(b), local)
                    check(b, a, name)


class Solution:
    """Lends the peer's accelerations, contacts and rows to our data."""

    def __init__(self, ours, theirs):
        self.ours = ours
        ours.qacc = theirs.qacc
        ours.qfrc_actuator = theirs.qfrc_actuator
        self.contacts = np.zeros(theirs.ncon, bridge.CONTACT)
        for i, c in enumerate(theirs.contact):
            for name in bridge.CONTACT.names:
                self.contacts[i][name] = getattr(c, name)
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
        return bridge.ctypes.c_void_p.from_address(
            self.ours.pointer.value + field.offset
        )

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
