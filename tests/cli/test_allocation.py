"""Memory that runs out, at every allocation there is: an error, and nothing lost.

An allocator loaded before the C library lets the N-th call fail, or all from the N-th on, whoever makes it: the
library, expat, qhull, libpng, cJSON or the C library itself.
"""

import os
import pathlib
import re
import struct
import subprocess
import zlib

import pytest

ALLOCATOR = pathlib.Path(__file__).with_name("failing_allocator.c")
LONG = "SINEW_LONG" in os.environ
MODEL = """
<mujoco model="small">
  <asset>
    <mesh name="rock" file="rock.obj"/>
    <texture name="t" type="2d" file="t.png"/>
    <hfield name="h" file="t.png" size="1 1 1 1"/>
    <material name="m" texture="t"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="h"/>
    <site name="w" pos="0 0 1"/>
    <body name="b" pos="0 0 2"><freejoint/><geom type="mesh" mesh="rock" material="m"/></body>
    <replicate count="2" offset="1 0 0">
      <body pos="0 0 1"><joint name="j"/><geom size=".1"/><site name="p"/></body>
    </replicate>
  </worldbody>
  <actuator><motor joint="j0"/></actuator>
  <sensor><jointpos name="s" joint="j0"/><user name="sinew_loop_l0" dim="1"/></sensor>
  <custom><text name="sinew_loop_l" data="sphere-in-plane w p"/></custom>
  <keyframe><key name="k"/></keyframe>
</mujoco>
"""
URDF = """
<robot name="r">
  <link name="a">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="rock.obj"/></geometry></collision>
  </link>
</robot>
"""


def picture(size):
    """A PNG file of size x size pixels."""

    def chunk(kind, data):
        sums = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + sums

    rows = b"".join(
        b"\0" + bytes((37 * x + 11 * y) % 256 for x in range(3 * size)) for y in range(size)
    )
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def allocator(tmp_path_factory):
    """The library to load, made by the compiler of the house."""
    library = tmp_path_factory.mktemp("allocator") / "failing_allocator.so"
    compiler = os.environ.get("CC", "cc")
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *flags, ALLOCATOR, "-o", library, "-ldl"], check=True)
    return library


@pytest.fixture
def models(sinew, tmp_path):
    """Small models that reach every parser; the command without sanitizers, which have their own allocator."""
    if sinew.path.parts[-3] != "release" and "SINEW_COMMAND" not in os.environ:
        pytest.fail("the allocator goes before that of the release build")
    (tmp_path / "model.xml").write_text(MODEL)
    (tmp_path / "robot.urdf").write_text(URDF)
    (tmp_path / "t.png").write_bytes(picture(3))
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (0.2, 0.2, 0.2)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + ["f 1 3 2", "f 1 2 4", "f 2 3 4", "f 3 1 4"]
    (tmp_path / "rock.obj").write_text("\n".join(lines))
    (tmp_path / "controls.csv").write_text("time,ctrl/[0]\n0,1\n1,2\n")
    sinew("convert", "model.xml", "model.snb")
    return tmp_path


def without_times(text):
    """The output of a run without what the clock says."""
    return re.sub(
        r'"(wall_time|times_real_time|steps_per_second)":.*|^wall time.*', "", text, flags=re.M
    )


class Run:
    """A command whose N-th allocation fails, time after time."""

    def __init__(self, sinew, allocator, arguments, output):
        self.command = [sinew.path, *arguments.split()]
        self.folder, self.allocator = sinew.folder, allocator
        self.output = sinew.folder / output if output else None
        self.count = 1 << 30  # allocations of the whole run, known at the first that ends
        self.good = self.attempt(0, False)
        self.result = self.output.read_bytes() if output else b""
        assert self.good.returncode == 0, self.good.stderr

    def attempt(self, n, on):
        if self.output:
            self.output.write_bytes(b"old")
        reader, writer = os.pipe()
        env = {"LD_PRELOAD": self.allocator, "FAIL_AT": str(n), "FAIL_COUNT": str(writer)}
        env |= {"FAIL_ON": "1"} if on else {}
        done = subprocess.run(
            self.command, cwd=self.folder, env=os.environ | env, pass_fds=[writer], text=True,
            capture_output=True, timeout=1200, check=False,
        )  # fmt: skip
        os.close(writer)
        count = os.read(reader, 32)
        os.close(reader)
        assert count, (n, done.returncode, done.stderr)  # it ended by itself, in main
        self.count = int(count) if not n else self.count
        return done

    def check(self, n, on):
        done = self.attempt(n, on)
        where = (n, on, done.returncode, done.stdout[-300:], done.stderr)
        assert not list(self.folder.glob("*.part*")), where
        if done.returncode == 0:
            # what failed could be done without: nothing at all is missing
            assert done.stderr == "", where
            assert without_times(done.stdout) == without_times(self.good.stdout), where
            assert not self.output or self.output.read_bytes() == self.result, where
            return
        assert done.returncode == 1, where
        checking = self.command[1] == "check"
        text = done.stdout if checking else done.stderr
        assert "out of memory" in text or "Cannot allocate memory" in text, where
        assert checking or (done.stdout == "" and done.stderr.startswith("sinew: ")), where
        # a recording may be whole before the summary fails
        assert not self.output or self.output.read_bytes() in (b"old", self.result), where


@pytest.mark.parametrize("sinew", ["release"], indirect=True)
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        ("check model.xml", None),
        ("check robot.urdf", None),
        ("check model.snb", None),
        ("inspect model.xml --all", None),
        ("inspect model.xml --json", None),
        ("inspect model.snb --json --group texdata", None),
        ("inspect model.xml --loops", None),
        ("inspect model.snb --loops exact --json", None),
        ("simulate model.xml --steps 3 --ctrl controls.csv --record run.csv", "run.csv"),
        ("simulate model.snb --steps 3 --ctrl controls.csv --record run.npy --json", "run.npy"),
        ("convert model.xml out.snb", "out.snb"),
        ("convert model.snb out.xml", "out.xml"),
        ("convert robot.urdf out.xml", "out.xml"),
        ("convert --loops exact model.xml out.xml", "out.xml"),
        ("convert --physics 4.0 model.xml out.xml", "out.xml"),
    ],
)
def test_each_allocation_failing(sinew, models, allocator, arguments, output):
    run = Run(sinew, allocator, arguments, output)
    for n in range(1, run.count + 2):
        if LONG or n <= 200 or n % 97 == 0:
            run.check(n, False)
        if LONG or n % 17 == 0:
            run.check(n, True)
