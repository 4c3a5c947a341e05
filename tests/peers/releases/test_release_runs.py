"""Runs of 5,000 steps under the meaning of 4.0 beside the newest engine's, under the same controls.

Runs part within some hundred steps, so that figures of whole runs are compared: what went wrong, the mean energy, how deep
things sink into each other. SINEW_LONG takes all models; else one of them shows that the test can run.
"""

import os

import numpy as np
import pytest

import bridge
import models
from newest_pair import Pair

LONG = bool(os.environ.get("SINEW_LONG"))
STEPS, RUNS = (5000, 4) if LONG else (500, 2)
WARNINGS = "INERTIA CONTACTFULL CNSTRFULL VGEOMFULL BADQPOS BADQVEL BADQACC BADCTRL".split()
ENERGY = 2  # the flag that computes it
SHORT = [p for p in models.everything() if p.stem in ("humanoid", "half_cheetah")]


def controls(peer, rng):
    """Controls, held for ten steps, a row a step."""
    held = rng.normal(0, 0.3, (STEPS // 10, peer.nu))
    limited = peer.actuator_ctrllimited.astype(bool)
    low, high = (np.where(limited, side, unlimited) for side, unlimited in zip(peer.actuator_ctrlrange.T, (-1, 1), strict=True))  # fmt: skip
    return np.repeat((low + high) / 2 + held * (high - low) / 2, 10, axis=0)


def theirs(pair, ctrl):
    """Energy and least distance of each step, and warnings."""
    pair.theirs.call("mj_resetData")
    names = ("energy", "contact.dist")
    seen = pair.theirs.run("mj_step", [{"ctrl": u} for u in ctrl], names, reset=False)
    energy = [s.energy.sum() for s in seen]
    depth = [vars(s)["contact.dist"].min(initial=0) for s in seen]
    return energy, depth, pair.theirs.look("warning").warning


def ours(pair, ctrl):
    """The same of ours."""
    m, d = pair.model, pair.data
    bridge.lib.sn_resetData(m.pointer, d.pointer)
    energy, depth = [], []
    for u in ctrl:
        d.ctrl = u
        bridge.call("step", m, d)
        energy.append(d.energy.sum())
        depth.append(d.contact["dist"].min(initial=0))
    return energy, depth, dict(zip(WARNINGS, d.warnings(), strict=False))


def figures(path):
    """Of ours and theirs: kinds of warnings, mean energy, its spread, depth."""
    pair = Pair(path)
    pair.set(enableflags=pair.peer.opt.enableflags | ENERGY)
    found = {"ours": [], "theirs": []}
    warned = {"ours": set(), "theirs": set()}
    for seed in range(RUNS):
        ctrl = controls(pair.peer, np.random.default_rng(seed))
        for name, side in (("ours", ours), ("theirs", theirs)):
            energy, depth, warnings = side(pair, ctrl)
            found[name].append([np.mean(energy), np.ptp(energy), -np.min(depth)])
            warned[name] |= {kind for kind, count in warnings.items() if count}
    return {name: (warned[name], *np.mean(found[name], axis=0)) for name in found}


@pytest.mark.parametrize("path", models.everything() if LONG else SHORT, ids=lambda p: p.stem)
def test_run(path):
    both = figures(path)
    (warned, energy, _, depth), (known, expected, spread, deepest) = both["ours"], both["theirs"]
    assert warned <= known
    assert abs(energy - expected) <= 0.05 * max(abs(expected), spread)
    assert depth < 1.2 * deepest + 1e-9
