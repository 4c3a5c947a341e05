"""PRINCIPAL_POINT: where a camera looks whose principal point is not in the middle of its sensor."""

import mujoco as peer
import pytest

from sinew import mujoco

SCENE = """
<mujoco>
  <custom>{}</custom>
  <worldbody>
    <camera name="c" pos="0 0 3" resolution="100 50" sensorsize="1 .5" focal=".5 .4" principal=".1 .05"/>
    <geom size=".1"/>
  </worldbody>
</mujoco>
"""


def seen(mj, word=""):
    """Where the axis of the camera meets the picture: from above, as a part of its height."""
    model = mj.MjModel.from_xml_string(SCENE.format(word))
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    cam = mj.MjvCamera()
    cam.type, cam.fixedcamid = mj.mjtCamera.mjCAMERA_FIXED, 0
    scene = mj.MjvScene(model, 10)
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, cam, mj.mjtCatBit.mjCAT_ALL, scene)
    eye = scene.camera[0]
    assert eye.frustum_top - eye.frustum_bottom == pytest.approx(eye.frustum_near * 0.5 / 0.4)
    return eye.frustum_top / (eye.frustum_top - eye.frustum_bottom)


def test_it_moves_what_is_seen():
    """Down before 4.0, up from then on; `test_later_interface` compares with 4.0.1."""
    later = seen(mujoco, '<text name="sinew_physics" data="4.0"/>')
    earlier, theirs = seen(mujoco), seen(peer)
    assert earlier == pytest.approx(theirs, rel=1e-6)
    assert later == pytest.approx(0.4) and earlier == pytest.approx(0.6)
