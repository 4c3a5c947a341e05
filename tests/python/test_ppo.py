"""The example of PPO learns Hopper: a short run with a fixed seed. `./dev test-long` installs PyTorch."""

import importlib.util
import os
import pathlib
import sys
import types
import xml.etree.ElementTree

import numpy as np
import pytest

LONG = bool(os.environ.get("SINEW_LONG"))
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.fixture
def hopper(monkeypatch):
    pytest.importorskip("gymnasium")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import ppo_hopper

    return ppo_hopper


def test_the_environments_are_alike(hopper, monkeypatch):
    """What PPO relies on: spaces, ends in the step itself, the last observation of an episode."""
    pytest.importorskip("mujoco")
    if importlib.util.find_spec("imageio") is None:  # gymnasium asks for it, to write videos
        monkeypatch.setitem(sys.modules, "imageio", types.ModuleType("imageio"))
    ours, peers = hopper.ours(3), hopper.peers(3)
    assert ours.single_action_space == peers.single_action_space
    assert ours.single_observation_space == peers.single_observation_space
    actions = np.ones((3, 3), np.float32)
    last = []
    for envs in (ours, peers):
        first, _ = envs.reset(seed=4)
        for _ in range(200):
            now, _, fallen, cut, infos = envs.step(actions)
            if (fallen | cut).any():
                break
        ended = fallen | cut
        last.append(np.stack(infos["final_obs"][ended]))
        assert fallen.any() and not cut.any()
        np.testing.assert_allclose(now[ended][:, 0], 1.25, atol=0.01)  # those that begin anew
        envs.close()
    np.testing.assert_allclose(*last, atol=1e-5)


def test_the_curves_are_drawn(hopper):
    rows = np.array([(8192, 1.0, 20.0), (16384, 2.0, 400.0), (24576, 3.0, 1200.0)])
    alone, both = hopper.picture([rows]), hopper.picture([rows, rows[:2]])
    assert alone.count("<polyline") == 2 and both.count("<polyline") == 4
    assert "MuJoCo" in both and "MuJoCo" not in alone and "nan" not in both
    shown = (DOCS / "ppo_hopper.svg").read_text()
    tags = [[e.tag for e in xml.etree.ElementTree.fromstring(text)] for text in (both, shown)]
    assert tags[0] == tags[1] and "(ppo_hopper.svg)" in (DOCS / "environments.md").read_text()


@pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for PyTorch")
def test_advantages(hopper):
    """Generalised advantage estimation against its definition: sums of discounted surprises to the end of an episode."""
    torch = pytest.importorskip("torch")
    import ppo

    rng = np.random.default_rng(0)
    values, rewards = torch.as_tensor(rng.normal(size=(2, 12, 5)))
    following = torch.as_tensor(rng.normal(size=5))
    ended = torch.as_tensor(rng.random((12, 5)) < 0.2)
    found = ppo.estimate(values, rewards, ended, following, 0.9, 0.8)
    after = torch.cat((values[1:], following[None]))
    for t in range(12):
        for i in range(5):
            wanted = 0.0
            for k in range(t, 12):
                rest = 0.0 if ended[k, i] else 0.9 * after[k, i]
                wanted += (0.9 * 0.8) ** (k - t) * (rewards[k, i] + rest - values[k, i])
                if ended[k, i]:
                    break
            assert abs(found[t, i] - wanted) < 1e-12


@pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for PyTorch")
def test_the_hopper_learns(hopper):
    rows = np.array(hopper.learn(hopper.ours(256), 400_000, np.inf, 0).rows)
    assert rows[0, 2] < 60 and rows[-1, 2] > 250


@pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for PyTorch")
def test_training_goes_on_from_a_checkpoint(hopper, tmp_path):
    """A run that was stopped and one that was not: the same returns and the same weights."""
    torch = pytest.importorskip("torch")
    import ppo

    steps, path = 12 * ppo.Settings().samples, tmp_path / "hopper.ppo"
    whole = hopper.learn(hopper.ours(64), steps, np.inf, 3)
    stopped = ppo.Learner(hopper.ours(64), 3)
    for row in stopped.train(steps):
        stopped.rows.append(row)
        if len(stopped.rows) == 5:
            stopped.save(path)
            break
    torch.manual_seed(99)  # of another program
    again = hopper.learn(hopper.ours(64), steps, np.inf, 99, path)
    assert len(again.rows) == 12
    assert [r[::2] for r in again.rows] == [r[::2] for r in whole.rows]  # all but seconds
    for a, b in zip(whole.agent.parameters(), again.agent.parameters(), strict=True):
        assert torch.equal(a, b)
    assert not list(tmp_path.glob("*.part"))
    assert hopper.film(again, tmp_path / "hop.gif", seconds=0.5) == 21
