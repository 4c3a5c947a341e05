"""Everything that depends on position and velocity alone, field by field against the pinned peer.

Third-party models and small ones written here, compiled by the peer, with random states: positions in and
beyond the ranges, random velocities, controls and applied forces. Seeded. Two engines that evaluate the
same formulas in another order differ by rounding: 1e-10 of the field's scale leaves five digits for
conditioning (the factor and what is solved with it).
"""

import mujoco
import numpy as np
import pytest

import bridge
from states import MODELS, ZOO, Solution, check, check_fields, pointer, states


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """The peer writes its warnings to a file in the working directory."""
    monkeypatch.chdir(tmp_path)


def peer_position(m, d):
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_camlight(m, d)
    mujoco.mj_tendon(m, d)
    mujoco.mj_makeM(m, d)
    mujoco.mj_factorM(m, d)
    mujoco.mj_transmission(m, d)


def our_position(m, d):
    for stage in ["kinematics", "comPos", "camlight", "tendon", "makeM", "factorM"]:
        bridge.call(stage, m, d)


def dense_LD(m, address, LD):
    """L (unit lower triangular) and D from the layout of qLD."""
    L, D = np.eye(m.nv), np.zeros(m.nv)
    for i in range(m.nv):
        a, j = address[i], m.dof_parentid[i]
        if m.dof_simplenum[i]:
            j = -1
        above = []
        while j >= 0:
            above.insert(0, j)
            j = m.dof_parentid[j]
        L[i, above] = LD[a : a + len(above)]
        D[i] = LD[a + len(above)]
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
    L, D = dense_LD(peer, model.dof_LDadr.ravel(), ours.qLD.ravel())
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
    """Transmission by joints and tendons, no activation: what the engine has so far."""
    T, D = mujoco.mjtTrn, mujoco.mjtDyn
    joints = np.isin(m.actuator_trntype, [T.mjTRN_JOINT, T.mjTRN_JOINTINPARENT, T.mjTRN_TENDON])
    return joints.all() and np.all(m.actuator_dyntype == D.mjDYN_NONE)


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
    for stage in ["transmission", "comVel", "tendonVelocity", "actuatorVelocity", "passive"]:
        bridge.call(stage, m, d)
    bridge.call("rne", m, d, 0, pointer(d.qfrc_bias))
    bridge.call("tendonBias", m, d, pointer(d.qfrc_bias))
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
    "ten_length ten_velocity actuator_length actuator_velocity qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive "
    "actuator_force qfrc_actuator qfrc_smooth qacc_smooth energy"
)


@pytest.mark.parametrize("make", MODELS)
def test_velocity_and_forces(make):
    for peer, model, theirs, ours, _ in states(make, seed=2, count=4):
        peer_smooth(peer, theirs)
        our_smooth(model, ours) if has_known_forces(peer) else our_velocity(model, ours)
        check_fields(ours, theirs, VELOCITY)
        if has_known_forces(peer):
            check_fields(ours, theirs, FORCES)
            check_fields(ours, theirs, "moment_rownnz moment_rowadr")
            used = theirs.moment_rownnz.sum()  # the peer leaves work of its own behind them
            for name in ("actuator_moment", "moment_colind"):
                check(getattr(ours, name).ravel()[:used], getattr(theirs, name)[:used], name)


def our_velocity(m, d):
    our_position(m, d)
    bridge.call("comVel", m, d)
    bridge.call("rne", m, d, 0, pointer(d.qfrc_bias))
    bridge.call("subtreeVel", m, d)


def test_forces_are_known_for_most():
    """The list of models whose forces are compared does not shrink unseen."""
    known = [has_known_forces(param.values[0]()) for param in MODELS]
    assert sum(known) == len(MODELS) - 2  # two have activations


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
    for peer, model, theirs, ours, _ in states(lambda: mujoco.MjModel.from_xml_string(ZOO), seed=4):
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
    for peer, model, theirs, ours, rng in states(make, seed=5, count=2):
        peer_position(peer, theirs)
        our_position(model, ours)
        a, b = np.zeros((2, 2, 3, peer.nv))
        for body, point, axis in body_points(rng, peer, theirs):
            mujoco.mj_jac(peer, theirs, a[0], a[1], point, body)
            bridge.call("jac", model, ours, pointer(b[0]), pointer(b[1]), pointer(point), body)
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
    for peer, model, theirs, ours, _ in states(make, seed=7, count=3):
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
