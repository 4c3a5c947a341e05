"""Windows and exporters are not in Sinew yet: their names are there, and say so when called."""

from __future__ import annotations


def no_drawing(name: str) -> NotImplementedError:
    """The exception of something that is missing, to be raised."""
    return NotImplementedError(
        f"{name}: drawing is not in Sinew yet as far as it needs a window or an exporter. Pictures and films are: "
        "sinew.Renderer, sinew.show, `sinew render`"
    )
