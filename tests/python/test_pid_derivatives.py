"""Derivatives of steps with PID controllers: against differences, adjoints, gradients of rollouts and by their numbers."""

import os

import numpy as np
import pytest

import pid_arm
import sinew

LONG = bool(os.environ.get("SINEW_LONG"))
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")
SENSORS = """<actuatorfrc actuator="first"/><jointactuatorfrc joint="hinge"/><tendonactuatorfrc tendon="fixed"/>
<actuatorpos actuator="first"/><accelerometer site="tip"/>"""


def controller(rng, name):
    """One at random, of which each piece that it can be on is likely; now and then with what only general can say."""
    inputs, target = rng.choice(pid_arm.INPUTS), rng.choice(pid_arm.TARGETS)
    pos = "pos" in inputs
    ki, slew = pos * rng.choice([0, 6.0]), pos * rng.choice([0, 9.0, 90.0])
    imax = rng.choice([0, 0.6])
    limit = 'forcerange="-20 25"' if rng.random() < 0.3 else ""
    if rng.random() < 0.7:
        slack = " ".join(f'{k}range="-1.1 .9"' for k in inputs.split() if rng.random() < 0.3)
        more = f'ki="{ki}" imax="{imax}" slewmax="{slew}"' if pos else ""
        return f'<pid name="{name}" {target} input="{inputs}" kp="12" kv="1.5" {more} {slack} {limit}/>'
    early = rng.choice(["true", "false"])
    states = (
        f'dyntype="pid" actearly="{early}" actlimited="true" actrange="-.9 .8"'
        if ki or slew
        else ""
    )
    return (
        f'<general name="{name}" {target} gaintype="pid" biastype="affine" gainprm="{ki}" input="{inputs}" '
        f'biasprm=".3 -4 -.2" dynprm="{imax} {slew}" {states} {limit}/>'
    )


def model(actuators, integrator="Euler", custom=""):
    return sinew.Model.from_xml(pid_arm.text(actuators, integrator, custom, SENSORS))


def mixed(rng, integrator):
    """Six controllers among others."""
    made = [controller(rng, name) for name in ("first", "b", "c", "d", "e", "f")]
    others = (
        '<general joint="slide" dyntype="filter" dynprm=".1" gainprm="5"/>',
        '<position joint="hinge" kp="3" kv=".2"/>',
    )
    return model("".join((*made[:2], others[0], *made[2:4], others[1], *made[4:])), integrator)


def state(rng, m):
    d = sinew.Data(m)
    d.qpos[:4] = rng.normal(size=4)
    d.qpos[:4] /= np.linalg.norm(d.qpos[:4])
    d.qpos[4:], d.qvel[:] = 0.4 * rng.normal(size=2), rng.normal(size=m.nv)
    d.act[:], d.ctrl[:] = 0.7 * rng.normal(size=m.na), rng.normal(size=m.nu)
    return d


def near(ours, theirs, tolerance, what):
    error = np.abs(np.asarray(ours) - theirs).max(initial=0)
    assert error <= tolerance * max(1, np.abs(theirs).max(initial=0)), (what, error)


def adjoint(rng, m, d):
    """<JVP x, y> = <x, VJP y>"""
    nx = 2 * m.nv + m.na
    before = [rng.normal(size=n) for n in (nx, m.nu, m.nv, (m.nbody, 6))]
    before[3][0] = 0
    after = [rng.normal(size=n) for n in (nx, m.nsensordata)]
    along, back = sinew.stepJVP(m, d, *before), sinew.stepVJP(m, d, *after)
    there = np.concatenate([(a * b).ravel() for a, b in zip(along, after, strict=True)])
    again = np.concatenate([(a * b).ravel() for a, b in zip(before, back[:4], strict=True)])
    assert abs(there.sum() - again.sum()) <= 1e-12 * np.abs(np.append(there, again)).sum()


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("seed", range(30 if LONG else 6))
def test_pid_steps_are_as_their_differences(integrator, seed):
    """By position, velocity, every activation and every control, sensors too: of fourth order, from two widths."""
    rng = np.random.default_rng(seed)
    m = mixed(rng, integrator)
    for _ in range(3):
        d = state(rng, m)
        exact = sinew.transitionDerivative(m, d)
        assert [a.shape for a in exact[:2]] == [
            (2 * m.nv + m.na, n) for n in (2 * m.nv + m.na, m.nu)
        ]
        wide, narrow = (sinew.transitionFD(m, d, eps, centered=True) for eps in (3.2e-4, 1.6e-4))
        for name, a, w, n in zip("ABCD", exact, wide, narrow, strict=True):
            near(a, (4 * n - w) / 3, 1e-9, name)
        adjoint(rng, m, d)


# ---- many steps

# Setpoints that are free and that never get there, integrals that move and that stand, full turns, a range of the force.
RUN = (
    '<pid name="first" joint="hinge" kp="12" kv="1" ki="6" slewmax="3" input="pos vel ff"/><motor joint="slide"/>'
    '<pid joint="slide" kp="20" kv="2" ki="9" imax=".1" slewmax="500"/>'
    '<pid joint="ball" gear="0 0 2" kp="4" kv=".2" ki="3" input="pos ff"/>'
    '<pid tendon="fixed" kp="2" kv=".5" input="vel" forcerange="-.3 .3"/>'
)


def rollout(m, steps=25):
    """A start, controls, and weights of states and sensors."""
    rng = np.random.default_rng(3)
    d = state(rng, m)
    d.ctrl[0], d.act[:] = 3, 0.02
    d.act[m.actuator_actadr[2] + 1] = 0.4  # beyond imax: it stands while the error drives it on
    d.ctrl[4] = 2
    ctrl = d.ctrl + 0.1 * np.sin(np.arange(steps)[:, None] + np.arange(m.nu))
    return d, ctrl, rng.normal(size=(steps + 1, 2 * m.nv + m.na))


def last(m, start, ctrl, by_x, qpos=None):
    """The weighted states, from fresh data; and positions, from which changes are measured."""
    d, loss, found = sinew.Data(m), 0.0, []
    sinew.setState(m, d, start, sinew.StateBit.INTEGRATION)
    for t in range(len(ctrl) + 1):
        found.append(d.qpos.copy())
        dq = sinew.differentiatePos(m, 1, qpos[t], d.qpos) if qpos else np.zeros(m.nv)
        loss += np.concatenate([dq, d.qvel, d.act]) @ by_x[t]
        if t < len(ctrl):
            d.ctrl[:] = ctrl[t]
            sinew.step(m, d)
    return loss, found


def slope(function, h):
    """Of fourth order, at 0."""
    return sum(w * function(k * h) for k, w in ((-2, 1), (-1, -8), (1, 8), (2, -1))) / (12 * h)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_gradient_of_a_rollout_with_pid(integrator):
    m = model(RUN, integrator)
    d, ctrl, by_x = rollout(m)
    found = sinew.rolloutGradient(m, d, ctrl, by_x)
    start = sinew.getState(m, d, sinew.StateBit.INTEGRATION)
    qpos = last(m, start, ctrl, by_x)[1]

    def by_control(h, t, k):
        moved = ctrl.copy()
        moved[t, k] += h
        return last(m, start, moved, by_x, qpos)[0]

    def by_activation(h, k):
        moved = sinew.Data(m)
        sinew.setState(m, moved, start, sinew.StateBit.INTEGRATION)
        moved.act[k] += h
        at = sinew.getState(m, moved, sinew.StateBit.INTEGRATION)
        return last(m, at, ctrl, by_x, qpos)[0]

    size = np.abs(found.ctrl).max()
    for t in (0, 7, 24):
        for k in range(m.nu):
            theirs = slope(lambda h, t=t, k=k: by_control(h, t, k), 1e-4)
            assert abs(found.ctrl[t, k] - theirs) < 1e-9 * size, (t, k, found.ctrl[t, k], theirs)
    for k in range(m.na):
        theirs = slope(lambda h, k=k: by_activation(h, k), 1e-4)
        assert abs(found.x[2 * m.nv + k] - theirs) < 1e-9 * size, k


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_gradient_by_numbers_of_a_pid(integrator):
    m = model(RUN, integrator)
    d, ctrl, by_x = rollout(m)
    names = ["actuator_gainprm", "actuator_biasprm"]
    if integrator == "RK4":
        for name in ("actuator_dynprm", "actuator_gear"):
            with pytest.raises(sinew.NotSupportedError, match="RK4 integrates its activation"):
                sinew.stepVJP(m, d, by_x[0], model=[name])
    else:
        names.append("actuator_dynprm")
    found = sinew.rolloutGradient(m, d, ctrl, by_x, model=names).model
    start = sinew.getState(m, d, sinew.StateBit.INTEGRATION)
    qpos = last(m, start, ctrl, by_x)[1]
    for name in names:
        array = getattr(m, name)
        assert np.abs(found[name]).max() > 0.01
        for i, k in np.ndindex(m.nactuator, 3 if name != "actuator_dynprm" else 2):
            value = array[i, k]

            def moved(h, array=array, i=i, k=k, value=value):
                array[i, k] = value + h
                return last(m, start, ctrl, by_x, qpos)[0]

            # without an integral or a pace there is no activation for one
            theirs = slope(moved, 1e-4) if value or name == "actuator_biasprm" else 0
            array[i, k] = value
            size = max(1, np.abs(found[name]).max())
            assert abs(found[name][i, k] - theirs) < 1e-8 * size, (name, i, k)


def test_gradient_by_the_gear_of_a_pid():
    """Not of one that turns: a full turn is as long as its gear."""
    m = model(RUN.replace('joint="ball" gear="0 0 2"', 'site="tip" gear="1 0 2 0 0 0"'))
    d, ctrl, by_x = rollout(m, 8)
    found = sinew.rolloutGradient(m, d, ctrl, by_x, model=["actuator_gear"]).model["actuator_gear"]
    start = sinew.getState(m, d, sinew.StateBit.INTEGRATION)
    qpos = last(m, start, ctrl, by_x)[1]
    for i, k in np.argwhere(m.actuator_gear != 0):
        value = m.actuator_gear[i, k]

        def moved(h, i=i, k=k, value=value):
            m.actuator_gear[i, k] = value + h
            return last(m, start, ctrl, by_x, qpos)[0]

        theirs = slope(moved, 1e-4)
        m.actuator_gear[i, k] = value
        assert abs(found[i, k] - theirs) < 1e-8 * np.abs(found).max(), (i, k)
    m = model(RUN)
    with pytest.raises(sinew.NotSupportedError, match="full turns of its setpoint"):
        sinew.stepVJP(m, sinew.Data(m), np.ones(2 * m.nv + m.na), model=["actuator_gear"])


# ---- where pieces meet


def by_act_and_ctrl(m, d):
    """Of the next activations, by activations and by controls."""
    A, B = sinew.transitionDerivative(m, d)[:2]
    return A[2 * m.nv :, 2 * m.nv :], B[2 * m.nv :]


def test_a_setpoint_that_just_gets_there_is_free():
    m = model('<pid name="first" joint="slide" slewmax="50" input="pos"/>')
    d = sinew.Data(m)
    for ctrl, act, by in ((0.5, 0.0, (0, 1)), (0.5000001, 0.0, (1, 0)), (-0.5, 0.0, (0, 1))):
        d.ctrl[0], d.act[0] = ctrl, act
        found = by_act_and_ctrl(m, d)
        assert np.abs(found[0] - by[0]).max() < 1e-15 and found[1] == by[1], ctrl


def test_an_integral_without_error_moves():
    m = model('<pid name="first" joint="slide" ki="2" imax=".5" input="pos"/>')
    d, h = sinew.Data(m), m.opt.timestep
    # error, integral, and whether its rate follows the error
    for error, x, moves in ((0, 0, 1), (0, 0.5, 1), (0.1, 0.5, 0), (-0.1, 0.5, 1), (0.1, 0.49, 1)):
        d.ctrl[0], d.act[0] = error, x
        found = by_act_and_ctrl(m, d)
        assert found[0] == 1 and found[1] == pytest.approx(moves * h, abs=1e-16), (error, x)


def test_the_control_that_is_not_asked_has_no_part():
    """Nor one beyond its range, nor any while one of them is not a number."""
    m = model('<pid name="first" joint="slide" kv="2" input="pos ff" posrange="-1 1"/>')
    d = sinew.Data(m)
    d.ctrl[:] = 2, 3
    B = sinew.transitionDerivative(m, d)[1]
    assert not B[:, 0].any() and B[:, 1].any()


# ---- beside the rest


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_pid_derivatives_in_exact_loops(integrator):
    custom = '<text name="sinew_loop_pin" data="sphere-in-plane ground tip"/>'
    rng = np.random.default_rng(0)
    m = model(RUN, integrator, custom)
    d = sinew.Data(m)
    d.act[:], d.ctrl[:] = 0.7 * rng.normal(size=m.na), rng.normal(size=m.nu)
    sinew.step(m, d, 9)
    assert d.nclosure == 1
    adjoint(rng, m, d)
    A, B = sinew.transitionDerivative(m, d)[:2]
    for ours, theirs in zip((A, B), sinew.transitionFD(m, d, 1e-5, centered=True), strict=False):
        near(ours[-m.na :], theirs[-m.na :], 1e-8, "activations")
    near(B, sinew.transitionFD(m, d, 1e-5, centered=True)[1], 1e-8, "B")


def test_controls_of_a_pid_that_hold():
    """The integral bears the weight, where its error is none."""
    m = model(
        '<pid name="first" joint="hinge" kp="30" kv="2" ki="9" slewmax="4"/>'
        '<pid joint="slide" kp="40" kv="2" ki="5" input="pos"/><motor joint="ball" gear="1 0 0"/>'
        '<motor joint="ball" gear="0 1 0"/><motor joint="ball" gear="0 0 1"/>'
    )
    d = sinew.Data(m)
    d.qpos[4:] = 0.3, 0.1
    point = sinew.linearize(m, d, hold=True)
    assert point.rest < 1e-12
    before = d.act.copy()
    sinew.step(m, d, 20)
    assert np.abs(d.qpos[4:] - (0.3, 0.1)).max() < 1e-10 and np.abs(d.act - before).max() < 1e-10
