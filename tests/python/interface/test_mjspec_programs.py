"""sinew.mujoco.MjSpec: programs that build robots and scenes, as tutorials do, give the pinned peer's models."""

import mujoco as peer
import numpy as np
import pytest

from mjspec_programs import PROGRAMS, quadruped
from sinew import mujoco as ours
from test_mjspec import compare


@pytest.mark.parametrize("name", PROGRAMS)
def test_models_of_programs(name):
    theirs, spec = PROGRAMS[name](peer).compile(), PROGRAMS[name](ours)
    compare(spec.compile(), theirs)
    compare(spec.copy().compile(), theirs)
    if name != "meshes":  # files of pixels are not in the text
        compare(ours.MjSpec.from_string(spec.to_xml(), assets=spec.assets).compile(), theirs)


def test_steps_of_a_program():
    states = []
    for mj in (ours, peer):
        model = quadruped(mj).compile()
        data = mj.MjData(model)
        mj.mj_resetDataKeyframe(model, data, 0)
        for _ in range(20):
            mj.mj_step(model, data)
        states.append(data.qpos.copy())
    np.testing.assert_allclose(states[0], states[1], atol=1e-9)
