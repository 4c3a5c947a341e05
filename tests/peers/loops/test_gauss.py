"""Gauss's principle: accelerations of a mechanism with contacts, limits, dry friction and motors.

qacc minimises 1/2 |qacc - a|^2 in the metric of M plus the cost s(J qacc - aref) of the soft rows, subject to
K qacc = k. So K qacc = k, and G' of the gradient vanishes for every G with K G = 0. The gradient is formed here in
NumPy, from J, D, aref and the costs' own formulas.
"""

import numpy as np
import pytest

import machines
import maximal
import opened
import sinew
from mechanisms import K_of, null_space, relative
from test_maximal import consistent
from test_solutions import random_mechanism

PGS, CG, NEWTON = 0, 1, 2
FRICTION = (1, 2)
ELLIPTIC = 7


def cone_force(jar, D, mu, friction):
    """Minus the gradient of the cost of an elliptic cone."""
    U = jar * np.concatenate([[mu], friction[: len(jar) - 1]])
    N, T = U[0], np.linalg.norm(U[1:])
    if N >= mu * T:
        return np.zeros(len(jar))
    if mu * N + T <= 0:
        return -D * jar
    scale = D[0] / (mu * mu * (1 + mu * mu)) * (N - mu * T)
    return np.concatenate([[-scale * mu], scale * mu / T * U[1:] * friction[: len(jar) - 1]])


def soft_forces(d, qacc):
    """Forces of the rows efc at an acceleration."""
    jar = d.efc_J @ qacc - d.efc_aref
    force = np.zeros(d.nefc)
    for r in range(d.nefc):
        quadratic = -d.efc_D[r] * jar[r]
        if d.efc_type[r] in FRICTION:
            force[r] = np.clip(quadratic, -d.efc_frictionloss[r], d.efc_frictionloss[r])
        elif d.efc_type[r] != ELLIPTIC:
            force[r] = max(quadratic, 0)
    for contact in d.contact:
        first, dim = contact.efc_address, contact.dim
        if first >= 0 and d.efc_type[first] == ELLIPTIC:
            rows = slice(first, first + dim)
            force[rows] = cone_force(jar[rows], d.efc_D[rows], contact.mu, contact.friction)
    return force


def states(m, count=8, seed=0, calm=1.0):
    """States of a machine that has walked and been kicked; its loops are closed. calm: by how much less."""
    rng = np.random.default_rng(seed)
    d = opened.data(m)
    result = []
    for i in range(count):
        for _ in range(30):
            d.ctrl = 3 / calm * rng.normal(size=m.nu)
            sinew.step(m, d)
        d.xfrc_applied = 0
        d.xfrc_applied[1] = 20 / calm * rng.normal(size=6)
        result.append(sinew.getState(m, d, sinew.StateBit.INTEGRATION))
    return result


def exact(m):
    m.opt.tolerance, m.opt.ls_tolerance = 0, 1e-10
    m.opt.iterations, m.opt.ls_iterations = {NEWTON: 3000, CG: 3000, PGS: 20000}[m.opt.solver], 200


SETTINGS = [
    pytest.param(solver, cone, condim, island, id=f"{solver}-{cone}-{condim}-{island}")
    for solver in ("Newton", "CG", "PGS")
    for cone in ("pyramidal", "elliptic")
    for condim in (1, 3, 6)
    for island in ("enable", "disable")
]


@pytest.mark.parametrize("machine", [machines.walker, machines.heap])
@pytest.mark.parametrize("solver,cone,condim,island", SETTINGS)
def test_acceleration_is_the_minimiser(machine, solver, cone, condim, island):
    text = machine(f'solver="{solver}" cone="{cone}"', f'island="{island}"', condim)
    m = opened.model(text)
    seen = set()
    starts = states(m)
    exact(m)
    for state in starts:
        d = opened.data(m)
        sinew.setState(m, d, state, sinew.StateBit.INTEGRATION)
        sinew.forward(m, d)
        K, M = K_of(m, d), sinew.fullM(m, d)
        assert d.loop_rank == (8 if machine is machines.walker else 13) and d.ne == 0
        assert np.abs(K @ d.qacc - d.loop_k).max() < 1e-9 * np.abs(K).max() * np.abs(d.qacc).max()
        force = soft_forces(d, d.qacc)
        scale = np.abs(d.efc_J.T @ force).max() + np.abs(d.qfrc_smooth).max()
        gradient = M @ d.qacc - d.qfrc_smooth - d.efc_J.T @ force
        N = null_space(K)
        # PGS converges slowly, and ends where a sweep changes no force by a bit
        tolerance = 1e-9 if solver != "PGS" else 1e-6
        assert np.abs(N.T @ gradient).max() < tolerance * scale
        # what is reported is consistent: forces of rows, of loops, their sum
        assert relative(d.efc_force, force, scale) < (1e-7 if solver == "Newton" else 1e-5)
        whole = d.efc_J.T @ d.efc_force + K.T @ d.loop_force
        assert relative(d.qfrc_constraint, whole, scale) < 1e-10
        assert relative(M @ d.qacc, d.qfrc_smooth + d.qfrc_constraint, scale) < 1e-9
        seen |= set(np.unique(d.efc_type))
    assert 1 in seen and (seen & {5, 6, 7}) and (seen & {3, 4})


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_solvers_agree(cone):
    """And with islands or without."""
    text = machines.walker(f'cone="{cone}"')
    m = opened.model(text)
    for state in states(m, 4):
        found = []
        for solver in (NEWTON, CG, PGS):
            for island in (0, int(sinew.DisableBit.ISLAND)):
                m.opt.solver, m.opt.disableflags = solver, island
                exact(m)
                d = opened.data(m)
                sinew.setState(m, d, state, sinew.StateBit.INTEGRATION)
                sinew.forward(m, d)
                found.append(d.qacc.copy())
        for other in found[1:]:
            assert relative(other, found[0]) < 1e-6
        m.opt.solver = NEWTON


@pytest.mark.parametrize("solution", [1, 2, 3])
def test_solutions_agree_on_the_ground(solution):
    m = opened.model(machines.walker())
    starts = states(m, 4)
    exact(m)
    for state in starts:
        found = []
        for s in (3, solution):
            m.opt.loop_solution = s
            d = opened.data(m)
            sinew.setState(m, d, state, sinew.StateBit.INTEGRATION)
            sinew.forward(m, d)
            found.append(d.qacc.copy())
        assert relative(*found) < 1e-10


def slips(d):
    """What friction that is not used up leaves of slip, in the rows where noslip allows none."""
    jar = d.efc_J @ d.qacc - d.efc_aref
    for r in range(d.nefc):
        if d.efc_type[r] in FRICTION and abs(d.efc_force[r]) < 0.999 * d.efc_frictionloss[r]:
            yield jar[r]
    for contact in d.contact:
        first, dim = contact.efc_address, contact.dim
        force = d.efc_force[first : first + 2 * dim]
        if d.efc_type[first] == ELLIPTIC:
            used = np.linalg.norm(force[1:dim] / contact.friction[: dim - 1])
            if used < 0.999 * force[0]:
                yield from jar[first + 1 : first + dim]
        else:  # edges in pairs
            for k in range(0, 2 * (dim - 1), 2):
                if min(force[k : k + 2]) > 1e-3 * sum(force[: 2 * (dim - 1)]):
                    yield jar[first + k] - jar[first + k + 1]


@pytest.mark.parametrize("machine", [machines.walker, machines.heap])
@pytest.mark.parametrize("solver", ["Newton", "PGS"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_noslip(machine, solver, cone):
    """After noslip the loops hold, forces balance, and friction within its bound stops all slip."""
    m = opened.model(machine(f'solver="{solver}" cone="{cone}"', condim=3))
    starts = states(m, calm=10)
    exact(m)
    m.opt.noslip_iterations, m.opt.noslip_tolerance = 30000, 0
    stuck = 0
    for state in starts:
        d = opened.data(m)
        sinew.setState(m, d, state, sinew.StateBit.INTEGRATION)
        sinew.forward(m, d)
        K, M = K_of(m, d), sinew.fullM(m, d)
        assert np.abs(K @ d.qacc - d.loop_k).max() < 1e-9 * np.abs(K).max() * np.abs(d.qacc).max()
        whole = d.efc_J.T @ d.efc_force + K.T @ d.loop_force
        scale = np.abs(whole).max() + np.abs(d.qfrc_smooth).max()
        assert relative(d.qfrc_constraint, whole, scale) < 1e-10
        assert relative(M @ d.qacc, d.qfrc_smooth + d.qfrc_constraint, scale) < 1e-9
        for slip in slips(d):
            assert abs(slip) < 1e-4 * np.abs(d.efc_aref).max()
            stuck += 1
    assert stuck > 20


@pytest.mark.parametrize("machine", [machines.walker, machines.heap])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("discrete", ["disable", "enable"])
def test_forward_then_inverse(machine, solver, cone, integrator, discrete):
    """The inverse gives the forces back as far as they do work: G' of the difference is zero."""
    if discrete == "enable" and solver != "Newton":
        return
    text = machine(
        f'solver="{solver}" cone="{cone}" integrator="{integrator}"',
        f'fwdinv="enable" invdiscrete="{discrete}"',
    )
    m = opened.model(text)
    starts = states(m, 4)
    exact(m)
    for state in starts:
        d = opened.data(m)
        sinew.setState(m, d, state, sinew.StateBit.INTEGRATION)
        sinew.forward(m, d)
        given = d.qfrc_smooth - d.qfrc_passive + d.qfrc_bias
        G, qvel = null_space(K_of(m, d)), d.qvel.copy()
        scale = np.abs(d.efc_J.T @ d.efc_force).max() + np.abs(d.qfrc_smooth).max()
        if discrete == "disable":
            sinew.step(m, d)  # compares while stepping
            assert max(d.solver_fwdinv) < 1e-5 * scale
            sinew.setState(m, d, state, sinew.StateBit.INTEGRATION)
            sinew.forward(m, d)
        else:
            m.opt.loop_project = 0  # what it does to qvel is no acceleration
            after = opened.data(m)
            sinew.setState(m, after, state, sinew.StateBit.INTEGRATION)
            sinew.step(m, after)
            d.qacc = (after.qvel - qvel) / m.opt.timestep
            m.opt.loop_project = 1
        sinew.inverse(m, d)
        assert np.abs(G.T @ (d.qfrc_inverse - given)).max() < 1e-7 * scale


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("machine", [machines.walker, machines.heap])
def test_saved_states_give_the_same_bits(machine, integrator, solver):
    """A state in fresh data, and in data that has been elsewhere, goes on as it did."""
    m = opened.model(machine(f'integrator="{integrator}" solver="{solver}"'))
    d, used = opened.data(m), opened.data(m)
    rng = np.random.default_rng(0)
    for _ in range(20):
        used.ctrl = rng.normal(size=m.nu)
        sinew.step(m, used)
    bits = sinew.StateBit.INTEGRATION
    for i in range(60):
        d.ctrl = 2 * rng.normal(size=m.nu)
        if i % 20 == 5:
            d.eq_active[0] = not d.eq_active[0]
        saved = sinew.getState(m, d, bits)
        sinew.step(m, d)
        for other in (opened.data(m), used):
            sinew.setState(m, other, saved, bits)
            sinew.step(m, other)
            assert np.array_equal(sinew.getState(m, other, bits), sinew.getState(m, d, bits))
            assert np.array_equal(other.qacc, d.qacc)
            assert np.array_equal(other.qfrc_constraint, d.qfrc_constraint)


@pytest.mark.parametrize("solver", [NEWTON, CG, PGS])
@pytest.mark.parametrize("seed", range(30))
def test_dry_friction_of_random_mechanisms(solver, seed):
    """Loops of every type in clusters and mechanisms of any shape; dry friction on all dofs."""
    mech = random_mechanism(seed)
    m, rng = mech.model, np.random.default_rng([seed, 9])
    m.opt.solver = solver
    exact(m)
    m.dof_frictionloss = rng.uniform(0, 2, m.nv) * (rng.random(m.nv) < 0.7)
    d = opened.data(m)
    K = maximal.loop_K(mech.peer, mech.qpos, mech.loops)
    d.qpos, d.qvel = mech.qpos, consistent(K, rng, 1)
    d.qfrc_applied = 3 * rng.normal(size=m.nv)
    sinew.forward(m, d)
    ours, M = K_of(m, d), sinew.fullM(m, d)
    force = soft_forces(d, d.qacc)
    scale = np.abs(d.qfrc_smooth).max() + np.abs(M @ d.qacc).max()
    assert d.nefc > 0 and np.abs(force).max() > 0.01
    gradient = null_space(K).T @ (M @ d.qacc - d.qfrc_smooth - d.efc_J.T @ force)
    assert np.abs(gradient).max() < (1e-7 if solver == PGS else 1e-9) * scale
    assert np.abs(ours @ d.qacc - d.loop_k).max() < 1e-9 * np.abs(ours).max() * np.abs(d.qacc).max()
    assert (
        relative(d.qfrc_constraint, d.efc_J.T @ d.efc_force + ours.T @ d.loop_force, scale) < 1e-9
    )
