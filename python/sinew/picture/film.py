"""Films, written picture by picture: MP4, GIF, or a PNG file each."""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import threading
import zlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._extra import extra
from .._output import Output, write_whole
from .pixels import checked_pixels, image, png

Pixels = NDArray[np.uint8]


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits until the end of the block, so that a film is left between two pictures."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    came: list[Any] = []
    if callable(before):
        signal.signal(signal.SIGINT, lambda *arguments: came.append(arguments))
    try:
        yield
    finally:
        if callable(before):
            signal.signal(signal.SIGINT, before)
            if came:
                before(*came[-1])


class _Mp4:
    """H.264 in an MP4 file, in colours of BT.709, its index at the front so that browsers start at once.

    Its sizes are even: where a picture's is not, its last row or column stands twice.
    """

    MOST_FPS = 1000.0
    LARGEST = 16384  # of H.264

    def __init__(self, path: str, fps: float) -> None:
        self._av = extra("av", "films")
        self._fps = Fraction(fps).limit_denominator(1001)
        self._output = Output(path)
        self._container: Any = None

    def _open(self, width: int, height: int) -> None:
        with self._output.blamed():
            self._container = self._av.open(
                self._output.part, "w", format="mp4", options={"movflags": "+faststart"}
            )
        stream = self._container.add_stream(
            "libx264", rate=self._fps, options={"crf": "18", "preset": "fast"}
        )
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        codec = stream.codec_context
        codec.colorspace = codec.color_primaries = codec.color_trc = 1  # BT.709
        codec.color_range = 1  # 16 to 235
        self._stream = stream

    def add(self, pixels: Pixels) -> None:
        height, width, _ = pixels.shape
        pixels = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
        if self._container is None:
            self._open(width + width % 2, height + height % 2)
        frame = self._av.VideoFrame.from_ndarray(pixels, format="rgb24")
        self._encode(frame.reformat(format="yuv420p", dst_colorspace=1, dst_color_range=1))

    def _encode(self, frame: Any) -> None:
        with self._output.blamed():
            for packet in self._stream.encode(frame):
                self._container.mux(packet)

    def keep(self) -> None:
        self._encode(None)
        with self._output.blamed():
            self._container.close()
        self._output.keep()

    def drop(self) -> None:
        if self._container is not None:
            with contextlib.suppress(Exception):
                self._container.close()
        self._output.drop()


class _Gif:
    """A GIF of 255 colours, the same for all pictures; they are chosen, and the file is written, at the end.

    Until then pictures are kept compressed, some twentieth of their size.
    """

    MOST_FPS = 50.0  # what browsers still show in time
    LARGEST = 65535
    SAMPLES = 16  # pictures that the colours are chosen from

    def __init__(self, path: str, fps: float) -> None:
        self._image = extra("PIL.Image", "films")
        self._fps = fps
        self._output = Output(path)
        self._frames: list[bytes] = []
        self._shape: tuple[int, ...] = ()

    def add(self, pixels: Pixels) -> None:
        self._shape = pixels.shape
        self._frames.append(zlib.compress(pixels, 1))

    def _pixels(self, k: int) -> Pixels:
        return np.frombuffer(zlib.decompress(self._frames[k]), np.uint8).reshape(self._shape)

    def _palette(self) -> Any:
        """The colours of pictures spread over the film, a part of their pixels."""
        count = len(self._frames)
        chosen = np.unique(np.linspace(0, count - 1, min(count, self.SAMPLES)).round().astype(int))
        step = max(1, round(math.sqrt(len(chosen) * math.prod(self._shape[:2]) / 500_000)))
        samples = np.concatenate([self._pixels(k)[::step, ::step] for k in chosen])
        return image(np.ascontiguousarray(samples)).quantize(255)

    def _milliseconds(self) -> list[int]:
        """How long each picture shows: whole hundredths of a second, which together keep the time."""
        ends = [round(100 * k / self._fps) for k in range(len(self._frames) + 1)]
        return [10 * (b - a) for a, b in zip(ends, ends[1:], strict=False)]

    def keep(self) -> None:
        palette = self._palette()
        plain = self._image.Dither.NONE  # dots that dance from picture to picture, else
        pictures = (
            image(self._pixels(k)).quantize(palette=palette, dither=plain)
            for k in range(len(self._frames))
        )
        with self._output.blamed():
            next(pictures).save(
                self._output.part,
                format="GIF",
                save_all=True,
                append_images=pictures,
                duration=self._milliseconds(),
                loop=0,
                palette=bytes(palette.getpalette()),
            )
        self._output.keep()

    def drop(self) -> None:
        self._frames.clear()
        self._output.drop()


class _Sequence:
    """A PNG file for each picture, numbered from 0."""

    MOST_FPS = 1000.0
    LARGEST = 65535

    def __init__(self, path: str, fps: float) -> None:
        extra("PIL.Image", "pictures")
        self._pattern = path
        self._count = 0

    def add(self, pixels: Pixels) -> None:
        write_whole(self._pattern % self._count, png(pixels))
        self._count += 1

    def keep(self) -> None:
        pass

    def drop(self) -> None:
        pass


_NUMBER = re.compile(r"%0?\d*d")


def film_kind(path: str) -> type | None:
    """Return what writes a film to a path, by the path's end; None: nothing does."""
    ending = os.path.splitext(path)[1].lower()
    if ending == ".png":
        numbers = _NUMBER.findall(path)
        return _Sequence if len(numbers) == 1 and path.count("%") == 1 else None
    return {".mp4": _Mp4, ".gif": _Gif}.get(ending)


class Film:
    """Writes pictures as a film, one by one.

    Parameters
    ----------
    path : str or path-like
        "NAME.mp4" (H.264), "NAME.gif", or a pattern as "frame_%04d.png" for a PNG file each, numbered from 0.
    fps : float
        Pictures a second. A GIF has at most 50.

    Attributes
    ----------
    frames : int
        Pictures so far.

    Notes
    -----
    It is closed by the end of a `with` block, or by `close`. A file appears under its name when it is whole; what was there
    before stays until then. After an exception in the block there is none; after Ctrl-C there is the film up to there.
    PNG files appear one by one. The sizes of an MP4 are even: a last row or column is repeated for that.

    Examples
    --------
    >>> import numpy as np, sinew
    >>> with sinew.Film("fade.gif", fps=10) as film:
    ...     for k in range(20):
    ...         film.add(np.full((48, 64, 3), 12 * k, np.uint8))
    """

    _writer: Any = None

    def __init__(self, path: str | os.PathLike, fps: float = 30.0) -> None:
        self.path = os.fspath(path)
        self.fps = float(fps)
        self.frames = 0
        self._shape: tuple[int, ...] | None = None
        kind = film_kind(self.path)
        if kind is None:
            raise ValueError(
                f"{self.path!r}: a film ends with .mp4 or .gif, or is a pattern as frame_%04d.png"
            )
        if not 0 < self.fps <= kind.MOST_FPS:
            raise ValueError(
                f"fps is {self.fps:g}, must be positive and at most {kind.MOST_FPS:g} for {self.path!r}"
            )
        self._largest = kind.LARGEST
        self._writer = kind(self.path, self.fps)

    def add(self, frame: ArrayLike) -> None:
        """Add a picture, a uint8 array [height, width, 3]; all of a film have one size.

        Raises
        ------
        ValueError
            It is of another form or size, or the film is closed.
        OSError
            The file cannot be written; what there was of it is removed.
        """
        pixels = checked_pixels(frame)
        if self._writer is None:
            raise ValueError(f"the film {self.path!r} is closed")
        if max(pixels.shape) > self._largest:
            raise ValueError(
                f"a picture of {pixels.shape[1]} x {pixels.shape[0]} is too large for {self.path!r}: "
                f"at most {self._largest} x {self._largest}"
            )
        if self._shape not in (None, pixels.shape):
            before, now = (f"{s[1]} x {s[0]}" for s in (self._shape, pixels.shape))
            raise ValueError(f"a picture of {now} in a film of {before}")
        with _undisturbed(), self._dropped_on_error():
            self._writer.add(pixels)
            self._shape = pixels.shape
            self.frames += 1

    @contextlib.contextmanager
    def _dropped_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.drop()
            raise

    def close(self) -> None:
        """Complete the file.

        Raises
        ------
        ValueError
            The film has no pictures.
        OSError
            The file cannot be written.
        """
        if self._writer is None:
            return
        if not self.frames:
            self.drop()
            raise ValueError(f"the film {self.path!r} has no pictures")
        with _undisturbed(), self._dropped_on_error():
            self._writer.keep()
            self._writer = None

    def drop(self) -> None:
        """Give the film up: its file is not written."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.drop()

    def __enter__(self) -> Film:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or kind is KeyboardInterrupt and self.frames:
            self.close()
        else:
            self.drop()

    def __del__(self) -> None:
        self.drop()

    def __repr__(self) -> str:
        return f"<sinew.Film {self.path!r}, {self.frames} pictures>"
