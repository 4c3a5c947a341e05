"""What a data takes of the machine: addresses up to its limit, memory only where it was touched."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sinew

HUMANOID = Path(__file__).parents[2] / "examples" / "models" / "humanoid.xml"
BOX = '<body pos="{} {} .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'

# Run in a process of its own: pages that others gave back would not show.
COUNT = """
import ctypes, json, resource, sys
if sys.platform == "linux":  # no large pages, which come as the machine has memory in one piece
    ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)
import sinew
limit, warm, steps = json.loads(sys.argv[1])
model = sinew.Model.from_xml(sys.stdin.read())
if limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
def pages(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
start = pages()
data = sinew.Data(model)
fresh = pages() - start
sinew.step(model, data, nstep=warm)
start = pages()
sinew.step(model, data, nstep=steps)
later = pages() - start
other = sinew.Data(model)
print(json.dumps({"fresh": fresh * resource.getpagesize(), "later": later, "narena": [data.narena, other.narena],
    "limit": model.narena, "ncon": data.ncon, "z": float(data.qpos[2]), "warnings": int(data.warning.number.sum())}))
"""


def boxes(count):
    """Boxes that lie apart from each other on a plane."""
    bodies = "".join(BOX.format(0.5 * (i % 32), 0.5 * (i // 32)) for i in range(count))
    return f'<mujoco><worldbody><geom type="plane" size="50 50 1"/>{bodies}</worldbody></mujoco>'


def run(xml, limit=0, warm=1, steps=1):
    arguments = [sys.executable, "-c", COUNT, json.dumps([limit, warm, steps])]
    done = subprocess.run(arguments, input=xml, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_fresh_data_is_small():
    """Of 1,000 bodies: its arrays and little else of 2 GiB."""
    result = run(boxes(1000))
    assert result["limit"] == result["narena"][0] == 1 << 31
    assert result["fresh"] < 6 << 20


@pytest.mark.parametrize("scene", ["robot", "boxes"])
def test_steps_touch_no_new_pages(scene):
    """Once what a run needs has been touched: scratch at the far end of the arena costs no faults."""
    xml = boxes(300) if scene == "boxes" else HUMANOID.read_text()
    result = run(xml, warm=10 if scene == "boxes" else 1000, steps=50)
    assert result["ncon"] > 0
    assert result["later"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no limit on addresses")
def test_a_limit_on_addresses_gives_less():
    """As `ulimit -v` sets: the arena is what there is, and enough."""
    result = run(boxes(4), limit=3 << 30)
    assert result["limit"] == 1 << 31
    assert max(result["narena"]) <= 1 << 31 and 1 << 17 < min(result["narena"]) < 1 << 31
    assert result["ncon"] == 16 and not result["warnings"]


MANY = """
import resource, sys
import sinew
model = sinew.Model.from_xml(sys.stdin.read())
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
datas = [sinew.Data(model) for _ in range(20)]
for data in datas: sinew.step(model, data, nstep=100)
assert all(not data.warning.number.any() and data.ncon == 16 for data in datas)
batch = sinew.Batch(model, 64, threads=2)
batch.step(nstep=10)
room = bytearray(1 << 30)  # for the rest of the program
print(min(data.narena for data in datas), max(data.narena for data in datas))
"""

FULL = """
import resource, sys, warnings
import sinew
model = sinew.Model.from_xml(sys.stdin.read())
resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)) if (LIMIT := int(sys.argv[1])) else None
datas = []
try:
    while len(datas) < 2000: datas.append(sinew.Data(model))
except MemoryError: pass
data = datas[-1]
del datas[:10]
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    sinew.step(model, data, nstep=3)
print(data.narena, len(told), [str(w.message) for w in told][:1])
assert all(isinstance(w.message, sinew.SimulationWarning) for w in told)
"""


def under(script, xml, *arguments):
    """Output of a script in a process of its own, with few threads of other libraries."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        input=xml,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no limit on addresses")
def test_many_data_under_a_limit_on_addresses():
    """Twenty, and a batch, under `ulimit -v` of 6 GB; and there is room for others."""
    least, most = map(int, under(MANY, boxes(4)).split())
    assert 1 << 26 < least <= most < 1 << 28


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no limit on addresses")
def test_the_last_of_the_addresses_are_enough_for_a_step():
    """An arena of what is left has less contacts, with a warning, and nothing worse."""
    bodies = "".join(BOX.format(0.001 * i, 0) for i in range(60))
    heap = f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>'
    narena, told, text = under(FULL, heap, str(2 << 30)).split(maxsplit=2)
    assert int(narena) < 1 << 22
    assert int(told) >= 1 and "the arena is full" in text


def test_size_memory_is_the_limit():
    xml = '<mujoco><size memory="{}"/></mujoco>'
    for text, size in [("3K", 3072), ("5G", 5 << 30), ("-1", 1 << 31)]:
        model = sinew.Model.from_xml(xml.format(text))
        assert model.narena == size == sinew.Data(model).narena
    old = '<mujoco><size njmax="5" nconmax="2" nstack="100"/></mujoco>'
    assert sinew.Model.from_xml(old).narena == 1 << 31
