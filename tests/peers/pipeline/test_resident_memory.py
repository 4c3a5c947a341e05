"""Memory that a run takes of the machine, against the peer's on the same scene."""

import json
import subprocess
import sys

import pytest

BOX = '<body pos="{} {} .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'

# Pages that count as none: a peer that finds what its reader of XML gave back takes 5 in place of 26.
NEAR = 32

# A process for each: pages that others gave back would not show.
RUN = """
import ctypes, json, resource, sys
if sys.platform == "linux":  # no large pages, which come as the machine has memory in one piece
    ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)
xml = sys.stdin.read()
if sys.argv[1] == "peer":
    import mujoco
    model = mujoco.MjModel.from_xml_string(xml)
    make, step = mujoco.MjData, mujoco.mj_step
else:
    import sinew
    model = sinew.Model.from_xml(xml)
    make, step = sinew.Data, sinew.step
start = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
data = make(model)
for _ in range(20): step(model, data)
pages = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - start
print(json.dumps([pages, data.ncon]))
"""


def boxes(count):
    bodies = "".join(BOX.format(0.5 * (i % 32), 0.5 * (i // 32)) for i in range(count))
    return f'<mujoco><worldbody><geom type="plane" size="50 50 1"/>{bodies}</worldbody></mujoco>'


def run(who, xml):
    command = [sys.executable, "-c", RUN, who]
    done = subprocess.run(command, input=xml, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("count", [10, 300, 1000])
def test_no_more_than_the_peer(count):
    """Boxes side by side on a plane: pages of data and steps."""
    xml = boxes(count)
    pages, contacts = run("sinew", xml)
    peer_pages, peer_contacts = run("peer", xml)
    assert contacts == peer_contacts == 4 * count
    assert pages <= peer_pages + NEAR


DETAILED = r"""
import numpy as np, resource, sinew
u, v = (x.ravel() for x in np.meshgrid(np.linspace(0, np.pi, 100), np.linspace(0, 2 * np.pi, 200, endpoint=False)))
points = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], 1)
k = np.arange(200 * 100).reshape(200, 100)
near, far = k, np.roll(k, -1, 0)
faces = np.stack([near[:, :-1], far[:, :-1], far[:, 1:]], -1).reshape(-1, 3)
text = "".join(f"v {x} {y} {z}\n" for x, y, z in points) + "".join(f"f {a} {b} {c}\n" for a, b, c in faces + 1)
model = sinew.Model.from_xml(
    '<mujoco><asset><mesh name="ball" file="ball.obj"/></asset><worldbody><geom type="plane" size="9 9 1"/>'
    '<body pos="0 0 2"><freejoint/><geom type="mesh" mesh="ball"/></body></worldbody></mujoco>',
    {"ball.obj": text.encode()},
)
def pages(make):
    start = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    kept = make()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - start
one = pages(lambda: sinew.Batch(model, 8, width=1))
batch = sinew.Batch(model, 1)
print(batch.width, one, pages(lambda: sinew.Batch(model, 8)))
"""


def test_lanes_share_detailed_meshes():
    """Boxes of 20,000 triangles are not there once more for each lane and thread."""
    done = subprocess.run(
        [sys.executable, "-c", DETAILED], capture_output=True, text=True, check=True
    )
    width, one, lanes = map(int, done.stdout.split())
    assert width > 1
    assert lanes < 1.5 * one
