"""Pixels of textures, byte for byte those of the peer."""

import struct

import numpy as np
import pytest

import sinew
from images import chunk, load_both, load_ours, png, warnings_of

FIELDS = ["type", "colorspace", "height", "width", "nchannel", "adr", "data"]
RNG = np.random.default_rng(7)
PIXELS = RNG.integers(0, 65536, (6, 8, 4))
SQUARE = PIXELS[:4, :4, :3] % 256


def model(*textures):
    return f"<mujoco><asset>{''.join(f'<texture {t}/>' for t in textures)}</asset></mujoco>"


def check(text, assets=None):
    ours, peer = load_both(text, assets or {})
    assert ours is not None
    assert peer is not None
    for field in FIELDS:
        np.testing.assert_array_equal(
            np.asarray(getattr(ours, f"tex_{field}")).ravel(),
            getattr(peer, f"tex_{field}").ravel(),
            field,
        )


def refused(text, assets, says):
    ours, peer = load_both(text, assets)
    assert ours is None
    error = load_ours(text, assets)[1]
    assert says in error.message.decode()
    return peer


@pytest.mark.parametrize("kind", ["2d", "cube", "skybox"])
@pytest.mark.parametrize("builtin", ["flat", "checker", "gradient"])
def test_patterns(kind, builtin):
    textures = []
    for width, height in [(2, 2), (3, 5), (8, 8), (37, 64), (100, 41)]:
        for mark in ["none", "edge", "cross", "random"]:
            textures.append(
                f'name="{len(textures)}" type="{kind}" builtin="{builtin}" width="{width}" height="{height}"'
                f' rgb1=".1 .11764706 .9" rgb2="0 .5 .7" mark="{mark}" markrgb=".2 1 .3" random="0.2"'
            )
    check(model(*textures))


def test_gradient_of_a_large_cube():
    check(
        model('name="a" type="skybox" builtin="gradient" width="512" height="512" rgb1=".4 .6 .8"')
    )


@pytest.mark.parametrize("nchannel", [1, 3, 4])
def test_kinds_of_png(nchannel):
    files = {
        f"{depth}_{n}.png": png(
            (PIXELS[:, :, :n] if n > 1 else PIXELS[:, :, 0]) % (1 << depth), depth
        )
        for depth in (8, 16)
        for n in (1, 2, 3, 4)
    }
    for depth in (1, 2, 4):
        gray = PIXELS[:, :, 0] % (1 << depth)
        files[f"gray{depth}.png"] = png(gray, depth)
        files[f"clear{depth}.png"] = png(gray, depth, extra=chunk(b"tRNS", b"\0\1"))
        files[f"palette{depth}.png"] = png(
            gray, depth, kind=3, palette=RNG.integers(0, 256, (1 << depth, 3))
        )
    files["srgb.png"] = png(SQUARE, extra=chunk(b"sRGB", b"\0"))
    files["gamma.png"] = png(SQUARE, extra=chunk(b"gAMA", struct.pack(">I", 45455)))
    check(model(*(f'type="2d" file="{name}" nchannel="{nchannel}"' for name in files)), files)


def test_files():
    image = {"a.png": png(PIXELS[:, :, :3] % 256), "s.png": png(SQUARE)}
    for flip in ["", 'hflip="true"', 'vflip="true"', 'hflip="true" vflip="true"']:
        check(model(f'name="a" type="2d" file="a.png" {flip}'), image)
        check(model(f'name="a" type="cube" file="s.png" {flip}'), image)
        check(
            model(f'name="a" file="a.png" gridsize="3 4" gridlayout=".U..LFRB.D.." {flip}'), image
        )
    for space in ["auto", "linear", "sRGB"]:
        check(model(f'name="a" type="2d" file="s.png" colorspace="{space}"'), image)
    check(
        model(
            'name="a" type="skybox" file="a.png" gridsize="3 4" gridlayout="...LF......." rgb1="1 0 1"'
        ),
        image,
    )
    check(model('name="a" type="2d" file="a.png" gridsize="3 4"'), image)
    check(model('name="a" file="s.png" content_type="image/png"'), image)


def test_six_files():
    sides = ["right", "left", "up", "down", "front", "back"]
    files = {f"{side}.png": png(RNG.integers(0, 256, (3, 3, 3))) for side in sides}
    named = " ".join(f'file{side}="{side}.png"' for side in sides)
    check(model(f'name="a" {named}'), files)
    check(model(f'name="a" type="skybox" {named} hflip="true"'), files)
    check(model('name="a" fileup="up.png" rgb1=".1 .2 .3" vflip="true"'), files)


def test_custom_format():
    data = struct.pack("<ii", 4, 3) + RNG.integers(0, 256, 36).astype("u1").tobytes()
    for name, kind in [("a.bin", ""), ("a.png", 'content_type="image/vnd.mujoco.texture"')]:
        check(model(f'name="a" type="2d" file="{name}" {kind}'), {name: data})


@pytest.mark.parametrize("nchannel", [1, 2])
@pytest.mark.parametrize("kind", ["2d", "cube"])
def test_bytes_of_fewer_channels(nchannel, kind):
    data = struct.pack("<ii", 3, 3) + RNG.integers(0, 256, 27).astype("u1").tobytes()
    for flip in ["", 'hflip="true"', 'vflip="true"']:
        text = model(f'name="a" type="{kind}" file="a.bin" nchannel="{nchannel}" {flip}')
        check(text, {"a.bin": data})
        (said,) = warnings_of(text, {"a.bin": data})
        assert f'<texture name="a">: nchannel is {nchannel}' in said


def test_bytes_that_the_peer_takes_from_outside():
    data = struct.pack("<ii", 2, 2) + bytes(12)
    for attributes in [
        'type="2d" file="a.bin" nchannel="4"',
        'type="cube" fileup="a.bin" nchannel="2"',
        'type="cube" file="a.bin" gridsize="1 2" gridlayout="RL" nchannel="1"',
    ]:
        error = load_ours(model(f'name="a" {attributes}'), {"a.bin": data})[1]
        assert "of a file that is no PNG it is 3" in error.message.decode()


@pytest.mark.parametrize("builtin", ["flat", "checker", "gradient"])
@pytest.mark.parametrize("nchannel", [5, 8])
def test_patterns_of_more_channels(builtin, nchannel):
    for kind in ["2d", "cube"]:
        text = model(
            f'name="a" type="{kind}" builtin="{builtin}" width="7" height="7" nchannel="{nchannel}" mark="edge"'
        )
        check(text)
        (said,) = warnings_of(text, {})
        assert f"nchannel is {nchannel}; of a builtin texture it is 3 or 4 at text:1" in said


def test_what_both_refuse():
    good = png(SQUARE)
    custom = struct.pack("<ii", 4, 3) + bytes(36)
    cases = [
        ('type="2d" file="a.png"', good[:-20], "cut short"),
        ('type="2d" file="a.png"', good[:40] + b"\xff" + good[41:], "a.png"),
        ('type="2d" file="a.png"', b"", "no PNG file"),
        ('type="2d" file="a.png"', custom, "no PNG file"),
        ('type="2d" file="a.png" nchannel="2"', good, "nchannel is 2"),
        ('type="cube" file="a.png"', png(PIXELS[:, :, 0] % 256), "no squares"),
        ('type="cube" file="a.png" gridsize="3 1"', good, "no squares"),
        ('type="cube" file="a.png" gridsize="2 2" gridlayout="RLXU"', good, "'X' is not one of"),
        ('type="cube" fileup="a.png"', png(PIXELS[:, :, 0] % 256), "squares"),
        ('type="2d" file="a.bin"', custom[:-1], "4 bytes each"),
        ('type="2d" file="a.bin"', custom + b"x", "4 bytes each"),
        ('type="2d" file="a.bin"', b"1234567", "4 bytes each"),
        ('type="2d" file="a.bin" content_type="text/plain"', custom, "content_type"),
        ('type="2d" builtin="flat" width="0" height="2"', b"", "positive width"),
        ('type="2d" builtin="flat" width="99999" height="99999"', b"", "512 MiB"),
    ]
    for attributes, data, says in cases:
        name = "a.bin" if "a.bin" in attributes else "a.png"
        text = model(f'name="t" {attributes}')
        if "99999" not in text:  # which the peer tries to draw
            assert refused(text, {name: data}, says) is None, attributes
        else:
            assert says in load_ours(text, {})[1].message.decode()


def test_textures_of_a_model_may_be_larger_than_one_image_may_be():
    m = sinew.Model.from_xml(
        "<mujoco><asset>"
        + "".join(
            f'<texture name="{name}" type="2d" builtin="flat" width="16000" height="16000" nchannel="1"/>'
            for name in "abc"
        )
        + "</asset><worldbody/></mujoco>"
    )
    assert m.ntexdata == 3 * 16000**2 > 1 << 29


def test_sides_of_different_size():
    files = {"a.png": png(SQUARE), "b.png": png(SQUARE[:2, :2])}
    assert (
        refused(model('name="t" fileup="a.png" filedown="b.png"'), files, "2 pixels wide") is None
    )


def test_four_channels_of_a_pattern_are_opaque():
    """Where the peer packs pixels of three bytes into those of four."""
    ours = load_ours(
        model('name="t" type="2d" builtin="flat" width="2" height="2" nchannel="4"'), {}
    )[0]
    assert ours.tex_data.ravel().tolist() == [204, 204, 204, 255] * 4
    for nchannel in (0, -1, 1, 2):
        text = model(
            f'name="t" type="2d" builtin="flat" width="2" height="2" nchannel="{nchannel}"'
        )
        assert "nchannel" in load_ours(text, {})[1].message.decode()
