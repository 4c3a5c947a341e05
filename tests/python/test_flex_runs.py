"""Long runs of cloth and soft bodies that press against things: nothing goes through a surface by more than its radius, no step
is thrown away. SINEW_LONG runs them for a minute."""

import os

import numpy as np
import pytest

import sinew

SECONDS = 60 if os.environ.get("SINEW_LONG") else 0.4
OPTION = '<option integrator="discrete" timestep="0.001"/>'
FLOOR = '<geom name="floor" type="plane" size="3 3 .1"/>'
SHEET = '<elasticity young="2e4" poisson=".3" thickness=".004" damping=".01" elastic2d="both"/>'
FOAM = '<elasticity young="3e4" poisson=".3" damping=".02"/>'
APART = '<contact selfcollide="none" solref=".004 1" solimp=".95 .99 .001"/>'


def block(name, height, count="4 4 4"):
    return (
        f'<flexcomp name="{name}" type="grid" dim="3" count="{count}" spacing=".05 .05 .05" pos="0 0 {height}" mass="1"'
        f' radius=".005">{APART}{FOAM}</flexcomp>'
    )


DRAPED = f"""<mujoco>{OPTION}<worldbody>{FLOOR}<geom name="ball" type="sphere" size=".2" pos="0 0 .3"/>
<flexcomp name="cloth" type="grid" dim="2" count="14 14 1" spacing=".05 .05 1" pos="0 0 .53" mass=".3" radius=".01">
{APART}{SHEET}</flexcomp></worldbody></mujoco>"""

STACKED = f"""<mujoco>{OPTION}<worldbody>{FLOOR}{block("a", 0.085)}{block("b", 0.25)}{block("c", 0.415)}</worldbody></mujoco>"""

SQUEEZED = f"""<mujoco>{OPTION}<worldbody>{FLOOR}{block("a", 0.085)}
<body pos="0 0 .24"><joint name="press" type="slide" axis="0 0 1" damping="50"/>
<geom name="plate" type="box" size=".3 .3 .05" mass="2"/></body></worldbody>
<actuator><position joint="press" kp="4e5" kv="4000" ctrlrange="-.1 0"/></actuator></mujoco>"""

HELD = "".join(f'<connect body1="band_{90 + k}" body2="hand" anchor="0 0 0"/>' for k in range(6))
TWISTED = f"""<mujoco>{OPTION}<worldbody><body name="hand" pos=".3 0 1"><joint name="turn" axis="1 0 0" damping="1"/>
<geom size=".02" mass="1" contype="0" conaffinity="0"/></body>
<flexcomp name="band" type="grid" dim="2" count="16 6 1" spacing=".04 .04 1" pos="0 0 1" mass=".2" radius=".006">
<pin gridrange="0 0 0 5"/>{SHEET}<contact selfcollide="auto" solref=".004 1"/></flexcomp></worldbody>
<equality>{HELD}</equality><actuator><position joint="turn" kp="50" kv="5"/></actuator></mujoco>"""


def depth(model, data):
    """How far a vertex is inside the floor, the ball or the plate, less its radius (m)."""
    worst = -np.inf
    radius = np.repeat(model.flex_radius, model.flex_vertnum)
    for geom in range(model.ngeom):
        inside = data.flexvert_xpos - data.geom_xpos[geom]
        if model.geom_type[geom] == sinew.GeomType.PLANE:
            worst = max(worst, (-inside[:, 2] - radius).max())
        elif model.geom_type[geom] == sinew.GeomType.SPHERE and model.geom_contype[geom]:
            worst = max(
                worst, (model.geom_size[geom, 0] - np.linalg.norm(inside, axis=1) - radius).max()
            )
        elif model.geom_type[geom] == sinew.GeomType.BOX:
            room = model.geom_size[geom] - np.abs(inside @ data.geom_xmat[geom].reshape(3, 3))
            worst = max(worst, (room.min(axis=1) - radius).max())
    return worst


def run(text, control=lambda time: 0.0):
    model = sinew.Model.from_xml(text)
    data = sinew.Data(model)
    worst, resets = -np.inf, 0
    while data.time < SECONDS:
        if model.nu:
            data.ctrl[:] = control(data.time)
        before = data.time
        sinew.step(model, data, 20)
        resets += data.time < before
        worst = max(worst, depth(model, data))
        assert resets == 0 and np.isfinite(data.qpos).all()
    return model, data, worst


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("text", [DRAPED, STACKED], ids=["draped", "stacked"])
def test_nothing_goes_through(text):
    model, data, worst = run(text)
    assert worst < 0
    if SECONDS >= 60:
        assert np.abs(data.qvel).max() < 0.05


@pytest.mark.filterwarnings("error")
def test_squeezed_to_seven_tenths():
    model, data, worst = run(SQUEEZED, lambda time: -0.078 * min(1, time / 0.3))
    assert worst < 0
    height = np.ptp(data.flexvert_xpos[:, 2])
    assert height == pytest.approx(0.7 * 0.15, abs=0.01)


@pytest.mark.filterwarnings("error")
def test_twisted():
    """One and a half turns, over which the band meets itself."""
    model, data, _ = run(TWISTED, lambda time: min(3 * np.pi, 3 * np.pi * time / min(2, SECONDS)))
    stretch = data.flexedge_length / model.flexedge_length0
    assert stretch.max() < 1.6
