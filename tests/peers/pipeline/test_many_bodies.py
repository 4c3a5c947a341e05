"""Hundreds of bodies: bins full of spheres, boxes, capsules and all three, and a crowd of other people's robots.

A state in which they lie on each other, stage by stage against the peer; then a run of Sinew alone, in which no
energy comes from nowhere, nothing sinks into anything and nobody falls out of the bin.
"""

import mujoco
import numpy as np
import pytest

import bridge
import models
import rows
from test_stages import ROWS, compare_smooth, compare_step, copy_inputs, error_of

SHAPES = {
    "sphere": 'type="sphere" size=".05"',
    "box": 'type="box" size=".04 .05 .06"',
    "capsule": 'type="capsule" size=".035 .05"',
}
WALLS = "".join(
    f'<geom type="plane" size="1 1 .1" pos="{x} {y} 0" zaxis="{-x} {-y} 0"/>'
    for x, y in ((0.4, 0), (-0.4, 0), (0, 0.4), (0, -0.4))
)


def bin_of(kinds, count):
    """Bodies in loose layers of five by five, each turned and shifted a little, over the floor of a bin."""
    rng = np.random.default_rng(count)
    bodies = ""
    for i in range(count):
        x, y, z = i % 5, i // 5 % 5, i // 25
        pos = 0.15 * np.array([x - 2, y - 2, z + 0.6]) + rng.uniform(-0.01, 0.01, 3)
        euler = rng.uniform(-20, 20, 3)
        bodies += (
            f'<body pos="{pos[0]} {pos[1]} {pos[2]}" euler="{euler[0]} {euler[1]} {euler[2]}">'
            f"<freejoint/><geom {SHAPES[kinds[i % len(kinds)]]}/></body>"
        )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option><flag energy="enable"/></option><default><geom solref=".01 1"/></default>'
        f'<worldbody><geom type="plane" size="1 1 .1"/>{WALLS}{bodies}</worldbody></mujoco>'
    )


def crowd(count):
    """Copies of dm_control's humanoid, so near each other that arms and legs touch as they fall."""
    path = next(p for p in models.suite() if p.stem == "humanoid")
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    spec.option.enableflags = mujoco.mjtEnableBit.mjENBL_ENERGY
    for i in range(count):
        frame = spec.worldbody.add_frame(pos=[0.4 * (i % 4), 0.4 * (i // 4), 0.3 * (i % 3)])
        robot = mujoco.MjSpec.from_file(str(path))
        for key in list(robot.keys):
            robot.delete(key)
        frame.attach_body(robot.body("torso"), f"{i}-", "")
    return spec.compile()


SCENES = {
    "300 spheres": lambda: bin_of(["sphere"], 300),
    "200 boxes": lambda: bin_of(["box"], 200),
    "200 capsules": lambda: bin_of(["capsule"], 200),
    "250 of all": lambda: bin_of(list(SHAPES), 250),
    "12 humanoids": lambda: crowd(12),
}


def run(model, data, steps):
    """A run, watched: its states stay near each other, in place, and lose energy."""
    energy = []
    for _ in range(steps):
        bridge.call("step", model, data)
        energy.append(data.energy.sum())
        # as deep as a thin capsule's radius when layers land on each other
        assert data.contact["dist"].min(initial=0) > -0.035
    assert not data.warnings().any()
    # what contacts store for a moment comes back
    assert np.max(energy - np.minimum.accumulate(energy)) < 0.05 * energy[0]
    assert energy[-1] < 0.8 * energy[0]
    assert data.contact["dist"].min() > -0.015


def sparse_rows(peer, data):
    """The peer's Jacobian, dense."""
    J = np.zeros((data.nefc, peer.nv))
    for i in range(data.nefc):
        at = slice(data.efc_J_rowadr[i], data.efc_J_rowadr[i] + data.efc_J_rownnz[i])
        J[i, data.efc_J_colind[at]] = data.efc_J[at]
    return J


def by_pair(geoms):
    pairs = {}
    for i, pair in enumerate(map(tuple, geoms)):
        pairs.setdefault(pair, []).append(i)
    return pairs


def compare_contacts(data, pdata):
    """The same pairs with the same points. Of two boxes the order is open, and the peer's may be one more."""
    ours, theirs = data.contact.ravel(), pdata.contact
    mine, others = by_pair(ours["geom"]), by_pair(theirs.geom)
    assert list(mine) == list(others)
    more = 0
    for pair, index in mine.items():
        other = others[pair]
        more += len(index) != len(other)
        assert len(index) in (len(other), len(other) - 1)
        for c in ours[index]:
            error = np.abs(theirs.pos[other] - c["pos"]).max(1)
            error += np.abs(theirs.dist[other] - c["dist"])
            error += np.abs(theirs.frame[other] - c["frame"]).max(1)
            assert error.min() < 1e-8, pair
    assert more <= len(mine) // 100


def peers_rows(peer, pdata):
    """The peer's Jacobian, dense."""
    if mujoco.mj_isSparse(peer):
        return sparse_rows(peer, pdata)
    return pdata.efc_J.reshape(pdata.nefc, peer.nv)


def compare_forces(model, data, pdata, peer):
    """From the peer's contacts: rows, and the acceleration that solves them."""
    rows.put_contacts(data, pdata)
    for stage in ("makeConstraint", "referenceConstraint", "fwdConstraint"):
        bridge.call(stage, model, data)
    for name in ("efc_type", "efc_id"):
        assert np.array_equal(getattr(data, name).ravel(), getattr(pdata, name)), name
    for name in ROWS:
        theirs = peers_rows(peer, pdata) if name == "efc_J" else getattr(pdata, name)
        assert error_of(getattr(data, name), theirs) < 1e-8, name
    assert np.linalg.norm(data.qacc.ravel() - pdata.qacc) < 1e-6 * np.linalg.norm(pdata.qacc)


@pytest.mark.parametrize("name", SCENES)
def test_run_and_stages(name):
    peer = SCENES[name]()
    model = bridge.copy_model(peer, narena=1 << 30)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    run(model, data, 260)
    where = data.xpos[1:]
    assert (where[:, 2] > 0).all()
    if "humanoids" not in name:
        assert np.abs(where[:, :2]).max() < 0.4
    for field in ("qpos", "qvel", "qacc_warmstart"):
        getattr(pdata, field)[:] = getattr(data, field).ravel()
    rows.tighten(peer)
    for option in ("tolerance", "ls_tolerance", "iterations", "ls_iterations"):
        bridge.set_option(model, option, getattr(peer.opt, option))
    pdata.time = data.time
    copy_inputs(data, pdata)
    bridge.call("forward", model, data)
    mujoco.mj_forward(peer, pdata)
    compare_smooth(peer, data, pdata)
    compare_contacts(data, pdata)
    copy_inputs(data, pdata)
    compare_forces(model, data, pdata, peer)
    bridge.call("Euler", model, data)
    mujoco.mj_Euler(peer, pdata)
    compare_step(data, pdata)
