"""Model and Data: the extension's types with names, records, copying and pickling."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._packages import Folders, load_model

_RECORDS = _core.tables()["records"]


class Contact(np.record):
    """One contact: dist, pos, frame, geom, friction, dim, efc_address, ... (a view)."""

    @property
    def geom1(self) -> int:
        """First geom."""
        return self.geom[0]

    @property
    def geom2(self) -> int:
        """Second geom."""
        return self.geom[1]


class ContactArray(np.recarray):
    """Contacts as a structured array: `d.contact[0].dist`, `d.contact.geom`."""

    def __array_finalize__(self, obj: Any) -> None:
        # np.recarray would make the entries np.record here; they are Contact already
        pass

    @property
    def geom1(self) -> np.ndarray:
        """First geom of each contact."""
        return self.geom[..., 0]

    @property
    def geom2(self) -> np.ndarray:
        """Second geom of each contact."""
        return self.geom[..., 1]


def _record_type(name: str, record: type = np.record) -> np.dtype:
    size, members = _RECORDS[name]
    formats = [f if count == 1 else (f, (count,)) for _, f, count, _, _ in members]
    names, offsets = [m[0] for m in members], [m[3] for m in members]
    fields = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    return np.dtype((record, np.dtype(fields)))


_CONTACT = _record_type("snContact", Contact)
_WARNING = _record_type("snWarningStat")
_TIMER = _record_type("snTimerStat")
_SOLVER = _record_type("snSolverStat")
_IMPULSE = _record_type("snImpulse")


def _records(raw: np.ndarray, dtype: np.dtype, cls: type = np.recarray) -> Any:
    return np.ndarray.__new__(cls, (len(raw),), dtype=dtype, buffer=raw)


class Model(_core.Model):
    """A compiled model: everything about a robot and its world that does not change while it moves.

    Its arrays are NumPy views of the C memory and may be changed between steps; `opt`, `vis` and
    `stat` hold the settings. `Model.from_path(path)` and `Model.from_xml(text)` make one.
    """

    __slots__ = ("__weakref__",)

    @classmethod
    def from_path(
        cls,
        path: str | os.PathLike,
        *,
        package_dirs: Folders = (),
        strict: bool = False,
        anywhere: bool = False,
        physics: str | None = None,
    ) -> Model:
        """Load a model file: MJCF, URDF, or a compiled model (.snb) as `save` writes it.

        Parameters
        ----------
        path : str or path-like
            The file; what it includes is found relative to it. Its contents tell of which kind it is.
        package_dirs : path or iterable of paths, optional
            Folders of ROS packages, for `package://` in a URDF; `Spec.from_urdf` has what else URDF can be
            read with.
        strict : bool
            A warning (`ModelWarning`) is an error.
        anywhere : bool
            The model may name any file; else only those below its folder, and models, meshes and PNG elsewhere
            (docs/assets.md).
        physics : str, optional
            Which MuJoCo's rules the model is compiled and stepped by, "3.3.7" or "4.0" (docs/releases.md), whatever
            its text field `sinew_physics` says. None: as that says, else 4.0.

        Warns
        -----
        ModelWarning
            The model says what cannot be meant, and loads all the same; `file` and `line` say where.

        Raises
        ------
        ModelError
            The model is wrong; `file` and `line` say where.
        NotSupportedError
            It uses something that Sinew has not yet.
        OSError
            A file cannot be read (FileNotFoundError: it is not there).
        """
        return load_model(cls, path, package_dirs, strict, anywhere, physics=physics)

    @classmethod
    def from_xml(
        cls,
        text: str | bytes,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        strict: bool = False,
        anywhere: bool = False,
        physics: str | None = None,
    ) -> Model:
        """Load MJCF text.

        Parameters
        ----------
        text : str or bytes
            The model.
        assets : mapping of str to bytes, optional
            Files that the model names; what is not here is looked for on disk.
        strict : bool
            A warning (`ModelWarning`) is an error.
        anywhere : bool
            The model may name any file; else only those below its folder, and models, meshes and PNG elsewhere
            (docs/assets.md).
        physics : str, optional
            As of `from_path`.

        Raises
        ------
        ModelError, NotSupportedError, OSError
            As `from_path`.
        """
        return _core.loadModelText(
            cls, text, None if assets is None else dict(assets), strict, anywhere, physics
        )

    def save(self, path: str | os.PathLike) -> None:
        """Write the compiled model to a binary file (.snb), which `from_path` loads quickly.

        The file is for this version of Sinew; another one refuses it. It appears under its name when it is
        whole.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        _core.saveModel(self, path)

    def load_texture(self, index: int) -> tuple[NDArray[np.uint8], int]:
        """Return the pixels of a texture (height x width x channels), a copy, and its colour space (ColorSpace).

        Those of a texture by reference (`tex_adr` -1) are read from its file (`tex_pathadr`), as compiling would have
        done it.

        Raises
        ------
        ValueError
            There is no such texture, or its file makes none.
        OSError
            The file cannot be read.
        """
        data, height, width, colorspace = _core.loadTexture(self, index)
        pixels = np.frombuffer(data, np.uint8).reshape(height, width, int(self.tex_nchannel[index]))
        return pixels.copy(), colorspace

    def embed_assets(self) -> Model:
        """Return a copy of the model in which no texture is by reference: as if they had been embedded when it was
        compiled.

        Raises
        ------
        ValueError
            A file makes no texture.
        OSError
            A file cannot be read.
        """
        return _core.embedAssets(type(self), self)

    def _repr_png_(self) -> bytes | None:
        """Notebooks show the model at its first state; None: nothing can be drawn here."""
        from .picture.show import shown_png

        return shown_png(self, None)

    def __copy__(self) -> Model:
        return _core.copyModel(type(self), self)

    def __deepcopy__(self, memo: dict) -> Model:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return _unpack_model, (type(self), _core.packModel(self))

    def __repr__(self) -> str:
        sizes = ", ".join(f"{n}={getattr(self, n)}" for n in ("nq", "nv", "nu", "nbody", "ngeom"))
        return f"<{type(self).__module__.removesuffix('._types')}.{type(self).__name__} {sizes}>"


class Data(_core.Data):
    """The state of one simulation and everything computed from it.

    Parameters
    ----------
    model : Model
        Whose simulation it is.

    Notes
    -----
    Arrays are NumPy views of the C memory and keep it alive. Views of contacts and constraint rows
    (`contact`, `efc_*`) have the rows of the moment at which they were asked for; the next step
    writes new contents into the same memory, so ask again or copy. Threads may step different Data
    at the same time; using one from two threads at once raises RuntimeError.
    """

    __slots__ = ("__weakref__",)

    @property
    def efc_J(self) -> np.ndarray:
        """Jacobian of the constraint rows (nefc x nv), made anew each time that it is asked for.

        The library keeps only what a row touches.
        """
        J = np.empty((self.nefc, self.model.nv))
        _core.efcJ(self.model, self, J)
        return J

    @property
    def ten_J(self) -> np.ndarray:
        """Moment arms of the tendons (ntendon x nv), made anew each time that they are asked for.

        The library keeps only what is not zero.
        """
        J = np.empty((self.model.ntendon, self.model.nv))
        _core.tenJ(self.model, self, J)
        return J

    @property
    def contact(self) -> ContactArray:
        """Contacts (ncon); `contact[i].dist`, `contact.geom`."""
        return _records(super().contact, _CONTACT, ContactArray)

    @property
    def warning(self) -> np.recarray:
        """Warnings since the last reset, by `sinew.Warning`: lastinfo, number."""
        return _records(super().warning, _WARNING)

    @property
    def timer(self) -> np.recarray:
        """Where time goes, by `sinew.Timer`: duration, number; counted under the callback "time"."""
        return _records(super().timer, _TIMER)

    @property
    def solver(self) -> np.recarray:
        """Statistics of the solver's first iterations: improvement, gradient, lineslope, ..."""
        return _records(super().solver, _SOLVER)

    @property
    def impulse(self) -> np.recarray:
        """Impulses (nimpulse) that a step with rigid contacts starts from: "id", "pos", "lambda"; read-only."""
        impulse = _records(super().impulse, _IMPULSE)
        impulse.flags.writeable = False
        return impulse

    def set_callback(self, name: str, function: Callable[..., Any] | None) -> None:
        """Let a function of yours take part in the simulation of this data.

        Parameters
        ----------
        name : str
            When it is called, and with what: "passive" (model, data) adds to `qfrc_passive`;
            "control" (model, data) sets `ctrl`; "contactfilter" (model, data, geom1, geom2) returns
            True to drop a contact; "sensor" (model, data, stage) fills user sensors in `sensordata`;
            "act_dyn", "act_gain", "act_bias" (model, data, actuator) return the rate of activation,
            gain and bias of actuators of type user; "time" () is a clock, as `time.perf_counter`,
            under which `timer` counts.
        function : callable or None
            None takes it away.

        Notes
        -----
        It may read everything and call functions on the data that do not run the simulation. An
        exception in it ends the step and comes out of it; the state is then that before the step.
        Copies share the function, pickles leave it out. `<sinew/callback.h>` has the details.
        """
        _core.setCallback(self, name, function)

    def get_callback(self, name: str) -> Callable[..., Any] | None:
        """Return the callback of that name, None if there is none."""
        return _core.getCallback(self, name)

    def _repr_png_(self) -> bytes | None:
        """Notebooks show the simulation at its state; None: nothing can be drawn here."""
        from .picture.show import shown_png

        return shown_png(self.model, self)

    def __copy__(self) -> Data:
        return _core.copyData(type(self), self.model, self)

    def __deepcopy__(self, memo: dict) -> Data:
        # The model is shared, unless the same deepcopy has copied it before.
        return _core.copyData(type(self), memo.get(id(self.model), self.model), self)

    def __reduce__(self) -> Any:
        return _unpack_data, (type(self), self.model, _core.packData(self))

    def __repr__(self) -> str:
        name = f"{type(self).__module__.removesuffix('._types')}.{type(self).__name__}"
        return f"<{name} time={self.time:g} ncon={self.ncon} nefc={self.nefc}>"


def _unpack_model(cls: type[Model], packed: bytes) -> Model:
    return _core.unpackModel(cls, packed)


def _unpack_data(cls: type[Data], model: Model, packed: bytes) -> Data:
    return _core.unpackData(cls, model, packed)
