"""mju_*: plain vectors, matrices, numbers and texts, beside the peer where it is installed."""

import numpy as np
import pytest

from sinew import mujoco

peer = pytest.importorskip("mujoco")

RNG = np.random.default_rng(5)
R = RNG.standard_normal


def definite(n, shift=1.0):
    """A symmetric positive definite matrix."""
    a = R((n, n))
    return a @ a.T + shift * np.eye(n)


def band(n, nband, ndense, matrix):
    """A matrix in the peer's layout of bands."""
    out = np.zeros((n - ndense) * nband + ndense * n)
    peer.mju_dense2Band(out, matrix, n, nband, ndense)
    return out


def ints(n):
    """Room for n ints."""
    return np.zeros(n, np.int32)


def cases(n):
    """Calls of functions with arguments of size n."""
    r, c = n, (3 * n + 1) % 5
    dense = R((r, c)) * (RNG.random((r, c)) < 0.5)
    lower = np.tril(R((n, n)), -1) * 0.3 + np.diag(1 + RNG.random(n))
    nd, nb = n // 3, 1 + n // 2
    a = definite(n, n)
    factor = band(n, nb, nd, a + 50 * np.eye(n))
    peer.mju_cholFactorBand(factor, n, nb, nd, 0, 0)
    yield from [(f, R(n), R(n), R(n)) for f in ("add", "sub")]
    yield from [(f, R(n), R(n)) for f in ("addTo", "subFrom", "copy", "d2n", "n2d", "dot")]
    yield from [(f, R(n)) for f in ("norm", "normalize", "sum", "L1", "isZero", "insertionSort")]
    yield from [("scl", R(n), R(n), 1e9), ("addScl", R(n), R(n), R(n), 0.3), ("fill", R(n), 2.0)]
    yield from [("f2n", R(n), R(n).astype("f4")), ("n2f", R(n).astype("f4"), R(n) * 1e20)]
    yield from [("mulMatVec", R(r), dense, R(c)), ("mulMatTVec", R(c), dense, R(r))]
    yield from [("transpose", R((c, r)), dense), ("sqrMatTD", R((c, c)), dense, R(r))]
    yield from [("mulMatMat", R((r, 3)), dense, R((c, 3))), ("sqrMatTD", R((c, c)), dense, None)]
    yield from [("mulMatMatT", R((r, 3)), dense, R((3, c))), ("mulVecMatVec", R(n), a, R(n))]
    yield from [("mulMatTMat", R((c, 3)), dense, R((r, 3))), ("symmetrize", R((n, n)), R((n, n)))]
    yield from [("cholFactor", a, 1e-10), ("cholFactor", a - 3 * n * np.eye(n), 0.1)]
    yield from [("cholSolve", R(n), lower, R(n)), ("cholUpdate", lower, R(n), 1)]
    yield from [
        ("cholUpdate", lower, R(n) * 0.1, 0),
        ("insertionSortInt", np.arange(n, 0, -1, "i4")),
    ]
    yield from [("dense2Band", R(factor.size), a, n, nb, nd), ("bandDiag", n - 1, n, nb, nd)]
    yield from [("band2Dense", R((n, n)), factor, n, nb, nd, flag) for flag in (0, 1)]
    yield from [("bandMulMatVec", R(n), factor, R(n), n, nb, nd, 1, flag) for flag in (0, 1)]
    yield from [("cholFactorBand", band(n, nb, nd, a), n, nb, nd, 0.1, 0.2)]
    yield from [("cholFactorBand", band(n, nb, nd, -a), n, nb, nd, 0.0, 0.0)]
    yield from [("cholSolveBand", R(n), factor, R(n), n, nb, nd)]
    yield from [("dense2sparse", R(k), dense, ints(r), ints(r), ints(k)) for k in (0, 2, 40)]
    yield from [("encodePyramid", R(2 * n), R(n + 1), RNG.random(n))]
    yield from [("decodePyramid", R(n + 1), R(2 * n), RNG.random(n))]
    yield from [
        ("Halton", 37 * n, n + 2),
        ("sigmoid", n / 9),
        ("springDamper", *R(2), n, n / 2, 0.3),
    ]
    tied = RNG.integers(-2, 3, (3, 3)).astype(float)
    for matrix in (definite(3), np.diag([1.0, 1, 2]), np.ones((3, 3)) * 10.0**n, tied + tied.T):
        yield ("eig3", R(3), R(9), R(4), matrix.ravel())
    axes = np.linalg.qr(R((3, 3)))[0].ravel()
    for kind in (0, 2, 3, 4, 5, 6):
        yield ("rayGeom", R(3) * 0.1, axes, RNG.random(3) + 0.1, R(3), R(3), kind)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 8, 40])
def test_as_the_peer(n):
    """Results, return values and what is written are the peer's to rounding."""
    for name, *args in cases(n):
        outcome = []
        for module in (peer, mujoco):
            own = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
            outcome.append((getattr(module, "mju_" + name)(*own), own))
        (want, written), (got, ours) = outcome
        assert (want is None) == (got is None), name
        if want is not None:
            np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12, err_msg=name)
        for a, b in zip(written, ours):
            if isinstance(a, np.ndarray):
                # axes of sn_eig3 are good to 1e-6
                scale = max(1.0, np.abs(a).max(initial=0))
                np.testing.assert_allclose(
                    b, a, rtol=0, atol=(2e-6 if name == "eig3" else 1e-9) * scale, err_msg=name
                )


def test_box_qp():
    """Solution, number of free variables, their numbers and factor are the peer's."""
    for k in range(300):
        n = 1 + k % 8
        a = R((n, n))
        H, g, start = (a @ a.T + 1e-3 * np.eye(n) if k % 9 else a + a.T), 3 * R(n), R(n)
        lower = -RNG.random(n) - 0.01 if k % 4 else None
        upper = RNG.random(n) + 0.01 if k % 5 else None
        outcome = []
        for module in (peer, mujoco):
            res, factor, index = start.copy(), np.zeros((n, n + 7)), ints(n)
            nfree = module.mju_boxQP(res, factor, index, H, g, lower, upper)
            free = max(nfree, 0)
            lower_triangle = np.tril(factor.ravel()[: free * free].reshape(free, free))
            outcome.append((nfree, res, index[:free], lower_triangle))
        for want, got in zip(*outcome):
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


def test_box_qp_refuses():
    """Bounds that cross, and an R that is too small."""
    args = (np.eye(2), np.zeros(2))
    with pytest.raises(ValueError, match="lower bound 1 of variable 0"):
        mujoco.mju_boxQP(np.zeros(2), np.zeros(18), None, *args, np.ones(2), -np.ones(2))
    with pytest.raises(TypeError, match="R has 16 numbers, must have 18"):
        mujoco.mju_boxQP(np.zeros(2), np.zeros((2, 8)), None, *args, None, None)


@pytest.mark.parametrize(
    "row", [(-1, 0, 0), (1, -1, 0), (9, 0, 0), (1, 2**31 - 1, 0), (1, 0, -1), (1, 0, 3)]
)
def test_sparse_indices(row):
    """Rows that reach outside of their arrays are errors."""
    nnz, adr, column = (np.array([x], np.int32) for x in row)
    with pytest.raises(TypeError, match="row 0"):
        mujoco.mju_sparse2dense(np.zeros((1, 3)), np.ones(1), nnz, adr, column)


@pytest.mark.parametrize(
    "sizes", [(-1, 1, 0), (3, -1, 0), (3, 0, 1), (3, 1, 4), (3, 1, -1), (2**31 - 1, 2**31 - 1, 0)]
)
def test_band_sizes(sizes):
    """Sizes that are none of a band matrix, or not of this one, are errors."""
    for call in (
        lambda: mujoco.mju_dense2Band(np.zeros(5), np.eye(3), *sizes),
        lambda: mujoco.mju_band2Dense(np.eye(3), np.zeros(5), *sizes, 1),
        lambda: mujoco.mju_cholFactorBand(np.zeros(5), *sizes, 0, 0),
        lambda: mujoco.mju_cholSolveBand(np.zeros(3), np.zeros(5), np.zeros(3), *sizes),
        lambda: mujoco.mju_bandMulMatVec(np.zeros(3), np.zeros(5), np.zeros(3), *sizes, 1, 1),
    ):
        with pytest.raises(ValueError, match="mju_"):
            call()


def test_shapes():
    """Columns are vectors; other shapes, read-only and strided results, wrong types are TypeErrors."""
    for module in (peer, mujoco):
        assert module.mju_norm(np.ones((4, 1))) == 2
        assert module.mju_norm([1, 0, 0]) == module.mju_norm(np.arange(3.0)[::2] / 2) == 1
        frozen = np.zeros(3)
        frozen.setflags(write=False)
        for bad in (
            np.zeros((1, 3)),
            np.zeros(4),
            np.zeros(6)[::2],
            np.zeros(3, "f4"),
            [0, 0, 0],
            frozen,
            None,
        ):
            with pytest.raises(TypeError):
                module.mju_zero3(bad)
        for bad in (3.0, None, "abc", np.zeros((1, 3))):
            with pytest.raises(TypeError):
                module.mju_dot(np.ones(3), bad)
        with pytest.raises(TypeError):
            module.mju_eye(np.zeros((2, 3)))


def test_texts(capsys, tmp_path, monkeypatch):
    """Types, bytes, warnings, matrices, log."""
    for kind in range(-1, 30):
        assert mujoco.mju_type2Str(kind) == peer.mju_type2Str(kind)
    for word in ("body", "key", "frame", "", "Body", "keyframe"):
        assert mujoco.mju_str2Type(word) == peer.mju_str2Type(word)
    for count in (0, 1, 1023, 1024, 1025, 10 << 20, 3 << 40, 1 << 63):
        assert mujoco.mju_writeNumBytes(count) == peer.mju_writeNumBytes(count)
    assert "qpos" in mujoco.mju_warningText(4, 12) and "12" in mujoco.mju_warningText(4, 12)
    mujoco.mju_printMat(np.array([[1, 2.5]]))
    mujoco.mju_printMatSparse(np.ones(1), *(np.array([x], np.int32) for x in (1, 0, 7)))
    assert capsys.readouterr().out == "1.00000000 2.50000000 \n\n(0 7):  1.000000  \n\n"
    monkeypatch.chdir(tmp_path)
    mujoco.mju_writeLog("kind", "text")
    assert "kind: text\n\n" in (tmp_path / "MUJOCO_LOG.TXT").read_text()


def test_numbers():
    """What has no value in the peer, too."""
    with pytest.raises(ValueError, match="base is 1"):
        mujoco.mju_Halton(5, 1)
    numbers = np.array([mujoco.mju_standardNormal(None) for _ in range(20000)])
    assert abs(numbers.mean()) < 0.04 and abs(numbers.std() - 1) < 0.03
    for x in (0.5, -0.5, 0.49999999999999994, 1e10, -3.2, np.nan, np.inf):
        assert mujoco.mju_round(x) == peer.mju_round(x)


def test_rays():
    """Skins; geoms and flexes that there are no rays for."""
    face, vert = np.array([[0, 1, 2]], np.int32), np.eye(3, dtype=np.float32)
    hit = ints(1)
    assert mujoco.mju_raySkin(1, 3, face, vert, np.full(3, 1.0), -np.ones(3), hit) == pytest.approx(
        2 / 3
    )
    with pytest.raises(ValueError, match="vertex 2"):
        mujoco.mju_raySkin(1, 2, face, vert, np.ones(3), np.ones(3), hit)
    with pytest.raises(TypeError):
        mujoco.mju_raySkin(2, 3, face, vert, np.ones(3), np.ones(3), hit)
    with pytest.raises(ValueError, match="geomtype 7"):
        mujoco.mju_rayGeom(np.zeros(3), np.zeros(9), np.zeros(3), np.zeros(3), np.ones(3), 7)
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(IndexError):
        mujoco.mju_rayFlex(
            model, mujoco.MjData(model), 0, 0, 0, 0, 0, 0, np.ones(3), np.ones(3), hit
        )


def test_dependencies(tmp_path):
    """Includes, assets and attached models, each once; files of assets need not exist."""
    (tmp_path / "main.xml").write_text(
        '<mujoco><compiler meshdir="m" texturedir="t"/><include file="more.xml"/><asset>'
        '<mesh file="a.obj"/><texture name="c" type="cube" fileright="r.png"/>'
        '<model name="child" file="child.xml"/></asset></mujoco>'
    )
    (tmp_path / "more.xml").write_text(
        '<mujoco><asset><mesh name="b" file="a.obj"/></asset></mujoco>'
    )
    (tmp_path / "child.xml").write_text('<mujoco><asset><mesh file="k.obj"/></asset></mujoco>')
    names = mujoco.mju_getXMLDependencies(str(tmp_path / "main.xml"))
    want = {"main.xml", "more.xml", "child.xml", "m/a.obj", "t/r.png", "k.obj"}
    assert len(names) == len(want) and set(names) == {str(tmp_path / name) for name in want}
    (tmp_path / "broken.xml").write_text("<mujoco><asset")
    for name in ("none.xml", "broken.xml"):
        with pytest.raises(mujoco.FatalError, match=name):
            mujoco.mju_getXMLDependencies(str(tmp_path / name))
