"""Rays against flexes as the newest engine casts them: vertices, edges, faces of layers, skins."""

import itertools

import numpy as np
import pytest

import flexes
import newest
import sinew

GRIDS = {1: (4,), 2: (4, 3), 3: (4, 4, 4)}
EDGES = '<edge damping="1"/>'


def rays(count, centre, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        start = centre + rng.normal(size=3)
        yield start, centre + rng.normal(size=3) * 0.07 - start


@pytest.mark.parametrize("dim", GRIDS)
def test_rays(dim):
    text = flexes.grid(GRIDS[dim], attributes='radius="0.02"', children=EDGES)
    peer, model = newest.load(text), sinew.Model.from_xml(text)
    data, q = sinew.Data(model), np.random.default_rng(1).normal(size=model.nv) * 0.01
    data.qpos[:] = q
    sinew.forward(model, data)
    peer.put(qpos=q)
    peer.call("mj_forward")
    hits = 0
    for start, along in rays(40, data.flexvert_xpos.mean(0)):
        for flags in itertools.product((False, True), repeat=4):
            for layer in (0, 1):
                x, *_ = sinew.rayFlex(model, data, 0, start, along, *flags, layer)
                want = peer.answer("mj_rayFlex", layer, *flags, 0, start, along)
                assert x == pytest.approx(want, abs=1e-10)
                hits += x > 0
    assert hits


def test_no_such_flex():
    model = sinew.Model.from_xml("<mujoco/>")
    with pytest.raises(IndexError, match="flexid is 0, but there are 0"):
        sinew.rayFlex(model, sinew.Data(model), 0, np.zeros(3), np.ones(3))


@pytest.mark.parametrize("dim", GRIDS)
def test_what_is_met(dim):
    """The vertex nearest to the hit and the normal there."""
    model = sinew.Model.from_xml(
        flexes.grid(GRIDS[dim], attributes='radius="0.02"', children=EDGES)
    )
    data = sinew.Data(model)
    sinew.forward(model, data)
    places = data.flexvert_xpos
    for start, along in rays(200, places.mean(0)):
        x, near, normal = sinew.rayFlex(model, data, 0, start, along)
        if x < 0:
            assert near == -1 and not normal.any()
            continue
        distances = np.linalg.norm(places - (start + x * along), axis=1)
        assert distances[near] < distances.min() + 0.06  # of the edge or side that was hit
        assert np.linalg.norm(normal) == pytest.approx(1)
        if dim == 1:
            assert normal @ along < 0
