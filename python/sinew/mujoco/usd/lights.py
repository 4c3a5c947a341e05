"""Lights of an exported scene."""

from __future__ import annotations

from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = ["USDDomeLight", "USDSphereLight"]


class USDSphereLight:
    """A light of a USD scene that shines from a sphere."""

    def __init__(self, stage: Any, obj_name: str, radius: float | None = 0.3) -> None:
        raise no_drawing("usd.lights.USDSphereLight")

    def update(self, pos: Any, intensity: int, color: Any, frame: int) -> NoReturn:
        """Place it in a picture."""
        raise no_drawing("USDSphereLight.update")


class USDDomeLight:
    """A light of a USD scene that shines from all around."""

    def __init__(self, stage: Any, obj_name: str) -> None:
        raise no_drawing("usd.lights.USDDomeLight")

    def update(self, intensity: int, color: Any) -> NoReturn:
        """Set how bright it is."""
        raise no_drawing("USDDomeLight.update")
