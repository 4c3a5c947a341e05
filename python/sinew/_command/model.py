"""The model that a command shows, and a state of it."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .._functions import forward, resetData, resetDataKeyframe  # type: ignore[attr-defined]
from .._packages import load_model
from .._recording import RecordingWarning
from .._types import Data, Model
from .._warn import ModelWarning
from ..picture.looks import unknown
from ..picture.robot import is_urdf, visible_robot
from .words import BAD_INPUT, Stop, printable, several, usage


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Warnings about files go to stderr, a line each; an error of a recording ends the command."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except ValueError as error:
            raise Stop(BAD_INPUT, str(error)) from None
        finally:
            said = [
                str(warning.message)
                for warning in caught
                if issubclass(warning.category, (ModelWarning, RecordingWarning))
            ]
            for text in dict.fromkeys(said):  # each once, also where a file is read twice
                sys.stderr.write(printable(f"warning: {text}\n"))


def is_recording(path: str) -> bool:
    """Return whether a file is a recording, by its name."""
    return path.lower().endswith((".npy", ".csv", ".mcap"))


def named_recordings(values: dict[str, str]) -> list[str]:
    """Return the files that `--recording` names, RUN[,RUN...], once or several times."""
    found = []
    for text in several(values, "recording"):
        paths = [text] if os.path.exists(text) else text.split(",")
        if not all(paths):
            usage(f"--recording {text}: a name is empty")
        found += paths
    return found


def shown_model(path: str, values: dict[str, str]) -> tuple[Model, bool]:
    """Return a model as it is shown, and whether it is a URDF's with visual shapes, in their own group.

    `values` has the options package-dir, strict, anywhere and physics.
    """
    folders = [f for f in values.get("package-dir", "").split(":") if f]
    how: dict[str, Any] = {name: name in values for name in ("strict", "anywhere")}
    how["physics"] = values.get("physics")
    with told():
        if is_urdf(path):
            return visible_robot(path, folders, **how)
        return load_model(Model, path, folders, **how, give="--package-dir"), False


def named(path: str, what: str, make: Any) -> Any:
    """What `make` returns; its ValueError is one about the model."""
    try:
        return make()
    except ValueError as error:
        raise Stop(BAD_INPUT, f"{path or 'the model'}: {what}: {error}") from None


def _keyframe(model: Model, word: str) -> int:
    names = [model.key(i).name for i in range(model.nkey)]
    if word in names:
        return names.index(word)
    if word.isdecimal() and int(word) < model.nkey:
        return int(word)
    if not names:
        raise ValueError("the model has no keyframes")
    if word.isdecimal():
        raise ValueError(f"the model has {len(names)}, numbers 0 to {len(names) - 1}")
    raise unknown("keyframe", word, [name for name in names if name])


def start_of(model: Model, path: str, word: str | None) -> Data:
    """A data at the model's first state, or at that of a keyframe, by name or number."""
    data = Data(model)
    if word is None:
        resetData(model, data)
    else:
        key = named(path, f"--keyframe {word}", lambda: _keyframe(model, word))
        resetDataKeyframe(model, data, key)
    forward(model, data)
    return data
