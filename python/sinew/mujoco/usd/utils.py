"""Arithmetic of an exported scene."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["create_transform_matrix"]


def create_transform_matrix(
    rotation_matrix: ArrayLike, translation_vector: ArrayLike
) -> NDArray[np.float64]:
    """The (4, 4) transform of a rotation of 9 numbers and a translation (3)."""
    transform = np.eye(4)
    transform[:3, :3] = np.reshape(rotation_matrix, (3, 3))
    transform[:3, 3] = np.reshape(translation_vector, 3)
    return transform
