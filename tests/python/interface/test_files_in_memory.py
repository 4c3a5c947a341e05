"""MjVfs of release 4.0: the results and errors of MuJoCo 4.0.1 for the same program."""

import json
import os
import pathlib
import subprocess
import sys

import newest

PROGRAM = pathlib.Path(__file__).with_name("vfs_program.py")


def run(*command, **variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SINEW", "PYTHONPATH"))}
    done = subprocess.run(
        [sys.executable, *command, str(PROGRAM)],
        env=env | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_files_in_memory():
    theirs = run(PYTHONPATH=str(newest.FOLDER))
    ours = run("-m", "sinew.run", "--mujoco", "4.0")
    assert len(theirs) > 75
    assert {k: v for k, v in ours.items() if theirs[k] != v} == {}
