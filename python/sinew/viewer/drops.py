"""Files that were dropped into a page: which are models and recordings, and a folder from which nothing leads out.

A drop is the length of a list in 4 bytes, the lowest first, the list [[name, bytes], ...] as JSON, and the contents of the
files, one behind the other.
"""

from __future__ import annotations

import io
import json
import os
import posixpath
import re
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from .._recording.file import MCAP

MOST_BYTES = 1 << 28  # of all files, and of what their archives hold
MOST_FILES = 10_000
MOST_LISTED = 1 << 23  # bytes of the list
_MOST_NAME = 1000  # letters of a name, and of one of its parts
_MOST_PART = 255
_MOST_RATIO = 200  # of a packed file that is large; models and meshes stay below 50
_LARGE = 1 << 20
_PORTION = 1 << 20
_MOST_DIRECTORY = 1 << 22  # bytes of an archive's own list
_LENGTH = struct.Struct("<I")
_RECORDINGS = (".npy", ".csv", ".mcap")
_STATES = b"qpos", b"mocap_pos"  # of which at least one is in a recording
_HEAD = 1 << 16  # bytes of a file in which its root element stands

Files = dict[str, bytes]


class Refused(ValueError):
    """A drop cannot be opened; the text says what is wrong with which file."""


def files_of(drop: bytes | memoryview) -> Files:
    """Return the files of a drop by their names, archives unpacked.

    Raises
    ------
    Refused
        A name leads out of the drop, there is too much of something, an archive is broken.
    """
    gathered = _Gathered()
    for name, content in _listed(drop):
        if name.lower().endswith(".zip"):
            _unpack(_clean(name), content, gathered)
        else:
            gathered.put(_clean(name), bytes(content))
    files = gathered.files
    for above in {above for name in files for above in _folders_above(name)}:
        if above in files:
            raise Refused(f"{above}: is a file and a folder in one drop")
    return files


class _Gathered:
    """Files by their names, as many as there may be."""

    def __init__(self) -> None:
        self.files: Files = {}
        self.room = MOST_BYTES

    def put(self, name: str, content: bytes) -> None:
        """Add a file; what systems leave beside files is left out."""
        if any(part.startswith(".") or part == "__MACOSX" for part in name.split("/")):
            return
        if name in self.files:
            raise Refused(f"{name}: is there twice")
        self.files[name] = content
        self.room -= len(content)
        if len(self.files) > MOST_FILES:
            raise Refused(f"more than {MOST_FILES} files are dropped")
        if self.room < 0:
            raise Refused(f"{name}: up to this file there are more than {MOST_BYTES >> 20} MB")


def _listed(drop: bytes | memoryview) -> Iterator[tuple[str, memoryview]]:
    view = memoryview(drop)
    try:
        (length,) = _LENGTH.unpack_from(view)
        listed = json.loads(bytes(view[_LENGTH.size : _LENGTH.size + length]))
        rows = [(str(name), int(size)) for name, size in listed]
    except (struct.error, ValueError, TypeError, RecursionError) as error:
        raise Refused("the drop has no list of files") from error
    behind = view[_LENGTH.size + length :]
    if len(rows) > MOST_FILES:
        raise Refused(f"{len(rows)} files are dropped, {MOST_FILES} at most")
    if any(size < 0 for _, size in rows) or sum(size for _, size in rows) != len(behind):
        raise Refused("the drop is not whole; drop it again")
    at = 0
    for name, size in rows:
        yield name, behind[at : at + size]
        at += size


# ---- names


def _clean(name: str) -> str:
    """Return a name with slashes and without what leads nowhere."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    if name.startswith(("/", "\\")) or ":" in name or ".." in parts:
        raise Refused(
            f"the name {name[:200]!r} leads out of the drop; name files from a folder in it on"
        )
    if not parts or not name.isprintable() or len(name) > _MOST_NAME:
        raise Refused(f"{ascii(name[:200])} is no name of a file")
    if any(len(part.encode()) > _MOST_PART for part in parts):
        raise Refused(f"the name {name[:200]!r} is too long")
    return "/".join(parts)


def _folders_above(name: str) -> Iterator[str]:
    while name := posixpath.dirname(name):
        yield name


# ---- archives


class _Archive(io.BytesIO):
    """An archive whose own list is short: what it says of itself is not believed."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > _MOST_DIRECTORY:
            raise Refused("it lists too many files")
        return super().read(size)


def _unpack(archive: str, content: memoryview, gathered: _Gathered) -> None:
    """Add the files of an archive, in the folder where it lies; an archive in it stays one."""
    folder = posixpath.dirname(archive)
    try:
        with zipfile.ZipFile(_Archive(content)) as opened:
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES:
                raise Refused(f"it has {len(entries)} files, {MOST_FILES} at most")
            for entry in entries:
                name = _clean(entry.filename)
                gathered.put(posixpath.join(folder, name), _unpacked(opened, entry, gathered.room))
    except Refused as refused:
        raise Refused(f"{archive}: {refused}") from refused
    except Exception as error:  # zipfile has them of all kinds: BadZipFile, zlib.error, EOFError, struct.error, ...
        raise Refused(f"{archive}: cannot be unpacked: {error or type(error).__name__}") from error


def _unpacked(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, room: int) -> bytes:
    kind = entry.external_attr >> 16
    if stat.S_IFMT(kind) not in (0, stat.S_IFREG):
        raise Refused(f"{entry.filename!r} is a link; put the file itself into its place")
    if entry.flag_bits & 1:
        raise Refused(f"{entry.filename!r} is encrypted")
    parts, count = [], 0
    with opened.open(entry) as packed:
        while part := packed.read(_PORTION):
            parts.append(part)
            count += len(part)
            if count > room:
                raise Refused(f"unpacked, the files have more than {MOST_BYTES >> 20} MB")
            if count > _LARGE and count > _MOST_RATIO * max(1, entry.compress_size):
                raise Refused(
                    f"{entry.filename!r} is {_MOST_RATIO} times as large unpacked: it is taken for a zip bomb; "
                    "drop the file itself"
                )
    return b"".join(parts)


# ---- models

_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")
_TAG = re.compile(rb"<(?:include|model)\s[^<>]*>")
_FILE = re.compile(rb"""\sfile\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_KINDS = {b"mujoco": "MJCF", b"robot": "URDF"}
_ENDINGS = (".xml", ".mjcf", ".urdf")


def _kind(name: str, content: bytes) -> str | None:
    """Return of which kind a model is; None: it is none."""
    if name.lower().endswith(".snb"):
        return "compiled"
    if not name.lower().endswith(_ENDINGS):
        return None
    found = _ROOT.search(b"".join(_without_comments(content[:_HEAD])))
    return None if found is None else _KINDS.get(found[1])


def _without_comments(text: bytes) -> Iterator[bytes]:
    while True:
        before, begun, behind = text.partition(b"<!--")
        yield before
        if not begun:
            return
        text = behind.partition(b"-->")[2]


def _named(name: str, content: bytes) -> Iterator[str]:
    """Return what an MJCF includes or attaches, as named from its folder on, and as it is written."""
    for tag in _TAG.finditer(content):
        found = _FILE.search(tag[0])
        if found is not None:
            file = (found[1] or found[2] or b"").decode(errors="replace").replace("\\", "/")
            yield posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
            yield posixpath.normpath(file)


def shown_of(files: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
    """Return the names of the files that could be the model, and of recordings that could be played with it.

    Raises
    ------
    Refused
        There is none of either.
    """
    models, runs = _models(files), _recordings(files)
    if not models and not runs:
        raise Refused(
            f"none of {len(files)} files is a model: MJCF has the root <mujoco>, URDF <robot>, a compiled model the "
            "ending .snb; or a recording: .npy, .csv, .mcap"
        )
    if models:  # folders of robots have tables of their own, which are nothing to play
        runs = [name for name in runs if _is_of_states(name, files[name])]
    return models, runs


def _recordings(files: Mapping[str, bytes]) -> list[str]:
    return sorted(name for name in files if name.lower().endswith(_RECORDINGS))


def _is_of_states(name: str, content: bytes) -> bool:
    """Return whether a file by its beginning is a recording of states."""
    head = content[:_HEAD]
    if name.lower().endswith(".csv"):
        head = head.partition(b"\n")[0]
    return head.startswith(MCAP) or (b"time" in head and any(word in head for word in _STATES))


def _models(files: Mapping[str, bytes]) -> list[str]:
    """Return the names of the files that could be the model: no other one includes them."""
    kinds = {name: _kind(name, content) for name, content in files.items()}
    models = sorted(name for name, kind in kinds.items() if kind)
    parts = {
        part
        for name in models
        if kinds[name] == "MJCF"
        for part in _named(name, files[name])
        if part != name
    }
    return [name for name in models if parts.isdisjoint(_ends(name))] or models


def _ends(name: str) -> Iterator[str]:
    """Return a name as it is called from each of the folders above it."""
    yield name
    while "/" in name:
        name = name.partition("/")[2]
        yield name


# ---- on disk


def lay_out(files: Mapping[str, bytes], folder: str) -> None:
    """Write the files into a folder that is empty."""
    made = set()
    for name, content in files.items():
        path = os.path.join(folder, *name.split("/"))
        above = os.path.dirname(path)
        if above not in made:
            os.makedirs(above, exist_ok=True)
            made.add(above)
        with open(path, "xb") as file:
            file.write(content)


def packages_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the folders of the ROS packages in a drop by the names that they have of themselves."""
    packages: dict[str, str] = {}
    for name, content in files.items():
        found = re.search(rb"<name>\s*([\w.-]+)\s*</name>", content[:_HEAD])
        if posixpath.basename(name) == "package.xml" and found is not None:
            packages.setdefault(found[1].decode(errors="replace"), posixpath.dirname(name))
    return {name: folder for name, folder in packages.items() if name.strip(".")}


def pack_drop(files: Mapping[str, bytes]) -> bytes:
    """Return files as a drop."""
    listed: Any = json.dumps([[name, len(content)] for name, content in files.items()]).encode()
    return b"".join([_LENGTH.pack(len(listed)), listed, *files.values()])
