"""Models with asset files to .snb, from there to MJCF with a folder of files: the same, field by field."""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
import test_packages
from test_model import load
from test_write import same_models

lib = bridge.lib
lib.sn_loadSpec.restype = ctypes.c_void_p
# The peer builds hulls and polygons anew for a file of another name, in another order.
PEER_FIELDS = (
    "body_mass",
    "body_inertia",
    "geom_pos",
    "mesh_vert",
    "hfield_data",
    "tex_data",
    "skin_vert",
)

# the meshes of fruitfly_v2/fruitfly.xml once more, seconds each
SAME_MESHES = ("drosophila_fused.xml", "floor.xml")
FILES = [p for p in test_packages.files() if p.name not in SAME_MESHES]


def asset_files(model):
    """How many of the model's assets come from files."""
    kinds = ("hfield_pathadr", "mesh_pathadr", "skin_pathadr", "tex_pathadr")
    return sum(int((getattr(model, name) >= 0).sum()) for name in kinds)


def convert(source, target):
    """What `sinew convert` does; the message when it cannot be done."""
    error = bridge.Error()
    spec = lib.sn_loadSpec(str(source).encode(), None, 0, bridge.AS_PINNED, ctypes.byref(error))
    if not spec:
        return error.message.decode()
    status = lib.sn_saveSpec(ctypes.c_void_p(spec), str(target).encode(), None, ctypes.byref(error))
    lib.sn_deleteSpec(ctypes.c_void_p(spec))
    return error.message.decode() if status else None


@pytest.mark.parametrize("path", FILES, ids=test_packages.short)
def test_there_and_back(path, tmp_path):
    packed, text = tmp_path / "m.snb", tmp_path / "sub" / "out.xml"
    text.parent.mkdir()
    if convert(path, packed):
        assert load(path)[0] is None
        return  # a part of others, which the peer does not load either: see test_packages
    ours, error = load(packed)
    assert ours, error.message.decode()
    if not asset_files(ours):
        return  # without files it is a matter of test_write
    failure = convert(packed, text)
    assert failure is None, failure
    packed.unlink()  # the text leans on its own folder alone
    again, error = load(text)
    assert again, error.message.decode()
    same_models(again, ours)
    if len(ours.mesh_vert) > 20000:
        return  # seconds in the peer
    theirs, peer = (mujoco.MjModel.from_xml_path(str(p)) for p in (text, path))
    for name in PEER_FIELDS:
        a, b = getattr(theirs, name), getattr(peer, name)
        if not np.array_equal(a, b):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12, err_msg=name)
