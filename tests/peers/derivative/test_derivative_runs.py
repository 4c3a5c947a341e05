"""The exact derivative of a step along whole runs of third-party models, against differences along one direction."""

import os

import numpy as np
import pytest

import sinew
from models import everything

LONG = bool(os.environ.get("SINEW_LONG"))
SETTINGS = (
    ("EULER", "PYRAMIDAL"),
    ("IMPLICITFAST", "ELLIPTIC"),
    ("IMPLICIT", "PYRAMIDAL"),
    ("RK4", "ELLIPTIC"),
)
STEPS, EVERY = (400, 20) if LONG else (200, 40)
BITS = int(sinew.StateBit.INTEGRATION)
# A sphere on a floor at a distance of exactly 0: rounding decides whether they touch.
PATHS = [path for path in everything() if path.name != "point.xml"]
TOLERANCE = 1e-6


def _after(m, d, start, along, by):
    """The next state, its position as it is, and the sensors."""
    nv, nx = m.nv, 2 * m.nv + m.na
    sinew.setState(m, d, start, BITS)
    d.qpos[:] = sinew.integratePos(m, d.qpos, by * along[:nv], 1)
    d.qvel[:] += by * along[nv : 2 * nv]
    d.act[:] += by * along[2 * nv : nx]
    d.ctrl[:] += by * along[nx:]
    sinew.step(m, d)
    return d.qpos.copy(), np.concatenate([d.qvel, d.act, d.sensordata])


def _slope(m, d, start, along, h):
    """Of sixth order."""
    total = 0
    for e, weight in ((1, 45), (2, -9), (3, 1)):
        q, rest = _after(m, d, start, along, e * h)
        before, rest_before = _after(m, d, start, along, -e * h)
        dq = sinew.differentiatePos(m, 1, before, q)
        total = total + weight / (60 * h) * np.concatenate([dq, rest - rest_before])
    return total


def _distance(a, b, nx):
    return max(
        np.abs(a[part] - b[part]).max(initial=0) / max(1, np.abs(b[part]).max(initial=0))
        for part in (slice(0, nx), slice(nx, None))
    )


def _compare(m, d, along):
    """How far the derivative is from the differences of the step that is surest, and how sure that is."""
    start = sinew.getState(m, d, BITS)
    A, B, C, D = sinew.transitionDerivative(m, d)
    assert sinew.getState(m, d, BITS).tobytes() == start.tobytes()
    exact = np.block([[A, B], [C, D]]) @ along
    other, best = sinew.Data(m), (np.inf, np.inf)
    for h in (1e-4, 1e-5, 3e-6, 1e-6, 3e-7):
        rough, fine = (_slope(m, other, start, along, step) for step in (2 * h, h))
        best = min(best, (_distance(rough, fine, len(A)), _distance(exact, fine, len(A))))
    return best


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_run(path):
    m = sinew.Model.from_path(str(path), physics="3.3.7")
    m.opt.noslip_iterations, m.opt.tolerance, m.opt.iterations = 0, 0, 100
    m.opt.solver = sinew.Solver.NEWTON
    low, high = np.where(m.actuator_ctrllimited[:, None] != 0, m.actuator_ctrlrange, (-1, 1)).T
    states = unsure = 0
    chosen = [len(path.stem) % 3] if m.nv > 50 or not LONG else range(4)
    for k in chosen:
        integrator, cone = SETTINGS[k]
        m.opt.integrator = getattr(sinew.Integrator, integrator)
        m.opt.cone = getattr(sinew.Cone, cone)
        rng = np.random.default_rng(k)
        d = sinew.Data(m)
        d.qvel[:] = rng.normal(0, 0.3, m.nv)
        for t in range(STEPS):
            if t % EVERY == 0:
                d.ctrl[:] = (low + high) / 2 + rng.uniform(-0.3, 0.3, m.nu) * (high - low)
            if t % EVERY == 7:
                along = rng.normal(size=2 * m.nv + m.na + m.nu)
                doubt, off = _compare(m, d, along / np.linalg.norm(along))
                states += 1
                unsure += doubt > TOLERANCE / 3
                assert doubt > TOLERANCE / 3 or off <= TOLERANCE, (integrator, cone, t)
            sinew.step(m, d)
    assert unsure <= 2 + 0.1 * states
