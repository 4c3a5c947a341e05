"""Models for batches, states for them, and how far apart a simulation's neighbours of rounding come."""

import numpy as np

import sinew
from models import folder, gymnasium_assets, suite

STATE = ("time", "qpos", "qvel", "act", "qacc_warmstart")
INPUTS = (
    "ctrl",
    "qfrc_applied",
    "xfrc_applied",
    "eq_active",
    "mocap_pos",
    "mocap_quat",
    "userdata",
)


def robots():
    """URDF files of example-robot-data: arms, legs, a hand, and what floats."""
    import importlib.metadata

    place = importlib.metadata.distribution("example-robot-data").locate_file(
        "cmeel.prefix/share/example-robot-data/robots"
    )
    names = (
        "ur_description",
        "panda_description",
        "solo_description",
        "anymal_b_simple_description",
    )
    return [path for name in names for path in sorted(place.joinpath(name).glob("**/*.urdf"))[:1]]


def others():
    """Models of dm_control's walkers, props and tests."""
    root = folder("dm_control")
    places = ("locomotion", "entities", "third_party", "mujoco/testing", "composer")
    return [path for place in places for path in sorted(root.joinpath(place).glob("**/*.xml"))]


def everything():
    return gymnasium_assets() + suite() + others() + robots()


def load(path):
    """The model, or None where the file does not load on its own."""
    try:
        return sinew.Model.from_path(str(path))
    except (ValueError, OSError):
        return None


# ---- states


def quaternions(rng, n):
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def scatter(batch, rng, spread=1.0):
    """Joints across their ranges and a little beyond, free bodies turned, all moving, under random forces."""
    m, n = batch.model, batch.n
    for j in range(m.njnt):
        at, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if kind == sinew.JointType.FREE:
            batch.qpos[:, at : at + 3] += spread * rng.normal(0, 0.2, (n, 3))
            at += 3
        if kind in (sinew.JointType.FREE, sinew.JointType.BALL):
            turned = batch.qpos[:, at : at + 4] + spread * rng.normal(0, 0.5, (n, 4))
            batch.qpos[:, at : at + 4] = turned / np.linalg.norm(turned, axis=1, keepdims=True)
        elif m.jnt_limited[j]:
            low, high = m.jnt_range[j]
            middle, half = (low + high) / 2, 0.55 * spread * (high - low)
            batch.qpos[:, at] = rng.uniform(middle - half, middle + half, n)
        else:
            batch.qpos[:, at] += spread * rng.normal(0, 0.5, n)
    batch.qvel = spread * rng.normal(0, 1, batch.qvel.shape)
    batch.act = rng.uniform(0, 1, batch.act.shape)
    batch.qacc_warmstart = rng.normal(0, 1, batch.qacc_warmstart.shape)
    batch.qfrc_applied = m.dof_M0 * rng.normal(0, 1, batch.qfrc_applied.shape)
    batch.xfrc_applied = m.body_mass[:, None] * rng.normal(0, 1, batch.xfrc_applied.shape)
    batch.mocap_pos += rng.normal(0, 0.1, batch.mocap_pos.shape)
    batch.time = rng.uniform(0, 10, n)
    control(batch, rng)


def control(batch, rng):
    m = batch.model
    limited = m.actuator_ctrllimited.astype(bool)[:, None]
    low, high = np.where(limited, m.actuator_ctrlrange, [-1, 1]).T
    batch.ctrl = rng.uniform(low, high, batch.ctrl.shape)


def settle(batch, rng, nstep):
    """What comes of some time under controls that change."""
    for _ in range(nstep // 10):
        control(batch, rng)
        batch.step(nstep=10)
    batch.reset(batch.warnings.any(1))  # of those that were thrown too far


def copied(batch, **settings):
    """A batch of the same model in the same state."""
    other = sinew.Batch(batch.model, batch.n, **settings)
    take(other, batch)
    return other


def take(batch, other):
    for name in STATE + INPUTS:
        setattr(batch, name, getattr(other, name))


def nudge(batch, rng, size=1e-15):
    """Moves states by some units in the last place, relative and of the model's scale of lengths."""
    for name in ("qpos", "qvel", "act"):
        x = getattr(batch, name)
        x += size * (1 + np.abs(x)) * rng.choice([-1, 1], x.shape)


def restart(batch, rng, size):
    """Other warm starts: what comes out differs by what the solver's tolerance and its rounding leave."""
    x = batch.qacc_warmstart
    x *= 1 + size * rng.choice([-1, 1], x.shape)


def neighbours(batch, rng):
    """Scalar batches in states that are those of `batch` but for rounding, or start the solver elsewhere."""
    near = [copied(batch, width=1) for _ in range(5)]
    for other in near[:3]:
        nudge(other, rng)
    for other, size in zip(near[2:], (1e-9, 1e-5, 0.1), strict=True):
        restart(other, rng, size)
    return near


def apart(a, b):
    """Of each simulation, the largest difference of its state, relative to the largest number of a field."""
    worst = np.zeros(a.n)
    for name in ("qpos", "qvel", "act", "qacc_warmstart"):
        x, y = getattr(a, name), getattr(b, name)
        if x.size:
            scale = 1 + np.abs(y).max(1)
            worst = np.maximum(worst, np.abs(x - y).max(1) / scale)
    return worst


def spread(near, batch):
    """Of each simulation, how far its neighbours have come from it."""
    return np.max([apart(other, batch) for other in near], 0)
