"""What tests of bits share."""

import subprocess

import pytest
from listings import MODELS, NAMES, ROOT


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Compiled models of all of them, in a folder, by the build `release`."""
    folder = tmp_path_factory.mktemp("compiled")
    for name in NAMES:
        command = [
            ROOT / "build/release/bin/sinew",
            "convert",
            MODELS / f"{name}.xml",
            f"{name}.snb",
        ]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder
