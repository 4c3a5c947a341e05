"""PID controllers beside what else Sinew does. One without integral that moves at once is a position servo."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew import control
from two_links import alike, model, run, text

FORMS = {
    "pid": '<pid name="a" joint="hip" kp="60" kv="6" input="pos"/><pid name="b" joint="knee" kp="30" kv="3" input="pos"/>',
    "position": '<position name="a" joint="hip" kp="60" kv="6"/><position name="b" joint="knee" kp="30" kv="3"/>',
}  # fmt: skip
FULL = (
    '<pid name="a" joint="hip" kp="60" kv="6" ki="9" imax=".2" slewmax="4" input="pos vel ff"/>'
    '<motor name="b" joint="knee"/>'
)


def same(**given):
    """That a model does the same with controllers as with servos."""
    return alike(*FORMS.values(), **given)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "discrete"])
def test_pid_by_every_integrator(integrator):
    same(options=f'integrator="{integrator}"')


def test_pid_in_exact_loops():
    d = same(more='<text name="sinew_loops" data="exact"/>')
    assert d.nclosure == 1


def test_pid_beside_rigid_contact():
    d = same(more='<text name="sinew_contact" data="lcp"/>', floor=True)
    assert d.ncon


def test_pid_under_a_controller():
    """Its force is one that is given: what the controller commands goes to the motor alone."""
    m = model(FULL, options='gravity="0 0 0"')
    d = sinew.Data(m)
    d.ctrl[:3] = 0.3, 0.1, 2
    sinew.forward(m, d)
    whole = control.Controller(m)
    posture = whole.add_task(control.PostureTask(level=1, kp=10))
    posture.hold(d)
    whole.solve(d)
    whole.apply(d)
    assert d.ctrl[:3].tolist() == [0.3, 0.1, 2] and np.isfinite(d.ctrl).all()


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-10), ("float32", 2e-3)])
def test_pid_in_lanes(dtype, tolerance):
    m = model(FULL)
    rng = np.random.default_rng(0)
    ctrl = rng.normal(size=(9, m.nu))
    batch, d = sinew.Batch(m, 9, dtype=dtype), sinew.Data(m)
    batch.step(ctrl, nstep=40)
    for k in range(9):
        sinew.resetData(m, d)
        d.ctrl[:] = ctrl[k]
        sinew.step(m, d, 40)
        for name in ("qpos", "qvel", "act"):
            assert np.abs(getattr(batch, name)[k] - getattr(d, name)).max() < tolerance, name


def test_pid_by_inverse_dynamics():
    """The force that brings a state's acceleration about is none but that of the actuators."""
    m = model(FULL)
    d = run(m, 20)
    sinew.forward(m, d)
    sinew.inverse(m, d)
    assert np.abs(d.qfrc_inverse - d.qfrc_actuator).max() < 1e-9


def test_pid_in_recordings(tmp_path):
    m = model(FULL)
    d, recorder = sinew.Data(m), sinew.Recorder(m)
    d.ctrl[:] = 1, 2, 3, 4
    recorder.add(d)
    for ending in ("npy", "mcap"):
        path = tmp_path / f"run.{ending}"
        recorder.save(path)
        found = sinew.Recording.from_path(path)
        assert found.ctrl.tolist() == [[1, 2, 3, 4]], ending
    path = tmp_path / "model.xml"
    path.write_text(sinew.Spec.from_xml(text(FULL)).to_xml())
    command = [
        str(pathlib.Path(sys.executable).with_name("sinew")),
        "simulate",
        str(path),
        "--steps",
        "3",
    ]
    noise = [*command, "--ctrl", "noise:1", "--record", str(tmp_path / "one.csv")]
    subprocess.run(noise, check=True, capture_output=True)
    one = (tmp_path / "one.csv").read_text()
    assert "ctrl/a/0,ctrl/a/1,ctrl/a/2,ctrl/b," in one
    again = [*command, "--ctrl", str(tmp_path / "one.csv"), "--record", str(tmp_path / "two.csv")]
    subprocess.run(again, check=True, capture_output=True)
    ours, theirs = (sinew.Recording.from_path(tmp_path / f"{word}.csv") for word in ("one", "two"))
    assert np.ptp(ours.ctrl) > 0 and np.array_equal(ours.ctrl[:3], theirs.ctrl[:3])


def test_pid_on_threads():
    m = model(FULL)
    rng = np.random.default_rng(0)
    ctrl = rng.normal(size=(8, 30, m.nu))
    start = np.stack([sinew.getState(m, sinew.Data(m), sinew.StateBit.FULLPHYSICS)] * 8)
    states, _ = sinew.rollout(m, start, ctrl, threads=4, width=1)
    d = sinew.Data(m)
    for k in range(8):
        sinew.resetData(m, d)
        for t in range(30):
            d.ctrl[:] = ctrl[k, t]
            sinew.step(m, d)
        assert np.array_equal(states[k, -1], sinew.getState(m, d, sinew.StateBit.FULLPHYSICS))
