"""`MjSpec` with the interface of MuJoCo 4.0 against 4.0.1: one program sees the same of both."""

import os
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import newest

PROGRAM = pathlib.Path(__file__).parent / "later_specs.py"
# "kind member", a pattern; reason
EXCEPT = {
    r"spec (plugins|timer)": "plugins are refused; one lists a default of them",
}  # fmt: skip


def run(result, command, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SINEW_MUJOCO")}
    done = subprocess.run(
        [sys.executable, *command, str(PROGRAM), str(result)],
        env=env | environment, capture_output=True, text=True, cwd=result.parent, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return pickle.loads(result.read_bytes())


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the program sees of the peer, and of ours."""
    folder = tmp_path_factory.mktemp("specs")
    theirs = run(folder / "theirs", [], PYTHONPATH=str(newest.FOLDER))
    return theirs, run(folder / "ours", ["-m", "sinew.run", "--mujoco", "4.0"])


def test_members_have_the_same_types_and_first_values(seen):
    theirs, ours = (x["made"] for x in seen)
    for kind, members in theirs.items():
        for name, value in members.items():
            if not any(re.fullmatch(pattern, f"{kind} {name}") for pattern in EXCEPT):
                check(value, ours[kind].get(name), f"{kind} {name}")
        extra = [n for n in ours[kind] if n not in members]
        assert extra == [], kind


# Of memory, or of searches of the peer's own; what is not there yet.
OTHERWISE = re.compile(
    "narena|nbuffer|signature|names_map|nnames_map|npaths|paths|.*pathadr|eq_data|bvh_.*|nbvh.*|body_bvh.*|mesh_bvh.*|"
    ".*oct.*"
)


def test_models_of_programs_are_equal(seen):
    theirs, ours = (x["models"] for x in seen)
    for program, fields in theirs.items():
        if program == "meshes":  # an icosphere has no axes of its own
            mine = ours[program]["body_mass"]
            np.testing.assert_allclose(mine, fields["body_mass"], rtol=1e-8)
            continue
        missing = [n for n in fields if n not in ours[program] and not OTHERWISE.fullmatch(n)]
        assert missing == [], program
        for name, value in fields.items():
            if OTHERWISE.fullmatch(name):
                continue
            mine, where = ours[program][name], f"{program} {name}"
            assert (mine.shape, mine.dtype) == (value.shape, value.dtype), where
            if value.dtype.kind != "f":
                np.testing.assert_array_equal(mine, value, err_msg=where)
                continue
            tolerance = 2e-7 if value.dtype == np.float32 else 1e-9  # one rounding of a float
            np.testing.assert_allclose(mine, value, rtol=tolerance, atol=tolerance, err_msg=where)


def check(theirs, ours, where):
    """Compare what is nested; numbers to the last bits."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), where
        for key, value in theirs.items():
            check(value, ours[key], f"{where} {key}")
    elif isinstance(theirs, list | tuple):
        assert isinstance(ours, list | tuple) and len(ours) == len(theirs), (where, ours, theirs)
        for i, (a, b) in enumerate(zip(theirs, ours, strict=True)):
            check(a, b, f"{where} {i}")
    elif isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype, where
        np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=1e-14, err_msg=where)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-14, abs=1e-14, nan_ok=True), where
    else:
        assert ours == theirs, where


# Errors of ours are kinds of the peer's: sinew.ModelError of ValueError, MemberError of TypeError and ValueError.
KINDS = {"ModelError": "ValueError", "MemberError": "ValueError"}


def plain(value):
    """With the peer's names of errors."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(plain(v) for v in value)
    return KINDS.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize(
    "part",
    "actuators driven paths sensors deletions frames compilers prefixes authored skins flexes made_flexes operations copies_back short_keys assets needed_fields".split(),
)
def test_programs_see_the_same(seen, part):
    theirs, ours = (x[part] for x in seen)
    check(theirs, plain(ours), part)


def test_members_take_the_same_values(seen):
    """Refusals are errors of both kinds at ours: which of the two the peer gives differs by member."""
    theirs, ours = (x["values"] for x in seen)
    kinds = {"TypeError": "ValueError"}

    def same(value):
        return [kinds.get(v, v) if isinstance(v, str) else v for v in plain(value)]

    for a, b in zip(theirs[0], ours[0], strict=True):
        check(same(a), same(b), str(a[:2]))
    check(same(theirs[1]), same(ours[1]), "adders")
