"""sinew.Film: what is in the files, and what is left of them when something goes wrong."""

import itertools
import os
import resource
import signal
import stat
import subprocess
import sys
import textwrap
import threading

import av
import numpy as np
import pytest
from PIL import Image, ImageSequence

import sinew


def picture(k, width=64, height=48):
    """A yellow disc on a field of colours; it goes right."""
    y, x = np.mgrid[:height, :width]
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[..., 0] = 160 * x // width
    pixels[..., 1] = 160 * y // height
    pixels[..., 2] = 90
    pixels[(x - 4 - 2 * k) ** 2 + (y - height // 2) ** 2 < 60] = 250, 220, 30
    return pixels


def write(path, count=20, fps=30, **size):
    with sinew.Film(path, fps) as film:
        for k in range(count):
            film.add(picture(k, **size))
    return film


def decoded(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.mark.parametrize("fps", [30, 29.97, 12.5, 1, 1000])
def test_mp4(tmp_path, fps):
    path = tmp_path / "film.mp4"
    film = write(path, fps=fps)
    assert film.frames == 20
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height, stream.frames) == (64, 48, 20)
        assert float(stream.average_rate) == pytest.approx(fps, rel=1e-4)
        assert float(stream.duration * stream.time_base) == pytest.approx(20 / fps, rel=1e-3)
    frames = decoded(path)
    assert len(frames) == 20
    for k in (0, 7, 19):
        # h264 at this quality, chroma of half the resolution
        assert np.abs(frames[k].astype(int) - picture(k)).mean() < 4


def test_colours_of_an_mp4(tmp_path):
    """They come back through a player that knows BT.709, which the file says it is; the index is at the front."""
    path = tmp_path / "film.mp4"
    colour = np.array([200, 40, 30], np.uint8)
    with sinew.Film(path) as film:
        film.add(np.full((64, 64, 3), colour))
    with av.open(str(path)) as container:
        frame = next(container.decode(video=0))
    assert (frame.colorspace, frame.color_range) == (1, 1)
    assert np.abs(frame.to_ndarray(format="rgb24")[32, 32].astype(int) - colour).max() <= 3
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_odd_sizes(tmp_path):
    """The last row and column of an MP4 stand twice; other kinds have the size of the picture."""
    write(tmp_path / "film.mp4", 3, width=63, height=47)
    frames = decoded(tmp_path / "film.mp4")
    assert frames[0].shape == (48, 64, 3)
    twice = np.pad(picture(0, 63, 47), ((0, 1), (0, 1), (0, 0)), mode="edge")
    assert np.abs(frames[0][:, 62:].astype(int) - twice[:, 62:]).mean() < 8
    write(tmp_path / "film.gif", 3, width=63, height=47)
    assert Image.open(tmp_path / "film.gif").size == (63, 47)
    write(tmp_path / "one.mp4", 2, width=1, height=1)
    assert decoded(tmp_path / "one.mp4")[0].shape == (2, 2, 3)


def local_tables(data):
    """Pictures of a GIF file, and how many have a table of colours of their own."""
    i, pictures, tables = 13 + 3 * (2 << (data[10] & 7)), 0, 0
    while data[i] != 0x3B:
        start = data[i]
        if start == 0x2C:
            pictures += 1
            tables += data[i + 9] >> 7
            i += 11 + (3 * (2 << (data[i + 9] & 7)) if data[i + 9] & 0x80 else 0)
        else:
            i += 2
        while data[i]:
            i += data[i] + 1
        i += 1
    return pictures, tables


@pytest.mark.parametrize("fps", [30, 50, 7, 0.5])
def test_gif(tmp_path, fps):
    """All pictures, one table of colours, and the time of the film to a hundredth of a second."""
    path = tmp_path / "film.gif"
    write(path, fps=fps)
    gif = Image.open(path)
    assert (gif.n_frames, gif.size, gif.info["loop"]) == (20, (64, 48), 0)
    times = [frame.info["duration"] for frame in ImageSequence.Iterator(gif)]
    assert sum(times) == pytest.approx(20_000 / fps, abs=10)
    assert max(times) - min(times) <= 10
    assert local_tables(path.read_bytes()) == (20, 0)
    gif.seek(7)
    found = np.asarray(gif.convert("RGB")).astype(int)
    # 255 colours for a plane of them
    assert np.abs(found - picture(7)).mean() < 8 and np.abs(found - picture(0)).mean() > 8


def test_gif_of_one_colour(tmp_path):
    """Pictures that do not change become one that lasts as long."""
    path = tmp_path / "film.gif"
    with sinew.Film(path, 10) as film:
        for _ in range(5):
            film.add(np.full((9, 9, 3), 77, np.uint8))
    gif = Image.open(path)
    assert np.all(np.asarray(gif.convert("RGB")) == 77)
    assert getattr(gif, "n_frames", 1) == 1 and gif.info.get("duration", 500) == 500


def test_numbered_pictures(tmp_path):
    film = write(tmp_path / "a_%03d.png", 12)
    assert film.frames == 12
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"a_{k:03d}.png" for k in range(12)]
    assert np.array_equal(np.asarray(Image.open(tmp_path / "a_007.png")), picture(7))
    write(tmp_path / "b%d.png", 11)
    assert (tmp_path / "b10.png").exists()


def test_interruption(tmp_path):
    """After Ctrl-C there is the film up to there; PyAV's packets are never torn."""
    path = tmp_path / "film.mp4"
    with pytest.raises(KeyboardInterrupt):
        with sinew.Film(path) as film:
            for k in itertools.count():  # from another thread it comes anywhere, and some time
                if k == 13:
                    threading.Thread(target=signal.raise_signal, args=[signal.SIGINT]).start()
                film.add(picture(k))
    assert film.frames >= 13
    assert len(decoded(path)) == film.frames
    assert [p.name for p in tmp_path.iterdir()] == ["film.mp4"]


def test_interruption_inside_a_picture(tmp_path, monkeypatch):
    """The picture that is being written is in the film; the handler before is back."""
    before = signal.getsignal(signal.SIGINT)
    path = tmp_path / "film.mp4"
    with pytest.raises(KeyboardInterrupt):
        with sinew.Film(path) as film:
            writer = film._writer
            add = writer.add

            def interrupted(pixels):
                signal.raise_signal(signal.SIGINT)
                add(pixels)

            film.add(picture(0))
            monkeypatch.setattr(writer, "add", interrupted)
            film.add(picture(1))
    assert signal.getsignal(signal.SIGINT) is before
    assert len(decoded(path)) == film.frames == 2


@pytest.mark.parametrize("name", ["film.mp4", "film.gif"])
def test_an_exception_leaves_what_was_there(tmp_path, name):
    path = tmp_path / name
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        with sinew.Film(path) as film:
            film.add(picture(0))
            assert (tmp_path / f"{name}.part").exists() and path.read_text() == "old"
            1 / 0
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ValueError, match="is closed"):
        film.add(picture(1))


def test_interrupted_before_the_first_picture(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        with sinew.Film(tmp_path / "film.mp4"):
            raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "film_%02d.png"])
def test_full_disk(tmp_path, name):
    """A limit on file size stands in for it: an error with the file's name, the old file unharmed, nothing left."""
    old = tmp_path / (name % 0 if "%" in name else name)
    old.write_text("old")
    program = """
        import sys, numpy as np, sinew
        noise = np.random.default_rng(0)
        try:
            film = sinew.Film(sys.argv[1])
            for _ in range(90):
                film.add(noise.integers(0, 255, (96, 128, 3), dtype=np.uint8))
            film.close()
        except OSError as error:
            assert film._writer is None
            print(error.errno, error.filename, sep="|")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.stdout == f"27|{old.name}\n", done.stderr
    assert old.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == [old.name]


def test_places_that_cannot_be_written(tmp_path):
    os.mkfifo(tmp_path / "pipe.mp4")
    (tmp_path / "folder.gif").mkdir()
    with pytest.raises(OSError, match="it is not a regular file"):
        sinew.Film(tmp_path / "pipe.mp4")
    with pytest.raises(OSError, match="it is a folder"):
        sinew.Film(tmp_path / "folder.gif")
    with pytest.raises(FileNotFoundError, match="no/film.mp4"):
        sinew.Film(tmp_path / "no/film.mp4")
    with pytest.raises(FileNotFoundError, match="no/film_0.png"):
        sinew.Film(tmp_path / "no/film_%d.png").add(picture(0))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.gif", "pipe.mp4"]


def test_a_link_stays(tmp_path):
    """What it points to is replaced and keeps its permissions; a part that is in the way is left alone."""
    target = tmp_path / "there.gif"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link.gif").symlink_to(target)
    (tmp_path / "there.gif.part").write_text("of a killed process")
    write(tmp_path / "link.gif", 3)
    assert (tmp_path / "link.gif").is_symlink() and Image.open(target).n_frames == 3
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert (tmp_path / "there.gif.part").read_text() == "of a killed process"


@pytest.mark.parametrize(
    "frame, message",
    [
        (np.zeros((4, 4, 3)), "uint8, not .* of float64"),
        (np.zeros((4, 4), np.uint8), r"not \[4, 4\]"),
        (np.zeros((4, 4, 4), np.uint8), r"not \[4, 4, 4\]"),
        (np.zeros((0, 4, 3), np.uint8), r"not \[0, 4, 3\]"),
        (np.zeros((4, 6, 3), np.uint8), "a picture of 6 x 4 in a film of 4 x 4"),
        (np.zeros((1, 16385, 3), np.uint8), "16385 x 1 is too large .* at most 16384"),
        (None, "uint8, not"),
    ],
)
def test_pictures_that_do_not_fit(tmp_path, frame, message):
    """They are refused, and the film goes on without them."""
    with sinew.Film(tmp_path / "film.mp4") as film:
        film.add(np.zeros((4, 4, 3), np.uint8))
        with pytest.raises(ValueError, match=message):
            film.add(frame)
        film.add(np.ones((4, 4, 3), np.uint8)[::-1])
    assert len(decoded(tmp_path / "film.mp4")) == 2


@pytest.mark.parametrize(
    "path, fps, message",
    [
        ("film.avi", 30, "ends with .mp4 or .gif"),
        ("film", 30, "ends with"),
        ("film.png", 30, "a pattern as frame_%04d.png"),
        ("%d_%d.png", 30, "a pattern as frame"),
        ("%s_%d.png", 30, "a pattern as frame"),
        ("film.mp4", 0, "fps is 0, must be positive"),
        ("film.mp4", float("nan"), "fps is nan"),
        ("film.mp4", float("inf"), "at most 1000"),
        ("film.gif", 60, "at most 50"),
        ("%d.png", float("inf"), "at most 1000"),
    ],
)
def test_films_that_cannot_be(tmp_path, monkeypatch, path, fps, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        sinew.Film(path, fps)
    assert not list(tmp_path.iterdir())


def test_a_film_without_pictures(tmp_path):
    with pytest.raises(ValueError, match="has no pictures"):
        with sinew.Film(tmp_path / "film.mp4"):
            pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "module, name", [("av", "film.mp4"), ("PIL", "film.gif"), ("PIL", "a%d.png")]
)
def test_a_package_is_missing(tmp_path, module, name):
    program = f"""
        import sys
        sys.modules[{module!r}] = None
        import sinew
        try:
            sinew.Film({name!r})
        except ImportError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    package = {"av": "av", "PIL": "pillow"}[module]
    assert f"need the package {package}" in done.stdout
    assert "pip install '.[view]' in the folder" in done.stdout
    assert not list(tmp_path.iterdir())
