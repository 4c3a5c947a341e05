"""sinew.Batch on models of other people, against the single step of the scalar engine.

A batch of width 1 has the bits of `sinew.step` (tested here, too), so that it stands for single steps. Lanes sum in
another order: results differ by rounding. How much that is depends on the state, and is measured: the scalar engine
steps neighbours of each state that differ by rounding, or start the solver elsewhere, and lanes may be SLACK times as
far away as they come, or 1e-11. The neighbours are few, and what they happen to show may be less than what there is:
hence the slack.

Where a model has several trees the solvers do not end alike: the scalar engine's with each island, the lanes' with all
of them. What is left then is a matter of opt.tolerance, so that comparisons to rounding set it so low that neither
leaves any; another one holds what is left at the model's own.
"""

import os

import numpy as np
import pytest

import sinew
from batch_models import (
    INPUTS,
    STATE,
    apart,
    control,
    copied,
    everything,
    load,
    neighbours,
    nudge,
    scatter,
    settle,
    spread,
    take,
)

LONG = bool(os.environ.get("SINEW_LONG"))
QUICK = {
    "humanoid.xml",
    "ant.xml",
    "pusher.xml",
    "quadruped.xml",
    "stacker.xml",
    "manipulator.xml",
    "fish.xml",
}
QUICK |= {"dog_base.xml", "jaco_hand.xml", "panda.urdf"}
PATHS = [path for path in everything() if LONG or path.name in QUICK]
N, SLACK, EXACT = 24 if LONG else 12, 100, 1e-11
pytestmark = pytest.mark.filterwarnings("ignore::sinew.SimulationWarning")


def name_of(path):
    return "/".join(path.parts[-2:])


def widths(model):
    found = []
    for width in (8, 4, 2) if LONG else (None,):
        try:
            found.append(sinew.Batch(model, 1, width=width).width)
        except ValueError:
            pass  # not built in here, or not this processor's
    return found


def starts(model, kind):
    """Scalar simulations in states to compare from, and the generator that made them."""
    rng = np.random.default_rng(0)
    batch = sinew.Batch(model, N, width=1)
    if kind == "random":
        scatter(batch, rng)
    else:
        scatter(batch, rng, 0.3)
        settle(batch, rng, 200)
        control(batch, rng)
    return batch, rng


@pytest.fixture(scope="module", params=PATHS, ids=name_of)
def model(request):
    model = load(request.param)
    if model is None:
        pytest.skip("is a part of a model, or lacks files")
    return model


@pytest.fixture(scope="module")
def laned(model):
    if sinew.Batch(model, 1).scalar_features:
        pytest.skip(
            "nothing of it in lanes: test_width_one_has_the_bits_of_single_steps compares it"
        )
    return model


@pytest.fixture
def exact(laned):
    """The model with a solver that goes on to the last bits."""
    opt, names = laned.opt, ("tolerance", "ls_tolerance", "iterations")
    own = [getattr(opt, name) for name in names]
    if opt.solver == sinew.Solver.NEWTON:
        opt.tolerance, opt.ls_tolerance, opt.iterations = 1e-13, 1e-4, 200
    yield laned
    for name, value in zip(names, own, strict=True):
        setattr(opt, name, value)


def held(off, bound, before, nstep=1):
    """Whether lanes are near enough. What goes too far is looked at closely, in its state before the steps: forces
    that cancel leave rounding of their own size, and where a contact hangs on the last bit, many neighbours see it."""
    for i in np.flatnonzero(~(off <= bound)):
        force = np.abs(before.get_data(int(i)).efc_force).sum()
        if off[i] <= bound[i] + 2e-15 * force:
            continue
        if not off[i] <= SLACK * closely(before, i, nstep):
            return False
    return True


def closely(before, i, nstep):
    """How far 100 neighbours of one simulation come from it, geoms of half of them moved by rounding, too: what rests
    exactly on a plane has no joint that could move it there."""
    own, near = (sinew.Batch(before.model, 100, width=1) for _ in range(2))
    for batch in (own, near):
        for name in STATE + INPUTS:
            getattr(batch, name)[:] = getattr(before, name)[i]
    rng = np.random.default_rng(i)
    nudge(near, rng)
    place = near.parameter("geom_pos")[:50]
    place += 1e-15 * (1 + np.abs(place)) * rng.choice([-1, 1], place.shape)
    own.step(nstep=nstep)
    near.step(nstep=nstep)
    return apart(near, own).max()


@pytest.mark.parametrize("kind", ["random", "settled"])
def test_each_step_is_the_single_step(exact, kind):
    """From the same state and warm start, step after step of the scalar engine."""
    for width in widths(exact):
        scalar, rng = starts(exact, kind)
        lanes = sinew.Batch(exact, N, width=width)
        for k in range(100 if LONG else 5):
            if k % 10 == 0:
                control(scalar, rng)
            take(lanes, scalar)
            before, near = copied(scalar, width=1), neighbours(scalar, rng)
            for batch in (scalar, lanes, *near):
                batch.step()
            off, far = apart(lanes, scalar), spread(near, scalar)
            assert held(off, np.maximum(EXACT, SLACK * far), before), (width, k, off, far)
            differ = (lanes.warnings != scalar.warnings).any(1)
            assert (far[differ] > 1e-6).all(), (width, k)
            warned = differ | scalar.warnings.any(1)
            scalar.reset(warned)
            lanes.reset(warned)


@pytest.mark.parametrize("kind", ["random", "settled"])
def test_runs_part_as_rounding_grows(exact, kind):
    for width in widths(exact):
        scalar, rng = starts(exact, kind)
        lanes, near = copied(scalar, width=width), neighbours(scalar, rng)
        for nstep in (1, 9, 90):
            before = copied(scalar, width=1)
            for batch in (scalar, lanes, *near):
                batch.step(nstep=nstep)
            off, far = apart(lanes, scalar), spread(near, scalar)
            # one that is reset begins anew, without what its neighbours differed by
            reset = np.any([b.warnings.any(1) for b in (scalar, lanes, *near)], 0)
            off[reset] = 0
            assert held(off, np.maximum(EXACT, SLACK * far), before, nstep), (
                width,
                nstep,
                off,
                far,
            )


@pytest.mark.parametrize("kind", ["random", "settled"])
def test_what_the_tolerance_leaves(laned, kind):
    """The cost that the solver minimises is as curved as M at least: where the gradient's norm is below
    tolerance * meaninertia * nv, the minimum is nearer than that by the least eigenvalue of M."""
    for width in widths(laned):
        scalar, rng = starts(laned, kind)
        lanes, near = copied(scalar, width=width), neighbours(scalar, rng)
        before = copied(scalar, width=1)
        for batch in (scalar, lanes, *near):
            batch.step()
        off, bound = apart(lanes, scalar), np.maximum(EXACT, SLACK * spread(near, scalar))
        for i in np.flatnonzero(off > bound):
            data = before.get_data(int(i))
            least = np.linalg.eigvalsh(sinew.fullM(laned, data))[0]
            gradient = laned.opt.tolerance * laned.stat.meaninertia * laned.nv
            bound[i] += 2 * gradient / least / (1 + np.abs(scalar.qacc_warmstart[i]).max())
        assert held(off, bound, before), (width, off, bound)


def test_width_one_has_the_bits_of_single_steps(model):
    """So has any width where the model has what lanes cannot do."""
    width = None if sinew.Batch(model, 1).scalar_features else 1
    batch = sinew.Batch(model, 3, width=width, threads=2)
    assert batch.width == 1
    rng = np.random.default_rng(1)
    scatter(batch, rng, 0.5)
    datas = [sinew.Data(model) for _ in range(batch.n)]
    for i, data in enumerate(datas):
        for name in STATE + INPUTS:
            setattr(data, name, getattr(batch, name)[i])
    for _ in range(20 if LONG else 4):
        control(batch, rng)
        batch.step()
        for i, data in enumerate(datas):
            data.ctrl = batch.ctrl[i]
            sinew.step(model, data)
            for name in (*STATE, "sensordata"):
                ours, theirs = getattr(batch, name)[i], np.asarray(getattr(data, name))
                assert ours.tobytes() == theirs.tobytes(), name
