"""Which object a pixel of a page shows: the same as in `sinew render`'s segmentation."""

import numpy as np
import pytest

import sinew
from models import folder

SIZE = 320, 240
SUITE = ("humanoid", "walker", "fish", "manipulator", "cartpole")
GYMNASIUM = ("ant", "half_cheetah", "pusher_v5")
MODELS = [
    *(folder("dm_control", "suite", f"{name}.xml") for name in SUITE),
    *(folder("gymnasium", "envs", "mujoco", "assets", f"{name}.xml") for name in GYMNASIUM),
]


def segmentation(viewing):
    """Id and type [240, 320, 2] of the object that each pixel shows; -1, -1: none."""
    width, height = SIZE
    with sinew.Renderer(viewing.model, height, width) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(viewing.data)
        return renderer.render()


def shown(tab):
    """The same of a page, which numbers what it draws."""
    width, height = SIZE
    found = tab.page.evaluate(f"window.sinewIds({width}, {height})")
    pairs = {-1: (-1, -1)}
    for number, (kind, identity) in found["objects"].items():
        pairs[int(number)] = identity, kind
    return np.array([pairs[number] for number in found["segids"]]).reshape(height, width, 2)


def near_edges(objects):
    """Which pixels have another object within 2 pixels."""
    padded = np.pad(objects, ((2, 2), (2, 2), (0, 0)), "edge")
    around = np.lib.stride_tricks.sliding_window_view(padded, (5, 5), axis=(0, 1))
    return (around != objects[..., None, None]).any(axis=(2, 3, 4))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_pixels_show_the_same_objects(view, path):
    viewing = view(sinew.Model.from_path(path), still=True)
    tab = viewing.open((480, 160))  # the numbers are drawn in a size of their own
    expected, found = segmentation(viewing), shown(tab)
    assert len(np.unique(expected.reshape(-1, 2), axis=0)) > 3
    same = (found == expected).all(axis=-1)
    assert same.mean() >= 0.99
    assert (same | near_edges(expected)).all()
