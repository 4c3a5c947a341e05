"""The command as its users have it: started as a process, in each build that there is."""

import os
import pathlib

import pytest
from started_command import Command

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILDS = ["release", "asan"]


@pytest.fixture(params=BUILDS)
def sinew(request, tmp_path):
    """The command of a build."""
    path = ROOT / "build" / request.param / "bin/sinew"
    if request.param == "release" and "SINEW_COMMAND" in os.environ:
        path = pathlib.Path(os.environ["SINEW_COMMAND"])
    if not path.exists():
        pytest.fail(f"{path} is missing; ./dev test builds it")
    return Command(path, tmp_path)
