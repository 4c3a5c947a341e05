"""Rules of reading and compiling that one model shows: compiled fields of both meanings against both peers."""

import numpy as np
import pytest

import compiled
import sinew

INERTIA = {"body_inertia", "body_invweight0", "body_iquat", "dof_M0", "dof_invweight0"}


def moments(model, body=1):
    """Tensor of inertia of a body."""
    R = np.empty(9)
    w, x, y, z = model.body_iquat[body]
    R = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    return R @ np.diag(model.body_inertia[body]) @ R.T


ORIENTED = """<mujoco><default>
  <geom {0}/><site {0}/><camera {0}/><default class="c"><geom quat="0 1 0 0"/></default></default><worldbody><body><freejoint/>
  <geom size=".1 .2 .3" type="box"/><geom size=".1 .2 .3" type="box" quat="1 0 0 0"/>
  <geom size=".1 .2 .3" type="box" quat="0 1 1 0" pos="1 0 0"/><geom class="c" size=".1 .2 .3" type="box"/>
  <site quat="1 0 0 0"/><site/><site {1}/><camera quat="1 0 0 0"/><camera/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("outer", "own"),
    [
        ('euler="30 40 50"', 'zaxis="1 0 0"'),
        ('axisangle="0 1 0 40"', 'euler="1 2 3"'),
        ('xyaxes="0 1 0 -1 0 0"', 'axisangle="0 1 0 4"'),
        ('zaxis="1 2 3"', 'xyaxes="1 2 3 -1 0 0"'),
    ],
)
def test_quat_over_the_orientation_of_a_class(outer, own):
    """QUAT_OVER_CLASS."""
    old, new = compiled.models(ORIENTED.format(outer, own))
    assert "geom_quat" in compiled.differences(old, new)
    np.testing.assert_allclose(new.geom_quat[1], [1, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(old.geom_quat[1], old.geom_quat[0], atol=1e-15)
    np.testing.assert_allclose(new.geom_quat[0], old.geom_quat[0], atol=1e-15)


INERTIAL = """<mujoco><worldbody><body><freejoint/>{}</body></worldbody></mujoco>"""
FRAMES = '<frame pos="1 0 0" euler="0 30 0"><frame quat="1 1 0 0">{}</frame></frame>'
DIAGONAL = '<inertial pos="0 .1 0" mass="1" quat="1 2 0 0" diaginertia="1 2 2.5"/>'
FULL = '<inertial pos="0 .1 0" mass="1" fullinertia="1 2 2.5 .1 .2 .3"/>'


@pytest.mark.parametrize("inertial", [DIAGONAL, FULL])
def test_inertial_inside_frames(inertial):
    """INERTIAL_IN_FRAME."""
    old, new = compiled.models(INERTIAL.format(FRAMES.format(inertial)), tolerance=1e-8)
    assert {"body_ipos", "body_iquat"} <= compiled.differences(old, new)
    np.testing.assert_allclose(old.body_ipos[1], [0, 0.1, 0], atol=1e-15)
    beside = INERTIAL.format(inertial)
    assert compiled.differences(*compiled.models(beside, tolerance=1e-8), 1e-8) == set()


def test_principal_axes():
    """PRINCIPAL_AXES: against the tensor that is given, whatever its size."""
    for size in (1, 1e-9, 1e6):
        numbers = size * np.array([1, 2, 2.5, 0.1, 0.2, 0.3])
        text = INERTIAL.format(
            FULL.replace("1 2 2.5 .1 .2 .3", " ".join(map(repr, map(float, numbers))))
        )
        old, new = (compiled.ours(text, p) for p in compiled.PHYSICS)
        A = np.array(
            [
                [numbers[0], *numbers[3:5]],
                [numbers[3], numbers[1], numbers[5]],
                [*numbers[4:], numbers[2]],
            ]
        )
        np.testing.assert_allclose(moments(new), A, rtol=0, atol=1e-14 * size)
        assert np.abs(moments(old) - A).max() > 1e-13 * size
        peer = compiled.peer(text, "4.0")
        np.testing.assert_allclose(new.body_iquat[1], peer.body_iquat[1], atol=1e-13)
        np.testing.assert_allclose(new.body_inertia[1], peer.body_inertia[1], rtol=1e-13)


def test_principal_axes_of_geoms_and_meshes():
    rng = np.random.default_rng(3)
    vertices = " ".join(f"{x:.6f}" for x in rng.normal(size=36))
    text = f"""<mujoco><asset><mesh name="m" scale=".01 .01 .01" vertex="{vertices}" inertia="convex"/></asset><worldbody>
      <body><freejoint/><geom type="mesh" mesh="m"/></body>
      <body><freejoint/><geom type="box" size=".03 .02 .01" euler="20 30 40"/>
        <geom type="box" pos=".03 0 0" size=".03 .02 .01" euler="0 30 40"/></body>
      </worldbody></mujoco>"""
    new = compiled.ours(text, "4.0")
    peer = compiled.peer(text, "4.0")
    for field in ("body_iquat", "body_inertia", "geom_quat", "geom_pos", "mesh_quat", "mesh_pos"):
        np.testing.assert_allclose(
            getattr(new, field), getattr(peer, field), rtol=1e-12, atol=1e-12, err_msg=field
        )
    old = compiled.agree(text, "3.3.7", tolerance=1e-9)
    assert np.abs(old.mesh_quat - new.mesh_quat).max() > 1e-5


@pytest.mark.parametrize(
    "full", ["1 1 0 0 0 0", "1 1 1e-16 0 0 0", "1 1 -1e-15 0 0 0", "0 0 0 0 0 0", "2 2 2 -1 -1 -1"]
)
def test_flat_inertia_is_lifted(full):
    """FLAT_INERTIA."""
    text = INERTIAL.format(FULL.replace("1 2 2.5 .1 .2 .3", full))
    lifted = text.replace("<worldbody>", '<compiler boundinertia=".01"/><worldbody>')
    compiled.agree(lifted, "4.0")
    for source, physics in ((lifted, "3.3.7"), (text, "3.3.7"), (text, "4.0")):
        compiled.both_refuse(source, physics, "positive definite")


def test_an_inertia_that_is_negative_stays_an_error():
    text = INERTIAL.format(FULL.replace("1 2 2.5 .1 .2 .3", "1 1 -1e-13 0 0 0"))
    lifted = text.replace("<worldbody>", '<compiler boundinertia=".01"/><worldbody>')
    compiled.both_refuse(lifted, "4.0", "positive definite")


@pytest.mark.parametrize(
    ("plane", "fields"),
    [("0 0 1", {"stat.center", "stat.extent"}), ("3 0 1", set()), ("3 2 1", set())],
)
def test_bounds_of_planes(plane, fields):
    """PLANE_BOUNDS."""
    text = f'<mujoco><worldbody><geom type="plane" size="{plane}"/><body pos="1 2 3"><geom size=".5"/></body></worldbody></mujoco>'
    assert compiled.differences(*compiled.models(text)) == fields
    compiled.models(text.replace('<body pos="1 2 3"><geom size=".5"/></body>', ""))


RANGE = """<mujoco><worldbody><site name="up" pos="0 0 1"/><site name="down" pos="0 0 1" euler="180 0 0"/>
  <body><freejoint/><geom type="box" size="1 1 .1" pos="0 0 -.1"/></body></worldbody><sensor><rangefinder site="up" cutoff=".5"/><rangefinder site="up"/>
  <rangefinder site="down" cutoff=".5"/><rangefinder site="down" cutoff="2"/></sensor></mujoco>"""


def test_range_finder_that_finds_nothing():
    """RANGEFINDER_CUTOFF."""
    old, new = compiled.models(RANGE)
    assert compiled.differences(old, new) == {"sensor_datatype", "sensor_intprm"}
    values = []
    for m in (old, new):
        d = sinew.Data(m)
        sinew.forward(m, d)
        values.append(list(d.sensordata))
    np.testing.assert_allclose(values, [[-1, -1, 0.5, 1], [-0.5, -1, 0.5, 1]])


def test_mesh_of_a_fitted_primitive():
    """FITTED_MESH."""
    tetrahedron = b"v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    text = """<mujoco><asset><mesh name="t" file="fitted.obj"/></asset><worldbody><body><freejoint/>
      <geom type="box" mesh="t"/><geom type="mesh" mesh="t"/></body></worldbody></mujoco>"""
    old, new = compiled.models(text, assets={"fitted.obj": tetrahedron}, tolerance=1e-9)
    assert "geom_dataid" in compiled.differences(old, new, 1e-6)
    assert list(old.geom_dataid) == [0, 0] and list(new.geom_dataid) == [-1, 0]


KEYS = """<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body><joint name="j" ref="20"/><joint name="k" ref="30" axis="1 0 0"/><geom size=".1"/></body></worldbody>
  <keyframe><key qpos="0 0 2"/><key qpos="0 0 2 1 0 0 0 .5"/><key qvel="1 2"/><key/></keyframe></mujoco>"""


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
def test_short_keys_are_filled():
    """KEYFRAME_FILL: the same under both, as 4.0.1 has it."""
    old, new = (compiled.ours(KEYS, p) for p in compiled.PHYSICS)
    assert compiled.differences(old, new, 0) == set()
    assert compiled.differences(new, compiled.peer(KEYS, "4.0")) == set()
    assert "key_qpos" in compiled.differences(new, compiled.peer(KEYS, "3.3.7"))


def test_keys_beside_a_replicate():
    """KEYFRAME_BESIDE_REPLICATE: the same under both, as 4.0.1 has it."""
    text = """<mujoco><worldbody><body pos="0 0 1"><joint name="a"/><geom size=".1"/></body>
      <replicate count="2" offset="1 0 0"><body><joint name="j"/><geom size=".1"/></body></replicate></worldbody>
      <actuator><motor joint="a"/></actuator><keyframe><key name="k" qpos=".1 .2 .3" ctrl="4"/></keyframe></mujoco>"""
    old, new = (compiled.ours(text, p) for p in compiled.PHYSICS)
    assert compiled.differences(old, new, 0) == set() and new.nkey == 1
    assert compiled.differences(new, compiled.peer(text, "4.0")) == set()
