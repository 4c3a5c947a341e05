"""The language: what the peer reads reads the same here, what it refuses is refused.

Each text stands inside <mujoco>. Fields of the compiled models are compared, so that a rule of the reader
(default classes, shortcuts, frames, includes) shows wherever it leads.
"""

import mujoco
import pytest

from test_model import compare, load, load_text

BALL = '<geom size="0.1"/>'
LEG = '<body><joint name="j" range="-10 30"/><geom size="0.1"/></body>'


def defaults(text, body):
    return f"<default>{text}</default><worldbody>{body}</worldbody>"


def actuator(text, default=""):
    return f"<default>{default}</default><worldbody>{LEG}</worldbody><actuator>{text}</actuator>"


TEXTS = [
    # default classes
    defaults('<geom friction="2"/><default class="a"><geom group="2"/></default>', '<geom class="a" size="1"/>'),
    defaults('<default class="a"><geom group="2"/></default><geom friction="2"/>', '<geom class="a" size="1"/>'),
    '<default><default class="a"/></default><default><geom condim="1"/></default>'
    '<worldbody><geom class="a" size="1"/><geom size="1"/></worldbody>',
    '<worldbody><geom class="a" size="1"/></worldbody><default><default class="a"><geom gap="1"/></default></default>',
    defaults(
        '<geom group="1" size="1"/><default class="a"><geom group="2"/></default>'
        '<default class="b"><geom group="3"/></default>',
        '<geom/><body childclass="a"><geom/><body><geom/><geom class="b"/><geom class="main"/>'
        '<frame childclass="b"><geom/><body><geom/></body></frame></body></body>',
    ),
    defaults('<joint damping="3" armature="1"/>', f'<body><freejoint/>{BALL}</body>'),
    defaults('<joint damping="3" armature="1"/>', f'<body><joint type="free"/>{BALL}</body>'),
    defaults('<geom euler="10 20 30" size="1 2 3" type="box"/>', '<geom/><geom quat="0 1 0 0"/><geom zaxis="1 1 1"/>'),
    defaults('<geom solref="0.1" solimp="0.5" size="1 2 3"/>', '<geom solref="0.3 0.4"/><geom type="capsule"/>'),
    defaults('<site rgba="1 0 0 1" type="box"/><camera fovy="30"/><light diffuse="1 0 0"/>', "<site/><camera/><light/>"),
    # shortcuts share one default record
    *[
        actuator(element, default)
        for default in (
            "",
            '<position kp="3" kv="2"/>',
            '<position kp="3" dampratio="0.5"/>',
            '<position inheritrange="1"/>',
            '<velocity kv="4"/>',
            '<motor gear="3"/>',
            '<general gainprm="5 6 7" biastype="affine" biasprm="1 2 -3"/>',
            '<general gaintype="affine" gainprm="1 2 3"/>',
            '<position kp="3"/><motor/>',
            '<position kp="3"/><velocity/>',
        )
        for element in (
            '<motor joint="j"/>',
            '<position joint="j"/>',
            '<position joint="j" kp="7" kv="1"/>',
            '<velocity joint="j"/>',
            '<velocity joint="j" kv="5"/>',
            '<general joint="j"/>',
            '<general joint="j" biastype="none"/>',
        )
    ],
    actuator('<position joint="j" inheritrange="0.5"/>'),
    actuator('<position joint="j" dampratio="1" kp="3"/>'),
    # frames
    f'<worldbody><frame pos="1 0 0" euler="0 90 0"><geom size="1"/><frame pos="0 2 0"><body>{BALL}</body></frame>'
    f'<site/></frame><body>{BALL}</body></worldbody>',
    '<worldbody><body><frame pos="1 0 0"><inertial pos="0 0 1" mass="1" diaginertia="1 1 1"/><joint/></frame></body>'
    "</worldbody>",
    f'<worldbody><frame pos="1 0 0"><body><freejoint/>{BALL}</body></frame></worldbody>',
    # settings
    '<compiler angle="radian" eulerseq="ZyX"/><worldbody><geom size="1" euler="1 2 3"/></worldbody>',
    '<option timestep="0.1"/><option o_friction="3" o_solimp="0.1 0.2"/><option integrator="RK4"><flag gravity="disable"/>'
    "</option>",
    '<option actuatorgroupdisable="0 3 30"><flag energy="enable" contact="disable" eulerdamp="disable"/></option>',
    '<option><flag contact="disable"/></option><option><flag contact="enable"/></option>',
    '<size nkey="3" nuser_geom="4" nuserdata="7"/><worldbody><geom size="1" user="1 2"/></worldbody>',
    '<statistic extent="3" center="1 2 3" meanmass="4"/>',
    '<custom><numeric name="a" size="3" data="1 2"/><text name="t" data="b c"/><tuple name="u">'
    '<element objtype="numeric" objname="a" prm="0.5"/></tuple></custom>',
    '<asset><texture name="t" type="2d" builtin="flat" width="1" height="1"/><material name="m" texture="t"/>'
    '<material name="n" specular="0.1"><layer role="normal" texture="t"/></material></asset>'
    '<worldbody><geom size="1" material="n"/></worldbody>',
    '<worldbody><light directional="true" dir="0 1 -1"/><light type="point" mode="trackcom"/></worldbody>',
    f'<worldbody>{LEG}</worldbody><keyframe><key name="k" qpos="1" time="2"/><key qvel="3"/></keyframe>',
    f'<worldbody>{LEG}</worldbody><worldbody><geom name="late" size="1"/></worldbody>',
    # numbers
    '<worldbody><geom size="0x1p-3" pos="+1. .5 -1e-5"/><geom size=" 1 " mass="" rgba="0.1 0.2 0.3 1"/></worldbody>',
    "<worldbody><!-- a -- b --><geom size='1'/>></worldbody>",
]  # fmt: skip

WRONG = [
    '<worldbody><geom size="1,2"/></worldbody>',
    '<worldbody><geom size="1" group="1.0"/></worldbody>',
    '<worldbody><geom size="1" contype="4294967295"/></worldbody>',
    '<worldbody><geom size="1" type="Sphere"/></worldbody>',
    '<worldbody><geom size="1" quat="0 0 0 0"/></worldbody>',
    '<worldbody><geom size="1" quat="1 0 0 0" euler="0 0 0"/></worldbody>',
    '<worldbody><geom size="1" foo="1"/></worldbody>',
    '<worldbody><geom size="1" class=""/></worldbody>',
    '<worldbody><geom size="1" name="a"/><geom size="1" name="a"/></worldbody>',
    '<worldbody><body name="world"/></worldbody>',
    "<worldbody><joint/></worldbody>",
    '<worldbody name="w"/>',
    '<default class="foo"/>',
    '<default><default class="a"/><default class="a"/></default>',
    "<default><geom/><geom/></default>",
    "<option><flag/><flag/></option>",
    '<option actuatorgroupdisable="31"/>',
    '<size memory="1.5M"/>',
    '<size memory="1M" njmax="3"/>',
    '<statistic extent="0"/>',
    '<custom><numeric name="a" size="1" data="1 2"/></custom>',
    "<asset><material/></asset>",
    actuator('<position joint="j" kv="1" dampratio="1"/>'),
    actuator('<position joint="j" inheritrange="1"/>', '<general ctrlrange="0 1"/>'),
    actuator("<motor/>"),
    '<worldbody><include file="nowhere.xml"/></worldbody>',
]


@pytest.mark.parametrize("text", TEXTS)
def test_reads_as_the_peer(text):
    text = f"<mujoco>{text}</mujoco>"
    peer = mujoco.MjModel.from_xml_string(text)
    ours, error = load_text(text)
    assert ours, error.message.decode()
    compare(ours, peer)


@pytest.mark.parametrize("text", WRONG)
def test_refuses_as_the_peer(text):
    text = f"<mujoco>{text}</mujoco>"
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)
    ours, error = load_text(text)
    assert ours is None
    assert error.message


def test_include_looks_beside_the_top_file_first(tmp_path):
    (tmp_path / "sub").mkdir()
    files = {
        "main.xml": '<mujoco><worldbody><include file="sub/a.xml"/></worldbody></mujoco>',
        "sub/a.xml": '<x><include file="b.xml"/><include file="c.xml"/></x>',
        "b.xml": '<x><geom size="1"/></x>',
        "sub/b.xml": '<x><geom size="2"/></x>',
        "sub/c.xml": '<x><geom size="3"/></x>',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    ours, error = load(tmp_path / "main.xml")
    assert ours, error.message.decode()
    assert ours.geom_size[:, 0].tolist() == [1, 3]
    compare(ours, mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml")))
