"""The interactive viewer, in the browser (docs/viewer.md)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Union

from sinew import viewer
from sinew.mujoco._structs import MjData, MjModel
from sinew.mujoco._visual import MjrRect

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


class Handle(viewer.Handle):
    """A viewer in the browser, beside the program that steps; see `sinew.viewer.Handle`."""

    @property
    def viewport(self) -> MjrRect | None:
        """The picture in the page that controls, in pixels; None: the viewer is closed."""
        return MjrRect(0, 0, *self.size()) if self.is_running() else None


def _loaded(
    model: MjModel | None, data: MjData | None, loader: LoaderType | None
) -> tuple[MjModel | None, MjData | None]:
    """Return what is to be simulated."""
    if loader is not None:
        if model is not None or data is not None:
            raise ValueError("model and data must not be specified when loader is specified")
        return loader()
    if model is None and data is not None:
        raise ValueError("data is specified but model is not")
    return model, data


def launch(
    model: MjModel | None = None,
    data: MjData | None = None,
    *,
    loader: Union[LoaderType, None] = None,  # noqa: UP007
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> None:
    """Simulate in real time in the browser, until the last page is closed or Ctrl-C is pressed.

    Without a model the world is empty, until one is dropped into the page. The loader is called again when a page wants the
    model loaded again.
    """
    model, data = _loaded(model, data, loader)
    panels = bool(show_left_ui), bool(show_right_ui)
    if model is None:
        viewer.simulate(MjModel.from_xml_string(viewer.EMPTY), None, empty=True, panels=panels)
    else:
        viewer.simulate(model, data, loader=loader, panels=panels)


def launch_from_path(path: str) -> None:
    """Simulate the model of a file in real time in the browser, until the last page is closed or Ctrl-C is pressed.

    It is loaded again when one of its files changes.
    """
    source = viewer.Source(os.fspath(path), visuals=False)
    viewer.simulate(MjModel.from_xml_path(path), None, source)


def launch_passive(
    model: MjModel,
    data: MjData,
    *,
    key_callback: Union[KeyCallbackType, None] = None,  # noqa: UP007
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Show in the browser what a program steps, which calls `sync` of the Handle that is returned."""
    if not isinstance(model, MjModel):
        raise ValueError(f"model is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, MjData):
        raise ValueError(f"data is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"key_callback is not callable: got {key_callback!r}")
    return viewer.passive(
        Handle, model, data, key_callback, panels=(bool(show_left_ui), bool(show_right_ui))
    )


def _main() -> None:
    parser = argparse.ArgumentParser(prog="mujoco.viewer")
    parser.add_argument("--mjcf", help="model file")
    path = parser.parse_args().mjcf
    try:
        launch() if path is None else launch_from_path(path)
    except (ImportError, NotImplementedError, OSError, ValueError, viewer.ServerError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    _main()
