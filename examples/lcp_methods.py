"""Methods of the LCP of rigid contact: what is left open after how many sweeps, on an easy and on a hard pile.

python lcp_methods.py [FOLDER]

A wall of equal bricks at rest, and ten boxes of 10 t and 1 kg in turn. One step is made from the same state again and
again, each time with more sweeps, and without the impulses of the step before. Prints residuals; with a FOLDER draws them
over the sweeps as contact_methods.svg.
"""

import copy
import pathlib
import sys
import warnings

import charts
import numpy as np
from charts import line, text

import sinew

SWEEPS = (1, 2, 4, 7, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 250, 300, 350, 400, 450, 500)
PRINTED = (10, 50, 500)
# name: method, acceleration, what follows the sweeps; colour, and whether it is drawn thin
METHODS = {
    "jacobi": (sinew.LcpMethod.JACOBI, 0, 0, "#8a5a83"),
    "gs": (sinew.LcpMethod.GS, 0, 0, charts.BLUE),
    "blockgs": (sinew.LcpMethod.BLOCKGS, 0, 0, charts.GREEN),
    "gs, accelerated": (sinew.LcpMethod.GS, 1, 0, charts.RED),
    "gs, all defaults": (sinew.LcpMethod.GS, 1, 1, "#b08900"),
    "direct": (sinew.LcpMethod.DIRECT, 0, 0, "#222", "thin"),
}
LEAST = 1e-9  # m/s


def pile(boxes):
    """Boxes (x, z, half sizes, mass) on a floor."""
    bodies = "".join(
        f'<body pos="{x} 0 {z}"><freejoint/><geom type="box" size="{size}" mass="{mass}"/></body>'
        for x, z, size, mass in boxes
    )
    model = sinew.Model.from_xml(
        '<mujoco><option timestep="0.002" cone="elliptic"/><default><geom friction=".5"/></default>'
        '<custom><text name="sinew_contact" data="lcp"/></custom>'
        f'<worldbody><geom type="plane" size="5 5 .1"/>{bodies}</worldbody></mujoco>',
    )
    return model, sinew.Data(model)


def wall():
    model, data = pile(
        (0.2 * (i + 0.5 * (k % 2)), 0.08 * k + 0.04, ".1 .05 .04", 1)
        for k in range(5)
        for i in range(5)
    )
    sinew.step(model, data, nstep=500)
    return model, data


def tower():
    return pile((0, 0.2 * k + 0.1, ".1 .1 .1", (1, 10_000)[k % 2]) for k in range(10))


PILES = {"a wall of 25 bricks at rest": wall, "ten boxes of 10 t and 1 kg in turn": tower}


def residual(model, data, sweeps, method, accelerate, fallback):
    """Sweeps that were made, with products of steps over free rows, and the natural residual, m/s."""
    opt = model.opt
    opt.lcp_omega = 1  # which all methods take
    opt.lcp_method, opt.lcp_accelerate, opt.lcp_fallback = method, accelerate, fallback
    opt.lcp_sweeps, opt.lcp_tolerance = sweeps, 0
    if method == sinew.LcpMethod.JACOBI:
        opt.lcp_omega = 0  # from the spectral radius
    opt.disableflags |= int(sinew.DisableBit.WARMSTART)
    trial = copy.copy(data)
    with warnings.catch_warnings():  # some methods diverge or go round: that is what is to be seen
        warnings.simplefilter("ignore", sinew.SimulationWarning)
        sinew.forward(model, trial)
    return int(np.max(trial.solver_niter)), trial.solver_residual


def words(value):
    return f"{value:.0e}" if value > LEAST else f"< {LEAST:.0e}"


def draw(results):
    shapes = []
    for k, (name, curves) in enumerate(results.items()):
        left = 50 + 345 * k
        shown = []
        for method, rows in curves.items():
            made, left_open = np.array([row for row in rows if row[0] <= SWEEPS[-1]]).T
            shown.append((made, np.maximum(left_open, LEAST), *METHODS[method][3:]))
        shapes += charts.chart(
            f"{name}: residual, m/s",
            (left, 26),
            (290, 160),
            (0, SWEEPS[-1]),
            (LEAST, 1e-1),
            shown,
            "sweeps",
            True,
        )
    x = 50
    for name, (_, _, _, colour, *_) in METHODS.items():
        shapes += [line(x, 216, x + 14, 216, colour, 2), text(x + 19, 220, name)]
        x += 52 + 6 * len(name)
    return charts.picture(shapes, 720, 234)


def main():
    results = {}
    print("residual, m/s, after sweeps  " + " ".join(f"{sweeps:8}" for sweeps in PRINTED))
    for name, make in PILES.items():
        model, data = make()
        print(name)
        results[name] = {}
        for method, settings in METHODS.items():
            how = settings[:3]
            results[name][method] = [residual(model, data, sweeps, *how) for sweeps in SWEEPS]
            row = [residual(model, data, sweeps, *how)[1] for sweeps in PRINTED]
            print(f"  {method:26} " + " ".join(f"{words(value):>8}" for value in row))
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "contact_methods.svg").write_text(draw(results))


if __name__ == "__main__":
    main()
