"""What a flex of the text becomes in the model, field by field against the newest engine."""

import numpy as np
import pytest

import flexes
from newest_pair import Pair

FIELDS = """contype conaffinity condim priority solmix solref solimp friction margin gap selfcollide activelayers dim group
vertadr vertnum edgeadr edgenum elemadr elemnum elemdataadr elemedgeadr shellnum shelldataadr texcoordadr radius size
damping edgestiffness edgedamping edgeequality rigid centered flatskin rgba vertbodyid vert vert0 edge elem elemtexcoord
elemedge elemlayer matid shell texcoord""".split()
EDGES = "flexedge_length0 flexedge_invweight0 flexedge_rigid flexedge_J_rownnz".split()


def wave(places):
    return places + 0.03 * np.sin(7 * places[:, [1, 2, 0]])


def compare(text):
    pair = Pair(text)
    for name in [f"flex_{field}" for field in FIELDS] + EDGES:
        ours, theirs = np.asarray(getattr(pair.model, name)), np.asarray(getattr(pair.peer, name))
        assert ours.size == theirs.size, name
        np.testing.assert_allclose(ours.reshape(theirs.shape), theirs, atol=1e-12, err_msg=name)
    return pair


@pytest.mark.parametrize("counts", [(5,), (4, 3), (3, 3, 4)])
@pytest.mark.parametrize("rest", ["", flexes.held()], ids=["free", "held"])
def test_grids(counts, rest):
    compare(flexes.grid(counts, shape=wave, rest=rest))
    if not rest:
        compare(flexes.grid(counts, shape=wave, pinned=(0, 2)))
