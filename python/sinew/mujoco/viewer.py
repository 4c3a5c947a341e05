"""The interactive viewer. Launching it says that drawing is missing."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from typing import Any, NoReturn, Union

from sinew.mujoco._drawing import no_drawing
from sinew.mujoco._structs import MjData, MjModel

CallbackType = Callable[[MjModel, MjData], None]
LoaderType = Callable[[], tuple[MjModel, MjData]]
KeyCallbackType = Callable[[int], None]
# How a window keeps time: percents of real time to choose from, seconds that it may be off, share of a
# refresh in which it may simulate.
PERCENT_REALTIME = (
    100, 80, 66, 50, 40, 33, 25, 20, 16, 13, 10, 8, 6.6, 5, 4, 3.3, 2.5, 2, 1.6, 1.3, 1, 0.8, 0.66, 0.5, 0.4, 0.33,
    0.25, 0.2, 0.16, 0.13, 0.1,
)  # fmt: skip
MAX_SYNC_MISALIGN = 0.1
SIM_REFRESH_FRACTION = 0.7

__all__ = [
    "MAX_SYNC_MISALIGN",
    "PERCENT_REALTIME",
    "SIM_REFRESH_FRACTION",
    "CallbackType",
    "Handle",
    "KeyCallbackType",
    "LoaderType",
    "launch",
    "launch_from_path",
    "launch_passive",
]


class Handle:
    """A viewer that runs beside the program that steps: there is none, so it is closed from the start."""

    def __init__(self, sim: Any, cam: Any, opt: Any, pert: Any, user_scn: Any) -> None:
        self._cam, self._opt, self._pert, self._user_scn = cam, opt, pert, user_scn

    @property
    def cam(self) -> Any:
        """The camera."""
        return self._cam

    @property
    def opt(self) -> Any:
        """What is shown."""
        return self._opt

    @property
    def perturb(self) -> Any:
        """What the user pulls at."""
        return self._pert

    @property
    def user_scn(self) -> Any:
        """Shapes of the user's own."""
        return self._user_scn

    @property
    def m(self) -> MjModel | None:
        """The model; None: the viewer is closed."""
        return None

    @property
    def d(self) -> MjData | None:
        """The data; None: the viewer is closed."""
        return None

    @property
    def viewport(self) -> Any:
        """The rectangle that is drawn into; None: the viewer is closed."""
        return None

    def set_figures(self, viewports_figures: Any) -> None:
        """Draw figures over the picture."""

    def clear_figures(self) -> None:
        """Take the figures away."""

    def set_texts(self, texts: Any) -> None:
        """Draw texts over the picture."""

    def clear_texts(self) -> None:
        """Take the texts away."""

    def set_images(self, viewports_images: Any) -> None:
        """Draw images over the picture."""

    def clear_images(self) -> None:
        """Take the images away."""

    def close(self) -> None:
        """Close the window."""

    def is_running(self) -> bool:
        """Whether the window is open."""
        return False

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold the viewer while what it shows is changed."""
        return contextlib.nullcontext()

    def sync(self, state_only: bool = False) -> None:
        """Show the state as it is now."""

    def update_hfield(self, hfieldid: int) -> None:
        """Show a height field as it is now."""

    def update_mesh(self, meshid: int) -> None:
        """Show a mesh as it is now."""

    def update_texture(self, texid: int) -> None:
        """Show a texture as it is now."""

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        self.close()


def launch(
    model: MjModel | None = None,
    data: MjData | None = None,
    *,
    loader: Union[LoaderType, None] = None,  # noqa: UP007
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> NoReturn:
    """Open a window that simulates, until it is closed."""
    raise no_drawing("viewer.launch")


def launch_from_path(path: str) -> NoReturn:
    """Open a window that simulates the model of a file, until it is closed."""
    raise no_drawing("viewer.launch_from_path")


def launch_passive(
    model: MjModel,
    data: MjData,
    *,
    key_callback: Union[KeyCallbackType, None] = None,  # noqa: UP007
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Open a window beside the program, which steps on and tells the window to look."""
    raise no_drawing("viewer.launch_passive")


def _main() -> None:
    parser = argparse.ArgumentParser(prog="mujoco.viewer")
    parser.add_argument("--mjcf", help="model file")
    path = parser.parse_args().mjcf
    try:
        launch() if path is None else launch_from_path(path)
    except NotImplementedError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    _main()
