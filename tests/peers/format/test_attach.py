"""<replicate>, <attach> and asset/model against the peer: names, order, every field of the compiled model."""

import ctypes

import mujoco
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
        None,
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
    child = CHILD
    if name == "twice":  # the peer gives each keyframe the numbers of both copies
        child = child[: child.index("<keyframe>")] + "</mujoco>"
    peer = mujoco.MjModel.from_xml_string(text, {"c.xml": child.encode()})
    compare(load_with_files(text, {"c.xml": child}), peer)


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
