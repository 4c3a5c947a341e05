"""Equalities held exactly are what the peer's soft ones come to as they stiffen, and rows of K alike otherwise.

The peer's equality with solimp (d, d) and diagonal R = (1 - d) / d A' misses our acceleration by a part (1 - d) of
it, so that the difference shrinks in proportion. solref is such that aref is k + k_stab: critical damping with the
time constant of loops.
"""

import mujoco
import numpy as np
import pytest

import opened
import sinew
from mechanisms import K_of, null_space, relative

EXACT = '<custom><text name="sinew_loops" data="exact tstab=0.1"/></custom>'

# Trees of every joint; {equality} relates bodies, sites, joints and tendons of them.
SCENE = """
<mujoco><compiler angle="radian"/><option timestep=".001" integrator="implicit"><flag contact="disable" {flags}/></option>{exact}
<worldbody>
  <site name="w0" pos=".1 .2 1.4" euler=".3 .2 .1"/><site name="w1" pos="-.3 .2 1"/>
  <body name="hand" mocap="true" pos=".5 .1 1.2" quat=".9 .1 .3 .2"><geom size=".02"/><site name="m0" pos=".1 0 0"/></body>
  <body name="a1" pos="0 0 1.5"><joint name="a1" type="ball"/><geom type="box" size=".1 .05 .2" pos="0 .1 0"/>
    <site name="s6" pos=".02 .21 -.61"/>
    <body name="a2" pos="0 .1 -.4"><joint name="a2" axis="1 .2 0" stiffness="2" damping=".1" ref=".2"/><geom type="box" size=".05 .1 .1" pos=".1 0 -.1"/>
      <site name="s0" pos=".1 0 -.2" euler=".2 1 0"/><site name="s1" pos="0 .1 .1"/>
      <body name="a3" pos="0 0 -.3"><joint name="a3" type="slide" axis="0 1 1"/><joint name="a4" axis="0 0 1" pos=".1 0 0" ref="-.1"/>
        <geom type="capsule" size=".05 .1"/><site name="s2" pos="0 .1 .1" euler="1 0 .4"/></body></body></body>
  <body name="b1" pos=".6 .2 1.2"><freejoint name="b1"/><geom type="ellipsoid" size=".1 .2 .15"/>
    <site name="s3" pos=".1 .1 0" euler="0 .4 .2"/>
    <body name="b2" pos="0 .2 .2"><joint name="b2" axis="0 1 0"/><geom type="box" size=".1 .03 .1" pos=".1 0 0"/>
      <body name="b3" pos="0 .2 .2"><joint name="b3" axis="1 1 0" armature=".02"/><geom type="box" size=".1 .03 .1" pos=".1 0 0"/>
        <site name="s4" pos=".1 .1 0"/></body></body></body>
  <body name="c1" pos="-.6 .2 1.2"><joint name="c1" type="slide" axis="0 .3 1"/><geom size=".1"/><site name="s5" pos="0 0 .1"/></body>
</worldbody>
<tendon>
  <fixed name="f0"><joint joint="a2" coef="1"/><joint joint="b2" coef="-.7"/></fixed>
  <fixed name="f1"><joint joint="c1" coef="2"/><joint joint="b3" coef=".5"/></fixed>
  <spatial name="t0"><site site="w0"/><site site="s0"/><site site="s4"/></spatial>
  <spatial name="t1"><site site="w1"/><site site="s5"/><pulley divisor="2"/><site site="s3"/><site site="s2"/></spatial>
</tendon>
<equality>{equality}</equality>
</mujoco>
"""

EQUALITIES = {
    "connect-bodies": '<connect body1="a2" body2="b2" anchor=".1 .1 0" {soft}/>',
    "connect-world": '<connect body1="a3" anchor=".1 .1 0" {soft}/>',
    "connect-world-first": '<connect body1="world" body2="b3" anchor=".1 .1 0" {soft}/>',
    "connect-sites": '<connect site1="s2" site2="s4" {soft}/>',
    "connect-ancestor": '<connect site1="s2" site2="s6" {soft}/>',
    "weld-bodies": '<weld body1="a2" body2="b1" anchor=".1 .1 0" relpose=".1 .2 .3 .8 .1 .2 .3" torquescale=".3" {soft}/>',
    "weld-world": '<weld body1="b1" {soft}/>',
    "weld-sites": '<weld site1="s2" site2="s3" {soft}/>',
    "weld-mocap": '<weld body1="hand" body2="b1" {soft}/>',
    "weld-mocap-second": '<weld body1="a3" body2="hand" {soft}/>',
    "weld-mocap-site": '<weld site1="m0" site2="s2" {soft}/>',
    "joint-constant": '<joint joint1="a2" polycoef=".3 0 0 0 0" {soft}/>',
    "joint": '<joint joint1="a2" joint2="b2" polycoef=".1 .5 -.3 .2 .7" {soft}/>',
    "joint-slide": '<joint joint1="a3" joint2="c1" polycoef="0 -1 0 1 0" {soft}/>',
    "joint-same-body": '<joint joint1="a4" joint2="a3" polycoef="0 -1 0 1 2" {soft}/>',
    "tendon-constant": '<tendon tendon1="f0" polycoef=".1 0 0 0 0" {soft}/>',
    "tendon-fixed": '<tendon tendon1="f0" tendon2="f1" polycoef=".1 .5 -.3 .2 .7" {soft}/>',
    "tendon-spatial": '<tendon tendon1="t0" polycoef=".1 0 0 0 0" {soft}/>',
    "tendon-spatials": '<tendon tendon1="t0" tendon2="t1" polycoef=".1 .5 -.3 .2 .7" {soft}/>',
    "tendon-mixed": '<tendon tendon1="f1" tendon2="t1" polycoef=".1 .5 -.3 .2 .7" {soft}/>',
}
EQUALITIES["several"] = "".join(
    EQUALITIES[k] for k in ("connect-bodies", "joint", "tendon-spatials", "joint-slide")
)
EQUALITIES["redundant"] = EQUALITIES["weld-mocap"] + EQUALITIES["connect-bodies"] + EQUALITIES["weld-mocap"].replace(
    "weld body1", "connect body1"
).replace("{soft}", 'anchor="0 .1 .2" {soft}')  # fmt: skip
EPSILONS = (1e-3, 1e-4)


def scene(kind, soft="", exact=EXACT, flags=""):
    return SCENE.format(exact=exact, flags=flags, equality=EQUALITIES[kind].format(soft=soft))


def stiff(epsilon):
    """Soft by a part epsilon of the inertia; aref = -20 v - 100 r, as of T = 0.1."""
    d = 1 - epsilon
    # k = d / (d dmax tc^2 zeta^2), b = 2 / (dmax tc): those wanted by (-stiffness, -damping) times dmax
    return f'solimp="{d} {d} .01 .5 2" solref="{-100 * d} {-20 * d}"'


def random_state(peer, rng, size=0.3):
    qpos = peer.qpos0.copy()
    mujoco.mj_integratePos(peer, qpos, size * rng.normal(size=peer.nv), 1)
    return qpos, rng.normal(size=peer.nv)


def ours(kind, qpos, qvel, **settings):
    m = opened.model(scene(kind, **settings))
    d = opened.data(m)
    d.qpos, d.qvel = qpos, qvel
    sinew.forward(m, d)
    return m, d


def closed_state(kind, seed):
    """A state at which the equalities hold, found by ours: what they ask there does not depend on errors."""
    peer = mujoco.MjModel.from_xml_string(scene(kind))
    qpos, qvel = random_state(peer, np.random.default_rng(seed), 0.05)
    m = opened.model(scene(kind))
    d = opened.data(m)
    d.qpos = qpos
    for _ in range(100):  # Newton's method with least squares
        sinew.forward(m, d)
        if d.loop_error < 1e-14:
            break
        K = K_of(m, d)
        step = -np.linalg.lstsq(K, d.loop_delta, rcond=1e-8)[0]
        q = d.qpos.copy()
        mujoco.mj_integratePos(peer, q, step * min(1, 0.3 / np.abs(step).max()), 1)
        d.qpos = q
    assert d.loop_error < 1e-12, kind
    N = null_space(K_of(m, d))
    return peer, d.qpos.copy(), N @ (N.T @ qvel)


def peer_rows(peer, qpos, qvel):
    """(M, J, residual, J qvel, forces) of the peer at a state."""
    p = mujoco.MjData(peer)
    p.qpos, p.qvel = qpos, qvel
    mujoco.mj_forward(peer, p)
    M = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(peer, M, p.qM)
    J = p.efc_J.reshape(p.nefc, -1)[:, : peer.nv] if p.nefc else np.zeros((0, peer.nv))
    assert p.nefc == p.ne and J.shape[1] == peer.nv
    return M, J, p.efc_pos.copy(), p.efc_vel.copy(), p.qfrc_smooth.copy()


def rate_of_rows(peer, qpos, qvel, h=2e-3):
    """dJ/dt qvel, by differences of order 8 along the motion."""
    total = 0
    for weight, k in ((4 / 5, 1), (-1 / 5, 2), (4 / 105, 3), (-1 / 280, 4)):
        sides = []
        for sign in (1, -1):
            q = qpos.copy()
            mujoco.mj_integratePos(peer, q, qvel, sign * k * h)
            sides.append(peer_rows(peer, q, qvel)[3])
        total = total + weight * (sides[0] - sides[1]) / h
    return total


def limit(peer, qpos, qvel):
    """The acceleration that the peer's own rows ask, without softness and with the rate of its Jacobian."""
    M, J, residual, rate, force = peer_rows(peer, qpos, qvel)
    k = -rate_of_rows(peer, qpos, qvel) - 20 * rate - 100 * residual
    free = np.linalg.solve(M, force)
    L = np.linalg.cholesky(M)
    Y = np.linalg.solve(L, J.T).T
    norm = np.linalg.norm(Y, axis=1)
    step = np.linalg.lstsq(Y / norm[:, None], (k - J @ free) / norm, rcond=1e-9)[0]
    return free + np.linalg.solve(L.T, step)


@pytest.mark.parametrize("kind", EQUALITIES)
@pytest.mark.parametrize("seed", range(3))
def test_limit_of_stiffening(kind, seed):
    """At rest the peer's acceleration comes to ours in proportion to its softness."""
    _, qpos, qvel = closed_state(kind, seed)
    m, d = ours(kind, qpos, 0 * qvel)
    assert d.ne == 0 and d.nefc == 0 and d.nclosure == m.neq
    errors = []
    for epsilon in EPSILONS:
        peer = mujoco.MjModel.from_xml_string(scene(kind, stiff(epsilon), exact=""))
        peer.opt.tolerance, peer.opt.iterations = 0, 200
        p = mujoco.MjData(peer)
        p.qpos = qpos
        mujoco.mj_forward(peer, p)
        assert p.ne == d.nlooprow
        errors.append(relative(p.qacc, d.qacc))
    # c epsilon / (1 + c epsilon), c large where the peer's diagonal is far from A's
    assert errors[1] < 0.2 and errors[1] < errors[0] / 3
    if errors[0] < 0.05:
        assert errors[0] / errors[1] == pytest.approx(10, rel=0.2)


@pytest.mark.parametrize("kind", EQUALITIES)
@pytest.mark.parametrize("seed", range(3))
def test_limit_in_motion(kind, seed):
    """Closed and fast: the rows of the peer with the rate of its Jacobian, which it leaves out."""
    _, qpos, qvel = closed_state(kind, seed)
    peer = mujoco.MjModel.from_xml_string(scene(kind, stiff(1e-4), exact=""))
    wanted = limit(peer, qpos, 3 * qvel)
    for solution in (1, 2, 3):
        m = opened.model(scene(kind))
        m.opt.loop_solution = solution
        d = opened.data(m)
        d.qpos, d.qvel = qpos, 3 * qvel
        sinew.forward(m, d)
        assert relative(d.qacc, wanted) < 1e-8


@pytest.mark.parametrize("kind", [k for k in EQUALITIES if k[:5] in ("joint", "tendo")])
@pytest.mark.parametrize("seed", range(3))
def test_limit_while_open(kind, seed):
    """Neither closed nor consistent: k_stab of the peer's residuals and rates."""
    peer = mujoco.MjModel.from_xml_string(scene(kind, stiff(1e-4), exact=""))
    qpos, qvel = random_state(peer, np.random.default_rng(seed))
    _, d = ours(kind, qpos, qvel)
    assert relative(d.qacc, limit(peer, qpos, qvel)) < 1e-8


@pytest.mark.parametrize("kind", EQUALITIES)
def test_forces_balance(kind):
    """No row of efc is left; M qacc is the sum of forces; forces within the tree know those of loops."""
    _, qpos, qvel = closed_state(kind, 5)
    text = scene(kind).replace(
        "</mujoco>",
        '<sensor><force site="s2"/><torque site="s2"/><force site="s3"/><torque site="s3"/>'
        '<accelerometer site="s4"/></sensor></mujoco>',
    )
    m = opened.model(text)
    d = opened.data(m)
    d.qpos, d.qvel = qpos, qvel
    sinew.forward(m, d)
    K, M = K_of(m, d), sinew.fullM(m, d)
    scale = np.abs(d.qfrc_smooth).max() + np.abs(d.qfrc_constraint).max()
    assert d.nefc == d.ne == 0
    assert relative(M @ d.qacc, d.qfrc_smooth + d.qfrc_constraint, scale) < 1e-12
    assert relative(K.T @ d.loop_force, d.qfrc_constraint, scale) < 1e-12
    assert np.abs(K @ d.qacc - d.loop_k).max() < 1e-11 * np.abs(d.qacc).max() * np.abs(K).max()
    sinew.rnePostConstraint(m, d)
    check_interaction(m, d)


def check_interaction(m, d):
    """cfrc_int of each body, taken to its joints, is what its actuators, springs and dampers give: no more."""
    for body in range(1, m.nbody):
        if m.body_dofnum[body] == 0:
            continue
        first = m.body_dofadr[body]
        for j in range(first, first + m.body_dofnum[body]):
            work = d.cdof[j] @ d.cfrc_int[body]
            given = d.qfrc_passive[j] + d.qfrc_actuator[j] + d.qfrc_applied[j]
            given -= m.dof_armature[j] * d.qacc[j]
            # forces of joint and tendon equalities act in joint space
            given += d.qfrc_constraint[j] - spatial_part(m, d)[j]
            assert work == pytest.approx(given, abs=1e-9 * np.abs(d.cfrc_int).max())


def spatial_part(m, d):
    """Joint forces of loops between bodies: cfrc_loop through the tree."""
    force = d.cfrc_loop.copy()
    for body in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[body]
        if parent:
            force[parent] += force[body]
    result = np.zeros(m.nv)
    for j in range(m.nv):
        result[j] = d.cdof[j] @ force[m.dof_bodyid[j]]
    return result


@pytest.mark.parametrize("kind", EQUALITIES)
def test_switched_at_run_time(kind):
    """An equality that is switched on or off is as one that has always been so."""
    text = scene("several").replace("</equality>", EQUALITIES[kind].format(soft="") + "</equality>")
    m = opened.model(text)
    rng = np.random.default_rng(0)
    peer = mujoco.MjModel.from_xml_string(text)
    used = opened.data(m)
    for _ in range(12):
        qpos, qvel = random_state(peer, rng)
        active = rng.random(m.neq) < 0.5
        used.qpos, used.qvel, used.eq_active = qpos, qvel, active
        sinew.forward(m, used)
        fresh = opened.data(m)
        fresh.qpos, fresh.qvel, fresh.eq_active = qpos, qvel, active
        sinew.forward(m, fresh)
        assert np.array_equal(used.qacc, fresh.qacc)
        assert used.nclosure == active.sum() and used.nefc == 0
        alone = mujoco.MjSpec.from_string(text)
        for equality, on in zip(list(alone.equalities), active, strict=True):
            equality.active = bool(on)
        if not active.any():
            peer_d = mujoco.MjData(peer)
            peer_d.qpos, peer_d.qvel, peer_d.eq_active = qpos, qvel, 0
            mujoco.mj_forward(peer, peer_d)
            assert relative(used.qacc, peer_d.qacc) < 1e-10
        # what is active holds, and moves nothing that it does not reach
        K = K_of(m, used)
        assert (
            np.linalg.norm(K @ used.qacc - used.loop_k) <= 1e-8 * (1 + np.linalg.norm(used.loop_k))
            or used.loop_rank < used.nlooprow
        )
