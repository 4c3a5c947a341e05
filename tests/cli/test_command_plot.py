"""sinew plot: pictures of recordings, which signals, and what is said when something is missing."""

import os
import pathlib
import resource
import subprocess
import sys

import matplotlib.font_manager  # noqa: F401 - writes its cache: who finds none says so after 5 seconds of work
import numpy as np
import PIL.Image
import pytest

import sinew as package
from models import folder

ANT = folder("gymnasium", "envs/mujoco/assets/ant.xml")
ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "examples/models/humanoid.xml"
NO_DISPLAY = ("DISPLAY", "WAYLAND_DISPLAY")


@pytest.fixture(autouse=True)
def interpreter(monkeypatch):
    """The Python of the tests has the package; there is no display."""
    monkeypatch.setenv("SINEW_PYTHON", sys.executable)
    for name in NO_DISPLAY:
        monkeypatch.delenv(name, raising=False)


KEPT = {}


@pytest.fixture
def sinew(tmp_path):
    """The command; it is Python here, whoever calls it."""
    from started_command import CommandHere

    path = pathlib.Path(os.environ.get("SINEW_COMMAND", ROOT / "build/release/bin/sinew"))
    return CommandHere(path, tmp_path, "plot")


@pytest.fixture
def runs(sinew):
    """Two runs of our humanoid, one of them in all kinds."""
    names = ("run.npy", "run.csv", "run.mcap", "other.npy")
    for name in names if not KEPT else ():
        noise = "noise:0.3:1" if name.startswith("run") else "noise:0.3:2"
        sinew("simulate", "--steps", 60, "--ctrl", noise, "--record", name)
        KEPT[name] = (sinew.folder / name).read_bytes()
    for name, text in KEPT.items():
        (sinew.folder / name).write_bytes(text)
    return sinew


def picture(path):
    """Its pixels; they are not all alike."""
    pixels = np.asarray(PIL.Image.open(path).convert("RGB"))
    assert pixels.std() > 5
    return pixels


def test_pictures(runs):
    """Each kind of recording gives the same one, each kind of picture is one."""
    done = runs("plot", "run.npy", "-o", "run.png")
    assert done.stdout == "run.png: 13 panels, 1400 x 1320\n" and done.stderr == ""
    pixels = picture(runs.folder / "run.png")
    assert pixels.shape == (1320, 1400, 3)
    signals = ["--signals", "sensor/*", "--size", "800x600"]
    for name in ("run.npy", "run.csv", "run.mcap"):
        runs("plot", name, *signals, "-o", f"{name}.png")
        assert picture(runs.folder / f"{name}.png").shape == (600, 800, 3)
    one, *others = ((runs.folder / f"run.{e}.png").read_bytes() for e in ("npy", "csv", "mcap"))
    assert others == [one, one]
    for ending, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")):
        pictures = set()
        for _ in range(1 if ending == "PNG" else 2):
            runs("plot", "run.npy", "--signals=qpos", "-o", f"a.{ending}")
            pictures.add((runs.folder / f"a.{ending}").read_bytes())
        assert len(pictures) == 1 and pictures.pop().startswith(start)
    assert not list(runs.folder.glob("*.part*"))


def test_several(runs):
    """A panel a signal, or where these are many a field; names of the files below."""
    few = ["--signals", "qpos[0:3],sensor/head", "--title", "$two_{runs"]
    done = runs("plot", "run.npy", "other.npy", "run.csv", *few, "-o", "a.png")
    assert done.stdout == "a.png: 6 panels, 1400 x 600\n"
    many = runs("plot", "run.npy", "other.npy", "-o", "b.png")
    assert many.stdout.startswith("b.png: 13 panels")
    alone = picture(runs.folder / "a.png")
    runs("plot", "run.npy", "other.npy", "run.csv", *few[:2], "-o", "c.png")
    assert (picture(runs.folder / "c.png") != alone).any()


def test_list(runs):
    done = runs("plot", "--list", "run.csv", "other.npy")
    lines = done.stdout.splitlines()
    rows = np.load(runs.folder / "run.npy")
    assert lines[0] == "run.csv: 61 rows, 0 s to 0.24 s"
    height = rows["qpos"][:, 2]
    (line,) = [line for line in lines if line.startswith("  qpos/root[2] ")]
    assert line.split()[1:] == [f"{height.min():.6g}", "to", f"{height.max():.6g}"]
    second = lines.index("other.npy: 61 rows, 0 s to 0.24 s")
    assert lines[second + 1].startswith("  qpos[0] ") and len(lines) == 2 * second
    named = runs("plot", "--list", "run.npy", "--model", OURS).stdout.splitlines()
    assert named[1:] == lines[1:second]
    head = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process = runs.start("plot", "--list", "run.csv")
    head.communicate(process.stdout.readline().encode())
    process.stdout.close()
    assert process.wait(1200) in (0, 1) and process.stderr.read() == ""


def test_names(runs):
    """Joints by name with the model; the model that does not fit."""
    message = runs.error("plot", "run.npy", "--signals", "knee_left", "-o", "a.png", code=1)
    assert message.startswith('no signal "knee_left" in run.npy; ')
    for run in (["run.npy", "--model", OURS], ["run.csv"], ["run.mcap"]):
        done = runs("plot", *run, "--signals", "knee_left,qpos/knee_*", "-o", "a.png")
        assert done.stdout.startswith("a.png: 4 panels")
    message = runs.error("plot", "run.npy", "--model", ANT, "-o", "b.png", code=1)
    assert message == (
        "run.npy does not fit the model: qpos has 28 numbers, the model 15 (nq); qvel has 27 numbers, "
        "the model 14 (nv); ctrl has 21 numbers, the model 8 (nu)"
    )
    assert not (runs.folder / "b.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "RUN...: missing; see sinew plot --help"),
        ("run.npy -o a.jpg", "-o a.jpg: wants FILE.png, FILE.svg or FILE.pdf"),
        ("run.npy -o a.png --size 100", "--size 100: wants WIDTHxHEIGHT, each from 100 to 20000"),
        ("run.npy -o a.png --size 99x100", "--size 99x100: wants"),
        ("run.npy -o a.png --size 100x99999", "--size 100x99999: wants"),
        ("run.npy -o a.png --signal qpos", "unknown option --signal; did you mean --signals?"),
        ("run.npy -o a.png --signals qpos,,", "--signals qpos,,: a pattern is empty"),
        ("run.npy -o", "needs a value: -o"),
        ("run.npy --list=1", "takes no value: --list=1"),
    ],
)
def test_wrong_usage(sinew, arguments, message):
    np.save(sinew.folder / "run.npy", np.zeros(2, [("time", "f8"), ("qpos", "f8")]))
    assert sinew.error("plot", *arguments.split(), code=2).startswith(message)


def test_wrong_files(sinew):
    np.save(sinew.folder / "none.npy", np.zeros(0, [("time", "f8"), ("qpos", "f8")]))
    np.save(sinew.folder / "times.npy", np.zeros(2, [("time", "f8")]))
    wide = np.zeros(2, [("time", "f8"), *((f"x{i}", "f8") for i in range(101))])
    np.save(sinew.folder / "wide.npy", wide)
    (sinew.folder / "bad\x1b[31m.csv").write_text("a,b\n")
    for arguments, message in (
        ("no.npy -o a.png", "cannot read 'no.npy': No such file or directory"),
        (". -o a.png", "cannot read '.': a folder, not a recording"),
        ("none.npy -o a.png", "none.npy: it has no rows"),
        ("times.npy -o a.png", "times.npy: it has times alone, nothing to plot"),
        ("wide.npy -o a.png", "101 panels, at most 100 fit: choose some signals"),
        ("wide.npy -o no/a.png --signals x1", "cannot write 'no/a.png': No such file or directory"),
        ("wide.npy -o . --signals x1", "-o .: wants FILE.png, FILE.svg or FILE.pdf"),
        ("wide.npy --signals x1,x102 -o a.png", 'no signal "x102" in wide.npy; did you mean "x'),
        ("bad\x1b[31m.csv -o a.png", "bad\\x1b[31m.csv:1: no column time"),
        ("wide.npy --model no.xml -o a.png", "cannot read 'no.xml'"),
    ):
        code = 2 if "wants" in message else 1
        assert sinew.error("plot", *arguments.split(" "), code=code).startswith(message)
    assert not list(sinew.folder.glob("a.png*"))


def test_unfinished(runs):
    """A warning says how far it goes, and there is a picture."""
    whole = (runs.folder / "run.npy").read_bytes()
    (runs.folder / "cut.npy").write_bytes(whole[: len(whole) // 2])
    done = runs("plot", "cut.npy", "--signals", "qpos", "-o", "a.png")
    assert done.stderr.startswith(
        "warning: cut.npy: not finished: the header says 61 rows, and the file ends early; "
    )
    picture(runs.folder / "a.png")


ODD = """
<mujoco>
  <worldbody>
    <body><joint name="_$a_{b, %d"/><joint name="日&#9;本 *[0]"/><joint name="$$" axis="0 1 0"/><geom size="1"/></body>
  </worldbody>
</mujoco>
"""


def test_odd_names(sinew):
    """Formulas, leading underscores, letters that the font has not, commas and stars are all just names."""
    (sinew.folder / "odd.xml").write_text(ODD)
    for name in ("_$\\frac{.npy", "b$.csv"):
        sinew("simulate", "odd.xml", "--steps", 20, "--record", name)
    sinew("plot", "b$.csv", "-o", "$a.png", "--title", "$x^{ \\frac")
    sinew("plot", "_$\\frac{.npy", "b$.csv", "--model", "odd.xml", "-o", "b.svg", "--title", "_")
    for pattern, panels in (
        ("_$a_{b, %d", 2),
        ("qpos/_$a_{b, %d", 1),
        ("qpos/日\t本 *[0]", 1),
        ("$$,*本*", 4),
    ):
        done = sinew("plot", "b$.csv", "--signals", pattern, "-o", "c.png")
        assert done.stderr == "" and f" {panels} panel" in done.stdout
    assert "  qpos/日\\t本 *[0]" in sinew("plot", "--list", "b$.csv").stdout


def test_numbers_that_are_none(sinew):
    """NaN, infinity, the largest numbers, one row, time that stands still or goes back."""
    rows = np.zeros(30_000, [("time", "f8"), ("a", "f8"), ("b", "f8", 2)])
    rows["time"] = np.arange(30_000)
    rows["a"][::3], rows["a"][1::3] = np.nan, np.inf
    rows["b"][:, 0], rows["b"][7, 1] = np.nan, 1.7e308
    for part, name in ((rows, "a"), (rows[:1], "b"), (rows[[5, 5, 2]], "c")):
        np.save(sinew.folder / f"{name}.npy", part)
        done = sinew("plot", f"{name}.npy", "-o", f"{name}.png")
        assert done.stderr == "" and (sinew.folder / f"{name}.png").stat().st_size > 1000
    assert "b[0]  no numbers" in sinew("plot", "--list", "a.npy").stdout


def test_no_display(runs):
    """A window wants one; the mend is said, and nothing is read before."""
    message = runs.error("plot", "run.npy", code=1)
    assert message == "there is no display to open a window on; give -o FILE.png"


BACKEND = """
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

class FigureCanvas(FigureCanvasAgg):
    required_interactive_framework = "ours"

FigureManager = FigureManagerBase

def show(*, block=None):
    import matplotlib.pyplot
    figure = matplotlib.pyplot.gcf()
    figure.canvas.draw()
    print("shown", len(figure.axes))
"""


def test_window(runs):
    """On a display, with something that opens windows; without that a word that there is nothing."""
    (runs.folder / "windows.py").write_text(BACKEND)
    for backend, code, out, err in (
        ("module://windows", 0, "shown 13\n", ""),
        ("agg", 1, "", "sinew: matplotlib has nothing to open windows with here (tkinter, PyQt6); give -o FILE.png\n"),
    ):  # fmt: skip
        done = subprocess.run(
            [sys.executable, ROOT / "tests/on_a_screen.py", runs.path, "plot", "run.npy"],
            cwd=runs.folder,
            env={**os.environ, "PYTHONPATH": str(runs.folder), "MPLBACKEND": backend},
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_missing_package(runs):
    """The line that installs it, before anything is read."""
    hooks = runs.folder / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text("import sys; sys.modules['matplotlib'] = None")
    environment = {**os.environ, "PYTHONPATH": str(hooks)}
    done = runs("plot", "no.npy", "-o", "a.png", code=1, env=environment)
    assert done.stderr.startswith("sinew: plots need the package matplotlib: ")
    assert f"{sys.executable} -m pip install" in done.stderr and done.stderr.count("\n") == 1
    runs("plot", "run.npy", "--list", env=environment)


def test_full_disk(runs):
    (runs.folder / "a.png").write_text("old")
    done = runs(
        *("plot", "run.npy", "-o", "a.png"),
        code=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
        env={**os.environ, "MPLCONFIGDIR": str(runs.folder)},
    )
    assert (
        done.stderr.endswith("sinew: cannot write 'a.png': File too large\n") and done.stdout == ""
    )
    assert (runs.folder / "a.png").read_text() == "old" and not list(runs.folder.glob("*.part*"))


def test_from_python(runs, monkeypatch):
    """The curves are the numbers; many points keep their extremes."""
    from sinew.plot import plot

    monkeypatch.chdir(runs.folder)
    rows = np.load("run.npy")
    figure = plot("run.npy", ["qpos[2:4]", "sensor/head"], title="T", size=(5, 4))
    first, second = figure.axes
    assert [line.get_ydata().tolist() for line in first.lines] == rows["qpos"].T[2:4].tolist()
    assert [line.get_ydata().tolist() for line in second.lines] == rows["sensor/head"].T.tolist()
    assert all((line.get_xdata() == rows["time"]).all() for line in first.lines)
    assert (first.get_title("left"), second.get_title("left")) == ("qpos", "sensor/head")
    assert [t.get_text() for t in first.get_legend().get_texts()] == ["[2]", "[3]"]
    assert figure.get_size_inches().tolist() == [5, 4] and figure.get_suptitle() == "T"
    pair = plot(
        ["run.npy", package.Recording.from_path("other.npy")], ["qpos[0]"], labels=["a", "b"]
    )
    assert len(pair.axes[0].lines) == 2 and pair.axes[0].get_title("left") == "qpos[0]"
    assert [t.get_text() for t in pair.legends[0].get_texts()] == ["a", "b"]
    long = np.zeros(100_000)
    long[[77, 50_001, 99_999]] = 5, -7, 3
    (line,) = plot(package.Recording(np.arange(100_000) * 0.1, {"x": long})).axes[0].lines
    assert len(line.get_xdata()) == 2000 and (np.diff(line.get_xdata()) > 0).all()
    assert (line.get_ydata().max(), line.get_ydata().min()) == (5, -7) and 3 in line.get_ydata()
    with pytest.raises(ValueError, match="no recording to plot"):
        plot([])
    with pytest.raises(ValueError, match="1 labels for 2 recordings"):
        plot(["run.npy", "other.npy"], labels=["a"])
