"""REFUSED and NEWER_NAMES: what 4.0 has no longer and what 3.3.7 has not yet; peers where they load it."""

import warnings

import mujoco
import pytest

import compiled
import newest
import sinew

JOINTS = """<worldbody><body><joint name="hinge"/><geom size=".1"/></body>
  <body><joint name="ball" type="ball"/><geom size=".1"/></body></worldbody>"""
FIELD = '<asset><hfield name="h" nrow="{}" ncol="{}" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody>'
OUTDATED = {
    "one row": (FIELD.format(1, 2), "two rows"),
    "one column": (FIELD.format(2, 1), "two rows"),
    "tendon over a ball": (JOINTS + '<tendon><fixed><joint joint="ball" coef="1"/></fixed></tendon>', "hinge or slide"),
    "tendon twice over a joint": (
        JOINTS + '<tendon><fixed><joint joint="hinge" coef="1"/><joint joint="hinge" coef="2"/></fixed></tendon>', "add the coefficients",
    ),
    "composite": (
        '<worldbody><composite type="cable" curve="s" count="5 1 1" size="1"><geom type="capsule" size=".01"/></composite></worldbody>',
        "write the bodies",
    ),
    "orthographic": ('<worldbody><camera orthographic="true" fovy="2"/></worldbody>', "projection"),
    "orthographic in a class": ('<default><camera orthographic="true"/></default><worldbody><camera fovy="2"/></worldbody>', "projection"),
    "camera without pixels": (
        '<worldbody><camera resolution="10 0" sensorsize="1 1" focal="1 1"/></worldbody>', "positive resolution",
    ),
}  # fmt: skip
BOTH = {  # warned of under either meaning
    "pulley": (
        '<worldbody><site name="a"/><site name="b" pos="1 0 0"/></worldbody><tendon><spatial><site site="a"/><site site="b"/>'
        '<pulley divisor="0"/><site site="a"/><site site="b"/></spatial></tendon>', "divisor",
    ),
    "negative armature": (
        JOINTS + '<tendon><fixed armature="-.01"><joint joint="hinge" coef="1"/></fixed></tendon>', "armature",
    ),
    "reftype": (
        '<worldbody><site name="s"/></worldbody><sensor><framepos objtype="site" objname="s" reftype="foo" refname="s"/></sensor>',
        "reftype",
    ),
    "kv": (
        JOINTS + '<actuator><intvelocity joint="hinge" kv="-1" actrange="0 1"/></actuator>', "kv",
    ),
}  # fmt: skip


def told(text, physics):
    """Our model and its warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        return sinew.Model.from_xml(text, physics=physics), " ".join(str(w.message) for w in found)


@pytest.mark.parametrize("name", OUTDATED | BOTH)
def test_what_later_releases_refuse_loads_with_a_warning(name):
    body, words = (OUTDATED | BOTH)[name]
    text = f"<mujoco>{body}</mujoco>"
    mujoco.MjModel.from_xml_string(text)
    with pytest.raises(ValueError, match=""):
        newest.load(text)
    model, said = told(text, "4.0")
    assert words in said and " at text:" in said
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text, physics="4.0", strict=True)
    before, silent = told(text, "3.3.7")
    assert bool(silent) == (name in BOTH)
    unlike = compiled.differences(before, model)
    assert unlike <= {"actuator_ctrlspec"}  # which input a control is, is not said under 3.3.7


NEWER = {
    '<option integrator="discrete"><flag ipc="enable"/></option>': "ipc",
}


@pytest.mark.parametrize("body", NEWER)
def test_newer_names(body):
    text = f"<mujoco>{body}</mujoco>"
    newest.load(text)
    with pytest.raises(sinew.NotSupportedError, match=r"came after.*3\.3\.7"):
        told(text, "3.3.7")
    with pytest.raises(sinew.NotSupportedError, match=NEWER[body]) as later:
        told(text, "4.0")
    assert "not supported yet" in str(later.value) and "3.3.7" not in str(later.value)


READ = {
    '<worldbody><body><geom size="1" adhesion="1"/></body></worldbody>': "adhesion",
    '<worldbody><geom size="1" surfacevel="1"/></worldbody>': "surfacevel",
    '<default><pair adhesion="1"/></default><worldbody/>': "adhesion",
    '<worldbody><body simple="false"><geom size="1"/></body></worldbody>': "simple",
    '<worldbody><body fuse="false"><geom size="1"/></body></worldbody>': "fuse",
    '<option><flag diagexact="enable"/></option>': "diagexact",
    '<option><flag speculative="enable"/></option>': "speculative",
}


@pytest.mark.parametrize("body", READ)
def test_newer_names_that_are_read(body):
    text = f"<mujoco>{body}</mujoco>"
    newest.load(text)
    assert told(text, "4.0")[1] == ""
    with pytest.raises(sinew.NotSupportedError, match=rf"'{READ[body]}' came after.*3\.3\.7"):
        told(text, "3.3.7")


def test_newer_looks_are_passed_over_by_older_meanings():
    text = '<mujoco><worldbody><geom size="1" castshadow="false"/></worldbody></mujoco>'
    assert told(text, "4.0")[1] == "" and "3.3.7" in told(text, "3.3.7")[1]


PART = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'


@pytest.fixture
def include(tmp_path):
    """Writes a model that includes two paths, beside part.xml and sub/part.xml, which sub/inner.xml includes."""
    (tmp_path / "sub").mkdir()
    for name in ("part.xml", "sub/part.xml"):
        (tmp_path / name).write_text(PART)
    (tmp_path / "link.xml").symlink_to("part.xml")
    (tmp_path / "sub/inner.xml").write_text('<mujoco><include file="own.xml"/></mujoco>')
    (tmp_path / "sub/own.xml").write_text(PART)

    def write(*paths):
        names = [p.replace("HERE", str(tmp_path)) for p in paths]
        (tmp_path / "m.xml").write_text(
            "<mujoco>" + "".join(f'<include file="{n}"/>' for n in names) + "</mujoco>"
        )
        return tmp_path / "m.xml"

    return write


@pytest.mark.parametrize(
    "paths",
    [
        ("part.xml", "HERE/part.xml"),
        ("sub/own.xml", "sub/inner.xml"),
        ("sub/inner.xml", "sub/own.xml"),
    ],
)
def test_one_file_by_two_paths(include, paths):
    path = include(*paths)
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == 3
    with pytest.raises(ValueError, match="already included"):
        newest.load(path)
    assert sinew.Model.from_path(path, physics="3.3.7", strict=True).nbody == 3
    with pytest.warns(sinew.ModelWarning, match="by another path"):
        assert sinew.Model.from_path(path, physics="4.0").nbody == 3
    with pytest.raises(sinew.ModelError, match="by another path"):
        sinew.Model.from_path(path, physics="4.0", strict=True)


def test_a_link_is_a_file_of_its_own(include):
    path = include("part.xml", "link.xml")
    assert newest.load(path).get("nbody").nbody == 3
    for physics in compiled.PHYSICS:
        assert sinew.Model.from_path(path, physics=physics, strict=True).nbody == 3


@pytest.mark.parametrize("second", ["part.xml", "./part.xml", "sub/../part.xml", "m.xml"])
def test_one_path_twice_is_an_error(include, second):
    path = include("part.xml", second)
    for physics in compiled.PHYSICS:
        with pytest.raises(sinew.ModelError, match="included already"):
            sinew.Model.from_path(path, physics=physics)
    with pytest.raises(ValueError, match="already included"):
        newest.load(path)
