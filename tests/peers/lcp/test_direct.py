"""The direct method of the LCP: published problems, degenerate contacts, and Siconos.

SINEW_LONG runs Siconos 4.4 itself (Debian's python3-siconos, with the system's Python) beside more problems; the
ordinary test has figures that it gave.
"""

import os
import pathlib
import subprocess

import numpy as np
import pytest

from sinew import LcpStatus, lcp

LONG = bool(os.environ.get("SINEW_LONG"))
SYSTEM = pathlib.Path("/usr/bin/python3")
COUNT = 200 if LONG else 15

# Solves problems of a file: FC3D by NSGS, an LCP by Lemke's method.
SICONOS = """
import sys
import numpy as np
import siconos.numerics as sn

file = np.load(sys.argv[1])
W, q, mu = file["W"], file["q"], file["mu"]
x, w = np.zeros(len(q)), np.zeros(len(q))
if mu.size:
    options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
    options.dparam[0], options.iparam[0] = 1e-13, 200000
    info = sn.fc3d_driver(sn.FrictionContactProblem(3, W, q, mu), x, w, options)
else:
    options = sn.SolverOptions(sn.SICONOS_LCP_LEMKE)
    info = sn.linearComplementarity_driver(sn.LCP(W, q), x, w, options)
np.savez(sys.argv[2], info=info, x=x, w=w)
"""


def siconos(folder, W, q, mu=()):
    """Whether Siconos solved it, x and w."""
    given, found = folder / "given.npz", folder / "found.npz"
    np.savez(given, W=W, q=q, mu=np.asarray(mu, float))
    # the system's Python must not see this one's packages
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    command = [str(SYSTEM), "-c", SICONOS, str(given), str(found)]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    result = np.load(found)
    return result["info"] == 0, result["x"], result["w"]


def has_siconos():
    command = [str(SYSTEM), "-I", "-c", "import siconos.numerics"]
    return SYSTEM.exists() and subprocess.run(command, capture_output=True).returncode == 0


def relative(A, b, result, **rows):
    """Natural residual over the largest b."""
    return lcp.residual(A, b, result.x, **rows) / np.abs(b).max()


def falling(rng, ncontact, nbody, ratio=1.0):
    """A and b of random contacts on a few bodies that move, with masses of a ratio."""
    J = rng.standard_normal((3 * ncontact, 6 * nbody))
    mass = np.repeat(ratio ** rng.uniform(-0.5, 0.5, nbody), 6)
    u = rng.standard_normal(6 * nbody)
    return (J / mass) @ J.T, J @ u


@pytest.mark.parametrize("n", [8, 16, 32, 64])
@pytest.mark.parametrize("name", ["murty", "fathi"])
@pytest.mark.parametrize("reverse", [False, True])
def test_published(name, n, reverse):
    """z = e1, in whatever order."""
    M = np.eye(n) + 2 * np.tri(n, k=-1)
    M = M if name == "murty" else M @ M.T
    M = M[::-1, ::-1] if reverse else M
    r = lcp.solve(M, -np.ones(n), method="direct")
    expected = np.eye(n)[-1 if reverse else 0]
    assert r.status == LcpStatus.SOLVED
    assert np.abs(r.x - expected).max() < 1e-12
    assert reverse or r.sweeps == 1


@pytest.mark.parametrize("seed", range(COUNT))
def test_not_symmetric(seed):
    """P-matrices: the symmetric part is positive definite, the rest is not small."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    G, S = rng.standard_normal((2, n, n))
    A, b = G @ G.T / n + 0.1 * np.eye(n) + (S - S.T) / np.sqrt(n), rng.standard_normal(n)
    r = lcp.solve(A, b, -0.2, 0.5, method="direct")
    assert r.solved and relative(A, b, r, lo=-0.2, hi=0.5) < 1e-11


@pytest.mark.parametrize("cone", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 1e6])
@pytest.mark.parametrize("seed", range(COUNT))
def test_more_contacts_than_dofs(seed, ratio, cone):
    """A is singular; lambda is not unique, w is what the next step sees."""
    rng = np.random.default_rng(seed)
    A, b = falling(rng, int(rng.integers(3, 14)), 2, ratio)
    rows = lcp.contacts(rng.uniform(0.1, 0.6, (len(b) // 3, 1)), len(b) // 3, cone=cone)
    r = lcp.solve(A, b, **rows, method="direct")
    scale = np.abs(b).max() + 1e-5 * (np.abs(r.x) * np.diag(A)).max()
    assert r.status == LcpStatus.SOLVED
    assert lcp.residual(A, b, r.x, **rows) < 1e-10 * scale


def test_figures_of_siconos():
    """Three contacts slip, one sticks."""
    k, ncontact, columns = 4, 4, 18
    i, j = np.mgrid[: 3 * ncontact, :columns]
    J = ((7 * i + 3 * j * j + 11 * i * j + 5 * k) % 13 - 6) / 6
    b = J @ (((5 * np.arange(columns) + k) % 7 - 3) / 3)
    normal = np.arange(len(b)) % 3 == 0
    b = np.where(normal, -np.abs(b), 0.2 * b)
    rows = lcp.contacts(np.array([[0.2], [0.3], [0.4], [0.5]]), ncontact)
    r = lcp.solve(J @ J.T, b, **rows, method="direct")
    # fmt: off
    expected = [
        0.668284898870619, -0.0410220256890086, 0.127206059803418,
        0.120805287845055, 0.0242051049600846, 0.0269734216459588,
        0.164779354981817, 0.0476813656670942, -0.0455065390975474,
        0.520043963643731, 0.066692446060861, 0.185228034324225,
    ]
    # fmt: on
    assert np.abs(r.x - expected).max() < 1e-12


@pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for Siconos")
@pytest.mark.parametrize("seed", range(40 if LONG else 1))
def test_siconos_cones(seed, tmp_path):
    """Where A is definite and mu moderate the solution is one."""
    if not has_siconos():
        pytest.skip("no Siconos here: apt-get install python3-siconos")
    rng = np.random.default_rng(seed)
    ncontact = int(rng.integers(1, 9))
    A, b = falling(rng, ncontact, ncontact)
    mu = rng.uniform(0.05, 0.4, ncontact)
    r = lcp.solve(A, b, **lcp.contacts(mu[:, None], ncontact), method="direct")
    solved, x, w = siconos(tmp_path, A, b, mu)
    assert r.solved and solved
    assert np.abs(r.w - w).max() < 1e-9 * np.abs(b).max()
    assert np.abs(r.x - x).max() < 1e-8 * np.abs(x).max() + 1e-12


@pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for Siconos")
@pytest.mark.parametrize("seed", range(40 if LONG else 1))
def test_siconos_boxes(seed, tmp_path):
    if not has_siconos():
        pytest.skip("no Siconos here: apt-get install python3-siconos")
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 50))
    G = rng.standard_normal((n, n))
    A, b = G @ G.T / n + 0.05 * np.eye(n), rng.standard_normal(n)
    r = lcp.solve(A, b, method="direct")
    solved, x, _ = siconos(tmp_path, A, b)
    assert r.solved and solved
    assert np.abs(r.x - x).max() < 1e-10 * (1 + np.abs(x).max())
