"""What the pictures of the manual share: a floor, a sky, lamps, colours, and files of a size that a manual can carry."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import sinew
import sinew.mujoco

DOCS = pathlib.Path(__file__).resolve().parents[1]
MODELS = DOCS.parent / "examples/models"
MOST_BYTES = 150_000
STEEL, CLAY, SAND, SEA, MOSS, NIGHT = (
    "0.55 0.60 0.66 1", "0.80 0.36 0.22 1", "0.87 0.80 0.66 1", "0.20 0.46 0.66 1", "0.36 0.55 0.35 1",
    "0.17 0.20 0.25 1",
)  # fmt: skip


def colours(spec: sinew.Spec) -> None:
    """Add the materials steel, clay, sand, sea, moss and night."""
    words = {"steel": STEEL, "clay": CLAY, "sand": SAND, "sea": SEA, "moss": MOSS, "night": NIGHT}
    for name, rgba in words.items():
        spec.section("asset").add("material", name, rgba=rgba, specular=0.4, shininess=0.5)


def furnish(
    spec: sinew.Spec,
    floor: float = 0.0,
    lamp: tuple[float, float, float] = (2, -3, 6),
    tile: float = 0.5,
) -> sinew.Spec:
    """Give a model a sky, a floor at a height, with tiles of a size, and lamps in the place of its own; returns it."""
    for light in spec.lights:
        light.remove()
    assets = spec.section("asset")
    assets.add(
        "texture", "studio sky", type="skybox", builtin="gradient", rgb1="0.93 0.95 0.97",
        rgb2="0.62 0.70 0.79", width=256, height=256,
    )  # fmt: skip
    assets.add(
        "texture", "studio floor", type="2d", builtin="checker", rgb1="0.80 0.81 0.82", rgb2="0.74 0.75 0.77",
        mark="edge", markrgb="0.86 0.87 0.88", width=256, height=256,
    )  # fmt: skip
    assets.add(
        "material",
        "studio floor",
        texture="studio floor",
        texrepeat=[0.5 / tile] * 2,
        texuniform=True,
        reflectance=0.08,
    )
    spec.world.add(
        "geom", "studio floor", type="plane", size=[0, 0, 0.05], pos=[0, 0, floor], material="studio floor",
        contype=0, conaffinity=0,
    )  # fmt: skip
    middle = np.array(lamp, float)
    for k, (pos, strength) in enumerate(
        [(middle, 0.48), (middle * (-1.2, 0.5, 0.9), 0.12), (middle * (0.2, -1.1, 1.1), 0.10)]
    ):
        spec.world.add(
            "light", f"studio lamp {k}", pos=pos, dir=-pos, diffuse=[strength] * 3, specular=[0.25 * (not k)] * 3,
            type="directional", castshadow=not k,
        )  # fmt: skip
    head = spec.section("visual/headlight")
    head.ambient, head.diffuse, head.specular = [0.33] * 3, [0.13] * 3, [0.0] * 3
    quality = spec.section("visual/quality")
    quality.shadowsize, quality.numslices, quality.numstacks = 4096, 64, 32
    return spec


def paint(
    spec: sinew.Spec, words: tuple[str, ...] = ("clay", "steel", "sand", "sea", "night")
) -> None:
    """Give the geoms of each body a material, body after body."""
    for k, body in enumerate(spec.bodies):
        for element in body.children:
            if element.tag == "geom":
                element.material = words[k % len(words)]


def hide_floors(spec: sinew.Spec) -> None:
    """Make the planes of a model invisible: they carry, the studio's shows."""
    for geom in spec.geoms:
        if geom.type == "plane":
            geom.material = None
            geom.rgba = [0, 0, 0, 0]


def camera(
    model: sinew.Model, lookat: list[float], distance: float, azimuth: float, elevation: float
) -> sinew.mujoco.MjvCamera:
    """Return a free camera."""
    eye = sinew.mujoco.MjvCamera()
    sinew.mujoco.mjv_defaultFreeCamera(model, eye)
    eye.lookat[:] = lookat
    eye.distance, eye.azimuth, eye.elevation = distance, azimuth, elevation
    return eye


def draw(
    model: sinew.Model,
    data: sinew.Data | None,
    eye: sinew.mujoco.MjvCamera | str,
    size: tuple[int, int] = (800, 450),
    flags: tuple[str, ...] = (),
) -> Image.Image:
    """Return a picture, drawn at twice its size so that edges are smooth."""
    width, height = size
    big = sinew.show(model, data, eye, 2 * width, 2 * height, flags=flags)
    return Image.fromarray(big.pixels).resize(size, Image.Resampling.LANCZOS)


def caption(picture: Image.Image, text: str) -> Image.Image:
    """Return a picture with words in its upper left corner."""
    ImageDraw.Draw(picture).text(
        (12, 9),
        text,
        fill="#20242c",
        font=ImageFont.load_default(18),
        stroke_width=2,
        stroke_fill="#f4f6f8",
    )
    return picture


def row(pictures: list[Image.Image], gap: int = 6) -> Image.Image:
    """Return pictures beside each other."""
    width = sum(p.width for p in pictures) + gap * (len(pictures) - 1)
    out = Image.new("RGB", (width, max(p.height for p in pictures)), "white")
    left = 0
    for picture in pictures:
        out.paste(picture, (left, 0))
        left += picture.width + gap
    return out


def save(picture: Image.Image, dots: bool = True) -> None:
    """Write docs/NAME.png for the script NAME.py, in as many of 256 colours as make it small enough, mixed by dots or not."""
    path = DOCS / (pathlib.Path(sys.argv[0]).stem + ".png")
    whole = picture.convert("RGB")
    mixed, plain = Image.Dither.FLOYDSTEINBERG, Image.Dither.NONE
    for count, dither in ((256, mixed if dots else plain), (256, plain), (96, plain)):
        palette = whole.quantize(count)
        whole.quantize(palette=palette, dither=dither).save(path, optimize=True)
        if path.stat().st_size <= MOST_BYTES:
            break
    print(
        f"{path.relative_to(DOCS.parent)}: {picture.width} x {picture.height}, {path.stat().st_size} bytes"
    )


def settle(model: sinew.Model, seconds: float, **state: object) -> sinew.Data:
    """Return a simulation after some time, from qpos, qvel, ctrl or act as given."""
    data = sinew.Data(model)
    for name, value in state.items():
        getattr(data, name)[:] = value
    sinew.step(model, data, nstep=round(seconds / model.opt.timestep))
    sinew.forward(model, data)
    return data
