"""Closed loops against maximal coordinates: every loop joint, in motion, on trees of every joint."""

import mujoco
import numpy as np
import pytest

import maximal
import opened
import sinew
from mechanisms import TYPES, K_of, mechanism, null_space, relative

# Two chains from the world of 9 dofs each: more than any loop takes.
CHAINS = ([0, 1, 2, 3, 0, 5, 6, 7], ["ball", "hinge", "ball", "slide"] * 2)
# A floating base with two limbs, a welded body and a branch.
FLOATING = (
    [0, 1, 2, 3, 1, 5, 6, 7, 6],
    ["free", "hinge", "ball", "hinge", "ball", "hinge", "weld", "slide", "hinge"],
)
SPEED = 20  # velocity terms far above those of gravity


def consistent(K, rng, speed):
    """A velocity that the loops allow."""
    N = null_space(K)
    assert N.shape[1] > 0
    v = N @ rng.normal(size=N.shape[1])
    return speed * v / np.linalg.norm(v)


def accelerations(mech, qvel, tau, solution=3):
    """(qacc, data) of ours at the closed position."""
    m = mech.model
    m.opt.loop_solution = solution
    d = opened.data(m)
    d.qpos, d.qvel, d.qfrc_applied = mech.qpos, qvel, tau
    sinew.forward(m, d)
    return d.qacc.copy(), d


def check(mech, seed, speed, solutions=(3,), tolerance=1e-9):
    rng = np.random.default_rng([seed, 2])
    K = maximal.loop_K(mech.peer, mech.qpos, mech.loops)
    qvel = consistent(K, rng, speed)
    tau = rng.normal(size=mech.model.nv)
    oracle = maximal.solve(mech.peer, mech.qpos, qvel, tau, mech.loops)
    assert np.abs(oracle.phi).max() < 1e-13
    assert np.abs(oracle.rate).max() < 1e-12 * max(1, speed)
    for solution in solutions:
        qacc, d = accelerations(mech, qvel, tau, solution)
        assert d.loop_error < 1e-13
        ours = K_of(mech.model, d)
        # the same space of motions
        assert np.abs(ours @ null_space(K)).max() < 1e-9 * np.abs(ours).max()
        assert np.linalg.matrix_rank(K, 1e-9) == d.loop_rank
        assert relative(qacc, oracle.qacc) < tolerance, f"solution {solution}"


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("speed", [0, SPEED])
@pytest.mark.parametrize("seed", range(3))
def test_between_two_chains(kind, speed, seed):
    check(mechanism(*CHAINS, [(kind, 4, 8)], seed), seed, speed, (1, 2, 3))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", range(3))
def test_in_a_floating_tree(kind, seed):
    check(mechanism(*FLOATING, [(kind, 4, 8)], seed), seed, SPEED, (1, 2, 3))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("ends", [(0, 4), (4, 0), (2, 4), (4, 2)])
def test_with_the_world_and_with_an_ancestor(kind, ends):
    """The predecessor or the successor is the world, or one is above the other in the tree."""
    joints = ["free", "ball", "ball", "ball"]
    check(mechanism([0, 1, 2, 3], joints, [(kind, *ends)], 7), 7, SPEED, (1, 2, 3))


def test_the_oracle_without_loops():
    """What the oracle says of a tree alone is what the peer says of it."""
    mech = mechanism(*FLOATING, [], 3)
    rng = np.random.default_rng(0)
    qvel, tau = 5 * rng.normal(size=mech.peer.nv), rng.normal(size=mech.peer.nv)
    d = maximal.state(mech.peer, mech.qpos, qvel)
    d.qfrc_applied = tau
    mujoco.mj_forward(mech.peer, d)
    assert relative(maximal.solve(mech.peer, mech.qpos, qvel, tau, []).qacc, d.qacc) < 1e-11
