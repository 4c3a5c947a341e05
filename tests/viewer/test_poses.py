"""Poses in messages are those of the scene, and looks that are kept are those that are made anew."""

import numpy as np
import pytest
from worlds import MODELS, show, world

import sinew
from sinew import _core
from sinew._viewer.poses import UNIT, packed, quaternions
from sinew._viewer.view import View
from sinew.draw import camera, instances
from sinew.viewer import wire

SMALLEST = 1.0 / UNIT  # step of a number of a quaternion


def matrices(q):
    """Rotations [n, 3, 3] of quaternions [n, 4] of any length."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def turns(count, seed):
    """Random rotations, and those in which three numbers of the quaternion are 0, or nearly."""
    q = np.random.default_rng(seed).normal(size=(count, 4))
    edges = np.eye(4)[np.arange(16) % 4] + 1e-7 * np.random.default_rng(1).normal(size=(16, 4))
    return matrices(np.concatenate([q, np.eye(4), edges])).astype(np.float32)


def test_quaternions_of_rotations():
    turned = turns(1000, 4)
    q, is_rotation = quaternions(turned)
    assert is_rotation.all()
    np.testing.assert_allclose(matrices(q), turned, atol=1e-6)  # of single precision


def test_what_is_no_rotation_is_told():
    turned = turns(5, 5)
    others = np.concatenate([-turned, 1.001 * turned, turned * np.array([1, 1, 0])[None, None]])
    others = np.concatenate([others, np.full((1, 3, 3), np.nan)]).astype(np.float32)
    with np.errstate(invalid="ignore"):
        assert not quaternions(others)[1].any()


def test_arrays_of_other_sizes_are_no_quaternions():
    with pytest.raises(ValueError, match="9 numbers"):
        _core.quaternions(
            np.zeros((2, 9), np.float32), np.zeros((2, 4), np.float32), np.zeros(3, bool)
        )


def test_a_packed_pose():
    turned = turns(100, 6)
    count = len(turned)
    poses = np.concatenate(
        [turned, np.random.default_rng(7).normal(size=(count, 3, 1))], axis=2, dtype=np.float32
    ).reshape(-1, 12)
    poses[3, 0] = 5
    arrays = packed(np.arange(count), poses, count - 2, count)
    assert arrays["pose_rows"].tolist() == [3, count - 2, count - 1]
    assert (arrays["pose"] == poses[arrays["pose_rows"]]).all()
    rows = arrays["place_rows"]
    assert (arrays["place"] == poses[rows, 3::4]).all()
    np.testing.assert_allclose(
        matrices(arrays["turn"].astype(float)), turned[rows], atol=2 * SMALLEST
    )


class Kept:
    """What a page knows of geoms."""

    def __init__(self):
        self.pose, self.look = np.zeros((0, 12)), np.zeros((0, 28))

    def take(self, messages):
        words, a = wire.unpack(messages[-1])
        count = words["geoms"]
        self.pose, self.look = (np.resize(b, (count, b.shape[1])) for b in (self.pose, self.look))
        self.pose[a["pose_rows"]], self.look[a["look_rows"]] = a["pose"], a["look"]
        rows = a.get("place_rows", np.arange(count if len(a["place"]) else 0))
        pose = np.concatenate(
            [matrices(np.asarray(a["turn"], float)), a["place"][:, :, None]], axis=2
        )
        self.pose[rows] = pose.reshape(-1, 12)


def fresh(view):
    """Poses and looks of a view, made anew."""
    rows, eye = instances.scene_rows(view.scene), camera.middle(view.scene)
    behind = instances.behind(rows, np.asarray(eye.pos, float))
    return view.instances(rows, behind, view._fewer_facets(rows, eye))


@pytest.mark.parametrize("name", ["humanoid.xml"])
def test_a_page_knows_what_is_made_anew(name):
    """Over a run in which contacts come and go, flags are switched, materials change and the camera goes under the floor."""
    model = sinew.Model.from_path(MODELS / name)
    data = sinew.Data(model)
    made, states = world(model, data)
    view, kept = View(made), Kept()
    for step in range(120):
        sinew.step(model, data, 5)
        show(states, data)
        made.look()
        if step % 7 == 0:
            view.opt.flags[step % 24] ^= 1
        if step == 40:
            view.cam.elevation = 30
        if step == 60:
            made._change(made.model.geom_rgba, np.full_like(made.model.geom_rgba, 0.25))
        if step == 80:
            view.cam.elevation = -30
        kept.take(view.messages())
        pose, look = fresh(view)
        np.testing.assert_array_equal(kept.look, look)
        np.testing.assert_allclose(kept.pose, pose, atol=2 * SMALLEST)


def test_a_scene_without_geoms():
    """All are hidden, and come back."""
    model = sinew.Model.from_xml("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    data = sinew.Data(model)
    sinew.forward(model, data)
    view = View(world(model, data)[0])
    for shown in (1, 0, 0, 1):
        view.opt.geomgroup[0] = shown
        assert wire.unpack(view.messages()[-1])[0]["geoms"] == shown
