"""What the peer loads, loads: texts that say what cannot be meant, with a warning, the peer's fields and steps."""

import struct

import mujoco
import numpy as np
import pytest

import bridge
import sinew
from test_model import OWN_CHECK, UNFILLED, load_warned, option, option_names, statistic

BODIES = """<worldbody><geom type="plane" size="1 1 1"/>
<body name="b" pos="0 0 1"><joint name="j" range="-1 1" damping=".1"/><geom name="g" type="capsule" size=".1" fromto="0 0 0 .4 .1 0"/>
<site name="s"/><site name="r" pos=".1 0 .1"/><camera name="c" %s/><body pos="0 0 .4"><joint name="k" axis="0 1 0" %s/><geom size=".1" pos=".1 0 0" %s/></body></body>
<body name="f" pos="2 0 .4"><freejoint/><geom size=".1 .2 .3" type="box"/></body>%s</worldbody>"""


def model(top="", camera="", joint="", geom="", world="", tail=""):
    return f"<mujoco>{top}{BODIES % (camera, joint, geom, world)}{tail}</mujoco>"


def actuator(text):
    return model(tail=f"<actuator>{text}</actuator>")


def sensor(text):
    return model(tail=f'<sensor><framepos objtype="site" objname="s" {text}/></sensor>')


def key(text):
    world = '<body mocap="true" pos="0 0 3" quat="0 1 0 0"/><body mocap="true" pos="1 0 3"/><body pos="4 0 0"><joint type="slide" ref=".7"/><geom size=".1"/></body>'
    tail = '<actuator><motor joint="j"/><general joint="k" dyntype="integrator"/><general joint="k" dyntype="integrator"/></actuator>'
    return model(world=world, tail=f"{tail}<keyframe><key {text}/></keyframe>")


def pulley(divisor):
    return model(
        tail=f'<tendon><spatial stiffness="1"><site site="s"/><site site="r"/><pulley divisor="{divisor}"/>'
        '<site site="s"/><site site="r"/></spatial></tendon>'
    )


def static(text):
    return model(world=f"<body>{text}</body>")


def replicate(attributes, inside='<body name="q"><freejoint/><geom size=".1"/></body>'):
    return model(world=f'<replicate count="2" offset="1 1 4" {attributes}>{inside}</replicate>')


def hfield(elevation):
    return model(
        top=f'<asset><hfield name="h" nrow="2" ncol="3" size="1 1 .1 .1" elevation="{elevation}"/></asset>',
        world='<geom type="hfield" hfield="h" pos="9 9 0"/>',
    )


def skin(pos="0 0 0", quat="1 0 0 0", weight="1 1 1", vertex="0 0 0"):
    return model(
        top=f'<asset><skin name="x" vertex="{vertex} 1 0 0 0 1 0" face="0 1 2"><bone body="b" bindpos="{pos}" '
        f'bindquat="{quat}" vertid="0 1 2" vertweight="{weight}"/></skin></asset>'
    )


PLAIN = model()
WARNED = {
    # text between elements
    "words": PLAIN.replace("<worldbody>", "<worldbody>words"),
    "words_everywhere": PLAIN.replace("/>", "/>zwölf").replace("<mujoco>", "<mujoco>a"),
    "zero_width_space": PLAIN.replace("/>", "/>\u200b", 1),
    "cdata": PLAIN.replace("/>", "/><![CDATA[<geom size='9'/>]]>", 1),
    "stray_bracket": PLAIN.replace("/>", "/>>", 1),
    # declarations
    **{
        f"encoding_{e}": f'<?xml version="1.0" encoding="{e}"?>' + PLAIN
        for e in ("utf8", "ascii", "unicode", "utf-16", "klingon")
    },
    # texts that are no XML
    "blank_first": '\n <?xml version="1.0"?>' + PLAIN,
    "two_declarations": '<?xml version="1.0"?><?xml version="1.0"?>' + PLAIN,
    "words_first": "words" + PLAIN,
    "two_roots": PLAIN + "<mujoco><worldbody/></mujoco>",
    "ampersand": PLAIN.replace('name="b"', 'name="b&b &unknown;"'),
    "less_in_attribute": PLAIN.replace('name="b"', 'name="a<b>c"'),
    "no_blank": PLAIN.replace('" pos=', '"pos='),
    "control_character": PLAIN.replace("/>", "/>\x01", 1),
    "doctype": "<!DOCTYPE mujoco [<!ENTITY x 'y'>]>" + PLAIN,
    "doctype_inside": PLAIN.replace("/>", "/><!DOCTYPE x [a]>", 1),
    # settings
    **{
        f"timestep_{t}": model(top=f'<option timestep="{t}"/>')
        for t in ("0", "-.01", "nan", "inf", "-inf")
    },
    **{
        f"{name}_negative": model(top=f'<option {name}="-3"/>')
        for name in ("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations")
    },
    "gravity_nan": model(top='<option gravity="0 nan -9.81"/>'),
    "wind_inf": model(top='<option wind="inf 0 0" density="1"/>'),
    "tolerance_nan": model(top='<option tolerance="nan"/>'),
    "nkey_negative": model(top='<size nkey="-1"/>'),
    "statistic_inf": model(top='<statistic extent="inf" meansize="nan"/>'),
    "visual_nan": model(top='<visual><map znear="nan"/><rgba haze="nan 1 1 1"/></visual>'),
    "boundmass_overflows": model(top='<compiler boundmass="1e308"/>'),
    **{
        f"eulerseq_{seq}": model(
            top=f'<compiler eulerseq="{seq}"/>',
            world='<replicate count="3" euler="10 20 30" offset="1 1 4"><body><freejoint/><geom size=".1"/></body></replicate>',
        )
        for seq in ("abc", "xbc", "XYq", "xyq")
    },
    # numbers of elements
    "damping_nan": model(joint='damping="nan"'),
    "stiffness_inf": model(joint='stiffness="inf"'),
    "armature_nan": model(joint='armature="nan"'),
    "friction_nan": model(geom='friction="nan 0 0"'),
    "user_nan": model(geom='user="1 nan 2"'),
    "rgba_inf": model(geom='rgba="inf 1 1 1"'),
    "camera_fovy_nan": model(camera='ipd="nan"'),
    "geom_pos_nan": model(world='<geom size=".1" pos="nan 0 0" contype="0" conaffinity="0"/>'),
    "site_far": model(world='<site pos="inf 0 0"/>'),
    # masses
    "mass_of_the_world": model(world='<geom size=".1" mass="-1" pos="0 0 9"/>'),
    "density_of_the_world": model(world='<geom size=".1" density="-5" pos="0 0 9"/>'),
    "negative_inertial": static('<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>'),
    "negative_moments": static('<inertial pos="0 0 0" mass="1" diaginertia="-1 1 1"/>'),
    "mass_nan": static('<inertial pos="0 0 0" mass="nan" diaginertia="1 1 1"/>'),
    **{
        f"two_inertials_{name}": static(
            f'<inertial pos="0 0 1" mass="1" {first}/><frame pos="3 0 0"><inertial pos="0 1 0" mass="2" {second}/></frame>'
        )
        for name, first, second in [
            ("moments", 'diaginertia="1 1 1" euler="10 20 30"', 'diaginertia="1 2 2"'),
            ("no_moments", 'diaginertia="1 1 1" quat="0 1 0 0"', ""),
            ("quat", 'diaginertia="1 1 1" euler="10 20 30"', 'diaginertia="1 2 2" quat="0 1 0 0"'),
            ("axisangle", 'diaginertia="1 1 2" quat="0 1 0 0"', 'axisangle="1 0 0 30"'),
            ("full", 'fullinertia="1 1 1 .2 0 0"', 'fullinertia="2 2 3 .1 0 0"'),
            ("full_first", 'fullinertia="1 1 1.1 .2 0 0"', 'quat="0 1 0 0"'),
        ]
    },
    # keyframes
    "short_qpos_1": key('qpos=".5"'),
    "short_qpos_3": key('qpos=".5 .6 .7"'),
    "short_qpos_6": key('qpos=".5 .6 1 2 3 0 1"'),
    "short_qvel": key('qvel="1 2 3 4"'),
    "short_act_ctrl": key('act="1" ctrl="1"'),
    "short_mpos": key('mpos="1 2 3 4"'),
    "short_mquat": key('mquat="1 1"'),
    "nan_time": key('time="nan"'),
    # tendons, actuators, sensors
    "pulley_0": pulley("0"),
    "pulley_inf": pulley("inf"),
    "tendon_armature": model(
        tail='<tendon><fixed armature="-1e-3"><joint joint="j" coef="1"/></fixed></tendon>'
    ),
    "intvelocity_kv": actuator('<intvelocity joint="j" actrange="0 1" kv="-1"/>'),
    "intvelocity_dampratio": actuator('<intvelocity joint="j" actrange="0 1" dampratio="-1"/>'),
    "intvelocity_both": actuator('<intvelocity joint="j" actrange="0 1" kv="2" dampratio="1"/>'),
    "actrange_unused": actuator('<general joint="j" actrange="1 -1"/>'),
    "reftype": sensor('reftype="no such" refname="b"'),
    # references that are empty
    **{
        f"empty_{name}": model(
            world='<body pos="4 0 0"><joint/><geom size=".1"/><site/></body><body name="z" pos="6 0 0"><joint name="z"/><geom name="z" size=".1"/><site name="z"/></body>',
            tail=f"<{section}>{text}</{section}>",
        )
        for name, section, text in [
            ("geom1", "contact", '<pair geom1="" geom2="z"/>'),
            ("geom2", "contact", '<pair geom1="g" geom2=""/>'),
            ("body1", "contact", '<exclude body1="" body2="z"/>'),
            ("body2", "contact", '<exclude body1="z" body2=""/>'),
            ("joint1", "equality", '<joint joint1="" joint2="z"/>'),
            ("connect", "equality", '<connect body1="" anchor="0 0 0"/>'),
            ("weld", "equality", '<weld body1="" body2="z"/>'),
            ("joint", "tendon", '<fixed><joint joint="" coef="1"/></fixed>'),
            ("site", "tendon", '<spatial><site site=""/><site site="z"/></spatial>'),
            (
                "wrap",
                "tendon",
                '<spatial><site site="s"/><geom geom="" sidesite=""/><site site="z"/></spatial>',
            ),
            (
                "tendon",
                "tendon",
                '<fixed><joint joint="z" coef="1"/></fixed></tendon><equality><tendon tendon1=""/></equality><tendon>',
            ),
        ]
    },
    # frames and replicates
    "frame_attribute": model(world='<frame foo="1" pos="0 0 5"><geom size=".1"/></frame>'),
    "replicate_prefix": replicate('prefix="p"'),
    "replicate_attributes": replicate('suffix="p" name="n" pos="1 2 3"'),
    "replicate_negative": replicate("").replace('count="2"', 'count="-2"'),
    "replicate_warned_once": replicate("", '<body><freejoint/><geom size=".1" user="nan"/></body>'),
    # assets
    "elevation_nan": hfield("0 1 2 nan 4 5"),
    "elevation_inf": hfield("0 1 2 inf 4 5"),
    "gridsize": model(
        top='<asset><texture name="t" type="2d" builtin="flat" width="2" height="2" gridsize="0 0"/></asset>'
    ),
    "bone_without_orientation": skin(quat="0 0 0 0"),
    "bone_nan": skin(pos="nan 0 0"),
    "weight_nan": skin(weight="1 nan 1"),
    "skin_vertex_nan": skin(vertex="nan 0 0"),
}
# in these NaN spreads: what the peer makes of it in a step is as good as anything
NO_STEP = {"boundmass_overflows", "mass_nan", "armature_nan"}
# constants of these are not finite either, and not the same
NOT_FINITE = {"boundmass_overflows", "mass_nan", "armature_nan", "geom_pos_nan"}
COUNT = {"words_everywhere": 5, "visual_nan": 2, "statistic_inf": 2, "short_act_ctrl": 2, "replicate_attributes": 3}  # fmt: skip
CONSTANTS = {"body_invweight0", "dof_invweight0", "dof_M0", "stat", "tendon_invweight0"}


def same(mine, theirs, tolerance=1e-9):
    theirs = np.frombuffer(theirs, np.uint8) if isinstance(theirs, bytes) else np.asarray(theirs)
    mine, theirs = np.ravel(mine), np.ravel(theirs)
    if mine.size != theirs.size:
        return False
    if mine.dtype.kind in "iub":
        return np.array_equal(mine, theirs.astype(mine.dtype))
    if mine.dtype == np.float32:
        tolerance = 2e-7
    return np.allclose(mine, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)


def differing(ours, peer):
    """Names of what the two models do not share."""
    names = [n for n in ours.fields if hasattr(peer, n) and n not in OWN_CHECK | UNFILLED]
    found = {n for n in names if not same(getattr(ours, n), getattr(peer, n))}
    for name in option_names():
        if hasattr(peer.opt, name) and not same(option(ours, name), getattr(peer.opt, name)):
            found.add(name)
    s = peer.stat
    if not same(statistic(ours), [s.meaninertia, s.meanmass, s.meansize, s.extent, *s.center]):
        found.add("stat")
    return found


@pytest.mark.parametrize("name", WARNED)
def test_what_the_peer_loads_loads(name):
    text = WARNED[name]
    peer = mujoco.MjModel.from_xml_string(text)
    ours, error, warnings = load_warned(text)
    assert ours is not None, error.message
    assert len(warnings) == COUNT.get(name, 1), warnings
    assert all(" at text:" in w for w in warnings)
    assert differing(ours, peer) <= (CONSTANTS if name in NOT_FINITE else set())
    # and a warning can be an error
    ours, error, _ = load_warned(text, strict=True)
    assert (
        ours is None and error.message.decode().split("\n")[0] in warnings or "XML" in warnings[0]
    )


def as_far_as_numbers_go(mine, theirs):
    """The same numbers; what is none for the peer may be one for us, which multiply fewer zeros, but not all of it."""
    mine, lost = np.ravel(mine), np.isnan(theirs)
    if not same(mine[~lost], theirs[~lost]):
        return False
    return not lost.any() or np.isnan(mine).any()


@pytest.mark.parametrize("name", [n for n in WARNED if n not in NO_STEP])
def test_steps_as_the_peer(name):
    text = WARNED[name]
    peer = mujoco.MjModel.from_xml_string(text)
    ours, _, _ = load_warned(text)
    data, peer_data = bridge.make_data(ours), mujoco.MjData(peer)
    for _ in range(5):
        bridge.call("step", ours, data)
        mujoco.mj_step(peer, peer_data)
        assert as_far_as_numbers_go(data.qpos, peer_data.qpos)
        assert as_far_as_numbers_go(data.qvel, peer_data.qvel)
        assert same(data.time, peer_data.time)


LINK = """<link name="%s"><inertial><origin xyz="0 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><sphere radius="0.1"/></geometry></collision></link>"""
ROBOT = f"""<robot name="r">{LINK % "a"}{LINK % "b"}<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<origin xyz="0 0 1" rpy="0 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="3"/>
<dynamics damping="0.1" friction="0.2"/></joint></robot>"""
ROBOTS = {
    "lower_nan": ROBOT.replace('lower="-1"', 'lower="nan"'),
    "effort_nan": ROBOT.replace('effort="5"', 'effort="nan"'),
    "damping_inf": ROBOT.replace('damping="0.1"', 'damping="inf"'),
    "friction_nan": ROBOT.replace('friction="0.2"', 'friction="nan"'),
    "friction_empty": ROBOT.replace('friction="0.2"', 'friction=""'),
    "place_empty": ROBOT.replace('xyz="0 0 1" rpy', 'xyz="" rpy'),
    "mass_of_the_base": ROBOT.replace('mass value="1"', 'mass value="-1"', 1),
    "worldbody": ROBOT.replace("<joint", "<mujoco><worldbody/></mujoco><joint"),
    "compiler": ROBOT.replace("<joint", '<mujoco><compiler foo="1"/></mujoco><joint'),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_load_as_the_peers(name):
    peer = mujoco.MjModel.from_xml_string(ROBOTS[name])
    ours, error, warnings = load_warned(ROBOTS[name])
    assert ours is not None, error.message
    assert warnings and all(" at text:" in w for w in warnings)
    # inertias are taken as they are
    assert differing(ours, peer) <= {"names", "text_adr", "text_data", "text_size", "name_textadr"}
    assert load_warned(ROBOTS[name], strict=True)[0] is None


def test_an_empty_reference_to_none():
    text = model(tail='<equality><tendon tendon1=""/></equality>')
    with pytest.raises(ValueError, match="unknown element"):
        mujoco.MjModel.from_xml_string(text)
    assert b'tendon1="": there is no such tendon' in load_warned(text)[1].message


def test_long_separators():
    text = replicate(f'sep="{"s" * 300}"', '<body name="q"><geom name="a" size=".1"/></body>')
    peer = mujoco.MjModel.from_xml_string(text)
    ours, error, warnings = load_warned(text)
    assert ours is not None, error.message
    assert not warnings
    assert differing(ours, peer) == set()
    assert load_warned(text.replace('count="2"', 'count="900000"'))[0] is None


def test_a_file_of_heights_that_are_not_finite():
    heights = struct.pack("<ii4f", 2, 2, 0, 1, np.nan, 2)
    text = '<mujoco><asset><hfield name="h" file="h.hf" size="1 1 1 1"/></asset></mujoco>'
    peer = mujoco.MjModel.from_xml_string(text, {"h.hf": heights})
    with pytest.warns(sinew.ModelWarning, match="heights that are not finite at text:1"):
        ours = sinew.Model.from_xml(text, {"h.hf": heights})
    assert same(ours.hfield_data, peer.hfield_data)
