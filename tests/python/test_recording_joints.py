"""Recordings of other programs: states of joints by name."""

import io
import struct

import numpy as np
import pytest

import sinew
from recording_files import written
from sinew import Recording, RecordingWarning

ARM = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body><joint name="lift" type="slide"/><geom size="0.1"/>
      <body><joint name="elbow" ref="0.25"/><geom size="0.1"/>
        <body><joint name="wrist" type="ball"/><geom size="0.1"/></body>
        <body><joint name="finger"/><geom size="0.1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def cdr(names, position, velocity, order="<"):
    """sensor_msgs/msg/JointState as ROS 2 sends it."""
    out = io.BytesIO()

    def number(kind, *values):
        size = struct.calcsize(kind)
        for value in values:
            out.write(b"\0" * (-out.tell() % size) + struct.pack(order + kind, value))

    def text(word):
        number("I", len(word.encode()) + 1)
        out.write(word.encode() + b"\0")

    number("I", 3, 5)
    text("base")
    number("I", len(names))
    for name in names:
        text(name)
    for values in (position, velocity, []):
        number("I", len(values))
        number("d", *values)
    return bytes([0, order == "<", 0, 0]) + out.getvalue()


def messages_of(kind):
    """Three messages about joints, the second about some of them, in a form; and their schema."""
    rows = [
        (["lift", "elbow"], [1, 2], [3, 4]),
        (["elbow"], [5], []),
        (["elbow", "lift"], [6, 7], [8, 9]),
    ]
    if kind == "arrays":
        made = [{"header": {}, "name": n, "position": p, "velocity": v} for n, p, v in rows]
        return "sensor_msgs/JointState", "json", made
    if kind == "objects":
        made = [
            {"joints": [{"name": x, "position": y} | ({"velocity": v[i]} if v else {}) for i, (x, y) in enumerate(zip(n, p))]}
            for n, p, v in rows
        ]  # fmt: skip
        return "foxglove.JointStates", "json", made
    order = "<" if kind == "cdr" else ">"
    return "sensor_msgs/msg/JointState", "cdr", [cdr(*row, order) for row in rows]


@pytest.mark.parametrize("kind", ["arrays", "objects", "cdr", "cdr of another order"])
@pytest.mark.parametrize("chunked", [False, True])
def test_joints_of_others(tmp_path, kind, chunked, quiet):
    """By name into the state; what was not heard of is as in qpos0; the clock starts at 0."""
    schema, encoding, made = messages_of(kind)
    start = 1_700_000_000_000_000_000
    messages = list(zip((start, start + 10**9, start + 3 * 10**9), made))
    other = ("/camera", "sensor_msgs/Image", "cdr", b"", [(1, b"...")])
    path = written(
        tmp_path / "bag.mcap", other, ("/joints", schema, encoding, b"", messages), chunked=chunked
    )
    recording = Recording.from_path(path)
    assert recording.time.tolist() == [0, 1, 3]
    assert recording.names["position"] == ["lift", "elbow"]
    assert recording.fields["position"].tolist() == [[1, 2], [1, 5], [7, 6]]
    model = sinew.Model.from_xml(ARM)
    fitted = recording.fit(model)
    assert fitted.qpos[:, :2].tolist() == [[1, 2], [1, 5], [7, 6]]
    assert (fitted.qpos[:, 2:] == model.qpos0[2:]).all()
    velocities = [[3, 4], [3, 4], [9, 8]]
    if kind == "objects":  # a message says of each joint what it knows
        velocities[1][1] = 0
    assert fitted.qvel[:, :2].tolist() == velocities and not fitted.qvel[:, 2:].any()
    fitted.save(tmp_path / "run.mcap", model)
    assert (Recording.from_path(tmp_path / "run.mcap").qpos == fitted.qpos).all()


def test_joints_that_the_model_has_not(tmp_path):
    state = {"name": ["lift", "thumb"], "position": [1, 2]}
    path = written(tmp_path / "bag.mcap", ("/joints", "JointState", "json", b"", [(1, state)]))
    model = sinew.Model.from_xml(ARM)
    with pytest.warns(RecordingWarning, match="bag.mcap: the model has no joint 'thumb'"):
        assert Recording.from_path(path).fit(model).qpos[0, :2].tolist() == [1, 0.25]
    for names, message in (
        (["thumb"], "does not fit the model: it has no joint of the recording's, 'thumb'"),
        (["lift", "wrist"], "joint 'wrist' has one number, the model's is a free or a ball joint"),
    ):
        state = {"name": names, "position": [1] * len(names)}
        written(path, ("/joints", "JointState", "json", b"", [(1, state)]))
        with pytest.raises(ValueError, match=message):
            Recording.from_path(path).fit(model)


def test_topics(tmp_path):
    state = {"name": ["lift"], "position": [1]}
    left, right = (
        ("/" + side, "JointState", "json", b"", [(1, state)]) for side in ("left", "right")
    )
    silent = ("/silent", "JointState", "json", b"", [])
    path = written(tmp_path / "bag.mcap", left, right, silent)
    with pytest.raises(
        ValueError,
        match="several topics have states of joints, /left, /right: say which topic to read",
    ):
        Recording.from_path(path)
    assert Recording.from_path(path, topic="/left").fields["position"].tolist() == [[1]]
    with pytest.raises(
        ValueError,
        match="no states of joints on topic '/up'.*its topics are /left .JointState, json.",
    ):
        Recording.from_path(path, topic="/up")
    written(
        path,
        ("/image", "sensor_msgs/Image", "ros1", b"", [(1, b"1")]),
        ("/raw", "", "json", b"", []),
    )
    with pytest.raises(
        ValueError,
        match="no states of Sinew's and no states of joints .*/image .sensor_msgs/Image, ros1., /raw .no schema, json.",
    ):
        Recording.from_path(path)
    np.save(tmp_path / "run.npy", np.zeros(2, [("time", "f8")]))
    with pytest.raises(ValueError, match="it has no topics, as it is no .mcap"):
        Recording.from_path(tmp_path / "run.npy", topic="/left")


@pytest.mark.parametrize(
    ("encoding", "message", "words"),
    [
        ("json", {"name": ["a"], "position": []}, "1 names, 0 positions, 0 velocities"),
        ("json", {"name": [1], "position": [1]}, "a joint called 1"),
        ("json", {"name": "ab"}, "position"),
        ("cdr", b"", "not the plain CDR"),
        ("cdr", b"\0\1\0\0" + b"\xff" * 40, "the message ends early"),
        ("cdr", cdr(["a"], [1], [])[:-20], "the message ends early"),
        ("cdr", cdr(["a"] * 9, [], []), "9 names, 0 positions"),
    ],
)  # fmt: skip
def test_hostile_joints(tmp_path, encoding, message, words):
    path = written(
        tmp_path / "bag.mcap", ("/joints", "x/JointState", encoding, b"", [(1, message)])
    )
    with pytest.raises(ValueError, match=f"no row can be read: damaged: message: .*{words}"):
        Recording.from_path(path)
