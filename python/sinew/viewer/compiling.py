"""Compiles models and reads recordings for a viewer, in a process of its own: python -m sinew.viewer.compiling DESCRIPTOR FOLDER.

What takes long, takes all memory or brings the compiler down does nothing to the simulation that runs. It is begun by
`sinew.viewer` alone, which ends it when something else is wanted; FOLDER is empty, for the files of a drop.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _core
from .._recording import RecordingWarning
from .._spec import Spec
from .._types import Model
from .._warn import ModelWarning
from ..picture.robot import is_urdf
from .link import Link
from .opening import Opened, loaded, open_drop
from .sharing import share_model, shared_model
from .watching import stamps

_MOST_LINES = 20  # of errors, of warnings, and letters of one
_MOST_LETTERS = 1000

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
        answer, opened = _answer(request, descriptors, folder, link)
    told = ModelWarning, RecordingWarning
    texts = [str(w.message) for w in caught if issubclass(w.category, told)]
    answer["warnings"] = _lines(list(dict.fromkeys(texts)), folder)
    answer["models"] = len(opened.models)
    models = [share_model(model) for model in opened.models]
    link.send(answer, [*(model.descriptor for model in models), *opened.rows])
    shutil.rmtree(folder, ignore_errors=True)  # whoever began this may have been killed
    return 0


def _answer(
    request: Words, descriptors: Sequence[int], folder: str, link: Link
) -> tuple[Words, Opened]:
    answer: Words = {"errors": [], "files": {}, "choices": []}
    try:
        if descriptors:
            return answer, open_drop(request, answer, *descriptors, folder, lambda: _shown(link))
        return answer, _on_disk(request, answer)
    except Exception as error:
        answer["errors"] = _lines([_text(error)], folder)
        _watch_more(answer, error)
        return answer, Opened()


def _shown(link: Link) -> Model | None:
    """Ask for the model that the viewer shows."""
    link.send({"wants": "model"})
    said = link.receive()
    return shared_model(Model, *said[1]) if said is not None and said[1] else None


def _text(error: Exception) -> str:
    return "out of memory" if isinstance(error, MemoryError) else str(error) or type(error).__name__


def _lines(texts: Sequence[str], folder: str) -> list[str]:
    """Return texts as lines, with names of files as they are in the drop."""
    real = os.path.realpath(folder)
    lines = [line for text in texts for line in text.splitlines() if line]
    named = [line.replace(f"{real}/drop/", "").replace(f"{folder}/drop/", "") for line in lines]
    return [line[:_MOST_LETTERS] for line in named[:_MOST_LINES]]


# ---- models on disk


def _on_disk(request: Words, answer: Words) -> Opened:
    how, packages = request["source"], request["source"]["packages"]
    # what is changed from here on is seen by the next look
    answer["files"] = stamps(_files(how["path"], packages))
    return Opened([loaded(how["path"], how, packages, None)]) if request["compile"] else Opened()


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


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
