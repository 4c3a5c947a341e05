"""sinew simulate: length, controls, recordings, summary, instability, interruption."""

import csv
import json
import os
import re
import resource
import signal
import subprocess
import time

import numpy as np
import pytest

CARTPOLE = """
<mujoco model="cartpole">
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart">
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.2 0.1 0.1" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.03" mass="0.2"/>
        <site name="tip" pos="0 0 0.6"/>
        <body name="bob" pos="0 0 0.6">
          <joint name="wrist" type="ball"/>
          <geom type="sphere" size="0.03" pos="0 0 0.1" mass="0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <contact>
    <exclude body1="cart" body2="pole"/>
    <exclude body1="cart" body2="bob"/>
    <exclude body1="pole" body2="bob"/>
  </contact>
  <actuator>
    <motor name="push" joint="rail" gear="10"/>
    <motor name="twist, é" joint="hinge"/>
    <motor joint="hinge" gear="0.1"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <framepos name="tip's &quot;é&quot;" objtype="site" objname="tip"/>
    <jointvel joint="rail"/>
  </sensor>
  <keyframe>
    <key name="tilted" qpos="0.1 0.2 1 0 0 0" ctrl="0.5 0 0"/>
    <key qpos="0.3 0 1 0 0 0"/>
  </keyframe>
</mujoco>
"""
UNSTABLE = """
<mujoco>
  <option timestep="0.1"/>
  <worldbody>
    <body>
      <joint name="spring" type="slide" stiffness="1e7" springref="1"/>
      <geom size="0.1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def cartpole(tmp_path):
    path = tmp_path / "cartpole.xml"
    path.write_text(CARTPOLE, encoding="utf-8")
    return path


def summary(done):
    """The summary of a run with --json."""
    return json.loads(done.stdout)


def test_length(sinew, cartpole):
    assert summary(sinew("simulate", cartpole, "--json"))["steps"] == 1000
    assert summary(sinew("simulate", cartpole, "--json", "--seconds", 0.25))["steps"] == 25
    assert summary(sinew("simulate", cartpole, "--json", "--seconds", 0.3))["steps"] == 30
    last = summary(sinew("simulate", cartpole, "--json", "--steps=7"))
    assert last["steps"] == 7 and last["time"] == pytest.approx(0.07, rel=1e-14)
    none = summary(sinew("simulate", cartpole, "--json", "--steps", 0))
    assert none["steps"] == 0 and none["time"] == 0
    assert none["energy"]["start"] == none["energy"]["end"]


def test_summary(sinew):
    text = sinew("simulate", "--steps", 100, "--ctrl", "noise:0.3").stdout
    assert "28 coordinates, 27 dofs, 21 controls" in text
    assert "0.4 s in 100 steps of 0.004 s" in text
    for word in (
        "times real time",
        "steps a second",
        "contacts",
        "rows",
        "iterations",
        "residual",
        "energy",
    ):
        assert word in text
    assert re.search(r"^warnings +none$", text, re.MULTILINE)


def test_our_humanoid_ten_seconds(sinew):
    """What ./dev demo runs: it must not blow up, and it must touch the ground."""
    result = summary(sinew("simulate", "--ctrl", "noise:0.3", "--json"))
    assert result["outcome"] == "done" and result["time"] == pytest.approx(10)
    assert not any(result["warnings"].values())
    assert 1 < result["contacts"]["mean"] < 20 and result["contacts"]["max"] >= 3
    assert result["rows"]["mean"] > 4 and result["solver_iterations"]["mean"] > 1
    assert 0 < result["solver_residual"] < 1e-7 and result["noslip_residual"] == 0
    assert 0 < result["energy"]["end"]["potential"] < result["energy"]["start"]["potential"]
    assert result["path"] is None and result["model"] == "sinew humanoid"


def test_energy_is_kept(sinew, tmp_path):
    """Nothing damps the cartpole; Runge-Kutta's error at this step is far below the tolerance."""
    text = CARTPOLE.replace('timestep="0.01"', 'timestep="0.001" integrator="RK4"')
    (tmp_path / "rk4.xml").write_text(text, encoding="utf-8")
    run = ["simulate", "rk4.xml", "--seconds", 3, "--keyframe", "tilted", "--ctrl", "zero"]
    energy = summary(sinew(*run, "--json"))["energy"]
    start, end = (sum(energy[when].values()) for when in ("start", "end"))
    assert end == pytest.approx(start, rel=1e-6)
    assert energy["start"]["kinetic"] == 0 and energy["end"]["kinetic"] > 0.1


def test_keyframes(sinew, cartpole):
    def start(*arguments):
        sinew("simulate", cartpole, "--steps", 0, "--record", "start.npy", *arguments)
        return np.load(sinew.folder / "start.npy")[0]

    assert start()["qpos"].tolist() == [0, 0, 1, 0, 0, 0]
    tilted = start("--keyframe", "tilted")
    assert tilted["qpos"].tolist() == [0.1, 0.2, 1, 0, 0, 0]
    assert tilted["ctrl"].tolist() == [0.5, 0, 0]
    assert start("--keyframe", "tilted", "--ctrl", "zero")["ctrl"].tolist() == [0, 0, 0]
    assert start("--keyframe", "1")["qpos"][0] == 0.3
    message = sinew.error("simulate", cartpole, "--keyframe", "titled", code=1)
    assert 'no such keyframe; did you mean "tilted"? (2 in the model)' in message
    for number in ("2", "7", "99999999999"):
        message = sinew.error("simulate", cartpole, "--keyframe", number, code=1)
        assert message == f"--keyframe {number}: the model has 2, numbers 0 to 1"
    message = sinew.error("simulate", cartpole, "--keyframe", "xyzzy", code=1)
    assert "no such keyframe; give one of the names that sinew inspect lists, or 0 to 1" in message


def test_npy(sinew, cartpole):
    sinew("simulate", cartpole, "--steps", 20, "--ctrl", "noise:1:5", "--record", "run.npy")
    rows = np.load(sinew.folder / "run.npy")
    tip = 'sensor/tip\'s "é"'
    assert rows.dtype.names == (
        "time", "qpos", "qvel", "ctrl", "qacc_warmstart", "sensor/angle", tip, "sensor/[2]",
    )  # fmt: skip
    assert rows.shape == (21,) and rows["qpos"].shape == (21, 6) and rows["qvel"].shape == (21, 5)
    assert rows["time"] == pytest.approx(0.01 * np.arange(21), abs=1e-14)
    # sensors belong to the state of their row, the last one included
    assert (rows["sensor/angle"] == rows["qpos"][:, 1]).all()
    assert (rows["sensor/[2]"] == rows["qvel"][:, 0]).all()
    assert rows[tip].shape == (21, 3)
    # the controls of a row are those that lead to the next
    assert rows["ctrl"].std() > 0.3 and (rows["qvel"][1:, 0] != rows["qvel"][:-1, 0]).all()
    assert not list(sinew.folder.glob("*.part"))


def test_csv_has_the_same_numbers(sinew, cartpole):
    for name in ("run.npy", "run.csv"):
        sinew("simulate", cartpole, "--steps", 20, "--ctrl", "noise:1:5", "--record", name)
    rows = np.load(sinew.folder / "run.npy")
    with open(sinew.folder / "run.csv", encoding="utf-8", newline="") as file:
        header, *body = csv.reader(file)
    assert header[:3] == ["time", "qpos/rail", "qpos/hinge"]
    assert header[3:7] == [f"qpos/wrist/{i}" for i in range(4)]
    assert header[12:15] == ["ctrl/push", "ctrl/twist, é", "ctrl/[2]"]
    wrist = [f"qacc_warmstart/wrist/{i}" for i in range(3)]
    assert header[15:20] == ["qacc_warmstart/rail", "qacc_warmstart/hinge", *wrist]
    tip = [f'sensor/tip\'s "é"/{i}' for i in range(3)]
    assert header[20:] == ["sensor/angle", *tip, "sensor/[2]"]
    flat = [np.reshape(rows[n], (len(rows), -1)) for n in rows.dtype.names]
    assert (np.array(body, float) == np.concatenate(flat, axis=1)).all()


def test_noise_is_repeatable(sinew, cartpole):
    def record(noise):
        sinew("simulate", cartpole, "--steps", 50, "--ctrl", noise, "--record", "run.npy")
        return np.load(sinew.folder / "run.npy")

    first = record("noise:0.2:1")
    assert (first == record("noise:0.2:1")).all()
    assert (first["ctrl"] != record("noise:0.2:2")["ctrl"]).all()
    assert (2 * first["ctrl"] == record("noise:0.4:1")["ctrl"]).all()
    assert (record("noise:0.2") == record("noise:0.2:0")).all()


def test_a_recording_is_a_table_of_controls(sinew, cartpole):
    run = ["simulate", cartpole, "--steps", 50]
    sinew(*run, "--ctrl", "noise:1", "--record", "first.csv")
    sinew(*run, "--ctrl", "first.csv", "--record", "second.csv")
    first, second = ((sinew.folder / f"{name}.csv").read_bytes() for name in ("first", "second"))
    assert first == second


def controls(sinew, model, text, steps):
    """Controls that a table leads to."""
    (sinew.folder / "table.csv").write_bytes(text)
    run = ["simulate", model, "--steps", steps]
    sinew(*run, "--ctrl", "table.csv", "--record", "run.npy")
    return np.load(sinew.folder / "run.npy")["ctrl"].tolist()


def test_tables(sinew, cartpole):
    a, b, c = [1, 2, 3], [4, 5, 6], [0, 0, 0]
    # plain columns, one row a step, the last one held
    assert controls(sinew, cartpole, b"1,2,3\n4,5,6\n", 3) == [a, b, b, b]
    # names in any order, quotes, \r\n, a byte order mark, no end of line; without a column: 0
    text = '\ufeff"twist, é" , push\r\n5,4'.replace('" ,', '",').encode()
    assert controls(sinew, cartpole, text, 1) == [[4, 5, 0]] * 2
    assert controls(sinew, cartpole, b"ctrl/push, [2]\n1,3\n\n\n", 0) == [[1, 0, 3]]
    # times: a row holds from its time on, the first one from the start
    text = b"0.00,1,2,3\n0.02,4,5,6\n0.03,0,0,0\n"
    assert controls(sinew, cartpole, text, 4) == [a, a, b, c, c]
    text = b"push,time\n1,0.01\n2,0.02\n3,0.02\n"
    assert controls(sinew, cartpole, text, 3) == [[1, 0, 0]] * 2 + [[3, 0, 0]] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": no row of numbers"),
        ("push\n", ": no row of numbers"),
        ("1,2\n", ":1: 2 columns, but the model has 3 controls"),
        ("1,2,3\n1,2\n", ":2: 2 columns, but the first line has 3"),
        ("1,2,3\n1,x,3\n", ':2: column 2: not a finite number: "x"'),
        ("push\n1\nnan\n", ':3: column 1: not a finite number: "nan"'),
        ("push\n1e999\n", ':2: column 1: not a finite number: "1e999"'),
        ("push\n\n1\n", ":2: a blank line in the middle"),
        ("psuh\n1\n", ':1: column 1: no actuator "psuh"; did you mean "push"?'),
        ("push,xyzzy\n1,1\n", ':1: column 2: no actuator "xyzzy"'),
        ("push,ctrl/push\n1,1\n", ':1: columns 1 and 2 are for the same control "ctrl/push"'),
        ('"push\n1\n', ":1: column 1: a quote is not closed"),
        ("time,push\n1,0\n0.5,0\n", ":3: column 1: time goes back"),
        ("push\n1\0\n", ":2: not a text file (it has a zero byte)"),
    ],
)
def test_wrong_tables(sinew, cartpole, text, message):
    (sinew.folder / "table.csv").write_text(text)
    error = sinew.error("simulate", cartpole, "--ctrl", "table.csv", code=1)
    assert error == "table.csv" + message


def test_unreadable_table(sinew, cartpole):
    error = sinew.error("simulate", cartpole, "--ctrl", "nowhere.csv", code=1)
    assert "No such file" in error
    (sinew.folder / "folder.csv").mkdir()
    assert "directory" in sinew.error("simulate", cartpole, "--ctrl", "folder.csv", code=1)


def test_unstable(sinew, tmp_path):
    (tmp_path / "unstable.xml").write_text(UNSTABLE)
    done = sinew("simulate", "unstable.xml", "--record", "run.npy", "--json", code=3)
    assert re.search(r"unstable at [0-9.]+ s: .*(qpos|qvel|qacc).*joint spring", done.stderr)
    result = summary(done)
    assert result["outcome"] == "unstable" and result["unstable"]["time"] > 0
    assert result["steps"] < 100 and result["energy"]["end"]["kinetic"] is None
    # what went well is kept
    rows = np.load(tmp_path / "run.npy")
    assert len(rows) == result["steps"] and np.isfinite(rows["qpos"]).all()
    assert "unstable" in sinew("simulate", "unstable.xml", code=3).stdout


def test_unstable_without_reset(sinew, tmp_path):
    flag = '<option><flag autoreset="disable"/></option>'
    (tmp_path / "unstable.xml").write_text(UNSTABLE.replace("<option", flag + "<option"))
    sinew("simulate", "unstable.xml", code=3)


def read_recording(path):
    """Header and rows of a recording, whatever its format."""
    if ".npy" in path.name:
        rows = np.load(path)
        return rows.dtype.names, rows["time"]
    # a kill may cut a write short between two pages: as sinew.Recording does, what has no end of line is left out
    whole = path.read_bytes().rpartition(b"\n")[0].decode()
    header, *rows = csv.reader(whole.splitlines())
    assert all(len(row) == len(header) for row in rows)
    return header, np.array(rows, float)[:, 0]


def grow(process, part, size):
    """Wait until the recording has so many bytes; the run has no end of its own."""
    while not part.exists() or part.stat().st_size <= size:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def start_recording(sinew, name, *signals_ignored):
    """A run without end, once its recording has some rows."""
    run = ["simulate", "--steps", 10**15, "--ctrl", "noise:0.3", "--record", name]

    def prepare():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            ignored = number in signals_ignored
            signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)

    process = sinew.start(*run, preexec_fn=prepare)
    part = sinew.folder / f"{name}.part"
    grow(process, part, 100_000)
    return process, part


@pytest.mark.parametrize("ending", ["npy", "csv"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU])
def test_signals_end_a_recording(sinew, number, ending):
    """Ctrl-C, a batch system, a closed terminal, a limit: the run ends with its summary and its rows."""
    process, part = start_recording(sinew, f"run.{ending}")
    process.send_signal(number)
    process.send_signal(number)  # `timeout` sends it twice
    out, err = process.communicate(timeout=1200)
    assert process.returncode == 128 + number, err
    assert "interrupted" in out and err == ""
    _, times = read_recording(sinew.folder / f"run.{ending}")
    assert times == pytest.approx(0.004 * np.arange(len(times)), rel=1e-9) and len(times) > 10
    assert not part.exists()


def test_signals_that_are_ignored_stay_so(sinew):
    """As under nohup, or in the background of a shell."""
    process, part = start_recording(sinew, "run.npy", signal.SIGHUP, signal.SIGINT)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGINT)
    grow(process, part, part.stat().st_size + 200_000)  # more than it may have on its way
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=1200)
    assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize("ending", ["npy", "csv"])
def test_killed_recording_opens(sinew, ending):
    process, part = start_recording(sinew, f"run.{ending}")
    process.kill()
    process.communicate(timeout=1200)
    assert process.returncode == -signal.SIGKILL
    names, times = read_recording(part)
    assert times == pytest.approx(0.004 * np.arange(len(times)), rel=1e-9) and len(times) > 10
    assert names[0] == "time"
    # another run does not take it for its own
    before = part.read_bytes()
    sinew("simulate", "--steps", 3, "--record", f"run.{ending}")
    assert part.read_bytes() == before
    assert len(read_recording(sinew.folder / f"run.{ending}")[1]) == 4


@pytest.mark.parametrize("ending", ["npy", "csv", "snb", "xml"])
def test_pipes_and_links_stay(sinew, cartpole, ending):
    """Recordings and converted models go one way: no pipe is replaced, of a link only what it points to."""
    folder = sinew.folder
    name = f"out.{ending}"

    def write(code=0):
        if ending in ("npy", "csv"):
            return sinew("simulate", cartpole, "--steps", 2, "--record", name, code=code)
        return sinew("convert", cartpole, name, code=code)

    os.mkfifo(folder / name)
    assert f"cannot write '{name}': it is not a regular file" in write(code=1).stderr
    assert (folder / name).is_fifo()
    (folder / name).unlink()
    (folder / "deep").mkdir()
    (folder / name).symlink_to("deep/link")
    (folder / "deep" / "link").symlink_to("target")
    for _ in range(2):  # first it dangles
        write()
        assert (folder / name).is_symlink() and (folder / "deep" / "link").is_symlink()
        target = folder / "deep" / "target"
        assert target.stat().st_size > 100 and not target.is_symlink()
        target.write_text("old")
        target.chmod(0o640)
    write()
    assert target.stat().st_mode & 0o777 == 0o640 and target.read_bytes() != b"old"
    (folder / "deep" / "link").unlink()
    (folder / "deep" / "link").symlink_to("link")
    assert "Too many levels of symbolic links" in write(code=1).stderr
    assert not list(folder.rglob("*.part*"))


def test_a_full_arena_is_told(sinew):
    """Rows that are dropped: what happened and what to do, in both kinds of summary."""
    (sinew.folder / "stack.xml").write_text(
        '<mujoco><size memory="20K"/><worldbody><geom type="plane" size="5 5 1"/>'
        '<replicate count="6" offset=".3 0 0"><body pos="0 0 .099"><freejoint/>'
        '<geom type="box" size=".1 .1 .1"/></body></replicate></worldbody></mujoco>'
    )
    run = ["simulate", "stack.xml", "--steps", 10]
    mend = '20480 bytes are too few: give the model more, <size memory="40K"/>'
    text = sinew(*run).stdout
    line = re.search(r"^warnings +(constraint rows dropped: the arena is full: .*)$", text, re.M)
    assert line and mend in line[1]
    result = summary(sinew(*run, "--json"))
    assert result["warnings"]["cnstrfull"] > 0 and mend in result["warning_texts"][0]
    assert summary(sinew("simulate", "--steps", 10, "--json"))["warning_texts"] == []


def test_record_that_cannot_be_written(sinew, cartpole):
    message = sinew.error("simulate", cartpole, "--record", "no/such/run.csv", code=1)
    assert message == "cannot write 'no/such/run.csv': No such file or directory"


@pytest.mark.parametrize("ending", ["csv", "npy"])
def test_full_disk(sinew, cartpole, ending):
    """A limit on file size stands in for it: an error, the old file unharmed, nothing left."""
    target = sinew.folder / f"run.{ending}"
    target.write_text("old")
    limit = (100_000, 100_000)
    done = sinew(
        *("simulate", cartpole, "--steps", 5000, "--record", target.name),
        code=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    assert f"cannot write 'run.{ending}': File too large" in done.stderr and done.stdout == ""
    assert target.read_text() == "old" and not list(sinew.folder.glob("*.part"))


def test_progress_on_a_terminal(sinew):
    ours, theirs = os.openpty()
    run = [sinew.path, "simulate", "--steps", str(10**12), "--ctrl", "noise:0.3"]
    process = subprocess.Popen(
        run,
        stdout=subprocess.PIPE,
        stderr=theirs,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    drawn = b""
    try:
        while drawn.count(b"\r[") < 3:
            drawn += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=1200)
    finally:
        process.kill()
        os.close(ours)
    assert b" %  " in drawn and b" s" in drawn
    assert process.returncode == 130 and b"interrupted" in out


def test_profile(sinew):
    """Stages with shares that fit into the step; the same run without it has none."""
    run = ["simulate", "--steps", 50]
    result = summary(sinew(*run, "--profile", "--json"))
    profile = result["profile"]
    assert (
        profile["step"]["calls"]
        == profile["forward"]["calls"]
        == profile["col_broad"]["calls"]
        == 50
    )
    assert profile["step"]["share"] == 1 and profile["inverse"]["calls"] == 0
    stages = ("position", "velocity", "actuation", "constraint", "advance")
    assert 0 < sum(profile[stage]["share"] for stage in stages) <= 1
    assert profile["step"]["seconds"] <= result["wall_time"]
    assert result["jacobian_numbers"]["max"] >= result["rows"]["max"] > 0
    text = sinew(*run, "--profile").stdout
    assert re.search(r"^profile +step .* us a step +100.0 % +50 calls$", text, re.M)
    assert re.search(r"^ +constraint .* %", text, re.M)
    assert "profile" not in summary(sinew(*run, "--json")) and "profile" not in sinew(*run).stdout
