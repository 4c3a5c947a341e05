"""Models and uses that are odd: a picture or a clear message, and no memory lost."""

import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import sinew
from sinew import mujoco

LONG = bool(os.environ.get("SINEW_LONG"))
WORLD = """
<mujoco><visual>{visual}</visual><statistic {statistic}/><worldbody><light pos="0 0 3"/>
  <camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 .4 .9" {camera}/><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .5"><freejoint/><geom size=".2"/></body></worldbody></mujoco>"""


def world(visual="", statistic="", camera=""):
    """A ball over a floor."""
    return mujoco.MjModel.from_xml_string(
        WORLD.format(visual=visual, statistic=statistic, camera=camera)
    )


def forward(m):
    """Data at the first state."""
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    return d


def picture(m, d=None, camera=-1, size=(60, 80), **settings):
    """A picture of a model."""
    with sinew.Renderer(m, *size, **settings) as renderer:
        renderer.update_scene(forward(m) if d is None else d, camera)
        return renderer.render()


@pytest.mark.parametrize("mode", ["colours", "depth", "segmentation"])
@pytest.mark.parametrize(
    "world",
    [
        "",
        "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>",
    ],
)
def test_a_model_without_geoms_lights_and_cameras(world, mode):
    m = mujoco.MjModel.from_xml_string(f"<mujoco>{world}</mujoco>")
    with sinew.Renderer(m, 30, 40) as renderer:
        if mode != "colours":
            getattr(renderer, f"enable_{mode}_rendering")()
        renderer.update_scene(forward(m))
        drawn = renderer.render()
    if mode == "segmentation":
        assert (drawn == -1).all()
    else:
        far = m.vis.map.zfar * m.stat.extent
        assert np.allclose(drawn, far if mode == "depth" else drawn[0, 0], rtol=1e-3)


def field_of_balls(side):
    """A model of side x side balls."""
    at = np.arange(side) * 0.1
    balls = "".join(f"<geom size='.04' pos='{x:.1f} {y:.1f} 0'/>" for x in at for y in at)
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><statistic extent='10'/><worldbody><light pos='5 5 9'/>{balls}</worldbody></mujoco>"
    )


def test_ten_thousand_geoms():
    m = field_of_balls(100)
    d = forward(m)
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.elevation = (4.95, 4.95, 0), 12, -90
    with sinew.Renderer(m, 480, 480, max_geom=10_000) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(d, camera)
        assert renderer.scene.ngeom == 10_000 and renderer.scene.status == 0
        assert len(np.unique(renderer.render()[..., 0])) == 10_001  # each is seen, and the room


def test_more_geoms_than_there_is_room_for():
    m = field_of_balls(20)
    d = forward(m)
    with sinew.Renderer(m, 60, 80, max_geom=100) as renderer:
        with pytest.warns(sinew.SimulationWarning, match="maxgeom above 100"):
            renderer.update_scene(d)
        assert renderer.scene.ngeom == 100 and renderer.scene.status == 1
        assert renderer.render().any()
    assert d.warning[mujoco.mjtWarning.mjWARN_VGEOMFULL].number == 1


def waves(side):
    """Points and faces of a sheet of side x side points."""
    x, y = (a.ravel() for a in np.meshgrid(*[np.linspace(-1, 1, side)] * 2))
    index = np.arange(side * side).reshape(side, side)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return np.stack([x, y, 0.3 * np.sin(4 * x) * np.cos(5 * y)], axis=1), faces


def world_of_mesh(points, faces):
    """A model of one mesh in the light."""
    spec = mujoco.MjSpec()
    shell = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
    spec.add_mesh(name="m", uservert=points.ravel(), userface=faces.ravel(), inertia=shell)
    spec.worldbody.add_light(pos=[0, 0, 3])
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m", contype=0, conaffinity=0)
    return spec.compile()


def test_a_mesh_of_many_triangles():
    """A million if long, else a tenth: most of the time the model is made."""
    side = 708 if LONG else 224
    m = world_of_mesh(*waves(side))
    assert m.mesh_facenum[0] == 2 * (side - 1) ** 2
    assert np.ptp(picture(m, size=(240, 320))) > 30


# ---- numbers that are odd

ODD = {
    "near is beyond far": {"map": {"znear": 60.0, "zfar": 50.0}},
    "near is far": {"map": {"znear": 5.0, "zfar": 5.0}},
    "no near": {"map": {"znear": 0.0}},
    "near behind": {"map": {"znear": -1.0}},
    "negative shadows": {"quality": {"shadowsize": -5}},
    "many samples": {"quality": {"offsamples": 1000}},
    "negative samples": {"quality": {"offsamples": -4}},
    "no slices": {"quality": {"numslices": 0, "numstacks": 0, "numquads": 0}},
    "negative slices": {"quality": {"numslices": -3, "numstacks": -3, "numquads": -3}},
    "no extent": {"stat": {"extent": 0.0}},
    "extent no number": {"stat": {"extent": float("nan")}},
    "endless extent": {"stat": {"extent": float("inf")}},
    "half a turn": {"global_": {"fovy": 180.0}},
    "no angle": {"global_": {"fovy": 0.0}},
    "angle no number": {"global_": {"fovy": float("nan")}},
    "no width of lines": {"global_": {"linewidth": float("nan")}},
}


@pytest.mark.parametrize("name", ODD)
def test_odd_numbers_of_a_model(name):
    """A picture, or an error that names the number."""
    m = world()
    ((part, members),) = ODD[name].items()
    try:
        for member, value in members.items():
            setattr(m.stat if part == "stat" else getattr(m.vis, part), member, value)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            drawn = picture(m)
    except (ValueError, mujoco.FatalError) as error:
        assert any(word in str(error) for word in (*members, "frustum")), error
    else:
        assert drawn.shape == (60, 80, 3)
    assert picture(world()).any()  # what comes after is as ever


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_poses_that_are_no_numbers(value):
    m = world()
    d = forward(m)
    whole = picture(m, d)
    d.geom_xpos[1] = value
    odd = picture(m, d)
    assert odd.any() and not np.array_equal(odd, whole)  # the floor is there, the ball is not
    d.geom_xmat[:] = np.nan
    d.cam_xpos[:] = value
    assert picture(m, d, 0).shape == whole.shape


# ---- many of them


# Begins a process of its own: data at the first state of a model whose text comes as an argument.
ALONE = """
import os, sys, sinew
from sinew import mujoco
m = mujoco.MjModel.from_xml_string(sys.argv[1])
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
"""
IN_TURN = f"""
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
for k in range({200 if LONG else 60}):
    with sinew.Renderer(m, 60, 80) as renderer:
        renderer.update_scene(d)
        assert renderer.render().any()
    if k == 29:
        before = resident()
print(resident() - before)
"""
ONCE = """
with sinew.Renderer(m, 60, 80) as renderer:
    renderer.update_scene(d)
    sys.stdout.buffer.write(renderer.render().tobytes())
"""


def run_alone(code, visual=""):
    """What code prints in a process of its own, about a ball over a floor."""
    text = WORLD.format(visual=visual, statistic="", camera="")
    command = [sys.executable, "-c", ALONE + code, text]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_huge_shadows():
    """A picture, of the largest map that OpenGL has: a gigabyte, in a process that ends."""
    wanted = f'<quality shadowsize="{1 << 24}"/>'
    assert any(run_alone(ONCE, wanted))


def test_many_renderers_in_turn():
    """200 if long. They grow no memory; alone, so that memory is nobody else's."""
    # less than 50 kB a renderer; 30 pictures with their buffers are 10 MB
    assert int(run_alone(IN_TURN, "<quality shadowsize='256'/>")) < 8e6


def test_two_renderers_take_turns():
    models = world(), field_of_balls(10)
    data = [forward(m) for m in models]
    alone = [picture(m, d) for m, d in zip(models, data, strict=True)]
    with sinew.Renderer(models[0], 60, 80) as one, sinew.Renderer(models[1], 60, 80) as other:
        for _ in range(3):
            for renderer, d, expected in zip((one, other), data, alone, strict=True):
                renderer.update_scene(d)
                assert np.array_equal(renderer.render(), expected)
        one.update_scene(data[0])
        other.update_scene(data[1])
        assert np.array_equal(one.render(), alone[0]) and np.array_equal(other.render(), alone[1])


def test_a_thread_draws_the_same():
    m = world()
    found = []
    drawer = threading.Thread(target=lambda: found.append(picture(m)))
    drawer.start()
    drawer.join()
    assert np.array_equal(found[0], picture(m))


def test_pictures_are_the_same_from_run_to_run():
    assert run_alone(ONCE) == run_alone(ONCE) == picture(world()).tobytes()
