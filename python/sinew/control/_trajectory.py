"""References that move: polynomials and poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._arrays import Array, floats, vector


def polynomial(
    t: ArrayLike,
    duration: float,
    pos0: ArrayLike,
    pos1: ArrayLike,
    vel0: ArrayLike | None = None,
    vel1: ArrayLike | None = None,
    acc0: ArrayLike | None = None,
    acc1: ArrayLike | None = None,
    *,
    degree: int = 5,
) -> tuple[Array, Array, Array]:
    """The polynomial of least degree from one end to another, in any number of coordinates.

    Parameters
    ----------
    t : array_like
        Times (...) (s); before 0 and after the duration it is at rest at an end.
    duration : float
        Above 0 (s).
    pos0, pos1 : array_like
        Ends (n,), or numbers.
    vel0, vel1, acc0, acc1 : array_like, optional
        Velocities and accelerations there, (n,) or a number for all; 0 without them.
    degree : int
        1 (positions alone), 3 (with velocities) or 5 (with accelerations).

    Returns
    -------
    pos, vel, acc : ndarray
        (..., n), or (...) where both ends are numbers.

    Raises
    ------
    ValueError
        Shapes, degree, duration, a NaN.
    """
    times, first, last = floats(t, "t"), floats(pos0, "pos0"), floats(pos1, "pos1")
    shape = first.shape or last.shape
    if len(shape) > 1:
        raise ValueError(f"pos0 has shape {shape}, must be (n,) or a number")
    n = shape[0] if shape else 1
    ends = [
        vector(value, name, n)
        for value, name in (
            (first, "pos0"),
            (vel0, "vel0"),
            (acc0, "acc0"),
            (last, "pos1"),
            (vel1, "vel1"),
            (acc1, "acc1"),
        )
    ]
    out = [np.empty((times.size, n)) for _ in range(3)]
    flat = np.ascontiguousarray(times).ravel()
    _core.polynomial(degree, n, duration, times.size, *ends, flat, *out)
    pos, vel, acc = (a.reshape(times.shape + shape) for a in out)
    return pos, vel, acc


def pose_trajectory(
    t: ArrayLike, duration: float, pose0: ArrayLike, pose1: ArrayLike, *, screw: bool = False
) -> tuple[Array, Array, Array]:
    """A pose that goes from one to another, at rest at both ends, by the quintic s(t) from 0 to 1.

    Parameters
    ----------
    t : array_like
        Times (...) (s).
    duration : float
        Above 0 (s).
    pose0, pose1 : array_like
        Ends (7,): position, quaternion.
    screw : bool
        Both parts together along the screw motion; else the position along a straight line, the rotation
        about one axis, the short way round.

    Returns
    -------
    pose : ndarray
        (..., 7)
    vel, acc : ndarray
        (..., 6): of the origin, then angular, world axes.

    Raises
    ------
    ValueError
        Shapes, duration, a NaN, a quaternion of length 0.
    """
    times = floats(t, "t")
    ends = []
    for value, name in ((pose0, "pose0"), (pose1, "pose1")):
        pose = floats(value, name)
        if pose.shape != (7,):
            raise ValueError(f"{name} has shape {pose.shape}, must be (7,)")
        ends.append(np.ascontiguousarray(pose))
    out = np.empty((times.size, 7)), np.empty((times.size, 6)), np.empty((times.size, 6))
    flat = np.ascontiguousarray(times).ravel()
    _core.poseTrajectory(duration, screw, times.size, *ends, flat, *out)
    return tuple(a.reshape(*times.shape, a.shape[1]) for a in out)
