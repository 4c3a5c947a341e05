"""The constraint solver against the pinned peer and against itself.

Both solvers run to the last digit. They minimise the same strictly convex function; two minimisers differ
by rounding times the condition of M + J'DJ, 1e5 at the most here. Measured: 2e-12 of the largest acceleration.
"""

import ctypes

import mujoco
import numpy as np
import pytest
import scenes

import bridge
import models
import rows

TOLERANCE = 1e-10
THIRD_PARTY = rows.third_party()
DISABLE = mujoco.mjtDisableBit


def states(peer_model, count, seed):
    """Our model and data beside the peer's, at random states; half of them settled into contact by some steps."""
    rng = np.random.default_rng(seed)
    m = bridge.copy_model(peer_model)
    d, peer = bridge.make_data(m), mujoco.MjData(peer_model)
    for state in range(count):
        models.random_state(rng, peer_model, peer, contact=state % 2 == 0)
        if state % 2 == 0:
            peer.qvel[:] = 0
            peer.xfrc_applied[:] = 0
            for _ in range(20):
                mujoco.mj_step(peer_model, peer)
        mujoco.mj_forward(peer_model, peer)
        rows.make_rows(m, d, peer)
        yield m, d, peer


def close(ours, theirs, name, tolerance=TOLERANCE):
    scale = tolerance * (1e-3 + np.abs(theirs).max(initial=0))
    np.testing.assert_allclose(np.ravel(ours), np.ravel(theirs), rtol=0, atol=scale, err_msg=name)


def residual(peer_model, peer, d):
    """Relative gradient of the primal at our solution, by the peer's M and our J."""
    M = bridge.dense_M(peer_model, peer)
    J, f = d.efc_J.reshape(-1, peer_model.nv), d.efc_force.ravel()
    Ma = M @ (d.qacc.ravel() - peer.qacc_smooth)
    return np.abs(Ma - J.T @ f).max() / (1e-9 + np.abs(Ma).max())


def check(peer_model, count=4, seed=0):
    rows.tighten(peer_model)
    for m, d, peer in states(peer_model, count, seed):
        bridge.call("fwdConstraint", m, d)
        assert d.scalar("solver_niter") <= 40
        if peer.nefc == 0:
            np.testing.assert_array_equal(d.qacc.ravel(), peer.qacc_smooth)
            continue
        check_solution(m, d, peer_model, peer)


def check_solution(m, d, peer_model, peer):
    close(d.qacc, peer.qacc, "qacc")
    close(d.qfrc_constraint, peer.qfrc_constraint, "qfrc_constraint")
    assert residual(peer_model, peer, d) < 1e-11
    J, f = d.efc_J.reshape(-1, peer_model.nv), d.efc_force.ravel()
    off = np.abs(d.qfrc_constraint.ravel() - J.T @ f).max()
    assert (
        off <= 1e-15 * (np.abs(J).T @ np.abs(f)).max()
    )  # rounding of its sums, whose terms cancel
    check_forces(d)
    check_inverse(d, m)


def check_inverse(d, m):
    """Inverse dynamics finds the same forces from qacc alone. 1e-6: rounding of J a - aref, times D."""
    force, constraint = d.efc_force.copy(), d.qfrc_constraint.copy()
    bridge.call("invConstraint", m, d)
    close(d.efc_force, force, "efc_force of the inverse", 1e-6)
    close(d.qfrc_constraint, constraint, "qfrc_constraint of the inverse", 1e-6)


def check_forces(d, tolerance=1e-6):
    """Optimality of the dual, row by row: force f in its set, w = R f + J a - aref in the dual one, f w = 0."""
    jar = d.efc_J.reshape(d.scalar("nefc"), -1) @ d.qacc.ravel() - d.efc_aref.ravel()
    force, state, bound = (
        d.efc_force.ravel(),
        d.efc_state.ravel(),
        d.efc_frictionloss.ravel(),
    )
    w = (d.efc_R.ravel() * force + jar) * d.efc_D.ravel()  # as a force
    kind = d.efc_type.ravel()
    friction, elliptic = (kind == 1) | (kind == 2), kind == 7
    sided = ~friction & ~elliptic & (kind != 0)
    scale = tolerance * (1 + np.abs(force).max())
    assert (force[sided] >= 0).all()
    assert (w[sided] >= -scale).all()
    assert (np.minimum(force, w)[sided] <= scale).all()
    assert (np.abs(force[friction]) <= bound[friction] * (1 + 1e-15)).all()
    assert (force[state == 0] == 0).all()
    np.testing.assert_allclose(force[state == 2], bound[state == 2], rtol=1e-14)
    np.testing.assert_allclose(force[state == 3], -bound[state == 3], rtol=1e-14)
    np.testing.assert_allclose(w[state == 1], 0, atol=scale)
    w = d.efc_R.ravel() * force + jar
    for c in d.contact.ravel():
        if c["efc_address"] >= 0 and kind[c["efc_address"]] == 7:
            rows = slice(c["efc_address"], c["efc_address"] + c["dim"])
            check_cone(
                force[rows], w[rows], c["friction"], state[rows], d.efc_D.ravel()[rows], scale
            )


def check_cone(f, w, mu, state, D, scale):
    """The same of one elliptic cone, whose dual is w_0 >= |mu w_1..|."""
    assert (state == state[0]).all()
    mu = mu[: len(f) - 1]
    rounding = 1e-12 * np.abs(f).max()
    assert f[0] - np.linalg.norm(f[1:] / mu) >= -rounding
    assert (w[0] - np.linalg.norm(mu * w[1:])) * D[0] >= -scale
    assert abs(f @ w) * D[0] <= scale * (1 + np.abs(f).max())
    if state[0] == 4:
        assert f[0] > 0
        assert abs(f[0] - np.linalg.norm(f[1:] / mu)) <= rounding


CONES = pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])


@CONES
@pytest.mark.parametrize("path", THIRD_PARTY, ids=lambda p: p.stem)
def test_third_party(path, cone):
    check(rows.compile_peer(path, cone))


# Heaps of one island, whose factor is sparse.
HEAPS = {
    "spheres": scenes.pile("spheres", 60),
    "boxes": scenes.pile("boxes", 50),
    "wall": scenes.pyramids(1, 9),
}


@CONES
@pytest.mark.parametrize("heap", HEAPS)
def test_large_islands(heap, cone):
    peer_model = rows.compile_peer(HEAPS[heap], cone)
    peer = mujoco.MjData(peer_model)
    mujoco.mj_step(peer_model, peer, 100)
    rows.tighten(peer_model)
    m = bridge.copy_model(peer_model)
    d = bridge.make_data(m)
    for _ in range(2):
        mujoco.mj_step(peer_model, peer, 40)
        mujoco.mj_forward(peer_model, peer)
        assert peer.nefc > 3 * peer_model.nbody
        rows.make_rows(m, d, peer)
        for solver in ("Newton", "CG"):
            bridge.set_option(m, "solver", getattr(mujoco.mjtSolver, "mjSOL_" + solver.upper()))
            bridge.call("fwdConstraint", m, d)
            if solver == "Newton":
                check_solution(m, d, peer_model, peer)
            else:
                close(d.qacc, peer.qacc, "qacc of CG", 1e-6)


@CONES
@pytest.mark.parametrize("name", rows.INLINE)
def test_own(name, cone):
    check(rows.compile_peer(rows.INLINE[name], cone), count=8)


@CONES
@pytest.mark.parametrize("flag", ["WARMSTART", "ISLAND"])
def test_flags(flag, cone):
    m = rows.compile_peer(rows.INLINE["pile"], cone)
    m.opt.disableflags |= int(getattr(DISABLE, "mjDSBL_" + flag))
    check(m)


@CONES
def test_default_tolerance(cone):
    """With the options as they come, both stop near the minimum: 1e-8 of scaled gradient."""
    peer_model = rows.compile_peer(rows.INLINE["pile"], cone)
    for m, d, peer in states(peer_model, 6, 3):
        bridge.call("fwdConstraint", m, d)
        close(d.qacc, peer.qacc, "qacc", 1e-4)
        assert d.scalar("solver_niter") <= peer.solver_niter.max() + 2


@CONES
@pytest.mark.parametrize(
    "source", [*rows.INLINE, *rows.varied()], ids=lambda p: getattr(p, "stem", p)
)
def test_conjugate_gradients(source, cone):
    """CG, without a tolerance, ends where Newton ends; with one it takes no more iterations than the peer."""
    peer_model = rows.compile_peer(rows.INLINE.get(source, source), cone)
    rows.tighten(peer_model)
    for m, d, peer in states(peer_model, 3, 8):
        if peer.nefc == 0:
            continue
        bridge.call("fwdConstraint", m, d)
        qacc = d.qacc.copy()
        for name, value in {"solver": 1, "iterations": 3000, "tolerance": 0}.items():
            bridge.set_option(m, name, value)
        bridge.call("fwdConstraint", m, d)
        close(d.qacc, qacc, "qacc")
        check_forces(d)
        bridge.set_option(m, "tolerance", 1e-8)
        bridge.call("fwdConstraint", m, d)
        iterations = d.scalar("solver_niter")
        peer_model.opt.solver, peer_model.opt.iterations, peer_model.opt.tolerance = 1, 3000, 1e-8
        mujoco.mj_fwdConstraint(peer_model, peer)
        # The first six steps are the peer's, which may end before them where its cost, of 1e9, rounds.
        assert iterations <= peer.solver_niter.max() + 6
        rows.tighten(peer_model)
        peer_model.opt.solver = 2
        for name in ("solver", "iterations", "tolerance"):
            bridge.set_option(m, name, getattr(peer_model.opt, name))


def test_islands_do_not_change_the_solution():
    peer_model = rows.compile_peer(rows.INLINE["pile"])
    rows.tighten(peer_model)
    for m, d, _ in states(peer_model, 6, 4):
        bridge.call("fwdConstraint", m, d)
        qacc, force = d.qacc.copy(), d.efc_force.copy()
        bridge.set_option(m, "disableflags", int(DISABLE.mjDSBL_ISLAND))
        bridge.call("fwdConstraint", m, d)
        bridge.set_option(m, "disableflags", 0)
        close(d.qacc, qacc, "qacc", 1e-9)
        close(d.efc_force, force, "efc_force", 1e-8)


def test_untouched_trees_keep_their_bits():
    text = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
      <body pos="3 0 2"><freejoint/><geom size=".1"/><body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1"/></body></body>
      </worldbody></mujoco>"""
    peer_model = rows.compile_peer(text)
    m, peer = bridge.copy_model(peer_model), mujoco.MjData(peer_model)
    d = bridge.make_data(m)
    mujoco.mj_forward(peer_model, peer)
    rows.make_rows(m, d, peer)
    assert d.scalar("nefc") == 4
    bridge.call("fwdConstraint", m, d)
    np.testing.assert_array_equal(d.qacc.ravel()[6:], peer.qacc_smooth[6:])
    assert (d.qfrc_constraint.ravel()[6:] == 0).all()
    assert d.qacc.ravel()[2] > 1


def test_same_state_same_bits():
    for m, d, _ in states(rows.compile_peer(rows.INLINE["pile"]), 3, 6):
        bridge.call("fwdConstraint", m, d)
        qacc, force = d.qacc.copy(), d.efc_force.copy()
        d.qacc[...] = np.nan
        d.efc_force[...] = np.nan
        bridge.call("fwdConstraint", m, d)
        np.testing.assert_array_equal(d.qacc, qacc)
        np.testing.assert_array_equal(d.efc_force, force)


@CONES
def test_constraint_update(cone):
    """Cost and forces of given residuals against the peer's."""
    rng = np.random.default_rng(7)
    peer_model = rows.compile_peer(rows.INLINE["skates"], cone)
    for m, d, peer in states(peer_model, 4, 7):
        jar = rng.normal(0, 1, peer.nefc) * rng.choice([0.01, 1, 100], peer.nefc)
        cost = ctypes.c_double()
        theirs = np.zeros(1)
        bridge.call(
            "constraintUpdate",
            m,
            d,
            jar.ctypes.data_as(ctypes.c_void_p),
            ctypes.byref(cost),
        )
        mujoco.mj_constraintUpdate(peer_model, peer, jar, theirs, 0)
        close(cost.value, theirs, "cost", 1e-12)
        close(d.efc_force, peer.efc_force, "efc_force", 1e-12)
        close(d.qfrc_constraint, peer.qfrc_constraint, "qfrc_constraint", 1e-12)
        np.testing.assert_array_equal(d.efc_state.ravel(), peer.efc_state)


@pytest.mark.parametrize("kilobytes", [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128])
def test_small_arena(kilobytes):
    """Rows that do not fit are dropped with a warning; what is solved is finite."""
    peer_model = rows.compile_peer(rows.INLINE["pile"])
    peer = mujoco.MjData(peer_model)
    mujoco.mj_forward(peer_model, peer)
    size = peer.ncon * bridge.CONTACT.itemsize + 1024 * kilobytes
    m = bridge.copy_model(peer_model, narena=size)
    d = bridge.make_data(m)
    rows.make_rows(m, d, peer)
    fits = d.scalar("nefc")
    assert fits <= peer.nefc
    bridge.call("fwdConstraint", m, d)
    assert np.isfinite(d.qacc).all()
    warnings = d.warnings()
    if fits < peer.nefc:
        assert warnings[2] > 0
    if warnings[2] == 0:
        close(d.qacc, peer.qacc, "qacc", 1e-4)


def test_indefinite_inertia():
    """A warning here; the peer goes on without one."""
    text = """<mujoco><worldbody><body><joint axis="0 1 0" range="-1 1" limited="true"/><geom size=".1" pos=".1 0 0"/>
      <body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body></worldbody></mujoco>"""
    peer_model = rows.compile_peer(text)
    peer_model.dof_armature[1] = -0.5
    peer = mujoco.MjData(peer_model)
    mujoco.mj_forward(peer_model, peer)
    assert np.linalg.eigvalsh(bridge.dense_M(peer_model, peer)).min() < 0
    assert not any(w.number for w in peer.warning)
    m = bridge.copy_model(peer_model)
    d = bridge.make_data(m)
    bridge.call("forward", m, d)
    assert d.warnings()[0] > 0
    assert np.isfinite(d.qacc).all()
