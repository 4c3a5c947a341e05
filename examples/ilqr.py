"""Iterative LQR: controls of a trajectory of least cost, from the derivatives of its steps (`transitionDerivative`).

Around a trajectory the steps are linear, x+ = A x + B u, and the cost quadratic; so the best changes of the controls are
du = k + K dx, from the last step back to the first. Tassa, Erez and Todorov, "Synthesis and stabilization of complex
behaviors through online trajectory optimization" (2012), has the regularisation; Tassa, Mansard and Todorov,
"Control-limited differential dynamic programming" (2014), the limits.

swing_up.py and hop.py use it.
"""

import time
from typing import NamedTuple

import numpy as np

import sinew

STEPS = 0.5 ** np.arange(6)  # of the line search
SURRENDER = 1e10  # regularisation at which nothing helps


class Cost(NamedTuple):
    """Sum over steps t of 1/2 (x - goal)' Q (x - goal) + 1/2 u' R u, and the first term at the end; diagonal Q, R."""

    qpos: np.ndarray  # (T + 1, nq), with qvel (T + 1, nv) the goal
    qvel: np.ndarray
    Q: np.ndarray  # (T + 1, 2 nv)
    R: np.ndarray  # (T, nu)


class Trajectory(NamedTuple):
    """States before each step and after the last, controls, distances to the goal, and the cost."""

    qpos: np.ndarray  # (T + 1, nq)
    qvel: np.ndarray  # (T + 1, nv)
    ctrl: np.ndarray  # (T, nu)
    off: np.ndarray  # (T + 1, 2 nv)
    cost: float


def distance(model, qpos, qvel, to_qpos, to_qvel):
    """From one state to another, in the tangent space that A and B are in."""
    dq = sinew.differentiatePos(model, 1.0, qpos, to_qpos)
    return np.append(dq, to_qvel - qvel)


def limits(model):
    """Least and largest controls (nu); infinite where there are none."""
    limited = model.actuator_ctrllimited.astype(bool)
    low, high = model.actuator_ctrlrange.T
    return np.where(limited, low, -np.inf), np.where(limited, high, np.inf)


def roll_out(model, data, qpos, qvel, cost, policy):
    """The trajectory from a state under controls policy(t, qpos, qvel)."""
    steps = len(cost.R)
    qs, vs = np.empty((steps + 1, model.nq)), np.empty((steps + 1, model.nv))
    us, off = np.empty((steps, model.nu)), np.empty((steps + 1, 2 * model.nv))
    sinew.resetData(model, data)
    data.qpos[:], data.qvel[:] = qpos, qvel
    for t in range(steps + 1):
        qs[t], vs[t] = data.qpos, data.qvel
        off[t] = distance(model, cost.qpos[t], cost.qvel[t], data.qpos, data.qvel)
        if t < steps:
            us[t] = data.ctrl[:] = policy(t, qs[t], vs[t])
            sinew.step(model, data)
    total = 0.5 * (np.sum(cost.Q * off**2) + np.sum(cost.R * us**2))
    return Trajectory(qs, vs, us, off, total if np.isfinite(total) else np.inf)


def linearise(model, data, path):
    """A (T, nx, nx) and B (T, nx, nu) of the steps of a trajectory."""
    As, Bs = [], []
    for qpos, qvel, ctrl in zip(path.qpos, path.qvel, path.ctrl, strict=False):
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl
        A, B, _, _ = sinew.transitionDerivative(model, data)
        As.append(A)
        Bs.append(B)
    return As, Bs


def bounded(H, g, low, high):
    """The du of least 1/2 du' H du + g' du within bounds, and which of its numbers are free."""
    du = np.clip(np.zeros_like(g), low, high)
    for _ in range(20):
        slope = g + H @ du
        free = ~((du <= low) & (slope > 0) | (du >= high) & (slope < 0))
        if np.abs(slope[free]).max(initial=0) < 1e-10 * (1 + np.abs(g).max()):
            break
        du[free] -= np.linalg.solve(H[np.ix_(free, free)], slope[free])
        du = np.clip(du, low, high)
    return du, free


def improve(path, As, Bs, cost, low, high, mu):
    """Changes k (T, nu) and gains K (T, nu, nx) of the controls; None where mu is too small."""
    steps, nu = path.ctrl.shape
    k, K = np.empty((steps, nu)), np.zeros((steps, nu, len(As[0])))
    v, V = cost.Q[-1] * path.off[-1], np.diag(cost.Q[-1])  # of the cost to go
    for t in reversed(range(steps)):
        A, B = As[t], Bs[t]
        qx = cost.Q[t] * path.off[t] + A.T @ v
        qu = cost.R[t] * path.ctrl[t] + B.T @ v
        VA = V @ A
        Qxx, Qux, Quu = np.diag(cost.Q[t]) + A.T @ VA, B.T @ VA, np.diag(cost.R[t]) + B.T @ V @ B
        H = Quu + mu * B.T @ B
        if np.linalg.eigvalsh(H)[0] <= 0:
            return None
        k[t], free = bounded(H, qu, low - path.ctrl[t], high - path.ctrl[t])
        K[t, free] = -np.linalg.solve(H[np.ix_(free, free)], (Qux + mu * B.T @ A)[free])
        v = qx + K[t].T @ (Quu @ k[t] + qu) + Qux.T @ k[t]
        V = Qxx + K[t].T @ Quu @ K[t] + K[t].T @ Qux + Qux.T @ K[t]
        V = 0.5 * (V + V.T)
    return k, K


def search(model, data, path, k, K, cost, low, high):
    """The first cheaper trajectory on the way along k, or None."""
    for alpha in STEPS:

        def policy(t, qpos, qvel, alpha=alpha):
            dx = distance(model, path.qpos[t], path.qvel[t], qpos, qvel)
            return np.clip(path.ctrl[t] + alpha * k[t] + K[t] @ dx, low, high)

        new = roll_out(model, data, path.qpos[0], path.qvel[0], cost, policy)
        if new.cost < path.cost:
            return new
    return None


def optimise(model, qpos, qvel, ctrl, cost, most, enough=1e-4, report=print):
    """The trajectory of least cost near that of controls ctrl (T, nu), and the gains K (T, nu, 2 nv) around it.

    Stops after `most` iterations or once one gains less than `enough` of the cost.
    """
    report("iteration         cost         time")
    data = sinew.Data(model)
    low, high = limits(model)
    path, K, mu = roll_out(model, data, qpos, qvel, cost, lambda t, *_: ctrl[t]), None, 1e-6
    for iteration in range(most):
        begin = time.perf_counter()
        As, Bs = linearise(model, data, path)
        new = None
        while new is None and mu < SURRENDER:
            change = improve(path, As, Bs, cost, low, high, mu)
            new = change and search(model, data, path, *change, cost, low, high)
            mu = max(1e-6, mu / 4) if new else 8 * mu
        if new is None:
            break
        gain, path, K = path.cost - new.cost, new, change[1]
        report(f"{iteration:9} {path.cost:12.5g} {1e3 * (time.perf_counter() - begin):9.1f} ms")
        if gain < enough * path.cost:
            break
    return path, K
