"""`sinew.lcp`: forms of A, arguments and their errors, results."""

import dataclasses

import numpy as np
import pytest

from sinew import LcpMethod, LcpRow, LcpStatus, lcp

A = np.array([[3.0, 1, 0], [1, 3, 1], [0, 1, 3]])
B = np.array([-1.0, 0.3, -0.4])


class Sparse:
    """What of scipy.sparse is used: compressed rows or columns, and conversion."""

    def __init__(self, dense, by_columns=False):
        self.shape, self.dense = dense.shape, dense
        matrix = dense.T if by_columns else dense
        self.indptr = np.array([0, *np.cumsum((matrix != 0).sum(1))])
        self.indices = np.nonzero(matrix)[1]
        self.data = matrix[matrix != 0]

    def tocsr(self):
        return Sparse(self.dense)

    def tocsc(self):
        return Sparse(self.dense, by_columns=True)


def triple(dense):
    s = Sparse(dense)
    return s.data, s.indices, s.indptr


def test_forms_of_A_agree():
    rng = np.random.default_rng(0)
    J = rng.standard_normal((9, 7)) * (rng.random((9, 7)) < 0.6) + np.eye(9, 7)
    T = np.diag(rng.uniform(0.5, 2, 7)) @ J.T
    J[7:] += 0.3
    T[:, 7:] += 0.3
    dense, b = J @ T, rng.standard_normal(9)
    expected = lcp.solve(dense, b, -1, 1, tolerance=1e-13)
    assert expected.solved
    forms = [
        dense.tolist(),
        Sparse(dense),
        Sparse(dense, by_columns=True),
        triple(dense),
        (J, T),
        (Sparse(J), Sparse(T)),
        (Sparse(J, True), T),
        (triple(J), triple(T.T)),
        (J, triple(T.T)),
    ]
    for form in forms:
        r = lcp.solve(form, b, -1, 1, tolerance=1e-13)
        assert r.solved and np.abs(r.w - expected.w).max() < 1e-11
        assert lcp.residual(form, b, r.x, -1, 1) <= 1e-13
        assert np.abs(dense @ r.x + b - r.w).max() < 1e-12


def test_what_is_passed_is_not_written():
    x0 = np.ones(3)
    arrays = [A.copy(), B.copy(), np.zeros(3), np.ones(3)]
    for array in (*arrays, x0):
        array.flags.writeable = False
    r = lcp.solve(*arrays, x0=x0)
    assert r.solved and (x0 == 1).all()
    assert lcp.solve(A[::-1, ::-1], B[::-1], x0=np.ones(6)[::2]).solved  # views with any strides


def test_result():
    r = lcp.solve(A, B)
    assert dataclasses.is_dataclass(r) and r.solved and r.status is LcpStatus.SOLVED
    assert r.method is LcpMethod.BLOCKGS and r.omega == 1 and r.radius == 0 and r.sweeps > 0
    assert (r.symmetric, r.definite, r.split) == (True, True, True)
    assert np.abs(r.w - A @ r.x - B).max() < 1e-15 and r.x.shape == r.w.shape == (3,)
    with pytest.raises(dataclasses.FrozenInstanceError):
        r.x = None
    jacobi = lcp.solve(A, B, method=LcpMethod.JACOBI)
    assert jacobi.radius == pytest.approx(np.abs(np.linalg.eigvals(A / 3)).max(), rel=0.02)
    direct = lcp.solve(A, B, method="direct")
    assert direct.solved and direct.split is None and np.abs(direct.x - r.x).max() < 1e-10


def test_conditions():
    few = [[1.0, 3], [3, 1]]
    r = lcp.solve(few, [-1, -1], sweeps=10)
    assert (r.symmetric, r.definite) == (True, False)
    r = lcp.solve([[1.0, 0.5], [-0.5, 1]], [-1, -1])
    assert (r.symmetric, r.definite, r.split) == (False, True, True)
    n = 600
    many = 3 * np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)
    for method, omega in [("gs", 1), ("sor", 1.2), ("jacobi", 1)]:
        r = lcp.solve(many, -np.ones(n), method=method, omega=omega)
        assert r.solved and (r.symmetric, r.definite, r.split) == (True, None, True)
    assert not lcp.solve(many, -np.ones(n), method="sor", omega=2.2, fallback=False, sweeps=3).split
    many[3, 500] = 0.1
    r = lcp.solve(many, -np.ones(n))
    assert r.solved and (r.symmetric, r.definite, r.split) == (False, None, None)


def test_contacts():
    rows = lcp.contacts([[0.5, 0.6, 0.1]], 2, condim=4, cone=False)
    assert rows["kind"].tolist() == [LcpRow.BOX, *[LcpRow.FRICTION] * 3] * 2
    assert rows["normal"].tolist() == [0] * 4 + [4] * 4
    assert rows["mu"].tolist() == [0, 0.5, 0.6, 0.1] * 2
    assert lcp.contacts(0.5, 2, condim=1)["kind"].tolist() == [LcpRow.BOX] * 2
    assert all(len(v) == 0 for v in lcp.contacts(0.5, 0).values())
    assert lcp.contacts(0.5, 1)["kind"].tolist() == [LcpRow.BOX, LcpRow.CONE, LcpRow.CONE]
    r = lcp.solve(np.eye(6), [-1, 2, -2, -2, 0.1, 0], **lcp.contacts([[0.5], [1]], 2))
    assert r.x == pytest.approx([1, -(0.125**0.5), 0.125**0.5, 2, -0.1, 0], abs=1e-12)
    with pytest.raises(ValueError, match="condim is 2, must be 1, 3, 4 or 6"):
        lcp.contacts(0.5, 1, condim=2)
    with pytest.raises(ValueError, match="ncontact is -1, must be 0 or more"):
        lcp.contacts(0.5, -1)


def test_no_rows():
    r = lcp.solve(np.zeros((0, 0)), [])
    assert r.solved and r.x.shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        ((A, B, 1, -1), {}, "row 0: bounds are crossed, lo = 1 is above hi = -1: swap them"),
        ((A, [0, np.nan, 0]), {}, "row 1: b is nan, must be finite"),
        ((np.where(A == 0, np.nan, A), B), {}, r"row 0: A\[0, 2\] is nan, must be finite"),
        ((A, B, [0, 0, np.nan]), {}, "row 2: bound lo is nan"),
        ((A - 3 * np.eye(3), B), {}, r"row 0: A\[0, 0\] is 0, must be above"),
        ((A, B[:2]), {}, r"A has shape \(3, 3\), must be \(2, 2\), as b has 2 rows"),
        ((A, [B]), {}, "b has 2 dimensions, must have one"),
        ((A, B, [0, 0]), {}, r"lo has shape \(2,\), must be \(3,\) or a number"),
        ((A, B), {"x0": [0, 0]}, r"x0 has shape \(2,\), must be \(3,\) or a number"),
        ((A, B), {"x0": [0, np.inf, 0]}, "row 1: lambda is inf, where to start must be finite"),
        ((A, B), {"method": "newton"}, "method is 'newton', must be one of jacobi, gs, sor"),
        ((A, B), {"method": 9}, "method is 9, must be an snLcpMethod"),
        ((A, B), {"omega": 0}, "omega is 0, must be above 0"),
        ((A, B), {"sweeps": -1}, "sweeps is -1, must be 0 or more"),
        ((A, B), {"tolerance": np.nan}, "tolerance is nan, must be 0 or more"),
        ((A, B), {"kind": [0, 1, 1], "mu": 1}, "row 1: friction without a normal"),
        ((A, B), {"kind": [0, 1, 1], "normal": [0, 0, 0]}, "row 1: friction without a coefficient"),
        (
            (A, B),
            {"kind": [0, 1, 1], "normal": [0, 0, 3], "mu": 1},
            "row 2: normal is 3, must be a row",
        ),
        ((A, B), {"kind": [0, 1], "normal": [0, 0, 0]}, "kind has 2 numbers, must have 3"),
        ((A, B), {"kind": [0.5, 1, 1]}, "kind must be a list of integers"),
        ((A, B), {"block": [2**40, 0, 0]}, "block has numbers beyond 32 bits"),
        (((A, A[:2]), B), {}, "J has 3 columns, T has 2 rows: they must be as many"),
        (((A, A[:, :2]), B), {}, "T has 2 columns, must have 3, as b has rows"),
        (((A[0], A), B), {}, "J has 1 dimensions, must be a matrix"),
        (
            (([1.0], [0, 1, 2], [0, 1, 2, 3]), B),
            {},
            "A has 1 numbers and 3 indices, indptr asks for 3",
        ),
        (
            (([1.0] * 3, [0, 1, 3], [0, 1, 2, 3]), B),
            {},
            r"row 2: J.col\[2\] is 3, must be in \[0, 3\)",
        ),
        (
            (([1.0] * 3, [0, 1, 2**40], [0, 1, 2, 3]), B),
            {},
            "indices of A has numbers beyond 32 bits",
        ),
        ((([1.0] * 3, [0, 1, 2], [0, 3, 1, 3]), B), {}, "row 1: J.adr falls from 3 to 1"),
        ((([1.0] * 3, [0, 1, 2], [0, 1, 2, -3]), B), {}, "row 2: J.adr falls from 2 to -3"),
        ((([1.0] * 3, [0, 1, 2], [-2, 1, 2, 3]), B), {}, r"J.adr\[0\] is -2, must be 0 or more"),
    ],
)
def test_errors(arguments, options, text):
    with pytest.raises(ValueError, match=text):
        lcp.solve(*arguments, **options)
    rows = {k: v for k, v in options.items() if k in ("kind", "normal", "mu")}
    if len(rows) == len(options):
        with pytest.raises(ValueError, match=text):
            lcp.residual(*arguments[:2], np.zeros(len(arguments[1])), *arguments[2:], **rows)
