"""One model under both meanings, and what a test of a rule asks of each: a step as the peer's, lanes, derivatives."""

import mujoco
import numpy as np

import newest
import sinew

INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
STATE = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied")


class Meanings:
    """`new`, `old`: ours under 4.0 and 3.3.7; `newer`: 4.0.1 in its process; `older`: 3.3.7 here."""

    def __init__(self, text, **options):
        self.new = sinew.Model.from_xml(text, physics="4.0")
        self.old = sinew.Model.from_xml(text, physics="3.3.7")
        self.newer, self.older = newest.load(text), mujoco.MjModel.from_xml_string(text)
        for name, value in {"tolerance": 0, "iterations": 100, **options}.items():
            for m in (self.new, self.old, self.older):
                setattr(m.opt, name, value)
            self.newer.set(**{name: value})

    def state(self, rng, speed=1.0, turn=1.0):
        """A random state: fields of the data."""
        m = self.older
        qpos = m.qpos0.copy()
        mujoco.mj_integratePos(m, qpos, rng.normal(0, turn, m.nv), 1)
        return {
            "qpos": qpos,
            "qvel": rng.normal(0, speed, m.nv),
            "act": rng.normal(0, 1, m.na),
            "ctrl": rng.normal(0, 1, m.nu),
            "qfrc_applied": rng.normal(0, 1, m.nv),
            "xfrc_applied": np.vstack([np.zeros(6), rng.normal(0, 1, (m.nbody - 1, 6))]),
        }

    def states(self, count, seed=0, speed=1.0, turn=1.0):
        rng = np.random.default_rng(seed)
        return [self.state(rng, speed, turn) for _ in range(count)]


def data(m, state):
    """Data of ours in a state."""
    d = sinew.Data(m)
    for name, value in state.items():
        getattr(d, name)[...] = value
    return d


def run(m, function, states, names):
    """What fields of the data show after a call from each state, as newest's `run`."""
    found = []
    for state in states:
        d = data(m, state)
        getattr(sinew, function)(m, d)
        found.append({name: np.array(getattr(d, name)) for name in names})
    return found


def older(m, function, states, names):
    """The same of 3.3.7."""
    found = []
    for state in states:
        d = mujoco.MjData(m)
        for name, value in state.items():
            getattr(d, name)[...] = value
        getattr(mujoco, f"mj_{function}")(m, d)
        found.append({name: np.array(getattr(d, name)) for name in names})
    return found


def agree(both, function, states, names, bound=1e-10, old=True):
    """Ours under either meaning, `old` False: under 4.0 alone, is as its peer. Returns how far the meanings are from each other."""
    ours = {p: run(m, function, states, names) for p, m in (("new", both.new), ("old", both.old))}
    theirs = {
        "new": [vars(x) for x in both.newer.run(f"mj_{function}", states, names)],
        "old": older(both.older, function, states, names),
    }
    for which, found in ours.items():
        if which == "old" and not old:
            continue
        for k, (a, b) in enumerate(zip(found, theirs[which], strict=True)):
            for name in names:
                near(a[name], np.reshape(b[name], a[name].shape), bound, f"{which} {name} {k}")
    pairs = zip(ours["new"], ours["old"], strict=True)
    return max(np.abs(a[n] - b[n]).max(initial=0) for a, b in pairs for n in names)


def near(a, b, bound, what):
    scale = 1 + np.abs(b).max(initial=0)
    error = np.abs(np.asarray(a) - b).max(initial=0) / scale
    assert error <= bound, f"{what}: {error:.2e} > {bound:.0e}"


def lanes(m, states, bound=1e-11):
    """Lanes step as the scalar engine does."""
    batch = sinew.Batch(m, len(states))
    assert not batch.scalar_features, batch.scalar_features
    for i, state in enumerate(states):
        for name, value in state.items():
            getattr(batch, name)[i] = value
    batch.step()
    for i, one in enumerate(run(m, "step", states, ("qpos", "qvel", "act"))):
        for name, value in one.items():
            near(getattr(batch, name)[i], value, bound, f"{name} of lane {i}")


def derivatives(m, states, bound=1e-6, eps=1e-5):
    """Those of a step are what centred differences are, and the adjoint is that of the product."""
    rng = np.random.default_rng(1)
    for state in states:
        d = data(m, state)
        sinew.forward(m, d)
        exact = sinew.transitionDerivative(m, d)
        # of fourth order, from two widths
        wide, narrow = (sinew.transitionFD(m, d, e, centered=True) for e in (2 * eps, eps))
        for k, (a, w, n) in enumerate(zip(exact, wide, narrow, strict=True)):
            if a is not None and np.size(a):
                near(a, (4 * n - w) / 3, bound, f"derivative {'ABCD'[k]}")
        adjoint(m, d, rng)


def adjoint(m, d, rng):
    """<JVP x, y> = <x, VJP y>"""
    nx = 2 * m.nv + m.na
    before = [rng.normal(size=n) for n in (nx, m.nu, m.nv, (m.nbody, 6))]
    before[3][0] = 0
    after = [rng.normal(size=n) for n in (nx, m.nsensordata)]
    along, back = sinew.stepJVP(m, d, *before), sinew.stepVJP(m, d, *after)
    forwards = [a * b for a, b in zip(along, after, strict=True)]
    backwards = [a * b for a, b in zip(before, back[:4], strict=True)]
    size = sum(np.abs(x).sum() for x in (*forwards, *backwards))
    error = abs(sum(x.sum() for x in forwards) - sum(x.sum() for x in backwards))
    assert error <= 1e-12 * size, error / size
