"""sinew convert --physics 4.0: models of 3.3.7 written so that they mean the same there."""

import mujoco
import numpy as np
import pytest

import newest
import peer_engine
import sinew as package
from meetings import PARAMETERS

FIELDS = ("dist", *PARAMETERS)


@pytest.fixture
def migrated(sinew, tmp_path):
    """What the command writes of a text, and what it says."""

    def migrate(text, *options, ok=True, physics="4.0"):
        (tmp_path / "old.xml").write_text(text)
        done = sinew(
            "convert", "--physics", physics, "old.xml", "new.xml", *options, code=0 if ok else 1
        )
        return (tmp_path / "new.xml").read_text() if ok else None, done.stderr

    return migrate


def contacts(con, name):
    """What contacts are by the names of their geoms, in an order that no release has."""
    rows = []
    for i in range(len(con.dist)):
        names = sorted(name(int(g)) for g in con.geom[i])
        rows.append((names, np.concatenate([np.ravel(getattr(con, f)[i]) for f in FIELDS])))
    return sorted(rows, key=lambda row: row[0])


def of_package(m):
    d = package.Data(m)
    package.forward(m, d)
    return contacts(d.contact, lambda g: m.geom(g).name)


def of_peer(peer, m):
    peer.call("mj_forward")
    return contacts(peer.look("contact").contact, lambda g: m.geom(g).name)


def assert_same(a, b):
    assert [row[0] for row in a] == [row[0] for row in b]
    for (_, x), (_, y) in zip(a, b, strict=True):
        np.testing.assert_allclose(x, y, atol=1e-14)


def scene(seed):
    """Spheres of many margins and gaps on free, mocap and static bodies that hang together, and some pairs."""
    rng = np.random.default_rng(seed)
    count = 0
    margins = [[0, 0], [0.02, 0], [0.02, 0.01], [0.05, 0.03]][: rng.integers(1, 5)]

    def geom():
        nonlocal count
        count += 1
        margin, gap = margins[rng.integers(len(margins))]
        x, y, z = rng.uniform(-0.25, 0.25, 3)
        return (
            f'<geom name="g{count}" size="{rng.uniform(0.05, 0.12):.3f}" pos="{x:.3f} {y:.3f} {z:.3f}" margin="{margin}" gap="{gap}" '
            f'solref="{rng.uniform(0.01, 0.1):.3f} 1" friction="{rng.uniform():.2f}" condim="{rng.choice([1, 3, 4])}" '
            f'contype="{rng.integers(1, 4)}" conaffinity="{rng.integers(1, 4)}"/>'
        )

    def body(depth):
        joint = rng.choice(["", "<joint/>", "<freejoint/>"] if depth == 0 else ["", "<joint/>"])
        mocap = 'mocap="true"' if depth == 0 and not joint and rng.random() < 0.7 else ""
        x, y, z = rng.uniform(-0.2, 0.2, 3)
        inside = "".join(geom() for _ in range(rng.integers(1, 4)))
        below = "".join(body(depth + 1) for _ in range(rng.integers(3) if depth < 2 else 0))
        inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        return f'<body {mocap} pos="{x:.3f} {y:.3f} {z:.3f}">{joint}{inertia}{inside}{below}</body>'

    bodies = "".join(body(0) for _ in range(rng.integers(4, 7)))
    first, second = rng.choice(count, 2, replace=False) + 1
    pair = f'<contact><pair geom1="g{first}" geom2="g{second}" margin=".06" gap=".02"/></contact>'
    return f'<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" margin=".03"/>{bodies}</worldbody>{pair}</mujoco>'


@pytest.mark.parametrize("seed", range(12))
def test_contacts_stay(migrated, seed):
    text = scene(seed)
    new, _ = migrated(text)
    old_model, new_model = (
        package.Model.from_xml(text, physics="3.3.7"),
        package.Model.from_xml(new),
    )
    assert (old_model.physics, new_model.physics) == ("3.3.7", "4.0")
    want = of_package(old_model)
    assert len(want) > 3
    assert_same(of_package(new_model), want)
    assert_same(of_peer(newest.load(new), new_model), want)
    assert_same(of_peer(peer_engine.Model(peer_engine.Here(mujoco), text), old_model), want)


def test_equal_margins_are_halved(migrated):
    text = """<mujoco><default><geom margin=".01" gap=".004"/></default><worldbody>
      <geom name="floor" type="plane" size="0 0 1" margin="0" gap="0"/>
      <body><freejoint/><geom size=".1"/></body><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    new, said = migrated(text)
    m = package.Model.from_xml(new)
    np.testing.assert_array_equal(m.geom_margin, [0.003] * 3)
    np.testing.assert_array_equal(m.geom_gap, [0.002] * 3)
    assert m.npair == 0 and said == ""


CLOTH = """<worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody><deformable>
      <flex name="f" body="b" element="0 1 2" vertex="0 0 0 1 0 0 0 1 0">%s</flex></deformable>"""
NAMED = {
    CLOTH % '<contact margin=".1"/>': "gaps lie beyond margins",
    CLOTH % '<contact condim="1"/>': None,
    '<worldbody><site name="s"/></worldbody><sensor>\n<accelerometer site="s"/></sensor>': "gravity",
    """<worldbody><body><joint/><geom size="1"/><site name="s"/></body><site name="t"/></worldbody>
      <tendon><spatial><site site="s"/><site site="t"/></spatial></tendon><sensor><force site="s"/></sensor>""": "spatial tendons",
    """<worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody><equality>
      <connect body1="b" anchor="0 0 0"/></equality>""": "term of the velocity",
    """<worldbody><geom size="1"/><body><freejoint/>
      <geom type="box" size="1 1 1"/></body><body><freejoint/><geom size="1"/></body></worldbody>""": None,
    """<worldbody><geom type="plane" size="1 1 1"/><body><freejoint/>
      <geom type="box" size="1 1 1"/></body><body><freejoint/><geom name="other" type="box" size="1 1 1"/></body></worldbody>""": "boxes",
    '\n<option integrator="RK4"/><worldbody><body><joint type="ball"/><geom size="1"/></body></worldbody>': "fourth order",
    '\n<option integrator="RK4"/><worldbody><body><joint/><geom size="1"/></body></worldbody>': None,
    '\n<option integrator="implicitfast"/><worldbody><body><freejoint/><geom size="1"/></body></worldbody>': "lone free bodies",
    """<worldbody><site name="a" pos="-1 0 0"/><geom name="w" size=".2"/><site name="s" pos="0 0 1"/><body><joint/><geom size=".1"
      pos="1 0 0"/><site name="b" pos="1 0 0"/></body></worldbody><tendon><spatial><site site="a"/><geom geom="w" sidesite="s"/><site site="b"/></spatial></tendon>""": "side site",
    '\n<option><flag multiccd="enable"/></option><worldbody/>': "flag multiccd",
    """<worldbody><body><joint name="j" type="ball"/><geom size="1"/></body></worldbody><actuator>
      <position joint="j" kp="1"/></actuator>""": "half a turn",
    '\n<option><flag override="enable"/></option><worldbody><geom size="1" gap=".1"/></worldbody>': "flag override",
    """<compiler fusestatic="true"/><option density="1"/><worldbody><body><joint/><geom size=".1"/>
      <body name="b" pos="1 0 0"><geom size=".1"/></body></body></worldbody>""": "fusestatic keeps",
    """<option density="1"/><worldbody><body><joint/><geom size=".1"/><body pos="1 0 0"><geom size=".1"/></body></body></worldbody>
      <compiler fusestatic="true"/>""": "fusestatic keeps",
    """<compiler discardvisual="true"/><worldbody><body><joint/><geom size=".1"/>
      <geom name="g" size=".1" contype="0" conaffinity="0" mass="0" fluidshape="ellipsoid"/></body></worldbody>""": "discardvisual keeps",
    """<asset>
      <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="-1 1 1"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody>""": "turned over",
}


@pytest.mark.parametrize(("inside", "words"), NAMED.items(), ids=lambda x: x[-20:] if x else None)
def test_what_has_no_equivalent_is_named(migrated, inside, words):
    _, said = migrated(f"<mujoco>{inside}</mujoco>")
    if words is None:
        assert said == ""
        return
    assert said.startswith("warning: <") and words in said and "old.xml:2" in said
    _, said = migrated(f"<mujoco>{inside}</mujoco>", "--strict", ok=False)
    assert words in said


def test_other_hulls_are_named(migrated):
    points = " ".join(f"{x:.3f}" for x in np.random.default_rng(0).normal(size=180))
    mesh = f"""<mujoco><asset>
      <mesh name="m" vertex="{points}" maxhullvert="8"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    _, said = migrated(mesh)
    assert "its hull has other vertices" in said and "old.xml:2" in said
    assert migrated(mesh.replace('maxhullvert="8"', ""))[1] == ""


TEXT_4 = '<custom><text name="sinew_physics" data="4.0"/></custom>'
BACK = {
    CLOTH % '<contact gap=".1"/>': "gaps lie beyond margins",
    '\n<worldbody><geom size="1" margin=".1"/></worldbody>': "added to those",
    """<worldbody>
      <body mocap="true"><geom size="1"/></body></worldbody>""": "across a joint",
    """<worldbody><site name="s"/></worldbody><sensor>
      <accelerometer site="s"/></sensor>""": "gravity in it",
    '\n<option integrator="RK4"/><worldbody><body><freejoint/><geom size="1"/></body></worldbody>': "fourth order",
}


@pytest.mark.parametrize(("inside", "words"), BACK.items(), ids=lambda x: x[-20:])
def test_what_3_3_7_cannot_say_is_named(migrated, inside, words):
    text = f"<mujoco>{inside}{TEXT_4}</mujoco>"
    new, said = migrated(text, physics="3.3.7")
    assert words in said and "3.3.7 cannot say" in said and "old.xml:2" in said
    assert package.Model.from_xml(new).physics == "3.3.7"


NEWER = {
    '<option integrator="discrete"/>': "<option>",
    '<option><flag sleep="enable"/></option>': "<flag>",
    '<worldbody><geom name="g" size="1" surfacevel="1 0 0 0 0 0"/></worldbody>': '<geom name="g">',
    '<worldbody><body><joint name="j" damping="1 2"/><geom size="1"/></body></worldbody>': '<joint name="j">',
    """<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>
<pid name="p" joint="j"/></actuator>""": '<pid name="p">',
    """<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><sensor>
<jointpos name="s" joint="j" nsample="3"/></sensor>""": '<jointpos name="s">',
}


@pytest.mark.parametrize(("inside", "element"), NEWER.items(), ids=lambda x: x[-12:])
def test_what_3_3_7_has_no_words_for_stays_where_it_is(migrated, inside, element):
    """An error names each with its line, and nothing is written."""
    line = 1 + inside.count("\n") + 1
    _, said = migrated(f"<mujoco>{TEXT_4}\n{inside}</mujoco>", physics="3.3.7", ok=False)
    assert (
        said.startswith(f"sinew: {element}") and "came after" in said and f"old.xml:{line}" in said
    )


def test_back_to_3_3_7(migrated):
    """What has an equivalent stays: flags, damping, inertia, bounds, limits of tendons."""
    text = f"""<mujoco>{TEXT_4}<worldbody><geom type="plane" size="0 0 1"/><body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>
      <inertial pos="0 0 .1" mass="1" fullinertia="1 1.000001 1.1 1e-10 0 2e-10"/><body pos=".5 0 0"><joint axis="0 1 0"/>
      <geom size=".1" pos=".3 0 0"/></body></body></worldbody><tendon><fixed actuatorfrcrange="-1 1"><joint joint="j" coef="1"/></fixed></tendon>
      <actuator><position joint="j" kp="100" dampratio="1"/></actuator></mujoco>"""
    new, _ = migrated(text, physics="3.3.7")
    old, now = package.Model.from_xml(text), package.Model.from_xml(new)
    assert (old.physics, now.physics) == ("4.0", "3.3.7")
    for name in ("body_iquat", "body_inertia", "actuator_biasprm", "tendon_actfrclimited"):
        np.testing.assert_allclose(getattr(old, name), getattr(now, name), rtol=1e-14, atol=1e-15)
    assert old.opt.enableflags == now.opt.enableflags
    assert old.stat.extent == now.stat.extent and (old.stat.center == now.stat.center).all()


def test_continuous_joints_keep_their_range(sinew, tmp_path):
    link = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    joint = """<joint name="j" type="continuous"><parent link="a"/><child link="b"/><limit lower="-1" upper="1"/></joint>"""
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r">{link.format("a")}{link.format("b")}{joint}</robot>'
    )
    sinew("convert", "--physics", "4.0", "r.urdf", "r.xml")
    m = package.Model.from_path(str(tmp_path / "r.xml"))
    assert m.physics == "4.0" and m.jnt_range[0].tolist() == [-1, 1]


def test_of_4_0_already(migrated):
    text = '<mujoco><custom><text name="sinew_physics" data="4.0"/></custom><worldbody><geom size="1" margin=".1" gap=".1"/></worldbody></mujoco>'
    new, said = migrated(text)
    assert 'margin="0.10000000000000001"' in new or 'margin=".1"' in new
    assert said == "" and "multiccd" not in new


def test_flag_multiccd(migrated):
    for flag, bits in (("", 0), ('<option><flag multiccd="enable"/></option>', 16)):
        new, _ = migrated(f"<mujoco>{flag}</mujoco>")
        assert package.Model.from_xml(new).opt.enableflags == bits


def test_numbers_of_classes_stay(migrated):
    """Classes, frames and shortcuts are worked in as 3.3.7 means them."""
    text = """<mujoco><default><position kp="7"/><geom quat="1 1 0 0"/></default><worldbody>
      <geom type="plane" size="0 0 1"/><frame pos="0 0 1" euler="0 90 0"><body>
        <inertial pos="0 0 .1" mass="1" diaginertia="1 2 2.5"/><joint name="j"/>
        <geom size=".1 .1" type="capsule" euler="0 0 30"/></body></frame></worldbody>
      <actuator><motor joint="j"/><position joint="j"/><velocity joint="j"/><cylinder joint="j" bias="1 2 3"/></actuator></mujoco>"""
    new, _ = migrated(text)
    old, now = package.Model.from_xml(text, physics="3.3.7"), package.Model.from_xml(new)
    peer = newest.load(new)
    for name in ("gainprm", "biasprm", "dyntype", "gaintype", "biastype"):
        field = "actuator_" + name
        np.testing.assert_array_equal(getattr(old, field), getattr(now, field))
        np.testing.assert_array_equal(getattr(old, field), peer.get(field).__dict__[field])
    for name in ("geom_quat", "body_ipos", "body_pos", "body_quat", "body_inertia"):
        np.testing.assert_allclose(getattr(old, name), getattr(now, name), atol=1e-15)
    assert old.stat.extent == now.stat.extent and (old.stat.center == now.stat.center).all()


def test_axes_of_inertia_stay(migrated):
    text = """<mujoco><worldbody><body><freejoint/><inertial pos="0 0 .1" mass="1" fullinertia="1 1.000001 1.1 1e-10 0 2e-10"/></body>
      <body><joint/><geom type="box" size=".0003 .0002 .0001"/><geom type="box" size=".0003 .0002 .0001" pos=".0004 .0001 0"/></body>
    </worldbody></mujoco>"""
    new, _ = migrated(text)
    old, now = package.Model.from_xml(text, physics="3.3.7"), package.Model.from_xml(new)
    assert (
        np.abs(old.body_iquat - package.Model.from_xml(text, physics="4.0").body_iquat).max() > 1e-6
    )
    for name in ("body_iquat", "body_inertia", "body_mass", "body_ipos", "dof_invweight0"):
        np.testing.assert_allclose(getattr(old, name), getattr(now, name), rtol=1e-14, atol=1e-15)


def test_damping_ratios_become_numbers(migrated):
    text = """<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></body></worldbody>
      <actuator><position joint="j" kp="100" dampratio="1"/><general joint="k" biastype="affine" gainprm="50" biasprm="0 -50 .7"/>
      </actuator></mujoco>"""
    new, _ = migrated(text)
    old, now = package.Model.from_xml(text, physics="3.3.7"), package.Model.from_xml(new)
    np.testing.assert_allclose(now.actuator_biasprm, old.actuator_biasprm, rtol=1e-15)


def test_files_and_warnings(sinew, tmp_path):
    (tmp_path / "in/meshes").mkdir(parents=True)
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    (tmp_path / "in/meshes/rock.obj").write_text("\n".join(f"v {x} {y} {z}" for x, y, z in corners))
    (
        tmp_path / "in/a.xml"
    ).write_text("""<mujoco><compiler meshdir="meshes"/><asset><mesh file="rock.obj"/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="rock" margin=".02"/></body></worldbody></mujoco>""")
    said = sinew("convert", "--physics", "4.0", "in/a.xml", "b.xml").stderr
    assert package.Model.from_path(str(tmp_path / "b.xml")).physics == "4.0", said
    sinew("convert", "in/a.xml", "a.snb")
    sinew("convert", "--physics", "4.0", "a.snb", "c.xml")
    assert package.Model.from_path(str(tmp_path / "c.xml")).nmesh == 1


def test_compiled_files(sinew, tmp_path):
    (tmp_path / "a.xml").write_text(
        '<mujoco><worldbody><geom size="1" margin=".1"/><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    )
    sinew("convert", "a.xml", "a.snb")
    sinew("convert", "--physics", "4.0", "a.snb", "b.snb")
    m = package.Model.from_path(str(tmp_path / "b.snb"))
    assert m.physics == "4.0" and m.geom_margin.sum() == pytest.approx(0.1)
