"""Skins: vertices, triangles, bones and weights."""

import pathlib
import struct

import dm_control
import mujoco
import numpy as np
import pytest

from images import load_both, load_ours
from test_model import compare, load

RNG = np.random.default_rng(5)
FILES = sorted(pathlib.Path(dm_control.__file__).parent.glob("**/*.skn"))


def skin(nvert=6, nface=4, bones=("a", "b"), textured=True, **changes):
    """The bytes of a file in which every vertex has a bone."""
    part = {
        "vert": RNG.normal(size=(nvert, 3)),
        "texcoord": RNG.random((nvert if textured else 0, 2)),
        "face": RNG.integers(0, nvert, (nface, 3)),
        "pose": RNG.normal(size=(len(bones), 7)),
        "vertid": [np.arange(nvert) for _ in bones],
        "weight": [RNG.random(nvert) for _ in bones],
        "count": None,
        "tail": b"",
    } | changes
    count = part["count"] or [len(part[k]) for k in ("vert", "texcoord", "face")] + [len(bones)]
    data = struct.pack("<4i", *count)
    for key, kind in (("vert", "<f4"), ("texcoord", "<f4"), ("face", "<i4")):
        data += np.asarray(part[key], kind).tobytes()
    for i, name in enumerate(bones):
        data += name.encode().ljust(40, b"\0") + part["pose"][i].astype("<f4").tobytes()
        data += struct.pack("<i", len(part["vertid"][i]))
        data += np.asarray(part["vertid"][i], "<i4").tobytes()
        data += np.asarray(part["weight"][i], "<f4").tobytes()
    return data + part["tail"]


def model(attributes, inner="", section="deformable", head="", bodies=("a", "b")):
    tree = "".join(f'<body name="{name}"/>' for name in bodies)
    return (
        f'<mujoco>{head}<asset><material name="m"/></asset><{section}>'
        f'<skin name="s" {attributes}>{inner}</skin></{section}>'
        f"<worldbody>{tree}</worldbody></mujoco>"
    )


def check(text, assets=None):
    ours, peer = load_both(text, assets or {})
    assert ours is not None
    assert peer is not None
    compare(ours, peer)


@pytest.mark.parametrize("section", ["asset", "deformable"])
def test_files(section):
    for data in [skin(), skin(textured=False), skin(nvert=50, nface=80), skin(bones=("b",))]:
        check(model('file="s.skn"', section=section), {"s.skn": data})
    attributes = 'file="s.skn" material="m" rgba=".1 .2 .3 .4" inflate=".01" group="3"'
    check(model(attributes, section=section), {"s.skn": skin(bones=("world", "a", "b", "a"))})


def test_several_skins():
    text = model('file="s.skn"').replace(
        "</deformable>", '<skin name="t" file="t.skn"/><skin name="u" file="s.skn"/></deformable>'
    )
    check(text, {"s.skn": skin(), "t.skn": skin(textured=False, nface=1)})


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_files_of_others(path):
    data = path.read_bytes()
    nvert, ntexcoord, nface, nbone = struct.unpack("<4i", data[:16])
    at, names = 16 + 12 * nvert + 8 * ntexcoord + 12 * nface, {}
    for _ in range(nbone):
        names[data[at : at + 40].rstrip(b"\0").decode()] = True
        at += 72 + 8 * struct.unpack("<i", data[at + 68 : at + 72])[0]
    check(model('file="s.skn"', bodies=[n for n in names if n != "world"]), {"s.skn": data})


BONE = '<bone body="{}" bindpos="1 2 3" bindquat="{}" vertid="{}" vertweight="{}"/>'
SHAPE = 'vertex="0 0 0 1 0 0 0 1.1 0 0 0 -1" face="0 1 2 0 2 3"'
BONES = BONE.format("a", "1 2 3 4", "0 1 2 3", ".3 1 .5 .7") + BONE.format(
    "b", "0 0 1 0", "3 1", "2 -.1"
)


def test_numbers_of_the_text():
    check(model(SHAPE, BONES))
    check(model(SHAPE + ' texcoord="0 0 .1 .2 .3 .4 1 1"', BONES, section="asset"))
    check(model(SHAPE, BONES, head='<compiler fusestatic="true"/>'))


def test_the_file_is_looked_for_in_meshdir(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m/s.skn").write_bytes(skin())
    path = tmp_path / "model.xml"
    path.write_text(model('file="s.skn"', head='<compiler meshdir="m" texturedir="t"/>'))
    compare(load(path)[0], mujoco.MjModel.from_xml_path(str(path)))


def test_what_both_refuse():
    one = [np.arange(6)]
    cases = [
        ('file="s.skn"', "", skin()[:-1], "more than the file has room for"),
        ('file="s.skn"', "", skin()[:-60], "cut short"),
        ('file="s.skn"', "", skin(tail=b"1234"), "4 bytes follow"),
        ('file="s.skn"', "", b"123", "16 bytes"),
        ('file="s.skn"', "", skin(count=(6, 6, -4, 2)), "byte 8"),
        ('file="s.skn"', "", skin(texcoord=np.zeros((3, 2))), "3 texture coordinates"),
        (
            'file="s.skn"',
            "",
            skin(vertid=[np.array([9])] * 2, weight=[np.ones(1)] * 2),
            "moves vertex 9",
        ),
        (
            'file="s.skn"',
            "",
            skin(vertid=[np.arange(5)] * 2, weight=[np.ones(5)] * 2),
            "vertex 5 sum",
        ),
        (
            'file="s.skn"',
            "",
            skin(bones=("a",), vertid=one, weight=[-np.ones(6)]),
            "must be positive",
        ),
        ('file="s.skn"', "", skin(bones=("aa",)), "did you mean"),
        ('file="s.skn"', "", skin(bones=()), "vertices, triangles and bones"),
        ('file="s.skn"', "", skin(nface=0), "vertices, triangles and bones"),
        ('file="s.skn"', BONES, skin(), "leave out one"),
        ('file="s.skn" group="6"', "", skin(), "group is 6"),
        ('file="s.skn" material="n"', "", skin(), 'material="n"'),
        ('file="s.bin"', "", skin(), ".skn"),
        (SHAPE, "", b"", "bones"),
        (SHAPE.replace(" -1", ""), BONES, b"", "three numbers a vertex"),
        (SHAPE.replace(" 3", ""), BONES, b"", "three vertices a triangle"),
        (SHAPE, BONES.replace(" -.1", ""), b"", "as many"),
        (SHAPE, BONES.replace("3 1", "3 1.5"), b"", "whole numbers"),
        (SHAPE, BONES.replace('bindpos="1 2 3"', ""), b"", "'bindpos' is missing"),
    ]
    for attributes, inner, data, says in cases:
        text = model(attributes, inner)
        assets = {"s.bin" if "s.bin" in text else "s.skn": data}
        ours, peer = load_both(text, assets)
        assert ours is None, says
        assert peer is None, says
        assert says in load_ours(text, assets)[1].message.decode()


def test_what_the_peer_takes_or_falls_over():
    cases = [
        (skin(count=(1 << 30, 6, 4, 2)), "cut short"),
        (skin(face=np.array([[0, 1, 6]])), "names vertex 6"),
    ]
    for data, says in cases:
        error = load_ours(model('file="s.skn"'), {"s.skn": data})[1]
        assert says in error.message.decode()


def test_what_is_taken_as_the_peer_does():
    for data in (skin(vert=np.full((6, 3), np.nan)), skin(pose=np.zeros((2, 7)))):
        ours, peer = load_both(model('file="s.skn"'), {"s.skn": data})
        for name in ("skin_vert", "skin_bonebindpos", "skin_bonebindquat", "skin_bonevertweight"):
            theirs = getattr(peer, name)
            np.testing.assert_allclose(getattr(ours, name).reshape(theirs.shape), theirs, rtol=1e-6)


def test_static_bones_and_discarded_materials():
    """Where the peer loses the bodies, or refuses the model."""
    for head in ('<compiler fusestatic="true"/>', '<compiler discardvisual="true"/>'):
        ours = load_ours(model('file="s.skn" material="m"', head=head), {"s.skn": skin()})[0]
        assert np.asarray(ours.skin_bonebodyid).ravel().tolist() == [1, 2]
