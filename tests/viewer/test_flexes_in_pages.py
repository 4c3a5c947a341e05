"""Flexes in pages: where pictures of `sinew render` have them, as they move and whatever of them is shown."""

import numpy as np
import pytest
from test_object_ids import SIZE, near_edges, segmentation, shown, switch

import flexes
import sinew

FLEX, SKIN, FACE, EDGE, VERT = 9, 27, 26, 25, 24  # mjOBJ_FLEX; mjtVisFlag

COLOURS = '<asset><material name="a" rgba="1 0 0 1"/><material name="b" rgba="0 1 0 1"/></asset>'


@pytest.fixture
def model():
    sheet = flexes.part((5, 4), name="f", pinned=(0, 3), children=flexes.SHEET)
    two = " ".join("ab"[i % 3 == 0] for i in range(len(flexes.elements((3, 3, 3)))))
    block = flexes.part((3, 3, 3), name="b", offset=(0.6, 0, 0), children=flexes.SOFT, attributes=f'material="{two}"')  # fmt: skip
    string = flexes.part((5,), name="s", offset=(0, 0.6, 0))
    text = flexes.model(
        sheet, block, string, option='integrator="discrete"', rest=flexes.held("s") + COLOURS
    )
    model = sinew.Model.from_xml(text, physics="4.0")
    model.vis.quality.shadowsize = 0
    return model


def differ(tab, expected):
    """How many pixels away from edges show something else: one or two, where faces of 0 width meet."""
    other = (shown(tab) != expected).any(axis=-1)
    assert other.mean() < 0.01
    return (~near_edges(expected, other)).sum()


def test_pages_show_flexes(view, model):
    viewing = view(model, still=True)
    sinew.step(model, viewing.data, 100)
    sinew.forward(model, viewing.data)
    viewing.handle.sync()
    tab = viewing.open((480, 160))
    width, height = SIZE
    with sinew.Renderer(model, height, width) as renderer:
        renderer.enable_segmentation_rendering()
        expected = segmentation(renderer, viewing.data, viewing.handle.opt)
        seen = set(map(tuple, expected.reshape(-1, 2).tolist()))
        assert {(i, FLEX) for i in range(3)} <= seen
        assert differ(tab, expected) < 3
        for flag in (SKIN, FACE, EDGE, VERT):  # one after the other, each stays
            switch(viewing, tab, flag)
            expected = segmentation(renderer, viewing.data, viewing.handle.opt)
            assert differ(tab, expected) < 3, flag
        assert np.any(expected[..., 1] == FLEX)
