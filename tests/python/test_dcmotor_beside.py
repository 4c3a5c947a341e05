"""DC motors beside what else Sinew does. A cold one whose controller has no limits is a PID controller."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew import control
from two_links import alike, model, run, text

B = 'motorconst=".1" resistance="2"'
FORMS = {
    "dcmotor": f'<dcmotor name="a" joint="hip" {B} controller="60 0 6" input="pos"/>'
    f'<dcmotor name="b" joint="knee" {B} controller="30 0 3" input="pos"/>',
    "pid": '<pid name="a" joint="hip" kp="60" kv="6" input="pos"/><pid name="b" joint="knee" kp="30" kv="3" input="pos"/>',
}  # fmt: skip
FULL = (
    '<dcmotor name="a" joint="hip" motorconst="1" resistance="2" inductance="0 .01" thermal=".5 8 0 .004 25 30" cogging=".1 6 .2" '
    'lugre="200 .4 .3 .5 .1" saturation="20" controller="60 9 6 4 .2 80" input="pos vel ff"/><motor name="b" joint="knee"/>'
)


def same(**given):
    """That a model does the same with motors as with controllers."""
    return alike(*FORMS.values(), **given)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "discrete"])
def test_dcmotor_by_every_integrator(integrator):
    same(options=f'integrator="{integrator}"')


def test_dcmotor_in_exact_loops():
    d = same(more='<text name="sinew_loops" data="exact"/>')
    assert d.nclosure == 1


def test_dcmotor_beside_rigid_contact():
    d = same(more='<text name="sinew_contact" data="lcp"/>', floor=True)
    assert d.ncon


def test_dcmotor_beside_servos_at_their_end():
    """The option servo="end" is about affine servos: a motor at its torque goes by its derivative."""
    options = 'integrator="implicitfast"'
    end, plain = (
        run(model(FULL, more=more, options=options))
        for more in ('<text name="sinew_servo" data="end"/>', "")
    )
    assert np.array_equal(end.qpos, plain.qpos) and np.array_equal(end.act, plain.act)


def test_dcmotor_under_a_controller():
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


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-9), ("float32", 5e-3)])
def test_dcmotor_in_lanes(dtype, tolerance, integrator):
    m = model(FULL, options=f'integrator="{integrator}"')
    rng = np.random.default_rng(0)
    ctrl = rng.normal(size=(9, m.nu))
    batch, d = sinew.Batch(m, 9, dtype=dtype), sinew.Data(m)
    assert not batch.scalar_features or integrator == "RK4"
    batch.step(ctrl, nstep=40)
    for k in range(9):
        sinew.resetData(m, d)
        d.ctrl[:] = ctrl[k]
        sinew.step(m, d, 40)
        for name in ("qpos", "qvel", "act"):
            ours = getattr(d, name)
            scale = max(1, np.abs(ours).max())
            assert np.abs(getattr(batch, name)[k] - ours).max() < tolerance * scale, name


def test_dcmotor_has_no_derivative():
    m = model(FULL)
    d = sinew.Data(m)
    with pytest.raises(sinew.NotSupportedError, match="a dcmotor has no derivative"):
        sinew.transitionDerivative(m, d)
    with pytest.raises(sinew.NotSupportedError, match="a dcmotor has no derivative"):
        sinew.stepVJP(m, d, np.ones(2 * m.nv + m.na))
    A, B = sinew.transitionFD(m, d, 1e-6, True)[:2]
    assert B.shape == (2 * m.nv + m.na, m.nu)
    assert np.isfinite(A).all()


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete"])
def test_dcmotor_by_inverse_dynamics(integrator):
    """The force that brings a state's acceleration about is none but that of the actuators."""
    m = model(FULL, options=f'integrator="{integrator}"')
    d = run(m, 20)
    sinew.forward(m, d)
    sinew.inverse(m, d)
    assert np.abs(d.qfrc_inverse - d.qfrc_actuator).max() < 1e-9
    m.opt.enableflags |= int(sinew.EnableBit.INVDISCRETE)
    d.ctrl[:2] = 0.1, 0.2
    v = d.qvel.copy()
    other = sinew.Data(m)
    sinew.setState(
        m, other, sinew.getState(m, d, sinew.StateBit.INTEGRATION), sinew.StateBit.INTEGRATION
    )
    sinew.forward(m, other)
    force = other.qfrc_actuator.copy()
    sinew.step(m, d)
    other.qacc[:] = (d.qvel - v) / m.opt.timestep
    sinew.inverse(m, other)
    assert np.abs(other.qfrc_inverse - force).max() < 1e-8 * max(1, np.abs(force).max())


def test_dcmotor_in_recordings(tmp_path):
    m = model(FULL)
    d, recorder = sinew.Data(m), sinew.Recorder(m)
    d.ctrl[:] = 1, 2, 3, 4
    d.act[:] = 1, 2, 3, 4, 5
    recorder.add(d)
    for ending in ("npy", "mcap"):
        path = tmp_path / f"run.{ending}"
        recorder.save(path)
        found = sinew.Recording.from_path(path)
        assert found.ctrl.tolist() == [[1, 2, 3, 4]] and found.act.tolist() == [[1, 2, 3, 4, 5]]
    passive = FULL.replace("<motor", f'<dcmotor joint="knee" {B} input="none"/><motor')
    path = tmp_path / "model.xml"
    path.write_text(sinew.Spec.from_xml(text(passive)).to_xml())
    sinew_command = str(pathlib.Path(sys.executable).with_name("sinew"))
    command = [sinew_command, "simulate", str(path), "--steps", "3"]
    noise = [*command, "--ctrl", "noise:1", "--record", str(tmp_path / "one.csv")]
    subprocess.run(noise, check=True, capture_output=True)
    one = (tmp_path / "one.csv").read_text()
    assert "ctrl/a/0,ctrl/a/1,ctrl/a/2,ctrl/b," in one
    again = [*command, "--ctrl", str(tmp_path / "one.csv"), "--record", str(tmp_path / "two.csv")]
    subprocess.run(again, check=True, capture_output=True)
    ours, theirs = (sinew.Recording.from_path(tmp_path / f"{word}.csv") for word in ("one", "two"))
    assert np.ptp(ours.ctrl) > 0 and np.array_equal(ours.ctrl[:3], theirs.ctrl[:3])
    for arguments in (["inspect", str(path)], ["inspect", "--json", str(path)]):
        subprocess.run([sinew_command, *arguments], check=True, capture_output=True)
    old = [sinew_command, "convert", "--physics", "3.3.7", str(path), str(tmp_path / "old.xml")]
    refused = subprocess.run(old, capture_output=True, text=True)
    assert "dcmotor" in refused.stderr


def test_dcmotor_on_threads():
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
