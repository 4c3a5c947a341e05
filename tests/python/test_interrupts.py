"""Ctrl-C ends a long call between two steps."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import sinew
import sinew.mujoco

MODEL = "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body></worldbody></mujoco>"


def native():
    model = sinew.Model.from_xml(MODEL)
    data = sinew.Data(model)
    return model, data, sinew.step


def peer():
    model = sinew.mujoco.MjModel.from_xml_string(MODEL)
    return model, sinew.mujoco.MjData(model), sinew.mujoco.mj_step


@pytest.mark.parametrize("interface", [native, peer])
def test_step(interface):
    model, data, step = interface()
    view = data.qpos  # the array itself, which may be read while the call runs

    def watch():
        while view[0] == 0:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=watch)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        step(model, data, nstep=2**31 - 1)  # some ten minutes
    thread.join()
    # a whole number of steps, as single ones lead
    steps = round(data.time / model.opt.timestep)
    again = type(data)(model)
    step(model, again, nstep=steps)
    assert steps > 0
    np.testing.assert_array_equal(again.qpos, data.qpos)
    step(model, data)
    assert data.time == pytest.approx((steps + 1) * model.opt.timestep)
