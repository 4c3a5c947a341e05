"""What a flex of the text becomes in the model, field by field against the newest engine."""

import numpy as np
import pytest

import flexes
from newest_pair import Pair

FIELDS = """contype conaffinity condim priority solmix solref solimp friction margin gap selfcollide activelayers dim group
vertadr vertnum edgeadr edgenum elemadr elemnum elemdataadr elemedgeadr shellnum shelldataadr texcoordadr radius size
damping edgestiffness edgedamping edgeequality rigid centered flatskin rgba vertbodyid vert vert0 edge elem elemtexcoord
elemedge elemlayer matid shell texcoord edgeflap bendingadr bending""".split()
EDGES = "flexedge_length0 flexedge_invweight0 flexedge_rigid flexedge_J_rownnz".split()
STRETCH = 2  # a bit of elastic2d


def wave(places):
    """Curves a sheet, bends a block."""
    return places + 0.03 * np.sin(7 * places[:, [1, 2, 0]])


def same(pair, name):
    ours, theirs = np.asarray(getattr(pair.model, name)), np.asarray(getattr(pair.peer, name))
    assert ours.size == theirs.size, name
    scale = max(1, abs(theirs).max(initial=0))
    np.testing.assert_allclose(
        ours.reshape(theirs.shape), theirs, rtol=1e-10, atol=1e-12 * scale, err_msg=name
    )


def compare(text, skip=()):
    """Both models of a text. The peer has zeros in flex_stiffness where nothing stretches, we have nothing."""
    pair = Pair(text)
    for name in [f"flex_{field}" for field in FIELDS] + EDGES:
        if name not in skip:
            same(pair, name)
    adr = np.ravel(pair.model.flex_stiffnessadr)
    if np.array_equal(adr, pair.peer.flex_stiffnessadr):
        same(pair, "flex_stiffness")
    else:
        assert not pair.peer.flex_stiffness.any()
        assert (adr == -1).all()
    return pair


@pytest.mark.parametrize("counts", [(5,), (4, 3), (3, 3, 4)])
@pytest.mark.parametrize("rest", ["", flexes.held()], ids=["free", "held"])
def test_grids(counts, rest):
    for pinned in ((), (0, 2)):
        compare(flexes.grid(counts, shape=wave, pinned=pinned, rest=rest))


@pytest.mark.parametrize("ways", ["none", "bend", "stretch", "both"])
@pytest.mark.parametrize("shape", [None, wave], ids=["flat", "curved"])
def test_sheets(ways, shape):
    soft = (
        f'<elasticity young="3e5" poisson="0.2" thickness="0.01" damping="0.1" elastic2d="{ways}"/>'
    )
    compare(flexes.grid((4, 5), shape=shape, children=soft))


def test_solids():
    compare(flexes.grid((4, 3, 3), shape=wave, children=flexes.SOFT))
