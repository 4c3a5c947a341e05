"""The smaller sizes of a texture: means of light, to one texel."""

import numpy as np
import pytest

from sinew import _core

RNG = np.random.default_rng(5)


def sizes(texels, linear):
    """Return the smaller sizes of texels [height, width, channels], the largest first."""
    height, width, channels = texels.shape
    data = np.frombuffer(_core.smallerTextures(texels, width, height, channels, linear), np.uint8)
    found = []
    while (width, height) != (1, 1):
        width, height = max(width // 2, 1), max(height // 2, 1)
        count = width * height * channels
        found.append(data[:count].reshape(height, width, channels))
        data = data[count:]
    assert not data.size
    return found


def light(texels):
    """Return what sRGB texels stand for (IEC 61966-2-1), opacity as it is."""
    c = texels / 255
    stands = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return np.concatenate([stands[..., :3], c[..., 3:]], axis=-1)


def bytes_of(x):
    """Return the sRGB texels of light."""
    c = np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    return np.concatenate([c[..., :3], x[..., 3:]], axis=-1) * 255


def mean(values):
    """Return means of 2 x 2."""
    height, width, channels = values.shape
    return values.reshape(height // 2, 2, width // 2, 2, channels).mean(axis=(1, 3))


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("linear", [True, False])
def test_even_sizes_are_means_of_four(channels, linear):
    texels = RNG.integers(0, 256, (32, 16, channels), np.uint8)
    for smaller in sizes(texels, linear)[:4]:
        exact = mean(texels.astype(float)) if linear else bytes_of(mean(light(texels)))
        assert np.abs(smaller - exact).max() <= 0.5001  # the nearest byte, but for floats of light
        texels = smaller


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (9, 1), (3, 5), (37, 64)])
@pytest.mark.parametrize("linear", [True, False])
def test_one_colour_stays_what_it_is(size, linear):
    for value in (0, 1, 10, 11, 128, 254, 255):
        texels = np.full((*size, 4), value, np.uint8)
        assert all((smaller == value).all() for smaller in sizes(texels, linear))


def test_a_slope_stays_one_where_sizes_are_odd():
    texels = np.repeat(np.arange(0, 75 * 3, 3, dtype=np.uint8)[None, :, None], 11, axis=0)
    texels = np.ascontiguousarray(np.repeat(texels, 3, axis=2))
    row = sizes(texels, True)[0][2, :, 0]
    middles = (np.arange(37) + 0.5) * 75 / 37 - 0.5
    assert np.abs(row - 3 * middles).max() <= 0.5001


def test_texels_that_are_not_there_are_refused():
    texels = np.zeros(48, np.uint8)
    for width, height, channels in (
        (4, 4, 4),
        (4, 5, 3),
        (0, 4, 3),
        (-4, -4, 3),
        (2**30, 2**30, 3),
        (48, 1, 0),
    ):
        with pytest.raises(ValueError, match="48 bytes are not"):
            _core.smallerTextures(texels, width, height, channels, True)
