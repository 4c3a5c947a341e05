"""sinew.mujoco: MjSpec.to_xml keeps default classes, as the pinned peer's does."""

import textwrap

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

BOTH = pytest.mark.parametrize("mj", [ours, peer], ids=["ours", "peer"])


@BOTH
def test_a_plain_model(mj):
    spec = mj.MjSpec()
    spec.compiler.eulerseq = ["z", "y", "x"]
    body = spec.worldbody.add_body(name="box", pos=[1, 2, 3], quat=[0, 1, 0, 0])
    body.add_site(name="place", type=mj.mjtGeom.mjGEOM_BOX, userdata=[1, 2, 3])
    text = """\
        <mujoco model="MuJoCo Model">
          <compiler angle="radian"/>

          <size nuser_site="3"/>

          <worldbody>
            <body name="box" pos="1 2 3" quat="0 1 0 0">
              <site name="place" pos="0 0 0" type="box" user="1 2 3"/>
            </body>
          </worldbody>
        </mujoco>
    """
    assert spec.to_xml() == textwrap.dedent(text)


@BOTH
def test_default_classes_stay(mj):
    spec = mj.MjSpec()
    spec.modelname = "test"
    spec.default.geom.size[0] = 2
    inner = spec.add_default("inner", spec.default)
    inner.geom.size[0] = 3
    spec.worldbody.add_geom(inner)
    spec.worldbody.add_geom(spec.default)
    text = """\
        <mujoco model="test">
          <compiler angle="radian"/>

          <default>
            <geom size="2 0 0"/>
            <default class="inner">
              <geom size="3 0 0"/>
            </default>
          </default>

          <worldbody>
            <geom class="inner"/>
            <geom/>
          </worldbody>
        </mujoco>
    """
    assert spec.to_xml() == textwrap.dedent(text)


MODELS = {
    "kept": """<mujoco><compiler angle="radian"/><default><joint damping="1" range="-1 1"/><general kp="3"/>
      <default class="a"><geom size=".1" rgba="1 0 0 1"/><position kp="20" ctrlrange="-1 1"/>
      <tendon width=".1" rgba="0 1 0 1"/><equality solref=".1 1"/><default class="b"><geom quat="0 1 0 0"/>
      <material rgba="0 0 1 1"/><light diffuse="1 0 0"/><camera fovy="30"/></default></default></default>
      <asset><material name="m" class="b"/></asset>
      <worldbody><light class="b"/><camera class="b"/><body childclass="a"><geom/><geom class="main" size="1"/>
      <joint name="j"/><body childclass="b"><geom type="box" size=".1 .1 .1"/><joint name="k" type="slide"/>
      </body></body></worldbody>
      <tendon><fixed class="a"><joint joint="j" coef="1"/></fixed></tendon>
      <equality><joint class="a" joint1="j" joint2="k"/></equality>
      <actuator><position joint="j" class="a"/><motor joint="k"/></actuator></mujoco>""",
    "degrees": """<mujoco><default><joint range="-30 30"/><default class="a"><joint type="slide"/></default></default>
      <worldbody><body><geom size="1"/><joint/><joint class="a" axis="1 0 0"/></body></worldbody></mujoco>""",
    "euler": """<mujoco><compiler eulerseq="zyx"/><default><geom euler="10 20 30"/></default><worldbody>
      <geom size="1"/><geom size="1" quat="0 1 0 0"/></worldbody></mujoco>""",
}
MODELS["kept"] = MODELS["kept"].replace('<general kp="3"/>', "")


@pytest.mark.parametrize("name", MODELS)
def test_text_gives_the_same_model(name):
    spec = ours.MjSpec.from_string(MODELS[name])
    model, text = spec.compile(), spec.to_xml()
    assert ("<default" in text) == (name == "kept")
    again = ours.MjModel.from_xml_string(text)
    theirs = peer.MjModel.from_xml_string(text)
    for field in (n for n in dir(theirs) if "_" in n and n.split("_")[0] in PARTS):
        mine = getattr(model, field)
        np.testing.assert_allclose(getattr(again, field), mine, rtol=0, atol=0, err_msg=field)
        if field not in ("body_inertia", "body_iquat", "geom_aabb"):
            np.testing.assert_allclose(
                getattr(theirs, field), mine, rtol=1e-6, atol=1e-9, err_msg=field
            )


PARTS = ("body", "jnt", "dof", "geom", "light", "cam", "mat", "tendon", "eq", "actuator")
