"""`attach` of frames and of parts of the model itself, against 4.0.1; sites as mounts."""

import numpy as np
import pytest

import compiled
import newest
import sinew

MESH = '<mesh name="mm" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><material name="mt"/>'
SELF = f"""<mujoco><default><default class="dd"><geom rgba="1 0 0 1"/></default></default><asset>{MESH}</asset><worldbody>
<body name="a" childclass="dd"><joint name="j"/><geom name="g" type="mesh" mesh="mm" material="mt"/><body name="a2">
  <geom name="g2" size=".1"/></body></body>
<frame name="f" pos="1 0 0" euler="0 0 90"><body name="inf"><joint name="jf"/><geom size=".1"/><site name="s"/></body>
  <geom name="wg" size=".2"/></frame>
<body name="b" pos="0 2 0"><geom size=".1"/>HERE<geom size=".3"/></body><body name="after"><geom size="1"/></body></worldbody>
<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="jf" coef="2"/></fixed></tendon>
<contact><exclude body1="a" body2="a2"/><exclude body1="a" body2="inf"/></contact>
<actuator><motor name="m" joint="j"/><position tendon="t"/></actuator><sensor><jointpos joint="j"/><touch site="s"/></sensor>
</mujoco>"""
CHILD = """<mujoco><compiler angle="radian"/><worldbody><frame name="o" pos="5 0 0"><frame name="f" pos="1 0 0" euler="0 0 1.5">
<body name="inf"><joint name="jf" range="-1 1"/><geom size=".1"/></body><geom name="wg" size=".2"/></frame></frame>
<body name="bb"><frame name="f2" euler=".3 0 0"><geom size=".1" pos="1 1 1"/></frame></body></worldbody>
<actuator><motor joint="jf" name="m"/></actuator><keyframe><key name="k" qpos=".7"/></keyframe></mujoco>"""
PARENT = """<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><body name="b" pos="1 2 3">{}</body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    "attach",
    [
        '<attach body="a" prefix="c_"/>',
        '<attach frame="f" prefix="c_"/>',
        '<attach body="world" prefix="c_"/>',
        '<attach body="b" prefix="c_"/>',
        '<attach body="a" prefix="x"/><attach body="a" prefix="y"/>',
        '<attach body="a" prefix="x"/><attach body="xa" prefix="y"/>',
        '<frame pos="1 1 1"><attach body="a2" prefix="x"/></frame>',
    ],
)
def test_of_the_model_itself(attach):
    agreed = compiled.agree(SELF.replace("HERE", attach), "4.0")
    assert agreed.nmesh == agreed.nmat == 1 and agreed.nbody > 6


@pytest.mark.parametrize(
    "attach",
    ['<attach model="c" frame="f" prefix="p_"/>', '<attach model="c" frame="f2" prefix="p_"/>'],
)
def test_frames_of_a_model(attach):
    files = {"c.xml": CHILD.encode()}
    m = compiled.agree(PARENT.format(attach), "4.0", assets=files)
    assert m.nkey == 1


@pytest.mark.parametrize(
    "attach, words",
    [
        ('<attach body="a" prefix=""/>', "another prefix"),
        ('<attach prefix="x"/>', "give 'body' or 'frame'"),
        ('<attach body="a" frame="f" prefix="x"/>', "exclude"),
        ('<attach body="nope" prefix="x"/>', "no such body"),
        ('<attach frame="a" prefix="x"/>', "no such frame"),
        ('<attach body="after" prefix="x"/>', "stands behind"),
        ('<attach model="" body="a" prefix="x"/>', "empty"),
        ('<attach body="a"/>', "'prefix' is missing"),
    ],
)
def test_refused(attach, words):
    text = SELF.replace("HERE", attach)
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text)
    with pytest.raises(ValueError):
        newest.load(text)
    with pytest.raises(sinew.ModelError):
        sinew.Model.from_xml(SELF.replace("HERE", '<attach body="a" prefix="x"/>'), physics="3.3.7")


def test_specs_attach_themselves():
    spec = sinew.Spec.from_xml(SELF.replace("HERE", ""))
    before = spec.to_xml()
    with pytest.raises(sinew.ModelError, match="another prefix"):
        spec.attach(spec, what=spec.body("a"))
    assert spec.to_xml() == before
    copy = spec.attach(spec, spec.body("b"), spec.body("a"), prefix="c_", suffix="_d")
    assert copy.name == "c_a_d" and copy.parent.name == "b"
    m = spec.compile()
    assert (m.nmesh, m.njnt, m.nu, m.nexclude, m.ntendon) == (1, 3, 4, 4, 2)
    assert spec.geom("c_g_d").mesh == "mm" and spec.geom("c_g_d").rgba[0] == 1
    inside = spec.attach(spec, copy, copy, prefix="e_")  # into itself: as it was
    assert [b.name for b in inside.walk() if b.tag == "body"] == ["e_c_a_d", "e_c_a2_d"]
    assert sinew.Model.from_xml(spec.to_xml()).nbody == spec.compile().nbody == m.nbody + 2


def test_classes_of_parts():
    """A part starts from the class that it stood in, wherever it comes to stand."""
    child = sinew.Spec.from_xml(
        '<mujoco><default><default class="red"><geom rgba="1 0 0 1"/></default></default><worldbody><body childclass="red">'
        '<geom size="1"/><body name="b"><geom name="g" size="1"/></body></body><body name="c"><geom name="h" size="1"/></body>'
        "</worldbody></mujoco>"
    )
    host = sinew.Spec()
    host.attach(child, what=child.body("b"), prefix="p_")
    holder = child.bodies[0]
    child.attach(child, holder, child.body("c"), prefix="q_")
    assert list(host.compile().geom_rgba[0]) == [1, 0, 0, 1]
    m = child.compile()
    assert list(m.geom_rgba[child.geom("q_h").id]) == [0.5, 0.5, 0.5, 1]


def test_sites_as_mounts():
    child = sinew.Spec.from_xml(CHILD)
    host = sinew.Spec.from_xml(
        '<mujoco><default><default class="d"><site euler="0 0 90"/></default></default><worldbody><body pos="1 0 0">'
        '<joint/><geom size="1"/><site name="s" class="d" pos="1 2 3"/><site name="t" type="capsule" size="1" fromto="0 0 0 0 2 0"/>'
        "</body></worldbody></mujoco>"
    )
    for name, prefix in (("s", "p_"), ("t", "q_")):
        copy = host.attach(child, host.site(name), child.body("bb"), prefix=prefix)
        assert copy.parent.tag == "frame" and copy.parent.parent.tag == "body"
    m = host.compile()
    d = sinew.Data(m)
    sinew.kinematics(m, d)
    for name, prefix in (("s", "p_"), ("t", "q_")):
        body, site = host.body(prefix + "bb").id, host.site(name).id
        np.testing.assert_allclose(d.xpos[body], d.site_xpos[site], atol=1e-12)
        np.testing.assert_allclose(d.xmat[body].ravel(), d.site_xmat[site].ravel(), atol=1e-12)
    with pytest.raises((sinew.ModelError, ValueError), match="a site"):
        host.attach(child, host.geoms[0])


def test_paths_of_tendons():
    spec = sinew.Spec.from_xml(
        '<mujoco><worldbody><geom name="c" type="cylinder" size=".1 .1" pos="0 0 -2"/><site name="a"/><site name="b" pos="0 0 -3"/>'
        '<site name="side" pos="0 1 -2"/><body><joint name="j"/><geom name="g" size=".1"/></body></worldbody><tendon>'
        '<spatial name="t"><site site="a"/><geom geom="c" sidesite="side"/><site site="b"/><pulley divisor="2"/><site site="a"/>'
        '<site site="b"/></spatial><fixed name="f"><joint joint="j" coef="3"/></fixed></tendon></mujoco>'
    )
    wraps = sinew.WrapType
    path = spec.tendon("t").path
    assert [p.type for p in path] == [
        wraps.SITE,
        wraps.CYLINDER,
        wraps.SITE,
        wraps.PULLEY,
        wraps.SITE,
        wraps.SITE,
    ]
    assert [p.target for p in path[:4]] == [spec.site("a"), spec.geom("c"), spec.site("b"), None]
    assert (
        path[1].sidesite == spec.site("side") and path[0].sidesite is None and path[3].factor == 2
    )
    (joint,) = spec.tendon("f").path
    assert (joint.type, joint.target, joint.factor) == (wraps.JOINT, spec.joint("j"), 3)
    assert spec.geom("g").path == []
    path[1].element.geom = "g"
    assert spec.tendon("t").path[1].type == wraps.SPHERE
    path[5].element.place(path[0].element)
    path[3].element.remove()
    assert [p.target.name for p in spec.tendon("t").path] == ["b", "a", "g", "b", "a"]
    path[0].element.place()
    assert [p.target.name for p in spec.tendon("t").path] == ["b", "g", "b", "a", "a"]
    spec.tendon("t").add("site", site="gone")
    assert spec.tendon("t").path[-1].target is None
    for wrong in (spec.site("a"), spec.tendon("f")):
        with pytest.raises((sinew.ModelError, ValueError)):
            path[0].element.place(wrong)
    with pytest.raises((sinew.ModelError, ValueError), match="removed"):
        path[3].element.place()


def test_what_is_given():
    spec = sinew.Spec.from_xml(
        '<mujoco><option timestep=".01"><flag contact="disable"/></option><option iterations="3"/><visual><map znear=".1"/></visual>'
        '<default><geom size="1"/></default><worldbody><geom name="g" rgba="1 1 1 1"/></worldbody></mujoco>'
    )
    option = spec.section("option")
    assert option.given("timestep") and option.given("iterations") and not option.given("tolerance")
    assert spec.section("option/flag").given("contact") and not spec.section("option/flag").given(
        "energy"
    )
    assert spec.section("visual/map").given("znear") and not spec.section("visual/map").given(
        "zfar"
    )
    assert not spec.section("visual/global").given("fovy") and not spec.section("compiler").given(
        "angle"
    )
    geom = spec.geom("g")
    assert geom.given("rgba") and not geom.given("size") and geom.target("material") is None
    geom.size = 2
    assert geom.given("size")
    geom.size = None
    assert not geom.given("size") and not geom.given("no such")


TEXTS = [
    'hello <b> & "x"',
    " two\nlines ",
    "a]]>b\n",
    "tab\tonly",
    "it's",
    "<!-- kept -->",
    "crlf\r\nend",
    "é\n" * 3000,
]


def test_cdata():
    for text in TEXTS:
        spec = sinew.Spec()
        spec.section("custom").add("text", "t", data=text)
        written = spec.to_xml()
        assert sinew.Model.from_xml(written).text_data.decode() == text + "\0"
        assert ("CDATA" in written) == (text not in (TEXTS[2], TEXTS[3], TEXTS[6]))
        spec.set_physics("3.3.7")
        assert "CDATA" not in spec.to_xml()
        if "]]>" in text:
            continue
        inside = f'<mujoco><custom><text name="t"> <![CDATA[{text}]]> </text></custom></mujoco>'
        theirs = newest.load(inside).get()
        assert bytes(sinew.Model.from_xml(inside).text_data) == bytes(theirs.text_data)
        assert sinew.Spec.from_xml(inside).texts[0].data == text.replace("\r\n", "\n")


def test_cdata_elsewhere():
    both = '<mujoco><custom><text name="t" data="d"><![CDATA[e]]></text></custom></mujoco>'
    with pytest.raises(sinew.ModelError, match="leave out one"):
        sinew.Model.from_xml(both)
    with pytest.raises(ValueError):
        newest.load(both)
    with pytest.warns(sinew.ModelWarning, match="passed over"):
        assert bytes(sinew.Model.from_xml(both, physics="3.3.7").text_data) == b"d\0"
    with pytest.warns(sinew.ModelWarning, match="passed over"):
        sinew.Model.from_xml("<mujoco><worldbody><![CDATA[x]]></worldbody></mujoco>")
    for bad in ("<![CDATA[x", "<![CDATA[]]>", "<![CDATA[\x01]]>", "plain"):
        with pytest.raises(sinew.ModelError):
            sinew.Model.from_xml(
                f'<mujoco><custom><text name="t">{bad}</text></custom></mujoco>', strict=True
            )
