"""The exact derivative of a step against the peer's differences, on third-party models that stand, fall and touch."""

import mujoco
import numpy as np
import pytest

import sinew
from models import everything

INTEGRATORS = ("EULER", "IMPLICIT", "IMPLICITFAST")
EPS = 1e-6
STATES = 3
# Of the largest entry, or of 1: what is left of the peer's differences beside their rounding.
TOLERANCE = 1e-6
# The peer's differences take a second there, for 130 dofs and more.
LARGE = {"dog.xml", "humanoid_CMU.xml"}
PATHS = [path for path in everything() if path.name not in LARGE]


def _load(path, integrator):
    theirs, ours = mujoco.MjModel.from_xml_path(str(path)), sinew.Model.from_path(str(path))
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


def _copy(d, ours):
    copied = sinew.Data(ours)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qacc_warmstart"):
        getattr(copied, name)[:] = getattr(d, name)
    copied.time = d.time
    return copied


def _differences(m, d, eps):
    nx, nu, ns = 2 * m.nv + m.na, m.nu, m.nsensordata
    out = [np.zeros(shape) for shape in ((nx, nx), (nx, nu), (ns, nx), (ns, nu))]
    mujoco.mjd_transitionFD(m, d, eps, True, *out)
    return out


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_step_against_differences(path, integrator):
    rng = np.random.default_rng(len(path.stem))
    m, ours = _load(path, integrator)
    d = mujoco.MjData(m)
    for k in range(STATES):
        _drive(rng, m, d, 40 + 60 * k)
        copied = _copy(d, ours)
        exact = sinew.transitionDerivative(ours, copied)
        rough = _differences(m, d, EPS)
        for name, a, b in zip("ABCD", exact, rough, strict=True):
            scale = max(1, np.abs(b).max(initial=0))
            off = np.abs(a - b)
            worst = np.unravel_index(off.argmax(), off.shape) if off.size else ()
            assert off.max(initial=0) <= TOLERANCE * scale, (k, name, worst, off.max() / scale)
