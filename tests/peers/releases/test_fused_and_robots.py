"""Rules of fusestatic, discardvisual and URDF: compiled fields of both meanings against both peers."""

import mujoco
import numpy as np
import pytest

import compiled
import newest
import sinew

GEOM = '<geom type="box" size=".1 .2 .3" pos="0 0 .3"/>'
FLUID = '<option density="1000"/>'


def fused(inner, rest="", compiler=""):
    return f"""<mujoco><compiler fusestatic="true" {compiler}/>{rest}<worldbody><body name="m"><freejoint/>{GEOM}
      {inner}</body></worldbody></mujoco>"""


KEPT = {  # bodies that stay, by 4.0 and before
    "density": (f'<body pos="1 0 0">{GEOM}</body>', FLUID, "", 3, 2),
    "viscosity": (f'<body pos="1 0 0">{GEOM}</body>', '<option viscosity=".1"/>', "", 3, 2),
    "wind alone": (f'<body pos="1 0 0">{GEOM}</body>', '<option wind="1 0 0"/>', "", 2, 2),
    "no mass": ('<body pos="1 0 0"><site/></body>', FLUID, "", 2, 2),
    "geom without mass": ('<body pos="1 0 0"><geom size=".1" mass="0"/></body>', FLUID, "", 2, 2),
    "shape without mass": ('<body><geom size=".1" mass="0" fluidshape="ellipsoid"/></body>', FLUID, "", 3, 2),
    "inertial": ('<body><inertial pos="0 0 1" mass="1" diaginertia="1 2 2.5"/></body>', FLUID, "", 3, 2),
    "group": ('<body><geom size=".1" group="4"/></body>', FLUID, 'inertiagrouprange="0 3"', 2, 2),
    "boundmass": ("<body><site/></body>", FLUID, 'boundmass=".1" boundinertia=".1"', 3, 2),
    "static below static": (f"<body>{GEOM}<body>{GEOM}</body></body>", FLUID, "", 4, 2),
    "static world": (f"</body><body>{GEOM}<body><joint/>{GEOM}</body>", FLUID, "", 3, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_bodies_in_a_fluid_stay(name):
    """FUSED_FORCES."""
    inner, rest, compiler, new, old = KEPT[name]
    text = fused(inner, rest, compiler)
    assert compiled.agree(text, "4.0", but=["body_iquat"]).nbody == new
    assert compiled.agree(text, "3.3.7", but=["body_iquat"]).nbody == old


def test_bodies_with_a_gravcomp_of_their_own_stay():
    text = fused(f'<body pos="1 0 0" gravcomp="1">{GEOM}</body>')
    assert compiled.agree(text, "4.0").nbody == 3
    assert compiled.ours(text, "3.3.7").nbody == 3  # where the peer loses it
    massless = fused('<body pos="1 0 0" gravcomp="1"><site/></body>')
    assert compiled.agree(massless, "4.0").nbody == 2
    assert compiled.ours(massless, "3.3.7").nbody == 3


def test_what_was_taken_in_is_in_its_place():
    """FUSED_FRAMES: the same under both, as 4.0.1 has it."""
    text = fused(
        f"""<body pos="1 0 0" euler="10 20 30"><inertial pos="0 .1 0" mass="1" diaginertia="1 2 2.5" euler="3 4 5"/>{GEOM}
          <camera pos="0 0 1" euler="10 0 0"/><light pos="0 1 0" dir="1 0 0"/></body><body name="n" pos="2 0 0">{GEOM}</body>""",
        '<sensor><framepos objtype="body" objname="n"/></sensor>',
    )
    old, new = (compiled.ours(text, p) for p in compiled.PHYSICS)
    assert compiled.differences(new, compiled.peer(text, "4.0")) == set()
    assert compiled.differences(old, new, 1e-6) == set() and new.nbody == 3


VISUAL = '<geom name="v" type="box" size=".1 .2 .3" pos="1 0 0" contype="0" conaffinity="0" {}/>'


def discarded(geom, compiler="", rest=""):
    return f"""<mujoco><compiler discardvisual="true" {compiler}/><worldbody><body name="m"><freejoint/>
      <geom type="box" size=".1 .2 .3"/>{geom}</body></worldbody>{rest}</mujoco>"""


def test_shapes_in_a_fluid_are_not_discarded():
    """DISCARDED_FLUID_SHAPES."""
    text = discarded(VISUAL.format('fluidshape="ellipsoid"'))
    old, new = compiled.models(text)
    assert (old.ngeom, new.ngeom) == (1, 2)
    named = discarded(
        VISUAL.format('fluidshape="ellipsoid"'),
        rest='<custom><tuple name="t"><element objtype="geom" objname="v"/></tuple></custom>',
    )
    assert compiled.differences(*compiled.models(named)) == set()


def test_discarding_what_weighs():
    """REFUSED: with inertiafromgeom="true" 4.0 refuses to discard what has mass; the mass stays here."""
    text = discarded(VISUAL.format(""), 'inertiafromgeom="true"')
    with pytest.raises(ValueError, match="inertiafromgeom"):
        newest.load(text)
    with pytest.warns(sinew.ModelWarning, match="inertiafromgeom"):
        new = compiled.ours(text, "4.0")
    old = compiled.agree(text, "3.3.7", tolerance=1e-8)
    assert compiled.differences(old, new, 1e-8) == set()
    with pytest.raises(sinew.ModelError, match="inertiafromgeom"):
        compiled.ours(text, "4.0", strict=True)
    for mend in (
        discarded(VISUAL.format(""), 'inertiafromgeom="auto"'),
        discarded(VISUAL.format('mass="0"'), 'inertiafromgeom="true"'),
        discarded(VISUAL.format('group="4"'), 'inertiafromgeom="true" inertiagrouprange="0 3"'),
    ):
        compiled.agree(mend, "4.0", tolerance=1e-8)


LINK = """<link name="{}"><inertial><origin xyz=".1 0 0"/><mass value="1"/>
  <inertia ixx=".1" iyy=".2" izz=".25" ixy="0" ixz="0" iyz="0"/></inertial>{}</link>"""
JOINT = """<joint name="j{0}{1}" type="{2}"><parent link="{0}"/><child link="{1}"/><origin xyz="0 0 .5"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="3" velocity="4"/>{3}</joint>"""
TEXTS = (
    "ntext ntextdata text_adr text_size name_textadr".split()
)  # of ours: that inertias are taken as they are


def robot(*joints, shape=""):
    return (
        '<robot name="r">'
        + "".join(LINK.format(n, shape) for n in "abcd")
        + "".join(JOINT.format(*j) for j in joints)
        + "</robot>"
    )


def test_continuous_joints():
    """CONTINUOUS_JOINTS."""
    text = robot(("a", "b", "continuous", ""), ("b", "c", "revolute", ""), ("c", "d", "fixed", ""))
    new = compiled.agree(text, "4.0", but=TEXTS)
    old = compiled.ours(text, "3.3.7")  # whose peer has what is fixed to the last link elsewhere
    assert (old.jnt_range == compiled.peer(text, "3.3.7").jnt_range).all()
    assert compiled.differences(old, new, 1e-6) == {"jnt_range", "jnt_limited"}
    assert list(new.jnt_limited) == [False, True] and list(new.jnt_actfrcrange[0]) == [-3, 3]


def test_continuous_joints_of_specs():
    """A robot's spec means either, whatever it was read as; a range that a program sets stays."""
    text = robot(("a", "b", "continuous", ""), ("b", "c", "revolute", ""), ("c", "d", "fixed", ""))
    for first in (None, *compiled.PHYSICS):
        spec = sinew.Spec.from_xml(text, **({"physics": first} if first else {}))
        ranges = [spec.copy().compile(physics=p).jnt_range[0].tolist() for p in compiled.PHYSICS]
        assert ranges == [[-1, 1], [0, 0]]
        assert sinew.Spec.from_xml(spec.to_xml()).compile().jnt_range[0].tolist() == (
            [-1, 1] if first == "3.3.7" else [0, 0]
        )
    spec = sinew.Spec.from_xml(text)
    next(iter(spec.joints)).range = [-2, 2]
    assert spec.compile(physics="4.0").jnt_range[0].tolist() == [-2, 2]


def robot_of(links, joints, compiler):
    """Links: name, mass, moments; joints: as JOINT has them."""
    shape = """<link name="{}"><inertial><origin xyz=".1 0 0"/><mass value="{}"/>
      <inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    return f"""<robot name="r"><mujoco><compiler {compiler}/></mujoco><link name="w"/>
      {"".join(shape.format(*link) for link in links)}{"".join(JOINT.format(*j, "") for j in joints)}</robot>"""


LIGHT = ("a", 1, 0.1, 0.1, 0.1), ("b", 0.2, 0.001, 0.001, 0.002), ("c", 0.1, 0.01, 0.02, 0.025)
UNBALANCED = ("a", 1, 0.1, 0.1, 0.1), ("b", 0.2, 0.001, 0.002, 0.5), ("c", 0.1, 0.01, 0.02, 0.025)
MOVING = ("w", "a", "revolute"), ("a", "b", "fixed"), ("b", "c", "revolute")
BOUNDED = ['boundmass=".5"', 'boundinertia=".015"', 'boundmass=".3" boundinertia=".015" balanceinertia="true"', 'boundmass="1e-6"']  # fmt: skip


@pytest.mark.parametrize("physics", compiled.PHYSICS)
@pytest.mark.parametrize("fuse", ["true", "false"])
@pytest.mark.parametrize("bound", BOUNDED)
def test_bounds_of_a_robots_masses(bound, fuse, physics):
    """Each link is bounded, and then fused, as in both peers."""
    for links in (LIGHT, UNBALANCED) if "balance" in bound else (LIGHT,):
        text = robot_of(links, MOVING, f'{bound} fusestatic="{fuse}"')
        ours, theirs = compiled.ours(text, physics), compiled.peer(text, physics)
        np.testing.assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-12)
        if (
            fuse == "false" or physics == "4.0"
        ):  # 3.3.7 puts the mass of turned parts elsewhere: FUSED_FRAMES
            np.testing.assert_allclose(ours.body_inertia, theirs.body_inertia, rtol=1e-6)
            np.testing.assert_allclose(ours.body_ipos, theirs.body_ipos, atol=1e-12)


def test_mimic():
    """MIMIC: the same under both, as 4.0.1 has it."""
    follows = '<mimic joint="jab" multiplier="2" offset=".5"/>'
    text = robot(
        ("a", "b", "revolute", ""), ("b", "c", "revolute", follows), ("c", "d", "fixed", "")
    )
    old, new = (compiled.ours(text, p) for p in compiled.PHYSICS)
    peer = compiled.peer(text, "4.0")
    assert compiled.differences(old, new) == set()
    assert compiled.differences(new, peer) - set(TEXTS) == {
        "eq_data"
    }  # of which 4.0's has a number more
    assert (new.eq_data == peer.eq_data[:, :11]).all() and list(new.eq_data[0, :2]) == [0.5, 2]
    assert compiled.peer(text, "3.3.7").neq == 0


TETRAHEDRON = "v 0 0 0\nv {} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_paths_of_meshes(tmp_path):
    """STRIPPED_PATHS: the same under both, as 4.0.1 has it."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/stripped.obj").write_text(TETRAHEDRON.format(1.5))
    (tmp_path / "stripped.obj").write_text(TETRAHEDRON.format(3))
    shape = '<collision><geometry><mesh filename="meshes/stripped.obj"/></geometry></collision>'
    path = tmp_path / "r.urdf"
    path.write_text(
        robot(
            ("a", "b", "revolute", ""),
            ("b", "c", "revolute", ""),
            ("c", "d", "revolute", ""),
            shape=shape,
        )
    )
    models = [sinew.Model.from_path(path, physics=p) for p in compiled.PHYSICS]
    radius = newest.load(path).get("geom_rbound").geom_rbound
    for m in models:
        assert m.geom_rbound == pytest.approx(radius, abs=1e-6)
    assert mujoco.MjModel.from_xml_path(str(path)).geom_rbound[0] > 1.2 * radius[0]
