"""Which object a pixel of a page shows: the same as in `sinew render`'s segmentation, whatever is switched on."""

import os

import numpy as np
import pytest

import sinew
from models import folder
from sinew import _core

LONG = bool(os.environ.get("SINEW_LONG"))
SIZE = 320, 240
SUITE = (
    "humanoid",
    "walker",
    "fish",
    "manipulator",
    "cartpole",
    "stacker",
    "dog",
    "ball_in_cup",
)
GYMNASIUM = ("ant", "half_cheetah", "pusher_v5", "swimmer")
MODELS = [
    *(folder("dm_control", "suite", f"{name}.xml") for name in SUITE),
    *(folder("gymnasium", "envs", "mujoco", "assets", f"{name}.xml") for name in GYMNASIUM),
]
FLEXES = {24, 25, 26, 27}  # mjtVisFlag; these models have none
FLAGS = [i for i in range(len(_core.tables()["switches"]["snVisFlag"])) if i not in FLEXES]
EACH = (
    12  # in a short run a model is seen with each twelfth flag, the next one with those after them
)


def segmentation(renderer, data, option):
    """Id and type [240, 320, 2] of the object that each pixel shows; -1, -1: none."""
    renderer.update_scene(data, scene_option=option)
    return renderer.render()


IDS = """([width, height]) => {
  const { segids, objects } = window.sinewIds(width, height);
  return [segids.join(" "), Object.entries(objects)];
}"""  # as a text, which comes through much sooner than as many numbers


def shown(tab):
    """The same of a page, which numbers what it draws."""
    width, height = SIZE
    segids, objects = tab.page.evaluate(IDS, [width, height])
    pairs = np.full((max([0, *(int(number) for number, _ in objects)]) + 2, 2), -1)
    for number, (kind, identity) in objects:
        pairs[int(number)] = identity, kind
    return pairs[np.array(segids.split(), int)].reshape(height, width, 2)  # the last is of -1


def near_edges(objects, pixels):
    """Which of some pixels have another object within 2 pixels."""
    padded = np.pad(objects, ((2, 2), (2, 2), (0, 0)), "edge")
    around = np.lib.stride_tricks.sliding_window_view(padded, (5, 5), axis=(0, 1))[pixels]
    return (around != objects[pixels][..., None, None]).any(axis=(1, 2, 3))


def switch(viewing, tab, flag):
    """Switch a flag of the viewer, and wait until the page draws so."""
    with viewing.handle.lock():
        viewing.handle.opt.flags[flag] ^= 1
    wanted = viewing.handle.opt.flags.tolist()
    viewing.handle.sync()
    viewing.until(
        lambda: tab.page.evaluate("window.sinewOptions().flags") == wanted, "no page is told"
    )


def faults(tab, expected):
    """What is wrong with the numbers that a page draws; "": nothing."""
    found = shown(tab)
    same = (found == expected).all(axis=-1)
    if same.mean() < 0.99:
        return f"{100 * same.mean():.2f} % of pixels are equal"
    wrong = ~near_edges(expected, ~same)
    return f"{wrong.sum()} pixels away from edges differ" if wrong.any() else ""


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_pixels_show_the_same_objects(view, path):
    """As the model comes, and with flags switched; after some steps, so that there are contacts and forces."""
    model = sinew.Model.from_path(path)
    model.vis.quality.shadowsize = (
        0  # shadows have no numbers, and take long without a graphics card
    )
    viewing = view(model, still=True)
    sinew.step(model, viewing.data, 100)
    sinew.forward(model, viewing.data)
    viewing.handle.sync()
    tab = viewing.open((480, 160))  # the numbers are drawn in a size of their own
    found = {}
    width, height = SIZE
    with sinew.Renderer(model, height, width, max_geom=20000) as renderer:
        renderer.enable_segmentation_rendering()
        expected = segmentation(renderer, viewing.data, viewing.handle.opt)
        assert len(np.unique(expected.reshape(-1, 2), axis=0)) > 3
        found["as it is"] = faults(tab, expected)
        for flag in FLAGS if LONG else FLAGS[MODELS.index(path) % EACH :: EACH]:
            switch(viewing, tab, flag)
            found[flag] = faults(tab, segmentation(renderer, viewing.data, viewing.handle.opt))
            with viewing.handle.lock():
                viewing.handle.opt.flags[flag] ^= 1  # what comes next tells the page
    assert {flag: fault for flag, fault in found.items() if fault} == {}
