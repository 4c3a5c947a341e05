"""sinew.Batch(dtype="float32") on gymnasium's and dm_control's models, against single steps in doubles."""

import importlib.util
import os
import pathlib

import numpy as np
import pytest

import sinew
from test_batch_steps import STATE, bits, same


def folder(package, rest):
    return pathlib.Path(importlib.util.find_spec(package).origin).parent / rest


SUITE = folder("dm_control", "suite")
ASSETS = folder("gymnasium", "envs/mujoco/assets")
MODELS = {
    "hopper": ASSETS / "hopper.xml",
    "half_cheetah": ASSETS / "half_cheetah.xml",
    "ant": ASSETS / "ant.xml",
    "humanoid": ASSETS / "humanoid.xml",
    "dm humanoid": SUITE / "humanoid.xml",
    "dm quadruped": SUITE / "quadruped.xml",
    "dm cheetah": SUITE / "cheetah.xml",
    "dm stacker": SUITE / "stacker.xml",
}
N = 37
ROUNDS = 100 if os.environ.get("SINEW_LONG") else 25  # of 20 steps


def pair(name, **options):
    """The batch in floats, the same in doubles, both near the model's start."""
    model = sinew.Model.from_path(str(MODELS[name]))
    single = sinew.Batch(model, N, dtype="float32", **options)
    exact = sinew.Batch(model, N)
    if single.width == 1:
        pytest.skip("no lanes for this model")
    rng = np.random.default_rng(0)
    exact.qpos += rng.normal(0, 0.05, exact.qpos.shape)
    exact.qvel = rng.normal(0, 0.1, exact.qvel.shape)
    copy(exact, single)
    return single, exact, rng


def copy(source, to):
    for name in STATE + ("ctrl",):
        getattr(to, name)[:] = getattr(source, name)


def noise(rng, *batches):
    ctrl = rng.uniform(-1, 1, batches[0].ctrl.shape)
    for batch in batches:
        batch.ctrl = ctrl


def error(a, b):
    return (np.abs(a - b) / (1 + np.abs(b))).max(axis=1)


def test_the_dtype_is_seen(model):
    batch = sinew.Batch(model, 2, dtype=np.float32)
    assert batch.dtype == np.float32 and batch.width in (4, 8, 16)
    assert batch.qpos.dtype == np.float64


@pytest.mark.parametrize("name", MODELS)
def test_steps_are_near_those_of_doubles(name):
    single, exact, rng = pair(name)
    positions, velocities = [], []
    for _ in range(40):
        for _ in range(5):
            noise(rng, exact)
            exact.step()
        copy(exact, single)
        exact.step()
        single.step()
        positions.append(error(single.qpos, exact.qpos))
        velocities.append(error(single.qvel, exact.qvel))
    # a contact that rounding makes or leaves out is rare, and changes a velocity much
    assert np.percentile(positions, 99) < 2e-6 and np.max(positions) < 1e-3
    assert np.percentile(velocities, 99) < 2e-4 and np.max(velocities) < 0.1


@pytest.mark.parametrize("name", MODELS)
def test_runs_stay_sane(name):
    single, exact, rng = pair(name)
    lowest = [0.0, 0.0]
    for _ in range(ROUNDS):
        noise(rng, single, exact)
        for k, batch in enumerate((single, exact)):
            batch.step(nstep=20)
            assert np.isfinite(batch.qpos).all()
            lowest[k] = max(lowest[k], np.abs(batch.qvel).mean())
    assert lowest[0] < 1.3 * lowest[1]
    spread = np.abs(exact.qpos).mean()
    assert np.abs(single.qpos).mean() == pytest.approx(spread, rel=0.3)
    warned = [(batch.warnings > 0).any(axis=0) for batch in (single, exact)]
    assert not (warned[0] & ~warned[1]).any()


@pytest.mark.parametrize("name", ["humanoid", "dm quadruped"])
def test_bits_are_a_simulations_own(name):
    single, _, rng = pair(name, threads=2)
    model = single.model
    first = {field: getattr(single, field).copy() for field in STATE}
    noise(rng, single)
    single.step(nstep=100)
    whole = bits(single)
    for ids in ([5], [30, 2, 17], list(range(0, N, 2))):
        other = sinew.Batch(model, len(ids), dtype="float32")
        for field in STATE:
            getattr(other, field)[:] = first[field][ids]
        other.ctrl = single.ctrl[ids]
        for _ in range(4):
            other.step(nstep=25)
        same(bits(other), {field: rows[ids] for field, rows in whole.items()})


def test_time_does_not_lose_steps():
    model = sinew.Model.from_xml(
        '<mujoco><option timestep="0.001"/><worldbody><body><joint type="slide" axis="1 0 0"/>'
        '<geom size="0.1"/></body></worldbody></mujoco>'
    )
    batch = sinew.Batch(model, 2, dtype="float32")
    batch.time[1] = 1e5
    batch.step(nstep=1_000_000)
    assert batch.time == pytest.approx([1000, 101000], rel=1e-9)
    data = sinew.Data(model)
    sinew.step(model, data, nstep=1_000_000)
    assert batch.time[0] == data.time
