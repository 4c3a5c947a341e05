"""Pictures of models nobody here wrote, in random states, with shadows, reflections and all else, against the peer's."""

import mujoco as peer
import numpy as np
import pytest

from models import folder, random_state
from picture_pair import pair

GYMNASIUM = folder("gymnasium", "envs", "mujoco", "assets")
SUITE = folder("dm_control", "suite")
MODELS = [
    *(GYMNASIUM / f"{name}.xml" for name in ("humanoid", "ant", "half_cheetah", "hopper", "walker2d_v5", "pusher", "swimmer")),
    *(SUITE / f"{name}.xml" for name in ("cheetah", "fish", "quadruped", "dog", "manipulator", "stacker", "finger")),
]  # fmt: skip


# the ant's own camera sees the peer's floor shade itself, where it is farther from the light than depths are exact
VIEWS = [(p, camera) for p in MODELS for camera in (-1, 0) if (p.stem, camera) != ("ant", 0)]


@pytest.mark.parametrize(("path", "camera"), VIEWS, ids=lambda given: getattr(given, "stem", given))
def test_pictures_of_models(path, camera):
    model = peer.MjModel.from_xml_path(str(path))
    if camera >= model.ncam:
        camera = {"distance": 1.5 * model.stat.extent, "elevation": -60.0, "azimuth": 30.0, "lookat": model.stat.center.tolist()}  # fmt: skip
    data = peer.MjData(model)
    random_state(np.random.default_rng(7), model, data, contact=True)
    ours, theirs = pair(path, camera=camera, qpos=data.qpos, flags={"SHADOW": 1}, size=(320, 240))
    apart = np.abs(ours.astype(int) - theirs).max(axis=-1)
    # rounding, once for each light with a shadow; edges of shadows; faces at one place, which the peer lights twice
    assert apart.mean() < 0.8
    assert np.count_nonzero(apart > 8) < 0.005 * apart.size
