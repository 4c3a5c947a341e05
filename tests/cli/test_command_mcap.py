"""sinew simulate --record run.mcap: the same numbers as .npy, the file's rules, a Python that is missing or fails."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import warnings

import mcap.reader
import numpy as np
import pytest

import sinew as package
from models import folder
from protobuf_messages import Schema

GYMNASIUM = folder("gymnasium", "envs/mujoco/assets")
SUITE = folder("dm_control", "suite")
RUN = ["simulate", "--steps", 50, "--ctrl", "noise:0.3:2"]


@pytest.fixture(autouse=True)
def interpreter(monkeypatch):
    """The Python of the tests has the package."""
    monkeypatch.setenv("SINEW_PYTHON", sys.executable)


def check(path, rows):
    """A whole recording that has these rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recording = package.Recording.from_path(path)
    assert list(recording.fields) == [name for name in rows.dtype.names if name != "time"]
    assert recording.time.tobytes() == rows["time"].tobytes()
    for name, values in recording.fields.items():
        assert np.ascontiguousarray(values).tobytes() == np.ascontiguousarray(rows[name]).tobytes()
    return recording


@pytest.mark.parametrize(
    "path",
    [None, GYMNASIUM / "ant.xml", SUITE / "dog.xml", SUITE / "cartpole.xml", SUITE / "ball_in_cup.xml"],
    ids=lambda path: path.stem if path else "ours",
)  # fmt: skip
def test_same_as_npy(sinew, path):
    """To the bit, with the model and its source inside, which says the same."""
    model = [path] if path else []
    for name in ("run.npy", "run.mcap"):
        done = sinew(*RUN, *model, "--record", name)
        assert f"recording   {name}" in done.stdout
        warned = done.stderr
    assert all(line.startswith("warning: ") for line in warned.splitlines())
    rows = np.load(sinew.folder / "run.npy", max_header_size=10**6)
    recording = check(sinew.folder / "run.mcap", rows)
    assert not list(sinew.folder.glob("*.part*"))
    (sinew.folder / "inside.snb").write_bytes(recording._model.compiled())
    again = ["simulate", "inside.snb", *RUN[1:], "--record", "again.npy"]
    sinew(*again)
    assert (sinew.folder / "again.npy").read_bytes() == (sinew.folder / "run.npy").read_bytes()
    source = package.Spec.from_xml(recording._model.source) if path is None else None
    assert source is None or source.compile().nq == recording.model().nq
    assert recording.fit(recording.model()).names == recording.names


def test_summary_is_its_own(sinew):
    """What the Python beside prints does not get into it."""
    done = sinew(*RUN, "--record", "run.mcap", "--json")
    assert json.loads(done.stdout)["steps"] == 50 and done.stderr == ""


def test_few_rows(sinew):
    for steps in (0, 1):
        sinew("simulate", "--steps", steps, "--record", "run.mcap")
        assert len(package.Recording.from_path(sinew.folder / "run.mcap")) == steps + 1


def test_holding_goes_along(sinew):
    """--loops, --contact and --servo are in the model and in its source."""
    sinew(*RUN, "--contact", "lcp", "--loops", "exact", "--servo", "end", "--record", "run.mcap")
    recording = package.Recording.from_path(sinew.folder / "run.mcap")
    for model in (recording.model(), package.Model.from_xml(recording._model.source)):
        assert (
            model.opt.contact == package.ContactModel.LCP and model.opt.loops == package.Loops.EXACT
        )
        assert model.opt.servo == package.Servo.END


MOCAP = """
<mujoco>
  <worldbody>
    <body name="hand" mocap="true"><geom size="0.1"/></body>
    <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <keyframe><key name="away" mpos="1 2 3" qpos="0 0 2 1 0 0 0"/></keyframe>
</mujoco>
"""


def transforms(path):
    """Places of the first message, by body."""
    with open(path, "rb") as stream:
        schema, _, message = next(mcap.reader.make_reader(stream).iter_messages("/tf"))
    places = {}
    for one in Schema(schema.data).decode(schema.name, message.data)["transforms"]:
        places[one["child_frame_id"]] = [one["translation"][axis] for axis in "xyz"]
    return places


def test_bodies_that_are_placed(sinew):
    """They stand where the keyframe has them, in all kinds of recording."""
    (sinew.folder / "mocap.xml").write_text(MOCAP)
    run = ["simulate", "mocap.xml", "--steps", 3, "--record", "run.mcap"]
    sinew(*run, "--keyframe", "away")
    assert transforms(sinew.folder / "run.mcap") == {"hand": [1, 2, 3], "ball": [0, 0, 2]}
    for ending in ("npy", "csv"):
        sinew(*run[:-1], f"run.{ending}", "--keyframe", "away")
    for path in ("run.mcap", "run.npy", "run.csv"):
        recording = package.Recording.from_path(sinew.folder / path)
        assert recording.mocap_pos.tolist() == [[1, 2, 3]] * 4
        assert recording.mocap_quat.tolist() == [[1, 0, 0, 0]] * 4
        assert path == "run.npy" or recording.names["mocap_quat"] == ["hand"] * 4
    sinew(*run)
    assert transforms(sinew.folder / "run.mcap") == {"hand": [0, 0, 0], "ball": [0, 0, 1]}


ODD = """
<mujoco model="%s \\">
  <worldbody><body name="b%d&quot;"><joint name="é, %(x)s/0"/><joint axis="1 0 0"/><geom size="1"/></body></worldbody>
  <sensor><jointpos name="日&#9;本" joint="é, %(x)s/0"/><jointvel name="[2]" joint="é, %(x)s/0"/></sensor>
</mujoco>
"""


def test_odd_names(sinew):
    (sinew.folder / "m %s.xml").write_text(ODD)
    for name in ("run 'é' %d.npy", "run 'é' %d.mcap"):
        sinew("simulate", "m %s.xml", "--steps", 5, "--record", name)
    rows = np.load(sinew.folder / "run 'é' %d.npy", max_header_size=10**6)
    recording = check(sinew.folder / "run 'é' %d.mcap", rows)
    assert recording.names["qpos"] == ["é, %(x)s/0", "[1]"]
    # bytes that are no UTF-8
    (sinew.folder / "bad.xml").write_bytes(ODD.encode().replace("é".encode(), b"\xe9\xff"))
    sinew("simulate", "bad.xml", "--steps", 5, "--record", "run.mcap")
    assert len(package.Recording.from_path(sinew.folder / "run.mcap")) == 6


def test_nothing_to_record(sinew):
    """A model without joints has times alone."""
    (sinew.folder / "still.xml").write_text(
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    )
    sinew("simulate", "still.xml", "--steps", 5, "--record", "run.mcap")
    recording = package.Recording.from_path(sinew.folder / "run.mcap")
    assert len(recording) == 6 and not recording.fields and recording.model().nbody == 1


UNSTABLE = """
<mujoco>
  <option timestep="0.1"/>
  <worldbody><body><joint name="s" type="slide" stiffness="1e7" springref="1"/><geom size="0.1"/></body></worldbody>
</mujoco>
"""


def test_unstable(sinew):
    """What went well is kept."""
    (sinew.folder / "unstable.xml").write_text(UNSTABLE)
    done = sinew("simulate", "unstable.xml", "--record", "run.mcap", "--json", code=3)
    recording = package.Recording.from_path(sinew.folder / "run.mcap")
    assert len(recording) == json.loads(done.stdout)["steps"] > 0


def test_place(sinew):
    """As for other recordings: links stay, permissions stay, folders and pipes are refused."""
    old = sinew.folder / "old.mcap"
    old.write_text("old")
    old.chmod(0o640)
    (sinew.folder / "run.mcap").symlink_to("old.mcap")
    sinew(*RUN, "--record", "run.mcap")
    assert (sinew.folder / "run.mcap").is_symlink() and old.stat().st_mode & 0o777 == 0o640
    assert len(package.Recording.from_path(old)) == 51
    os.mkfifo(sinew.folder / "pipe.mcap")
    message = sinew.error(*RUN, "--record", "pipe.mcap", code=1)
    assert message == "cannot write 'pipe.mcap': it is not a regular file"
    message = sinew.error(*RUN, "--record", "no/run.mcap", code=1)
    assert message == "cannot write 'no/run.mcap': No such file or directory"


def test_full_disk(sinew):
    """A limit on file size stands in for it: an error, the old file unharmed, nothing left."""
    (sinew.folder / "run.mcap").write_text("old")
    done = sinew(
        *("simulate", "--steps", 2000, "--ctrl", "noise:1", "--record", "run.mcap"),
        code=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
    )
    assert done.stderr == "sinew: cannot write 'run.mcap': File too large\n" and done.stdout == ""
    assert [path.read_text() for path in sinew.folder.iterdir()] == ["old"]


def start(sinew, group=False):
    """A run without end, once its recording has some rows; with a group of its own."""

    def prepare():
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    run = ["simulate", "--steps", 10**15, "--ctrl", "noise:0.3", "--record", "run.mcap"]
    process = sinew.start(*run, preexec_fn=prepare)
    part = sinew.folder / "run.mcap.part"
    while not part.exists() or part.stat().st_size <= 100_000:  # a loaded machine takes its time
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    return process, part


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted(sinew, number):
    """Ctrl-C and `timeout` signal the whole group: the recording is completed all the same."""
    process, part = start(sinew)
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=1200)
    assert process.returncode == 128 + number and "interrupted" in out and err == ""
    recording = package.Recording.from_path(sinew.folder / "run.mcap")
    assert len(recording) > 100 and not part.exists()
    assert (np.diff(recording.time) > 0).all()


def test_killed(sinew):
    """The part that is left is whole: who writes it notices, and has all that came."""
    process, part = start(sinew)
    process.kill()
    process.communicate()
    magic = b"\x89MCAP0\r\n"
    while not part.read_bytes().endswith(
        magic
    ):  # who writes it outlives the command by its last rows
        time.sleep(0.01)
    with pytest.warns(package.RecordingWarning, match="what a run had written when it ended"):
        recording = package.Recording.from_path(part)
    assert len(recording) > 100


def child(pid):
    """The process that a process has started."""
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return int(out.stdout.split()[0])


def test_killed_python(sinew):
    """The command ends with a word, and leaves nothing behind."""
    process, part = start(sinew)
    os.kill(child(process.pid), signal.SIGKILL)
    out, err = process.communicate(timeout=1200)
    assert process.returncode == 1 and out == "" and not part.exists()
    words = "the Python beside the command was ended by signal 9 (Killed)"
    assert err == f"sinew: {words}\n"


def without(sinew, module):
    """An environment in which the interpreter does not find a module."""
    hook = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {module!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""
    hooks = sinew.folder / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "sitecustomize.py").write_text(hook)
    return {"env": {**os.environ, "PYTHONPATH": str(hooks)}}


def left(sinew):
    return [path.name for path in sinew.folder.iterdir() if path.name.startswith("run")]


def test_missing_packages(sinew):
    """The line that installs what is missing, once, and no file."""
    done = sinew(*RUN, "--record", "run.mcap", code=1, **without(sinew, "mcap"))
    assert done.stderr.count("\n") == 1 and done.stdout == "" and not left(sinew)
    assert done.stderr.startswith("sinew: recordings as .mcap need the package mcap: ")
    assert f"{sys.executable} -m pip install" in done.stderr
    done = sinew(*RUN, "--record", "run.mcap", code=1, **without(sinew, "sinew"))
    assert done.stderr.count("\n") == 1 and not left(sinew)
    assert done.stderr.startswith("sinew: recording: this Python has no package sinew (")
    assert f'{sys.executable} -m pip install ".[view]"' in done.stderr


def test_missing_python(sinew):
    """Other kinds of recording do without."""
    for environment, words in (
        (
            {"SINEW_PYTHON": "/nowhere/python"},
            "cannot run the interpreter '/nowhere/python': No such",
        ),
        (
            {"SINEW_PYTHON": "", "PATH": str(sinew.folder)},
            "there is no python3 on the PATH: install",
        ),
    ):
        environment = {"env": {**os.environ, **environment}}
        done = sinew(*RUN, "--record", "run.mcap", code=1, **environment)
        assert done.stderr.count("\n") == 1 and done.stdout == "" and not left(sinew)
        assert done.stderr.startswith(f"sinew: recording: {words}")
        sinew(*RUN, "--record", "other.npy", **environment)


def test_a_python_that_ends_early(sinew, tmp_path):
    """Whatever the interpreter is: the command says that there is no recording."""
    python = tmp_path / "python"
    for script, words in (("exit 5", ""), ("kill -9 $$", "was ended by signal 9"), ("exit 0", "")):
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
        environment = {"env": {**os.environ, "SINEW_PYTHON": str(python)}}
        done = sinew("simulate", "--steps", 5000, "--record", "run.mcap", code=1, **environment)
        assert words in done.stderr and done.stdout == "" and not left(sinew)
