"""<replicate>, <attach> and asset/model against the peer: names, order, every field of the compiled model."""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
from test_model import compare, load_text

CHILD = """<mujoco model="child"><compiler angle="radian" autolimits="false"/><option timestep="0.1" density="3"/>
<statistic extent="7"/><default><geom density="10" rgba="1 1 0 1"/><default class="c"><joint damping="3"/>
</default></default><asset><texture name="tx" builtin="flat" type="2d" width="1" height="1"/>
<material name="mt" texture="tx"/><material name="unused"/></asset><worldbody>
<geom name="floor" type="plane" size="1 1 1"/><body name="a" pos="0 0 1" euler="1 0 0"><freejoint name="free"/>
<geom name="ag" size=".1" material="mt"/><site name="s"/><body name="b"><joint class="c" name="bj" range="0 1"
limited="true"/><geom name="bg" size=".1"/></body></body><body name="o"><joint name="oj"/>
<geom name="og" size=".1"/></body><frame name="f" pos="0 1 0"><body name="ff"><geom size=".1" name="fg"/></body>
</frame><light name="l"/><camera name="cm"/></worldbody><contact><exclude name="e" body1="a" body2="b"/>
<exclude name="eo" body1="a" body2="o"/></contact><tendon><fixed name="t"><joint joint="bj" coef="1"/></fixed>
<fixed name="to"><joint joint="oj" coef="1"/></fixed></tendon><actuator><motor name="m" joint="bj"/>
<motor name="mo" joint="oj"/><position name="mt" tendon="t" timeconst="1"/></actuator><sensor>
<gyro name="g" site="s"/><clock name="clk"/><jointpos name="ojp" joint="oj"/></sensor><custom>
<numeric name="n" data="1"/><text name="tt" data="x"/><tuple name="tu"><element objtype="body" objname="a"/>
</tuple></custom><keyframe><key name="k" time="2" qpos="1 1 1 1 0 0 0 .5 .6" ctrl="1 2 3" act="4"/></keyframe>
</mujoco>"""
PARENT = """<mujoco model="parent"><default><geom rgba="0 0 1 1" friction="2 2 2"/><joint damping="9"/></default>
<asset>%s</asset><worldbody><body name="p"><joint name="pj"/><geom name="pg" size=".1"/><site name="ps"/>%s</body>
%s</worldbody><sensor><jointpos name="last" joint="pj"/></sensor>%s</mujoco>"""
MODEL = '<model name="m" file="c.xml"/>'
ATTACHED = {
    "body": (MODEL, '<attach model="m" body="b" prefix="x/"/>', "", ""),
    "no prefix": (MODEL, '<attach model="m" body="o" prefix=""/>', "", ""),
    "model's own name": (
        '<model file="c.xml"/>',
        '<attach model="child" body="b" prefix="x"/>',
        "",
        "",
    ),
    "free body": (MODEL, "", '<attach model="m" body="a" prefix="x/"/>', ""),
    "frame": (
        MODEL,
        '<frame pos="1 2 3" name="pf"><attach model="m" body="b" prefix="x/"/></frame>',
        "",
        '<sensor><jointpos name="ref" joint="x/bj"/></sensor>',
    ),
    "world": (MODEL, "", '<attach model="m" prefix="x/"/>', ""),
    "twice": (
        MODEL,
        "",
        '<attach model="m" body="o" prefix="x/"/><attach model="m" body="a" prefix="y/"/>',
        "",
    ),
    "short key": (
        MODEL,
        '<attach model="m" body="b" prefix="x/"/>',
        "",
        '<keyframe><key name="pk" qpos="7"/></keyframe>',
    ),
    "whole key": (
        MODEL,
        '<attach model="m" body="b" prefix="x/"/>',
        "",
        '<keyframe><key name="pk" qpos="7 8"/></keyframe>',
    ),
}


# References that default classes hold, in classes of all depths; not tendon/material, which the peer does not rename.
DEFAULTED = """<mujoco model="child"><default><geom material="mt"/><site material="mt"/><default class="c">
<material texture="tx"/><geom type="mesh" mesh="ms" material="mu"/><default class="d"><geom material="mt"/></default></default>
<default class="h"><geom type="hfield" hfield="hf"/></default></default><asset>%s<texture name="tx" builtin="flat" type="2d" width="1" height="1"/>
<material name="mt"/><material name="mu" class="c" rgba="1 0 0 1"/><mesh name="ms" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/><hfield
name="hf" nrow="2" ncol="2" size="1 1 1 1"/></asset><worldbody><body name="b" childclass="c"><joint name="j"/><geom/><geom class="d"/>
<geom class="main" size=".1"/><geom type="sphere" size=".1"/><site name="s"/><site name="t" pos="1 0 0"/><body><geom
class="h"/></body>%s</body></worldbody><tendon><spatial name="sp" class="c"><site site="s"/><site site="t"/></spatial>
<spatial><site site="s"/><site site="t"/></spatial></tendon></mujoco>"""
DEFAULTED_PARENT = """<mujoco><asset><model name="m" file="%s"/><material name="mt" rgba="0 0 1 1"/></asset><worldbody>
%s</worldbody></mujoco>"""
ATTACHES = {
    "once": '<attach model="m" body="b" prefix="x/"/>',
    "twice": '<attach model="m" body="b" prefix="x/"/><attach model="m" body="b" prefix="y/"/>',
    "world": '<attach model="m" prefix="x/"/>',
    "replicated": '<replicate count="3" offset="1 0 0"><attach model="m" body="b" prefix="x/"/></replicate>',
}


def load_with_files(text, files):
    class Asset(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]

    error = bridge.Error()
    data = text.encode()
    assets = [(name.encode(), file.encode(), len(file.encode())) for name, file in files.items()]
    pointer = bridge.lib.sn_loadModelText(
        data,
        ctypes.c_size_t(len(data)),
        (Asset * len(assets))(*assets),
        len(assets),
        bridge.AS_PINNED,
        ctypes.byref(error),
    )
    assert pointer, error.message.decode()
    return bridge.Struct(pointer)


def check_files(text, files):
    peer = mujoco.MjModel.from_xml_string(text, {n: f.encode() for n, f in files.items()})
    compare(load_with_files(text, files), peer)
    return peer


@pytest.mark.parametrize("name", ATTACHES)
def test_default_classes_refer_to_assets(name):
    text = DEFAULTED_PARENT % ("c.xml", ATTACHES[name])
    peer = check_files(text, {"c.xml": DEFAULTED % ("", "")})
    assert peer.nmat >= 3 and peer.nhfield and peer.nmesh


def test_default_classes_of_a_model_in_a_model():
    outer = DEFAULTED % (
        '<model name="inner" file="d.xml"/>',
        '<attach model="inner" body="b" prefix="z/"/>',
    )
    text = DEFAULTED_PARENT % ("c.xml", ATTACHES["replicated"])
    peer = check_files(text, {"c.xml": outer, "d.xml": DEFAULTED % ("", "")})
    assert peer.mat("x/z/mu").texid[1] == peer.tex("x/z/tx").id


@pytest.mark.parametrize("name", ATTACHED)
def test_attach(name):
    text = PARENT % ATTACHED[name]
    check_files(text, {"c.xml": CHILD})


WORLD = """<mujoco><worldbody><geom name="g" size="1" pos="0 0 3"/><body name="a"><joint name="j"/><geom size=".1"/></body>
<light mode="targetbody" target="a"/><site name="s"/></worldbody><contact><exclude body1="a" body2="world"/></contact>
<equality><weld body1="a"/><connect body1="a" body2="world" anchor="0 0 0"/></equality><sensor><framepos objtype="body"
objname="a" reftype="body" refname="world"/></sensor></mujoco>"""


@pytest.mark.parametrize(
    "where", ["%s", '<frame pos="1 0 0">%s</frame>', '<body name="h">%s</body>']
)
def test_the_world_as_a_body(where):
    attaches = [f'<attach model="m" body="world" prefix="{p}"/>' for p in "xy"]
    text = KEYED_PARENT % (where % attaches[0] + attaches[1], "")
    peer = check_files(text, {"c.xml": WORLD})
    assert peer.body("xa").parentid == peer.body("xworld").id


# Keyframes: a model of several bodies, its keyframes with all lists, attached whole and in parts.
KEYED = """<mujoco model="c"><worldbody><body name="a"><joint name="aj" type="slide" ref="2"/><geom size=".1"/></body>
<body name="b"><joint name="bj" type="ball"/><geom size=".1"/><body name="d"><joint name="dj"/><geom size=".1"/></body></body>
<body name="mc" mocap="true" pos="1 1 1"><geom size=".1"/></body>%s</worldbody><actuator><motor name="am" joint="aj"/>
<position name="dm" joint="dj" timeconst="1"/></actuator><keyframe>
<key name="k" time="2" qpos="5 .6 .8 0 0 6%s" qvel="1 2 3 4 5%s" ctrl="6 7%s" act="8%s" mpos="1 2 3" mquat="0 1 0 0"/>
<key qpos="9 0 1 0 0 9%s"/><key name="t" time="4"/></keyframe></mujoco>"""
PLAIN = KEYED % ("", *[""] * 5)
NESTED = KEYED % (
    '<attach model="inner" prefix="z/"/>',
    " 1 1 0 0 0 2",
    " 6 7 8 9 1",
    " 8 9",
    " 1",
    " 3 1 0 0 0 3",
)
NESTED = NESTED.replace(
    "<worldbody>", '<asset><model name="inner" file="d.xml"/></asset><worldbody>'
)
NESTED = NESTED.replace('3" mquat="0 1 0 0', '3 4 5 6" mquat="0 1 0 0 0 0 1 0')
KEYED_PARENT = """<mujoco><asset><model name="m" file="c.xml"/><model name="n" file="c.xml"/></asset><worldbody>%s
</worldbody>%s</mujoco>"""
OWN = '<body><joint ref="1" type="slide"/><geom size=".1"/></body>'
REPLICATE = '<replicate count="3" offset="1 0 0">%s</replicate>'


def parts(*given):
    return "".join(f'<attach model="m" body="{b}" prefix="{p}"/>' for b, p in given)


WHOLE = '<attach model="m" prefix="x"/>'
KEYS = {
    "whole": OWN + WHOLE,
    "in front": WHOLE + OWN,
    "one part": parts(("b", "x")) + OWN,
    "twice": WHOLE + OWN + '<attach model="m" prefix="y"/>',
    "two parts": parts(("a", "x"), ("b", "y")),
    "two parts, turned round": parts(("b", "x"), ("a", "y"), ("mc", "z")),
    "a part again": parts(("a", "x"), ("b", "y"), ("a", "z"), ("b", "u")),
    "a part of a part": parts(("d", "x"), ("b", "y")),
    "the whole, then a part": WHOLE + parts(("b", "y")),
    "a part, then the whole": parts(("b", "y")) + WHOLE,
    "two models": WHOLE + '<attach model="n" prefix="y"/>',
    "two models, parts": parts(("a", "x")) + '<attach model="n" body="b" prefix="y"/>',
    "no prefix": '<attach model="n" prefix="n"/>' + parts(("b", "")),
}
# With the actuators whose controls each keyframe gives.
REPLICATED_KEYS = {
    "whole": (REPLICATE % WHOLE, {"xk": "xam0 xdm0"}),
    "after": (OWN + REPLICATE % WHOLE, {"xk": "xam0 xdm0"}),
    "beside": (REPLICATE % (OWN + WHOLE + OWN), {"xk": "xam0 xdm0"}),
    "in a body": (
        REPLICATE % f'<body><joint/><geom size=".1"/>{parts(("b", "x"))}</body>',
        {"xk": "xdm0"},
    ),
    "parts": (REPLICATE % parts(("a", "x"), ("b", "y")), {"xk": "xam0 ydm0", "yk": "ydm0"}),
    "nested": (REPLICATE % (REPLICATE % WHOLE), {"xk": "xam00 xdm00"}),
    "one inside, one outside": (
        REPLICATE % WHOLE + '<attach model="m" prefix="y"/>',
        {"xk": "xam0 xdm0", "yk": "yam ydm"},
    ),
    "one outside, one inside": (
        '<attach model="m" prefix="y"/>' + REPLICATE % WHOLE,
        {"xk": "xam0 xdm0", "yk": "yam ydm"},
    ),
    "two": (
        REPLICATE % WHOLE + REPLICATE % '<attach model="n" prefix="y"/>',
        {"xk": "xam0 xdm0", "yk": "yam0 ydm0"},
    ),
    "a plain one beside": (WHOLE + REPLICATE % OWN, {"xk": "xam xdm"}),
    "a plain one in front": (REPLICATE % OWN + WHOLE, {"xk": "xam xdm"}),
}


@pytest.mark.parametrize("world", KEYS.values(), ids=KEYS)
def test_keyframes(world):
    check_files(
        KEYED_PARENT % (world, ""), {"c.xml": PLAIN.replace("<key qpos", '<key name="u" qpos')}
    )


def test_own_keyframes_without_what_is_attached():
    own = '<keyframe><key qpos="5"/><key qvel="5"/></keyframe>'
    check_files(KEYED_PARENT % (OWN + WHOLE, own), {"c.xml": PLAIN})
    check_files(KEYED_PARENT % (WHOLE + OWN, own), {"c.xml": PLAIN})


def test_keyframes_beside_the_own():
    own = '<keyframe><key name="k" qpos="1 2 3 0 0 0 4"/><key time="7"/></keyframe>'
    check_files(KEYED_PARENT % (OWN + WHOLE, own), {"c.xml": PLAIN})


@pytest.mark.parametrize("world, controls", REPLICATED_KEYS.values(), ids=REPLICATED_KEYS)
def test_replicated_keyframes(world, controls):
    """Keyframes are about the first copy. The peer forgets its controls and activations, later versions do not."""
    text = KEYED_PARENT % (world, "")
    peer = mujoco.MjModel.from_xml_string(text, {"c.xml": PLAIN.encode()})
    ours = load_with_files(text, {"c.xml": PLAIN})
    compare(ours, peer, skip={"key_ctrl", "key_act"})
    adr = peer.actuator_actadr
    for name, actuators in controls.items():
        ctrl, act = np.zeros(peer.nu), np.zeros(peer.na)
        for actuator in (peer.actuator(a).id for a in actuators.split()):
            ctrl[actuator] = 6 if adr[actuator] < 0 else 7
            if adr[actuator] >= 0:
                act[adr[actuator]] = 8
        k = peer.key(name).id
        np.testing.assert_array_equal(ours.key_ctrl[k], ctrl)
        np.testing.assert_array_equal(ours.key_act[k], act)


def test_keyframes_of_a_model_in_a_model():
    """The keyframes of the inner model come along under all prefixes; the peer leaves out the outer one."""
    files = {"c.xml": NESTED, "d.xml": PLAIN}
    text = KEYED_PARENT % (OWN + REPLICATE % WHOLE, "")
    peer = mujoco.MjModel.from_xml_string(text, {n: f.encode() for n, f in files.items()})
    ours = load_with_files(text, files)
    names = {"names", "name_keyadr", "nnames", "key_ctrl", "key_act"}
    names |= {n for n in dir(peer) if n.startswith("name_")}
    compare(ours, peer, skip=names)


BODIES = """<body name="z"><joint name="zj"/><geom size=".1" name="zg"/><site name="zs"/></body>
<replicate count="3" offset="0 0 1" euler="0 0 30"><body name="a" pos="1 0 0"><joint name="j"/><geom name="g"
size=".1"/><site name="s"/><site name="s2"/></body><body name="c" pos="1 0 0"><joint name="cj"/><geom name="cg"
size=".1"/></body></replicate><body name="y"><geom name="yg" size=".1"/></body>"""
REFERRERS = [
    '<contact><exclude name="e" body1="a" body2="c"/></contact>',
    '<contact><pair name="e" geom1="g" geom2="cg"/></contact>',
    '<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="zj" coef="2"/></fixed></tendon>',
    '<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="cj" coef="2"/></fixed></tendon>'
    '<actuator><motor name="mt" tendon="t"/></actuator><sensor><tendonpos tendon="t"/></sensor>',
    '<tendon><spatial name="t"><site site="s"/><site site="zs"/></spatial></tendon>',
    '<actuator><motor name="m" joint="j"/><motor name="c" joint="cj"/></actuator>'
    '<sensor><actuatorfrc name="x" actuator="m"/></sensor>',
    '<sensor><jointpos name="n0" joint="zj"/><jointpos name="js" joint="j"/><gyro site="s"/>'
    '<jointpos name="n1" joint="zj"/></sensor>',
    '<sensor><framepos name="fp" objtype="body" objname="z" reftype="body" refname="a"/></sensor>',
    '<custom><tuple name="tu"><element objtype="body" objname="z"/></tuple><numeric name="n" data="1"/></custom>',
]
REPLICATED = [
    *(BODIES + "|" + r for r in REFERRERS),
    '<replicate count="2" offset="0 0 1" sep="-"><replicate count="11" offset="1 0 0" euler="10 20 30"><geom name="g"'
    ' size=".1"/></replicate></replicate>|',
    '<replicate count="10" offset="0 0 1"><geom name="g" size=".1"/><geom size=".2"/></replicate>|',
    '<body name="b"><replicate count="2" offset="0 0 1" euler="0 0 90"><joint name="j" axis="1 0 0" pos="1 0 0"/>'
    '</replicate><geom size="1"/></body>|<actuator><motor joint="j0"/></actuator>',
    '<replicate count="0" offset="0 0 1"><geom name="g" size=".1"/></replicate>|',
    '<body name="t"/><replicate count="2" offset="1 0 0"><body name="q"><geom size="1"/><light mode="targetbody" target="q"/>'
    "</body></replicate>|",
]


@pytest.mark.parametrize("text", REPLICATED)
def test_replicate(text):
    text = "<mujoco><worldbody>{}</worldbody>{}</mujoco>".format(*text.split("|"))
    ours, error = load_text(text)
    assert ours, error.message.decode()
    compare(ours, mujoco.MjModel.from_xml_string(text))
