"""sinew.Batch against the peer's steps, on models of other people, from the same state at each step."""

import mujoco
import numpy as np
import pytest

import sinew
from models import as_pinned, everything, fresh, random_state

N, NSTEP = 10, 5


def pairs(path, seed):
    """The peer's model and N data of it in random states, and a batch in the same ones."""
    m = fresh(path)
    batch = sinew.Batch(fresh(path, as_pinned), N)
    rng, datas = np.random.default_rng(seed), [mujoco.MjData(m) for _ in range(N)]
    for d in datas:
        random_state(rng, m, d, contact=True)
    return m, datas, batch


def hand_over(batch, i, d):
    batch.time[i] = d.time
    for name in ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos",
                 "mocap_quat", "qacc_warmstart"):  # fmt: skip
        getattr(batch, name)[i] = getattr(d, name)


@pytest.mark.parametrize("path", everything(), ids=lambda p: p.stem)
def test_steps_are_single_steps(path):
    """Ours in lanes and one by one: the same numbers after each step from the same state."""
    m, datas, batch = pairs(path, 3)
    for i, d in enumerate(datas):
        hand_over(batch, i, d)
    for _ in range(NSTEP):
        ours = [batch.get_data(i) for i in range(N)]
        batch.step()
        for i, d in enumerate(ours):
            sinew.step(batch.model, d)
            for name in ("qpos", "qvel", "act", "sensordata"):
                scale = 1 + np.abs(getattr(d, name)).max(initial=0)
                error = np.abs(getattr(batch, name)[i] - getattr(d, name)).max(initial=0)
                assert error <= 2e-10 * scale, (name, i, batch.scalar_features)


@pytest.mark.parametrize("path", everything(), ids=lambda p: p.stem)
def test_steps_are_the_peers(path):
    """From the initial state, moving a little, with the peer's state and warm start before each step."""
    m = fresh(path)
    batch, rng = sinew.Batch(fresh(path, as_pinned), N), np.random.default_rng(5)
    theirs = [mujoco.MjData(m) for _ in range(N)]
    for d in theirs:
        d.qvel[:] = rng.normal(0, 0.1, m.nv)
        d.ctrl[:] = rng.uniform(-0.1, 0.1, m.nu)
    for _ in range(3):
        for i, d in enumerate(theirs):
            hand_over(batch, i, d)
            mujoco.mj_step(m, d)
        batch.step()
        for i, d in enumerate(theirs):
            for name in ("qpos", "qvel", "act", "sensordata"):
                scale = 1 + np.abs(getattr(d, name)).max(initial=0)
                error = np.abs(getattr(batch, name)[i] - getattr(d, name)).max(initial=0)
                assert error <= 1e-11 * scale, (name, i)
