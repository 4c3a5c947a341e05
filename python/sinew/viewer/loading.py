"""What a viewer shows: a file's model, anew when that changes, or a model and recordings that were dropped into a page."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _core
from ..picture.tracks import Track
from .block import Writer
from .link import Link
from .sharing import share_model, shared_model, shared_rows
from .watching import Stamps, Watch

_PAUSE = 0.02  # seconds before a process is begun

Words = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A model on disk, and how it is read.

    Parameters
    ----------
    path : str
    packages : sequence of str
        Folders of ROS packages.
    strict, anywhere : bool
    physics : str or None
        As of `Model.from_path`.
    visuals : bool
        A URDF looks as its visual shapes do.
    """

    path: str
    packages: Sequence[str] = ()
    strict: bool = False
    anywhere: bool = False
    visuals: bool = True
    physics: str | None = None

    def words(self) -> Words:
        """Return it as words for the process that compiles."""
        return {
            "path": os.path.abspath(self.path),
            "packages": [os.path.abspath(folder) for folder in self.packages],
            "strict": self.strict,
            "anywhere": self.anywhere,
            "visuals": self.visuals,
            "physics": self.physics,
        }


_closing = threading.Lock()


@dataclass(eq=False)
class _Wanted:
    """What is wanted: a file's model, or what of a drop."""

    source: Source | None = None
    drop: int = -1  # descriptor of its memory
    choice: tuple[str, ...] = ()  # of what the drop has

    @property
    def name(self) -> str:
        return self.source.path if self.source else self.choice[-1] if self.choice else "the drop"

    def close(self) -> None:
        with _closing:  # a viewer may be closed by two threads at once
            drop, self.drop = self.drop, -1
        if drop >= 0:
            os.close(drop)


class Loading:
    """Has models compiled and recordings read in another process, one at a time; a newer wish ends an older one.

    Parameters
    ----------
    model, data : type
        Classes of what is made.
    source : Source or None
        Of the model that is shown first; None: it has no file.
    empty : bool
        Nothing is shown yet.
    share : callable
        Called with a model and its data, in a thread; returns the memory in which a viewer shows them.
    post : callable
        Called with a message to the viewer, `loaded` or `changed`, in a thread.
    opened : callable
        Returns the model that is shown, None where the viewer is closed; called in a thread.

    Attributes
    ----------
    words : dict
        What pages are told.
    """

    def __init__(
        self,
        model: type,
        data: type,
        source: Source | None,
        empty: bool,
        share: Callable[[Any, Any], tuple[Writer, Writer]],
        post: Callable[[Words], None],
        opened: Callable[[], Any],
    ) -> None:
        self._classes, self._share, self._post = (model, data), share, post
        self._opened = opened
        self._shown = _Wanted(source) if source else None
        self._asked: _Wanted | None = None
        self._number = 0
        self._missed = False  # a file has changed while something else was loaded or played
        self._waits = False
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._files: Stamps = {}
        self._watch = Watch(lambda: post({"do": "changed"}))
        self.words: Words = {"busy": "", "told": [], "asks": "", "choices": [], "empty": empty}
        if self._shown:
            self._begin(self._shown, compile=False)

    @property
    def path(self) -> str | None:
        """The file of the model that is shown; None: it has none."""
        return self._shown.source.path if self._shown and self._shown.source else None

    @property
    def shows_first(self) -> bool:
        """Whether the model is the viewer's first, and that has no file."""
        return self._shown is None

    # ---- wishes

    def drop(self, descriptor: int) -> None:
        """Show what was dropped; the descriptor of its memory is taken over."""
        self._begin(_Wanted(drop=descriptor))

    def choose(self, name: str) -> None:
        """Show one of several models or recordings of a drop; empty: none of them."""
        if self._asked is None or not self.words["choices"]:
            return
        if name:
            self._begin(_Wanted(drop=os.dup(self._asked.drop), choice=(*self._asked.choice, name)))
        else:
            self.words["choices"] = []
            self._go_back()

    def reload(self, reset: bool) -> None:
        """Show the model that is shown as it is now; reset: from its first state on."""
        if reset and self.words["busy"]:
            return  # it is on its way, or something else is
        if self._shown is None:
            self.words["told"] = [
                "this model was not read from a file: there is nothing to load again"
            ]
        else:
            self._begin(self._shown, reset=reset)

    def changed(self) -> None:
        """A file of the model has changed."""
        others = self.words["busy"] or self.words["choices"]
        if self._waits or (others and self._asked is not self._shown):
            self._missed = True
        else:
            self.reload(reset=False)

    def wait(self, on: bool) -> None:
        """Let files change and load the model when that is over; a model that is played stays as it is."""
        self._waits = on
        if not on and self._missed and not self.words["busy"]:
            self._missed = False
            self.reload(reset=False)

    # ---- the process that compiles

    def _begin(self, wanted: _Wanted, compile: bool = True, reset: bool = False) -> None:
        number = self._stop()
        if self.words["busy"] and self.path and self._asked is self._shown:
            self._missed = wanted is not self._shown  # its files have changed
        if self._asked is not None and self._asked not in (self._shown, wanted):
            self._asked.close()
        self._asked = wanted
        if compile:
            self.words |= {"busy": wanted.name, "choices": []}
        # what was played with a model is not played again with it
        request = {"compile": compile, "choice": wanted.choice, "alone": wanted is self._shown}
        if wanted.source:
            request["source"] = wanted.source.words()
        drop = os.dup(wanted.drop) if wanted.drop >= 0 else -1
        note = {"do": "loaded", "number": number, "compiled": compile, "reset": reset}
        threading.Thread(
            target=self._run, args=(note, request, drop), name="sinew loading", daemon=True
        ).start()

    def _stop(self) -> int:
        """End the process that compiles what is no longer wanted; return the number of the next wish."""
        with self._lock:
            self._number += 1
            if self._child is not None:
                self._child.kill()
            return self._number

    def _run(self, note: Words, request: Words, drop: int) -> None:
        try:
            self._compile(note, request, [drop] if drop >= 0 else [])
        except Exception as error:  # no memory for its data, no process, ...
            note["errors"] = [str(error) or type(error).__name__]
        finally:
            if drop >= 0:
                os.close(drop)
        self._post(note)

    def _compile(self, note: Words, request: Words, descriptors: list[int]) -> None:
        time.sleep(_PAUSE)
        if note["number"] != self._number:
            return  # of many wishes in a row the last is done
        with tempfile.TemporaryDirectory(prefix="sinew-", ignore_cleanup_errors=True) as folder:
            said = self._ask(note["number"], request, descriptors, folder)
        if said is None:
            note["errors"] = ["the process that compiles it has ended before it was done"]
            return
        answer, memory = said
        note.update(answer)
        self._make(note, memory)

    def _ask(
        self, number: int, request: Words, descriptors: list[int], folder: str
    ) -> tuple[Words, list[int]] | None:
        ours, theirs = socket.socketpair()
        link = Link(ours)
        with theirs, self._lock:
            if number != self._number:
                link.close()
                return None
            words = [sys.executable, "-m", "sinew.viewer.compiling", str(theirs.fileno()), folder]
            child = self._child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], start_new_session=True
            )
        link.send(request, descriptors)
        said = link.receive()
        if said is not None and said[0].get("wants") == "model":
            self._give_model(link)
            said = link.receive()
        link.close()
        child.wait()
        return said

    def _give_model(self, link: Link) -> None:
        """Give the model that is shown, where it is one."""
        model = None if self.words["empty"] else self._opened()
        if model is None:
            link.send({})
        else:
            memory = share_model(model)
            link.send({}, (memory.descriptor,))
            memory.close()

    def _make(self, note: Words, memory: list[int]) -> None:
        """Make models, a data of the first at its first state, and what is played of it and beside it."""
        of_model, of_data = self._classes
        models = [shared_model(of_model, one) for one in memory[: note["models"]]]
        runs = [shared_rows(one) for one in memory[note["models"] :]]
        if runs:
            played = models or [self._opened()]
            note["tracks"] = [
                Track(played[min(k, len(played) - 1)], run) for k, run in enumerate(runs)
            ]
            note["beside"] = [of_data(track.model) for track in note["tracks"][1:]]
        if models:
            data = of_data(models[0])
            _core.forward(models[0], data)
            note |= {"shared": self._share(models[0], data), "made": (models[0], data)}

    # ---- its answers

    def is_again(self) -> bool:
        """Return whether what is loaded is what is shown."""
        return self._shown is not None and self._asked is self._shown

    def take(self, note: Words) -> bool:
        """Take an answer; return whether its model is to be shown."""
        if note["number"] != self._number or self._asked is None:
            for writer in note.get("shared", ()):
                writer.close()
            return False
        self._take_files(note.get("files") or {}, "made" in note)
        if not note["compiled"]:
            return False
        self.words |= self._said(note)
        if "made" in note:
            self._take_over(note.get("name"))
        elif "tracks" in note:
            self._asked.close()
        elif not self.words["choices"]:
            self._go_back()
        return "made" in note or "tracks" in note

    def _go_back(self) -> None:
        """What was asked for is not shown: what is shown is watched as before."""
        shown = self._shown
        if shown is None or shown is self._asked or shown.source is None:
            return
        missed = self._missed and not self._waits
        if missed or not self._files:
            self._missed = self._missed and self._waits
            self._begin(shown, compile=missed)

    def _said(self, note: Words) -> Words:
        assert self._asked is not None
        errors = note.get("errors") or ()
        if errors:
            self.tell_error(note.get("name") or self._asked.name, errors)
        told = self.words["told"] if errors else []
        warnings = [f"warning: {line}" for line in note.get("warnings") or ()]
        asks, choices = note.get("asks") or "", note.get("choices") or []
        return {"busy": "", "told": told + warnings, "asks": asks, "choices": choices}

    def tell_error(self, name: str, errors: Sequence[str]) -> None:
        """Tell why something is not shown."""
        first = f"{os.path.basename(name)} is not loaded, what was there before stays:"
        self.words["told"] = [first, *errors]

    def _take_over(self, name: str | None) -> None:
        """What was asked for is shown."""
        assert self._asked is not None
        if self._shown is not None and self._shown is not self._asked:
            self._shown.close()
        self._shown, self._missed = self._asked, False
        if name and name not in self._shown.choice:
            self._shown.choice = (*self._shown.choice, name)
        self.words["empty"] = False
        if self._shown.source is None:
            self._watch.look_at({})

    def _take_files(self, files: Stamps, loaded: bool) -> None:
        """Watch the files that a model on disk is made of; those of before, too, while it is not whole."""
        if files:
            self._files = files if loaded else {**self._files, **files}
            self._watch.look_at(self._files)

    def close(self) -> None:
        """End it."""
        self._watch.close()
        self._stop()
        for wanted in (self._asked, self._shown):
            if wanted is not None:
                wanted.close()
