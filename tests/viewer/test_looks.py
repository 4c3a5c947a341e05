"""What a page draws looks as `sinew render` draws it."""

import base64
import io

import numpy as np
import PIL.Image
import pytest

import sinew
from models import folder

MIRRORS = """
<mujoco model="mirrors">
  <visual><headlight ambient=".3 .3 .3"/></visual>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="64"/>
    <texture name="squares" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".1 .2 .3" width="64" height="64"/>
    <material name="floor" reflectance=".5" texture="squares" texrepeat="4 4"/>
    <material name="table" rgba=".6 .2 .2 1" reflectance=".7"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    %s
    <geom type="plane" material="floor" size="3 3 .1"/>
    <body pos=".1 0 .5"><freejoint/><geom type="capsule" size=".08 .2" rgba=".2 .8 .3 1"/></body>
    <body pos="-.3 .1 .4"><freejoint/><geom type="box" size=".08 .1 .1" rgba=".2 .3 .9 .5"/></body>
    <body pos="1 .1 .4"><freejoint/><geom size=".2" rgba=".9 .8 .1 1"/></body>
  </worldbody>
</mujoco>
"""
TABLE = '<geom type="box" material="table" size=".6 .4 .1" pos="0 0 .1"/>'
REFLECTION = 2  # mjtRndFlag


def picture(tab):
    """What the page draws, [height, width, 3]."""
    return picture_of(tab.page.evaluate("window.sinewPicture()"))


def picture_of(url):
    """The picture that an address of its own bytes holds."""
    image = PIL.Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    return np.array(image.convert("RGB")).astype(int)


def compared(viewing, tab):
    """The same picture by the page and by `sinew render`."""
    shown = picture(tab)
    height, width, _ = shown.shape
    with sinew.Renderer(viewing.model, height, width) as renderer:
        renderer.update_scene(viewing.data)
        expected = renderer.render().astype(int)
        renderer.scene.flags[REFLECTION] = 0
        bare = renderer.render().astype(int)
    return shown, expected, bare


def alike(shown, expected):
    """Share of pixels that are equal but for a few steps of colour; the rest are edges, which cards smooth in their ways."""
    return (abs(shown - expected).max(axis=2) <= 8).mean()


@pytest.mark.parametrize("more", [TABLE, ""], ids=["box", "plane"])
def test_mirrors(view, more):
    viewing = view(sinew.Model.from_xml(MIRRORS % more), still=True)
    shown, expected, bare = compared(viewing, viewing.open((760, 400)))
    assert alike(shown, expected) > 0.998 and alike(bare, expected) < 0.99


FLOOR = """
<mujoco>
  <worldbody>
    <light pos="1 1 4" dir="-.2 -.2 -1" directional="true"/>
    <geom type="plane" size="5 5 .1" rgba=".8 .8 .8 1"/>
    <geom type="plane" size=".5 .5 .1" pos="0 0 1" rgba=".9 .3 .3 1"/>
    <geom size=".2" pos="1.5 0 1"/>
  </worldbody>
</mujoco>
"""


def test_a_floor_with_an_end_does_not_shade_itself(view):
    viewing = view(sinew.Model.from_xml(FLOOR), still=True)
    shown, expected, _ = compared(viewing, viewing.open((760, 400)))
    assert alike(shown, expected) > 0.998


@pytest.mark.parametrize(
    "path",
    [
        folder("dm_control", "suite", "humanoid.xml"),
        folder("dm_control", "suite", "manipulator.xml"),
        folder("gymnasium", "envs", "mujoco", "assets", "humanoid.xml"),
    ],
    ids=["dm_humanoid", "manipulator", "humanoid"],
)
def test_pictures_of_models(view, path):
    viewing = view(sinew.Model.from_path(path), still=True)
    shown, expected, _ = compared(viewing, viewing.open((760, 400)))
    assert (
        alike(shown, expected) > 0.99
    )  # stars of a sky are points, which cards smooth in their ways, too
