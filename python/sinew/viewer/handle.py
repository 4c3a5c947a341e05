"""A viewer beside a program that steps: what it shows, and what is done in its pages."""

from __future__ import annotations

import collections
import contextlib
import copy
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import MjvCamera, MjvOption, MjvPerturb
from .._types import Data, Model
from ..picture.scene import MjvScene
from . import settings, wire
from .assets import asset_of
from .block import Writer
from .changes import Changes
from .keeping import keep_camera
from .late import Late
from .options import numbers_of
from .overlay import figures_of, images_of, texts_of
from .pulling import let_go, pull
from .records import merge_words, take_words, words_of
from .server import Server, open_browser
from .states import State, room_for

RATE = 60.0  # most states a second that pages are shown
_USER_GEOMS = 10000
OF_NO_MODEL = ("run", "speed", "size", "noise")  # deeds of pages that mean the same with any model
_NEWEST = ("cam", "opt", "flags", "size", "perturb")  # deeds of pages of which the last counts
_MOST_DONE = 10000  # deeds that wait for a sync
_REST, _LONGEST = (
    5.0,
    1.0,
)  # times that a state took to write until the next one is, and seconds at most


class Handle:
    """A viewer that runs beside the program that steps, made by `launch_passive`.

    Notes
    -----
    The program steps as it wants and calls `sync`, which shows the state and takes over what was done in the page: the
    force of the pointer in `xfrc_applied`, controls, positions. Between two calls nothing of the data changes.
    What belongs to the handle (`cam`, `opt`, `perturb`, `user_scn`) is changed under `lock()`.
    """

    def __init__(
        self,
        model: Model,
        data: Data,
        key_callback: Callable[[int], None] | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        browser: bool = True,
        source: str | None = None,
        panels: tuple[bool, bool] = (True, True),
    ) -> None:
        self._source, self._panels = source, panels
        self._model: Model | None = model
        self._data: Data | None = data
        self._key_callback = key_callback
        self._lock = threading.RLock()
        self._closing = threading.RLock()  # one thread closes; another waits until all is closed
        self._done: collections.deque[dict[str, Any]] = collections.deque()
        self._cam, self._opt, self._pert = MjvCamera(), MjvOption(), MjvPerturb()
        _core.mjv_defaultFreeCamera(model, self._cam)
        self._user_scn = MjvScene(model, _USER_GEOMS)
        self._told = {"cam": copy.copy(self._cam), "opt": copy.copy(self._opt)}
        self._told_flags = self._user_scn.flags.tobytes()
        self._size = [0, 0]
        self._number = 0  # of the models that were shown
        self._next = 0.0  # when the next state may be shown
        self._late = Late(self._write_late, 3 / RATE)
        self._said: dict[str, Any] = {}  # words of the state that was written last
        self._text = b"{}"
        self._open(host, port)
        if browser:
            open_browser(self.address)

    def _open(self, host: str, port: int) -> None:
        plain, self._states = self._share(*self._live())
        self._server = Server(host, port, self._hear, self._end)
        self.address = self._server.address
        self._show_model(plain, keep=False)

    def _share(self, model: Model, data: Data) -> tuple[Writer, Writer]:
        """Return memory with a model, and memory for states of it."""
        plain = Writer.of(_core.packModel(model))
        shown = sum(array.nbytes for array in _changeable(model).values())
        return plain, room_for(model, data, self._user_scn._geom_rows.nbytes + shown)

    def _show_model(self, plain: Writer, keep: bool) -> None:
        """Let pages see the model; keep: they look on as they looked at the one before."""
        self._begin_to_compare()
        views = {name: words_of(record) for name, record in self._told.items()}
        words = {
            "do": "model",
            "number": self._number,
            "keep": keep,
            "source": self._source,
            "panels": self._panels,
            "flags": self._user_scn.flags.tolist(),
            **views,
        }
        self._server.send(words, (plain.descriptor, self._states.descriptor))
        plain.close()
        self._write()

    def _begin_to_compare(self) -> None:
        """Look for what changes from now on, in the model and in what belongs to the viewer."""
        model, data = self._live()
        self._shown = _changeable(model)
        parts = {**self._shown, "option": _core.structBytes(model.opt)}
        self._model_changes = Changes({n: a for n, a in parts.items() if a.size})
        self._changed: set[str] = set()
        self._changes = b""
        parts = {name: _core.structBytes(record) for name, record in self._views().items()}
        self._view_changes = Changes({**parts, "flags": self._user_scn.flags})
        self._times = memoryview(_core.Data.timer.__get__(data))  # type: ignore[attr-defined]

    def _views(self) -> dict[str, Any]:
        return {"cam": self._cam, "opt": self._opt}

    def _replace(self, model: Model, data: Data, shared: tuple[Writer, Writer], keep: bool) -> None:
        """Show another model instead, in memory that `_share` returned; keep: from where the one before was looked at."""
        plain, states = shared
        before, _ = self._live()
        self._model, self._data = model, data
        self._states.close()
        self._states, self._number = states, self._number + 1
        if keep:
            keep_camera(self._cam, before, model)
        else:
            self._cam = MjvCamera()
            _core.mjv_defaultFreeCamera(model, self._cam)
        flags = self._user_scn.flags
        self._pert, self._user_scn = MjvPerturb(), MjvScene(model, _USER_GEOMS)
        self._user_scn.flags[:] = flags
        self._told_flags = flags.tobytes()
        self._told = {"cam": copy.copy(self._cam), "opt": copy.copy(self._opt)}
        self._show_model(plain, keep)

    def _live(self) -> tuple[Model, Data]:
        assert self._model is not None and self._data is not None
        return self._model, self._data

    # ---- what belongs to the viewer

    @property
    def cam(self) -> MjvCamera:
        """The camera of the page that controls."""
        return self._cam

    @property
    def opt(self) -> MjvOption:
        """What is shown in the page that controls."""
        return self._opt

    @property
    def perturb(self) -> MjvPerturb:
        """What the pointer of the page that controls pulls at."""
        return self._pert

    @property
    def user_scn(self) -> MjvScene:
        """Shapes of the program's own: `ngeom` of its `geoms` are shown beside the model's; and `flags` of the picture."""
        return self._user_scn

    @property
    def m(self) -> Model | None:
        """The model; None: the viewer is closed."""
        return self._model

    @property
    def d(self) -> Data | None:
        """The data; None: the viewer is closed."""
        return self._data

    def size(self) -> tuple[int, int]:
        """Return width and height of the picture in the page that controls, in pixels; 0, 0 before there is one."""
        return self._size[0], self._size[1]

    def is_running(self) -> bool:
        """Return whether the viewer is open.

        It is closed by `close`, or some seconds after the last page was closed; a page whose connection is lost, that is
        hidden or loaded again is not closed.
        """
        return self._model is not None

    def lock(self) -> contextlib.AbstractContextManager[Any]:
        """Hold the viewer while something is changed that it reads: use it in a `with` statement."""
        return self._lock

    # ---- states to pages, deeds from pages

    def sync(self, state_only: bool = False) -> None:
        """Take over what was done in the page, and show the state as it is.

        Parameters
        ----------
        state_only : bool
            Leave out what has changed in the model (colours, sizes, lights, options, ...), which takes time to find.

        Notes
        -----
        It costs a copy of the data, at most 60 times a second, and of large data at most a fifth of the time; in
        between the state is shown a little later.
        """
        with self._lock:
            if self._model is None:
                return
            self._take_over()
            self._show(state_only)

    def _show(self, state_only: bool = False) -> None:
        """Show the state as it is, or a little later where another was shown just now."""
        if time.monotonic() >= self._next:
            self._write(state_only)
        else:
            self._late.ask()

    def _write_late(self) -> None:
        """Show a state that came too soon after another."""
        with self._lock:
            if self._model is None or not self._late.asked:
                return
            if time.monotonic() < self._next:
                return  # syncs go on
            try:
                self._write()
            except RuntimeError:  # it is being stepped: the next sync shows it
                pass

    def _write(self, state_only: bool = False) -> None:
        _, data = self._live()
        self._late.asked = False
        begun, spent = time.monotonic(), time.thread_time()
        if not state_only and (found := self._model_changes.found()):
            self._note_changes(found)
        for name in self._view_changes.found():
            self._tell_view(name)
        if (words := self._status()) != self._said:
            self._said, self._text = words, wire.text(words)
        state = State(self._text, data, self._times, self._user_geoms(), self._changes)
        self._states.write(state)
        pause = min(max(1.0 / RATE, _REST * (time.thread_time() - spent)), _LONGEST)
        # one that comes late lets the next come as soon as if it had been in time: else all would be late
        self._next = min(max(self._next, begun - pause) + pause, begun + pause)

    def _status(self) -> dict[str, Any]:
        """Return what pages are told with a state: how it is run; None: a program steps."""
        return {"run": None}

    def _user_geoms(self) -> memoryview | bytes:
        count = self._user_scn.ngeom
        return self._user_scn._geom_rows[:count].data if count > 0 else b""

    def _note_changes(self, found: list[str]) -> None:
        """Keep what has ever changed in the model since it was shown first."""
        model, _ = self._live()
        self._changed |= set(found)
        arrays = {f"model.{name}": self._shown[name] for name in self._changed - {"option"}}
        if "option" in self._changed:
            arrays["option"] = numbers_of(model.opt)
        self._changes = wire.pack({}, arrays)

    def _tell_view(self, name: str) -> None:
        """Tell the pages of a camera, options or flags, if the program has changed them."""
        if name == "flags":
            if (flags := self._user_scn.flags.tobytes()) != self._told_flags:
                self._told_flags = flags
                self._server.send({"do": "flags", "words": self._user_scn.flags.tolist()})
        elif (record := self._views()[name]) != self._told[name]:
            self._told[name] = copy.copy(record)
            self._server.send({"do": name, "words": words_of(record)})

    def _hear(self, message: dict[str, Any]) -> None:
        """Take a message of the server, in its thread."""
        if message["do"] == "key":
            if self._key_callback is not None:
                self._key_callback(message["key"])
        elif message["do"] == "end":
            self._end()
        elif not self._supersedes(message) and len(self._done) < _MOST_DONE:
            self._done.append(message)

    def _supersedes(self, message: dict[str, Any]) -> bool:
        """Put a message in the place of the last, where only the newer one counts; return whether it did."""
        try:
            if message["do"] in _NEWEST and self._done[-1]["do"] == message["do"]:
                self._done[-1] = message
                return True
        except IndexError:  # a sync has taken it
            pass
        return False

    def _end(self) -> None:
        """The server has ended: so does the viewer; the program goes on."""
        with self._lock:
            self._model = self._data = None

    def _take_over(self) -> None:
        """Do what was done in the page since the last sync."""
        if self._done:
            self._compute(self._do_all())
        if self._pert.active:
            self._pull()

    def _do_all(self) -> set[str]:
        """Do what was done, and return of what kinds it was."""
        done = set()
        while self._done:
            message = self._done.popleft()
            about = message.get("model", self._number)
            if about != self._number and message["do"] not in OF_NO_MODEL:
                continue  # it is about the model before this one
            done.add(message["do"])
            self._do(message)
        return done

    def _do(self, message: dict[str, Any]) -> None:
        """Do one of the things that were done in the page."""
        if message["do"] in settings.SETTINGS:
            settings.apply(*self._live(), message)
        elif (deed := getattr(self, f"_do_{message['do']}", None)) is not None:
            deed(message)

    def _compute(self, done: set[str]) -> None:
        """Compute what pages have made of the state; what else they set counts from the next step."""
        if "joint" in done:
            _core.forward(*self._live())

    def _do_cam(self, message: dict[str, Any]) -> None:
        self._merge("cam", self._cam, message["words"])

    def _do_opt(self, message: dict[str, Any]) -> None:
        self._merge("opt", self._opt, message["words"])

    def _do_flags(self, message: dict[str, Any]) -> None:
        """Take over flags of the picture that the page has switched."""
        now, before = (
            np.array(message["words"], np.uint8),
            np.frombuffer(self._told_flags, np.uint8),
        )
        self._user_scn.flags[now != before] = now[now != before]
        self._told_flags = now.tobytes()

    def _merge(self, name: str, record: Any, words: dict[str, Any]) -> None:
        """Take over what the page has changed of a struct; what the program has changed meanwhile is told next."""
        before = self._told[name]
        merge_words(record, words, before)
        take_words(before, words)

    def _do_size(self, message: dict[str, Any]) -> None:
        self._size = message["size"]

    def _do_perturb(self, message: dict[str, Any]) -> None:
        before = copy.copy(self._pert)
        take_words(self._pert, message["words"])
        if before.select != self._pert.select or not self._pert.active:
            self._let_go(before.select)

    def _let_go(self, body: int) -> None:
        let_go(*self._live(), body)

    def _pull(self) -> None:
        """Let the pointer pull at the selected body."""
        pull(*self._live(), self._pert)

    # ---- assets that a program changes

    def update_mesh(self, meshid: int) -> None:
        """Show a mesh of the model as it is now: its vertices, normals, texture coordinates and faces.

        Raises
        ------
        ValueError
            There is none of that number.
        """
        self._update("mesh", meshid)

    def update_hfield(self, hfieldid: int) -> None:
        """Show a height field of the model as it is now; errors as of `update_mesh`."""
        self._update("hfield", hfieldid)

    def update_texture(self, texid: int) -> None:
        """Show a texture of the model as it is now; errors as of `update_mesh`."""
        self._update("texture", texid)

    def _update(self, kind: str, index: int) -> None:
        with self._lock:
            if self._model is not None:
                message = wire.pack({}, asset_of(self._model, kind, index))
                self._send_large({"do": "asset", "kind": kind, "index": index}, message)

    def _send_large(self, words: dict[str, Any], message: bytes) -> None:
        """Send a message in memory of its own."""
        once = Writer.of(message)
        self._server.send(words, (once.descriptor,))
        once.close()

    # ---- over the picture

    def set_texts(self, texts: Any) -> None:
        """Lay texts over the picture, instead of those that are there.

        Parameters
        ----------
        texts : tuple or list of tuples
            (font, gridpos, text1, text2), numbers of mjtFont and mjtGridPos; text1 is set to the left of text2, line by
            line. None is the normal font, the upper left corner, no text.
        """
        self._lay({"kind": "texts", "texts": texts_of(texts)}, {})

    def clear_texts(self) -> None:
        """Take texts away."""
        self._lay({"kind": "texts", "texts": []}, {})

    def set_images(self, viewports_images: Any) -> None:
        """Lay images over the picture, instead of those that are there.

        Parameters
        ----------
        viewports_images : tuple or list of tuples
            (rectangle, pixels): members left, bottom, width, height in pixels of the picture; an array
            [height, width, 3] of uint8, the highest row first.
        """
        places, pixels = images_of(viewports_images)
        self._lay({"kind": "images", "places": places}, pixels)

    def clear_images(self) -> None:
        """Take images away."""
        self._lay({"kind": "images", "places": []}, {})

    def set_figures(self, viewports_figures: Any) -> None:
        """Lay figures over the picture, instead of those that are there; they are drawn as they are now.

        Parameters
        ----------
        viewports_figures : tuple or list of tuples
            (rectangle, MjvFigure): members left, bottom, width, height in pixels of the picture.
        """
        figures, points = figures_of(viewports_figures)
        self._lay({"kind": "figures", "figures": figures}, points)

    def clear_figures(self) -> None:
        """Take figures away."""
        self._lay({"kind": "figures", "figures": []}, {})

    def _lay(self, words: dict[str, Any], arrays: dict[str, NDArray]) -> None:
        with self._lock:
            if self._model is not None:
                self._send_large({"do": "lay", "kind": words["kind"]}, wire.pack(words, arrays))

    # ---- the end

    def close(self) -> None:
        """Close the viewer and its pages."""
        with self._closing:
            self._close()

    def _close(self) -> None:
        """Close what is not closed yet."""
        with self._lock:
            self._model = self._data = None
        self._late.close()
        self._server.close()
        self._states.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# Arrays of a model that show in pictures and that programs change while they run.
_SHOWN = (
    "geom_", "site_", "mat_", "light_", "cam_", "tendon_rgba", "tendon_width", "skin_rgba", "body_pos", "body_quat",
)  # fmt: skip
# Those of them that do not show.
_UNSEEN = (
    "contype", "conaffinity", "condim", "priority", "solmix", "solref", "solimp", "friction", "margin", "gap", "fluid",
    "user", "plugin", "sameframe",
)  # fmt: skip


def _changeable(model: Model) -> dict[str, NDArray]:
    """Return views of these arrays."""
    names = (name for name, *_ in _core.tables()["model"])
    shown = (n for n in names if n.startswith(_SHOWN) and not n.endswith(_UNSEEN))
    return {name: getattr(model, name) for name in shown}
