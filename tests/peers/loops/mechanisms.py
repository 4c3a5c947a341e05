"""Random mechanisms: trees of bodies with loops that close at a position known beforehand.

A tree is drawn and posed first; the sites of each loop joint are then put where the joint allows them to be,
with a random position of its freedoms, so that every loop is closed to rounding without any search.
"""

import dataclasses

import mujoco
import numpy as np

import opened
import sinew

ROWS = {
    "fixed": 6,
    "revolute": 5,
    "prismatic": 5,
    "helical": 5,
    "cylindrical": 4,
    "planar": 3,
    "spherical": 3,
    "universal": 4,
    "sphere-in-cylinder": 2,
    "sphere-in-plane": 1,
    "distance": 1,
}
TYPES = tuple(ROWS)
PITCH, LENGTH = 0.07, 0.43


def rotation(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def random_rotation(rng):
    return rotation(rng.normal(size=3), rng.uniform(-3, 3))


def words(values):
    return " ".join(repr(float(v)) for v in np.ravel(values))


def quaternion(R):
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
    return quat


@dataclasses.dataclass
class Loop:
    kind: str
    bodies: tuple  # predecessor, successor; 0: the world
    keys: str = ""
    sites: list = dataclasses.field(default_factory=list)  # (pos, rotation) in the bodies


def freedom(kind, rng):
    """(R, r): S's axes and origin in P where a joint of this kind may be."""
    turn, slide = rng.uniform(-1.5, 1.5), rng.uniform(-0.2, 0.2)
    Z = rotation([0, 0, 1], turn)
    match kind:
        case "fixed":
            return np.eye(3), np.zeros(3)
        case "revolute":
            return Z, np.zeros(3)
        case "prismatic":
            return np.eye(3), np.array([0, 0, slide])
        case "helical":
            return Z, np.array([0, 0, PITCH * turn])
        case "cylindrical":
            return Z, np.array([0, 0, slide])
        case "planar":
            return Z, np.array([slide, rng.uniform(-0.2, 0.2), 0])
        case "spherical":
            return random_rotation(rng), np.zeros(3)
        case "universal":
            return Z @ rotation([1, 0, 0], rng.uniform(-1, 1)), np.zeros(3)
        case "sphere-in-cylinder":
            return random_rotation(rng), np.array([0, 0, slide])
        case "sphere-in-plane":
            return random_rotation(rng), np.array([slide, rng.uniform(-0.2, 0.2), 0])
        case "distance":
            r = rng.normal(size=3)
            return random_rotation(rng), LENGTH * r / np.linalg.norm(r)


def keys_of(kind):
    return {"helical": f"pitch={PITCH}", "distance": f"length={LENGTH}"}.get(kind, "")


def body_xml(index, parents, joints, rng, children, sites):
    """A body, what hangs on it, and its sites."""
    joint = joints[index - 1]
    pos = rng.uniform(-0.4, 0.4, 3) + [0.2, 0, 0]
    text = f'<body name="b{index}" pos="{words(pos)}" quat="{words(quaternion(random_rotation(rng)))}">'
    if joint == "free":
        text += "<freejoint/>"
    elif joint == "ball":
        text += f'<joint type="ball" pos="{words(rng.uniform(-0.1, 0.1, 3))}"/>'
    elif joint in ("hinge", "slide"):
        text += f'<joint type="{joint}" axis="{words(rng.normal(size=3))}" pos="{words(rng.uniform(-0.1, 0.1, 3))}"/>'
    elif joint != "weld":
        text += joint  # as the caller wrote it
    inertia = rng.uniform(0.02, 0.03, 3)  # no side is longer than the two others together
    text += (
        f'<inertial pos="{words(rng.uniform(-0.1, 0.1, 3))}" mass="{rng.uniform(0.5, 2)!r}" '
        f'quat="{words(quaternion(random_rotation(rng)))}" diaginertia="{words(inertia)}"/>'
    )
    text += sites.get(index, "")
    for child in children[index]:
        text += body_xml(child, parents, joints, rng, children, sites)
    return text + "</body>"


def xml(parents, joints, seed, loops=(), option="", extra="", tail=""):
    """MJCF of a tree: parents [n] of bodies 1 to n, joints [n]; the same seed gives the same tree."""
    rng = np.random.default_rng(seed)
    children = {i: [] for i in range(len(parents) + 1)}
    for i, p in enumerate(parents, 1):
        children[p].append(i)
    sites = {}
    for number, loop in enumerate(loops):
        for side, (body, site) in enumerate(zip(loop.bodies, loop.sites, strict=True)):
            text = f'<site name="l{number}_{side}" pos="{words(site[0])}" quat="{words(quaternion(site[1]))}"/>'
            sites[body] = sites.get(body, "") + text
    texts = "".join(
        f'<text name="sinew_loop_loop{n}" data="{loop.kind} l{n}_0 l{n}_1 {loop.keys}"/>'
        for n, loop in enumerate(loops)
    )
    bodies = "".join(body_xml(c, parents, joints, rng, children, sites) for c in children[0])
    return (
        f'<mujoco><compiler angle="radian"/><option {option}/><custom>{texts}{extra}</custom>'
        f"<worldbody>{sites.get(0, '')}{bodies}</worldbody>{tail}</mujoco>"
    )


@dataclasses.dataclass
class Mechanism:
    xml: str
    loops: list
    peer: mujoco.MjModel
    model: sinew.Model
    qpos: np.ndarray  # closed


def random_position(peer, rng):
    qpos = peer.qpos0.copy()
    mujoco.mj_integratePos(peer, qpos, rng.uniform(-1, 1, peer.nv), 1)
    return qpos


def close(peer, qpos, loops, rng):
    """Puts the sites of the loops where they are closed at qpos."""
    d = mujoco.MjData(peer)
    d.qpos = qpos
    mujoco.mj_kinematics(peer, d)
    for loop in loops:
        p, s = loop.bodies
        mat = [d.xmat[b].reshape(3, 3) for b in (p, s)]
        local, axes = rng.uniform(-0.2, 0.2, 3), random_rotation(rng)
        R, r = freedom(loop.kind, rng)
        P = mat[0] @ axes
        pos = d.xpos[p] + mat[0] @ local + P @ r
        loop.sites = [(local, axes), (mat[1].T @ (pos - d.xpos[s]), mat[1].T @ P @ R)]
        loop.keys = loop.keys or keys_of(loop.kind)


def mechanism(parents, joints, loops, seed, option="", extra="", tail="", physics=None):
    """A Mechanism; loops: [(kind, predecessor, successor)] or Loop objects."""
    rng = np.random.default_rng([seed, 1])
    loops = [l if isinstance(l, Loop) else Loop(l[0], (l[1], l[2])) for l in loops]
    tree = mujoco.MjModel.from_xml_string(xml(parents, joints, seed))
    qpos = random_position(tree, rng)
    close(tree, qpos, loops, rng)
    text = xml(parents, joints, seed, loops, option, extra, tail)
    return Mechanism(
        text, loops, mujoco.MjModel.from_xml_string(text), opened.model(text, physics), qpos
    )


def K_of(m, d):
    """K [rows x nv] of ours, whole."""
    K = np.zeros((d.nlooprow, m.nv))
    for c in range(d.ncluster):
        rows, n = d.cluster_rownum[c], d.cluster_dofnum[c]
        dofs = d.loop_dof[d.cluster_dofadr[c] : d.cluster_dofadr[c] + n]
        first = d.cluster_rowadr[c]
        numbers = d.loop_K[d.cluster_Kadr[c] : d.cluster_Kadr[c] + rows * n]
        K[first : first + rows, dofs] = np.reshape(numbers, (rows, n))
    return K


def null_space(K, tolerance=1e-9):
    """An orthonormal basis of the vectors x with K x = 0."""
    _, s, Vt = np.linalg.svd(K)
    rank = int(np.sum(s > tolerance * (s[0] if s.size else 1)))
    return Vt[rank:].T


def relative(a, b, scale=0):
    """Largest difference of two arrays as a part of the largest number in them."""
    a, b = np.asarray(a), np.asarray(b)
    return np.abs(a - b).max(initial=0) / max(
        np.abs(a).max(initial=0), np.abs(b).max(initial=0), scale, 1e-300
    )
