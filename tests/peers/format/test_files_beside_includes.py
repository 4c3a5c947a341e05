"""Files that elements of included files name: beside the model, else beside the included file, as the peer finds them."""

import os

import mujoco
import numpy as np
import pytest
from PIL import Image

import sinew
import sinew.mujoco

TETRAHEDRON = "v 0 0 0\nv {0} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SHOWN = '<worldbody><geom type="mesh" mesh="u"/></worldbody>'


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(TETRAHEDRON.format(text) if name.endswith("obj") else text)


def mesh(file, settings=""):
    return f'<mujoco>{settings}<asset><mesh name="u" file="{file}"/></asset></mujoco>'


def outer(file, settings=""):
    return f'<mujoco>{settings}<include file="{file}"/>{SHOWN}</mujoco>'


CASES = {
    "beside": {"i/i.xml": mesh("u.obj"), "i/u.obj": 1},
    "both": {"i/i.xml": mesh("u.obj"), "i/u.obj": 1, "u.obj": 3},
    "below": {"i/i.xml": mesh("m/u.obj"), "i/m/u.obj": 2},
    "absent": {"i/i.xml": mesh("u.obj")},
    "stripped": {"i/i.xml": mesh("m/u.obj", '<compiler strippath="true"/>'), "i/u.obj": 2},
    "meshdir": {"i/i.xml": mesh("u.obj", '<compiler meshdir="d"/>'), "d/i/u.obj": 2},
    "meshdir passed over": {"i/i.xml": mesh("u.obj", '<compiler meshdir="d"/>'), "i/u.obj": 2},
    "meshdir there": {"i/i.xml": mesh("u.obj", '<compiler meshdir="d"/>'), "i/d/u.obj": 2},
    "nested": {
        "i/i.xml": '<mujoco><include file="j/j.xml"/></mujoco>',
        "i/j/j.xml": mesh("u.obj"),
        "i/j/u.obj": 2,
        "i/u.obj": 3,
    },
    "meshdir twice": {
        "i/i.xml": mesh("u.obj", '<compiler meshdir="d"/>'),
        "d/i/u.obj": 2,
        "i/u.obj": 3,
    },
    "no folder": {
        "i/i.xml": '<mujoco><include file="k.xml"/></mujoco>',
        "k.xml": mesh("u.obj", '<compiler meshdir="d"/>'),
        "u.obj": 2,
    },
    "long names": {
        "i/i.xml": '<mujoco><include file="i/k.xml"/></mujoco>',
        "i/k.xml": mesh("u.obj"),
        "i/u.obj": 2,
        "i/i/u.obj": 3,
    },
}


def load_peer(path):
    mujoco.mj_clearCache(mujoco.mj_getCache())
    try:
        return mujoco.MjModel.from_xml_path(path)
    except ValueError:
        return None


@pytest.mark.parametrize("here", [True, False], ids=["relative", "absolute"])
@pytest.mark.parametrize("case", CASES)
def test_a_mesh_is_found_where_the_peer_finds_it(case, here, tmp_path, monkeypatch):
    write(tmp_path, {"a.xml": outer("i/i.xml"), **CASES[case]})
    monkeypatch.chdir(tmp_path)
    path = "a.xml" if here else str(tmp_path / "a.xml")
    # with a meshdir the peer finds other files as its path is relative or absolute; ours finds both
    peer = load_peer(path) or load_peer("a.xml") or load_peer(str(tmp_path / "a.xml"))
    if not peer:
        with pytest.raises((ValueError, OSError), match=r"<mesh name=\"u\">.* at .*i\.xml:1"):
            sinew.Model.from_path(path)
        return
    ours = sinew.Model.from_path(path)
    assert np.abs(ours.mesh_vert).max() == pytest.approx(np.abs(peer.mesh_vert).max(), rel=1e-6)
    # what is written anew finds it, too
    sinew.Spec.from_path(path).save(str(tmp_path / "b.xml"))
    again = sinew.Model.from_path(str(tmp_path / "b.xml"))
    np.testing.assert_array_equal(again.mesh_vert, ours.mesh_vert)


def test_images_and_models_beside_the_included_file(tmp_path):
    part = '<mujoco><worldbody><body name="q"><geom size=".1"/></body></worldbody></mujoco>'
    assets = (
        '<mujoco><asset><texture name="t" type="2d" file="t.png"/><hfield name="h" size="1 1 1 1" file="t.png"/>'
        '<model name="r" file="r.xml"/></asset></mujoco>'
    )
    body = '<worldbody><attach model="r" body="q" prefix="p"/></worldbody>'
    write(
        tmp_path,
        {
            "i/i.xml": assets,
            "i/r.xml": part,
            "a.xml": f'<mujoco><include file="i/i.xml"/>{body}</mujoco>',
        },
    )
    Image.new("RGB", (4, 4), (9, 9, 9)).save(tmp_path / "i/t.png")
    peer = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    ours = sinew.Model.from_path(str(tmp_path / "a.xml"))
    assert (ours.nbody, ours.ntex, ours.nhfield) == (peer.nbody, peer.ntex, peer.nhfield)


GEOM = '<geom size=".1"/>'


def part(count):
    """A model whose number of geoms tells where it was found."""
    return f'<mujoco><worldbody><body name="q">{GEOM * count}</body></worldbody></mujoco>'


NAMED = '<mujoco><asset><model name="r" file="r.xml"/></asset></mujoco>'
ATTACHED = '<worldbody><attach model="r" body="q" prefix="p"/></worldbody>'


@pytest.mark.parametrize("here", [True, False], ids=["relative", "absolute"])
@pytest.mark.parametrize("places", [("r.xml", "i/r.xml"), ("r.xml",), ("i/r.xml",)])
def test_a_model_is_the_one_of_the_peer(places, here, tmp_path, monkeypatch):
    text = f'<mujoco><include file="i/i.xml"/>{ATTACHED}</mujoco>'
    write(
        tmp_path,
        {"m/a.xml": text, "m/i/i.xml": NAMED}
        | {"m/" + place: part(2 + k) for k, place in enumerate(places)},
    )
    monkeypatch.chdir(tmp_path / "m" if here else tmp_path)
    path = "a.xml" if here else str(tmp_path / "m/a.xml")
    ours, peer = sinew.Model.from_path(path), load_peer(path)
    # by an absolute path the peer does not find one that is beside the outer file alone
    assert ours.ngeom == (peer.ngeom if peer else 2)
    taken = places[ours.ngeom - 2]
    assert str(tmp_path / "m" / taken) in map(
        os.path.abspath, sinew.mujoco.mju_getXMLDependencies(path)
    )


@pytest.mark.parametrize("name", ["u.obj", "i/u.obj", "x/u.obj"])
def test_files_in_memory_come_before_those_beside_an_included_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.xml": outer("i/i.xml"), "i/i.xml": mesh("u.obj"), "i/u.obj": 1, "u.obj": 2})
    memory = {name: TETRAHEDRON.format(5).encode()}
    for file in ("u.obj", "i/u.obj"):
        for path in ("a.xml", str(tmp_path / "a.xml")):
            mujoco.mj_clearCache(mujoco.mj_getCache())
            peer = mujoco.MjModel.from_xml_path(path, memory)
            ours = sinew.mujoco.MjModel.from_xml_path(path, memory)
            np.testing.assert_allclose(ours.mesh_vert, peer.mesh_vert, rtol=0, atol=1e-6)
        (tmp_path / file).unlink()


def test_attached_models_find_what_their_own_includes_name(tmp_path):
    """Also where the included file lies in the model's folder, with a meshdir."""
    write(
        tmp_path,
        {
            "a.xml": f'<mujoco><asset><model name="r" file="r/r.xml"/></asset>{ATTACHED}</mujoco>',
            "r/r.xml": '<mujoco><compiler meshdir="d"/><include file="k.xml"/><worldbody><body name="q">'
            '<geom type="mesh" mesh="u"/></body></worldbody></mujoco>',
            "r/k.xml": mesh("u.obj"),
            "r/u.obj": 2,
        },
    )
    path = str(tmp_path / "a.xml")
    ours = sinew.Model.from_path(path)
    np.testing.assert_allclose(ours.mesh_vert, load_peer(path).mesh_vert, rtol=0, atol=1e-6)
