"""Scenes whose cost lies in what touches, as MJCF: python bench/scenes.py [--quick] [--list] FOLDER [NAME...]

Writes FOLDER/NAME.xml for each scene and prints the paths, or the names with --list. A NAME may be a pattern
(`pile-*`); without any all are written but those of rigid contact, with --quick the small ones. Seeded: a scene is the same text each time.

A scene says by itself how it is to be run: `settle` steps before its states are taken, from the first keyframe if
there is one, under Gaussian controls of standard deviation `noise` beside the keyframe's.
"""

import argparse
import dataclasses
import fnmatch
import importlib.util
import itertools
import math
import os
import pathlib
import random
import subprocess
import sysconfig
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import partial

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release"))
COUNTS = (10, 100, 300, 1_000, 3_000, 10_000)
CELL = 0.3  # room for one body of the spread and piled ones in any pose
ROCKS = 5  # different meshes


def document(
    name: str,
    world: str,
    *,
    settle: int,
    noise: float = 0,
    option: str = 'timestep="0.005"',
    multiccd: str = "disable",
    memory: str = "-1",
    rest: str = "",
) -> str:
    """A whole file; `world` lies on a floor, `rest` are further sections.

    The newest engine takes several contacts a pair of meshes unless told otherwise, ours one: all scenes say which. By
    itself it asks for memory by the square of the dofs: thousands of bodies say how much (`memory`).
    """
    return f"""<mujoco model="{name}">
<option {option}><flag multiccd="{multiccd}"/></option>
<size memory="{memory}"/>
<custom><numeric name="settle" data="{settle}"/><numeric name="noise" data="{noise}"/></custom>
{rest}
<worldbody>
<geom name="floor" type="plane" size="0 0 1"/>
{world}
</worldbody>
</mujoco>
"""


def pose(position: tuple[float, float, float], quat: tuple[float, ...] = (1, 0, 0, 0)) -> str:
    """The attributes pos and quat."""
    return f'pos="{numbers(position)}" quat="{numbers(quat)}"'


def numbers(values) -> str:
    """Numbers as text, to the micrometre."""
    return " ".join(f"{x:.6f}".rstrip("0").rstrip(".") for x in values)


def turn_about_z(angle: float) -> tuple[float, float, float, float]:
    return math.cos(angle / 2), 0, 0, math.sin(angle / 2)


def any_turn(rng: random.Random) -> list[float]:
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.hypot(*q)
    return [x / length for x in q]


# ---- many free bodies --------------------------------------------------------------------------------------

SHAPES = {
    "spheres": 'type="sphere" size="0.1"',
    "boxes": 'type="box" size="0.1 0.08 0.06"',
    "capsules": 'type="capsule" size="0.06" fromto="-0.08 0 0 0.08 0 0"',
    "meshes": 'type="mesh" mesh="rock{}"',
}
RESTING = {"spheres": 0.1, "boxes": 0.06, "capsules": 0.06, "meshes": 0.12}  # height of the centre


def rocks() -> str:
    """Meshes of 40 points on an ellipsoid each."""
    rng = random.Random(1)
    text = ""
    for i in range(ROCKS):
        axes = [rng.uniform(0.07, 0.12) for _ in range(3)]
        points = []
        for _ in range(40):
            n = [rng.gauss(0, 1) for _ in range(3)]
            points += [a * x / math.hypot(*n) for a, x in zip(axes, n, strict=True)]
        text += f'<mesh name="rock{i}" vertex="{numbers(points)}"/>\n'
    return f"<asset>\n{text}</asset>"


def memory(count: int) -> str:
    """Bytes for the contacts of so many bodies, more than any of the scenes takes; -1: as the engine thinks."""
    return "2G" if count >= 1_000 else "-1"


def free_body(kind: str, i: int, where: str) -> str:
    return f"<body {where}><freejoint/><geom {SHAPES[kind].format(i % ROCKS)}/></body>\n"


def spread(kind: str, n: int, *, rolling: bool = False) -> str:
    """Bodies side by side on the floor, so far apart that none touches another; rolling: all of them down a slope."""
    rng = random.Random(n)
    side = math.ceil(math.sqrt(n))
    world = ""
    for i in range(n):
        at = [CELL * k + rng.uniform(-0.009, 0.009) for k in (i % side, i // side)]
        where = pose((*at, RESTING[kind]), turn_about_z(rng.uniform(-math.pi, math.pi)))
        world += free_body(kind, i, where)
    settle = 200 if kind == "meshes" else 50
    rest = rocks() if kind == "meshes" else ""
    name, slope = ("rolling", ' gravity="1 0 -9.81"') if rolling else ("spread", "")
    option = f'timestep="0.005"{slope}'
    return document(
        f"{name}-{kind}-{n}", world, settle=settle, option=option, memory=memory(n), rest=rest
    )


def pile(kind: str, n: int) -> str:
    """Bodies poured into a bin about as wide as they then lie high."""
    rng = random.Random(n)
    side = max(2, round((0.7 * n) ** (1 / 3)))
    half, high = CELL * side / 2, CELL * n / side**2
    world = ""
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        size = (0.5, half + 1, high) if x else (half + 1, 0.5, high)
        at = numbers((x * (half + 0.5), y * (half + 0.5), high))
        world += f'<geom type="box" size="{numbers(size)}" pos="{at}"/>\n'
    for i in range(n):
        cell = (i % side, i // side % side, i // side**2)
        at = [CELL * (k + 0.5) + rng.uniform(-0.02, 0.02) for k in cell]
        where = pose((at[0] - half, at[1] - half, at[2]), tuple(any_turn(rng)))
        world += free_body(kind, i, where)
    rest = rocks() if kind == "meshes" else ""
    return document(f"pile-{kind}-{n}", world, settle=400, memory=memory(n), rest=rest)


def box(at: tuple[float, float, float], half: tuple[float, float, float], angle: float = 0) -> str:
    return (
        f"<body {pose(at, turn_about_z(angle))}><freejoint/>"
        f'<geom type="box" size="{numbers(half)}"/></body>\n'
    )


def towers(count: int, high: int) -> str:
    """Towers of boxes, each straight upon the one below, turned a little."""
    rng = random.Random(count)
    side = math.ceil(math.sqrt(count))
    world = ""
    for i in range(count):
        angle = rng.uniform(-0.5, 0.5)
        for k in range(high):
            at = (0.5 * (i % side), 0.5 * (i // side), 0.1 + 0.2 * k)
            world += box(at, (0.12, 0.12, 0.1), angle)
    return document(f"towers-{count * high}", world, settle=50, memory=memory(count * high))


def pyramids(count: int, high: int) -> str:
    """Upright triangles of boxes, each box upon two."""
    world = ""
    for i in range(count):
        for k in range(high):
            for j in range(high - k):
                at = (0.25 * (j + 0.5 * k), 0.5 * i, 0.1 + 0.2 * k)
                world += box(at, (0.12, 0.12, 0.1))
    return document(f"pyramids-{count * high * (high + 1) // 2}", world, settle=50)


def bricks(rows: int, columns: int) -> str:
    """A wall in running bond."""
    world = ""
    for k in range(rows):
        for i in range(columns - k % 2):
            at = (0.202 * (i + 0.5 * (k % 2)), 0, 0.03 + 0.06 * k)
            world += box(at, (0.1, 0.05, 0.03))
    count = rows * columns - rows // 2
    return document(f"bricks-{count}", world, settle=50)


# ---- rigid contact -----------------------------------------------------------------------------------------


def unit_body(at: tuple[float, float, float], shape: str, friction: float) -> str:
    """A body of 1 kg that is 1 m high."""
    return (
        f'<body pos="{numbers(at)}"><freejoint/>'
        f'<geom {shape} mass="1" friction="{friction} 0.005 0.0001"/></body>\n'
    )


def rigid(name: str, world: str, count: int, friction: float, settle: int) -> str:
    """The floor is as rough as the bodies: some engines multiply coefficients, others take the larger."""
    floor = f'<default><geom friction="{friction} 0.005 0.0001"/></default>'
    return document(name, world, settle=settle, memory=memory(count), rest=floor)


def stacks(count: int) -> str:
    """Stacks of ten unit boxes, each straight upon the one below."""
    side = math.ceil(math.sqrt(count))
    world = ""
    for i, k in itertools.product(range(count), range(10)):
        at = (2 * (i % side), 2 * (i // side), 0.5 + k)
        world += unit_body(at, 'type="box" size="0.5 0.5 0.5"', 0.5)
    return rigid(f"stacks-{10 * count}", world, 10 * count, 0.5, 200)


def balls(layers: int) -> str:
    """A square pyramid of rough balls, each upon four; those of a layer have a gap between them."""
    world, space = "", 1.01
    rise = math.sqrt(1 - space**2 / 2)
    for k in range(layers):
        width = layers - k
        for i, j in itertools.product(range(width), repeat=2):
            at = (space * (i + k / 2), space * (j + k / 2), 0.5 + k * rise)
            world += unit_body(at, 'type="sphere" size="0.5"', 1)
    count = layers * (layers + 1) * (2 * layers + 1) // 6
    return rigid(f"balls-{count}", world, count, 1, 20)


# ---- stones ------------------------------------------------------------------------------------------------


def wedge(inner: float, outer: float, half_angle: float, half_depth: float) -> str:
    """A mesh: a piece of a ring about the z axis; its middle is the origin, outwards is x."""
    middle = (inner + outer) / 2
    points = [
        (r * math.cos(a) - middle, r * math.sin(a), z)
        for r in (inner, outer)
        for a in (-half_angle, half_angle)
        for z in (-half_depth, half_depth)
    ]
    return f'<asset><mesh name="stone" vertex="{numbers(itertools.chain(*points))}"/></asset>'


def stone(where: str) -> str:
    return f'<body {where}><freejoint/><geom type="mesh" mesh="stone" friction="0.9"/></body>\n'


def stones(name: str, mesh: str, world: str) -> str:
    """Stones as soft as by default: of harder ones, which overlap by less, the newest engine takes one contact a pair."""
    return document(
        name, world, settle=400, option='timestep="0.001"', multiccd="enable", rest=mesh
    )


def ring(courses: int, count: int) -> str:
    """A round wall of wedges, each upon two."""
    step, middle, high = 2 * math.pi / count, 1, 0.1
    world = ""
    for k in range(courses):
        for i in range(count):
            angle = step * (i + 0.5 * (k % 2))
            at = (middle * math.cos(angle), middle * math.sin(angle), high * (2 * k + 1))
            world += stone(pose(at, turn_about_z(angle)))
    mesh = wedge(middle - 0.12, middle + 0.12, 0.498 * step, high)
    return stones(f"ring-{courses * count}", mesh, world)


def arch(count: int) -> str:
    """A round arch of wedges that stands on the floor between two blocks."""
    step, middle = math.pi / count, 2
    lift = 1 / math.sqrt(2)
    world = ""
    for i in range(count):
        angle = step * (i + 0.5)
        at = (middle * math.cos(angle), 0, middle * math.sin(angle))
        # the ring's axis lies along -y: a quarter turn about x, then within the ring's plane
        c, s = math.cos(angle / 2), math.sin(angle / 2)
        world += stone(pose(at, (lift * c, lift * c, -lift * s, lift * s)))
    for x in (-1, 1):
        at = numbers((x * (middle + 0.4), 0, 0.1))
        world += f'<geom type="box" size="0.1 0.4 0.1" pos="{at}"/>\n'
    mesh = wedge(middle - 0.3, middle + 0.3, 0.5 * step, 0.4)
    return stones(f"arch-{count}", mesh, world)


# ---- machines ----------------------------------------------------------------------------------------------


def humanoids(count: int) -> str:
    """Copies of our humanoid, moving at random."""
    side = math.ceil(math.sqrt(count))
    world = ""
    for i in range(count):
        where = pose((1.5 * (i % side), 1.5 * (i // side), 0))
        world += f'<frame {where}><attach model="one" body="pelvis" prefix="h{i}_"/></frame>\n'
    file = ROOT / "examples" / "models" / "humanoid.xml"
    rest = f'<asset><model name="one" file="{file}"/></asset>'
    option = 'timestep="0.004" iterations="50"'
    return document(f"humanoids-{count}", world, settle=300, noise=0.3, option=option, rest=rest)


def chain(count: int) -> str:
    """Hinges across each other in turns, let go from the level.

    One a body, but four in the longest: no reader takes a thousand bodies inside each other.
    """
    each = 1 if count <= 300 else 4
    world = ""
    for i in range(0, count, each):
        axes = ("0 1 0" if k % 2 else "0 0 1" for k in range(i, i + each))
        world += (
            f'<body pos="{0.1 if i else 0} 0 {0 if i else 0.1 * count + 1}">'
            + "".join(f'<joint axis="{axis}" damping="0.01" armature="1e-4"/>' for axis in axes)
            + '<geom type="capsule" size="0.02" fromto="0.02 0 0 0.08 0 0" contype="0" conaffinity="0"/>'
        )
    world += "</body>" * (count // each)
    return document(f"chain-{count}", world, settle=50, option='timestep="0.002"')


def net(rows: int, columns: int) -> str:
    """Knots on strings that keep their length, hung at three corners, upon a ball; solved by PGS."""
    held = {(0, 0), (0, columns - 1), (rows - 1, 0)}
    world = '<geom type="sphere" size="0.25" pos="0.5 0.3 0.72"/>\n'
    for i, j in itertools.product(range(rows), range(columns)):
        slides = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
        world += (
            f"<body {pose((0.1 * j, 0.1 * i, 1))}>{'' if (i, j) in held else slides}"
            f'<geom type="sphere" size="0.02"/><site name="k{i}_{j}"/></body>\n'
        )
    tendons = equalities = ""
    for i, j in itertools.product(range(rows), range(columns)):
        for a, b in ((i + 1, j), (i, j + 1)):
            if a < rows and b < columns:
                name = f"s{i}_{j}_{a}_{b}"
                tendons += f'<spatial name="{name}"><site site="k{i}_{j}"/><site site="k{a}_{b}"/></spatial>\n'
                equalities += f'<tendon tendon1="{name}"/>\n'
    rest = f"<tendon>\n{tendons}</tendon>\n<equality>\n{equalities}</equality>"
    option = 'timestep="0.002" solver="PGS" iterations="100"'
    dofs = 3 * (rows * columns - len(held))
    return document(f"net-{dofs}", world, settle=300, option=option, rest=rest)


# ---- robots of meshes --------------------------------------------------------------------------------------


@dataclasses.dataclass
class Robot:
    """A URDF of example-robot-data with position actuators on all its joints that hold it where it starts."""

    urdf: str
    height: float = 0  # of its root
    quat: tuple[float, ...] = (1, 0, 0, 0)
    floating: bool = True
    stiffness: float = 3000
    damping: float = 100
    hold: tuple[float, ...] = ()  # positions to be held; else all zero
    start: tuple[float, ...] = ()  # positions of the joints at the start; else those to be held
    thing: str = ""  # shape and friction of a free body to be grasped
    at: tuple[float, float, float] = (0, 0, 0)  # where it starts


LYING = (math.cos(math.pi / 4), 0, math.sin(math.pi / 4), 0)
PALM_UP = (math.cos(math.pi / 4), 0, -math.sin(math.pi / 4), 0)
TALOS = "talos_data/robots/talos_full_v2.urdf"
TIAGO = "tiago_description/robots/tiago.urdf"
G1 = "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf"
ARM = (0, -0.785, 0, -2.356, 0, 1.571, 0.785)  # of the Panda: hand down before it
FINGER = (0, 1, 0.8, 0.8)
ROBOTS = {
    "talos-standing": Robot(TALOS, 1.09),
    "talos-lying": Robot(TALOS, 0.3, LYING),
    "tiago-standing": Robot(TIAGO, 0.01),
    "tiago-lying": Robot(TIAGO, 0.4, LYING),
    "g1-standing": Robot(G1, 0.8, stiffness=500, damping=20),
    "g1-lying": Robot(G1, 0.2, LYING, stiffness=500, damping=20),
    "panda-grasping": Robot(
        "panda_description/urdf/panda.urdf",
        floating=False,
        hold=(*ARM, 0.02, 0.02),
        start=(*ARM, 0.026, 0.026),
        thing='type="box" size="0.025 0.025 0.025" friction="1.5" priority="1" solref="0.004 1"',
        at=(0.307, 0, 0.487),
    ),
    "allegro-grasping": Robot(
        "allegro_hand_description/urdf/allegro_right_hand.urdf",
        0.2,
        PALM_UP,
        floating=False,
        hold=FINGER * 3 + (1, 0.5, 0.5, 0.5),
        thing='type="box" size="0.03 0.03 0.03"',
        at=(0.015, 0, 0.245),
    ),
}


def converted(robot: Robot, folder: pathlib.Path) -> ElementTree.Element:
    """The robot as MJCF that both engines read, made by the command once."""
    path = folder / f"urdf-{pathlib.Path(robot.urdf).stem}.xml"
    if not path.exists():
        packages = pathlib.Path(sysconfig.get_path("purelib"))
        spec = importlib.util.find_spec("cmeel")
        if spec is not None:
            packages = pathlib.Path(spec.submodule_search_locations[0]).parent
        share = packages / "cmeel.prefix" / "share"
        source = share / "example-robot-data" / "robots" / robot.urdf
        command = [BUILD / "bin/sinew", "convert", source, path]
        command += ["--package-dir", share] + ["--floating-base"] * robot.floating
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return ElementTree.parse(path).getroot()


def near(bodies: ElementTree.Element) -> str:
    """Exclusions of bodies two joints apart, which overlap in most robots."""
    return "".join(
        f'<exclude body1="{body.get("name")}" body2="{grandchild.get("name")}"/>\n'
        for body in bodies.iter("body")
        for child in body.iterfind("body")
        for grandchild in child.iterfind("body")
    )


def mend_inertias(bodies: ElementTree.Element) -> None:
    """Inertias that are not positive definite, of links that hardly weigh: both compilers refuse them."""
    for inertial in bodies.iter("inertial"):
        xx, yy, zz, xy, xz, yz = map(float, inertial.get("fullinertia", "1 1 1 0 0 0").split())
        minor = xx * yy - xy * xy
        whole = zz * minor - yz * (xx * yz - xy * xz) + xz * (xy * yz - yy * xz)
        if min(xx, minor, whole) <= 0:
            inertial.set("fullinertia", "1e-4 1e-4 1e-4 0 0 0")


def robot(name: str, folder: pathlib.Path) -> str:
    """A robot on the floor, at rest or with a thing in its hand."""
    self = ROBOTS[name]
    tree = converted(self, folder)
    bodies = tree.find("worldbody")
    root = bodies.find("body")
    root.set("pos", f"0 0 {self.height}")
    root.set("quat", numbers(self.quat))
    joints = [j.get("name") for j in bodies.iter("joint")]
    hold = self.hold or (0,) * len(joints)
    for joint in bodies.iter("joint"):
        joint.set(
            "armature", "0.05"
        )  # of motors and gears; what is held slips from joints that weigh nothing
    position = f'kp="{self.stiffness}" kv="{self.damping}"'
    actuators = "".join(f'<position joint="{joint}" {position}/>\n' for joint in joints)
    mend_inertias(bodies)
    for body in bodies.iter("body"):
        if "safety" in body.get("name"):  # a box around the whole hand, no part of the machine
            for geom in body.findall("geom"):
                body.remove(geom)
    rest = '<compiler angle="radian" eulerseq="XYZ" balanceinertia="true" boundmass="1e-4" boundinertia="1e-7"/>\n'
    for section in tree:
        if section.tag not in ("compiler", "worldbody", "actuator", "custom"):
            rest += ElementTree.tostring(section, encoding="unicode")
    rest += f"<contact>\n{near(bodies)}</contact>\n<actuator>\n{actuators}</actuator>\n"
    base = (0, 0, self.height, *self.quat) if self.floating else ()
    free = (*self.at, 1, 0, 0, 0) if self.thing else ()
    qpos = numbers((*base, *(self.start or hold), *free))
    rest += f'<keyframe><key qpos="{qpos}" ctrl="{numbers(hold)}"/></keyframe>\n'
    world = "".join(ElementTree.tostring(body, encoding="unicode") for body in bodies)
    if self.thing:
        world += f"<body {pose(self.at)}><freejoint/><geom {self.thing}/></body>"
    option = 'timestep="0.002" integrator="implicitfast"'
    return document(name, world, settle=500, option=option, rest=rest)


# ---- all of them -------------------------------------------------------------------------------------------


def scenes(folder: pathlib.Path) -> dict[str, Callable[[], str]]:
    """What prints each scene, by name."""
    found: dict[str, Callable[[], str]] = {}
    for make, kind, n in itertools.product((spread, pile), SHAPES, COUNTS):
        found[f"{make.__name__}-{kind}-{n}"] = partial(make, kind, n)
    for n in (10, 100, 1000):
        found[f"rolling-spheres-{n}"] = partial(spread, "spheres", n, rolling=True)
    found["towers-200"] = partial(towers, 20, 10)
    found["towers-1800"] = partial(towers, 180, 10)
    found["pyramids-220"] = partial(pyramids, 4, 10)
    found["bricks-390"] = partial(bricks, 20, 20)
    found["ring-76"] = partial(ring, 4, 19)
    found["arch-76"] = partial(arch, 76)
    for n in (1, 4, 16, 64, 256):
        found[f"humanoids-{n}"] = partial(humanoids, n)
    for n in (10, 30, 100, 300, 1000):
        found[f"chain-{n}"] = partial(chain, n)
    for name in ROBOTS:
        found[name] = partial(robot, name, folder)
    found["net-222"] = partial(net, 7, 11)
    return found | RIGID


RIGID: dict[str, Callable[[], str]] = {
    **{f"stacks-{10 * n}": partial(stacks, n) for n in (1, 10, 30, 100, 300)},
    **{f"balls-{n}": partial(balls, layers) for n, layers in ((14, 3), (91, 6), (1015, 14))},
}


def is_quick(name: str) -> bool:
    """Whether a run to see that the bench works has the scene."""
    count = name.rsplit("-", 1)[-1]
    return not count.isdigit() or int(count) <= 100 or name.startswith("net")


def asked_for(description: str, known: dict[str, Callable]) -> tuple[pathlib.Path, list[str]]:
    """The folder to write to, which is made, and the names that the command line asks for; without any all."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="names or patterns")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for pattern in options.names:
        if not fnmatch.filter(known, pattern):
            parser.error(f"no scene is called {pattern}: {', '.join(known)}")
    wanted = [n for n in known if any(fnmatch.fnmatchcase(n, p) for p in options.names or "*")]
    return options.folder.resolve(), wanted


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes scenes as MJCF files.")
    parser.add_argument("--quick", action="store_true", help="small scenes, unless names are given")
    parser.add_argument("--list", action="store_true", help="print names, write nothing")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="names or patterns")
    options = parser.parse_intermixed_args()
    folder = options.folder.resolve()
    known = scenes(folder)
    for pattern in options.names:
        if not fnmatch.filter(known, pattern):
            parser.error(f"no scene is called {pattern}; --list prints the names")
    wanted = [n for n in known if any(fnmatch.fnmatchcase(n, p) for p in options.names)]
    if not options.names:
        wanted = [n for n in known if n not in RIGID and (not options.quick or is_quick(n))]
    folder.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        path = folder / f"{name}.xml"
        if not options.list:
            path.write_text(known[name]())
        print(name if options.list else path, flush=True)


if __name__ == "__main__":
    main()
