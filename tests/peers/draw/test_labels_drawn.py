"""Labels of geoms: where the peer has them, over everything, and only what is in front of the camera."""

import pathlib

import gymnasium
import numpy as np
import pytest

from picture_pair import pair

ASSETS = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets"
EYE = (
    '<mujoco><worldbody><camera name="c" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>{}</worldbody></mujoco>'
)
BALL = '<geom pos="{}" size=".05" rgba="0 0 0 1"/>'


def place(pictures):
    """Of both pictures the box of what is white: first row and column, last row and column; None: there is nothing."""
    boxes = []
    for picture in pictures:
        rows, columns = np.nonzero((picture > 250).all(axis=2))
        boxes.append(len(rows) and (rows.min(), columns.min(), rows.max(), columns.max()))
    return boxes


def same_place(pictures):
    """Our letters are our own: the text begins and stands as the peer's, and ends a tenth of its length from there."""
    one, other = place(pictures)
    if not one or not other:
        return not one and not other
    near = np.abs(np.subtract(one, other))
    return (near[:3] <= 1).all() and near[3] <= 1 + 0.1 * (other[3] - other[1])


@pytest.mark.parametrize(
    "at", ["0 0 0", ".7 0 .5", "-1 1 -.8", "1.5 0 0", "-1.7 0 0", "0 -5 0", "0 -2.999 0"]
)
def test_where(at):
    """In the middle, aside, at the edge, where the text leaves the picture, outside, behind the camera, at its lens."""
    assert same_place(pair(EYE.format(BALL.format(at)), camera="c", geoms=[(0, "label", "Hand")]))


@pytest.mark.parametrize(
    "scene", [{}, {"enabletransform": 1, "scale": 1.3, "translate": np.array([0.3, 0.2, 0.1])}]
)
def test_nothing_hides_them(scene):
    wall = '<geom type="box" size=".6 .1 .6" pos="0 -1 0" rgba="0 0 0 1"/>'
    world = EYE.format(BALL.format("0 1 0") + wall)
    pictures = pair(world, camera="c", geoms=[(0, "label", "behind")], scene=scene)
    assert place(pictures)[0] and same_place(pictures)


def test_both_eyes():
    """Beside each other, each has its own."""
    scene = {"stereo": 2}
    one, other = pair(
        EYE.format(BALL.format("0 0 0")), camera="c", geoms=[(0, "label", "I")], scene=scene
    )
    for half in (slice(0, 160), slice(160, 320)):
        assert place([one[:, half]])[0] and same_place([one[:, half], other[:, half]])


@pytest.mark.parametrize("flags", [{"SEGMENT": 1, "IDCOLOR": 1}, {"SEGMENT": 1}, {"WIREFRAME": 1}])
def test_flags(flags):
    """Numbers of objects have no labels."""
    pictures = pair(
        EYE.format(BALL.format("0 0 0")), camera="c", geoms=[(0, "label", "Hand")], flags=flags
    )
    if "SEGMENT" in flags:
        plain = pair(EYE.format(BALL.format("0 0 0")), camera="c", flags=flags)
        for with_label, without in zip(pictures, plain, strict=True):
            assert np.array_equal(with_label, without)
    else:
        assert place(pictures)[0] and same_place(pictures)


@pytest.mark.parametrize("name", ["humanoid.xml", "ant.xml"])
@pytest.mark.parametrize("row", [2, 5, 9])
def test_robots(name, row):
    """A label changes the pixels around its place alone."""
    pairs = [pair(ASSETS / name, geoms=[(row, "label", text)]) for text in ("part 7", "")]
    boxes = []
    for labelled, plain in zip(*pairs, strict=True):
        rows, columns = np.nonzero((labelled != plain).any(axis=2))
        boxes.append((rows.min(), columns.min(), rows.max(), columns.max()))
    assert np.abs(np.subtract(*boxes))[:3].max() <= 2
