"""The dual solvers, PGS and noslip, sweep by sweep against the pinned peer, and against Newton.

The peer sweeps in the same order, so iterates agree to rounding, except with elliptic cones, in three ways. It
stops the search for the friction of a contact after 20 steps, or 1e-10 short, where ours goes on to rounding.
It leaves friction as it was where nothing can move along one of its directions, as in planar robots. And it
ends where a contact rests at the apex of its cone though friction could lift it off, where ours goes on. In
the last two ours must have the lower cost; the tests hold that.
"""

import mujoco
import numpy as np
import pytest

import bridge
import models
import rows
from test_solver import CONES, check_forces, close, states

PGS = int(mujoco.mjtSolver.mjSOL_PGS)
DISABLE = mujoco.mjtDisableBit
SOURCES = pytest.mark.parametrize(
    "source",
    [*(n for n in rows.INLINE if n != "heap"), *rows.varied()],
    ids=lambda p: getattr(p, "stem", p),
)


def compile_peer(source, cone):
    return rows.compile_peer(rows.INLINE.get(source, source), cone)


def set_both(m, peer_model, **options):
    for name, value in options.items():
        bridge.set_option(m, name, value)
        setattr(peer_model.opt, name, value)


def solve_both(m, d, peer_model, peer):
    bridge.call("fwdConstraint", m, d)
    mujoco.mj_fwdPosition(peer_model, peer)  # the peer makes its dual there
    mujoco.mj_fwdVelocity(peer_model, peer)
    mujoco.mj_fwdAcceleration(peer_model, peer)
    mujoco.mj_fwdConstraint(peer_model, peer)


def dual(peer_model, peer, regularised=True):
    """The matrix and the vector of the dual, by the peer's inertia."""
    J = peer.efc_J.reshape(peer.nefc, -1)
    A = J @ np.linalg.solve(bridge.dense_M(peer_model, peer), J.T)
    return A + np.diag(peer.efc_R) * regularised, J @ peer.qacc_smooth - peer.efc_aref


def cost(A, b, f):
    return 0.5 * f @ A @ f + f @ b


def compare(m, d, peer_model, peer, cone, regularised=True, tolerance=1e-6):
    """The same iterate; with elliptic cones near it, or a better one. Returns whether it was the same."""
    solve_both(m, d, peer_model, peer)
    if cone == "pyramidal":
        precision = 1e-10 if regularised else 1e-7  # without R all of the condition of A counts
        close(d.qacc, peer.qacc, "qacc", precision)
        close(d.qfrc_constraint, peer.qfrc_constraint, "qfrc_constraint", precision)
        return True
    A, b = dual(peer_model, peer, regularised)
    ours, theirs = cost(A, b, d.efc_force.ravel()), cost(A, b, peer.efc_force)
    if ours < theirs - 1e-9 * abs(theirs):
        return False
    close(d.qacc, peer.qacc, "qacc", tolerance)
    close(d.efc_force, peer.efc_force, "efc_force", 100 * tolerance)
    return True


@CONES
@SOURCES
def test_pgs_sweeps(source, cone):
    peer_model = compile_peer(source, cone)
    for m, d, peer in states(peer_model, 3, 0):
        if peer.nefc == 0:
            continue
        for iterations in (1, 2, 7, 30):
            set_both(m, peer_model, solver=PGS, iterations=iterations)
            same = compare(m, d, peer_model, peer, cone)
            assert d.scalar("solver_niter") == peer.solver_niter[0] or not same
            if cone == "pyramidal":
                close(d.efc_force, peer.efc_force, "efc_force")
                check_states(d, peer)
        set_both(m, peer_model, solver=2, iterations=100)


def check_states(d, peer):
    """As the peer's, but for forces that are at a bound to rounding."""
    differ = d.efc_state.ravel() != peer.efc_state
    force, bound = np.abs(peer.efc_force[differ]), peer.efc_frictionloss[differ]
    np.testing.assert_allclose(force, bound, rtol=1e-12, atol=1e-12)


@CONES
@SOURCES
@pytest.mark.parametrize("solver", [PGS, 2])
def test_noslip_sweeps(source, cone, solver):
    """After five sweeps of PGS, or at Newton's minimum."""
    peer_model = compile_peer(source, cone)
    rows.tighten(peer_model)
    for m, d, peer in states(peer_model, 3, 1):
        if peer.nefc == 0:
            continue
        for sweeps in (1, 2, 9):
            options = {"iterations": 5, "tolerance": 1e-8} if solver == PGS else {}
            set_both(m, peer_model, solver=solver, noslip_iterations=sweeps, **options)
            # the peer's friction search is short by 1e-10, and without R hardly anything holds it back
            compare(m, d, peer_model, peer, cone, regularised=False, tolerance=1e-4)
            if solver == PGS and cone == "pyramidal":
                assert d.scalar("solver_niter") == peer.solver_niter[0]
            check_feasible(d)
        set_both(m, peer_model, solver=2, noslip_iterations=0)
        rows.tighten(peer_model)
        set_both(m, peer_model, iterations=200, tolerance=1e-15)


def check_feasible(d):
    """Forces in their sets, states as they say."""
    force, kind, state = d.efc_force.ravel(), d.efc_type.ravel(), d.efc_state.ravel()
    friction, bound = (kind == 1) | (kind == 2), d.efc_frictionloss.ravel()
    assert (np.abs(force[friction]) <= bound[friction]).all()
    assert (force[~friction & (kind != 7) & (kind != 0)] >= 0).all()
    assert (force[state == 0] == 0).all()
    for c in d.contact.ravel():
        first = c["efc_address"]
        if first < 0 or kind[first] != 7:
            continue
        f = force[first : first + c["dim"]]
        slack = f[0] - np.linalg.norm(f[1:] / c["friction"][: len(f) - 1])
        assert slack >= -1e-12 * abs(f[0])
        if state[first] == 4:
            assert abs(slack) <= 1e-9 * f[0]


@CONES
@pytest.mark.parametrize("source", ["pile", "balls", "sliders", "skates"])
def test_pgs_ends_where_newton_ends(source, cone):
    peer_model = compile_peer(source, cone)
    for m, d, peer in states(peer_model, 3, 2):
        for name, value in {"tolerance": 1e-15, "iterations": 200, "solver": 2}.items():
            bridge.set_option(m, name, value)
        bridge.call("fwdConstraint", m, d)
        qacc = d.qacc.copy()
        for name, value in {"tolerance": 0, "iterations": 20000, "solver": PGS}.items():
            bridge.set_option(m, name, value)
        bridge.call("fwdConstraint", m, d)
        close(d.qacc, qacc, "qacc", 1e-6)
        check_forces(d, 1e-5)
        bridge.set_option(m, "solver", 2)


@CONES
@pytest.mark.parametrize("flag", ["WARMSTART", "ISLAND"])
def test_flags(flag, cone):
    peer_model = compile_peer("pile", cone)
    peer_model.opt.disableflags |= int(getattr(DISABLE, "mjDSBL_" + flag))
    for m, d, peer in states(peer_model, 3, 3):
        set_both(m, peer_model, solver=PGS, iterations=4)
        compare(m, d, peer_model, peer, cone)
        set_both(m, peer_model, solver=2, iterations=100)


def test_statistics():
    """Improvement, active and changed rows of each sweep."""
    peer_model = compile_peer("pile", "pyramidal")
    for m, d, peer in states(peer_model, 3, 4):
        set_both(m, peer_model, solver=PGS, iterations=20, noslip_iterations=4)
        compare(m, d, peer_model, peer, "pyramidal", False)
        ours = bridge.solver_statistics(d)
        count = d.scalar("solver_niter")
        assert count > 10
        theirs = peer.solver[:count]
        close(ours["improvement"][:count], [s.improvement for s in theirs], "improvement", 1e-8)
        np.testing.assert_array_equal(ours["nactive"][:count], [s.nactive for s in theirs])
        np.testing.assert_array_equal(ours["nchange"][:count], [s.nchange for s in theirs])
        assert (ours["neval"][:count] == 0).all()
        set_both(m, peer_model, solver=2, iterations=100, noslip_iterations=0)


def test_noslip_holds():
    """A box pushed below its friction limit creeps with soft friction, and does not after noslip."""
    text = """<mujoco><option cone="elliptic" impratio="1"/><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>"""
    for cone in ("pyramidal", "elliptic"):
        peer_model = rows.compile_peer(text, cone)
        m = bridge.copy_model(peer_model)
        d = bridge.make_data(m)
        speed = []
        for sweeps in (0, 50):
            bridge.set_option(m, "noslip_iterations", sweeps)
            bridge.call("resetData", m, d)
            d.qfrc_applied[0] = 3
            for _ in range(200):
                bridge.call("step", m, d)
            speed.append(abs(d.qvel.ravel()[0]))
        assert speed[0] > 1e-4
        assert speed[1] < 1e-3 * speed[0]


@CONES
@pytest.mark.parametrize("kilobytes", [1, 4, 8, 16, 32, 64, 128, 256])
def test_small_arena(kilobytes, cone):
    """What does not fit is left out with a warning; what is solved is finite."""
    peer_model = compile_peer("pile", cone)
    peer = mujoco.MjData(peer_model)
    mujoco.mj_forward(peer_model, peer)
    for solver, sweeps in ((PGS, 0), (2, 5), (PGS, 5)):
        m = bridge.copy_model(
            peer_model, narena=peer.ncon * bridge.CONTACT.itemsize + 1024 * kilobytes
        )
        d = bridge.make_data(m)
        bridge.set_option(m, "solver", solver)
        bridge.set_option(m, "noslip_iterations", sweeps)
        rows.make_rows(m, d, peer)
        bridge.call("fwdConstraint", m, d)
        assert np.isfinite(d.qacc).all()
        assert np.isfinite(d.efc_force).all()
        if kilobytes < 16:
            assert d.warnings()[2] > 0


@CONES
def test_bad_starts(cone):
    """A warm start that is no number is dropped; no iterations at all leave numbers too."""
    peer_model = compile_peer("pile", cone)
    for m, d, _ in states(peer_model, 2, 0):
        for solver in (PGS, 1, 2):
            bridge.set_option(m, "solver", solver)
            for iterations, sweeps, start in (50, 2, np.nan), (50, 2, 1e300), (0, 0, 1), (0, 3, 1):
                bridge.set_option(m, "iterations", iterations)
                bridge.set_option(m, "noslip_iterations", sweeps)
                d.qacc_warmstart[:] = start
                bridge.call("fwdConstraint", m, d)
                assert np.isfinite(d.qacc).all() and np.isfinite(d.efc_force).all()
        bridge.set_option(m, "noslip_iterations", 0)


def test_gymnasium_humanoids_step():
    """A whole step of the models that ask for PGS, from the same states."""
    seen = []
    for path in models.gymnasium_assets():
        peer_model = mujoco.MjModel.from_xml_path(str(path))
        if peer_model.opt.solver != PGS or peer_model.neq:
            continue
        seen.append(path.stem)
        m = bridge.copy_model(peer_model)
        d, peer = bridge.make_data(m), mujoco.MjData(peer_model)
        rng = np.random.default_rng(5)
        for state in range(4):
            models.random_state(rng, peer_model, peer, contact=True)
            for name in ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "qacc_warmstart"):
                setattr(d, name, getattr(peer, name))
            bridge.call("step", m, d)
            mujoco.mj_step(peer_model, peer)
            close(d.qvel, peer.qvel, "qvel", 1e-9)
            close(d.qpos, peer.qpos, "qpos", 1e-9)
    assert seen == ["humanoid", "humanoidstandup"]
