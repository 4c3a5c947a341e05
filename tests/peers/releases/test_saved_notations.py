"""`savecompiled` and `savecanonical`: specs written as they are said, canonical, or as they compile."""

import re

import pytest

import compiled
import newest
import sinew

TEXT = """<mujoco model="m"><compiler angle="degree" eulerseq="zyx" {}/><option timestep="0.0020" integrator="Euler"/>
<default><default class="d"><geom rgba="1 0 0 1" size="0.10"/><joint damping="1"/></default></default>
<asset><texture name="t" type="2d" builtin="checker" width="2" height="2"/><material name="mat" texture="t"/></asset>
<worldbody><light pos="0 0 1"/><body><joint name="jj" range="-20 30"/><geom size="1"/></body>
<frame pos="1 0 0" euler="10 20 30" name="f" scale="2"><body name="a" childclass="d" xyaxes="0 1 0 -1 0 0" pos="0.10 0 0">
  <joint name="j" range="-90 90" type="hinge" axis="0 0 2"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".05"/>
  <geom class="d" name="g"/><site type="box" fromto="0 0 0 1 1 0" size=".1"/></body></frame>
<body name="b"><freejoint/><inertial pos="0 0 0" mass="1" fullinertia="1 2 2.5 0.1 0.1 0.1"/><site name="s" axisangle="0 0 1 45"/>
  <replicate count="2" offset="1 0 0"><geom size=".3" zaxis="1 1 0"/></replicate></body></worldbody>
<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>
<actuator><position name="p" joint="j" kp="10" kv="1" ctrlrange="-1 1"/><motor joint="j" gear="2"/>
  <muscle joint="j" lengthrange="0 1"/><pid joint="jj" kp="1"/><dcmotor joint="jj" motorconst="1" resistance="2"/></actuator>
<sensor><jointpos joint="j"/></sensor><keyframe><key name="k" qpos="0 0 0 0 0 1 0 0 0"/></keyframe>
<custom><text name="x" data="a&#10;b"/><numeric name="n" data="1 2"/></custom></mujoco>"""
CANONICAL = 'savecompiled="false"'
SOURCE = 'savecompiled="false" savecanonical="false"'


@pytest.mark.parametrize("how", ["", CANONICAL, SOURCE, 'savecanonical="false"'])
def test_same_model(how):
    """Whatever the notation, the text compiles to the model that the spec compiles to, here and in the peer."""
    text = TEXT.format(how)
    spec = sinew.Spec.from_xml(text)
    written = spec.to_xml()
    m = spec.compile()
    assert compiled.differences(m, sinew.Model.from_xml(written), 1e-12) <= {"body_iquat"}
    assert "savec" not in written
    kinds = ("actuator_dyntype", "actuator_gaintype", "actuator_biastype")  # whose numbers differ
    compiled.agree(written, "4.0", tolerance=1e-8, but=("eq_data", *kinds))
    again = sinew.Spec.from_xml(written.replace("<compiler", f"<compiler {how}")).to_xml()
    assert sorted(re.split(r"[ />]", again)) == sorted(re.split(r"[ />]", written))
    newest.load(written)


def attributes(text, tag):
    return [dict(re.findall(r'(\w+)="([^"]*)"', e)) for e in re.findall(rf"<{tag}\b([^>]*)>", text)]


def test_as_it_is_said():
    written = sinew.Spec.from_xml(TEXT.format(SOURCE)).to_xml()
    assert attributes(written, "compiler") == [{"angle": "degree", "eulerseq": "zyx"}]
    assert attributes(written, "option") == [{"timestep": "0.0020", "integrator": "Euler"}]
    for said in ('euler="10 20 30"', 'xyaxes="0 1 0 -1 0 0"', 'range="-90 90"', 'fromto="0 0 0 0 0 1"', 'childclass="d"',
                 'fullinertia="1 2 2.5 0.1 0.1 0.1"', "<freejoint/>", '<motor joint="j" gear="2"/>', 'kp="10"', 'class="d"',
                 'scale="2"', 'pos="0.10 0 0"', 'size="0.10"', "<![CDATA[a\nb]]>", 'motorconst="1"'):  # fmt: skip
        assert said in written, said
    assert "replicate" not in written


def test_canonical():
    written = sinew.Spec.from_xml(TEXT.format(CANONICAL)).to_xml()
    assert attributes(written, "compiler") == [{"angle": "radian"}]
    for gone in (
        "euler",
        "xyaxes",
        "axisangle",
        "zaxis",
        "fromto",
        "fullinertia",
        "<motor",
        "<position",
        "<muscle",
        "<pid",
        "<dcmotor",
    ):
        assert gone not in written, gone
    assert (
        len(attributes(written, "general")) == 5
        and 'scale="2"' in written
        and "<default" in written
    )
    assert attributes(written, "key") == [{"name": "k", "qpos": "0 0 0 0 0 1 0 0 0"}]


def test_uncompiled_specs():
    """A spec that does not compile can be written as it is said."""
    spec = sinew.Spec()
    spec.section("compiler").savecompiled = False
    spec.world.add("body", "b").add("joint", "j", range=[-90, 90])
    for canonical in (True, False):
        spec.section("compiler").savecanonical = canonical
        written = spec.to_xml()
        assert ('range="-90 90"' in written) != canonical
    spec.section("compiler").savecompiled = None
    with pytest.raises(sinew.ModelError, match="no mass"):
        spec.to_xml()


def test_files_and_attachments(tmp_path):
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "m.obj").write_text(obj)
    (tmp_path / "part.xml").write_text(
        '<mujoco><worldbody><body name="p" euler="0 0 90"><geom size="1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "m.xml").write_text(
        f'<mujoco><compiler meshdir="meshes" {SOURCE}/><asset><mesh file="m.obj"/><mesh name="k" file="kept.obj"/></asset>'
        '<include file="inc.xml"/><worldbody><geom type="mesh" mesh="m"/><geom type="mesh" mesh="k"/></worldbody></mujoco>'
    )
    (tmp_path / "inc.xml").write_text('<mujoco><option gravity="0 0 1"/></mujoco>')
    spec = sinew.Spec.from_path(tmp_path / "m.xml", assets={"kept.obj": obj.encode()})
    spec.save(tmp_path / "out.xml")
    text = (tmp_path / "out.xml").read_text()
    assert (
        'file="meshes/m.obj"' in text
        and 'file="out_assets/kept.obj"' in text
        and "meshdir" not in text
        and 'gravity="0 0 1"' in text
    )
    assert compiled.differences(spec.compile(), sinew.Model.from_path(tmp_path / "out.xml")) <= {
        "mesh_pathadr"
    }
    spec.attach(sinew.Spec.from_path(tmp_path / "part.xml"), prefix="a_")  # has units of its own
    assert compiled.differences(
        spec.compile(),
        sinew.Model.from_xml(spec.to_xml(), assets={"kept.obj": obj.encode()}, anywhere=True),
    ) <= {"mesh_pathadr"}
    spec.save(tmp_path / "out.snb")
    assert sinew.Spec.from_path(tmp_path / "out.snb").compile().nbody == 2


def test_inertias_and_keys():
    text = '<mujoco><compiler saveinertial="true" {}/><worldbody><body name="b"><joint/><geom size=".1"/></body></worldbody><keyframe><key qpos="1"/></keyframe></mujoco>'
    for how in (CANONICAL, SOURCE):
        spec = sinew.Spec.from_xml(text.format(how))
        assert len(attributes(spec.to_xml(), "inertial")) == 1
        other = sinew.Spec.from_xml(text.format(""))
        spec.attach(other, prefix="x_")
        again = sinew.Model.from_xml(spec.to_xml())
        assert again.nkey == 2 and compiled.differences(spec.compile(), again, 1e-12) == set()


def test_words():
    for attribute in ("savecompiled", "savecanonical"):
        with pytest.raises(sinew.NotSupportedError, match="came after"):
            sinew.Model.from_xml(
                f'<mujoco><compiler {attribute}="false"/></mujoco>', physics="3.3.7"
            )
        with pytest.raises(sinew.ModelError, match="true"):
            sinew.Model.from_xml(f'<mujoco><compiler {attribute}="maybe"/></mujoco>')
