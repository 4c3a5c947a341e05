"""Plots in two dimensions over a picture: MjvFigure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from .painter import BAR, colour, rectangles
from .text import NORMAL, SHADOW, Line, Text, pixels

_LINES, _POINTS = 100, 1001  # room of a figure
_LEAST = 1e-5  # least length of an axis
_THICK = 5.0  # times that the line that stands out is wider
_DIM = 0.4  # how much of its colour the title of another subplot has; the rest is the figure's
_SELECTION = 3  # breadth of the line of the selection (pixels)
_ASIDE = 0.1  # where the selected value stands in the pane

_FORMAT = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<digits>\d*))?l?(?P<kind>[eEfFgG])"
)


@dataclass
class _Axis:
    """One axis: its range in the data, what its ticks say, where it is (pixels)."""

    low: float
    high: float
    ticks: list[str]
    start: int = 0
    end: int = 0

    def places(self, values: np.ndarray | float) -> np.ndarray:
        """Pixels of values."""
        with np.errstate(all="ignore"):
            part = (np.asarray(values, float) - self.low) / (self.high - self.low)
            return self.start + 0.5 + part * (self.end - self.start)


def figure(text: Text, rect: Any, fig: Any) -> None:
    """Draw a figure, and write where its axes are into it.

    Parameters
    ----------
    text : Text
        What draws text.
    rect : MjrRect
        The rectangle (pixels). In one that has no room for axes, only titles are drawn.
    fig : MjvFigure
        The figure. Its `xaxisdata` and `yaxisdata` become the ranges that are drawn, `xaxispixel` and `yaxispixel`
        where they begin and end (pixels of the picture); where there is no room for axes these stay as they are.

    Raises
    ------
    ValueError
        A format prints something else than one floating point number, or a grid has more than 1001 lines at an axis.
    """
    area = pixels(rect)
    if area[2] <= 0 or area[3] <= 0:
        return
    points, line = _points(fig)
    x, y = _axes(fig, points)
    fig.xaxisdata[:] = x.low, x.high
    fig.yaxisdata[:] = y.low, y.high
    ground = [(*area, fig.figurergba)]
    if _lay_out(text, area, fig, x, y):
        fig.xaxispixel[:] = x.start, x.end
        fig.yaxispixel[:] = y.start, y.end
        _Plot(text, fig, x, y, points, line).draw(ground, _titles(text, area, fig))
    else:
        with text.painter.over():
            text.painter.bars(rectangles(ground))
        text.lines(_titles(text, area, fig))


def _points(fig: Any) -> tuple[np.ndarray, np.ndarray]:
    """All points of a figure, [n, 2], and the line of each: the last first, as they are drawn."""
    counts = np.clip(fig.linepnt, 0, _POINTS)
    data = fig.linedata.reshape(_LINES, _POINTS, 2)
    lines = np.flatnonzero(counts)[::-1]
    points = [data[i, : counts[i]] for i in lines]
    line = np.repeat(lines, counts[lines])
    return np.concatenate([np.zeros((0, 2), np.float32), *points]), line


def _axes(fig: Any, points: np.ndarray) -> tuple[_Axis, _Axis]:
    if max(fig.gridsize) > _POINTS:
        raise ValueError(
            f"gridsize {fig.gridsize.tolist()}: a grid has at most {_POINTS} lines at an axis"
        )
    axes = []
    for k, form in enumerate((fig.xformat, fig.yformat)):
        low, high = _range(fig.range[k], points[:, k], fig.flg_extend)
        if k and fig.flg_symmetric:
            high = max(abs(low), abs(high))
            low = -high
        labelled = fig.flg_ticklabel[k] and min(fig.gridsize) > 1
        ticks = _ticks("xy"[k], form, low, high, int(fig.gridsize[k])) if labelled else []
        axes.append(_Axis(float(low), float(high), ticks))
    return axes[0], axes[1]


def _range(given: np.ndarray, data: np.ndarray, extend: int) -> tuple[np.float32, np.float32]:
    """The range of an axis, in the precision of the figure: as given, by data, or both."""
    low, high = given
    known = data[np.isfinite(data)]
    if len(known):
        least, most = known.min(), known.max()
        if not low < high:
            low, high = least, most
        elif extend:
            low, high = min(low, least), max(high, most)
    with np.errstate(all="ignore"):
        lack = np.float32(_LEAST) - (high - low)
        if lack > 0:
            low, high = low - np.float32(0.5) * lack, high + np.float32(0.5) * lack
    return low, high


def _ticks(axis: str, form: str, low: np.float32, high: np.float32, count: int) -> list[str]:
    """Labels of `count` ticks."""
    with np.errstate(all="ignore"):
        if np.isinf(high - low):
            low, high = np.float64(low), np.float64(high)
        values = low + (high - low) * np.arange(count, dtype=np.float32) / np.float32(count - 1)
    return [_short(printed(form, float(value), axis)) for value in values]


def _short(label: str) -> str:
    """A label without zeros at the end of a fraction."""
    whole, dot, fraction = label.rpartition(".")
    if not dot or not (fraction == "" or fraction.isdecimal()):
        return label
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def printed(form: str, value: float, axis: str = "x") -> str:
    """Print a number as C would.

    Parameters
    ----------
    form : str
        Text with at most one conversion of a floating point number (%e, %f, %g), and %% for a percent sign.
    value : float
        The number.
    axis : str
        Whose format it is, for the error.

    Raises
    ------
    ValueError
        There is another conversion, or two, or more than 99 characters or digits are asked for.
    """
    found = 0

    def write(match: re.Match) -> str:
        nonlocal found
        if match[0] == "%%":
            return "%"
        one = _FORMAT.fullmatch(match[0])
        found += 1
        if not one or found > 1 or max(len(one["width"]), len(one["digits"] or "")) > 2:
            raise ValueError(
                f"{axis}format {form!r}: {match[0]!r} cannot be printed; "
                "one of %e, %f and %g is meant, like '%.2f', with at most 99 characters"
            )
        digits = "" if one["digits"] is None else f".{one['digits'] or 0}"
        flags = (
            one["flags"] if math.isfinite(value) else one["flags"].replace("0", "")
        )  # as C has it
        return f"%{flags}{one['width']}{digits}{one['kind']}" % value

    # whatever begins with % and is no conversion of ours reaches `write`, too
    return re.sub(rf"%%|{_FORMAT.pattern}|%[^a-zA-Z%]*.?", write, form, flags=re.DOTALL)


def _lay_out(text: Text, area: tuple[int, int, int, int], fig: Any, x: _Axis, y: _Axis) -> bool:
    """Find where the axes are; return whether there is room for them."""
    left, bottom, width, height = area
    line = text.charHeight
    pad = line // 2
    x.start, x.end = left + pad, left + width - pad - 1
    y.start, y.end = bottom + pad, bottom + height - pad - 1
    if y.ticks:
        x.start += pad + max(text.width(NORMAL, label) for label in [*y.ticks, fig.minwidth])
    if x.ticks:
        y.start += 3 * line // 2
    if fig.xlabel:
        y.start += 5 * line // 4
    if _subtitles(fig)[1] is not None:
        y.end -= 3 * line // 2
    return x.start <= x.end and y.start <= y.end


def _subtitles(fig: Any) -> tuple[list[str], int | None]:
    """Titles of subplots with the spaces between them, and which of these is in the middle; None: nothing is drawn."""
    parts = re.split("( {2,})", fig.title)
    chosen = 2 * max(0, fig.subplot)
    return parts, chosen if chosen < len(parts) and parts[chosen] else None


def _titles(text: Text, area: tuple[int, int, int, int], fig: Any) -> list[Line]:
    """The title, the one of the subplot that stands out in the middle and brighter, and the text at the x axis."""
    left, bottom, width, height = area
    pad = text.charHeight // 2
    middle = left + width // 2
    lines = []
    parts, chosen = _subtitles(fig)
    if chosen is not None:
        widths = [text.width(NORMAL, part) for part in parts]
        start = middle - widths[chosen] // 2 - sum(widths[:chosen])
        y = bottom + height - pad - text.charHeight
        for i, part in enumerate(parts):
            rgb = fig.textrgb
            if i != chosen:
                rgb = _DIM * rgb + (1 - _DIM) * fig.figurergba[:3]
            lines.append(Line(NORMAL, part, start + sum(widths[:i]), y, rgb))
    if fig.xlabel:
        start = middle - text.width(NORMAL, fig.xlabel) // 2
        lines.append(Line(NORMAL, fig.xlabel, start, bottom + pad, fig.textrgb))
    return lines


class _Plot:
    """What is inside of the axes of a figure, and beside them."""

    def __init__(
        self, text: Text, fig: Any, x: _Axis, y: _Axis, points: np.ndarray, line: np.ndarray
    ) -> None:
        self.text, self.fig, self.x, self.y = text, fig, x, y
        self.points, self.line = points, line
        self.places = np.stack([x.places(points[:, 0]), y.places(points[:, 1])], 1)
        self.legend = self._legend() if fig.flg_legend else []

    def draw(self, ground: list[tuple], titles: list[Line]) -> None:
        """Draw all: shapes, text, the line that stands out, the value that is selected."""
        legend, names = self._named()
        bars = [
            rectangles([*ground, self._pane(), *self._grid()]),
            self._strokes(self.fig.linewidth),
            rectangles([*self._selection(), *legend]),
        ]
        paint = self.text.painter
        with paint.over():
            paint.bars(np.concatenate(bars))
        self.text.lines([*titles, *self._ticks(), *names])
        chosen = self._chosen()
        if chosen is not None:
            with paint.over():
                paint.bars(self._strokes(_THICK * self.fig.linewidth, chosen))
            self.text.lines(self._value(chosen))

    def _pane(self) -> tuple:
        x, y = self.x, self.y
        rgba = self.fig.panergba
        return x.start, y.start, x.end + 1 - x.start, y.end + 1 - y.start, rgba

    def _grid(self) -> list[tuple]:
        """Lines of the grid, the first and last of them at the ends of the axes."""
        x, y = self.x, self.y
        breadth = self.fig.gridwidth
        if not breadth > 0 or min(self.fig.gridsize) < 2:
            return []
        breadth = max(1, round(min(breadth, 1e4)))
        rgba = (*self.fig.gridrgb, 1.0)
        wide, high = x.end + 1 - x.start, y.end + 1 - y.start
        lines = []
        for place in _between(x, int(self.fig.gridsize[0])):
            lines.append((round(place - 0.5 * breadth), y.start, breadth, high, rgba))
        for place in _between(y, int(self.fig.gridsize[1])):
            lines.append((x.start, round(place - 0.5 * breadth), wide, breadth, rgba))
        return lines

    def _ticks(self) -> list[Line]:
        """Labels of the ticks: the first and last at x stay within the axis."""
        x, y, line = self.x, self.y, self.text.charHeight
        rgb = self.fig.textrgb
        below = y.start - 3 * line // 2
        lines = []
        for i, label in enumerate(x.ticks):
            width = self.text.width(NORMAL, label)
            place = x.start + 0.5 + i * (x.end + 1 - x.start) / (len(x.ticks) - 1) - width // 2
            if i in (0, len(x.ticks) - 1):
                place = x.end + 1 - width if i else x.start
            lines.append(Line(NORMAL, label, place, below, rgb))
        for i, label in enumerate(y.ticks):
            place = x.start - line // 2 - self.text.width(NORMAL, label)
            height = y.start + 0.5 + i * (y.end + 1 - y.start) / (len(y.ticks) - 1) - line // 2
            lines.append(Line(NORMAL, label, place, height, rgb))
        return lines

    def _strokes(self, breadth: float, chosen: int | None = None) -> np.ndarray:
        """Bars for the segments of one line or of all, the first line over the others; cut off at the pane."""
        first = np.arange(max(0, len(self.line) - 1) if breadth > 0 else 0)
        if self.fig.flg_barplot:
            starts = np.searchsorted(-self.line, -self.line[first])
            first = first[(first - starts) % 2 == 0]
        known = np.isfinite(self.places).all(1)
        keep = known[first] & known[first + 1] & (self.line[first] == self.line[first + 1])
        if chosen is not None:
            keep &= self.line[first] == chosen
        first = first[keep]
        start, end = self.places[first], self.places[first + 1]
        low = np.array([self.x.start + 0.5, self.y.start + 0.5])
        high = np.array([self.x.end + 0.5, self.y.end + 0.5])
        breadth = max(1.0, min(float(breadth), 1e4))
        reach, corners, sharp = _corners(end - start, first, breadth)
        sharp = sharp[((start[sharp] >= low) & (start[sharp] <= high)).all(1)]
        ends, seen = _cut(start, end, reach, low, high)
        bars = np.ones((len(seen) + len(sharp), BAR), np.float32)
        bars[:, :4] = np.concatenate([ends, np.tile(start[sharp], 2)])
        bars[: len(seen), 4] = breadth
        bars[len(seen) :, 2:5] += corners[sharp] - (0.0, 0.0, 1.0)
        line = self.line[first[np.concatenate([seen, sharp])]]
        bars[:, 5:8] = colour(self.fig.linergb)[line]
        return bars[np.argsort(-line, kind="stable")] if len(sharp) else bars

    def _selection(self) -> list[tuple]:
        x, y = self.x, self.y
        place = float(x.places(self.fig.selection))
        if not self.fig.flg_selection or not x.start <= place <= x.end + 1:
            return []
        left = int(np.floor(place - 0.5 * _SELECTION + 0.5))
        return [(left, y.start, _SELECTION, y.end + 1 - y.start, (1.0, 1.0, 1.0, 1.0))]

    def _legend(self) -> list[tuple[int, str]]:
        """Lines with names, and these, as many as the pane has room for."""
        line = self.text.charHeight
        room = (self.y.end - self.y.start - line // 2 * 2) // line
        names = [(i, _name(self.fig, i)) for i in range(max(0, self.fig.legendoffset), _LINES)]
        names = [(i, name) for i, name in names if name][: max(0, room)]
        width = self.x.end + 1 - self.x.start - line // 2 * 2
        return [(i, self._cut_off(name, width)) for i, name in names]

    def _cut_off(self, name: str, width: int) -> str:
        """As much of a name as there is room for."""
        while name and self.text.width(SHADOW, name) > width:
            name = name[:-1]
        return name

    def _legend_box(self) -> tuple[int, int, int, int]:
        """Left, bottom, right and top of the names in the legend."""
        line = self.text.charHeight
        right, top = self.x.end + 1 - line // 2, self.y.end + 1 - line // 2
        width = max(self.text.width(NORMAL, name) for _, name in self.legend)
        return right - width, top - line * len(self.legend), right, top

    def _named(self) -> tuple[list[tuple], list[Line]]:
        """The ground of the legend, and its text."""
        if not self.legend:
            return [], []
        line, pad = self.text.charHeight, self.text.charHeight // 2
        left, bottom, right, top = self._legend_box()
        low = max(self.x.start, left - pad + 1)
        ground = (low, bottom - pad + 1, self.x.end + 1 - low, top - bottom + 2 * pad - 1)
        names = [
            Line(
                SHADOW,
                name,
                right - self.text.width(SHADOW, name),
                top - line * (k + 1),
                self.fig.linergb[i],
            )
            for k, (i, name) in enumerate(self.legend)
        ]
        return [(*ground, self.fig.legendrgba)], names

    def _chosen(self) -> int | None:
        """The line that stands out: the one whose name is pointed at, else the one that is given."""
        if self.legend:
            left, bottom, right, top = self._legend_box()
            x, y = (int(v) for v in self.fig.highlight)
            if left <= x <= right and bottom < y <= top:
                return self.legend[(top - y) // self.text.charHeight][0]
        given = self.fig.highlightid
        return given if 0 <= given < _LINES else None

    def _value(self, chosen: int) -> list[Line]:
        """The point of the line that stands out that is nearest to the selection, as text."""
        points = self.points[self.line == chosen].astype(float)
        away = np.abs(points[:, 0] - self.fig.selection)
        if not self.fig.flg_selection or not np.isfinite(away).any():
            return []
        nearest = points[np.nanargmin(away)]
        x, y = self.x, self.y
        return [
            Line(
                SHADOW,
                f"( {nearest[0]:.4g} : {nearest[1]:.4g} )",
                x.start + 0.5 + _ASIDE * (x.end + 1 - x.start),
                y.start + _ASIDE * (y.end + 1 - y.start),
                self.fig.textrgb,
            )
        ]


def _name(fig: Any, line: int) -> str:
    return bytes(fig.linename[line]).partition(b"\0")[0].decode("utf-8", "replace")


def _between(axis: _Axis, count: int) -> list[float]:
    """Where `count` lines of a grid are."""
    return [axis.start + 0.5 + i * (axis.end - axis.start) / (count - 1) for i in range(count)]


def _corners(
    step: np.ndarray, first: np.ndarray, breadth: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What closes the gaps outside of corners, where two segments meet.

    Up to a right angle both segments are longer by half the breadth times the tangent of half the angle between them;
    where they turn back further, a bar is set upon the corner, whose far side goes from one segment's to the other's.

    Parameters
    ----------
    step : (n, 2) array
        From the start of segments to their ends.
    first : (n,) int array
        Numbers of segments; one that follows another begins where that ends.
    breadth : float
        Breadth of the line.

    Returns
    -------
    reach : (2, n, 2) array
        How much longer segments are, at their start and at their end.
    corners : (n, 3) array
        From the start of segments along the bars there; breadth of these.
    sharp : (m,) array
        Which segments have such a bar; none of thin lines, whose gaps are not seen.
    """
    reach, corners = np.zeros((2, *step.shape)), np.zeros((len(step), 3))
    size = np.hypot(step[:, 0], step[:, 1])
    meets = (first[1:] - first[:-1] == 1) & (size[1:] > 0) & (size[:-1] > 0)
    with np.errstate(all="ignore"):
        direction = step / size[:, None]
        cosine = np.einsum("ij,ij->i", direction[1:], direction[:-1]).clip(-1.0, 1.0)
        half = 0.5 * np.where(meets & (cosine >= 0), breadth, 0.0)
        longer = (half * np.sqrt((1.0 - cosine) / (1.0 + cosine)))[:, None]
        reach[0, 1:] = np.where(half[:, None] > 0, longer * direction[1:], 0.0)
        reach[1, :-1] = np.where(half[:, None] > 0, longer * direction[:-1], 0.0)
        sine = np.sqrt(0.5 * (1.0 - cosine))  # of half the angle
        outward = (direction[:-1] - direction[1:]) / (2.0 * sine)[:, None]
        corners[1:, :2] = (0.5 * breadth * np.sqrt(0.5 * (1.0 + cosine)))[:, None] * outward
        corners[1:, 2] = breadth * sine
    sharp = 1 + np.flatnonzero(meets & (cosine < 0)) if breadth > 2 else np.zeros(0, int)
    return reach, corners, sharp


def _cut(
    start: np.ndarray, end: np.ndarray, reach: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Cut segments off at a rectangle.

    Parameters
    ----------
    start, end : (n, 2) array
        Segments.
    reach : (2, n, 2) array
        How much longer they are at ends that remain.
    low, high : (2,) array
        The rectangle.

    Returns
    -------
    ends : (m, 4) array
        What is left of segments.
    seen : (n,) array
        Which segments these are.
    """
    if all((low <= p).all() and (p <= high).all() for p in (start, end)):
        return np.hstack([start - reach[0], end + reach[1]]), np.arange(len(start))
    step = end - start
    with np.errstate(all="ignore"):
        # the part of a segment between both sides, for x and y; all or nothing where it is parallel to them
        sides = (low - start) / step, (high - start) / step
        inside = (start >= low) & (start <= high)
        enter = np.where(step == 0, np.where(inside, 0.0, 2.0), np.minimum(*sides)).max(1)
        leave = np.where(step == 0, 1.0, np.maximum(*sides)).min(1)
    seen = np.flatnonzero(np.maximum(enter, 0.0) < np.minimum(leave, 1.0))
    start, end, step, reach = start[seen], end[seen], step[seen], reach[:, seen]
    enter, leave = enter[seen, None], leave[seen, None]
    # points that are far away cost digits, so that their cuts may miss the rectangle
    entry, exit_ = (np.clip(start + part * step, low, high) for part in (enter, leave))
    return np.hstack(
        [
            np.where(enter > 0, entry, start - reach[0]),
            np.where(leave < 1, exit_, end + reach[1]),
        ]
    ), seen
