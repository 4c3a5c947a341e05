"""Files that are written beside their place and appear there when they are whole."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys


def _refusal(path: str) -> str | None:
    """Why a path can be no file of ours, if something that cannot be replaced is there."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return None if stat.S_ISREG(mode) else "it is not a regular file"


class Output:
    """A file on its way: written as `part`, which `keep` renames and `drop` removes.

    Folders, pipes and devices are refused and stay as they are; a link stays, too, its target is replaced and keeps its
    permissions. What a killed process has written stays in `part`.

    Attributes
    ----------
    path : str
        As the caller calls it.
    part : str
        What the file is called until it is whole: PATH.part, or if that is there PATH.partPID-N.
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = os.fspath(path)
        if why := _refusal(self.path):
            raise OSError(errno.EINVAL, why, self.path)
        self._target = os.path.realpath(self.path)
        self.part = ""
        with self.blamed():
            self.part = self._begun()

    def _begun(self) -> str:
        if not self.path:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        for attempt in range(100):
            part = f"{self._target}.part" + (f"{os.getpid()}-{attempt}" if attempt else "")
            try:
                file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                continue
            with contextlib.suppress(FileNotFoundError):
                if os.chmod in os.supports_fd:
                    os.chmod(file, os.stat(self._target).st_mode & 0o777)
            os.close(file)
            return part
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    @contextlib.contextmanager
    def blamed(self):
        """Errors of the system inside have the caller's name of the file, and leave none behind."""
        try:
            yield
        except OSError as error:
            self.drop()
            number = error.errno or errno.EIO
            raise OSError(number, error.strerror or os.strerror(number), self.path) from error

    def keep(self) -> None:
        """Put the file, which is closed and whole, into its place."""
        with self.blamed():
            # Windows syncs what may be written to alone; elsewhere permissions may be those of a file for readers
            file = os.open(self.part, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
            try:
                os.fsync(file)
            finally:
                os.close(file)
            os.replace(self.part, self._target)
            self.part = ""

    def drop(self) -> None:
        """Remove what has been written."""
        if self.part:
            with contextlib.suppress(OSError):
                os.unlink(self.part)
        self.part = ""


def write_whole(path: str | os.PathLike, data: bytes) -> None:
    """Write a file whole or not at all."""
    output = Output(path)
    with output.blamed(), open(output.part, "wb") as file:
        file.write(data)
    output.keep()
