"""Derivatives of a step and of inverse dynamics by finite differences, and of quaternions, against the peer's.

Both take differences of the same width at solver tolerance 0, so that what parts them is rounding and the
collision of shapes whose contacts differ.
"""

import mujoco as peer
import numpy as np
import pytest

from models import folder, random_state
from sinew import mujoco as ours

SUITE, GYM = folder("dm_control", "suite"), folder("gymnasium", "envs", "mujoco", "assets")
MODELS = [
    SUITE / "humanoid.xml",
    SUITE / "cheetah.xml",
    SUITE / "hopper.xml",
    SUITE / "walker.xml",
    SUITE / "humanoid_CMU.xml",
    SUITE / "acrobot.xml",
    GYM / "ant.xml",
    GYM / "half_cheetah.xml",
    GYM / "humanoid.xml",
    GYM / "reacher.xml",
]
INTEGRATORS = [0, 2, 3]
EVERYTHING = peer.mjtState.mjSTATE_INTEGRATION

# Ball and free joints, activations, a control on its range, sensors of every stage, no contact.
RICH = """
<mujoco><option timestep=".003"/><worldbody>
 <body pos="0 0 2"><freejoint/><geom type="box" size=".1 .2 .05"/><site name="s"/>
  <body pos=".2 0 0"><joint name="b" type="ball" damping=".1" stiffness="2"/>
   <geom type="capsule" fromto="0 0 0 .3 0 .1" size=".03"/>
   <body pos=".3 0 .1"><joint name="h" axis="0 1 0" range="-20 20" damping=".2"/><geom size=".05" pos=".1 0 0"/>
    <site name="t" pos=".1 0 0"/></body></body></body></worldbody>
 <contact><exclude body1="world" body2="world"/></contact>
 <actuator><general joint="h" dyntype="filterexact" dynprm=".03" gainprm="3"/>
  <general joint="b" gear="1 .5 .2" dyntype="integrator" actlimited="true" actrange="-1 1"/>
  <position joint="h" kp="4" ctrllimited="true" ctrlrange="-.5 .5"/>
  <muscle joint="h" lengthrange="-1 1" force="2"/></actuator>
 <sensor><framepos objtype="site" objname="t"/><framequat objtype="site" objname="t"/><gyro site="s"/>
  <accelerometer site="t"/><ballquat joint="b"/><jointvel joint="h"/><e_potential/></sensor></mujoco>
"""


def load(path):
    """A model in both."""
    make = "from_xml_string" if isinstance(path, str) else "from_xml_path"
    text = path if isinstance(path, str) else str(path)
    return getattr(peer.MjModel, make)(text), getattr(ours.MjModel, make)(text)


def states(m, count, seed, spacing):
    """States of a rollout under unsaturated noise, settled into contact."""
    d = peer.MjData(m)
    rng = np.random.default_rng(seed)
    vector = np.empty(peer.mj_stateSize(m, EVERYTHING))
    for i in range(200 + count * spacing):
        d.ctrl[:] = rng.uniform(-0.3, 0.3, m.nu)
        peer.mj_step(m, d)
        if i >= 200 and i % spacing == 0:
            peer.mj_getState(m, d, vector, EVERYTHING)
            yield vector.copy()


def put(m, state):
    """Data of both at a state: (peer, ours)."""
    d, e = peer.MjData(m[0]), ours.MjData(m[1])
    peer.mj_setState(m[0], d, state, EVERYTHING)
    ours.mj_setState(m[1], e, state, EVERYTHING)
    peer.mj_forward(m[0], d)
    ours.mj_forward(m[1], e)
    return d, e


def transition(module, m, d, eps=1e-6, centered=1):
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    out = [np.full(s, 7.0) for s in ((nx, nx), (nx, m.nu), (ns, nx), (ns, m.nu))]
    module.mjd_transitionFD(m, d, eps, centered, *out)
    return out


def same_contacts(d, e):
    """Whether both have the same contacts, normals included."""
    if d.ncon != e.ncon or d.nefc != e.nefc:
        return False
    frames = [np.array([c.frame[:3] for c in x.contact]).reshape(-1, 3) for x in (d, e)]
    dist = [np.array([c.dist for c in x.contact]) for x in (d, e)]
    return np.allclose(*frames, atol=1e-9) and np.allclose(*dist, atol=1e-10)


def worst(ours_, theirs):
    if not theirs.size:
        return 0
    return np.abs(ours_ - theirs).max() / max(1, np.abs(theirs).max())


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("path", MODELS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_transition(path, integrator):
    m = load(path)
    for x in m:
        x.opt.integrator = integrator
        x.opt.solver = 2
        x.opt.iterations = 200
        x.opt.tolerance = 0
    looked = 0
    for state in states(m[0], 4, 3, 13):
        d, e = put(m, state)
        if not same_contacts(d, e):
            continue
        looked += 1
        theirs = transition(peer, m[0], d)
        theirs[3] = transition(peer, m[0], d, centered=0)[3]  # of the wrong sign when centred
        mine = transition(ours, m[1], e)
        for name, a, b in zip("ABCD", mine, theirs, strict=True):
            tolerance = 1e-6 if name in "AB" else 1e-5
            assert worst(a, b) < tolerance, name
    assert looked >= 2


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("centered", [0, 1])
def test_rich(integrator, centered):
    # the peer keeps M - hD for all activations, which changes with that of a muscle; docs/differences.md
    m = load(
        RICH
        if integrator == 0
        else RICH.replace('<muscle joint="h" lengthrange="-1 1" force="2"/>', "")
    )
    rng = np.random.default_rng(4)
    d = peer.MjData(m[0])
    for x in m:
        x.opt.integrator = integrator
        x.opt.tolerance = 0
    for k in range(5):
        random_state(rng, m[0], d, contact=False)
        d.act[:] = rng.uniform(-0.5, 0.5, m[0].na)
        d.ctrl[:] = rng.uniform(0, 0.4, m[0].nu)
        d.ctrl[2] = (0.5, -0.5, 0.7, 0.1, 0.5 - 5e-7)[
            k
        ]  # on the range, beyond, inside, within a nudge
        state = np.empty(peer.mj_stateSize(m[0], EVERYTHING))
        peer.mj_getState(m[0], d, state, EVERYTHING)
        data = put(m, state)
        theirs = transition(peer, m[0], data[0], 1e-6, centered)
        if centered:
            theirs[3] = -theirs[3]
        mine = transition(ours, m[1], data[1], 1e-6, centered)
        for name, a, b in zip("ABC", mine, theirs, strict=False):
            assert worst(a, b) < 1e-6, name
        if k == 3:
            assert worst(mine[3], theirs[3]) < 1e-6


def test_sign_of_sensors_by_control():
    """The peer's centred D is of the wrong sign; docs/differences.md."""
    m = load(RICH)
    for x in m:
        x.opt.tolerance = 0
    d, e = peer.MjData(m[0]), ours.MjData(m[1])
    for x in (d, e):
        x.ctrl[:] = 0.1
    forward, centred = transition(peer, m[0], d, 1e-6, 0)[3], transition(peer, m[0], d, 1e-6, 1)[3]
    assert np.abs(forward).max() > 0.1
    np.testing.assert_allclose(centred, -forward, atol=1e-5)
    np.testing.assert_allclose(transition(ours, m[1], e, 1e-6, 1)[3], forward, atol=1e-5)


def test_kinetic_energy_by_velocity():
    """The peer's is nothing, as it counts the sensor among those of position; docs/differences.md."""
    xml = """<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
    <sensor><e_kinetic/></sensor></mujoco>"""
    m = load(xml)
    d, e = peer.MjData(m[0]), ours.MjData(m[1])
    d.qvel[0] = e.qvel[0] = 1.5
    ours.mj_forward(m[1], e)
    M = np.empty((1, 1))
    ours.mj_fullM(m[1], M, e.qM)
    assert transition(peer, m[0], d)[2][0, 1] == 0
    np.testing.assert_allclose(transition(ours, m[1], e)[2][0, 1], 1.5 * M[0, 0], rtol=1e-8)


def test_range_without_clamping():
    """A range that does not clamp is none: the peer's column is zero beyond it; docs/differences.md."""
    m = load(RICH)
    d, e = peer.MjData(m[0]), ours.MjData(m[1])
    for x, y in ((m[0], d), (m[1], e)):
        x.opt.disableflags |= int(peer.mjtDisableBit.mjDSBL_CLAMPCTRL)
        y.ctrl[2] = 0.7
    assert not transition(peer, m[0], d)[1][:, 2].any()
    assert np.abs(transition(ours, m[1], e)[1][:, 2]).max() > 1e-3


@pytest.mark.parametrize("path", MODELS, ids=lambda p: f"{p.parent.name}-{p.stem}")
@pytest.mark.parametrize("actuation", [0, 1])
def test_inverse(path, actuation):
    m = load(path)
    for x in m:  # the peer refuses RK4
        x.opt.integrator = 0
    nv, ns, nM = m[0].nv, m[0].nsensordata, m[0].nM
    looked = 0
    for state in states(m[0], 3, 5, 11):
        d, e = put(m, state)
        if not same_contacts(d, e):
            continue
        looked += 1
        acceleration = np.random.default_rng(looked).normal(0, 1, nv)
        both = []
        for module, model, data in ((peer, m[0], d), (ours, m[1], e)):
            data.qacc[:] = acceleration
            out = [np.full(s, 7.0) for s in [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, nM)]]
            module.mjd_inverseFD(model, data, 1e-6, actuation, *out)
            both.append(out)
            np.testing.assert_array_equal(data.qacc, acceleration)
        for k, (a, b) in enumerate(zip(*both, strict=True)):
            # differences of numbers f have rounding |f| 1e-16 / eps
            assert worst(b, a) < 1e-7, k
    assert looked >= 1


def test_wrong_shapes_and_numbers():
    _, m = load(RICH)
    d = ours.MjData(m)
    with pytest.raises(ValueError, match="shape"):
        ours.mjd_transitionFD(m, d, 1e-6, 0, np.zeros((3, 3)), None, None, None)
    for eps in (0.0, -1e-6, np.nan):
        with pytest.raises(ValueError, match="eps"):
            ours.mjd_transitionFD(m, d, eps, 0, None, None, None, None)
    ours.mjd_transitionFD(m, d, 1e-6, 0, None, None, None, None)


def test_runge_kutta_which_the_peer_refuses():
    m = load(RICH)
    for x in m:
        x.opt.integrator = 1
    d, e = peer.MjData(m[0]), ours.MjData(m[1])
    with pytest.raises(peer.FatalError):
        transition(peer, m[0], d)
    A, B, _, _ = transition(ours, m[1], e)
    assert np.isfinite(A).all()
    assert np.isfinite(B).all()


def test_quaternions():
    rng = np.random.default_rng(8)
    for k in range(40):
        qa, qb, v = rng.normal(size=4), rng.normal(size=4), rng.normal(size=3)
        qa /= np.linalg.norm(qa)
        qb /= np.linalg.norm(qb)
        scale = rng.normal()
        both = []
        for module in (peer, ours):
            Da, Db = np.empty((3, 3)), np.empty((3, 3)) if k else None
            Dq, Dv, Ds = np.empty(9), np.empty(9), np.empty(3)
            module.mjd_subQuat(qa, qb, Da, Db)
            module.mjd_quatIntegrate(v, scale, Dq, Dv, Ds)
            both.append([Da, Db if k else Da, Dq, Dv, Ds])
        for a, b in zip(*both, strict=True):
            np.testing.assert_allclose(b, a, atol=1e-12 * max(1, np.abs(a).max()))
