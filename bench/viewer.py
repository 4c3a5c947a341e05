"""What a viewer costs, and how soon pages see: pages here draw nothing, so that the browser's own time is not in it.

    viewer.py [--quick]

- sync: processor time of `sync()` in a program that steps in real time and syncs 60 times a second, in microseconds a call
  and as a share of a core; the server's share, with one page.
- swarm: frames a second of 2,000 moving geoms, on loopback and through a line of 10 Mbit/s and 50 ms each way: until the
  first frame, frames a second, bytes of each, how old the newest is.
- first: from `sinew view MODEL` to the first frame; a mesh of a million triangles from `launch_passive` to the page.
- pull: from the pointer in the page to `xfrc_applied` in the program, half and 95 of a hundred.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/viewer"))

import numpy as np  # noqa: E402
from lines import Client, Line, swarm  # noqa: E402

import sinew  # noqa: E402
import sinew.viewer  # noqa: E402

SHARE = (
    pathlib.Path(sys.prefix)
    / "lib"
    / f"python3.{sys.version_info[1]}"
    / "site-packages/cmeel.prefix/share"
)
TALOS = SHARE / "example-robot-data/robots/talos_data/robots/talos_reduced.urdf"
QUICK = "--quick" in sys.argv
SECONDS = 2.0 if QUICK else 10.0
TICKS = os.sysconf("SC_CLK_TCK")


def processor(pid):
    """Seconds that a process has computed."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


class Program:
    """A program that steps in real time, in a thread, with a viewer."""

    def __init__(self, model, setup=None):
        self.model, self.data = model, sinew.Data(model)
        if setup:
            setup(self.data)
        sinew.forward(model, self.data)
        self.handle = sinew.viewer.launch_passive(model, self.data, browser=False)
        self.spent, self.calls = 0.0, 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        steps = max(1, round(1 / 60 / self.model.opt.timestep))
        due = time.monotonic()
        while not self._ended.wait(max(0.0, due - time.monotonic())):
            due = max(
                due + 1 / 60, time.monotonic() - 1 / 60
            )  # real time, or as near to it as it gets
            sinew.step(self.model, self.data, steps)
            self.data.time = time.monotonic()
            begun = time.thread_time()
            self.handle.sync()
            self.spent += time.thread_time() - begun
            self.calls += 1

    @property
    def port(self):
        return urllib.parse.urlsplit(self.handle.address).port

    def close(self):
        self._ended.set()
        self._thread.join()
        self.handle.close()


def frames(client):
    """Frames a second, bytes of one, and how old each is in the mean, over some seconds."""
    begun, ages, sizes = time.monotonic(), [], []
    while (now := time.monotonic()) < begun + SECONDS:
        words, size = client.receive()
        ages.append(time.monotonic() - words["time"])
        sizes.append(size)
    return len(ages) / (now - begun), statistics.median(sizes), 1e3 * statistics.median(ages)


def sync(name, model):
    """Print what looking at a model costs."""
    program = Program(model)
    client = Client(program.handle.address)
    client.receive()
    pid = program.handle._server._process.pid
    program.spent, program.calls, before = 0.0, 0, processor(pid)
    rate, size, _ = frames(client)
    server = (processor(pid) - before) / SECONDS
    cost = program.spent / program.calls
    client.close()
    program.close()
    print(
        f"sync   {name:12} {model.nv:3} dofs {model.ngeom:4} geoms  {1e6 * cost:7.1f} us {100 * 60 * cost:6.2f} % of a core at 60/s"
        f"   server {100 * server:5.1f} %  {rate:5.1f} frames/s of {size / 1e3:.1f} kB"
    )


def fly(data):
    data.qvel[:] = np.random.default_rng(1).normal(size=data.model.nv)


def many(through):
    """Print how 2,000 geoms are seen."""
    program = Program(sinew.Model.from_xml(swarm(2000)), fly)
    line = Line(program.port) if through else None
    begun = time.monotonic()
    client = Client(program.handle.address, line.port if line else None)
    client.receive()
    opened = time.monotonic() - begun
    rate, size, age = frames(client)
    client.close()
    program.close()
    where = "10 Mbit/s, 50 ms" if through else "loopback"
    print(
        f"swarm  {where:17} open in {opened:5.2f} s  {rate:5.1f} frames/s of {size / 1e3:.1f} kB, {age:.0f} ms old"
    )


def first_picture():
    """Print how long `sinew view` takes to its first frame."""
    begun = time.monotonic()
    words = [
        sys.executable,
        "-m",
        "sinew.view",
        str(ROOT / "examples/models/humanoid.xml"),
        "--no-browser",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        address = next(word for word in process.stdout.readline().split() if "://" in word)
        client = Client(address)
        client.receive()
        print(f"first  humanoid: {time.monotonic() - begun:.2f} s")
        client.close()
        process.terminate()


def sheet(path, side):
    """Write a height map of 2 (side - 1)^2 triangles as OBJ."""
    x, y = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
    points = np.stack([x, y, 3 * np.sin(x / 9) * np.cos(y / 7)], axis=-1).reshape(-1, 3) * 0.01
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel() + 1
    faces = np.concatenate(
        [
            np.stack([corner, corner + side, corner + 1], axis=1),
            np.stack([corner + 1, corner + side, corner + side + 1], axis=1),
        ]
    )
    with open(path, "w") as file:
        np.savetxt(file, points, "v %.4f %.4f %.4f")
        np.savetxt(file, faces, "f %d %d %d")


def large_mesh():
    """Print how long a mesh of a million triangles is on its way."""
    with tempfile.TemporaryDirectory() as folder:
        side = 101 if QUICK else 708
        sheet(pathlib.Path(folder) / "sheet.obj", side)
        model = pathlib.Path(folder) / "model.xml"
        model.write_text(
            '<mujoco><asset><mesh name="s" file="sheet.obj" inertia="shell"/></asset><worldbody>'
            '<geom type="mesh" mesh="s" contype="0" conaffinity="0"/></worldbody></mujoco>'
        )
        program = Program(sinew.Model.from_path(model))
    begun = time.monotonic()
    client = Client(program.handle.address)
    _, size = client.receive("shape")
    client.receive()
    print(
        f"first  mesh of {2 * (side - 1) ** 2} triangles, {size / 1e6:.0f} MB: {time.monotonic() - begun:.2f} s after the page's first word"
    )
    client.close()
    program.close()


def pull():
    """Print how soon the pointer's force is in the program."""
    program = Program(sinew.Model.from_xml(swarm(20)))
    client = Client(program.handle.address)
    client.receive()
    waits = []
    force = program.data.xfrc_applied
    threading.Thread(target=lambda: _drain(client), daemon=True).start()
    for _ in range(20 if QUICK else 100):
        x, y = 0.5, 0.5
        while program.handle.perturb.select <= 0:
            x, y = np.random.default_rng().uniform(0.2, 0.8, 2)
            client.say(do="select", x=float(x), y=float(y))
            time.sleep(0.05)
        begun = time.monotonic()
        client.say(do="pull", bits=1)
        client.say(do="pull", bits=1, action=3, dx=0.1, dy=0.1)
        while not force.any():
            time.sleep(0.0005)
        waits.append(time.monotonic() - begun)
        client.say(do="pull", bits=0)
        while force.any():
            time.sleep(0.0005)
    print(
        f"pull   {1e3 * statistics.median(waits):.1f} ms, 95 of 100 within {1e3 * np.quantile(waits, 0.95):.1f} ms"
    )
    client.close()
    program.close()


def _drain(client):
    try:
        while True:
            client.receive()
    except Exception:  # noqa: S110 it is closed
        pass


def main():
    sync("humanoid", sinew.Model.from_path(ROOT / "examples/models/humanoid.xml"))
    if TALOS.is_file():
        sync("Talos", sinew.Model.from_path(TALOS, package_dirs=[SHARE]))
    many(False)
    many(True)
    first_picture()
    large_mesh()
    pull()


if __name__ == "__main__":
    main()
