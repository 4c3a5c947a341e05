"""Labels of geoms in a scene: text at their places, over all that is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import camera


def drawn_labels(letters: Callable[[], Any]) -> Callable[[Any], None]:
    """Return the pass of a Frame that draws its labels; `letters` gives a Text, when there are any."""

    def draw(frame: Any) -> None:
        named = np.flatnonzero(frame.rows["label"] != b"")
        if frame.segment or not len(named):
            return
        eye, (_, _, width, height) = frame.eye, frame.rect
        box = camera.frustum(eye, width / max(1, height))
        view = camera.projection(*box, bool(eye.orthographic)) @ camera.look(
            eye.pos, eye.forward, eye.up
        )
        matrix, rows = view @ frame.turn.matrix, frame.rows[named]
        depth, one = (np.c_[rows["pos"], np.ones(len(rows))] @ matrix[2:].T).T
        rows = rows[(depth >= 0) & (depth <= one)]  # between the near plane and the far one
        texts = [label.decode(errors="replace") for label in rows["label"].tolist()]
        letters().labels(frame.rect, matrix, rows["pos"], texts)

    return draw
