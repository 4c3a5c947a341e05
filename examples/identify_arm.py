"""Masses and friction of an arm from its recorded motion, by gradients of the simulation.

python identify_arm.py [FILE.png]

A finger at the end of a horizontal arm slides over a table. From the record of its motion under known torques the
masses of the links, damping and dry friction of the joints and the friction of the fingertip are found again, from
guesses that are off by up to a factor of two: L-BFGS on the logarithms of the numbers, with exact gradients of
simulations of 0.1 s that begin at recorded states. With a FILE, and matplotlib, draws the errors over the iterations.
"""

import pathlib
import sys

import numpy as np

import sinew

MODEL = pathlib.Path(__file__).parent / "models" / "arm_on_table.xml"
STEPS, SEGMENT = 1000, 25
# what is looked for: array and indices
WANTED = (
    ("body_mass", [1, 2, 3]),
    ("dof_damping", [0, 1]),
    ("dof_frictionloss", [0, 1]),
    ("geom_friction", [(4, 0)]),
)
NAMES = [name for name, _ in WANTED]


def get(model):
    return np.array([getattr(model, name)[i] for name, where in WANTED for i in where])


def put(model, values):
    at = iter(values)
    for name, where in WANTED:
        for i in where:
            getattr(model, name)[i] = next(at)


def record(model):
    """Controls, and states before and after all steps, of a motion that excites everything."""
    data = sinew.Data(model)
    t = np.arange(STEPS) * model.opt.timestep
    ctrl = np.stack([3 * np.sin(5 * t) + 2 * np.sin(13 * t), 1.5 * np.cos(7 * t + 1)], 1)
    states = []
    for u in ctrl:
        states.append(np.concatenate([data.qpos, data.qvel]))
        data.ctrl[:] = u
        sinew.step(model, data)
    states.append(np.concatenate([data.qpos, data.qvel]))
    return ctrl, np.array(states)


def loss(model, data, ctrl, states, theta):
    """Half the mean square of all errors, velocities over 10, and its gradient by theta, logarithms of the numbers."""
    values, weight = np.exp(theta), np.repeat([1.0, 0.1], model.nv) ** 2 / STEPS
    put(model, values)
    total, gradient = 0.0, np.zeros(len(values))
    for first in range(0, STEPS, SEGMENT):
        now = slice(first, first + SEGMENT)
        start = states[first]
        error = np.zeros((SEGMENT + 1, 2 * model.nv))
        sinew.resetData(model, data)
        data.qpos[:], data.qvel[:] = np.split(start, 2)
        for k, u in enumerate(ctrl[now]):
            data.ctrl[:] = u
            sinew.step(model, data)
            error[k + 1] = np.concatenate([data.qpos, data.qvel]) - states[first + k + 1]
        sinew.resetData(model, data)
        data.qpos[:], data.qvel[:] = np.split(start, 2)
        by = sinew.rolloutGradient(
            model, data, ctrl[now], weight * error, model=NAMES, setconst=True
        )
        total += 0.5 * np.sum(weight * error**2)
        gradient += [by.model[name][i] for name, where in WANTED for i in where]
    return total, gradient * values


def minimize(f, x, iterations=60, memory=10):
    """L-BFGS with halved steps; yields x and f."""
    value, gradient = f(x)
    pairs = []
    yield x, value
    for _ in range(iterations):
        direction, kept = gradient.copy(), []
        for s, y in reversed(pairs):
            kept.append(s @ direction / (s @ y))
            direction -= kept[-1] * y
        scale = 0.3 / np.linalg.norm(gradient)
        if pairs:
            s, y = pairs[-1]
            scale = s @ y / (y @ y)
        direction *= scale
        for (s, y), a in zip(pairs, reversed(kept), strict=True):
            direction += (a - y @ direction / (s @ y)) * s
        step = 1.0
        while True:
            trial = x - step * direction
            after, slope = f(trial)
            if after < value or step < 1e-6:
                break
            step /= 2
        if after >= value:
            return
        if (trial - x) @ (slope - gradient) > 0:
            pairs = [*pairs[1 - memory :], (trial - x, slope - gradient)]
        x, value, gradient = trial, after, slope
        yield x, value


def draw(path, history, losses):
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib: no plot")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 1, sharex=True)
    axes[0].semilogy(losses)
    axes[0].set_ylabel("loss")
    axes[1].plot(history)
    axes[1].axhline(1, color="k", lw=0.5)
    axes[1].set(xlabel="iteration", ylabel="found over true")
    axes[1].legend(
        [f"{name}[{i}]" for name, where in WANTED for i in where], fontsize="xx-small", ncols=2
    )
    figure.savefig(path)


def main():
    model = sinew.Model.from_path(MODEL)
    sinew.setConst(model, sinew.Data(model))
    data = sinew.Data(model)
    true = get(model)
    ctrl, states = record(model)
    guess = true * np.array([0.6, 1.7, 0.7, 0.5, 2, 0.6, 1.8, 0.6])

    def f(theta):
        put(model, np.exp(theta))
        sinew.setConst(model, data)
        return loss(model, data, ctrl, states, theta)

    history, losses = [], []
    for theta, value in minimize(f, np.log(guess)):
        history.append(np.exp(theta) / true)
        losses.append(value)
    found = history[-1] * true
    print("                     true    guess    found")
    labels = [f"{name}[{i}]" for name, where in WANTED for i in where]
    for label, *numbers in zip(labels, true, guess, found, strict=True):
        print(f"{label:22s}" + " ".join(f"{x:8.4f}" for x in numbers))
    print(f"largest error {np.abs(history[-1] - 1).max():.1e} after {len(losses) - 1} iterations")
    if len(sys.argv) > 1:
        draw(sys.argv[1], history, losses)


if __name__ == "__main__":
    main()
