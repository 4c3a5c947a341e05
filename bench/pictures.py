"""Pictures a second: sinew.Renderer beside the pinned MuJoCo's Renderer, both on the OpenGL that EGL gives.

    pictures.py [--quick] [--size WxH] [NAME...]
    pictures.py --first [NAME...]    milliseconds of a new process from its imports to the first picture

A picture is update_scene, drawing, and its colours in an array. Each engine steps on its own between pictures, which is
not counted. `fine` is what models have unless they say else: shadow maps of 4096, 4 samples a pixel, reflections; `fast`
has maps of 1024, one sample and no reflections. `asked` is what this model says, as the peer draws it: those of dm_control
ask for maps of 2048. Engines take turns; a figure is the median of the turns. The last columns are microseconds of
mjv_updateScene alone.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

os.environ["MUJOCO_GL"] = "egl"

import dm_control  # noqa: E402
import gymnasium  # noqa: E402
import mujoco  # noqa: E402

import sinew  # noqa: E402
import sinew.mujoco  # noqa: E402

ASSETS = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets"
SUITE = pathlib.Path(dm_control.__file__).parent / "suite"
MODELS = {
    "gym:humanoid": ASSETS / "humanoid.xml",
    "gym:ant": ASSETS / "ant.xml",
    "gym:half_cheetah": ASSETS / "half_cheetah.xml",
    "dm:humanoid": SUITE / "humanoid.xml",
    "dm:quadruped": SUITE / "quadruped.xml",
    "dm:dog": SUITE / "dog.xml",
    "dm:manipulator": SUITE / "manipulator.xml",
}
GEOMS = 10_000


def crowd():
    """A model of many geoms, all of them in the picture."""
    side = round(GEOMS**0.5)
    kinds = ("sphere", "box", "capsule", "cylinder", "ellipsoid")
    geoms = "".join(
        f'<geom type="{kinds[k % 5]}" size=".03 .03 .03" pos="{k % side / 10} {k // side / 10} .05"/>'
        for k in range(GEOMS)
    )
    return f'<mujoco><worldbody><light pos="5 5 8"/><body><freejoint/>{geoms}</body></worldbody></mujoco>'


class Engine:
    """One engine's renderer of a model."""

    def __init__(self, package, text, path, size, **quality):
        self.package = package
        model = package.MjModel
        self.m = model.from_xml_string(text) if text else model.from_xml_path(str(path))
        self.m.vis.global_.offwidth, self.m.vis.global_.offheight = size
        self.d = package.MjData(self.m)
        package.mj_forward(self.m, self.d)
        self.renderer = (sinew.Renderer if quality else package.Renderer)(
            self.m, size[1], size[0], GEOMS + 1000, **quality
        )

    def rate(self, seconds):
        """Pictures a second."""
        start, spent, count = time.perf_counter(), 0.0, 0
        while time.perf_counter() - start < seconds or count < 2:
            self.package.mj_step(self.m, self.d)
            before = time.perf_counter()
            self.renderer.update_scene(self.d)
            self.renderer.render()
            spent += time.perf_counter() - before
            count += 1
        return count / spent

    def update(self, count):
        """Microseconds of one mjv_updateScene."""
        p = self.package
        scene = self.renderer.scene
        option, perturb, camera = p.MjvOption(), p.MjvPerturb(), p.MjvCamera()
        p.mjv_defaultFreeCamera(self.m, camera)
        start = time.perf_counter()
        for _ in range(count):
            p.mjv_updateScene(
                self.m, self.d, option, perturb, camera, p.mjtCatBit.mjCAT_ALL.value, scene
            )
        return (time.perf_counter() - start) / count * 1e6


def measure(name, size, seconds, turns):
    """Print the row of a model."""
    text, path = (crowd(), None) if name == "crowd" else (None, MODELS[name])
    engines = [
        Engine(sinew.mujoco, text, path, size, quality="fast"),
        Engine(sinew.mujoco, text, path, size, quality="fine"),
        Engine(sinew.mujoco, text, path, size, quality=None),
        Engine(mujoco, text, path, size),
    ]
    rates, updates = [[] for _ in engines], [[] for _ in engines]
    for _ in range(turns):
        for k, engine in enumerate(engines):
            rates[k].append(engine.rate(seconds))
            updates[k].append(engine.update(20))
    fast, fine, asked, peer = (statistics.median(r) for r in rates)
    _, ours, _, theirs = (statistics.median(u) for u in updates)
    print(
        f"| {name} | {engines[-1].renderer.scene.ngeom} | {fast:.1f} | {fine:.1f} | {asked:.1f} | {peer:.1f} | "
        f"{fast / peer:.1f} | {fine / peer:.2f} | {asked / peer:.2f} | {ours:.1f} | {theirs:.1f} |",
        flush=True,
    )
    for engine in engines:
        engine.renderer.close()


FIRST = """
import sys, time
start = time.perf_counter()
import {package}
model = {package}.{model}.from_{path}(sys.argv[1])
data = {package}.{data}(model)
{package}.{forward}(model, data)
renderer = {package}.Renderer(model, 480, 640)
renderer.update_scene(data)
renderer.render()
print(1e3 * (time.perf_counter() - start))
renderer.close()
"""
PROGRAMS = (
    FIRST.format(package="sinew", model="Model", data="Data", path="path", forward="forward"),
    FIRST.format(
        package="mujoco", model="MjModel", data="MjData", path="xml_path", forward="mj_forward"
    ),
)


def first(name, turns=9):
    """Print the row of a model: medians, processes of both in turns; the first of each fills caches."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = [[], []]
    for _ in range(turns + 1):
        for k, program in enumerate(PROGRAMS):
            command = [sys.executable, "-c", program, str(MODELS[name])]
            said = subprocess.run(
                command,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            times[k].append(float(said.stdout))
    ours, theirs = (statistics.median(t[1:]) for t in times)
    print(f"| {name} | {ours:.0f} | {theirs:.0f} | {theirs / ours:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=[*MODELS, "crowd"])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--first", action="store_true")
    options = parser.parse_args()
    if options.first:
        print("| model | first picture, ms | peer | ratio |\n|---|---|---|---|")
        for name in options.names:
            if name in MODELS:
                first(name)
        return
    size = tuple(int(x) for x in options.size.split("x"))
    seconds, turns = (0.5, 3) if options.quick else (1.5, 5)
    print(f"mujoco {mujoco.__version__}, {options.size}, {os.cpu_count()} processors")
    print(
        "| model | geoms | fast | fine | asked | peer | fast/peer | fine/peer | asked/peer | updateScene us | peer's us |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in options.names:
        measure(name, size, seconds, turns)


if __name__ == "__main__":
    main()
