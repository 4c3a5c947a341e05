"""Height fields: their heights, and the geoms that have them."""

import struct

import numpy as np
import pytest

from images import load_both, load_ours, png
from test_model import compare

RNG = np.random.default_rng(3)
SIZE = 'size="1.5 2 0.7 .3"'


def model(field, body='<geom type="hfield" hfield="h" pos=".1 .2 .3"/>'):
    return (
        f'<mujoco><asset><hfield name="h" {field}/></asset><worldbody>{body}</worldbody></mujoco>'
    )


def check(text, assets=None):
    ours, peer = load_both(text, assets or {})
    assert ours is not None
    assert peer is not None
    # heights are divided in single precision: the same bits
    np.testing.assert_array_equal(np.asarray(ours.hfield_data).ravel(), peer.hfield_data.ravel())
    compare(ours, peer)


@pytest.mark.parametrize("depth", [8, 16])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_images(depth, channels):
    pixels = RNG.integers(0, 1 << depth, (7, 5, channels))
    image = png(pixels if channels > 1 else pixels[:, :, 0], depth)
    check(model(f'file="a.png" {SIZE}'), {"a.png": image})
    check(model(f'file="a.bin" content_type="image/png" {SIZE}'), {"a.bin": image})


def test_images_of_few_shades():
    for pixels in [np.full((2, 3), 9), np.array([[1]]), RNG.integers(10, 12, (4, 4))]:
        check(model(f'file="a.png" {SIZE} nrow="9" ncol="9"'), {"a.png": png(pixels)})


def test_binary_files():
    heights = RNG.normal(size=(4, 6)).astype("<f4")
    data = struct.pack("<ii", 4, 6) + heights.tobytes()
    check(model(f'file="a.hf" {SIZE}'), {"a.hf": data})
    check(model(f'file="a.png" content_type="image/vnd.mujoco.hfield" {SIZE}'), {"a.png": data})


def test_numbers_of_the_text():
    heights = " ".join(repr(float(x)) for x in RNG.normal(size=12))
    check(model(f'nrow="3" ncol="4" elevation="{heights}" {SIZE}'))
    check(model(f'nrow="4" ncol="3" elevation="{heights}" {SIZE}'))
    check(model(f'nrow="3" ncol="4" {SIZE}'))
    check(model(f'nrow="1" ncol="12" elevation="{heights}" {SIZE}'))


@pytest.mark.parametrize("size", [".5 2 .3 .1", "3 1 1 4", "1 1 4 .001"])
def test_geoms(size):
    field = f'nrow="2" ncol="2" elevation="0 1 2 3" size="{size}"'
    geom = 'type="hfield" hfield="h"'
    for attributes in [
        "",
        'mass="2"',
        'density="30"',
        'shellinertia="true"',
        'fluidshape="ellipsoid"',
    ]:
        check(
            model(
                field,
                f'<body pos="1 2 3"><freejoint/><geom {geom} euler="10 20 30" {attributes}/></body>',
            )
        )
    check(model(field, f'<geom {geom} size="9 9 9"/><geom {geom} pos="1 1 1"/><site/>'))
    check(model(field, f'<body><geom {geom}/></body><body><geom {geom} pos="5 6 7"/></body>'))
    check(model(field, ""))


def test_a_file_names_its_field():
    text = '<mujoco><asset><hfield file="hill.png" size="1 1 1 1"/></asset></mujoco>'
    ours, _ = load_ours(text, {"hill.png": png(np.eye(3))})
    assert b"hill\0" in bytes(ours.names)


def test_what_both_refuse():
    good = png(np.eye(3, dtype=int))
    data = struct.pack("<ii", 2, 2) + bytes(16)
    sized = SIZE.replace(".3", "0")
    geom = '<geom type="hfield"/>'
    wrong = '<geom type="hfield" hfield="hh"/>'
    box = '<geom type="box" size="1 1 1" hfield="h"/>'
    flat = f'nrow="2" ncol="2" {SIZE}'
    cases = [
        (model(f'file="a.png" {SIZE}'), good[:-9], "cut short"),
        (model(f'file="a.png" {SIZE}'), data, "no PNG"),
        (model(f'file="a.hf" {SIZE}'), data[:-1], "4 bytes each"),
        (model(f'file="a.hf" {SIZE}'), data + b"x", "4 bytes each"),
        (model(f'file="a.hf" {SIZE}'), struct.pack("<ii", -2, -2) + bytes(16), "4 bytes each"),
        (model(f'file="a.hf" {SIZE}'), b"", "4 bytes each"),
        (model(f'file="a.hf" content_type="text/plain" {SIZE}'), data, "content_type"),
        (model(f'nrow="2" ncol="2" {sized}'), data, "size[3] is 0"),
        (model(f'nrow="2" ncol="2" elevation="1 2 3" {SIZE}'), data, "nrow x ncol is 4"),
        (model(f'nrow="2" elevation="1 2" {SIZE}'), data, "give a 'file'"),
        (model(f'nrow="-2" ncol="-2" {SIZE}'), data, "give a 'file'"),
        (model('nrow="2" ncol="2"'), data, "'size' is missing"),
        (model(flat, geom), data, "hfield is missing"),
        (model(flat, wrong), data, 'did you mean "h"'),
        (model(flat, box), data, "needs type="),
    ]
    for text, file, says in cases:
        assets = {"a.hf" if "a.hf" in text else "a.png": file}
        ours, peer = load_both(text, assets)
        assert ours is None, text
        assert peer is None, text
        assert says in load_ours(text, assets)[1].message.decode()


def test_heights_that_are_no_numbers():
    """The peer takes them."""
    for bad in (np.nan, np.inf):
        data = struct.pack("<ii", 2, 2) + np.array([0, 1, bad, 2], "<f4").tobytes()
        ours, peer = load_both(model(f'file="a.hf" {SIZE}'), {"a.hf": data})
        np.testing.assert_array_equal(ours.hfield_data.ravel(), peer.hfield_data)
