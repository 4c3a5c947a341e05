"""Accesses from Python beside the pinned MuJoCo's: elements by name and id, their arrays, arrays of model and data.

    access.py [--quick]

Both in one process, on dm_control's humanoid, in turns of some milliseconds; a figure is the median of the turns, the ratio
that of the pairs. `v` is an element that the program holds.
"""

import importlib.util
import pathlib
import statistics
import sys
import time

import mujoco

import sinew.mujoco

ACCESSES = """
d.body("torso")
d.body("torso").xpos
d.body(1).xpos
v.xpos
v.xpos = zero
m.body("torso").mass
m.geom("torso").size
d.joint("right_knee").qpos
d.actuator("right_knee").ctrl
d.sensor("torso_subtreelinvel").data
d.body("torso").id
d.body("torso").name
d.qpos
d.xpos
m.body_mass
m.nv
m.opt.timestep
m.opt.gravity
d.time
d.contact
d.contact.geom
d.contact[0].dist
d.warning[0].number
"""


def turns(function, count):
    """Seconds of one call."""
    start = time.perf_counter()
    function(count)
    return (time.perf_counter() - start) / count


def loop(module, statement, path):
    """A function that runs the statement as often as it is told."""
    model = module.MjModel.from_xml_path(path)
    data = module.MjData(model)
    data.qpos[2] = 0.9  # in the floor: contacts
    module.mj_forward(model, data)
    scope = {"m": model, "d": data, "v": data.body("torso"), "zero": data.qpos[:3] * 0}
    source = f"def run(count):\n    for _ in range(count):\n        {statement}"
    exec(source, scope)
    return scope["run"]


def main(quick):
    package = importlib.util.find_spec("dm_control").submodule_search_locations[0]
    path = str(pathlib.Path(package, "suite/humanoid.xml"))
    print(f"{'Accesses from Python, ns':44}{'sinew':>9}{'MuJoCo':>9}{'times faster':>15}")
    for statement in ACCESSES.strip().splitlines():
        ours, theirs = loop(sinew.mujoco, statement, path), loop(mujoco, statement, path)
        pairs = [(turns(ours, 2000), turns(theirs, 2000)) for _ in range(10 if quick else 100)]
        a, b = (1e9 * statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(t / s for s, t in pairs)
        print(f"{statement:44}{a:9.1f}{b:9.1f}{ratio:15.2f}", flush=True)


if __name__ == "__main__":
    main("--quick" in sys.argv)
