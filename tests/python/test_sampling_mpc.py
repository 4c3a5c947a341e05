"""The walker that plans by sampling walks, and its plans do what they say."""

import pathlib

import numpy as np
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def mpc(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import sampling_mpc

    return sampling_mpc


def test_the_walker_walks_and_does_not_fall(mpc):
    rows, took = mpc.run(2.4)
    _, far, sunk, pitch, speed = rows.T
    assert speed[len(speed) // 2 :].mean() >= 0.7 and far[-1] > 1.2
    assert (mpc.HIP + sunk).min() > 0.85 and np.abs(pitch).max() < 1
    assert len(took) == len(rows) == 120
    picture = mpc.picture(rows)
    assert picture.count("<polyline") == 3 and "nan" not in picture


def test_a_plan_moves_on_as_it_is_followed(mpc):
    """Knots go straight from one to the next; a plan advanced by a tick begins where the tick ended."""
    model = mpc.sinew.Model.from_path(mpc.MODEL)
    planner = mpc.Planner(model)
    planner.knots = np.random.default_rng(0).uniform(-1, 1, planner.knots.shape)
    before = mpc.between(planner.knots)
    assert before.shape == (mpc.HORIZON, model.nu)
    np.testing.assert_array_equal(before[[0, -1]], planner.knots[[0, -1]])
    planner.advance()
    np.testing.assert_allclose(mpc.between(planner.knots)[0], before[mpc.TICK], atol=1e-12)
