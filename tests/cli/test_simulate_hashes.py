"""sinew simulate --hashes: the table, and that it changes nothing."""

import re

import pytest

SPHERE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.1"><freejoint/><geom size="0.1"/></body>
    <body pos="0 1 1"><joint name="hinge" axis="1 0 0"/><geom pos="0 0.2 0" size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""
MAKERS = 33


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "sphere.xml"
    path.write_text(SPHERE)
    return path


def table(path):
    """Rows of words, the names first."""
    return [line.split(" ") for line in path.read_text().splitlines()]


def test_a_line_a_step(sinew, model, tmp_path):
    sinew("simulate", model, "--steps", 30, "--ctrl", "noise:1", "--hashes", "hashes")
    names, *rows = table(tmp_path / "hashes")
    assert names[:4] == ["step", "all", "user", "kinematics"] and names[-1] == "integration"
    assert len(names) == MAKERS + 2
    assert [row[0] for row in rows] == [str(step) for step in range(1, 31)]
    for row in rows:
        assert len(row) == len(names)
        assert all(re.fullmatch("[0-9a-f]{16}", word) for word in row[1:])
    assert len({row[-1] for row in rows}) == 30  # the state moves on
    assert len({row[names.index("tendon")] for row in rows}) == 1  # there are none


def test_other_controls_show_where_they_come_in(sinew, model, tmp_path):
    for name, seed in (("a", 1), ("b", 2)):
        sinew("simulate", model, "--steps", 5, "--ctrl", f"noise:1:{seed}", "--hashes", name)
    names, first = table(tmp_path / "a")[:2]
    other = table(tmp_path / "b")[1]
    different = [name for name, a, b in zip(names, first, other, strict=True) if a != b]
    assert different[:3] == ["all", "user", "fwdActuation"] and different[-1] == "integration"
    assert "kinematics" not in different and "rne" not in different


def test_it_changes_nothing(sinew, model, tmp_path):
    command = ["simulate", model, "--steps", 200, "--ctrl", "noise:1"]
    sinew(*command, "--record", "a.npy")
    sinew(*command, "--record", "b.npy", "--hashes", "hashes")
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_all_files_and_kinds_of_contact(sinew, model, tmp_path):
    sinew("convert", model, "sphere.snb")
    for contact in ("soft", "lcp"):
        for path in (model, "sphere.snb"):
            command = ["simulate", path, "--steps", 100, "--contact", contact]
            sinew(*command, "--hashes", f"{contact}{str(path)[-3:]}")
    text = {path.name: path.read_text() for path in tmp_path.iterdir() if path.suffix == ""}
    assert text["softxml"] == text["softsnb"] and text["lcpxml"] == text["lcpsnb"]
    assert text["softxml"] != text["lcpxml"]


def test_a_run_that_goes_on(sinew, model, tmp_path):
    command = ["simulate", model, "--ctrl", "noise:1"]
    sinew(*command, "--steps", 60, "--hashes", "whole")
    sinew(*command, "--steps", 20, "--checkpoint", "run")
    sinew(*command, "--steps", 60, "--resume", "run", "--hashes", "rest")
    names, *whole = table(tmp_path / "whole")
    rest = table(tmp_path / "rest")
    assert rest[0] == names and [row[0] for row in rest[1:]] == [row[0] for row in whole[20:]]
    # what the stages before left is not in a checkpoint, but all that they make anew is the same
    assert [row[-1] for row in rest[1:]] == [row[-1] for row in whole[20:]]


def test_a_file_that_cannot_be_written(sinew, model, tmp_path):
    says = sinew.error("simulate", model, "--steps", 3, "--hashes", "none/there", code=1)
    assert "none/there" in says
    (tmp_path / "folder").mkdir()
    says = sinew.error("simulate", model, "--steps", 3, "--hashes", "folder", code=1)
    assert "folder" in says
