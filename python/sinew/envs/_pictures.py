"""Pictures of simulations of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sinew

from ..picture.artist import Artist
from ..picture.looks import Look, camera_of, free_camera
from ..picture.show import current_state


class Pictures:
    """Draws simulations in one size and look.

    Parameters
    ----------
    model : Model
        That of all simulations but those that have parameters of their own.
    width, height : int
        Pixels.
    camera : str, int or MjvCamera
    flags : mapping of int to bool, optional
        Flags of mjtVisFlag.
    room : int, optional
        Most shapes of a picture.
    """

    def __init__(
        self,
        model: sinew.Model,
        width: int,
        height: int,
        camera: Any,
        flags: Mapping[int, bool] | None = None,
        room: int | None = None,
    ) -> None:
        look = Look()
        for flag, on in (flags or {}).items():
            look.option.flags[flag] = on
        self._model = model
        self._settings = (width, height, camera_of(model, camera), look, None, "colour", room)
        self._artist = Artist(model, *self._settings)

    def of(self, data: sinew.Data) -> NDArray[np.uint8]:
        """Return the picture of a simulation, at its state."""
        state = current_state(data.model, data)
        if data.model is self._model:
            return self._artist.pixels(state)
        with Artist(data.model, *self._settings) as own:
            return own.pixels(state)

    def close(self) -> None:
        """Free what it holds of OpenGL."""
        self._artist.close()


def middle_camera(model: sinew.Model, data: sinew.Data | None, view: Mapping[str, Any]) -> Any:
    """Return gymnasium's camera: it looks at the median of the geoms, from as far as the model is large."""
    state = current_state(model, data)
    settings: dict[str, Any] = {
        "lookat": np.median(state.geom_xpos, axis=0) if model.ngeom else np.zeros(3),
        "distance": model.stat.extent,
        "azimuth": 90.0,
        "elevation": -45.0,
    }
    # gymnasium's configurations name a body, which its camera, a free one, does not follow
    settings |= {name: value for name, value in view.items() if name in settings}
    return free_camera(model, **settings)
