"""Shapes of an exported scene."""

from __future__ import annotations

from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = ["USDMesh", "USDObject", "USDPrimitiveMesh", "USDTendon"]


class USDObject:
    """A shape of a USD scene."""

    def __init__(
        self,
        stage: Any,
        model: Any,
        geom: Any,
        obj_name: str,
        rgba: Any = (1, 1, 1, 1),
        geom_textures: Any = (),
    ) -> None:
        raise no_drawing(f"usd.objects.{type(self).__name__}")

    def attach_image_material(self, usd_mesh: Any) -> NoReturn:
        """Cover it with an image."""
        raise no_drawing("USDObject.attach_image_material")

    def attach_solid_material(self, usd_mesh: Any) -> NoReturn:
        """Give it one colour."""
        raise no_drawing("USDObject.attach_solid_material")

    def update(
        self, pos: Any, mat: Any, visible: bool, frame: int, scale: Any | None = None
    ) -> NoReturn:
        """Place it in a picture."""
        raise no_drawing("USDObject.update")

    def update_visibility(self, visible: bool, frame: int) -> NoReturn:
        """Show or hide it in a picture."""
        raise no_drawing("USDObject.update_visibility")

    def update_scale(self, scale: Any, frame: int) -> NoReturn:
        """Set how large it is in a picture."""
        raise no_drawing("USDObject.update_scale")


class USDMesh(USDObject):
    """A mesh of the model."""

    def __init__(
        self,
        stage: Any,
        model: Any,
        geom: Any,
        obj_name: str,
        dataid: int,
        rgba: Any = (1, 1, 1, 1),
        geom_textures: Any = (),
    ) -> None:
        super().__init__(stage, model, geom, obj_name, rgba, geom_textures)


class USDPrimitiveMesh(USDObject):
    """A box, sphere or the like as a mesh."""

    def __init__(
        self,
        mesh_config: dict[Any, Any],
        stage: Any,
        model: Any,
        geom: Any,
        obj_name: str,
        rgba: Any = (1, 1, 1, 1),
        geom_textures: Any = (),
    ) -> None:
        super().__init__(stage, model, geom, obj_name, rgba, geom_textures)

    def generate_primitive_mesh(self) -> NoReturn:
        """Its triangles."""
        raise no_drawing(f"{type(self).__name__}.generate_primitive_mesh")


class USDTendon(USDPrimitiveMesh):
    """A piece of a tendon."""
