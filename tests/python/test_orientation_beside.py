"""Orientation servos beside what else Sinew does.

Three `position` servos about the axes of a ball joint do the same for turns about one of them.
"""

import functools
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import sinew
import two_links
from sinew import control
from two_links import check_alike

SERVO = (
    '<orientation name="a" joint="ball" kp="40" kv="4" input="quat"/><motor name="b" joint="knee"/>'
)
FULL = (
    '<orientation name="a" joint="ball" kp="40" kv="4" input="quat" forcerange="0 5"/><motor name="b" joint="knee"/>'
    '<general name="c" site="tip" refsite="pin" gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 -.3" '
    'dyntype="integrator"/>'
)
ALONG = {  # about y alone, which the tree needs not leave
    "orientation": '<orientation name="a" joint="ball" kp="60" kv="6"/>',
    "position": "".join(
        f'<position name="{k}" joint="ball" gear="{gear}" kp="60" kv="6"/>'
        for k, gear in enumerate(("1 0 0", "0 1 0", "0 0 1"))
    ),
}


text, model = (
    functools.partial(f, first='name="ball" type="ball"') for f in (two_links.text, two_links.model)
)


def run(m, steps=60):
    d = sinew.Data(m)
    for _ in range(steps):
        d.ctrl[1] = 0.5 * np.sin(9 * d.time)
        sinew.step(m, d)
    return d


def same(**given):
    """That a model does the same with one servo as with three, where it turns about one axis."""
    one, three = (run(model(ALONG[word], **given)) for word in ALONG)
    check_alike(one, three)
    return one


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "discrete"])
def test_orientation_by_every_integrator(integrator):
    same(options=f'integrator="{integrator}"')


def test_orientation_in_exact_loops():
    d = same(more='<text name="sinew_loops" data="exact"/>')
    assert d.nclosure == 1


def test_orientation_beside_rigid_contact():
    d = same(more='<text name="sinew_contact" data="lcp"/>', floor=True)
    assert d.ncon


def test_orientation_under_a_controller():
    """Its force is one that is given: what the controller commands goes to the motor alone."""
    m = model(SERVO, options='gravity="0 0 0"')
    d = sinew.Data(m)
    d.ctrl[:4] = 0.3, 0.1, 2, 1
    sinew.forward(m, d)
    whole = control.Controller(m)
    posture = whole.add_task(control.PostureTask(level=1, kp=10))
    posture.hold(d)
    whole.solve(d)
    whole.apply(d)
    assert d.ctrl[:4].tolist() == [0.3, 0.1, 2, 1] and np.isfinite(d.ctrl).all()


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-10), ("float32", 2e-3)])
def test_orientation_in_lanes(dtype, tolerance):
    m = model(FULL, options='integrator="implicitfast"')
    rng = np.random.default_rng(0)
    ctrl = rng.normal(size=(9, m.nu))
    ctrl[:, 5:] *= 20
    batch, d = sinew.Batch(m, 9, dtype=dtype), sinew.Data(m)
    assert not batch.scalar_features
    batch.step(ctrl, nstep=40)
    for k in range(9):
        sinew.resetData(m, d)
        d.ctrl[:] = ctrl[k]
        sinew.step(m, d, 40)
        for name in ("qpos", "qvel"):
            assert np.abs(getattr(batch, name)[k] - getattr(d, name)).max() < tolerance, name


def test_orientation_resets_in_batches():
    m = model(SERVO)
    batch = sinew.Batch(m, 5)
    assert np.array_equal(batch.ctrl, [[1, 0, 0, 0, 0]] * 5)


def turn_of(m, before, after):
    """How far a state is from another, as transitions are counted."""
    change = sinew.differentiatePos(m, 1, before.qpos, after.qpos)
    return np.concatenate([change, after.qvel - before.qvel, after.act - before.act])


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_orientation_has_derivatives(integrator):
    m = model(
        FULL,
        options=f'integrator="{integrator}"',
        sensors='<actuatorpos actuator="a"/><actuatorfrc actuator="a"/><actuatorvel actuator="c"/>',
    )
    d = run(m, 20)
    d.ctrl[:] = 0.8, 0.3, -0.2, 0.1, 0.4, 1, 2, -1
    d.act[:] = 0.3, -0.2, 0.4
    sinew.forward(m, d)
    exact = sinew.transitionDerivative(m, d)
    differences = sinew.transitionFD(m, d, 1e-6, True)
    for ours, theirs in zip(exact, differences, strict=True):
        assert np.abs(ours - theirs).max() < 1e-6 * max(1, np.abs(theirs).max())
    weight = np.random.default_rng(0).normal(size=2 * m.nv + m.na)
    x, u = sinew.stepVJP(m, d, weight)[:2]
    assert np.abs(x - exact[0].T @ weight).max() < 1e-9 * np.abs(x).max()
    assert np.abs(u - exact[1].T @ weight).max() < 1e-9 * np.abs(u).max()


def test_what_has_no_derivative():
    m = model(FULL)
    d = sinew.Data(m)
    d.act[:], d.ctrl[5:] = [3.1, 0.4, 0], [9, 9, 9]
    sinew.forward(m, d)
    with pytest.raises(
        sinew.NotSupportedError, match="'c': a step that takes its activation past half a turn"
    ):
        sinew.transitionDerivative(m, d)
    assert np.isfinite(sinew.transitionFD(m, d, 1e-6, True)[0]).all()


def test_orientation_by_inverse_dynamics():
    """The force that brings a state's acceleration about is none but that of the actuators."""
    m = model(FULL)
    d = run(m, 20)
    sinew.forward(m, d)
    sinew.inverse(m, d)
    assert np.abs(d.qfrc_inverse - d.qfrc_actuator).max() < 1e-9


def test_orientation_with_a_delay():
    """The four controls of a sample are as old as each other."""
    m = model(SERVO.replace("/><motor", ' delay=".02" nsample="6"/><motor'))
    d, direct = sinew.Data(m), sinew.Data(model(SERVO))
    q = np.array([0.5, 0.5, -0.5, 0.5])
    for k in range(10):
        d.ctrl[:4] = q
        sinew.step(m, d)
        direct.ctrl[:4] = q if k >= 4 else [0, 0, 0, 0]
        sinew.step(model(SERVO), direct)
    assert np.array_equal(d.qpos, direct.qpos)


def test_orientation_lets_no_tree_sleep():
    m = model(SERVO.replace('joint="ball"', 'site="tip" refsite="top"'), options='gravity="0 0 0"')
    m.opt.enableflags |= sinew.EnableBit.SLEEP
    d = sinew.Data(m)
    sinew.step(m, d, 50)
    assert d.nasleep == 0


def test_orientation_in_recordings(tmp_path):
    m = model(FULL)
    d, recorder = sinew.Data(m), sinew.Recorder(m)
    d.ctrl[:] = 1, 2, 3, 4, 5, 6, 7, 8
    recorder.add(d)
    for ending in ("npy", "mcap"):
        path = tmp_path / f"run.{ending}"
        recorder.save(path)
        found = sinew.Recording.from_path(path)
        assert found.ctrl.tolist() == [[1, 2, 3, 4, 5, 6, 7, 8]], ending


def sinew_command(*words):
    program = pathlib.Path(sys.executable).with_name("sinew")
    return subprocess.run([str(program), *words], capture_output=True, text=True, check=False)


def test_orientation_in_the_command(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(sinew.Spec.from_xml(text(FULL)).to_xml())
    seen = json.loads(sinew_command("inspect", str(path), "--json").stdout)
    assert len(seen["actuators"][0]["controls"]) == 4
    assert sinew_command("simulate", str(path), "--steps", "3", "--ctrl", "zero", "--record", str(tmp_path / "one.csv")).returncode == 0  # fmt: skip
    first = sinew.Recording.from_path(tmp_path / "one.csv")
    assert first.ctrl[-1].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    older = sinew_command("convert", str(path), str(tmp_path / "old.xml"), "--physics", "3.3.7")
    assert older.returncode and "orientation" in older.stderr


def test_orientation_on_threads():
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


def after_step(m, start):
    d = sinew.Data(m)
    d.qpos[:], d.qvel[:], d.act[:], d.ctrl[:] = start
    sinew.step(m, d)
    return d


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_gradients_by_masses_beside_an_orientation(integrator):
    """Against differences; what a step does with the damping of each of the three forces is in them."""
    m = model(FULL, options=f'integrator="{integrator}"')
    start = [0.8, 0.4, -0.3, 0.2, 0.3, 0.1], [1, -2, 0.5, 1, 0.3], [0.3, -0.2, 0.4], [0.5, 0.5, -0.1, 0.3, 0.4, 1, 2, -1]  # fmt: skip
    start[0][:4] = np.array(start[0][:4]) / np.linalg.norm(start[0][:4])
    d = sinew.Data(m)
    d.qpos[:], d.qvel[:], d.act[:], d.ctrl[:] = start
    sinew.forward(m, d)
    weight = np.random.default_rng(1).normal(size=2 * m.nv + m.na)
    found = sinew.stepVJP(m, d, weight, model=["body_mass", "dof_damping"]).model
    for name, k in (("body_mass", 1), ("body_mass", 2), ("dof_damping", 1), ("dof_damping", 3)):
        array, h = getattr(m, name), 1e-5
        ends, value = [], array[k]
        for step in (h, -h):
            array[k] = value + step
            ends.append(after_step(m, start))
        array[k] = value
        slope = weight @ turn_of(m, ends[1], ends[0]) / (2 * h)
        assert abs(found[name][k] - slope) < 1e-6 * max(1, abs(slope)), (name, k)


@pytest.mark.parametrize("array", ["actuator_gainprm", "actuator_biasprm", "actuator_gear"])
def test_gradients_by_its_gains_are_refused(array):
    m = model(FULL)
    d = sinew.Data(m)
    sinew.forward(m, d)
    with pytest.raises(sinew.NotSupportedError, match="it is an orientation servo"):
        sinew.stepVJP(m, d, np.ones(2 * m.nv + m.na), model=[array])


def test_sliders_of_an_orientation():
    from sinew._viewer.describe import describe

    said = describe(
        model(
            FULL
            + '<orientation joint="ball"/><orientation joint="ball" ctrlrange="-.5 .5" input="quat"/>'
        )
    )
    assert said["controls"][:5] == [[0, 0], [0, 1], [0, 2], [0, 3], [1, -1]]
    assert said["ctrlspan"][:8] == [[-1, 1]] * 8
    assert said["ctrlspan"][8:11] == [[-np.pi, np.pi]] * 3
    assert said["ctrlspan"][11:] == [[-0.5, 0.5]] * 4
