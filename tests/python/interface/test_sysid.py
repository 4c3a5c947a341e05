"""The peer's own package `mujoco.sysid` runs on Sinew as it is, wherever a folder of the path has it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import newest
from test_peers_own_tests import failures

PROGRAM = pathlib.Path(__file__).with_name("sysid_program.py")
pytest.importorskip("plotly")
pytest.importorskip("tabulate")


def run(*command, **variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SINEW", "PYTHONPATH"))}
    done = subprocess.run(
        [sys.executable, *command], env=env | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_a_pendulum_is_identified():
    """By both engines, from the same first residuals."""
    path = {"PYTHONPATH": str(newest.FOLDER)}
    theirs = json.loads(run(str(PROGRAM), "mujoco", **path))
    ours = json.loads(run("-m", "sinew.run", "--mujoco", "4.0", str(PROGRAM), "mujoco", **path))
    assert np.allclose(ours.pop("start"), theirs.pop("start"), rtol=0, atol=1e-12)
    true = {"mass": 1.4, "damping": 0.3, "gear": 2.0}
    for name, value in true.items():
        assert abs(ours[name] - value) < 1e-8 and abs(theirs[name] - value) < 1e-8


@pytest.mark.parametrize("before", ["", "import sinew.as_mujoco4; "])
def test_it_is_found_where_the_path_has_it(before):
    """Another one than Sinew is not loaded."""
    code = f"{before}import sys; import mujoco; from mujoco import sysid; print(mujoco.__name__, sysid.__file__, '_mujoco' in sys.modules)"
    command = ["-c", code] if before else ["-m", "sinew.run", "--mujoco", "4.0", "-c", code]
    name, file, _ = run(*command, PYTHONPATH=str(newest.FOLDER)).split()
    assert name == "sinew.mujoco" and file.startswith(str(newest.FOLDER))


@pytest.mark.parametrize("code", ["import mujoco.sysid", "from mujoco import sysid"])
def test_without_it_an_error_says_where_it_is_from(code):
    caught = f"try:\n  {code}\nexcept ModuleNotFoundError as e: print(e)\nelse: print('found')"
    said = run("-m", "sinew.run", "--mujoco", "4.0", "-c", caught)
    assert "mujoco-core" in said and "PYTHONPATH" in said


def test_its_own_tests(tmp_path):
    if not os.environ.get("SINEW_LONG"):
        pytest.skip("SINEW_LONG asks for all of the peer's own tests")
    shutil.copytree(newest.FOLDER / "mujoco/sysid/tests", tmp_path / "sysid_tests")
    bad, told = failures("4.0", "sysid_tests", tmp_path, PYTHONPATH=str(newest.FOLDER))
    assert not bad, told
