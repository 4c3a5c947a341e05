"""Recordings for Foxglove read by the library of Protocol Buffers itself, from nothing but the file's own schemas."""

import base64
import json
import subprocess

import mcap.reader
import numpy as np
from test_clients import PYTHON

import sinew

PROGRAM = """
import base64, json, sys
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
pools = {}
for line in sys.stdin:
    name, schema, message = json.loads(line)
    if name not in pools:
        pools[name] = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(schema)).file:
            pools[name].Add(file)
    kind = message_factory.GetMessageClass(pools[name].FindMessageTypeByName(name))
    read = kind.FromString(base64.b64decode(message))
    again = kind.FromString(read.SerializeToString())
    assert read == again or "NaN" in str(json_format.MessageToDict(read)), name
    print(json.dumps(json_format.MessageToDict(read, preserving_proto_field_name=True)))
"""
MODEL = """
<mujoco>
  <worldbody>
    <body name="a b"><freejoint name="root"/><geom size=".1"/>
      <body name="arm"><joint name="elbow"/><geom size=".1" pos=".2 0 0"/></body>
    </body>
  </worldbody>
  <sensor>
    <jointpos name="bend" joint="elbow"/><jointvel name="Bend" joint="elbow"/><jointvel joint="elbow"/>
    <framepos name="b e/nd" objtype="body" objname="arm"/>
  </sensor>
</mujoco>
"""


def lines(path):
    """Each message with its schema."""
    with open(path, "rb") as stream:
        for schema, _, message in mcap.reader.make_reader(stream).iter_messages():
            parts = (base64.b64encode(part).decode() for part in (schema.data, message.data))
            yield schema.name, json.dumps([schema.name, *parts])


def test_messages(tmp_path):
    """All kinds of message; sensors whose names differ in nothing that a field's may."""
    model = sinew.Model.from_xml(MODEL)
    data, recorder = sinew.Data(model), sinew.Recorder(model)
    data.qvel[:] = np.arange(1, 8)
    for i in range(30):
        recorder.step(data, odd=[np.nan, i])
    recorder.save(tmp_path / "run.mcap")
    recording = recorder.recording()
    names, given = zip(*lines(tmp_path / "run.mcap"), strict=True)
    done = subprocess.run(
        [PYTHON, "-c", PROGRAM], input="\n".join(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    read = {}
    for name, line in zip(names, done.stdout.splitlines(), strict=True):
        read.setdefault(name, []).append(json.loads(line))
    states = read["sinew.State"]
    assert [state["qpos"] for state in states] == recording.qpos.tolist()
    assert [state["odd"] for state in states] == [["NaN", float(i)] for i in range(30)]
    words = {"bend": "bend", "Bend_2": "Bend", "number_2": "[2]", "b_e_nd_3": "b e/nd"}
    for state, *numbers in zip(states, *(recording.sensors[name] for name in words.values())):
        assert state["sensors"] == {w: n.tolist() for w, n in zip(words, numbers)}
    poses = read["foxglove.FrameTransforms"][0]["transforms"]
    assert [pose["child_frame_id"] for pose in poses] == ["a b", "arm"]
    (joint,) = read["foxglove.JointStates"][-1]["joints"]
    assert joint["name"] == "elbow" and joint["velocity"] in recording.qvel[:, 6]
