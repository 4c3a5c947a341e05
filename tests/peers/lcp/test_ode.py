"""Rigid contact against ODE, another engine of boxes of friction, and closed forms: where stacks settle, how far things
slide and roll.
"""

import ctypes
import math
import os
import pathlib
import shlex
import subprocess

import numpy as np
import pytest
import scenes

import sinew

BENCH = pathlib.Path(__file__).resolve().parents[3] / "bench"
GRAVITY = 9.81
TIMESTEP = 0.001
MU = 0.5
SPHERE, BOX = int(sinew.GeomType.SPHERE), int(sinew.GeomType.BOX)


class Body(ctypes.Structure):
    """RigidBody of bench/rigid.h."""

    _fields_ = [
        ("half", ctypes.c_double * 3),
        ("mass", ctypes.c_double),
        ("pos", ctypes.c_double * 3),
        ("quat", ctypes.c_double * 4),
        ("vel", ctypes.c_double * 3),
    ]


class Scene(ctypes.Structure):
    """RigidScene of bench/rigid.h."""

    _fields_ = [
        ("count", ctypes.c_int),
        ("sweeps", ctypes.c_int),
        ("body", ctypes.POINTER(Body)),
        ("gravity", ctypes.c_double * 3),
        ("timestep", ctypes.c_double),
        ("mu", ctypes.c_double),
    ]


@pytest.fixture(scope="module")
def ode(tmp_path_factory):
    """ODE behind bench/rigid.h, compiled: its structs depend on how the package was built."""
    library = tmp_path_factory.mktemp("ode") / "ode.so"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "ode"], check=True, capture_output=True, text=True
    )
    compiler = shlex.split(os.environ.get("CC", "cc"))
    source = ["-std=gnu17", "-fPIC", "-shared", BENCH / "rigid_ode.c", "-o", library]
    subprocess.run([*compiler, *source, *shlex.split(flags.stdout)], check=True)
    lib = ctypes.CDLL(str(library))
    lib.rigidMake.restype = ctypes.c_void_p
    return lib


def bodies_of(m, d):
    """The free bodies of a model, each of one geom, where d has them."""
    bodies = (Body * m.njnt)()
    for i, body in enumerate(bodies):
        number, q, v = m.jnt_bodyid[i], m.jnt_qposadr[i], m.jnt_dofadr[i]
        body.half[:] = m.geom_size[m.body_geomadr[number]]
        body.mass = m.body_mass[number]
        body.pos[:] = d.qpos[q : q + 3]
        body.quat[:] = d.qpos[q + 3 : q + 7]
        body.vel[:] = d.qvel[v : v + 3]
    return bodies


def run_ode(lib, m, d, mu, steps, sweeps=200):
    """Where ODE's bodies are after so many steps from d."""
    bodies = bodies_of(m, d)
    scene = Scene(len(bodies), sweeps, bodies, tuple(m.opt.gravity), m.opt.timestep, mu)
    world = ctypes.c_void_p(lib.rigidMake(ctypes.byref(scene)))
    for _ in range(steps):
        lib.rigidStep(world)
    pos = np.zeros((len(bodies), 3))
    lib.rigidPlace(world, pos.ctypes.data_as(ctypes.c_void_p))
    lib.rigidDelete(world)
    return pos


def run_ours(m, d, steps):
    """The same of ours; d moves."""
    for _ in range(steps):
        sinew.step(m, d)
    assert not d.warning["number"].any()
    return d.qpos.reshape(-1, 7)[:, :3].copy()


def rigid(text, timestep=TIMESTEP):
    """(model, data) with rigid contact."""
    m = sinew.Model.from_xml(text)
    m.opt.contact = sinew.ContactModel.LCP
    m.opt.timestep = timestep
    return m, sinew.Data(m)


def block(shape='type="box" size="0.5 0.5 0.25"', mu=MU, height=0.25):
    """One body on the floor."""
    return f"""<mujoco><default><geom friction="{mu} 0.005 0.0001"/></default><worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 {height}"><freejoint/><geom {shape} mass="2"/></body></worldbody></mujoco>"""


# ---- stacks ------------------------------------------------------------------------------------------------

STACKS = {
    "tower": lambda: scenes.stacks(1),
    "towers": lambda: scenes.stacks(4),
    "triangle": lambda: scenes.pyramids(1, 5),
    "triangles": lambda: scenes.pyramids(2, 3),
}


@pytest.mark.parametrize("name", STACKS)
def test_stacks_settle_where_they_do_in_ode(ode, name):
    """Within 1 % of the height of the lowest body."""
    m, d = rigid(STACKS[name](), 0.005)
    start = d.qpos.reshape(-1, 7)[:, :3].copy()
    theirs = run_ode(ode, m, d, float(m.geom_friction[0, 0]), 400)
    ours = run_ours(m, d, 400)
    tolerance = 0.01 * 2 * start[:, 2].min()
    assert np.abs(ours - theirs).max() < tolerance
    # rigid: no body sinks by 1 mm
    assert (start - ours)[:, 2].max() < 1e-3


# ---- sliding -----------------------------------------------------------------------------------------------


def slide(velocity, deceleration, timestep=TIMESTEP):
    """How far something goes that each step slows down by the same."""
    steps = math.floor(velocity / (deceleration * timestep))
    return timestep * (velocity * steps - deceleration * timestep * steps * (steps + 1) / 2)


@pytest.mark.parametrize("angle", [0, 0.1, 0.3, -0.3])
@pytest.mark.parametrize("speed", [1.0, 3.0])
def test_a_block_slides_as_far_as_in_ode_and_as_it_must(ode, angle, speed):
    """Along x; the plane falls by the angle in that direction."""
    m, d = rigid(block())
    m.opt.gravity = (GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle))
    d.qvel[0] = speed
    deceleration = GRAVITY * (MU * math.cos(angle) - math.sin(angle))
    steps = math.ceil(1.2 * speed / deceleration / TIMESTEP)
    theirs = run_ode(ode, m, d, MU, steps)[0]
    ours = run_ours(m, d, steps)[0]
    expected = slide(speed, deceleration)
    assert ours[0] == pytest.approx(expected, rel=2e-3)
    assert ours[0] == pytest.approx(theirs[0], rel=0.01)
    assert abs(ours[1]) < 1e-6 * expected


@pytest.mark.parametrize("heading", [0.3, math.pi / 4, 1.2])
def test_friction_of_a_box_depends_on_the_direction_as_in_ode(ode, heading):
    """A block that slides across the tangents: each of them brakes alone until that component stands."""
    m, d = rigid(block())
    speed = 2.0
    d.qvel[:2] = speed * math.cos(heading), speed * math.sin(heading)
    steps = math.ceil(1.2 * speed / (MU * GRAVITY) / TIMESTEP)
    theirs = run_ode(ode, m, d, MU, steps)[0]
    ours = run_ours(m, d, steps)[0]
    for k, v in enumerate((math.cos(heading), math.sin(heading))):
        assert ours[k] == pytest.approx(slide(speed * v, MU * GRAVITY), rel=5e-3)
        assert ours[k] == pytest.approx(theirs[k], rel=0.01)


@pytest.mark.parametrize("heading", [0, 0.3, math.pi / 4, 1.2])
def test_friction_of_a_cone_brakes_alike_in_every_direction(heading):
    m, d = rigid(block())
    m.opt.cone = sinew.Cone.ELLIPTIC
    speed = 2.0
    d.qvel[:2] = speed * math.cos(heading), speed * math.sin(heading)
    ours = run_ours(m, d, math.ceil(1.2 * speed / (MU * GRAVITY) / TIMESTEP))[0]
    assert np.hypot(*ours[:2]) == pytest.approx(slide(speed, MU * GRAVITY), rel=2e-3)
    assert math.atan2(ours[1], ours[0]) == pytest.approx(heading, abs=1e-3)


@pytest.mark.parametrize("angle", [0.2, 0.45, 0.5, 0.7])
def test_a_block_slips_on_a_slope_as_in_ode(ode, angle):
    """From rest: it stays below atan(mu) = 0.4636."""
    m, d = rigid(block())
    m.opt.gravity = (GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle))
    steps = 1000
    theirs = run_ode(ode, m, d, MU, steps)[0]
    ours = run_ours(m, d, steps)[0]
    time = steps * TIMESTEP
    acceleration = max(0, GRAVITY * (math.sin(angle) - MU * math.cos(angle)))
    expected = acceleration * time * (time + TIMESTEP) / 2
    assert ours[0] == pytest.approx(expected, rel=2e-3, abs=1e-4)
    assert ours[0] == pytest.approx(theirs[0], rel=0.01, abs=2e-3)


# ---- rolling -----------------------------------------------------------------------------------------------

BALL = block('type="sphere" size="0.25"')


@pytest.mark.parametrize("angle", [0.2, 0.6, 1.2])
def test_a_ball_rolls_or_slips_down_a_slope_as_in_ode(ode, angle):
    """It rolls while tan(angle) < 7 mu / 2."""
    m, d = rigid(BALL)
    m.opt.gravity = (GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle))
    steps = 1000
    theirs = run_ode(ode, m, d, MU, steps)[0]
    ours = run_ours(m, d, steps)[0]
    time = steps * TIMESTEP
    rolling = 5 / 7 * GRAVITY * math.sin(angle)
    slipping = GRAVITY * (math.sin(angle) - MU * math.cos(angle))
    expected = max(rolling, slipping) * time * (time + TIMESTEP) / 2
    assert ours[0] == pytest.approx(expected, rel=2e-3)
    assert ours[0] == pytest.approx(theirs[0], rel=0.01)


def test_a_ball_that_is_thrown_along_the_floor_comes_to_roll_as_in_ode(ode):
    """It loses two sevenths of its speed while it slips."""
    m, d = rigid(BALL)
    speed, steps = 2.0, 1000
    d.qvel[0] = speed
    theirs = run_ode(ode, m, d, MU, steps)[0]
    ours = run_ours(m, d, steps)[0]
    assert d.qvel[0] == pytest.approx(5 / 7 * speed, rel=2e-3)
    assert d.qvel[4] == pytest.approx(d.qvel[0] / 0.25, rel=1e-4)
    slip = 2 / 7 * speed / (MU * GRAVITY)
    expected = 5 / 7 * speed * steps * TIMESTEP + speed * slip / 7
    assert ours[0] == pytest.approx(expected, rel=2e-3)
    assert ours[0] == pytest.approx(theirs[0], rel=0.01)


# ---- several bodies ----------------------------------------------------------------------------------------


def test_a_heavy_lid_slides_off_its_block_as_in_ode(ode):
    """Friction above and below a block, of which that below sticks."""
    lid = '<body pos="0 0 0.75"><freejoint/><geom type="box" size="0.5 0.5 0.25" mass="3"/></body>'
    m, d = rigid(block().replace("</worldbody>", lid + "</worldbody>"))
    d.qvel[6] = 1.0
    steps = 400
    theirs = run_ode(ode, m, d, MU, steps)
    ours = run_ours(m, d, steps)
    assert ours[1, 0] == pytest.approx(theirs[1, 0], rel=0.01)
    assert ours[1, 0] == pytest.approx(slide(1.0, MU * GRAVITY), rel=5e-3)
    assert abs(ours[0, 0]) < 1e-3


@pytest.mark.parametrize("mu", [0.40, 0.43])
def test_five_balls_stand_on_enough_friction_as_in_ode(ode, mu):
    """One upon four, which touch: they stand if mu >= tan(pi/8) = 0.4142."""
    world = "".join(
        scenes.unit_body(at, 'type="sphere" size="0.5"', mu)
        for at in [(x, y, 0.5) for x in (0, 1) for y in (0, 1)] + [(0.5, 0.5, 0.5 + math.sqrt(0.5))]
    )
    m, d = rigid(scenes.rigid("five", world, 5, mu, 0), 0.005)
    m.opt.cone = 1  # a box of friction may hold more, as its tangents lie
    theirs = run_ode(ode, m, d, mu, 400)
    ours = run_ours(m, d, 400)
    stands = mu > math.tan(math.pi / 8)
    for pos in (ours, theirs):
        assert (pos[4, 2] > 1.19) == stands
    if stands:
        assert ours == pytest.approx(theirs, abs=0.01)
