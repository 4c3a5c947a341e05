"""An oracle in maximal coordinates: every body on its own, every joint, of the tree and of loops, a constraint.

Poses, velocities and inertias of the bodies are the peer's; constraints are functions Phi of poses, written here
from what each joint means. They are evaluated on Taylor polynomials in time, which gives Phi, its derivatives along
any motion and what velocities leave of its second derivative without a formula for any of them. Then
    M a + J' lambda = f,   J a = -gamma
is solved densely, by orthogonal factors where rows depend on each other.
"""

from typing import NamedTuple

import mujoco
import numpy as np


class Taylor:
    """c[0] + c[1] t + c[2] t^2 of an array."""

    def __init__(self, *c):
        c = [np.asarray(x, float) for x in c]
        self.c = c + [np.zeros_like(c[0])] * (3 - len(c))

    def __add__(self, other):
        other = other if isinstance(other, Taylor) else Taylor(other)
        return Taylor(*[a + b for a, b in zip(self.c, other.c, strict=True)])

    def __sub__(self, other):
        return self + (-1.0) * other

    def __mul__(self, other):
        other = other if isinstance(other, Taylor) else Taylor(other)
        a, b = self.c, other.c
        return Taylor(
            a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[1] * b[1] + a[2] * b[0]
        )

    __rmul__ = __mul__

    def __matmul__(self, other):
        other = other if isinstance(other, Taylor) else Taylor(other)
        a, b = self.c, other.c
        return Taylor(
            a[0] @ b[0], a[0] @ b[1] + a[1] @ b[0], a[0] @ b[2] + a[1] @ b[1] + a[2] @ b[0]
        )

    def column(self, k):
        return Taylor(*[x[:, k] for x in self.c])


def dot(a, b):
    """Of two Taylor vectors."""
    return a @ b


def angle_of(y, x):
    """atan2(y, x); w = (x y' - y x') / (x^2 + y^2) integrated."""
    x0, x1, x2 = x.c
    y0, y1, y2 = y.c
    s = x0 * x0 + y0 * y0
    w = x0 * y1 - y0 * x1
    rate = w / s
    w1, s1 = 2 * (x0 * y2 - y0 * x2), 2 * (x0 * x1 + y0 * y1)
    return Taylor(np.arctan2(y0, x0), rate, (w1 * s - w * s1) / (2 * s * s))


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


class Frame:
    """Axes R and origin p of a frame, as Taylor polynomials."""

    def __init__(self, R, p):
        self.R, self.p = R, p
        self.x, self.y, self.z = R.column(0), R.column(1), R.column(2)


def parallel(P, S):
    return [dot(P.z, S.x), dot(P.z, S.y)]


def same_axes(P, S):
    return [dot(P.x, S.y), dot(P.y, S.z), dot(P.z, S.x)]


def same_point(P, S):
    d = S.p - P.p
    return [Taylor(*[c[k] for c in d.c]) for k in range(3)]


def on_axis(P, S):
    d = S.p - P.p
    return [dot(d, P.x), dot(d, P.y)]


def loop_residuals(kind, P, S, keys):
    """Phi of a loop joint: zero where it is closed."""
    d = S.p - P.p
    match kind:
        case "fixed":
            return same_axes(P, S) + same_point(P, S)
        case "revolute":
            return parallel(P, S) + same_point(P, S)
        case "prismatic":
            return same_axes(P, S) + on_axis(P, S)
        case "helical":
            turn = angle_of(dot(S.x, P.y), dot(S.x, P.x))
            return parallel(P, S) + on_axis(P, S) + [dot(d, P.z) - keys["pitch"] * turn]
        case "cylindrical":
            return parallel(P, S) + on_axis(P, S)
        case "planar":
            return parallel(P, S) + [dot(d, P.z)]
        case "spherical":
            return same_point(P, S)
        case "universal":
            return [dot(P.z, S.x)] + same_point(P, S)
        case "sphere-in-cylinder":
            return on_axis(P, S)
        case "sphere-in-plane":
            return [dot(d, P.z)]
        case "distance":
            return [dot(d, d) - keys["length"] ** 2]


class Bodies:
    """The bodies of a model at a state: centres of mass, axes, velocities."""

    def __init__(self, m, d):
        self.m = m
        self.com, self.mat = d.xipos.copy(), d.xmat.reshape(-1, 3, 3).copy()
        self.origin = d.xpos.copy()
        self.v, self.w = np.zeros((m.nbody, 3)), np.zeros((m.nbody, 3))
        jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        for b in range(1, m.nbody):
            mujoco.mj_jacBodyCom(m, d, jacp, jacr, b)
            self.v[b], self.w[b] = jacp @ d.qvel, jacr @ d.qvel
        self.inertia = np.einsum(
            "bij,bj,bkj->bik", d.ximat.reshape(-1, 3, 3), m.body_inertia, d.ximat.reshape(-1, 3, 3)
        )

    def frame(self, body, pos, axes, motion=None):
        """A frame fixed in a body, moving with it, or with `motion` (v, w) to first order."""
        v, w = (self.v[body], self.w[body]) if motion is None else motion
        R = self.mat[body] @ axes
        arm = self.origin[body] - self.com[body] + self.mat[body] @ pos
        W = skew(w)
        p = Taylor(self.com[body] + arm, v + W @ arm, W @ W @ arm / 2)
        return Frame(Taylor(R, W @ R, W @ W @ R / 2), p)


class Rows:
    """J and gamma of Phi'' = J a + gamma, J over (linear, angular) accelerations of the bodies."""

    def __init__(self, bodies):
        self.bodies, self.J, self.gamma, self.phi, self.rate = bodies, [], [], [], []

    def add(self, residuals, ends):
        """ends: (body, pos, axes) of the two frames that residuals(P, S) takes."""
        b = self.bodies
        value = residuals(*[b.frame(*end) for end in ends])
        J = np.zeros((len(value), 6 * b.m.nbody))
        for side, (body, *_) in enumerate(ends):
            for k in range(6 if body else 0):
                motion = np.zeros(6)
                motion[k] = 1
                still = [(np.zeros(3), np.zeros(3))] * 2
                still[side] = (motion[:3], motion[3:])
                frames = [b.frame(*end, still[i]) for i, end in enumerate(ends)]
                J[:, 6 * body + k] += [f.c[1] for f in residuals(*frames)]
        self.J.extend(J)
        self.phi.extend(f.c[0] for f in value)
        self.rate.extend(f.c[1] for f in value)
        self.gamma.extend(2 * f.c[2] for f in value)


def axes_along(z):
    """Axes with the third along z."""
    z = z / np.linalg.norm(z)
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


class Joint:
    """The one joint of a body of the tree: frames on its parent and on itself that coincide now."""

    def __init__(self, bodies, body):
        m = bodies.m
        self.bodies, self.body, self.parent = bodies, body, int(m.body_parentid[body])
        self.kind, self.dof = "weld", None
        axes, pos = np.eye(3), np.zeros(3)
        if m.body_jntnum[body]:
            assert m.body_jntnum[body] == 1
            j = m.body_jntadr[body]
            self.dof = int(m.jnt_dofadr[j])
            self.kind = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}[int(m.jnt_type[j])]
            pos = m.jnt_pos[j]
            axes = axes_along(m.jnt_axis[j]) if self.kind in ("slide", "hinge") else np.eye(3)
        world = bodies.mat[body] @ axes
        point = bodies.origin[body] + bodies.mat[body] @ pos
        Rp = bodies.mat[self.parent]
        self.ends = [
            (self.parent, Rp.T @ (point - bodies.origin[self.parent]), Rp.T @ world),
            (body, pos, axes),
        ]
        self.axis, self.point = world[:, 2], point

    def constrain(self, rows):
        if self.kind == "free":
            return
        table = {
            "weld": lambda P, S: same_axes(P, S) + same_point(P, S),
            "ball": same_point,
            "hinge": lambda P, S: parallel(P, S) + same_point(P, S),
            "slide": lambda P, S: same_axes(P, S) + on_axis(P, S),
        }
        rows.add(table[self.kind], self.ends)

    def apply(self, tau, f):
        """Adds the wrench of joint forces tau [nv] to f [nbody x 6], at centres of mass."""
        if self.kind == "weld":
            return
        b, d = self.bodies, self.dof
        force, torque = np.zeros(3), np.zeros(3)
        if self.kind == "hinge":
            torque = tau[d] * self.axis
        elif self.kind == "slide":
            force = tau[d] * self.axis
        elif self.kind == "ball":
            torque = b.mat[self.body] @ tau[d : d + 3]
        else:
            force, torque = tau[d : d + 3], b.mat[self.body] @ tau[d + 3 : d + 6]
        for body, sign in ((self.body, 1), (self.parent, -1)):
            f[body] += sign * np.concatenate(
                [force, torque + np.cross(self.point - b.com[body], force)]
            )

    def acceleration(self, a, qacc):
        """The joint's part of qacc [nv] from the accelerations a [nbody x 6] of the bodies."""
        if self.kind == "weld":
            return
        b, d = self.bodies, self.dof
        (vp, wp), (vc, wc) = [(b.v[i], b.w[i]) for i in (self.parent, self.body)]
        (ap, alp), (ac, alc) = [(a[i][:3], a[i][3:]) for i in (self.parent, self.body)]
        R = b.mat[self.body]
        if self.kind == "free":
            r = b.origin[self.body] - b.com[self.body]
            qacc[d : d + 3] = ac + np.cross(alc, r) + np.cross(wc, np.cross(wc, r))
            qacc[d + 3 : d + 6] = R.T @ alc
        elif self.kind == "ball":
            qacc[d : d + 3] = R.T @ (alc - alp - np.cross(wc, wc - wp))
        elif self.kind == "hinge":  # the axis turns with the parent
            qacc[d] = self.axis @ (alc - alp)
        else:
            rows = Rows(b)
            rows.add(lambda P, S: [dot(S.p - P.p, P.z)], self.ends)
            qacc[d] = rows.J[0] @ a.ravel() + rows.gamma[0]


class Answer(NamedTuple):
    qacc: np.ndarray  # [nv]
    phi: np.ndarray  # of the loops
    rate: np.ndarray  # of phi


def tree_jacobian(m, d):
    """Velocities (linear at the centre of mass, angular) of the bodies from qvel."""
    J = np.zeros((6 * m.nbody, m.nv))
    for b in range(1, m.nbody):
        mujoco.mj_jacBodyCom(m, d, J[6 * b : 6 * b + 3], J[6 * b + 3 : 6 * b + 6], b)
    return J


def keys(loop):
    return {k: float(v) for k, v in (word.split("=") for word in loop.keys.split())}


def loop_rows(bodies, loops):
    rows = Rows(bodies)
    for loop in loops:
        ends = [(b, *site) for b, site in zip(loop.bodies, loop.sites, strict=True)]
        rows.add(lambda P, S, loop=loop: loop_residuals(loop.kind, P, S, keys(loop)), ends)
    return rows


def state(m, qpos, qvel):
    d = mujoco.MjData(m)
    d.qpos, d.qvel = qpos, qvel
    mujoco.mj_fwdPosition(m, d)
    return d


def loop_K(m, qpos, loops):
    """K of the loops in joint coordinates."""
    d = state(m, qpos, np.zeros(m.nv))
    return np.array(loop_rows(Bodies(m, d), loops).J) @ tree_jacobian(m, d)


def solve(m, qpos, qvel, tau, loops, external=None):
    """Accelerations under joint forces tau [nv], external wrenches [nbody x 6] at centres of mass and gravity."""
    d = state(m, qpos, qvel)
    b = Bodies(m, d)
    joints = [Joint(b, i) for i in range(1, m.nbody)]
    tree, loop = Rows(b), loop_rows(b, loops)
    for joint in joints:
        joint.constrain(tree)
    M, f = np.zeros((6 * m.nbody, 6 * m.nbody)), np.zeros((m.nbody, 6))
    if external is not None:
        f += external
    for i in range(1, m.nbody):
        at = 6 * i
        M[at : at + 3, at : at + 3] = m.body_mass[i] * np.eye(3)
        M[at + 3 : at + 6, at + 3 : at + 6] = b.inertia[i]
        f[i][:3] += m.body_mass[i] * m.opt.gravity
        f[i][3:] -= np.cross(b.w[i], b.inertia[i] @ b.w[i])
    for joint in joints:
        joint.apply(tau, f)
    J = np.array(tree.J + loop.J)[:, 6:]
    gamma = np.array(tree.gamma + loop.gamma)
    root = np.linalg.cholesky(M[6:, 6:])
    free = np.linalg.solve(M[6:, 6:], f.ravel()[6:])
    # the nearest to the free acceleration in the metric of M: lstsq gives the least norm
    A = np.linalg.solve(root, J.T).T
    norm = np.linalg.norm(A, axis=1)
    step = np.linalg.lstsq(A / norm[:, None], (-gamma - J @ free) / norm, rcond=1e-12)[0]
    a = np.zeros((m.nbody, 6))
    a[1:] = (free + np.linalg.solve(root.T, step)).reshape(-1, 6)
    qacc = np.zeros(m.nv)
    for joint in joints:
        joint.acceleration(a, qacc)
    return Answer(qacc, np.array(loop.phi), np.array(loop.rate))
