"""Operations on specs: what they leave compiles to what 4.0.1 makes of the settings that stand for them."""

import numpy as np
import pytest

import compiled
import newest
import sinew

TREE = """<mujoco><compiler {setting} {more}/><default><default class="d"><geom rgba="1 0 0 1"/></default></default><worldbody>
<body name="w" pos="0 0 1" euler="10 0 0"><geom name="W" size=".2"/><camera name="c"/><light name="l"/></body>
<body name="m" pos="0 0 2"><joint/>{inertial}<geom name="A" size=".1"/>
  <body name="s" pos="1 0 0" euler="0 20 0" childclass="d"><geom name="B" size=".2"/>{inner}<site name="S" pos="1 0 0"/>
    <body name="k" pos="0 .5 0"><joint/><geom name="D" size=".1"/></body>
    <body name="t" pos="0 0 .5" euler="0 0 30"><geom name="F" type="box" size=".1 .2 .3"/></body></body>
  <geom name="C" size=".3"/><body name="z"><joint/><geom name="E" size=".1"/></body></body>
<body name="kept" fuse="false"><geom name="G" size=".1"/></body><body name="named"><geom name="H" size=".1"/></body>
</worldbody><sensor><framepos objtype="body" objname="named"/></sensor></mujoco>"""
GIVEN = '<inertial pos=".1 .2 .3" mass="2" diaginertia="1 1.1 1.2" euler="10 20 30"/>'


@pytest.mark.parametrize(
    "more, inertial, inner",
    [
        ("", "", ""),
        ("", GIVEN, ""),
        ("", "", GIVEN),
        ("", GIVEN, GIVEN),
        ('inertiafromgeom="true"', GIVEN, GIVEN),
        ('boundmass="50"', "", ""),
        ('boundmass="50" inertiafromgeom="true"', "", ""),
        ('settotalmass="7"', "", GIVEN),
    ],
)
def test_fuse(more, inertial, inner):
    text = TREE.format(setting="", more=more, inertial=inertial, inner=inner)
    spec = sinew.Spec.from_xml(text)
    before = spec.compile()
    fused = spec.fuse_static()
    theirs = newest.load(text.replace("<compiler ", '<compiler fusestatic="true" ')).get()
    m = spec.compile()
    assert fused == before.nbody - m.nbody == before.nbody - theirs.nbody
    # names are listed in another order where nothing hangs on it, axes of equal moments are free
    assert compiled.differences(m, theirs, 1e-6) <= {"body_iquat", "body_simple", "dof_simplenum"}
    d, e = sinew.Data(before), sinew.Data(m)
    for model, data in ((before, d), (m, e)):
        data.qvel[:] = np.linspace(-1, 1, model.nv)
        sinew.step(model, data, nstep=50)
    np.testing.assert_allclose(d.qpos, e.qpos, atol=1e-9)
    assert spec.fuse_static() == 0
    again = sinew.Model.from_xml(spec.to_xml())
    assert compiled.differences(m, again, 1e-9) <= {"body_iquat"}
    assert spec.find("body", "kept").given("fuse") and spec.find("frame", "s") is None


@pytest.mark.parametrize("option", ["", '<option density="1"/>'])
def test_fuse_in_bodies_that_stand_still(option):
    """What a body with a weight or in a fluid of its own is fused with: the world, no other body, moving or not."""
    for inner in ("", 'gravcomp="1"'):
        text = (
            f'<mujoco>{option}<worldbody><body name="a" {inner}><geom size="1"/><body><geom size="1"/></body></body></worldbody>'
            '<sensor><framepos objtype="body" objname="a"/></sensor></mujoco>'
        )
        spec = sinew.Spec.from_xml(text)
        spec.fuse_static()
        assert (
            spec.compile().nbody
            == newest.load(text.replace("<mujoco>", '<mujoco><compiler fusestatic="true"/>'))
            .get()
            .nbody
        )


def test_fuse_in_scaled_frames():
    """What a frame of a body scales stays a body; what a frame of the world scales does not."""
    text = (
        '<mujoco><worldbody><frame scale="2"><body name="a"><geom size=".1"/></body><body name="b"><joint/><geom size=".1"/>'
        '<body name="c" pos="1 0 0"><geom size=".2"/></body><frame scale="3"><body name="d"><geom size=".1"/></body></frame>'
        "</body></frame></worldbody></mujoco>"
    )
    spec = sinew.Spec.from_xml(text)
    before = spec.compile()
    assert spec.fuse_static() == 2
    m = spec.compile()
    assert [b.name for b in spec.bodies] == ["b", "d"]
    assert m.body_mass.sum() == pytest.approx(before.body_mass.sum() - before.body_mass[1])


SEEN = """<mujoco><compiler {setting} {more}/><asset><texture name="t" type="2d" builtin="flat" width="2" height="2"/>
<material name="a" texture="t"/><material name="b"/><mesh name="m1" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
<mesh name="m2" material="a" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="m3" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<default><geom material="b"/></default><worldbody><light/><camera/><body name="x"><joint/>{inertial}
<geom name="v" type="mesh" mesh="m1" contype="0" conaffinity="0" material="a"/><geom name="c" type="mesh" mesh="m2"/>
<site name="s" type="mesh" mesh="m3" material="a"/><site name="s2" pos="1 1 1"/><geom name="fl" contype="0" conaffinity="0" size="1" fluidshape="ellipsoid"/>
<geom name="light" contype="0" conaffinity="0" size="1" mass="0"/><geom contype="0" conaffinity="0" name="told" size="1" mass="0"/></body>
<geom size="1" contype="0" conaffinity="0"/></worldbody><tendon><spatial material="a"><site site="s"/><site site="s2"/></spatial></tendon>
<custom><tuple name="tt"><element objtype="geom" objname="told"/></tuple></custom></mujoco>"""


@pytest.mark.parametrize(
    "more", ["", 'inertiafromgeom="false"', 'inertiagrouprange="1 5"', 'settotalmass="3"']
)
def test_discard(more):
    inertial = GIVEN if "false" in more or "group" in more else ""
    text = SEEN.format(setting="", more=more, inertial=inertial)
    spec = sinew.Spec.from_xml(text)
    before = spec.compile()
    gone = spec.discard_visual()
    theirs = newest.load(text.replace("<compiler ", '<compiler discardvisual="true" ')).get()
    m = spec.compile()
    assert compiled.differences(m, theirs, 1e-6) <= {
        "body_iquat",
        "geom_rgba",
        "mesh_quat",
        "geom_quat",
    }
    assert gone == 2 + 1 + 3 + 1
    assert (m.nmat, m.ntex, m.nmesh, m.ngeom) == (0, 0, 2, 3)
    np.testing.assert_allclose(m.body_mass, before.body_mass, rtol=1e-12)
    assert spec.geom("c").material is None and spec.discard_visual() == 0


def test_discard_what_weighs():
    spec = sinew.Spec.from_xml(SEEN.format(setting="", more='inertiafromgeom="true"', inertial=""))
    before = spec.to_xml()
    with pytest.raises(sinew.ModelError, match="inertiafromgeom"):
        spec.discard_visual()
    assert spec.to_xml() == before
    text = SEEN.format(setting="", more="", inertial="").replace(
        'objtype="geom" objname="told"', 'objtype="material" objname="b"'
    )
    kept = sinew.Spec.from_xml(text)
    kept.discard_visual()
    assert [e.name for e in kept.materials] == ["b"]


ASSETS = """<mujoco><asset>
<texture name="t1" type="2d" builtin="checker" width="8" height="8"/><texture name="t2" type="2d" builtin="checker" width="8" height="8"/>
<texture name="t3" type="2d" builtin="checker" width="8" height="16"/><texture name="f1" file="a.png"/><texture name="f2" file="a.png"/>
<material name="a" texture="t1"/><material name="b" texture="t2"/><material name="c" texture="t3"/>
<mesh name="m1" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/><mesh name="m2" vertex="0 0 0 1 0 0 0 1 0 0 0 1.0" scale="1 1 1"/>
<mesh name="m3" vertex="0 0 0  1 0 0  0 1 0  0 0 1" scale="2 2 2"/><mesh name="m4" class="big" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<default><mesh/><default class="big"><mesh scale="2 2 2"/><geom mesh="m4" material="b"/></default></default>
<worldbody><geom name="g1" type="mesh" mesh="m1" material="a"/><geom name="g2" type="mesh" mesh="m2" material="b"/>
<geom name="g3" class="big" type="mesh"/></worldbody></mujoco>""".replace(
    'height="8"', 'height="8"'
)


def test_dedup():
    spec = sinew.Spec.from_xml(ASSETS)
    before = spec.copy()
    for texture in (before.texture("f1"), before.texture("f2")):
        texture.remove()
    assert spec.dedup_assets() == 4
    assert [e.name for e in spec.textures] == ["t1", "t3", "f1"]
    assert [e.name for e in spec.meshes] == ["m1", "m3"]
    assert (
        spec.material("b").texture == "t1"
        and spec.geom("g2").mesh == "m1"
        and spec.geom("g3").mesh == "m3"
    )
    assert spec.dedup_assets() == 0
    spec.texture("f1").remove()
    one, other = before.compile(), spec.compile()
    np.testing.assert_array_equal(one.geom_size, other.geom_size)
    assert other.nmesh == 2 and other.ntex == 2 and list(other.mat_texid[:2, 1]) == [0, 0]


def test_dedup_of_attached_models():
    child = sinew.Spec.from_xml(
        '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body name="b"><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        assets={
            "m.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
        },
    )
    host = sinew.Spec()
    for i in range(3):
        host.attach(child, what=child.body("b"), prefix=f"{i}_")
    assert host.dedup_assets() == 2 and host.compile().nmesh == 1
    assert [g.mesh for g in host.geoms] == ["0_m"] * 3


def test_adopt():
    spec = sinew.Spec.from_xml(
        '<mujoco><compiler settotalmass="7"/><worldbody><frame scale="2"><body name="a" pos="1 0 0"><freejoint align="true"/>'
        '<geom name="g" type="box" size=".1 .2 .3" pos="0 0 .2" euler="10 20 30"/></body></frame><body name="b"><joint/>'
        "<geom size='.2'/></body></worldbody></mujoco>"
    )
    m = spec.compile()
    body = spec.body("a")
    body.adopt_inertial()
    (inertial,) = [e for e in body if e.tag == "inertial"]
    assert inertial.mass == pytest.approx(48) and body.children[0] == inertial
    assert compiled.differences(m, spec.compile(), 1e-9) <= {"body_iquat"}
    assert body.id == 1
    spec.geom("g").size = [1, 1, 1]
    assert spec.compile().body_mass[1] == pytest.approx(m.body_mass[1])
    body.adopt_inertial()  # it has one
    assert inertial.mass == pytest.approx(48)
    for wrong in (spec.world, spec.geom("g")):
        with pytest.raises((sinew.ModelError, ValueError), match="body"):
            wrong.adopt_inertial()
    spec.section("compiler").inertiafromgeom = "true"
    with pytest.raises(sinew.ModelError, match="inertiafromgeom"):
        spec.body("b").adopt_inertial()
    body.remove()
    with pytest.raises((sinew.ModelError, ValueError), match="removed"):
        body.adopt_inertial()
    spec.section("compiler").inertiafromgeom = "auto"
    spec.body("b").add("geom", type="mesh", mesh="none")
    for operation in (spec.body("b").adopt_inertial, spec.compile):
        with pytest.raises(sinew.ModelError, match="none"):
            operation()
