"""Values of every kind for specs of both releases; the long tests try more."""

import os
import pathlib
import subprocess
import sys

import pytest

ROUNDS = 3000 if os.environ.get("SINEW_LONG") else 300


@pytest.mark.parametrize("release", ["3.3.7", "4.0"])
@pytest.mark.parametrize("seed", [1, 2])
def test_odd_values(release, seed):
    program = pathlib.Path(__file__).parent / "spec_fuzz.py"
    command = ["-m", "sinew.run", "--mujoco", release, program, str(seed), str(ROUNDS)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
