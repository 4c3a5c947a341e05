"""Export of a simulation as USD."""

from __future__ import annotations

from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = ["USDExporter"]


class USDExporter:
    """Writes a simulation, picture by picture, as a USD scene."""

    def __init__(
        self,
        model: Any,
        height: int = 480,
        width: int = 480,
        max_geom: int = 10000,
        output_directory: str = "mujoco_usdpkg",
        output_directory_root: str = "./",
        light_intensity: int = 10000,
        camera_names: list[str] | None = None,
        specialized_materials_file: str | None = None,
        verbose: bool = True,
    ) -> None:
        raise no_drawing("usd.exporter.USDExporter")

    @property
    def usd(self) -> str:
        """The scene as text."""
        raise no_drawing("USDExporter.usd")

    @property
    def scene(self) -> Any:
        """What there is to draw."""
        raise no_drawing("USDExporter.scene")

    def update_scene(self, data: Any, scene_option: Any = None) -> NoReturn:
        """Add a picture: the poses that `data` holds."""
        raise no_drawing("USDExporter.update_scene")

    def add_light(
        self,
        pos: list[float],
        intensity: int,
        radius: float | None = 1.0,
        color: Any = (0.3, 0.3, 0.3),
        obj_name: str | None = "light_1",
        light_type: str | None = "sphere",
    ) -> NoReturn:
        """Add a light."""
        raise no_drawing("USDExporter.add_light")

    def add_camera(
        self, pos: list[float], rotation_xyz: list[float], obj_name: str | None = "camera_1"
    ) -> NoReturn:
        """Add a camera."""
        raise no_drawing("USDExporter.add_camera")

    def save_scene(self, filetype: str = "usd") -> NoReturn:
        """Write the scene into a file."""
        raise no_drawing("USDExporter.save_scene")
