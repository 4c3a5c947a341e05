"""Figures over a picture, beside MuJoCo's: where they are, what they say, how they look."""

import ctypes

import mujoco
import numpy as np
import pytest

import sinew.mujoco
from overlay_pair import HEIGHT, WIDTH, Ours, Peer, box, painted, rect
from sinew.draw.figure import figure, printed

SCALES = (50, 100, 150, 200, 250, 300)
AREA = (10, 10, 460, 340)
FORMATS = (
    "%.0f %.2g %.9g %8.3f %e %+.3g %#.3g %06.1f x=%g%% const %.3E %G %5.1lf %f %-7.2f| %.2f0 0.50 %#.0f"
).split() + ["% .2f", "a b %g c", "%10.4f", "%-9.1f"]


@pytest.fixture(scope="module")
def peer():
    """MuJoCo's pictures."""
    made = Peer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def ours():
    """Pictures of the module under test."""
    made = Ours()
    yield made
    made.close()


def pair(lines=(), names=(), **members):
    """The same figure, MuJoCo's and ours."""
    figures = mujoco.MjvFigure(), sinew.mujoco.MjvFigure()
    for module, fig in zip((mujoco, sinew.mujoco), figures, strict=True):
        module.mjv_defaultFigure(fig)
        fig.linedata[:] = 0  # MuJoCo's is not set
        for i, points in enumerate(lines):
            points = np.asarray(points, np.float32).ravel()
            fig.linepnt[i] = len(points) // 2
            fig.linedata[i, : len(points)] = points
        for i, name in enumerate(names):
            fig.linename[i] = name
        for name, value in members.items():
            if isinstance(value, str | int | float):
                setattr(fig, name, value)
            else:
                getattr(fig, name)[:] = value
    return figures


def both(peer, ours, figures, area=AREA, ground=(1, 1, 1)):
    """The two pictures."""
    theirs = peer.picture(lambda c: mujoco.mjr_figure(mujoco.MjrRect(*area), figures[0], c), ground)
    return theirs, ours.picture(lambda t: figure(t, rect(*area), figures[1]), ground)


def numbers(fig):
    """What was written into a figure; text, so that NaN is equal to itself."""
    return str(
        [getattr(fig, k).tolist() for k in ("xaxispixel", "yaxispixel", "xaxisdata", "yaxisdata")]
    )


def waves(count=4, points=30):
    x = np.linspace(0, 10, points)
    return [np.c_[x, 3 * np.sin(x + i)] for i in range(count)]


# ---- what is written back


@pytest.mark.parametrize("seed", range(25))
def test_numbers_are_the_peers(peer, ours, seed):
    """Ranges and pixels of the axes are equal, whatever the figure: 12 of each seed."""
    rng = np.random.default_rng(seed)
    scale = SCALES[seed % 6]
    peer.font(scale)
    ours.font(scale)
    for _ in range(12):
        size = 10.0 ** rng.integers(-6, 7)
        lines = [
            size
            * (
                rng.normal(size=(rng.integers(0, 30), 2))
                + rng.normal() * 10.0 ** rng.integers(0, 4)
            )
            for _ in range(rng.integers(0, 6))
        ]
        if lines and len(lines[0]) and rng.random() < 0.3:
            lines[0][0] = np.nan, np.inf
        ranges = size * np.sort(rng.normal(size=(2, 2)), 1)[:, :: rng.choice([-1, 1])]
        figures = pair(
            lines,
            gridsize=rng.integers(0, 12, 2),
            flg_ticklabel=rng.integers(0, 2, 2),
            flg_extend=int(rng.integers(2)),
            flg_symmetric=int(rng.integers(2)),
            xformat=str(rng.choice(FORMATS)),
            yformat=str(rng.choice(FORMATS)),
            title=str(rng.choice(["", "a  b", "title"])),
            xlabel=str(rng.choice(["", "time"])),
            minwidth="X" * int(rng.integers(0, 8)),
            range=ranges if rng.random() < 0.8 else [[0, 0], [1, 1]],
        )
        area = *rng.integers(0, 50, 2).tolist(), *rng.integers(1, 500, 2).tolist()
        both(peer, ours, figures, area)
        assert numbers(figures[0]) == numbers(figures[1])


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "members",
    [
        dict(range=[[NAN, 1], [0, NAN]]),
        dict(range=[[NAN, 1], [0, NAN]], lines=[[(1, 2), (3, 4)]]),
        dict(range=[[0, INF], [-INF, 1]], lines=[[(1, 2), (3, 4)]], flg_ticklabel=[1, 0]),
        dict(lines=[[(NAN, NAN)] * 3]),
        dict(lines=[[(2, INF), (3, -INF), (5, 7)]], range=[[1, 0], [1, 0]]),
        dict(lines=[[(2, 3e38), (3, -3e38)]], range=[[1, 0], [1, 0]], flg_ticklabel=[1, 0]),
        dict(lines=[[(2, 3)]], range=[[1, 0], [1, 0]]),
        dict(range=[[3, 2], [7, 4]], flg_symmetric=1),
        dict(linepnt=-1),
        dict(gridsize=[5, 1]),
        dict(gridsize=[-3, 5]),
        dict(gridsize=[-(2**31), 2**31 - 1], flg_ticklabel=[0, 0]),
    ],
    ids=str,
)
@pytest.mark.parametrize("extend", [0, 1])
def test_odd_numbers(peer, ours, members, extend):
    """The same as MuJoCo's where data and ranges are no numbers, or huge."""
    peer.font(100)
    ours.font(100)
    members = dict(members)
    if max(members.get("gridsize", [0])) > 1001:
        _, own = pair(**members)
        with pytest.raises(ValueError, match="1001 lines"):
            ours.picture(lambda t: figure(t, rect(*AREA), own))
        return
    figures = pair(members.pop("lines", ()), flg_extend=extend, **members)
    both(peer, ours, figures)
    assert numbers(figures[0]) == numbers(figures[1])


@pytest.mark.parametrize(
    "area", [(5, 5, 0, 0), (5, 5, -3, 10), (5, 5, 10, 0), (5, 5, 40, 30), (5, 5, 200, 20)]
)
def test_no_room(peer, ours, area):
    """Where axes have none, the figure and its titles are drawn; nothing where it has none itself."""
    peer.font(100)
    ours.font(100)
    figures = pair(waves(), title="T", xlabel="x", names=[b"name"], flg_legend=1)
    for fig in figures:
        fig.xaxispixel[:] = fig.yaxispixel[:] = 7
    theirs, own = both(peer, ours, figures, area)
    assert figures[1].xaxispixel.tolist() == figures[1].yaxispixel.tolist() == [7, 7]
    assert numbers(figures[0]) == numbers(figures[1])
    assert painted(theirs, (255, 255, 255)) == painted(own, (255, 255, 255))
    assert np.abs(theirs.astype(int) - own).mean() < 1


# ---- how it looks

# The mean difference is that of edges of lines and of the shapes of letters: figures fill the picture.
LOOKS = {
    "default": (dict(), 2),
    "lines": (
        dict(lines=waves(), flg_legend=1, names=[b"one", b"two long name", b"", b"g"], gridsize=[5, 5],
             linewidth=2, xlabel="time (s)", title="plain", yformat="%.1f", flg_symmetric=1), 4),
    "transparent": (
        dict(lines=waves(), figurergba=[0.2, 0.2, 0.2, 0.5], panergba=[0.5, 0.7, 0.5, 0.5],
             legendrgba=[0, 0, 0.5, 0.5], flg_legend=1, names=[b"one", b"two", b"", b"g"], gridsize=[5, 4],
             gridwidth=2, linewidth=5, title="First  Second  Third", subplot=1, xlabel="x label", flg_extend=0,
             range=[[1, 9], [-2.5, 2.5]], flg_selection=1, selection=4, highlight=[440, 280], highlightid=1,
             xformat="%.1f s", yformat="%.3f N"), 4.5),
    "bars": (dict(lines=waves(), flg_barplot=1, gridsize=[5, 4], linewidth=8, highlightid=2), 2.5),
    "noise": (
        dict(lines=[np.random.default_rng(0).normal(size=(1001, 2)).cumsum(0)], linewidth=1, gridsize=[3, 3]), 3),
    "outside": (
        dict(lines=[3 * np.random.default_rng(0).normal(size=(40, 2))], linewidth=3, flg_extend=0, panergba=[0, 0, 1, 1]), 2.5),
    "wide": (dict(lines=waves(2, 8), linewidth=40, figurergba=[1, 1, 1, 1], panergba=[0.9, 0.9, 1, 1]), 5),
    "many": (
        dict(lines=waves(100, 50), names=[b"line %d" % i for i in range(100)], flg_legend=1, legendoffset=3), 7),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("scale", [100, 150])
def test_pictures_are_alike(peer, ours, name, scale):
    """The mean difference is below a bound; what is drawn is within the same pixels.

    MuJoCo leaves gaps at the corners of lines, which are filled here: so wide ones reach further.
    """
    members, bound = LOOKS[name]
    peer.font(scale)
    ours.font(scale)
    figures = pair(**members)
    theirs, own = both(peer, ours, figures)
    assert numbers(figures[0]) == numbers(figures[1])
    assert np.abs(theirs.astype(int) - own).mean() < bound
    there, here = painted(theirs, (255, 255, 255)), painted(own, (255, 255, 255))
    assert np.abs(np.subtract(there, here)).max() <= max(1, members.get("linewidth", 3) / 2)


def test_lines_are_alike(peer, ours):
    """Without text the difference is in the edges of lines alone: half as wide a line is three times as different."""
    plain = dict(flg_ticklabel=[0, 0], gridsize=[3, 3], flg_extend=1, linewidth=4)
    peer.font(100)
    ours.font(100)
    theirs, own = both(peer, ours, pair(waves(), **plain))
    _, thin = both(peer, ours, pair(waves(), **{**plain, "linewidth": 2}))
    difference = np.abs(theirs.astype(int) - own).mean()
    assert difference < 1.5
    assert np.abs(theirs.astype(int) - thin).mean() > 3 * difference


RED_GREEN_BLUE = np.tile([[1, 0, 0], [0, 1, 0], [0, 0, 1]], (34, 1))[:100]


def level(**members):
    """A figure with three level lines, in red, green and blue."""
    lines = [[(0, 0.2 + 0.2 * i), (1, 0.2 + 0.2 * i)] for i in range(3)]
    given = dict(
        linergb=RED_GREEN_BLUE, linewidth=2, flg_extend=0, flg_legend=1, names=[b"AA", b"BBB", b"C"]
    )
    return pair(lines, **{**given, **members})


def thick(picture, fig):
    """How many pixels of a column are red, green and blue."""
    column = picture[:, (fig.xaxispixel[0] + fig.xaxispixel[1]) // 2 - 50]
    return [int((column.argmax(1) == k)[column.max(1) > 200].sum()) for k in range(3)]


@pytest.mark.parametrize("chosen", [-1, 0, 1, 2, 3, 50, 99, 100, 2**31 - 1, -(2**31)])
def test_line_that_stands_out(peer, ours, chosen):
    """It is five times as wide; others are not, and lines that are not there are none."""
    peer.font(100)
    ours.font(100)
    figures = level(highlightid=chosen)
    theirs, own = both(peer, ours, figures, ground=(0, 0, 0))
    for there, here in zip(thick(theirs, figures[0]), thick(own, figures[1]), strict=True):
        assert abs(there - here) <= 2  # of 2 and 10
    assert (max(thick(own, figures[1])) > 7) == (0 <= chosen < 3)


@pytest.mark.parametrize("offset", [-1, 0, 1, 2, 5])
def test_line_that_is_pointed_at(peer, ours, offset):
    """Names in the legend answer the pointer in the same pixels, and before the line that is given."""
    peer.font(100)
    ours.font(100)
    spots = [
        (x, y) for x in (-39, -38, -20, -8, -7) for y in (-62, -61, -44, -43, -26, -25, -8, -7)
    ]
    for dx, dy in spots[:: 1 if offset == 0 else 5]:
        x, y = AREA[0] + AREA[2] - 10 + dx, AREA[1] + AREA[3] - 10 + dy
        figures = level(
            highlight=[x, y], legendoffset=offset, highlightid=2, names=[b"AA", b"", b"CCC"]
        )
        theirs, own = both(peer, ours, figures, ground=(0, 0, 0))
        there, here = thick(theirs, figures[0]), thick(own, figures[1])
        assert np.argmax(there) == np.argmax(here), (dx, dy, there, here)


@pytest.mark.parametrize("selection", [0.3, -9, 9, 4.5, NAN, INF])
def test_selection(peer, ours, selection):
    """A white line, and the nearest point of the line that stands out as text in the same place."""
    peer.font(150)
    ours.font(150)
    x = np.linspace(0, 5, 21)
    for chosen in (-1, 0):
        figures = pair([np.c_[x, np.cos(x)]], flg_selection=1, selection=selection, highlightid=chosen,
                       linergb=RED_GREEN_BLUE, gridrgb=[0, 0, 0], textrgb=[0, 1, 1], flg_ticklabel=[0, 0],
                       range=[[0, 5], [-3, 3]], flg_extend=0)  # fmt: skip
        theirs, own = both(peer, ours, figures, ground=(0, 0, 0))
        for part in (lambda p: (p > 250).all(2), lambda p: (p[:, :, 0] < 5) & (p[:, :, 1] > 200)):
            there, here = box(part(theirs)), box(part(own))
            if not np.isfinite(selection) and there:
                assert here is None  # MuJoCo takes the first point for the nearest to nothing
                continue
            assert (there is None) == (here is None)
            if here:
                assert np.abs(np.subtract(there, here)).max() <= 3


def test_lines_end_at_points_that_are_none(peer, ours):
    """NaN and infinity are gaps."""
    peer.font(100)
    ours.font(100)
    for gap in ((3, NAN), (NAN, 3), (3, INF), (-INF, 3)):
        line = [(1, 1), (2, 2), gap, (4, 4), (5, 5)]
        figures = pair(
            [line],
            linergb=RED_GREEN_BLUE,
            range=[[0, 6], [0, 6]],
            flg_extend=0,
            flg_ticklabel=[0, 0],
        )
        theirs, own = both(peer, ours, figures, ground=(0, 0, 0))
        for picture in (theirs, own):
            red = np.flatnonzero((picture[:, :, 0] > 200).any(0))
            assert (np.diff(red) > 100).sum() == 1  # two pieces
        assert np.abs(theirs.astype(int) - own).mean() < 0.5


@pytest.mark.parametrize("angle", [10, 45, 89, 91, 120, 150, 175])
def test_corners_are_closed(ours, angle):
    """Outside of a corner all is painted up to its bevel, and nothing beyond half the breadth, or the mitre."""
    area, breadth, reach = (10, 10, 320, 320), 60.0, 0.5 * np.radians(angle)
    corner = np.array([0.5, 0.5])
    out = np.array([np.sin(2.0), np.cos(2.0)])  # where the corner points
    aside = np.array([out[1], -out[0]])
    ends = [corner - 0.4 * (np.sin(reach) * out + s * np.cos(reach) * aside) for s in (1, -1)]
    _, own = pair([[ends[0], corner, ends[1]]], linewidth=breadth, linergb=RED_GREEN_BLUE, flg_extend=0,
                  flg_ticklabel=[0, 0], figurergba=[0, 0, 0, 1])  # fmt: skip
    picture = ours.picture(lambda t: figure(t, rect(*area), own), (0, 0, 0))
    red = picture[:, :, 0] > 200
    middle = np.array([own.xaxispixel.sum(), own.yaxispixel.sum()]) / 2 + 0.5
    bevel = 0.5 * breadth * np.cos(reach)
    for part in (0.1, 0.5, 0.8, 0.95):
        x, y = middle + part * bevel * out
        assert red[int(y), int(x)] or bevel < 2, part
    beyond = 0.5 * breadth / np.cos(reach) if angle <= 90 else bevel
    x, y = middle + (beyond + 2.5) * out
    assert not red[int(y), int(x)]
    rows, columns = np.nonzero(red)
    ahead = (columns + 0.5 - middle[0]) * out[0] + (rows + 0.5 - middle[1]) * out[1]
    assert ahead.max() < beyond + 1.5


def test_first_line_is_over_the_others(peer, ours):
    """At corners of the others, too."""
    lines = [[(0, 0.52), (1, 0.52)], [(0.32, 0.2), (0.5, 0.5), (0.68, 0.2)]]
    figures = pair(lines, linewidth=20, linergb=RED_GREEN_BLUE, flg_extend=0, flg_ticklabel=[0, 0])
    pictures = both(peer, ours, figures)
    for picture in pictures:
        assert (picture[160:350, :, 1] > 200).sum() > 20
        middle = int(figures[1].yaxispixel.mean())
        crossing = picture[middle + 4, 225:255]
        assert (crossing == (255, 0, 0)).all()


def test_lines_from_far_away(ours):
    """They are cut off at the pane; what is too far away for digits that are left is not seen, and does no harm."""
    for lengthwise, end in ((0, 1e6), (1, 1e6), (0, 1e11), (1, 1e11), (0, 3e38), (1, 3e38)):
        line = np.full((2, 2), 0.5)
        line[:, lengthwise] = -end, end
        _, own = pair(
            [line], linewidth=3, linergb=RED_GREEN_BLUE, flg_extend=0, flg_ticklabel=[0, 0]
        )
        found = box(ours.picture(lambda t, f=own: figure(t, rect(*AREA), f))[:, :, 0] > 200)
        if end > 1e12:
            assert found is None
            continue
        pane = *own.xaxispixel, *own.yaxispixel
        low, high = found[lengthwise], found[2 + lengthwise]
        assert abs(low - pane[2 * lengthwise]) <= 1 and abs(high - pane[2 * lengthwise + 1]) <= 1
        assert found[3 - lengthwise] - found[1 - lengthwise] <= 3


@pytest.mark.parametrize("points", [[], [(0.5, 0.5)], [(0.5, 0.5)] * 5])
def test_lines_without_length(ours, points):
    _, own = pair([points], linergb=RED_GREEN_BLUE, linewidth=9)
    assert not (ours.picture(lambda t: figure(t, rect(*AREA), own)) == (255, 0, 0)).all(2).any()


@pytest.mark.parametrize("width", [0, -1, NAN, INF, 1e30])
def test_odd_widths(ours, width):
    """No width is no line; more than the picture has fills the pane."""
    _, own = pair(
        waves(), linewidth=width, gridwidth=width, linergb=np.ones((100, 3)), gridrgb=[1, 0, 0]
    )
    picture = ours.picture(lambda t: figure(t, rect(*AREA), own))
    inside = picture[50:300, 60:400]
    assert (inside == (0 if not width > 0 else 255)).all()


def test_ticks_have_the_colour_of_text(peer, ours):
    """MuJoCo takes the red of the colour for green and blue, too."""
    members = dict(figurergba=[1, 1, 1, 1], panergba=[1, 1, 1, 1], gridrgb=[1, 1, 1])
    theirs, own = both(peer, ours, pair(textrgb=[0, 0, 1], **members))
    assert (theirs == 0).all(2).sum() > 20 and (own == (0, 0, 255)).all(2).sum() > 20
    grey = both(peer, ours, pair(textrgb=[0.2, 0.2, 0.2], **members))
    assert painted(grey[0], (255, 255, 255)) == pytest.approx(
        painted(grey[1], (255, 255, 255)), abs=2
    )


def test_few_calls(ours, monkeypatch):
    """100 lines of 1001 points: the figure is drawn in a handful of calls, not one for each line."""
    calls = []
    paint = ours.text.painter
    monkeypatch.setattr(paint, "bars", lambda bars: calls.append(len(bars)))
    monkeypatch.setattr(paint, "glyphs", lambda atlas, glyphs: calls.append(len(glyphs)))
    _, own = pair(
        waves(100, 1001), flg_legend=1, names=[b"x"] * 100, highlightid=1, flg_selection=1
    )
    ours.picture(lambda t: figure(t, rect(*AREA), own))
    assert len(calls) <= 4 and max(calls) > 100_000


# ---- text of a figure


def test_numbers_are_printed_as_c_does(ours):
    """Against the C library."""
    libc = ctypes.CDLL(None)
    room = ctypes.create_string_buffer(1000)
    values = [0.0, -0.0, 1.0, -1.5, 123456.789, 1e-7, 1e10, 3e38, 0.05, 99.995, NAN, INF, -INF]
    for form in [
        *FORMATS,
        "%99.3f",
        "%.40f",
        "%%",
        "%%%g%%",
        "%5.f",
        "%.e",
        "",
        "x",
        "%+ 08.2f",
        "%lg",
    ]:
        for value in values:
            libc.snprintf(room, ctypes.c_size_t(1000), form.encode(), ctypes.c_double(value))
            assert printed(form, value) == room.value.decode(), (form, value)


@pytest.mark.parametrize(
    "form",
    ["%n", "%s", "%d", "%x", "%c", "%p", "%a", "%*f", "%", "%%%", "%5%", "%f%f", "%999f", "%.100f", "%2147483648f",
     "%-", "%(x)f", "%Lf", "%hhn", "%1$f", "é%s", "%\n", "%é"],
)  # fmt: skip
def test_other_formats_are_errors(ours, form):
    """Nothing but one floating point number can be printed; the error names the format and its axis."""
    for axis in "xy":
        _, own = pair(**{f"{axis}format": form})
        with pytest.raises(ValueError, match=f"{axis}format .*%.2f"):
            ours.picture(lambda t, f=own: figure(t, rect(*AREA), f))
        _, own = pair(**{f"{axis}format": form}, flg_ticklabel=[0, 0])
        ours.picture(lambda t, f=own: figure(t, rect(*AREA), f))


TEXTS = ["", "Käse → 中文 😀", "a\nb\tc\x01", "x" * 99, "  ", "  a", "a  ", "a    b", "%s %n"]


@pytest.mark.parametrize("string", TEXTS)
@pytest.mark.parametrize("subplot", [-1, 0, 1, 2**31 - 1])
def test_odd_text(peer, ours, string, subplot):
    """Titles, labels and names of any kind; axes are where MuJoCo has them, as long as text is ASCII."""
    peer.font(100)
    ours.font(100)
    name = string.encode()[:99]
    figures = pair(waves(), title=string * (9 if len(string) > 50 else 1), xlabel=string, minwidth=string[:6],
                   names=[name, name[:-1], b"\xff\xfe", b"a\0b"], flg_legend=1, subplot=subplot)  # fmt: skip
    both(peer, ours, figures)
    if string.isascii():
        assert numbers(figures[0]) == numbers(figures[1])


@pytest.mark.parametrize("title, subplot", [("HH", 0), ("HH  HHH  HH", 1), ("HH  HHH  HH", -1), ("HH  HHH  HH", 9),
                                            ("HH   HHH", 1), ("  HH", 0), ("  HH", 1), ("HH HH", 1)])  # fmt: skip
def test_titles_are_where_the_peers_are(peer, ours, title, subplot):
    """The one of the subplot in the middle, bright; the others beside it, between its colour and the figure's."""
    peer.font(150)
    ours.font(150)
    figures = pair(
        title=title, subplot=subplot, flg_ticklabel=[0, 0], gridrgb=[0, 0, 0], textrgb=[1, 0, 0]
    )
    theirs, own = both(peer, ours, figures)
    for low, high in ((200, 256), (90, 110)):
        there, here = (
            box((p[:, :, 0] >= low) & (p[:, :, 0] < high) & (p[:, :, 1] < 10))
            for p in (theirs, own)
        )
        if low > 110 or there is None:  # smooth letters are dim at their edges, too
            assert (there is None) == (here is None) or low < 110
        if there and here and low > 110:
            assert np.abs(np.subtract(there, here)).max() <= 2
        elif there:
            assert here[0] <= there[0] + 3 and here[2] >= there[2] - 3


def test_names_that_are_too_long_are_cut_off(ours):
    """They stay within the pane."""
    ours.font(100)
    _, own = pair(
        waves(), names=[b"H" * 99], flg_legend=1, linergb=RED_GREEN_BLUE, linewidth=0, gridwidth=0
    )
    picture = ours.picture(lambda t: figure(t, rect(*AREA), own))
    found = box((picture[:, :, 0] > 200) & (picture[:, :, 1] < 50))
    assert own.xaxispixel[0] <= found[0] and found[2] <= own.xaxispixel[1]


def test_what_is_outside_stays(ours):
    """A figure draws in its rectangle; lines as wide as they are leave it, text that is too long does."""
    _, own = pair(waves(), title="title", xlabel="x", flg_legend=1, names=[b"a"])
    area = (100, 80, 250, 200)
    picture = ours.picture(lambda t: figure(t, rect(*area), own), (1, 0, 1))
    assert painted(picture, (255, 0, 255)) == (100, 80, 349, 279)
    assert WIDTH > 350 and HEIGHT > 280


@pytest.mark.parametrize("height", [60, 100, 101, 117, 118, 119, 200, 340])
@pytest.mark.parametrize("offset", [0, 3, 97])
def test_legend_is_the_peers(peer, ours, height, offset):
    """As many names as there is room for, on a ground of the same pixels."""
    peer.font(100)
    ours.font(100)
    figures = pair(waves(100, 3), names=[b"H" * (1 + i % 7) for i in range(100)], flg_legend=1, legendoffset=offset,
                   legendrgba=[1, 0, 1, 1], linergb=np.ones((100, 3)), range=[[90, 91], [0, 1]], flg_extend=0)  # fmt: skip
    theirs, own = both(peer, ours, figures, (10, 10, 400, height), ground=(0, 0, 0))
    there, here = (box((p == (255, 0, 255)).all(2)) for p in (theirs, own))
    assert (there is None) == (here is None)
    if here and offset == 97 and height > 119:
        assert there == here
    elif here:  # where names are left out, MuJoCo's ground is a pixel lower, and as wide as the first of those
        assert there[2:] == here[2:] and there[1] in (here[1], here[1] - 1) and there[0] <= here[0]
    ink = [p[:, 300:, 1].sum() / 255 for p in (theirs, own)]  # there is no green but in names
    assert 0.7 < ink[1] / max(1, ink[0]) < 1.4
