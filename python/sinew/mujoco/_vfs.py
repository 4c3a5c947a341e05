"""MjVfs: files in memory by name, from which release 4.0 loads and compiles models."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator, Mapping
from typing import Any

from .. import _core
from ._load import as_found, load_path, load_text
from ._model import MjModel
from ._release import IS_LATER
from ._specs import MjSpec

__all__ = ["MjVfs"] if IS_LATER else []


class MjVfs:
    """Files in memory. A file that a model names is that of the whole name, or of the same last part in any folder.

    `vfs[name] = data` adds the bytes of a file, `del vfs[name]` takes it away; `close()`, or the end of a `with`, frees
    all of them.

    Raises
    ------
    RuntimeError
        It is closed.
    ValueError
        A name is there already.
    """

    __slots__ = ("_files",)

    def __init__(self) -> None:
        self._files: dict[str, bytes] | None = {}

    def _opened(self) -> dict[str, bytes]:
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def __setitem__(self, name: str, data: bytes) -> None:
        files = self._opened()
        if not isinstance(name, str) or not isinstance(data, bytes):
            raise TypeError("a VFS maps names (str) to bytes")
        if "\0" in name:
            raise ValueError(f"the name of a file has a null character: {name!r}")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise TypeError(f"the name of a file must be text of UTF-8, not {name!r}") from None
        if name in files:
            raise ValueError(f"Repeated file name in VFS: {name}")
        files[name] = data

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(f"File not found in VFS: {name}")
        del self._opened()[name]

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            raise TypeError(f"the name of a file must be a str, not {type(name).__name__}")
        return name in self._opened()

    def __enter__(self) -> MjVfs:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle 'MjVfs' object")

    def close(self) -> None:
        """Free the files; a closed one may be closed again."""
        self._files = None


def _given(vfs: Any, *others: Any) -> dict[str, bytes]:
    """The files of a VFS, what came last first: it counts where several have the same last part."""
    if not isinstance(vfs, MjVfs):
        raise TypeError(f"vfs must be an MjVfs, not {type(vfs).__name__}")
    if any(other is not None for other in others):
        raise ValueError("Cannot specify both 'assets' and 'vfs'.")
    return as_found(dict(reversed(vfs._opened().items())))


@contextlib.contextmanager
def _lent(spec: MjSpec, vfs: Any) -> Iterator[None]:
    """Let the spec have the files of a VFS while it compiles."""
    if vfs is None:
        yield
        return
    _core.specLend(spec._handle, _given(vfs, spec.assets or None))
    try:
        yield
    finally:
        _core.specLend(spec._handle, None)


def _loads(plain: Any) -> Any:
    """MjSpec.from_file or from_string, which takes a VFS, too."""

    @functools.wraps(plain)
    def load(
        cls: type,
        source: Any,
        include: Mapping[str, bytes] | None = None,
        assets: dict | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:
        if vfs is None:
            return plain.__get__(None, cls)(source, include, assets)
        files = _given(vfs, include, assets)
        spec = plain.__get__(None, cls)(source, files)
        for name in files:
            _core.specRemoveAsset(spec._handle, name)
        return spec

    return load


def _from_file(plain: Any) -> Any:
    load = _loads(plain)

    def from_file(
        cls: type,
        filename: str | os.PathLike,
        include: Mapping[str, bytes] | None = None,
        assets: dict | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:
        """Read a model file; `include` and `assets` hold files by name, or a `vfs` all of them."""
        return load(cls, filename, include, assets, vfs)

    return classmethod(from_file)


def _from_string(plain: Any) -> Any:
    load = _loads(plain)

    def from_string(
        cls: type,
        xml: str | bytes,
        include: Mapping[str, bytes] | None = None,
        assets: dict | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:
        """Read model text; `include` and `assets` hold files by name, or a `vfs` all of them."""
        return load(cls, xml, include, assets, vfs)

    return classmethod(from_string)


def _with_files(plain: Any) -> Any:
    """An operation on a spec, which takes a VFS, too."""

    @functools.wraps(plain)
    def operate(self: MjSpec, *args: Any, vfs: MjVfs | None = None, **given: Any) -> Any:
        taken = plain.__code__.co_argcount - 1  # of the operation itself; a VFS may follow
        if len(args) > taken:
            *args, vfs = args  # type: ignore[assignment]
        with _lent(self, vfs):
            return plain(self, *args, **given)

    return operate


def _change_spec() -> None:
    compile_plain, recompile_plain = MjSpec.compile, MjSpec.recompile

    def compile(self: MjSpec, vfs: MjVfs | None = None) -> Any:
        """The compiled model; its files may be in a `vfs`."""
        with _lent(self, vfs):
            return compile_plain(self)

    def recompile(self: MjSpec, m: Any, d: Any, vfs: MjVfs | None = None) -> Any:
        """Compile again; returns a model and a data that carry on the state of the old ones. Files may be in a `vfs`."""
        with _lent(self, vfs):
            return recompile_plain(self, m, d)

    MjSpec.compile, MjSpec.recompile = compile, recompile  # type: ignore[method-assign]
    for name in ("fuse_static", "discard_visual", "adopt_inertial"):
        setattr(MjSpec, name, _with_files(getattr(MjSpec, name)))
    for name, change in (("from_file", _from_file), ("from_string", _from_string)):
        setattr(MjSpec, name, change(vars(MjSpec)[name]))


def _change_model() -> None:
    binary_plain = vars(MjModel)["from_binary_path"]
    _Assets = Mapping[str, bytes] | None

    def from_xml_path(
        cls: type, filename: str | os.PathLike, assets: _Assets = None, vfs: MjVfs | None = None
    ) -> MjModel:
        """Load an MJCF file; `assets`, or a `vfs`, holds files by name."""
        return load_path(cls, filename, assets if vfs is None else _given(vfs, assets))

    def from_xml_string(
        cls: type, xml: str, assets: _Assets = None, vfs: MjVfs | None = None
    ) -> MjModel:
        """Load MJCF text; `assets`, or a `vfs`, holds files by name."""
        return load_text(cls, xml, assets if vfs is None else _given(vfs, assets))

    def from_binary_path(
        cls: type, filename: str | os.PathLike, assets: _Assets = None, vfs: MjVfs | None = None
    ) -> MjModel:
        """Load a binary file of `mj_saveModel`; `assets`, or a `vfs`, holds files by name."""
        plain = binary_plain.__get__(None, cls)
        if vfs is None:
            return plain(filename, assets)
        files, name = _given(vfs, assets), os.fspath(filename)
        last = {os.path.basename(n).lower(): d for n, d in reversed(files.items())}
        found = files.get(name, last.get(os.path.basename(name).lower()))
        return plain(filename, None if found is None else {name: found})

    for function in (from_xml_path, from_xml_string, from_binary_path):
        setattr(MjModel, function.__name__, classmethod(function))


if IS_LATER:
    MjVfs.__module__ = MjSpec.__module__
    _change_spec()
    _change_model()
