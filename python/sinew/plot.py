"""The command `sinew plot`, and plots of recordings from Python: signals over time, through matplotlib.

`python -m sinew.plot --help` shows the command's options; docs/cli.md has them in full.

>>> from sinew.plot import plot
>>> figure = plot("run.npy", ["qpos[0:3]", "sensor/*"])  # doctest: +SKIP
>>> figure.savefig("plots.png")  # doctest: +SKIP
"""

from __future__ import annotations

import io
import math
import os
import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._command.words import BAD_INPUT, Command, Option, Stop, finished, printable, usage
from ._extra import extra
from ._output import write_whole
from ._recording import Recording
from ._recording.layout import HIDDEN
from ._recording.signals import Signal, is_name, select, signals
from ._types import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot"]

# Panels: as many as these by themselves, at most so many, and a panel for each signal up to so many of them.
FEW_PANELS, MOST_PANELS, MOST_ALONE = 16, 100, 24
# Curves beyond are too many to be told apart: colours go along a scale, and a legend names so many of them.
MOST_COLOURS, MOST_NAMED = 10, 12
# Points of a curve, two for each of so many stretches of time: what stands between is on the line between them.
STRETCHES = 1000
PIXELS_AN_INCH = 100
LARGEST_NUMBER = 1e150  # whose square is a number
LARGEST = 20000
ENDINGS = (".png", ".svg", ".pdf")


# ---- what is drawn


@dataclass
class Panel:
    """Axes of their own."""

    title: str
    signals: list[Signal]


def _fields(found: list[Signal]) -> list[Panel]:
    """A panel a field; sensors of one number share one, and all sensors do where there are many."""
    fields: dict[str, list[Signal]] = {}
    for one in found:
        fields.setdefault(one.field, []).append(one)
    single = {n for n, s in fields.items() if n.startswith("sensor/") and len(s) == 1}
    panels: dict[str, Panel] = {}
    for name, members in fields.items():
        title = "sensors" if name in single and len(single) > 1 else name
        panels.setdefault(title, Panel(title, [])).signals.extend(members)
    many = len(panels) > FEW_PANELS and any(name.startswith("sensor") for name in panels)
    return _merged(list(panels.values())) if many else list(panels.values())


def _merged(panels: list[Panel]) -> list[Panel]:
    """Sensors beside each other in as few panels as leave room."""
    own = [panel for panel in panels if not panel.title.startswith("sensor")]
    sensors = [panel for panel in panels if panel.title.startswith("sensor")]
    room = max(FEW_PANELS - len(own), 1)
    size = math.ceil(len(sensors) / room)
    groups = [sensors[i : i + size] for i in range(0, len(sensors), size)]
    return own + [
        Panel(
            "sensors: " + ", ".join(panel.title.removeprefix("sensor/") for panel in group),
            [one for panel in group for one in panel.signals],
        )
        for group in groups
    ]


def _panels(recordings: list[Recording], patterns: Sequence[str] | None) -> list[Panel]:
    """The panels; of several recordings each signal has its own, as long as there are few."""
    if patterns is None:
        chosen = [[s for s in signals(recordings) if s.field not in HIDDEN]]
    else:
        chosen = select(recordings, patterns)
    panels = [panel for found in chosen for panel in _fields(found)]
    if len(recordings) > 1 and sum(len(panel.signals) for panel in panels) <= MOST_ALONE:
        panels = [Panel(one.label, [one]) for panel in panels for one in panel.signals]
    if not panels:
        raise ValueError(
            f"{recordings[0].path or 'the recording'}: it has times alone, nothing to plot"
        )
    if len(panels) > MOST_PANELS:
        raise ValueError(f"{len(panels)} panels, at most {MOST_PANELS} fit: choose some signals")
    return panels


def _outline(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A curve with fewer points that looks the same: the least and the greatest of each stretch.

    Numbers that no axis can hold are gaps, as infinity is.
    """
    values = np.where(np.abs(values) < LARGEST_NUMBER, values, np.nan)
    if len(time) <= 4 * STRETCHES:
        return time, values
    first = np.linspace(0, len(time), STRETCHES, endpoint=False).astype(int)
    least, greatest = np.fmin.reduceat(values, first), np.fmax.reduceat(values, first)
    ends = np.append(time[first], time[-1])
    middle = 0.5 * (ends[:-1] + ends[1:])
    return np.stack((ends[:-1], middle), 1).ravel(), np.stack((least, greatest), 1).ravel()


# ---- the figure


def plot(
    recordings: Recording | str | os.PathLike | Sequence[Recording | str | os.PathLike],
    signals: Sequence[str] | None = None,
    *,
    model: Model | None = None,
    labels: Sequence[str] | None = None,
    title: str = "",
    size: tuple[float, float] | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Draw signals of recordings over time.

    Parameters
    ----------
    recordings : Recording, path, or a sequence of these
        Several are drawn into the same panels, a colour each.
    signals : sequence of str, optional
        Patterns, as ``qpos``, ``qpos[0:3]``, ``sensor/*``, and the names of joints, actuators and sensors; a panel each.
        By default all fields.
    model : Model, optional
        What was recorded; its names are then those of the signals.
    labels : sequence of str, optional
        What the recordings are called; by default their files.
    title : str
    size : (float, float), optional
        Width and height in inches.
    figure : matplotlib.figure.Figure, optional
        Where to draw; by default a new one that needs no display.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        A pattern fits nothing, a recording does not fit the model, has no rows, or there are too many panels.
    ImportError
        matplotlib is missing.
    """
    extra("matplotlib", "plots")
    from matplotlib.figure import Figure

    if isinstance(recordings, Recording | str | os.PathLike):
        recordings = [recordings]
    read = [r if isinstance(r, Recording) else Recording.from_path(r) for r in recordings]
    if not read:
        raise ValueError("no recording to plot")
    read = [recording.fit(model) for recording in read] if model is not None else read
    for recording in read:
        if not len(recording):
            raise ValueError(f"{recording.path or 'the recording'}: it has no rows")
    panels = _panels(read, signals)
    names = list(labels) if labels is not None else _file_names(read)
    if len(names) != len(read):
        raise ValueError(f"{len(names)} labels for {len(read)} recordings")
    figure = figure or Figure()
    _draw(figure, panels, read, names, title, size)
    return figure


def _file_names(recordings: list[Recording]) -> list[str]:
    """The names of the files, with their folders where these tell them apart."""
    paths = [r.path or f"recording {i}" for i, r in enumerate(recordings)]
    short = [os.path.basename(path) for path in paths]
    return short if len(set(short)) == len(short) else paths


def _draw(
    figure: Figure,
    panels: list[Panel],
    recordings: list[Recording],
    names: list[str],
    title: str,
    size: tuple[float, float] | None,
) -> None:
    columns = 1 if len(panels) <= 4 else 2 if len(panels) <= 16 else 3
    rows = math.ceil(len(panels) / columns)
    figure.set_layout_engine("constrained")
    figure.set_size_inches(size or (6 + 4 * columns, max(4, 1.8 * rows + 0.6)))
    axes = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel()
    for panel, place in zip(panels, axes):
        _draw_panel(place, panel, recordings)
    for place in axes[len(panels) :]:
        place.remove()
    for place in axes[max(0, len(panels) - columns) : len(panels)]:
        place.tick_params(labelbottom=True)
        place.set_xlabel("time (s)")
    if len(recordings) > 1:
        handles = [axes[0].get_lines()[i * len(panels[0].signals)] for i in range(len(recordings))]
        _name(figure.legend, handles, names, loc="outside lower center", ncols=min(4, len(names)))
    if title:
        figure.suptitle(_words(title)).set_parse_math(False)


def _draw_panel(axes: Any, panel: Panel, recordings: list[Recording]) -> None:
    """Curves: a colour for each signal, or for each of several recordings."""
    several = len(recordings) > 1
    lines = []
    for i, recording in enumerate(recordings):
        for k, one in enumerate(panel.signals):
            time, values = _outline(recording.time, one.values(recording))
            colour = _colour(i, len(recordings)) if several else _colour(k, len(panel.signals))
            lines += axes.plot(time, values, color=colour, linewidth=1)
    axes.set_title(_words(panel.title), loc="left", fontsize="small").set_parse_math(False)
    axes.tick_params(labelsize="small")
    axes.grid(alpha=0.3)
    axes.margins(x=0.01)
    if not several and (len(lines) > 1 or panel.signals[0].label != panel.title):
        few = _some(len(lines))
        names = [_within(panel, panel.signals[k].label) for k in few]
        place = {"loc": "upper left", "bbox_to_anchor": (1, 1), "borderaxespad": 0}
        place |= {"fontsize": "x-small" if len(few) <= 8 else "xx-small", "labelspacing": 0.3}
        _name(axes.legend, [lines[k] for k in few], names, **place)


def _within(panel: Panel, label: str) -> str:
    """What the panel's title does not say already."""
    prefix = "sensor" if panel.title.startswith("sensors") else panel.title
    rest = label.removeprefix(prefix)
    return rest.removeprefix("/") if rest != label and rest[:1] in ("/", "[") else label


def _colour(k: int, count: int) -> Any:
    import matplotlib

    if count <= MOST_COLOURS:
        return f"C{k}"
    return matplotlib.colormaps["turbo"](0.05 + 0.9 * k / (count - 1))


def _some(count: int) -> list[int]:
    """Which curves the legend names: the others' colours are between theirs."""
    if count <= MOST_NAMED:
        return list(range(count))
    return [round(k * (count - 1) / (MOST_NAMED - 1)) for k in range(MOST_NAMED)]


def _name(legend: Any, handles: list[Any], names: list[str], **how: Any) -> None:
    """A legend whose texts are texts, not formulas, and whose names may start with an underscore."""
    made = legend(handles, ["x" * len(name) for name in names], **how)
    for text, name in zip(made.get_texts(), names):
        text.set_parse_math(False)
        text.set_text(_words(name))


def _words(text: str) -> str:
    """A text in one line that a font can show."""
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


# ---- the command

COMMAND = Command(
    name="plot",
    operands="RUN...",
    summary="draws signals of recordings as curves, of several recordings into the same panels",
    options=(
        Option(
            "signals",
            "PATTERN,...",
            "which, a panel each: qpos, qpos[0:3], sensor/*, qpos/knee,\nknee; all without it",
        ),
        Option("output", "FILE", ".png, .svg or .pdf; without it a window opens", "-o"),
        Option("model", "MODEL", "what was recorded, for the names of joints and actuators"),
        Option("size", "WxH", "in pixels, 100 an inch"),
        Option("title", "TEXT", "above all panels"),
        Option("topic", "TOPIC", "of an .mcap of another program: where states of joints are"),
        Option("list", "", "lists the signals with their least and greatest values instead"),
    ),
    notes=(
        "RUN is a recording, .npy, .csv or .mcap, as sinew simulate --record writes it. An .mcap holds its\n"
        "model. In a pattern * stands for anything and ? for one character; [2] and [0:3] choose numbers, as in\n"
        "Python. A comma separates patterns, but in one that is the name of a signal as a whole.\n\n"
        "Exit codes: 0 done, 1 a file is wrong or a package is missing, 2 wrong usage."
    ),
)


def _read(path: str, topic: str | None, model: Model | None) -> Recording:
    recording = Recording.from_path(path, topic=topic)
    return recording if model is None else recording.fit(model)


def _told(make: Any) -> Any:
    """What `make` returns; its warnings become lines on stderr."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        made = make()
    for warning in caught:
        sys.stderr.write(printable(f"warning: {warning.message}\n"))
    return made


def _size(values: dict[str, str]) -> tuple[float, float] | None:
    if "size" not in values:
        return None
    match = re.fullmatch(r"(\d{1,6})x(\d{1,6})", values["size"])
    sizes = [int(word) for word in match.groups()] if match else []
    if not sizes or not all(100 <= n <= LARGEST for n in sizes):
        usage(f"--size {values['size']}: wants WIDTHxHEIGHT, each from 100 to {LARGEST}")
    return sizes[0] / PIXELS_AN_INCH, sizes[1] / PIXELS_AN_INCH


def _patterns(text: str | None, recordings: list[Recording]) -> list[str] | None:
    """The patterns; a name may have commas in it."""
    if text is None:
        return None
    if is_name(recordings, text):
        return [text]
    patterns = [word.strip() for word in text.split(",")]
    if not all(patterns):
        usage(f"--signals {text}: a pattern is empty")
    return patterns


def _list(recordings: list[Recording]) -> None:
    """Print the signals."""
    for recording in recordings:
        end = f", {recording.time[0]:g} s to {recording.time[-1]:g} s" if len(recording) else ""
        print(printable(f"{recording.path}: {len(recording)} rows{end}"))
        found = signals([recording])
        width = min(max((len(_words(one.label)) for one in found), default=0), 60)
        for one in found:
            values = one.values(recording)
            known = values[~np.isnan(values)]
            span = f"{known.min():.6g} to {known.max():.6g}" if known.size else "no numbers"
            print(f"  {_words(one.label):<{width}}  {span}")


def _save(figure: Figure, path: str) -> None:
    """Write the picture; the same curves give the same bytes."""
    import matplotlib

    ending = os.path.splitext(path)[1].lower()
    made: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending, {})
    picture = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "sinew"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font has not, panels that are too small
        figure.savefig(picture, format=ending[1:], dpi=PIXELS_AN_INCH, metadata=made)
    try:
        write_whole(path, picture.getvalue())
    except OSError as error:
        raise Stop(BAD_INPUT, f"cannot write '{path}': {error.strerror}") from None


def _window() -> Any:
    """pyplot, where there is a display and something to open windows with."""
    hint = "give -o FILE.png"
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform == "linux" and not any(map(os.environ.get, displays)):
        raise Stop(BAD_INPUT, f"there is no display to open a window on; {hint}")
    from matplotlib import pyplot

    figure = pyplot.figure()
    if not type(figure.canvas).required_interactive_framework:
        raise Stop(
            BAD_INPUT, f"matplotlib has nothing to open windows with here (tkinter, PyQt6); {hint}"
        )
    return figure


@dataclass
class _Request:
    """What the command line asks for, checked as far as it can be without the files."""

    paths: list[str]
    values: dict[str, str]
    size: tuple[float, float] | None

    @property
    def output(self) -> str | None:
        return self.values.get("output")


def _request(words: Sequence[str]) -> _Request:
    values, operands = COMMAND.parse(words)
    if not operands:
        usage("RUN...: missing; see sinew plot --help")
    output = values.get("output")
    if output is not None and not output.lower().endswith(ENDINGS):
        usage(f"-o {output}: wants FILE.png, FILE.svg or FILE.pdf")
    return _Request(operands, values, _size(values))


def _recordings(request: _Request) -> list[Recording]:
    values = request.values
    model = _told(lambda: Model.from_path(values["model"])) if "model" in values else None
    topic = values.get("topic")
    return [_told(lambda: _read(path, topic, model)) for path in request.paths]


def _run(words: Sequence[str]) -> int:
    request = _request(words)
    if "list" in request.values:
        _list(_recordings(request))
        return 0
    extra("matplotlib", "plots")
    figure = None if request.output is not None else _window()
    recordings = _recordings(request)
    patterns = _patterns(request.values.get("signals"), recordings)
    title = request.values.get("title", "")
    figure = plot(recordings, patterns, title=title, size=request.size, figure=figure)
    if request.output is None:
        from matplotlib import pyplot

        pyplot.show()
        return 0
    _save(figure, request.output)
    width, height = (round(n * PIXELS_AN_INCH) for n in figure.get_size_inches())
    count = len(figure.axes)
    panels = "1 panel" if count == 1 else f"{count} panels"
    print(printable(f"{request.output}: {panels}, {width} x {height}"))
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these words, or those of the command line; returns its exit code."""
    return finished(lambda: _run(sys.argv[1:] if words is None else words))


if __name__ == "__main__":
    sys.exit(main())
