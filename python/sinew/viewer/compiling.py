"""Compiles models for a viewer, in a process of its own: python -m sinew.viewer.compiling DESCRIPTOR FOLDER.

A model that takes long, takes all memory or brings the compiler down does nothing to the simulation that runs. It is
begun by `sinew.viewer` alone, which ends it when another model is wanted; FOLDER is empty, for the files of a drop.
"""

from __future__ import annotations

import mmap
import os
import shutil
import signal
import socket
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _core
from .._packages import load_model
from .._spec import Spec
from .._types import Model
from .._warn import ModelWarning
from ..picture.robot import hide_collision, is_urdf, visible_robot
from . import drops
from .block import Writer
from .link import Link
from .watching import stamps

_MOST_LINES = 20  # of errors, of warnings, and letters of one
_MOST_LETTERS = 1000
_MOST_MODELS = 100  # of a drop, which a page asks for
_GIVE = "--package-dir"
_ROS = "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"

Words = dict[str, Any]


def main(descriptor: str, folder: str) -> int:
    """Answer one request; it and the answer are messages of a Link."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link = Link(socket.socket(fileno=int(descriptor)))
    said = link.receive()
    if said is None:
        return 1
    request, descriptors = said
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer, model = _answer(request, descriptors, folder)
    texts = [str(w.message) for w in caught if issubclass(w.category, ModelWarning)]
    answer["warnings"] = _lines(texts, folder)
    if model is None:
        link.send(answer)
    else:
        plain = Writer.of(_core.packModel(model))
        link.send(answer, (plain.descriptor,))
    shutil.rmtree(folder, ignore_errors=True)  # whoever began this may have been killed
    return 0


def _answer(request: Words, descriptors: Sequence[int], folder: str) -> tuple[Words, Model | None]:
    answer: Words = {"errors": [], "files": {}, "choices": []}
    try:
        model = (
            _dropped(request, answer, *descriptors, folder)
            if descriptors
            else _on_disk(request, answer)
        )
    except Exception as error:
        answer["errors"] = _lines([_text(error)], folder)
        _watch_more(answer, error)
        return answer, None
    return answer, model


def _text(error: Exception) -> str:
    return "out of memory" if isinstance(error, MemoryError) else str(error) or type(error).__name__


def _lines(texts: Sequence[str], folder: str) -> list[str]:
    """Return texts as lines, with names of files as they are in the drop."""
    real = os.path.realpath(folder)
    lines = [line for text in texts for line in text.splitlines() if line]
    named = [line.replace(f"{real}/drop/", "").replace(f"{folder}/drop/", "") for line in lines]
    return [line[:_MOST_LETTERS] for line in named[:_MOST_LINES]]


def _loaded(path: str, how: Words, packages: Sequence[str], within: str | None) -> Model:
    strict, anywhere, physics = how["strict"], how["anywhere"], how["physics"]
    if how.get("visuals") and is_urdf(path):
        model, visuals = visible_robot(path, packages, strict, anywhere, within, physics=physics)
        if visuals:
            hide_collision(model)
        return model
    return load_model(Model, path, packages, strict, anywhere, _GIVE, within, physics=physics)


# ---- models on disk


def _on_disk(request: Words, answer: Words) -> Model | None:
    how, packages = request["source"], request["source"]["packages"]
    # what is changed from here on is seen by the next look
    answer["files"] = stamps(_files(how["path"], packages))
    return _loaded(how["path"], how, packages, None) if request["compile"] else None


def _files(path: str, packages: Sequence[str]) -> list[str]:
    """Return the files that a model is made of, as far as they can be found."""
    files = [path]
    try:
        if is_urdf(path):
            # MuJoCo's way to read it has no visual shapes, and no folders of packages
            spec = Spec.from_urdf(path, packages, keep_visuals=True)
            files += [mesh.file for mesh in spec.meshes]
        else:
            files += _core.mju_getXMLDependencies(path)
    except Exception:  # compiling it says what is wrong
        pass
    return [os.path.abspath(file) for file in dict.fromkeys(files)]


def _watch_more(answer: Words, error: Exception) -> None:
    """Note what may mend an error besides the files: those that it names, and what comes into their folders."""
    named = [name for name in (getattr(error, "file", ""), getattr(error, "filename", "")) if name]
    if answer["files"]:
        files = [*answer["files"], *(os.path.abspath(os.fsdecode(name)) for name in named)]
        new = stamps([*files, *(os.path.dirname(file) for file in files)])
        answer["files"] = {**new, **answer["files"]}


# ---- what was dropped


def _dropped(request: Words, answer: Words, descriptor: int, folder: str) -> Model | None:
    size = os.fstat(descriptor).st_size
    if not size:
        raise drops.Refused("the drop is empty")
    files = drops.files_of(memoryview(mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)))
    models = drops.models_of(files)
    name = request.get("choice")
    if len(models) > _MOST_MODELS:
        raise drops.Refused(f"{len(models)} models are dropped, {_MOST_MODELS} at most; drop one")
    if name is None and len(models) > 1:
        answer["choices"] = models
        return None
    name = models[0] if name is None else name
    answer["name"] = name
    if name not in models:
        raise drops.Refused(f"{name}: is no model of the drop")
    return _compiled_drop(files, name, folder)


def _compiled_drop(files: drops.Files, name: str, folder: str) -> Model:
    """Compile a model of a drop in a folder that holds its files and nothing else."""
    for variable in _ROS:
        os.environ.pop(variable, None)
    inside, packages = os.path.join(folder, "drop"), os.path.join(folder, "packages")
    os.mkdir(inside)
    os.mkdir(packages)
    drops.lay_out(files, inside)
    for package, place in drops.packages_of(files).items():
        os.symlink(os.path.join(inside, place), os.path.join(packages, package))
    os.chdir(inside)
    how = {"visuals": True, "strict": False, "anywhere": False, "physics": None}
    return _loaded(name, how, [packages, inside], os.path.realpath(inside))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
