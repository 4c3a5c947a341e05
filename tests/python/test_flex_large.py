"""Flexes with many vertices: what compiles, in how much memory."""

import os
import subprocess
import sys

import numpy as np
import pytest

import sinew

LOAD = """
import resource, sys
import sinew
m = sinew.Model.from_path(sys.argv[1])
print(m.nflexvert, m.nflexelem, m.nflexedge, m.flex_shellnum[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


BODY = '<body name="{}"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{}</body>'
SLIDES = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))


def write(path, n, nbody=1):
    """A block of n^3 vertices of one body, or elastic on several, six tetrahedra a cell."""
    at = np.arange(n**3).reshape(n, n, n)
    cell, steps = at[:-1, :-1, :-1].ravel(), (n * n, n, 1)
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    paths = [np.cumsum([0, *(steps[a] for a in order)]) for order in orders]
    places = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), -1).reshape(-1, 3)
    with path.open("w") as file:
        file.write('<mujoco><option integrator="discrete"/><worldbody>')
        for b in range(nbody):
            file.write(BODY.format(f"b{b}", SLIDES))
        names = [f"b{v * nbody // n**3}" for v in range(n**3)] if nbody > 1 else ["b0"]
        file.write(f'</worldbody><deformable><flex dim="3" body="{" ".join(names)}" vertex="')
        np.savetxt(file, places, fmt="%d", newline=" ")
        file.write('" element="')
        np.savetxt(file, np.concatenate([cell[:, None] + p for p in paths]), fmt="%d", newline=" ")
        elastic = '<elasticity young="1e4" poisson="0.2" damping="0.01"/>' if nbody > 1 else ""
        file.write(f'"><contact contype="0" conaffinity="0"/>{elastic}</flex>')
        file.write("</deformable></mujoco>")


@pytest.mark.parametrize("n, nbody", [(20, 1), (20, 240), (100, 1), (100, 30000)])
def test_a_block_of_many_tetrahedra(n, nbody, tmp_path):
    if n > 20 and not os.environ.get("SINEW_LONG"):
        pytest.skip("SINEW_LONG asks for a million vertices")
    write(tmp_path / "block.xml", n, nbody)
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path / "block.xml")],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    nvert, nelem, nedge, nshell, most = map(int, done.stdout.split())
    cells = (n - 1) ** 3
    assert (nvert, nelem, nshell) == (n**3, 6 * cells, 12 * (n - 1) ** 2)
    # Euler: vertices - edges + sides - elements is 1 of a ball
    assert nvert - nedge + (4 * nelem + nshell) // 2 - nelem == 1
    assert most * 1024 < 2e9


def test_more_bodies_than_signatures_tell_apart():
    if not os.environ.get("SINEW_LONG"):
        pytest.skip("SINEW_LONG asks for a cloth of 36,100 points")
    model = sinew.Model.from_xml(
        '<mujoco><option timestep="1e-4"/><worldbody><flexcomp name="c" dim="2" count="190 190 1" spacing=".01 .01 .01" '
        'radius=".001" mass="1"><contact selfcollide="none" contype="0" conaffinity="0"/>'
        '<elasticity young="100" thickness=".001" elastic2d="stretch"/></flexcomp></worldbody></mujoco>'
    )
    assert model.nbody == 36101
    data = sinew.Data(model)
    sinew.step(model, data)
    assert abs(data.qvel.reshape(-1, 3) - [0, 0, -9.81e-4]).max() < 1e-12
