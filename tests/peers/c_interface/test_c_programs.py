"""The programs of examples/mujoco_c give the same numbers with our library and with MuJoCo 3.3.7's."""

import importlib.util
import os
import pathlib
import re
import statistics

import mujoco
import pytest

from c_compile import ROOT, run
from c_pairs import Programs, assert_same_numbers

PROGRAMS = ROOT / "examples/mujoco_c"
OURS = ROOT / "examples/models"
SUITE = pathlib.Path(importlib.util.find_spec("dm_control").submodule_search_locations[0]) / "suite"
LONG = pytest.mark.skipif("SINEW_LONG" not in os.environ, reason="./dev test-long")


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return Programs(PROGRAMS, tmp_path_factory.mktemp("programs"))


# What the solver leaves open is larger than rounding: its tolerance is 1e-8 of a scaled gradient.
CASES = [
    ("basic", OURS / "humanoid.xml", [1], 1e-9, 1e-12),
    ("basic", SUITE / "cheetah.xml", [1], 1e-8, 1e-10),
    ("testspeed", OURS / "humanoid.xml", [300, 2, 0.3], 1e-9, 1e-11),
    ("testspeed", OURS / "six_axis_arm.xml", [300, 1, 0.3], 1e-12, 1e-14),
    ("derivative", OURS / "humanoid.xml", [100], 1e-5, 0),
    ("derivative", OURS / "six_axis_arm.xml", [100], 1e-5, 0),
    ("controller", OURS / "humanoid.xml", [50], 1e-7, 1e-6),
    ("controller", SUITE / "walker.xml", [100], 1e-9, 1e-9),
]


@pytest.mark.parametrize(
    ("name", "model", "arguments", "rtol", "atol"), CASES, ids=lambda v: getattr(v, "stem", None)
)
def test_same_numbers(programs, tmp_path, name, model, arguments, rtol, atol):
    ours, theirs = programs.outputs(name, [model, *arguments], tmp_path)
    assert sum(map(len, ours)) > 40
    assert_same_numbers(ours, theirs, rtol, atol)


@pytest.mark.parametrize(
    "model", [OURS / "humanoid.xml", SUITE / "quadruped.xml"], ids=lambda p: p.stem
)
def test_compile(programs, tmp_path, model):
    """To MJCF, which either library reads, to a compiled file, which its own does, and to text."""
    ours, theirs = programs.outputs("compile", [model, "model.xml"], tmp_path)
    assert_same_numbers(ours, theirs, 1e-12, 1e-15)
    for library in ("ours", "peer"):
        program = programs("compile", library)
        run([program, model, tmp_path / f"{library}.xml"], cwd=tmp_path)
        run([program, model, "model.mjb"], cwd=tmp_path)
        assert run([program, "model.mjb", "model.txt"], cwd=tmp_path).splitlines() == (
            ours if library == "ours" else theirs
        )
        assert (tmp_path / "model.txt").stat().st_size > 10000
    for written in ("ours.xml", "peer.xml"):
        again = list(programs.outputs("compile", [tmp_path / written, "again.xml"], tmp_path))
        assert_same_numbers(*again, 1e-12, 1e-15)
        assert_same_numbers(again[0], ours, 1e-5, 1e-12)  # numbers of six digits


def test_compile_of_a_file_that_is_not_there(programs, tmp_path):
    said = run([programs("compile", "ours"), "nowhere.xml", "model.xml"], cwd=tmp_path, code=1)
    assert "nowhere.xml" in said and said.count("\n") == 1


def test_dependencies(programs):
    """The peer's by Python: its vectors are those of another C++ library than the compiler's."""
    model = SUITE / "quadruped.xml"
    ours = run([programs("dependencies", "ours"), model]).splitlines()
    assert len(ours) > 3 and ours[0] == str(model)
    theirs = mujoco.mju_getXMLDependencies(str(model))
    assert {os.path.realpath(p) for p in ours} == {os.path.realpath(p) for p in theirs}


def speed(programs, library, model):
    """Steps a second that testspeed prints."""
    text = run([programs("testspeed", library), model, 3000, 1, 0.3])
    return float(re.search(r", (\d+) steps a second", text).group(1))


@LONG
@pytest.mark.parametrize(
    "model",
    [OURS / "humanoid.xml", SUITE / "quadruped.xml", SUITE / "cheetah.xml"],
    ids=lambda p: p.stem,
)
def test_faster(programs, model):
    """Pairs of runs, one after the other; on a loaded machine both lose."""
    ratios = [speed(programs, "ours", model) / speed(programs, "peer", model) for _ in range(5)]
    print(model.stem, [round(r, 2) for r in ratios])
    assert statistics.median(ratios) > 1.2
