"""What is shown of a drop, as the process that compiles reads it: a model, recordings, or both."""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._core import ModelError
from .._packages import load_model
from .._recording import Recording, attached
from .._types import Model
from ..picture.robot import hide_collision, is_urdf, visible_robot
from ..picture.tracks import Track
from . import drops
from .playback import MOST
from .recorded import warn_of_mocap
from .sharing import share_rows

_MOST_ASKED = 100  # of models or recordings, among which a page chooses
_MOST_READ = 2 << 30  # bytes of memory that reading recordings takes
_GIVE = "--package-dir"
_ROS = "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"

Words = dict[str, Any]


@dataclass
class Opened:
    """What is shown.

    Attributes
    ----------
    models : list of Model
        None: that which is open stays.
    rows : list of int
        Descriptors of memory with recordings that are played: of the one model, or each of its own.
    """

    models: list[Model] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)


def open_drop(
    request: Words, answer: Words, descriptor: int, folder: str, shown: Callable[[], Model | None]
) -> Opened:
    """Return what is shown of a drop; where it has too much, `answer` asks which.

    Parameters
    ----------
    request : dict
        `choice`, what a page has chosen so far, and `alone`: the model is wanted without recordings.
    answer : dict
        What goes back: `name`, of what it is about, or `choices`, and what they are.
    descriptor : int
        Of the memory with the drop.
    folder : str
        That is empty, and holds the files of the drop then.
    shown : callable
        Returns the model that is open; None: there is none.

    Raises
    ------
    Exception
        Of any kind; its text says what is wrong.
    """
    size = os.fstat(descriptor).st_size
    if not size:
        raise drops.Refused("the drop is empty")
    files = drops.files_of(memoryview(mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)))
    models, runs = drops.shown_of(files)
    chosen = request["choice"]
    for name in chosen:
        if name not in models + runs:
            raise drops.Refused(f"{name}: is no model of the drop, and no recording")
    models = [name for name in models if name in chosen] or models
    runs = [name for name in runs if name in chosen] or runs
    if _asks(answer, "model", models, 1) or _asks(answer, "recording", runs, MOST):
        return Opened()
    answer["name"] = (models or runs)[0]
    inside = _lay_out(files, folder)
    own = _loaded_model(models[0], inside) if models else None
    if own is not None and (request["alone"] or not runs):
        return Opened([own])
    return _played(runs, own, inside, request["alone"], shown)


def _asks(answer: Words, what: str, names: Sequence[str], most: int) -> bool:
    """Ask which of several is shown, where there are more than can be; return whether it asks."""
    if len(names) <= most:
        return False
    if len(names) > _MOST_ASKED:
        raise drops.Refused(f"{len(names)} {what}s are dropped, {_MOST_ASKED} at most; drop one")
    answer |= {"asks": what, "choices": list(names)}
    return True


# ---- models


def _lay_out(files: drops.Files, folder: str) -> str:
    """Write the files into a folder that holds nothing else, and go there; return it."""
    for variable in _ROS:
        os.environ.pop(variable, None)
    inside, packages = os.path.join(folder, "drop"), os.path.join(folder, "packages")
    os.mkdir(inside)
    os.mkdir(packages)
    drops.lay_out(files, inside)
    for package, place in drops.packages_of(files).items():
        os.symlink(os.path.join(inside, place), os.path.join(packages, package))
    os.chdir(inside)
    return inside


def _loaded_model(name: str, inside: str) -> Model:
    """Load a model of the drop, which names nothing outside of it."""
    packages = [os.path.join(os.path.dirname(inside), "packages"), inside]
    how = {"visuals": True, "strict": False, "anywhere": False, "physics": None}
    return loaded(name, how, packages, os.path.realpath(inside))


def loaded(path: str, how: Words, packages: Sequence[str], within: str | None) -> Model:
    """Load a model as it is shown; within: a folder below which all files that it names must be."""
    strict, anywhere, physics = how["strict"], how["anywhere"], how["physics"]
    if how.get("visuals") and is_urdf(path):
        model, visuals = visible_robot(path, packages, strict, anywhere, within, physics=physics)
        if visuals:
            hide_collision(model)
        return model
    return load_model(Model, path, packages, strict, anywhere, _GIVE, within, physics=physics)


# ---- recordings


@contextlib.contextmanager
def _bounded() -> Iterator[None]:
    """Let what is read take so much memory and no more, where the system can see to it: little may unpack to a lot."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * mmap.PAGESIZE
        before = resource.getrlimit(resource.RLIMIT_AS)
    except (ImportError, OSError):
        yield
        return
    most = min([used + _MOST_READ, *(limit for limit in before if limit >= 0)])
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    except MemoryError as error:
        text = f"it takes more than {_MOST_READ >> 30} GB of memory to read it; drop a part of it"
        raise drops.Refused(text) from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _played(
    names: Sequence[str],
    own: Model | None,
    inside: str,
    alone: bool,
    shown: Callable[[], Model | None],
) -> Opened:
    """Read recordings of the drop's own model, of those that they hold, or of that which is open."""
    with _bounded():
        runs = [Recording.from_path(name) for name in names]
    for run in runs:
        _confine(run, inside, own is None)
    held = [own] * len(runs) if own else attached.models_for(runs)
    if held and alone:
        return Opened(held[:1])
    fitting = held or [shown()] * len(runs)
    if fitting[0] is None:
        raise drops.Refused(
            f"{names[0]}: it holds no model, and none is open: drop it together with its model"
        )
    with _bounded():
        rows = [_fitted(run, model) for run, model in zip(runs, fitting, strict=True)]
    return Opened(list({id(model): model for model in held or ()}.values()), rows)


def _confine(run: Recording, inside: str, wanted: bool) -> None:
    """Let a recording hold its model compiled alone: its source may name any file, and is loaded anew by whoever asks.

    wanted: it is an error if it cannot be loaded; else it is left out.
    """
    try:
        model = attached.model_in(run, lambda text: _source(text, inside))
    except ModelError:
        if wanted:
            raise
        model = None
    run._model = None if model is None else attached.Inside(attached.pack(model))


def _source(text: str, inside: str) -> Model:
    """Load the text of a model that a recording holds, which names nothing outside of the drop."""
    path = os.path.join(inside, "recorded.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return load_model(Model, path, (), False, False, _GIVE, os.path.realpath(inside))


def _fitted(run: Recording, model: Model) -> int:
    """Return memory with the states of a model that were recorded."""
    fitted = run.fit(model)
    warn_of_mocap(Track(model, fitted))
    return share_rows(fitted)
