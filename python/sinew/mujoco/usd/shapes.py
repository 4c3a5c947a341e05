"""Triangles of boxes, spheres and the like in an exported scene."""

from __future__ import annotations

from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = [
    "TriangleMesh",
    "decouple_config",
    "get_triangle_uvs",
    "mesh_config_generator",
    "mesh_factory",
]


class TriangleMesh:
    """Triangles with the points of a texture that belong to their corners."""

    def __init__(self, vertices: Any, triangles: Any, triangle_uvs: Any) -> None:
        raise no_drawing("usd.shapes.TriangleMesh")

    @classmethod
    def create_box(
        cls, width: float, height: float, depth: float, texture_type: Any
    ) -> TriangleMesh:
        """The triangles of a box."""
        raise no_drawing("TriangleMesh.create_box")

    @classmethod
    def create_sphere(cls, radius: float, texture_type: Any, resolution: int) -> TriangleMesh:
        """The triangles of a sphere."""
        raise no_drawing("TriangleMesh.create_sphere")

    @classmethod
    def create_hemisphere(cls, radius: float, texture_type: Any, resolution: int) -> TriangleMesh:
        """The triangles of half a sphere."""
        raise no_drawing("TriangleMesh.create_hemisphere")

    @classmethod
    def create_cylinder(
        cls, radius: float, height: float, texture_type: Any, resolution: int
    ) -> TriangleMesh:
        """The triangles of a cylinder."""
        raise no_drawing("TriangleMesh.create_cylinder")

    def translate(self, translation: Any) -> NoReturn:
        """Move it."""
        raise no_drawing("TriangleMesh.translate")

    def rotate(self, rotation: Any, center: tuple[float, ...]) -> NoReturn:
        """Turn it about a point."""
        raise no_drawing("TriangleMesh.rotate")

    def scale(self, scale: Any) -> NoReturn:
        """Stretch it."""
        raise no_drawing("TriangleMesh.scale")

    def get_center(self) -> NoReturn:
        """The mean of its corners."""
        raise no_drawing("TriangleMesh.get_center")

    def __add__(self, other: TriangleMesh) -> TriangleMesh:
        raise no_drawing("TriangleMesh.__add__")


def get_triangle_uvs(vertices: Any, triangles: Any, texture_type: Any) -> NoReturn:
    """Points of a texture for the corners of triangles."""
    raise no_drawing("usd.shapes.get_triangle_uvs")


def decouple_config(config: dict[str, Any]) -> NoReturn:
    """A shape's description without its sizes."""
    raise no_drawing("usd.shapes.decouple_config")


def mesh_config_generator(name: str, geom_type: int, size: Any, decouple: bool = False) -> NoReturn:
    """The description of a shape."""
    raise no_drawing("usd.shapes.mesh_config_generator")


def mesh_factory(mesh_config: dict[str, Any], texture_type: Any, resolution: int = 100) -> NoReturn:
    """The triangles of a described shape."""
    raise no_drawing("usd.shapes.mesh_factory")
