"""What goes wrong in programs under MuJoCo's names: errors with and without handlers, buffers, exceptions, strangers' bytes."""

import pathlib
import subprocess

import mujoco
import pytest

from c_compile import compile_with, run

SOURCE = pathlib.Path(__file__).parent / "faults.cc"


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """What the program prints of a fault, run in a folder of its own."""
    folder = tmp_path_factory.mktemp("faults")
    compile_with("ours", SOURCE, folder / "faults")
    return lambda *arguments: run([folder / "faults", *arguments], cwd=folder)


def test_an_error_without_a_handler_ends_the_process(faults, tmp_path):
    compile_with("ours", SOURCE, tmp_path / "faults")
    command = [tmp_path / "faults", "unhandled"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == "WARNING: first\nERROR: then 100% wrong\n"
    assert [path.name for path in tmp_path.iterdir()] == ["faults"]  # no log


def test_texts_are_cut_to_the_buffer(faults):
    first, second, third = faults("buffers").splitlines()
    assert first == "111kept1cannot read 'äöü.xml': No such file or directory"
    assert second.startswith("1cannot read ''")
    assert len(third) > 10 and third[0] == "1"


def test_names_that_are_none(faults):
    said = faults("nothing").splitlines()
    assert said[4].startswith("mj_saveModel: the buffer has 0 bytes, the model ")
    del said[4]
    assert said == [
        "-1 -1 -1",
        "1 1",
        "0 1",
        "0there is no such actuator",
        "cannot write 'no/such/folder/m.mjb': No such file or directory",
        'cannot write "no/such/folder/m.txt": No such file or directory',
        "'%s' is no format of a number; the default is used instead",
        "0",
        "no model was loaded by mj_loadXML",
        "1 1",
    ]


def test_exceptions_leave_nothing_behind(faults):
    assert faults("exceptions") == "200 0 0.002\n"


def test_a_handler_may_return(faults):
    """Every function tells once and does nothing."""
    said = [line for line in faults("returns").splitlines() if line not in ("0", "1")]
    beginnings = [
        "mj_setKeyframe: no keyframe 0",
        "mj_stateSize: the signature 4294967295",
        "mj_RungeKutta: the order is 3",
        "mjd_transitionFD: ",
        "mj_freeStack: there is no mark",
        "the arena of the data has no room",
        "the arena of the data has no room",
        "mj_warning: there is no warning 77",
        "mjv_makeScene: maxgeom is -1",
        "mjv_updateScene: there is no camera 5",
        "mjv_moveCamera: ",
        "mj_copyModel: the models have other sizes",
        "mj_addContact: dim of a contact is 0",
        "cannot load the plugin library 'plugin.so': cannot read 'plugin.so'",
        "mju_getXMLDependencies: cannot read 'none.xml'",
    ]
    assert len(said) == len(beginnings)
    assert all(line.startswith(begin) for line, begin in zip(said, beginnings, strict=True))


def test_elements_that_cannot_be(faults):
    said = faults("elements").splitlines()
    assert said == [
        "0<geom>: size[0] is 0, a sphere needs it positive at text",
        "type of a geom is 99, which it cannot be",
        "type of a geom is 99, which it cannot be",
        "a source",
        '<geom>: density="nan": nan is not a number at text',
        '<geom>: material="none": there is no such material at text',
        "limited of a joint is 7, which it cannot be",
        "compiled",
        "<general>: it drives nothing, give it a joint, a tendon, a site or a body at text",
        '<general>: joint="none": there is no such joint at text',
        "compiled",
        "-1",
        "<worldbody> cannot be removed",
        "<geom> cannot hold what is attached: give a body, a frame, a site or the world",
        "10",
        "compiled",
        "1",
        "001",
        "a material of several textures: write its <layer>s as text; only mjTEXROLE_RGB is taken here",
        "compiled",
        "the world has no members",
    ]


def test_bytes_that_are_no_model(faults, tmp_path):
    theirs, cut = tmp_path / "peer.mjb", tmp_path / "cut.mjb"
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string("<mujoco/>"), str(theirs))
    cut.write_bytes(theirs.read_bytes()[:10])
    for path, words in (
        (theirs, "MuJoCo's .mjb is another format"),
        (cut, "model"),
        ("none.mjb", "cannot read"),
    ):
        warned, outcome = faults("read", path).splitlines()
        assert words in warned and outcome == "none"
