"""Rows hold what they touch; `sinew.mujoco` gives them in the peer's layout, dense or sparse."""

import mujoco
import numpy as np
import pytest

import models
from sinew import mujoco as ours

SPARSE = "efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind".split()
NAMES = ["humanoid.xml", "quadruped.xml", "ant.xml", "cheetah.xml", "manipulator.xml", "dog.xml"]


def states(path, jacobian):
    """Both data at the same states with contacts, limits and dry friction."""
    peer, mine = models.fresh(path), models.fresh(path, ours.MjModel.from_xml_path)
    rng = np.random.default_rng(5)
    for m in (peer, mine):
        m.opt.jacobian = jacobian
        m.opt.cone = 0
    pdata, data = mujoco.MjData(peer), ours.MjData(mine)
    for _ in range(5):
        mujoco.mj_resetData(peer, pdata)
        pdata.qpos[:] += 0.3 * rng.standard_normal(peer.nq)
        mujoco.mj_normalizeQuat(peer, pdata.qpos)
        data.qpos[:] = pdata.qpos
        mujoco.mj_fwdPosition(peer, pdata)
        ours.mj_fwdPosition(mine, data)
        if pdata.nefc == data.nefc and np.array_equal(pdata.efc_type, data.efc_type):
            yield mine, pdata, data


def by_rows(d, nv):
    """The Jacobian that the sparse arrays describe."""
    J = np.zeros((d.nefc, nv))
    for row in range(d.nefc):
        span = slice(d.efc_J_rowadr[row], d.efc_J_rowadr[row] + d.efc_J_rownnz[row])
        J[row, d.efc_J_colind[span]] = d.efc_J[span]
    return J


MODELS = pytest.mark.parametrize(
    "path", [p for p in models.suite() if p.name in NAMES], ids=lambda p: p.stem
)


def same_rows(theirs, mine):
    """Rows that both have of the same contact point; the peer's search of convex pairs stops earlier."""
    same = np.ones(mine.nefc, bool)
    for a, b in zip(theirs.contact, mine.contact, strict=True):
        if np.abs(a.pos - b.pos).max() > 1e-9 or np.abs(a.frame - b.frame).max() > 1e-9:
            first = b.efc_address
            while (
                first >= 0
                and first < mine.nefc
                and mine.efc_id[first] == mine.efc_id[b.efc_address]
            ):
                same[first] = False
                first += 1
    return same


@MODELS
def test_dense(path):
    """All numbers in order; no addresses (the peer's are what was in memory)."""
    for m, theirs, mine in states(path, 0):
        assert mine.nJ == theirs.nJ == len(mine.efc_J) == len(mine.efc_J_colind)
        for name in SPARSE:
            assert getattr(mine, name).shape == getattr(theirs, name).shape
            assert not np.any(getattr(mine, name)), name
        same = same_rows(theirs, mine)
        J = mine.efc_J.reshape(-1, m.nv)
        np.testing.assert_allclose(J[same], theirs.efc_J.reshape(-1, m.nv)[same], rtol=0, atol=1e-8)


@MODELS
def test_sparse(path):
    """Each row's sparse form is what the library multiplies by, and the peer's row."""
    seen = 0
    for m, theirs, mine in states(path, 1):
        assert mine.nJ == len(mine.efc_J) == len(mine.efc_J_colind)
        J = by_rows(mine, m.nv)
        for row, unit in enumerate(np.eye(mine.nefc)):
            product = np.zeros(m.nv)
            ours.mj_mulJacTVec(m, mine, product, unit)
            np.testing.assert_array_equal(J[row], product)
        same = same_rows(theirs, mine)
        np.testing.assert_allclose(J[same], by_rows(theirs, m.nv)[same], rtol=0, atol=1e-8)
        np.testing.assert_array_equal(mine.efc_J_rownnz[same], theirs.efc_J_rownnz[same])
        seen += same.sum()
    assert seen
