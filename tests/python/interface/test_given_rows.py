"""sinew.mujoco: room for contacts and rows that a program fills itself, as MJX does, against the pinned peer."""

import copy

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

TEXT = """<mujoco><option jacobian="{}"/><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .05"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""

FIELDS = "J type id pos margin frictionloss diagApprox KBIP D R vel aref state force".split()
COLUMNS = ("rownnz", "rowadr", "rowsuper", "colind")


def started(mj, jacobian):
    m = mj.MjModel.from_xml_string(TEXT.format(jacobian))
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    return m, d, mj._functions._realloc_con_efc


@pytest.mark.parametrize(("jacobian", "nJ"), [("dense", 30), ("sparse", 30), ("sparse", 13)])
@pytest.mark.parametrize("ncon", [0, 2])
def test_sizes(jacobian, nJ, ncon):
    shapes = []
    for mj in (ours, peer):
        m, d, realloc = started(mj, jacobian)
        realloc(d, ncon=ncon, nefc=5, nJ=nJ)
        arrays = [getattr(d, "efc_" + n).shape for n in FIELDS]
        arrays += [getattr(d, "efc_J_" + n).shape for n in COLUMNS if jacobian == "sparse"]
        shapes.append([d.ncon, d.nefc, d.nJ, d.contact.dist.shape, arrays])
        realloc(d, 0, 0, 0)
        assert (d.ncon, d.nefc, d.nJ, d.efc_J.size, d.contact.dist.size) == (0, 0, 0, 0, 0)
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_what_is_filled_stays(jacobian):
    """Until rows are made anew; what was there before comes back then."""
    m, d, realloc = started(ours, jacobian)
    names = [n for n in ("efc_J", "efc_D", "efc_type", "efc_force", "efc_J_rownnz", "efc_J_colind")]
    names = [*names, "efc_J_rowadr"] if jacobian == "sparse" else names[:4]
    before = {n: getattr(d, n).copy() for n in names}
    contact = {n: getattr(d.contact, n).copy() for n in ("dist", "dim", "geom", "efc_address")}
    qacc = d.qacc.copy()
    realloc(d, ncon=d.ncon, nefc=d.nefc, nJ=d.nJ)
    assert not d.efc_D.any() and not d.contact.dist.any()
    for name, value in before.items():
        getattr(d, name)[:] = value
    for name, value in contact.items():
        getattr(d.contact, name)[:] = value
    ours.mj_factorM(m, d)
    for data in (d, copy.copy(d)):
        for name, value in before.items():
            np.testing.assert_array_equal(getattr(data, name), value)
    product = np.zeros(d.nefc)
    vector = np.arange(1.0, 7)
    ours.mj_mulJacVec(m, d, product, vector)
    dense = np.zeros((d.nefc, 6))
    if jacobian == "dense":
        dense[:] = before["efc_J"].reshape(d.nefc, 6)
    else:
        args = [before["efc_" + n] for n in ("J", "J_rownnz", "J_rowadr", "J_colind")]
        ours.mju_sparse2dense(dense, *args)
    np.testing.assert_allclose(product, dense @ vector, rtol=0, atol=1e-14)
    ours.mj_forward(m, d)
    np.testing.assert_array_equal(d.qacc, qacc)
    np.testing.assert_array_equal(d.efc_J, before["efc_J"])


@pytest.mark.parametrize("nefc", [0, 4])
def test_counts_of_kinds_are_the_programs(nefc):
    """MJX counts rows that are off, too."""
    m, d, realloc = started(ours, "dense")
    with pytest.raises(ValueError, match="follows from the rest"):
        d.nl = 1
    realloc(d, 0, nefc, -1)
    d.ne, d.nf, d.nl = 1, 2, 3
    assert (d.ne, d.nf, d.nl) == (1, 2, 3)
    with pytest.raises(ValueError, match="ne \\+ nf \\+ nl is above nefc"):
        ours.mj_mulJacVec(m, d, np.zeros(nefc), np.zeros(6))
    ours.mj_forward(m, d)
    assert (d.ne, d.nf, d.nl, d.nefc) == (0, 0, 0, 4)


def test_rows_that_are_not_whole_are_refused():
    m, d, realloc = started(ours, "dense")
    realloc(d, 1, 4, 24)
    with pytest.raises(ValueError, match="rows that were given are not whole"):
        ours.mj_mulJacVec(m, d, np.zeros(4), np.zeros(6))
    with pytest.raises(ValueError, match="rows that were given are not whole"):
        d.efc_AR  # noqa: B018
    qLD, M = d.qLD.copy(), d.M.copy()
    ours.mj_factorM(m, d)
    np.testing.assert_array_equal(d.qLD, qLD)
    np.testing.assert_array_equal(d.M, M)
    ours.mj_step(m, d)
    assert d.nefc == 4 and d.efc_force.any()


@pytest.mark.parametrize(
    ("sizes", "error", "text"),
    [
        ((-1, 0, 0), ValueError, "ncon is -1"),
        ((0, -3, 0), ValueError, "nefc is -3"),
        ((0, 2, 13), ValueError, "nJ is 13, must be 12"),
        ((0, 2, -2), ValueError, "nJ is -2"),
        ((1 << 40, 1, -1), ours.FatalError, "insufficient arena memory"),
        ((1 << 62, 0, 0), ours.FatalError, "insufficient arena memory"),
        ((1.5, 0, 0), TypeError, "float"),
    ],
)
def test_sizes_that_cannot_be(sizes, error, text):
    m, d, realloc = started(ours, "dense")
    before = d.efc_J.copy()
    with pytest.raises(error, match=text):
        realloc(d, *sizes)
    assert (d.ncon, d.nefc) == (1, 4)
    np.testing.assert_array_equal(d.efc_J, before)
