"""Signed distance fields as MJCF: python bench/sdf.py FOLDER [NAME...]

Writes FOLDER/NAME.xml and prints the paths: first meshes whose fields are made, `field-...`, then scenes that are stepped, said as
those of bench/scenes.py say it.
"""

import pathlib
import struct
from collections.abc import Callable
from functools import partial

import numpy as np
from scenes import asked_for

MANY = 1_000_000
ANGLE = (
    'vertex="0 0 0  1 0 0  1 .2 0  .2 .2 0  .2 1 0  0 1 0  0 0 .4  1 0 .4  1 .2 .4  .2 .2 .4  .2 1 .4  0 1 .4" '
    'face="0 3 1  1 3 2  0 5 3  3 5 4  6 7 9  7 8 9  6 9 11  9 10 11  0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8  3 4 10  3 10 9  '
    '4 5 11  4 11 10  5 0 6  5 6 11"'
)
BOX = (
    'vertex="0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1" '
    'face="0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"'
)


# ---- fields


def field(mesh: str, extension: str = "") -> str:
    """A geom that is its mesh's distances."""
    return (
        f'<mujoco>{extension}<asset><mesh name="m" inertia="exact" {mesh}</asset>'
        '<worldbody><geom type="sdf" mesh="m" contype="0" conaffinity="0"/></worldbody></mujoco>\n'
    )


def shape(name: str) -> str:
    """A mesh of a shape by a formula."""
    extension = (
        f'<extension><plugin plugin="mujoco.sdf.{name}"><instance name="i"/></plugin></extension>'
    )
    return field('><plugin instance="i"/></mesh>', extension)


def write_stl(path: pathlib.Path, corners: np.ndarray) -> None:
    """Triangles n x 3 x 3."""
    rows = np.zeros(len(corners), [("normal", "<3f4"), ("corner", "<9f4"), ("attribute", "<u2")])
    rows["corner"] = corners.reshape(len(corners), 9)
    path.write_bytes(bytes(80) + struct.pack("<I", len(rows)) + rows.tobytes())


def many(folder: pathlib.Path, name: str, noise: float) -> str:
    """10^6 triangles of a wavy ring; noise: how rough it is, as what has been scanned is."""
    n, k = 1000, MANY // 2000
    a, b = np.meshgrid(2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(k) / k, indexing="ij")
    tube = 0.3 + 0.01 * np.sin(20 * a) * np.sin(15 * b)
    r = 1 + tube * np.cos(b)
    points = np.stack([r * np.cos(a), r * np.sin(a), tube * np.sin(b)], -1)
    points += noise * np.random.default_rng(0).normal(size=points.shape)
    right = np.roll(points, -1, 0)
    above, across = np.roll(points, -1, 1), np.roll(right, -1, 1)
    corners = [np.stack(t, -2) for t in ((points, right, across), (points, across, above))]
    write_stl(folder / f"{name}.stl", np.concatenate([t.reshape(-1, 3, 3) for t in corners]))
    return field(f'file="{name}.stl"/>')


FIELDS: dict[str, Callable[[pathlib.Path], str]] = {
    "field-box": lambda _: field(BOX + "/>"),
    "field-angle": lambda _: field(ANGLE + "/>"),
    "field-ball": lambda _: field('builtin="sphere" params="4"/>'),
    "field-bowl": lambda _: shape("bowl"),
    "field-gear": lambda _: shape("gear"),
    "field-bolt": lambda _: shape("bolt"),
    "field-nut": lambda _: shape("nut"),
    "field-million": lambda folder: many(folder, "million", 0),
    "field-million-rough": lambda folder: many(folder, "million-rough", 2e-3),
}


# ---- scenes


def scene(
    shapes: dict[str, str], world: str, settle: int, option: str = "", default: str = ""
) -> str:
    """Shapes by name, with their configuration."""
    plugins = "".join(
        f'<plugin plugin="mujoco.sdf.{name}"><instance name="{name}">{keys}</instance></plugin>'
        for name, keys in shapes.items()
    )
    meshes = "".join(
        f'<mesh name="{name}" inertia="exact"><plugin instance="{name}"/></mesh>' for name in shapes
    )
    return (
        f"<mujoco><option {option}/><extension>{plugins}</extension>{default}<asset>{meshes}</asset>"
        f'<custom><numeric name="settle" data="{settle}"/><numeric name="noise" data="0"/></custom>'
        f"<worldbody>{world}</worldbody></mujoco>\n"
    )


def geom(name: str, more: str = "") -> str:
    return f'<geom type="sdf" mesh="{name}" {more}><plugin instance="{name}"/></geom>'


def free(at: str, what: str, turned: str = "0 0 0") -> str:
    return f'<body pos="{at}" euler="{turned}"><freejoint/>{what}</body>'


BALL = '<geom size=".1" mass="1"/>'
CAPSULE = '<geom type="capsule" size=".06 .1"/>'


def ball_in_bowl() -> str:
    return scene({"bowl": ""}, geom("bowl") + free(".3 0 -.82", BALL), 300)


def box_on_gear() -> str:
    box = '<geom type="box" size=".2 .2 .1"/>'
    return scene({"gear": ""}, geom("gear") + free("1.2 0 .25", box, "5 5 0"), 200)


def nut_on_bolt() -> str:
    key = '<config key="radius" value="0.255"/>'
    world = geom("bolt", 'euler="180 0 0"') + free("0 0 .6666667", geom("nut"), "180 0 0")
    return scene(
        {"bolt": key, "nut": ""}, world, 100, default='<default><geom friction=".03"/></default>'
    )


def capsules_in_bowl() -> str:
    rods = [
        free(f"{0.2 * (i % 3 - 1)} {0.25 * (i // 3) - 0.12} -.6", CAPSULE, f"{30 * i} 40 0")
        for i in range(6)
    ]
    return scene({"bowl": ""}, geom("bowl") + "".join(rods), 300)


def gear_on_plane() -> str:
    return scene(
        {"gear": ""}, '<geom type="plane" size="5 5 1"/>' + free("0 0 .12", geom("gear")), 200
    )


def chute(kind: str) -> str:
    """The mesh of an angle on a floor; as its field and as the hull that it would be without."""
    text = field(ANGLE + "/>").split("<worldbody>")[0]
    rest = '<geom type="plane" size="5 5 1"/>' + free("0 0 .25", f'<geom type="{kind}" mesh="m"/>')
    custom = '<custom><numeric name="settle" data="300"/><numeric name="noise" data="0"/></custom>'
    balls = "".join(free(f"{0.25 * i - 0.25} {-0.2 + 0.1 * i} .7", BALL) for i in range(3))
    return f"{text}{custom}<worldbody>{rest}{balls}</worldbody></mujoco>\n"


SCENES: dict[str, Callable[[], str]] = {
    "ball-in-bowl": ball_in_bowl,
    "box-on-gear": box_on_gear,
    "nut-on-bolt": nut_on_bolt,
    "capsules-in-bowl": capsules_in_bowl,
    "gear-on-plane": gear_on_plane,
    "balls-on-angle": partial(chute, "sdf"),
}


def main() -> None:
    folder, wanted = asked_for("Writes fields and scenes of them as MJCF files.", FIELDS | SCENES)
    for name in wanted:
        path = folder / f"{name}.xml"
        path.write_text(FIELDS[name](folder) if name in FIELDS else SCENES[name]())
        print(path, flush=True)


if __name__ == "__main__":
    main()
