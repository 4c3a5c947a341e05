"""`sinew.mujoco` with the interface of MuJoCo 4.0 against 4.0.1: one program sees the same of both.

What differs stands in lists here, with the reason.
"""

import ast
import os
import pathlib
import pickle
import re
import subprocess
import sys
from importlib import util

import numpy as np
import pytest

import newest

PROGRAM = pathlib.Path(__file__).parent / "later_program.py"
SUITE = pathlib.Path(util.find_spec("dm_control").origin).parent / "suite"
GYM = pathlib.Path(util.find_spec("gymnasium").origin).parent / "envs/mujoco/assets"
# fixed tendons, elliptic cones; spatial tendons, meshes, skins; several islands; equalities
MODELS = [SUITE / "finger.xml", SUITE / "dog.xml", SUITE / "stacker.xml", GYM / "ant.xml"]

NO_FLEXES = "flexes, plugins and octrees are refused"
# "name", "name.member" or "kind field", a pattern; reason
EXCEPT = {
    r"HEADERS_DIR|PLUGINS_DIR": "folders of the installation",
    r"PLUGIN_HANDLES": "plugins are refused",
    r"MjrVertexAttribute|rendering": "renderers of the peer's own",
    r"MjPreContact": "functions of collision of the user's are not in Sinew yet",
    r"Any|IO|Sequence|TypeAlias|Union": "what the peer imports for itself",
    r"Mjs(Flex|Plugin)\.compiler": NO_FLEXES,
    r"MjData\.flg_.*": "what has been computed is not told",
    r"mjNEQDATA|model eq_data": "the twelfth number is of equalities of flexes",
    r"data flg_.*": "as above",
    r"model names_map": "places in a table of its own",
    r"(model|data) (narena|nbuffer|signature|maxuse_.*|parena)": "of the memory of either",
    r"data solver_nnz": "of factors of its own",
    r"model (.*path.*|npaths)": "where files lie, which Sinew keeps as they are written",
    r"data efc_state": "of rows on the border between two states",
    r"mju_user_.*": "of the peer's memory",
}  # fmt: skip
# Members of releases between the two, which programs written for those ask for.
BETWEEN = "flex_vert(edge|edgeadr|edgenum|metric)$|flexvert_(J|J_colind|J_rowadr|J_rownnz|length)$"


def excepted(name):
    return any(re.fullmatch(pattern, name) for pattern in EXCEPT)


def run(result, command, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SINEW_MUJOCO")}
    done = subprocess.run(
        [sys.executable, *command, str(PROGRAM), str(result), *map(str, MODELS)],
        env=env | environment, capture_output=True, text=True, cwd=result.parent, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return pickle.loads(result.read_bytes())


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the program sees of the peer, and of ours."""
    folder = tmp_path_factory.mktemp("seen")
    theirs = run(folder / "theirs", [], PYTHONPATH=str(newest.FOLDER))
    return theirs, run(folder / "ours", ["-m", "sinew.run", "--mujoco", "4.0"])


@pytest.mark.parametrize("kind", ["enums", "classes", "functions", "constants"])
def test_every_name_is_there(seen, kind):
    theirs, ours = (x["names"][kind] for x in seen)
    assert [n for n in theirs if n not in ours and not excepted(n)] == []


def test_no_name_of_an_older_release_is_there(seen):
    theirs, ours = (
        set().union(*(x["names"][kind] for kind in ("enums", "functions"))) for x in seen
    )
    assert {n for n in ours - theirs if n.startswith("mj")} == set()


def test_enumerators_are_equal(seen):
    theirs, ours = (x["names"]["enums"] for x in seen)
    for name, members in theirs.items():
        if not excepted(name):
            assert list(ours[name].items()) == list(members.items()), name


def test_constants_are_equal(seen):
    theirs, ours = (x["names"]["constants"] for x in seen)
    for name, value in theirs.items():
        if not excepted(name):
            assert ours[name] == value, name


def test_members_are_equal(seen):
    theirs, ours = (x["names"]["classes"] for x in seen)
    for name in theirs:
        if not excepted(name):
            missing = set(theirs[name]) - set(ours[name])
            assert {n for n in missing if not excepted(f"{name}.{n}")} == set(), name
            if name in ("MjModel", "MjData", "MjOption") or name.startswith(("Mjs", "MjSpec")):
                more = set(ours[name]) - set(theirs[name])
                assert {n for n in more if not re.match(BETWEEN, n)} == set(), name


def arguments(signature):
    """Names of the arguments of a line `f(a: int, b: int = 1) -> None`; with `=` where there is a default."""
    parsed = ast.parse(f"def {signature}: ...").body[0].args
    names = [a.arg for a in (*parsed.posonlyargs, *parsed.args)]
    first = len(names) - len(parsed.defaults)
    return [n + "=" * (i >= first) for i, n in enumerate(names)]


def test_functions_have_the_same_arguments(seen):
    theirs, ours = (x["names"]["functions"] for x in seen)
    for name, line in theirs.items():
        if name.startswith("mj") and "(" in line and not excepted(name):
            assert arguments(ours[name]) == arguments(line), name


def check(theirs, ours, where, tolerance):
    """Compare what is nested."""
    if isinstance(theirs, dict):
        for key, value in theirs.items():
            check(value, ours[key], f"{where} {key}", tolerance)
    elif isinstance(theirs, list | tuple):
        assert len(ours) == len(theirs), where
        for i, (a, b) in enumerate(zip(theirs, ours, strict=True)):
            check(a, b, f"{where} {i}", tolerance)
    elif isinstance(theirs, np.ndarray):
        assert isinstance(ours, np.ndarray), where
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        if theirs.dtype.kind == "f":
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=where)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=where)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=tolerance, abs=tolerance), where
    else:
        assert ours == theirs, where


# cameras are of float32; differences of steps of 1e-6 have the rounding of M, which is up to 1e3, over it
@pytest.mark.parametrize(
    ("part", "tolerance"),
    [
        ("states", 1e-9),
        ("rays", 1e-9),
        ("cameras", 2e-7),
        ("scenes", 2e-6),
        ("functions", 1e-9),
        ("differences", 1e-6),
        ("flags", 0),
        ("specs", 0),
        ("errors", 0),
    ],
)
def test_functions_give_the_same(seen, part, tolerance):
    theirs, ours = (x[part] for x in seen)
    check(theirs, ours, part, tolerance)


# Of islands the peer leaves what was there where there are none; accelerations of stiff models are solved to 1e-8.
_IDLE = {"map_dof2idof", "map_idof2dof"}
# What its solver ends with by islands, before noslip; ours are of what acts.
_BEFORE_NOSLIP = {"iacc", "iefc_force", "ifrc_constraint"}
_SOLVED = re.compile(
    r"data (i?acc|qacc|iefc|ifrc|efc_b|qfrc_constraint|efc_force|i.*|cacc|cfrc.*|sensordata|qfrc_.*)"
)


@pytest.mark.parametrize("path", MODELS, ids=[p.stem for p in MODELS])
def test_fields_are_equal(seen, path):
    """Names, types, shapes and values of all fields of models, data and options."""
    theirs, ours = (x["fields"][str(path)] for x in seen)
    idle = not theirs["data", "nisland"]
    jacobian = theirs["opt", "jacobian"]
    dense = jacobian == 0 or (jacobian == 2 and theirs["model", "nv"] < 60)
    for (part, name), value in theirs.items():
        if value is None or excepted(f"{part} {name}") or (idle and name in _IDLE):
            continue
        if dense and re.fullmatch("efc_(J|AR)_.*", name):
            continue  # the peer leaves what was there
        if theirs["opt", "noslip_iterations"] and name in _BEFORE_NOSLIP:
            continue
        assert (part, name) in ours, name
        tolerance = 1e-6 if value is not None and getattr(value, "dtype", 0) == np.float32 else 1e-9
        if _SOLVED.match(f"{part} {name}"):
            tolerance = 1e-6
        check(value, ours[part, name], name, tolerance)
