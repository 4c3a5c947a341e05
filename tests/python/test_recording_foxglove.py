"""What Foxglove gets of an .mcap: states, poses of bodies, joints by name, the model."""

import hashlib
import json

import numpy as np
import zstandard

import sinew
from recording_files import GYMNASIUM, SUITE, contents, load, simulate, store
from sinew import Recording


def test_what_foxglove_gets(tmp_path, quiet):
    """States, poses of bodies and joints, at the simulation's time; the model with its hash."""
    model = load(GYMNASIUM / "ant.xml")
    rows = simulate(model, 100)
    store(tmp_path / "run.npy", rows)
    Recording.from_path(tmp_path / "run.npy").save(tmp_path / "run.mcap", model)
    messages, attachments, metadata = contents(tmp_path / "run.mcap")
    states = messages["/state", "sinew.State"]
    frames = messages["/tf", "foxglove.FrameTransforms"]
    joints = messages["/joint_states", "foxglove.JointStates"]
    assert [state["qpos"] for _, state in states] == rows["qpos"].tolist()
    assert [state["time"] for _, state in states] == rows["time"].tolist()
    assert [clock for clock, _ in states] == np.round(rows["time"] * 1e9).astype(int).tolist()
    data = sinew.Data(model)
    assert model.opt.timestep == 0.01 and len(frames) == len(joints) == 100
    for (clock, transforms), (_, named), row in zip(frames, joints, rows):
        data.qpos[:] = row["qpos"]
        sinew.forward(model, data)
        for i, transform in enumerate(transforms["transforms"], 1):
            stamp = transform["timestamp"]
            assert stamp["seconds"] * 10**9 + stamp["nanos"] == clock
            assert transform["parent_frame_id"] == "world"
            assert transform["child_frame_id"] == (model.body(i).name or f"[{i}]")
            place = [transform["translation"][axis] for axis in "xyz"]
            turn = [transform["rotation"][axis] for axis in "wxyz"]
            assert (place == data.xpos[i]).all() and (turn == data.xquat[i]).all()
        assert len(transforms["transforms"]) == model.nbody - 1
        assert [j["name"] for j in named["joints"]] == [model.joint(j).name for j in range(1, 9)]
        assert [j["position"] for j in named["joints"]] == row["qpos"][7:].tolist()
        assert [j["velocity"] for j in named["joints"]] == row["qvel"][6:].tolist()
    packed = zstandard.decompress(attachments["model.snb.zst"])
    assert metadata["version"] == sinew.__version__ and metadata["model"] == "ant"
    assert metadata["model_sha256"] == hashlib.sha256(packed).hexdigest()
    assert json.loads(metadata["names"])["ctrl"] == [
        model.actuator(i).name or f"[{i}]" for i in range(8)
    ]


def test_poses_are_for_eyes(tmp_path):
    """At most a hundred a second, whatever the time step is."""
    model = load(SUITE / "acrobot.xml")
    time = np.arange(1000) * 0.001
    Recording(time, {"qpos": np.zeros((1000, 2)), "qvel": np.zeros((1000, 2))}).save(
        tmp_path / "run.mcap", model
    )
    messages, *_ = contents(tmp_path / "run.mcap")
    counts = {topic: len(found) for (topic, _), found in messages.items()}
    assert counts == {"/state": 1000, "/tf": 100, "/joint_states": 100}


def test_blocks_without_poses(tmp_path, quiet):
    """Rows come a thousand at a time: some such blocks show nothing where the time step is small."""
    model = load(SUITE / "acrobot.xml")
    numbers = np.random.default_rng(2).normal(size=(5000, 2))
    time = np.arange(5000) * 1e-6
    Recording(time, {"qpos": numbers, "qvel": numbers}).save(tmp_path / "run.mcap", model)
    messages, *_ = contents(tmp_path / "run.mcap")
    counts = {topic: len(found) for (topic, _), found in messages.items()}
    assert counts == {"/state": 5000, "/tf": 1, "/joint_states": 1}
    assert (Recording.from_path(tmp_path / "run.mcap").qpos == numbers).all()
