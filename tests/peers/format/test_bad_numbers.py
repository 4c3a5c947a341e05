"""Every attribute of every element with numbers and words that cannot be meant: an error or a warning that names
the place, or a model of finite numbers. The attributes are those of docs/mjcf.md, which is made from the reader's own table.
"""

import ctypes
import pathlib
import re
import time

import numpy as np
import pytest

import bridge
from test_model import load_warned, sizes

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/mjcf.md"

BODIES = """<body name="b" pos="0 0 1"><joint name="j" range="-1 1"/><joint name="k" type="slide"/><geom name="g" size=".1"/>
 <geom name="h" type="box" size=".1 .2 .3" pos="0 0 .3"/><site name="s"/><site name="r" pos=".1 0 0"/><camera name="c"/>
 %s</body><body name="f" pos="3 0 0"><freejoint/><geom name="w" size=".1"/><geom name="wrap" size=".05"/></body>
 <geom name="plane" type="plane" size="1 1 1"/>%s"""
HEAD = '<asset><texture name="x" builtin="flat" width="4" height="4" type="2d"/><material name="m" texture="x"/>%s</asset>'
TAIL = """<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed><spatial name="u"><site site="s"/><site site="r"/>
 </spatial>%s</tendon><actuator><motor name="a" joint="j"/><position name="p" joint="j" kp="3"/>%s</actuator>"""


def model(top="", asset="", inside="", world="", tendon="", actuator="", tail=""):
    return (
        f"<mujoco>{top}{HEAD % asset}<worldbody>{BODIES % (inside, world)}</worldbody>"
        f"{TAIL % (tendon, actuator)}{tail}</mujoco>"
    )


def body(element):
    return lambda text: model(
        inside=f'<body pos="1 0 0"><joint/><geom size=".1"/>{element % text}</body>'
    )


def section(name, element):
    return lambda text: model(tail=f"<{name}>{element % text}</{name}>")


def flex(inside):
    """A triangle of both bodies and the world."""
    element = f'<flex name="x" body="b f world" element="0 1 2">{inside}</flex>'
    return section("deformable", element)


def flexcomp(inside):
    return lambda text: model(world=f'<flexcomp name="x" count="2 2 1">{inside % text}</flexcomp>')


SHORTCUTS = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
]

# heading of the page: where its element stands, with %s for its attributes; what it cannot do without
ELEMENTS = {
    "compiler": (lambda text: model(top=f"<compiler {text}/>"), {}),
    "compiler/lengthrange": (
        lambda text: model(
            top=f"<compiler><lengthrange {text}/></compiler>", actuator='<muscle joint="j"/>'
        ),
        {"mode": "muscle", "inttotal": ".1", "interval": ".05", "tolrange": "9"},
    ),
    **{
        name: (lambda text, name=name: model(top=f"<{name} {text}/>"), {})
        for name in ["option", "size", "statistic"]
    },
    "option/flag": (lambda text: model(top=f"<option><flag {text}/></option>"), {}),
    **{
        f"visual/{name}": (
            lambda text, name=name: model(top=f"<visual><{name} {text}/></visual>"),
            {},
        )
        for name in ["global", "quality", "headlight", "map", "scale", "rgba"]
    },
    "custom/numeric": (section("custom", "<numeric %s/>"), {"name": "n", "data": "1"}),
    "custom/text": (section("custom", "<text %s/>"), {"name": "n", "data": "d"}),
    "custom/tuple": (
        section("custom", '<tuple %s><element objtype="body" objname="b"/></tuple>'),
        {"name": "n"},
    ),
    "custom/tuple/element": (
        section("custom", '<tuple name="n"><element %s/></tuple>'),
        {"objtype": "body", "objname": "b"},
    ),
    "asset/texture": (
        lambda text: model(asset=f"<texture {text}/>"),
        {"name": "n", "builtin": "flat", "width": "4", "height": "4", "type": "2d"},
    ),
    "asset/material": (lambda text: model(asset=f"<material {text}/>"), {"name": "n"}),
    "asset/material/layer": (
        lambda text: model(asset=f'<material name="n"><layer {text}/></material>'),
        {"texture": "x", "role": "rgb"},
    ),
    "body": (lambda text: model(inside=f'<body {text}><geom size=".1"/></body>'), {}),
    "frame": (lambda text: model(inside=f'<frame {text}><geom size=".1"/></frame>'), {}),
    "body/inertial": (
        lambda text: model(inside=f"<body><joint/><inertial {text}/></body>"),
        {"pos": "0 0 0", "mass": "1", "diaginertia": "1 1 1"},
    ),
    "body/joint": (body("<joint %s/>"), {"type": "hinge"}),
    "body/freejoint": (
        lambda text: model(world=f'<body><freejoint {text}/><geom size=".1"/></body>'),
        {},
    ),
    "body/geom": (body("<geom %s/>"), {"type": "box", "size": ".1 .2 .3"}),
    "body/site": (body("<site %s/>"), {"size": ".1 .1 .1"}),
    "body/camera": (body("<camera %s/>"), {}),
    "body/light": (body("<light %s/>"), {}),
    "body/flexcomp": (
        lambda text: model(world=f"<flexcomp {text}/>"),
        {"name": "x", "count": "2 2 1"},
    ),
    "body/flexcomp/contact": (flexcomp("<contact %s/>"), {}),
    "body/flexcomp/edge": (flexcomp("<edge %s/>"), {"equality": "true"}),
    "body/flexcomp/elasticity": (flexcomp("<elasticity %s/>"), {"young": "1e3"}),
    "body/flexcomp/pin": (flexcomp("<pin %s/>"), {}),
    "contact/pair": (section("contact", "<pair %s/>"), {"geom1": "g", "geom2": "w"}),
    "contact/exclude": (section("contact", "<exclude %s/>"), {"body1": "b", "body2": "f"}),
    "deformable/flex": (
        section("deformable", "<flex %s/>"),
        {"body": "b f world", "element": "0 1 2"},
    ),
    "deformable/flex/contact": (flex("<contact %s/>"), {}),
    "deformable/flex/edge": (flex("<edge %s/>"), {}),
    "deformable/flex/elasticity": (
        flex("<elasticity %s/>"),
        {"young": "1e3", "thickness": ".1", "elastic2d": "both"},
    ),
    "equality/flex": (
        lambda text: flex("%s")("").replace(
            "</mujoco>", f"<equality><flex {text}/></equality></mujoco>"
        ),
        {"flex": "x"},
    ),
    "tendon/fixed": (
        lambda text: model(tendon=f'<fixed {text}><joint joint="j" coef="1"/></fixed>'),
        {},
    ),
    "tendon/spatial": (
        lambda text: model(tendon=f'<spatial {text}><site site="s"/><site site="r"/></spatial>'),
        {},
    ),
    "tendon/fixed/joint": (
        lambda text: model(tendon=f"<fixed><joint {text}/></fixed>"),
        {"joint": "j", "coef": "1"},
    ),
    "tendon/spatial/site": (
        lambda text: model(tendon=f'<spatial><site site="r"/><site {text}/></spatial>'),
        {"site": "s"},
    ),
    "tendon/spatial/geom": (
        lambda text: model(
            tendon=f'<spatial><site site="r"/><geom {text}/><site site="s"/></spatial>'
        ),
        {"geom": "wrap"},
    ),
    "tendon/spatial/pulley": (
        lambda text: model(
            tendon=f'<spatial><site site="r"/><site site="s"/><pulley {text}/><site site="r"/><site site="s"/></spatial>'
        ),
        {"divisor": "2"},
    ),
    "equality/connect": (
        section("equality", "<connect %s/>"),
        {"body1": "b", "body2": "f", "anchor": "0 0 0"},
    ),
    "equality/weld": (section("equality", "<weld %s/>"), {"body1": "b", "body2": "f"}),
    "equality/joint": (section("equality", "<joint %s/>"), {"joint1": "j", "joint2": "k"}),
    "equality/tendon": (section("equality", "<tendon %s/>"), {"tendon1": "t", "tendon2": "u"}),
    **{
        f"actuator/{name}": (
            lambda text, name=name: model(actuator=f"<{name} {text}/>"),
            {"joint": "j"},
        )
        for name in SHORTCUTS
    },
    "actuator/adhesion": (
        lambda text: model(actuator=f"<adhesion {text}/>"),
        {"body": "f", "ctrlrange": "0 1"},
    ),
    "keyframe/key": (section("keyframe", "<key %s/>"), {}),
    "sensor of a site": (section("sensor", "<gyro %s/>"), {"site": "s"}),
    "sensor of a joint": (section("sensor", "<jointpos %s/>"), {"joint": "j"}),
    "sensor of a tendon": (section("sensor", "<tendonpos %s/>"), {"tendon": "t"}),
    "sensor of an actuator": (section("sensor", "<actuatorpos %s/>"), {"actuator": "a"}),
    "sensor of a subtree": (section("sensor", "<subtreecom %s/>"), {"body": "b"}),
    "sensor of a frame, against another": (
        section("sensor", "<framepos %s/>"),
        {"objtype": "site", "objname": "s", "reftype": "body", "refname": "f"},
    ),
    "sensor of a frame": (
        section("sensor", "<framelinacc %s/>"),
        {"objtype": "site", "objname": "s"},
    ),
    "sensor of the whole": (section("sensor", "<clock %s/>"), {}),
    "sensor of the user": (section("sensor", "<user %s/>"), {"dim": "2"}),
}

NUMBERS = [
    "nan", "inf", "-inf", "1e308", "-1e308", "1e400", "1e-320", "", " ", "x", "1,2", "0x1p3", "1 2x", "--1", "1 " * 60,
    "0", "-1", "-1e-9", "1e10", "2147483648", "-2147483649", "1" * 400,
]  # fmt: skip
WORDS = ["", "no such thing", "x" * 3000, "\u00e9", "1", "-", "&lt;", "%s%n"]


def attributes():
    """(heading, attribute, kind of its value) of the page."""
    heading = None
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:]
        cells = line.split("|")
        name = re.fullmatch(r" `(\w+)`(?: \*)? ", cells[1]) if len(cells) > 4 else None
        if name:
            yield heading, name[1], cells[2].strip()


TABLE = list(attributes())


def values(kind):
    count = re.match(r"(?:\d+ to )?(\d+)? ?(?:whole )?numbers?$", kind)
    if not count and kind != "any count of numbers":
        return WORDS + ["nan", "1e308"]
    n = int(count[1] or 1) if count else 3
    out = list(NUMBERS)
    if n > 1:
        # bad ones among good ones, and too few or too many
        out += [" ".join(["1"] * (n - 1) + [x]) for x in ("nan", "inf", "1e308", "-1e308", "x")]
        out += [" ".join([x] * n) for x in ("0", "-1", "1e308", "-1e308", "1e200", "1e-320")]
        out += [" ".join(["1"] * k) for k in (1, n + 1)]
    return out


def finite(m):
    for name in m.fields:
        array = getattr(m, name)
        if array.dtype.kind != "f":
            continue
        bound = name.endswith("range") or name == "sensor_cutoff"  # infinite: none
        if np.isnan(array).any() if bound else not np.isfinite(array).all():
            return False
    return True


def steps(m):
    d = bridge.lib.sn_makeData(m.pointer)
    if d:
        data = ctypes.c_void_p(d)
        for _ in range(2):
            bridge.lib.sn_step(m.pointer, data)
        bridge.lib.sn_deleteData(data)


def check(text, what):
    start = time.thread_time()
    m, error, warnings = load_warned(text)
    for message in [error.message.decode()] if m is None else warnings:
        place = re.search(r" at text:(\d+)", message)
        assert place, f"{what}: no place in: {message}"
        assert re.search(r"<\w+", message), f"{what}: no element in: {message}"
    if m is not None:
        assert warnings or finite(m), what
        assert sizes(m)["nbody"] < 10
        steps(m)
    # of the processor alone: milliseconds, where a loop or an array as long as a bad number says is minutes
    assert time.thread_time() - start < 30, f"{what}: takes too long"


def fitting(heading, attribute, value):
    make, needed = ELEMENTS[heading]
    given = {**needed, attribute: value}
    # what excludes the attribute
    if attribute in ("fullinertia",):
        given.pop("diaginertia", None)
    if heading == "body/flexcomp" and attribute in ("point", "element", "texcoord", "scale"):
        triangle = {"type": "direct", "point": "0 0 0 1 0 0 0 1 0", "element": "0 1 2"}
        given = {**triangle, **given}
    text = " ".join(f'{name}="{v}"' for name, v in given.items())
    return make(text)


def test_every_heading_is_tried():
    headings = {heading for heading, _, _ in TABLE}
    assert headings >= set(ELEMENTS)
    # of defaults, of attachments, what is not simulated yet; of plugins all but names are texts
    left = {
        name
        for name in headings - set(ELEMENTS)
        if "plugin" not in name and "extension" not in name
    }
    assert len(left) <= 20, left


@pytest.mark.parametrize("heading", ELEMENTS)
def test_values(heading):
    for where, attribute, kind in TABLE:
        if where != heading or "not supported yet" in kind:
            continue
        for value in values(kind):
            check(fitting(heading, attribute, value), f'{heading} {attribute}="{value[:60]}"')


PLACED = {
    "body": ('<mujoco>\n<worldbody>\n<body name="far" pos="1e308 0 0">\n<joint/>\n<geom size=".1"/></body>'
             '</worldbody></mujoco>', 3, '<body name="far">'),
    "option": ('<mujoco>\n<option timestep="1"/>\n<option timestep="-1"/></mujoco>', 3, "<option>: timestep"),
    "size": ('<mujoco>\n<size nkey="1"/>\n<size\nnkey="-1"/></mujoco>', 3, "<size>"),
    "sum": ('<mujoco>\n<compiler boundmass="1e308"/>\n<worldbody>\n<body/><body/></worldbody></mujoco>', 3, "<worldbody"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACED)
def test_errors_after_reading_name_element_and_line(name):
    text, line, element = PLACED[name]
    m, error, _ = load_warned(text, strict=True)
    message = error.message.decode()
    assert m is None
    m, _, warnings = load_warned(text)
    assert m is not None and warnings == [message]
    assert error.line == line and message.endswith(f" at text:{line}"), message
    assert element in message
