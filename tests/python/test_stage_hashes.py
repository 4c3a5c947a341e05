"""stageHashes: those of the command, and which stage a difference is of."""

import copy
import os
import pathlib
import subprocess

import numpy as np
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples/models"
COMMAND = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release")) / "bin/sinew"


@pytest.fixture
def walker():
    model = sinew.Model.from_path(MODELS / "walker.xml")
    return model, sinew.Data(model)


def differing(a, b):
    """Names of what differs."""
    assert list(a) == list(b)
    return [name for name in a if a[name] != b[name]]


def test_they_are_those_of_the_command(walker, tmp_path):
    model, data = walker
    command = [
        COMMAND,
        "simulate",
        MODELS / "walker.xml",
        "--steps",
        "20",
        "--hashes",
        tmp_path / "kept",
    ]
    subprocess.run(command, check=True, capture_output=True)
    names, *rows = (line.split() for line in (tmp_path / "kept").read_text().splitlines())
    for row in rows:
        sinew.step(model, data)
        hashes = sinew.stageHashes(model, data)
        assert ["step", *hashes] == names
        assert [f"{number:016x}" for number in hashes.values()] == row[1:]


def test_the_first_that_differs_is_where_it_began(walker):
    model, data = walker
    other = copy.copy(data)
    other.ctrl[1] = 1e-12
    assert differing(sinew.stageHashes(model, data), sinew.stageHashes(model, other)) == [
        "all",
        "user",
    ]
    sinew.step(model, data)
    sinew.step(model, other)
    parted = differing(sinew.stageHashes(model, data), sinew.stageHashes(model, other))
    assert parted[:3] == ["all", "user", "fwdActuation"] and parted[-1] == "integration"


def test_one_bit_counts(walker):
    model, data = walker
    before = sinew.stageHashes(model, data)
    data.qvel[2] = -0.0
    assert differing(before, sinew.stageHashes(model, data)) == ["all", "integration"]
    data.qvel[2] = 0
    assert sinew.stageHashes(model, data) == before
    data.xpos[1, 0] = np.nextafter(data.xpos[1, 0], 1)
    assert differing(before, sinew.stageHashes(model, data)) == ["all", "kinematics"]


def test_wrong_arguments(walker):
    model, data = walker
    other = sinew.Model.from_path(MODELS / "hopper.xml")
    with pytest.raises(ValueError, match="stageHashes: the data belongs to a model of other sizes"):
        sinew.stageHashes(other, data)
    with pytest.raises(TypeError):
        sinew.stageHashes(data, model)
    assert sinew.stageHashes(copy.copy(model), data) == sinew.stageHashes(model, data)
