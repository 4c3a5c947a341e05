"""Our controller on Talos against TSID's: objective, errors of tasks, accelerations, forces, torques."""

import os

import numpy as np
import pytest

import talos
import tsid_peer

LONG = bool(os.environ.get("SINEW_LONG"))


def compare(problem):
    """TSID's objective with its H and g at our solution; the errors of tasks J x - b; x, which is unique."""
    H, g, J, b = (problem[name] for name in ("H", "g", "J", "b"))
    ours = talos.Ours(problem)
    for _ in range(2):  # cold, then warm
        x, tau = ours.solve()
        theirs = problem["x"]
        objective = 0.5 * x @ H @ x + g @ x
        scale = max(1.0, abs(problem["objective"]))
        assert abs(objective - problem["objective"]) < 1e-8 * scale
        error = np.sqrt(problem["w"]) * (J @ (x - theirs))
        assert np.abs(error).max() < 1e-6
        size = np.abs(theirs).max()
        assert np.abs(x - theirs).max() < 1e-6 * size
        assert np.abs(tau - problem["tau"]).max() < 1e-6 * size
        assert np.abs(problem["E"] @ x - problem["e"]).max() < 1e-9 * size
        value = problem["A"] @ x
        outside = np.maximum(problem["lower"] - value, value - problem["upper"])
        assert outside.max() < 1e-9 * size


@pytest.mark.parametrize("number", [0, 1])
def test_kept_problems(number):
    """Standing and moving, from data/talos.json."""
    compare(tsid_peer.read()[number])


def test_figures():
    """Sizes, and what the feet carry: m (g + the vertical acceleration of the centre of mass)."""
    problem = tsid_peer.read()[0]
    assert problem["E"].shape == (18, 62) and problem["A"].shape == (104, 62)
    ours = talos.Ours(problem)
    x, _ = ours.solve()
    carried = sum(contact.wrench[2] for contact in ours.controller.contacts)
    acceleration = (problem["J"][12:15] @ x)[2]  # of the centre of mass
    assert abs(carried - ours.model.body_mass.sum() * (9.81 + acceleration)) < 1e-8


@pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for TSID")
def test_tsid():
    """TSID itself: the kept problems are what it makes of their cases, and more of them."""
    cases = [tsid_peer.STANDING, *(tsid_peer.moving(seed) for seed in range(1, 41))]
    problems = tsid_peer.solve(talos.ROBOTS, cases)
    for kept, made in zip(tsid_peer.read(), problems, strict=False):
        assert np.allclose(kept["x"], made["x"], rtol=1e-6, atol=1e-6)
    for problem in problems:
        compare(problem)
