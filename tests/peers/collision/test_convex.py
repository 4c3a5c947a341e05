"""Contacts of ellipsoids and cylinders with convex shapes against the pinned peer.

The peer's search stops at `ccd_tolerance` or after `ccd_iterations`, here 1e-12 and 500; its distances then
mostly agree with ours to 1e-12. Where they do not, the gap of the shapes along both normals decides, computed
here from the shapes' definitions: the signed distance is the widest gap over all directions.
"""

import mujoco
import numpy as np
import pytest

import bridge
import models

SIZES = {
    "sphere": "0.11",
    "capsule": "0.07 0.12",
    "ellipsoid": "0.08 0.14 0.2",
    "cylinder": "0.1 0.15",
    "box": "0.08 0.12 0.17",
}
PAIRS = [
    (a, b)
    for i, a in enumerate(SIZES)
    for b in list(SIZES)[i:]
    if {a, b} & {"ellipsoid", "cylinder"} and (a, b) != ("sphere", "cylinder")
]
AGREE = 1e-11  # what the peer reaches at its smallest tolerance


def support(m, d, geom, n):
    """Support value of a geom about its centre along n."""
    kind, size = m.geom_type[geom], m.geom_size[geom]
    local = d.geom_xmat[geom].reshape(3, 3).T @ n
    match mujoco.mjtGeom(kind).name:
        case "mjGEOM_SPHERE":
            return size[0]
        case "mjGEOM_CAPSULE":
            return size[0] + size[1] * abs(local[2])
        case "mjGEOM_ELLIPSOID":
            return np.linalg.norm(size * local)
        case "mjGEOM_CYLINDER":
            return size[0] * np.hypot(local[0], local[1]) + size[1] * abs(local[2])
        case _:
            return np.abs(local) @ size


def gap(m, d, contact, n):
    """Gap of the two geoms of a contact along n."""
    g1, g2 = contact["geom"]
    between = d.geom_xpos[g2] - d.geom_xpos[g1]
    return between @ n - support(m, d, g1, n) - support(m, d, g2, n)


def exact(m):
    """Makes the peer search as far as it can."""
    m.opt.ccd_tolerance = 1e-12
    m.opt.ccd_iterations = 500
    return m


def contacts(m, d, ours, data, wanted):
    """Contacts of both engines at d.qpos whose pair of geom types is wanted."""
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_collision(m, d)
    data.qpos = d.qpos
    for stage in ("kinematics", "comPos", "collision"):
        bridge.call(stage, ours, data)

    def select(geoms):
        return [i for i, g in enumerate(geoms) if wanted(*m.geom_type[list(g)])]

    theirs = [d.contact[i] for i in select(d.contact.geom)] if d.ncon else []
    found = data.contact[:, 0].copy()
    return theirs, [found[i] for i in select(found["geom"])]


def compare(m, d, theirs, found):
    """Checks one pose; returns differences of distances and of positions."""
    assert [tuple(c.geom) for c in theirs] == [tuple(c["geom"]) for c in found]
    differences = []
    for c, f in zip(theirs, found, strict=True):
        normal, peer_normal = f["frame"][:3], c.frame[:3]
        # 1e-12: a few roundings of coordinates of order 1
        assert f["dist"] == pytest.approx(gap(m, d, f, normal), abs=1e-12)
        assert f["dist"] >= gap(m, d, f, peer_normal) - 1e-12
        difference = f["dist"] - c.dist
        if abs(difference) < AGREE:
            # the peer's direction is that of a polytope's face: its error is the root of that of its distance
            np.testing.assert_allclose(normal, peer_normal, rtol=0, atol=1e-4)
        differences.append((abs(difference), np.linalg.norm(f["pos"] - c.pos)))
    return differences


def check(differences):
    """Checks the sums of all poses."""
    dist, pos = np.array(differences).T
    assert np.median(dist) < AGREE
    assert np.mean(dist < 1e-6) > 0.9
    # where the distances agree, in one contact of several hundred the peer's point is off its own surfaces
    assert np.mean(pos[dist < AGREE] < 1e-5) > 0.97


@pytest.mark.parametrize("margin", [0, 0.1])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: "-".join(p))
def test_pairs(pair, margin):
    """Random poses, deep to apart, most in contact or within the margin."""
    bodies = "".join(
        f'<body><freejoint/><geom type="{t}" size="{SIZES[t]}" margin="{margin}"/></body>'
        for t in pair
    )
    m = exact(mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"))
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m, narena=1 << 20)
    data = bridge.make_data(ours)
    rng = np.random.default_rng(1)
    differences = []
    for _ in range(120):
        q = rng.normal(size=14)
        q[3:7] /= np.linalg.norm(q[3:7])
        q[10:14] /= np.linalg.norm(q[10:14])
        q[:3] = rng.uniform(-1, 1, 3)
        q[7:10] = q[:3] + q[7:10] / np.linalg.norm(q[7:10]) * rng.uniform(0.1, 0.3 + margin)
        d.qpos[:] = q
        differences += compare(m, d, *contacts(m, d, ours, data, lambda a, b: True))
    assert len(differences) > 60
    check(differences)


def fold(m, d, rng):
    """Turns every hinge somewhere in its range."""
    d.qpos[:] = m.qpos0
    hinges = m.jnt_type == mujoco.mjtJoint.mjJNT_HINGE
    low, high = m.jnt_range[hinges].T
    d.qpos[m.jnt_qposadr[hinges]] = rng.uniform(low, high)
    mujoco.mj_kinematics(m, d)


def reach(m, d, rng):
    """Pusher: the wrist is as low as the object, and the object is put beside it."""
    wrist, thing = d.body("r_wrist_roll_link"), d.body("object")
    while True:
        fold(m, d, rng)
        if abs(wrist.xpos[2] - thing.xpos[2]) < 0.15:
            break
    for joint, k in (("obj_slidex", 0), ("obj_slidey", 1)):
        d.joint(joint).qpos += wrist.xpos[k] - thing.xpos[k] + rng.uniform(-0.1, 0.1)


@pytest.mark.parametrize("name, pose", [("humanoid_CMU.xml", fold), ("pusher_v5.xml", reach)])
def test_models(name, pose):
    """Models of other people that have such contacts."""
    path = next(p for p in models.everything() if p.name == name)
    m = exact(mujoco.MjModel.from_xml_path(str(path)))
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m)
    data = bridge.make_data(ours)
    curved = (int(mujoco.mjtGeom.mjGEOM_ELLIPSOID), int(mujoco.mjtGeom.mjGEOM_CYLINDER))

    def wanted(a, b):
        return min(a, b) >= int(mujoco.mjtGeom.mjGEOM_SPHERE) and (a in curved or b in curved)

    rng = np.random.default_rng(2)
    differences = []
    for _ in range(60):
        pose(m, d, rng)
        differences += compare(m, d, *contacts(m, d, ours, data, wanted))
    assert len(differences) > 10
    check(differences)
