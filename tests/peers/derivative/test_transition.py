"""The exact derivative of a step against the peer's differences, on third-party models that stand, fall and touch."""

import os

import mujoco
import numpy as np
import pytest

import sinew
from models import as_pinned, everything, fresh

INTEGRATORS = ("EULER", "IMPLICIT", "IMPLICITFAST")
# Two steps of differences, to tell what they owe to the step: next to a switch, or where a contact begins.
EPS = (1e-6, 5e-7)
# Steps to the states. Each integrator has one of its own, in the long tests all.
LONG = bool(os.environ.get("SINEW_LONG"))
STEPS = {"EULER": 40, "IMPLICIT": 100, "IMPLICITFAST": 160, "RK4": 70}
# Of the largest entry, or of 1: what is left of the peer's differences beside their rounding.
TOLERANCE = 1e-6
# The peer's differences take longest there.
LARGE = {"dog.xml", "humanoid_CMU.xml"}
# A sphere on a floor at a distance of exactly 0: rounding decides whether they touch.
ON_A_SWITCH = {"point.xml"}
PATHS = [path for path in everything() if path.name not in ON_A_SWITCH]


def _load(path, integrator):
    theirs, ours = fresh(path), fresh(path, as_pinned)
    theirs.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    theirs.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    theirs.opt.tolerance, theirs.opt.iterations, theirs.opt.noslip_iterations = 0, 100, 0
    ours.opt.integrator, ours.opt.noslip_iterations = theirs.opt.integrator, 0
    return theirs, ours


def _drive(rng, m, d, steps):
    """Controls inside their ranges, held while the model moves."""
    mujoco.mj_resetData(m, d)
    d.qvel[:] = rng.normal(0, 0.3, m.nv)
    low, high = np.where(m.actuator_ctrllimited[:, None] != 0, m.actuator_ctrlrange, (-1, 1)).T
    d.ctrl[:] = (low + high) / 2 + rng.uniform(-0.3, 0.3, m.nu) * (high - low)
    mujoco.mj_step(m, d, nstep=steps)


def _steps(integrator):
    return STEPS.values() if LONG else [STEPS[integrator]]


def _copy(d, ours):
    copied = sinew.Data(ours)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qacc_warmstart"):
        getattr(copied, name)[:] = getattr(d, name)
    copied.time = d.time
    return copied


def _differences(m, d, eps):
    nx, nu, ns = 2 * m.nv + m.na, m.nu, m.nsensordata
    A, B, C, D = (np.zeros(shape) for shape in ((nx, nx), (nx, nu), (ns, nx), (ns, nu)))
    mujoco.mjd_transitionFD(m, d, eps, True, A, B, C, D)
    return A, B, C, -D  # see test_sign_of_centred_differences


def _agree(exact, rough, finer):
    """Within the bound, and twice what the differences of two steps differ by; mostly these do not."""
    for name, a, b, c in zip("ABCD", exact, rough, finer, strict=True):
        bound = TOLERANCE * max(1, np.abs(c).max(initial=0))
        unsure = np.abs(b - c)
        excess = np.abs(a - c) - 2 * unsure
        assert excess.max(initial=0) <= bound, (name, excess.max() / bound)
        assert np.count_nonzero(unsure > bound) <= 0.05 * unsure.size, name


def _name(path):
    return f"{path.parent.name}-{path.stem}"


def test_sign_of_centred_differences():
    """The peer's centred differences of sensors by controls have the wrong sign, its forward ones have not."""
    path = next(path for path in PATHS if path.parts[-2:] == ("suite", "hopper.xml"))
    m, ours = _load(path, "EULER")
    d = mujoco.MjData(m)
    _drive(np.random.default_rng(0), m, d, 100)
    centred, forward = np.zeros((2, m.nsensordata, m.nu))
    mujoco.mjd_transitionFD(m, d, 1e-6, True, None, None, None, centred)
    mujoco.mjd_transitionFD(m, d, 1e-6, False, None, None, None, forward)
    exact = sinew.transitionDerivative(ours, _copy(d, ours))[3]
    assert np.abs(exact).max() > 1
    np.testing.assert_allclose(forward, exact, atol=1e-5)
    np.testing.assert_allclose(centred, -exact, atol=1e-5)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("path", PATHS, ids=_name)
def test_step_against_differences(path, integrator):
    rng = np.random.default_rng(len(path.stem))
    m, ours = _load(path, integrator)
    d = mujoco.MjData(m)
    for steps in _steps(integrator) if path.name not in LARGE else [40]:
        _drive(rng, m, d, steps)
        exact = sinew.transitionDerivative(ours, _copy(d, ours))
        _agree(exact, *(_differences(m, d, eps) for eps in EPS))


@pytest.mark.parametrize("path", [p for p in PATHS if p.name not in LARGE], ids=_name)
def test_runge_kutta_against_our_differences(path):
    """The peer has none for it."""
    rng = np.random.default_rng(len(path.stem))
    m, ours = _load(path, "EULER")
    ours.opt.integrator = sinew.Integrator.RK4
    ours.opt.tolerance, ours.opt.iterations = 0, 100
    d = mujoco.MjData(m)
    for steps in _steps("RK4"):
        _drive(rng, m, d, steps)
        data = _copy(d, ours)
        exact = sinew.transitionDerivative(ours, data)
        _agree(exact, *(sinew.transitionFD(ours, data, eps, centered=True) for eps in EPS))


@pytest.mark.parametrize("integrator", (*INTEGRATORS, "RK4"))
@pytest.mark.parametrize("path", PATHS, ids=_name)
def test_adjoint(path, integrator):
    """<JVP x, y> = <x, VJP y>, with sensors and applied forces."""
    rng = np.random.default_rng(len(path.stem))
    m, ours = _load(path, "EULER")  # under RK4 stiff ones diverge
    d = mujoco.MjData(m)
    _drive(rng, m, d, 100)
    ours.opt.integrator = getattr(sinew.Integrator, integrator)
    data = _copy(d, ours)
    nx = 2 * m.nv + m.na
    before = [rng.normal(size=n) for n in (nx, m.nu, m.nv, (m.nbody, 6))]
    before[3][0] = 0
    after = [rng.normal(size=n) for n in (nx, m.nsensordata)]
    along = sinew.stepJVP(ours, data, *before)
    back = sinew.stepVJP(ours, data, *after)
    forwards = sum(np.sum(a * b) for a, b in zip(along, after, strict=True))
    backwards = sum(np.sum(a * b) for a, b in zip(before, back[:4], strict=True))
    size = sum(np.linalg.norm(a) * np.linalg.norm(b) for a, b in zip(along, after, strict=True))
    assert abs(forwards - backwards) <= 1e-12 * max(1, size)
