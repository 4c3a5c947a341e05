"""Batches of one step from random states, under random controls and forces, against the peer's rollout."""

import mujoco
import numpy as np
import pytest
from mujoco import rollout as peer_rollout

import models
from sinew import mujoco as ours
from sinew.mujoco import rollout

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
SPEC = int(
    mujoco.mjtState.mjSTATE_CTRL
    | mujoco.mjtState.mjSTATE_QFRC_APPLIED
    | mujoco.mjtState.mjSTATE_XFRC_APPLIED
    | mujoco.mjtState.mjSTATE_MOCAP_POS
    | mujoco.mjtState.mjSTATE_MOCAP_QUAT
)
COUNT = 6


def state(m, d, spec):
    result = np.empty(mujoco.mj_stateSize(m, spec))
    mujoco.mj_getState(m, d, result, spec)
    return result


def batch(m, d, rng):
    """Rows of state, warm start and control; which of them hang on no search and no rounding."""
    rows, decided = [], []
    for _ in range(COUNT):
        models.random_state(rng, m, d, contact=False)
        rows.append((state(m, d, FULL), d.qacc_warmstart.copy(), state(m, d, SPEC)))
        mujoco.mj_forward(m, d)
        contacts = models.contact_list(d)
        decided.append(
            not models.has_convex(m, contacts) and models.is_decided(m, contacts, contacts)
        )
    states, warmstart, control = (np.array(column) for column in zip(*rows, strict=True))
    return states, warmstart, control[:, None], np.array(decided)


@pytest.mark.parametrize("path", models.runnable(), ids=lambda p: p.stem)
def test_one_step(path):
    theirs = models.fresh(path)
    mine = models.fresh(path, ours.MjModel.from_xml_path)
    for m in (theirs, mine):
        m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 1e-15, 500, 500
    d = mujoco.MjData(theirs)
    states, warmstart, control, decided = batch(theirs, d, np.random.default_rng(3))
    options = {"control_spec": SPEC, "initial_warmstart": warmstart}
    wanted, _ = peer_rollout.rollout(theirs, d, states, control, **options)
    data = [ours.MjData(mine) for _ in range(2)]
    given, sensors = rollout.rollout(mine, data, states, control, **options)
    assert sensors.shape == (COUNT, 1, theirs.nsensordata)
    error = np.abs(given - wanted).max(axis=(1, 2)) / (1 + np.abs(wanted).max(axis=(1, 2)))
    assert error[decided].max(initial=0) < 1e-9
