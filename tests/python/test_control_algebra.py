"""sinew.control's pseudo-inverses, null spaces and priorities against numpy.linalg and scipy."""

import numpy as np
import pytest
import scipy.linalg

from sinew import control

EPS = np.finfo(float).eps
SHAPES = [
    (1, 1),
    (1, 6),
    (6, 1),
    (3, 5),
    (5, 3),
    (6, 6),
    (12, 40),
    (40, 12),
    (38, 38),
    (0, 3),
    (3, 0),
]


def of_rank(rng, m, n, rank):
    """A matrix of that rank, with singular values of 1 to 4."""
    A = np.zeros((m, n))
    if m and n:
        np.fill_diagonal(A[:rank, :rank], rng.uniform(1, 4, rank))
        A = np.linalg.qr(rng.normal(size=(m, m)))[0] @ A @ np.linalg.qr(rng.normal(size=(n, n)))[0]
    return A


def matrices():
    rng = np.random.default_rng(1)
    for m, n in SHAPES:
        for rank in {0, min(m, n) // 2, max(min(m, n) - 1, 0), min(m, n)}:
            yield of_rank(rng, m, n, rank), rank


@pytest.mark.parametrize(("A", "rank"), list(matrices()))
def test_numpy_agrees(A, rank):
    s, found, U, V = control.singular_values(A)
    assert found == rank
    np.testing.assert_allclose(s, np.linalg.svd(A, compute_uv=False), atol=2e-14)
    np.testing.assert_allclose(U * s @ V.T, A, atol=2e-14)
    np.testing.assert_allclose(U.T @ U, np.eye(len(s)), atol=1e-14)
    np.testing.assert_allclose(V.T @ V, np.eye(len(s)), atol=1e-14)
    np.testing.assert_allclose(control.pseudo_inverse(A), np.linalg.pinv(A, 1e-13), atol=2e-14)
    N, Z = control.null_projector(A), control.null_basis(A)
    assert Z.shape == (A.shape[1], A.shape[1] - rank)
    np.testing.assert_allclose(Z @ Z.T, N, atol=1e-14)
    np.testing.assert_allclose(Z.T @ Z, np.eye(Z.shape[1]), atol=1e-14)
    np.testing.assert_allclose(A @ Z, 0, atol=2e-14)
    np.testing.assert_array_equal(N, N.T)
    np.testing.assert_allclose(N @ N, N, atol=1e-14)
    if A.size:
        null = scipy.linalg.null_space(A, 1e-13)
        np.testing.assert_allclose(null @ null.T, N, atol=2e-14)


@pytest.mark.parametrize(("A", "rank"), list(matrices()))
def test_damped_and_weighted(A, rank):
    m, n = A.shape
    rng = np.random.default_rng(2)
    damped = control.pseudo_inverse(A, damping=0.3)
    np.testing.assert_allclose(damped, np.linalg.solve(A @ A.T + 0.09 * np.eye(m), A).T, atol=2e-14)
    np.testing.assert_array_equal(control.pseudo_inverse(A, damping=0), control.pseudo_inverse(A))
    B = rng.normal(size=(n, n))
    M = B @ B.T + np.eye(n)
    X = control.pseudo_inverse(A, weight=M)
    if n:
        root = scipy.linalg.sqrtm(M)
        right = np.linalg.solve(root, np.linalg.pinv(A @ np.linalg.inv(root), 1e-11))
        np.testing.assert_allclose(X, right, atol=1e-11)
    if rank == m:
        W = np.linalg.inv(M)
        np.testing.assert_allclose(X, W @ A.T @ np.linalg.inv(A @ W @ A.T), atol=1e-11)


def test_graded_and_nearly_dependent():
    rng = np.random.default_rng(3)
    for n in (3, 8, 20):
        # numpy tells the largest value from the smallest only while they are within 1 / eps
        A = np.diag(10.0 ** -np.arange(0, 2 * n, 2)) @ rng.normal(size=(n, n))
        s = control.singular_values(A).s
        np.testing.assert_allclose(s, np.linalg.svd(A, compute_uv=False), atol=1e-15 * n * s[0])
        # relative: the product of all values is the determinant, taken with the grading apart
        graded = np.linalg.slogdet(10.0 ** np.arange(0, 2 * n, 2)[:, None] * A)[1]
        scale = np.log(10) * np.arange(0, 2 * n, 2).sum()
        assert np.log(s).sum() == pytest.approx(graded - scale, abs=1e-11)
    for gap in (1e-3, 1e-6, 1e-9):
        A = rng.normal(size=(1, 7)) + gap * rng.normal(size=(4, 7))
        assert control.singular_values(A).rank == 4
        assert control.singular_values(A, tolerance=100 * gap).rank == 1
        X = control.pseudo_inverse(A)
        np.testing.assert_allclose(A @ X, np.eye(4), atol=100 * EPS / gap)
        np.testing.assert_allclose(A @ control.null_basis(A), 0, atol=1e-14)


def inverse_above(A, tolerance):
    """The pseudo-inverse by the singular values above an absolute tolerance: numpy's is relative to the largest."""
    U, s, V = np.linalg.svd(A, full_matrices=False)
    keep = s > tolerance
    return V[keep].T / s[keep] @ U[:, keep].T


def basis_above(A, tolerance):
    """Orthonormal columns that A takes to zero."""
    _, s, V = np.linalg.svd(A)
    return V[np.count_nonzero(s > tolerance) :].T


def recursion(tasks, n):
    """The recursive form by numpy alone, for tasks whose ranks leave no doubt."""
    x, N = np.zeros(n), np.eye(n)
    for J, b in tasks:
        inverse = inverse_above(J @ N, 1e-10)
        x = x + N @ inverse @ (b - J @ x)
        N = N - inverse @ (J @ N)
    return x


def test_priorities_against_numpy():
    rng = np.random.default_rng(4)
    for _ in range(200):
        n = rng.integers(2, 40)
        tasks = []
        for _ in range(rng.integers(1, 6)):
            m = rng.integers(0, 9)
            rank = rng.integers(0, min(m, n) + 1)
            tasks.append((of_rank(rng, m, n, rank), rng.normal(size=m)))
        x, ranks = control.solve_priorities(tasks)
        y, same = control.solve_priorities(tasks, "recursive")
        scale = 1 + np.abs(x).max()
        np.testing.assert_array_equal(ranks, same)
        if scale > 100:
            continue  # nearly dependent by chance: 1e-12 is too much to ask of either
        np.testing.assert_allclose(x, y, atol=1e-12 * scale)
        np.testing.assert_allclose(x, recursion(tasks, n), atol=1e-11 * scale)


def test_every_level_is_a_least_squares_optimum():
    """Each level's error is the least that x in the null space of those above can give."""
    rng = np.random.default_rng(5)
    for _ in range(100):
        n = rng.integers(3, 20)
        tasks = [(rng.normal(size=(m, n)), rng.normal(size=m)) for m in rng.integers(1, 7, 5)]
        tasks.insert(2, (tasks[0][0] * 2, rng.normal(size=len(tasks[0][0]))))  # contradicts
        x, ranks = control.solve_priorities(tasks)
        Z, reached = np.eye(n), np.zeros(n)
        for J, b in tasks:
            reached = reached + Z @ inverse_above(J @ Z, 1e-10) @ (b - J @ reached)
            best = np.linalg.norm(J @ reached - b)
            assert np.linalg.norm(J @ x - b) == pytest.approx(best, abs=1e-9)
            Z = Z @ basis_above(J @ Z, 1e-10)
        assert sum(ranks) == n - Z.shape[1]
        np.testing.assert_allclose(Z.T @ x, 0, atol=1e-10)  # least norm


def test_damping_and_tolerance():
    rng = np.random.default_rng(6)
    J, b = rng.normal(size=(3, 7)), rng.normal(size=3)
    x, _ = control.solve_priorities([(J, b)], damping=0.5)
    np.testing.assert_allclose(x, control.pseudo_inverse(J, damping=0.5) @ b, atol=1e-15)
    y, _ = control.solve_priorities([(J, b, 0.5), (np.eye(7), 0)])
    np.testing.assert_allclose(x, y, atol=1e-14)
    y, ranks = control.solve_priorities([(J, b, 0.0), (J, 2 * b, 0.5)], damping=1)
    np.testing.assert_allclose(J @ y, b, atol=1e-14)
    np.testing.assert_array_equal(ranks, [3, 0])
    tasks = [([[1, 0]], 1), ([[1, 1e-4]], 2)]
    np.testing.assert_array_equal(control.solve_priorities(tasks, tolerance=1e-3)[1], [1, 0])
    np.testing.assert_array_equal(control.solve_priorities(tasks, tolerance=1e-5)[1], [1, 1])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: control.pseudo_inverse([1, 2]), "A has shape"),
        (lambda: control.pseudo_inverse([[1, np.nan]]), r"A\[0, 1\] is nan"),
        (lambda: control.null_basis([[1], [np.inf]]), r"A\[1, 0\] is inf"),
        (lambda: control.singular_values([[1]], tolerance=-1), "tolerance is -1"),
        (lambda: control.null_projector([[1]], tolerance=np.nan), "tolerance is nan"),
        (lambda: control.pseudo_inverse([[1]], damping=-1), "damping is -1"),
        (lambda: control.pseudo_inverse([[1]], damping=np.nan), "damping is nan"),
        (lambda: control.pseudo_inverse([[1]], damping=1, tolerance=1), "damping goes with"),
        (lambda: control.pseudo_inverse([[1, 2]], weight=np.eye(3)), "weight has shape"),
        (lambda: control.pseudo_inverse([[1, 2]], weight=np.ones((2, 2))), "not positive definite"),
        (lambda: control.solve_priorities([]), "tasks is empty"),
        (lambda: control.solve_priorities([([[1]], 1)], "other"), "form is 'other'"),
        (lambda: control.solve_priorities([([[1]], 1), ([[1, 2]], 1)]), r"tasks\[1\]: J has shape"),
        (lambda: control.solve_priorities([([[1]], [1, 2])]), r"tasks\[0\]: b has shape"),
        (lambda: control.solve_priorities([([[1]], 1), ([[np.nan]], 1)]), r"task 1: J\[0\]\[0\]"),
        (lambda: control.solve_priorities([([[1]], np.inf)]), r"task 0: b\[0\] is inf"),
        (lambda: control.solve_priorities([([[1]], 1, -2)]), "task 0: damping is -2"),
        (lambda: control.solve_priorities([([[1]], 1)], tolerance=-2), "tolerance is -2"),
    ],
)
def test_mistakes_are_named(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_tasks_that_are_none():
    for wrong in (3, ([[1]],), ([[1]], 1, 0, 0), ([[1]], None)):
        with pytest.raises(TypeError, match=r"tasks\[0\]"):
            control.solve_priorities([wrong])
