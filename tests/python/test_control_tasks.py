"""`sinew.control`: every type of task by name, its arrays, and what it refuses."""

import gc

import numpy as np
import pytest

import sinew
from sinew import TaskType, control
from sinew.control._tasks import _axes

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="base" pos="0 0 .5">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size=".2 .1 .05" mass="5"/>
      <body name="upper" pos=".2 0 0">
        <joint name="shoulder" type="ball"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <body name="lower" pos=".3 0 0">
          <joint name="elbow" axis="0 1 0"/>
          <geom name="lower" type="capsule" fromto="0 0 0 .25 0 0" size=".02"/>
          <site name="tip" pos=".25 0 0"/>
        </body>
      </body>
      <body name="tail" pos="-.2 0 0">
        <joint name="rail" type="slide" axis="1 0 0"/>
        <geom name="weight" type="sphere" size=".03" mass=".3"/>
        <site name="end"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def model():
    """A box that floats, with an arm and a weight on a rail; nq 13, nv 11."""
    return sinew.Model.from_xml(XML)


@pytest.fixture
def data(model):
    """Somewhere, moving."""
    d = sinew.Data(model)
    rng = np.random.default_rng(0)
    d.qpos[:] = sinew.integratePos(model, d.qpos, rng.standard_normal(model.nv), 0.3)
    d.qvel[:] = 0.2 * rng.standard_normal(model.nv)
    sinew.forward(model, d)
    return d


@pytest.fixture
def controller(model):
    """All dofs have torques."""
    c = control.Controller(model)
    c.actuated[:] = 1
    return c


TYPES = [
    # task, type, rows, pos, vel
    (control.PositionTask(body="lower"), "POSITION", 3, 3, 3),
    (control.OrientationTask(site="tip"), "ORIENTATION", 3, 4, 3),
    (control.PoseTask(geom="weight"), "POSE", 6, 7, 6),
    (control.PoseTask(site="tip", ref_site="end", offset=[0, 0, 0.1]), "POSE", 6, 7, 6),
    (control.ComTask(), "COM", 3, 3, 3),
    (control.ComTask(body="upper", axes="x y"), "COM", 3, 3, 3),
    (control.MomentumTask(), "MOMENTUM", 6, 0, 6),
    (control.CapturePointTask(height=0.5), "CAPTURE_POINT", 2, 2, 2),
    (control.PostureTask(), "POSTURE", 5, 13, 11),
    (control.PostureTask(joints=["elbow", "rail"]), "POSTURE", 2, 13, 11),
    (control.PostureTask(joints="shoulder"), "POSTURE", 3, 13, 11),
    (control.JointVelocityTask(joints=("elbow",)), "JOINT_VELOCITY", 1, 0, 11),
    (control.ContactTask(site="tip"), "CONTACT", 6, 7, 6),
    (control.ImpedanceTask(site="tip", mass=2), "IMPEDANCE", 6, 7, 6),
    (control.AdmittanceTask(site="tip", mass=[1, 1, 1, 2, 2, 2]), "ADMITTANCE", 6, 7, 6),
    (control.GazeTask(site="tip", axis=[1, 0, 0]), "GAZE", 2, 3, 3),
    (control.ManipulabilityTask(site="tip", axes="x y z"), "MANIPULABILITY", 1, 0, 1),
    (control.DistanceTask(geom="lower", other="weight"), "DISTANCE", 1, 0, 0),
    (control.LinearTask(A=np.ones((4, 11)), upper=3), "LINEAR", 4, 0, 0),
]
NAMES = [f"{i}_{row[1].lower()}" for i, row in enumerate(TYPES)]


@pytest.mark.parametrize(("spec", "kind", "rows", "npos", "nvel"), TYPES, ids=NAMES)
def test_every_type(controller, data, spec, kind, rows, npos, nvel):
    task = controller.add_task(spec)
    assert task.type == TaskType[kind] and task.rows == rows and task.level == 1
    assert controller.tasks == [task] and task.active and task.name == ""
    for name, count in [
        ("pos", npos),
        ("vel", nvel),
        ("acc", nvel),
        ("kp", rows),
        ("kd", rows),
        ("weight", rows),
        ("error", rows),
    ]:
        array = getattr(task, name)
        assert array.shape == (count,) and array.dtype == np.float64, name
        assert np.isfinite(array).all(), name
    assert (task.vel == 0).all() and (task.acc == 0).all() and (task.weight == 1).all()
    yields = kind in ("IMPEDANCE", "ADMITTANCE")
    assert (task.wrench is not None) == yields
    assert (task.state is not None) == (kind == "ADMITTANCE")
    assert (task.A is not None) == (kind == "LINEAR")
    if not yields:
        with pytest.raises(AttributeError, match="this task has no wrench"):
            task.wrench = 0
    assert f"Task {kind.lower()}" in repr(task)
    assert controller.solve(data) == sinew.QpStatus.SOLVED
    assert np.isfinite(controller.qacc).all() and np.isfinite(task.error).all()


def test_every_type_has_a_class():
    specs = {spec._type for spec, *_ in TYPES} | {control.ForceTask._type}
    assert specs == set(TaskType)


def test_errors_are_reference_less_present(controller, data):
    position = controller.add_task(control.PositionTask(site="tip"))
    com = controller.add_task(control.ComTask())
    posture = controller.add_task(control.PostureTask(joints=["rail", "elbow"]))
    relative = controller.add_task(control.PositionTask(site="tip", ref_body="base"))
    moved = controller.add_task(control.PositionTask(body="lower", offset=[0.25, 0, 0]))
    local = controller.add_task(control.PositionTask(site="tip", local=True))
    position.pos = moved.pos = local.pos = 0.1, 0.2, 0.3
    com.pos = [0, 0, 1]
    relative.pos = 0.3, 0, 0
    posture.pos[-1] = 0.25
    controller.solve(data)
    tip, mat = data.site("tip").xpos, data.site("tip").xmat.reshape(3, 3)
    base = data.body("base")
    assert position.error == pytest.approx(position.pos - tip, abs=1e-14)
    assert moved.error == pytest.approx(position.error, abs=1e-14)
    assert local.error == pytest.approx(mat.T @ position.error, abs=1e-14)
    assert com.error == pytest.approx(com.pos - data.subtree_com[0], abs=1e-14)
    seen = base.xmat.reshape(3, 3).T @ (tip - base.xpos)
    assert relative.error == pytest.approx(relative.pos - seen, abs=1e-14)
    rail, elbow = data.joint("rail").qpos[0], data.joint("elbow").qpos[0]
    assert posture.error == pytest.approx([0.25 - rail, -elbow], abs=1e-14)


def test_a_task_is_reached(model, data, controller):
    """The acceleration that is asked for comes out, in all rows that `axes` selects and in no others."""
    task = controller.add_task(control.PositionTask(site="tip", axes="x z", kp=50, kd=3))
    task.pos, task.vel, task.acc = data.site("tip").xpos + 0.1, 0.3, [1, 2, 3]
    controller.solve(data)
    J = sinew.jacSite(model, data, model.site("tip").id)[0]
    want = task.acc + 3 * (task.vel - J @ data.qvel) + 50 * task.error
    eps = 1e-6
    before = J @ data.qvel
    data.qpos[:] = sinew.integratePos(model, data.qpos, data.qvel, eps)
    sinew.forward(model, data)
    drift = (sinew.jacSite(model, data, model.site("tip").id)[0] @ data.qvel - before) / eps
    got = J @ controller.qacc + drift
    assert got[[0, 2]] == pytest.approx(want[[0, 2]], abs=1e-4)
    assert abs(got[1] - want[1]) > 0.1


def test_axes():
    names = ("x", "y", "z", "rx", "ry", "rz")
    assert _axes(None, names, "t") == 0
    assert _axes("x rz", names, "t") == 0b100001 == _axes("rz x", names, "t")
    assert _axes([0, 1, 0, 0, 0, 1], names, "t") == 0b100010
    assert _axes(np.array([True] * 6), names, "t") == 63
    for wrong, text in [
        ("", "axes is '', must be words of 'x y z rx ry rz'"),
        ("x w", "axes is 'x w', must be words of"),
        ([1, 1], "axes has 2 marks, must have 6"),
        ([0] * 6, "not all false"),
        (3, "axes has 1 marks"),
    ]:
        with pytest.raises(ValueError, match=text):
            _axes(wrong, names, "t")


def test_gains_and_weights(controller, data):
    task = controller.add_task(control.PoseTask(site="tip", kp=25, weight=4, name="hand", level=3))
    assert task.name == "hand" and task.level == 3
    assert (task.kp == 25).all() and (task.kd == 10).all() and (task.weight == 4).all()
    assert (controller.add_task(control.PoseTask(site="tip", kp=9, kd=0)).kd == 0).all()
    soft = controller.add_task(control.ImpedanceTask(site="tip", mass=4, kp=25))
    assert (soft.kd == 20).all() and (soft.mass == 4).all()
    task.kp[:3] = 1
    task.weight = [1, 2, 3, 4, 5, 6]
    assert task.kp.tolist() == [1, 1, 1, 25, 25, 25] and task.weight[5] == 6
    task.level = 0
    assert task.level == 0
    for wrong in (-1, 32, 2**31):
        with pytest.raises((ValueError, OverflowError)):
            task.level = wrong
    with pytest.raises(TypeError):
        task.level = 0.5
    with pytest.raises(AttributeError):
        task.rows = 2
    with pytest.raises(AttributeError):
        task.typo = 2
    with pytest.raises(ValueError, match="shape"):
        task.pos = [1, 2]
    task.active = False
    controller.solve(data)
    assert not (controller.row[:, :2] == [sinew.ControlRowKind.TASK, 0]).all(axis=1).any()


def test_weights_decide_between_equal_levels(model, controller, data):
    """Two tasks of one level that cannot both be met: the minimum of the weighted squares."""
    first = controller.add_task(control.PostureTask(joints="elbow", weight=1, kp=0, kd=0))
    second = controller.add_task(control.PostureTask(joints="elbow", weight=3, kp=0, kd=0))
    dof = control.dofs(model, "elbow")[0]
    first.acc[dof], second.acc[dof] = 0, 1
    controller.solve(data)
    assert controller.qacc[dof] == pytest.approx(0.75)
    second.weight = 1
    controller.solve(data)
    assert controller.qacc[dof] == pytest.approx(0.5)
    first.level = 2
    controller.solve(data)
    assert controller.qacc[dof] == pytest.approx(1)


def test_linear_task(controller, data):
    A = np.zeros((2, 11))
    A[0, 3], A[1, 9] = 1, 2
    task = controller.add_task(control.LinearTask(A=A, lower=[1, -np.inf], upper=[1, 4]))
    assert np.array_equal(task.A, A) and task.lower.tolist() == [1, -np.inf]
    A[:] = 7  # the task has its own
    controller.add_task(control.LinearTask(A=np.eye(11)[9:10], lower=5, upper=5, level=2))
    controller.solve(data)
    assert controller.qacc[3] == pytest.approx(1) and controller.qacc[9] == pytest.approx(2)
    task.A[1, 9] = 1
    task.upper[1] = 3
    controller.solve(data)
    assert controller.qacc[9] == pytest.approx(3)


def test_dofs(model):
    assert control.dofs(model, "elbow").tolist() == [9]
    assert control.dofs(model, ["rail", "shoulder"]).tolist() == [10, 6, 7, 8]
    assert control.dofs(model, "root").tolist() == list(range(6))
    assert control.dofs(model, [3, 2]).tolist() == [10, 9] and control.dofs(model, []).size == 0
    with pytest.raises(KeyError, match="did you mean 'elbow'"):
        control.dofs(model, "elbwo")
    with pytest.raises(IndexError, match="valid ids are 0 to 3"):
        control.dofs(model, 4)


NV = 11


@pytest.mark.parametrize(
    ("spec", "error", "text"),
    [
        (lambda: control.PoseTask(), ValueError, "PoseTask: give body, site or geom"),
        (lambda: control.PoseTask(body="x", site="y"), ValueError, "body and site are given, must"),
        (lambda: control.PoseTask(body="lowr"), KeyError, "no body is called 'lowr'; did you mean"),
        (lambda: control.PoseTask(site=9), IndexError, "site 9 does not exist: valid ids are 0 to"),
        (lambda: control.PoseTask(site=0.5), (TypeError, AttributeError), "float"),
        (lambda: control.PoseTask(site="tip", ref_site="en"), KeyError, "no site is called 'en'"),
        (
            lambda: control.PoseTask(site="tip", ref_site="end", ref_body="base"),
            ValueError,
            "ref_body and ref_site are given",
        ),
        (lambda: control.PoseTask(geom="floor"), ValueError, "no dof moves geom 0 'floor'"),
        (
            lambda: control.PoseTask(site="tip", ref_geom="lower"),
            ValueError,
            "against its reference frame",
        ),
        (lambda: control.PoseTask(site="tip", axes="w"), ValueError, "PoseTask: axes is 'w'"),
        (lambda: control.PositionTask(site="tip", axes="rx"), ValueError, "words of 'x y z'"),
        (
            lambda: control.PoseTask(site="tip", offset=[1, 2]),
            ValueError,
            r"PoseTask: offset has shape \(2,\), must be \(3,\)",
        ),
        (lambda: control.PoseTask(site="tip", offset=np.nan), ValueError, "offset is not finite"),
        (lambda: control.PoseTask(site="tip", weight=-1), ValueError, "weight is -1"),
        (
            lambda: control.PoseTask(site="tip", name="hand", kp=-1),
            ValueError,
            "task 'hand'.*kp is",
        ),
        (lambda: control.PoseTask(site="tip", kd=-1), ValueError, "PoseTask: kd is -1"),
        (lambda: control.PoseTask(site="tip", kd=np.nan), ValueError, "kd is nan"),
        (lambda: control.PoseTask(site="tip", kp="x"), TypeError, "kp: must be real"),
        (lambda: control.PoseTask(site="tip", kp=[1, 2]), TypeError, "kp: must be real"),
        (lambda: control.PoseTask(site="tip", level=-1), ValueError, "level is -1"),
        (lambda: control.PoseTask(site="tip", level=99), ValueError, "level"),
        (lambda: control.PoseTask(site="tip", level=0.5), TypeError, "level: .*integer"),
        (lambda: control.PoseTask(site="tip", level=2**40), OverflowError, "level: "),
        (lambda: control.PoseTask(site="tip", name=3), TypeError, "str"),
        (lambda: control.PoseTask(site="tip", name="a\0b"), ValueError, "null"),
        (lambda: control.ComTask(body="nobody"), KeyError, "no body is called"),
        (lambda: control.CapturePointTask(height=-1), ValueError, "height is -1"),
        (lambda: control.PostureTask(joints=[]), ValueError, "joints is empty"),
        (lambda: control.PostureTask(joints=["elbow", "x"]), KeyError, "no joint is called 'x'"),
        (lambda: control.PostureTask(joints="root"), ValueError, "of a free joint"),
        (lambda: control.ImpedanceTask(site="tip", mass=0), ValueError, "mass"),
        (
            lambda: control.ImpedanceTask(site="tip", mass=[1, 2]),
            ValueError,
            "ImpedanceTask: mass has",
        ),
        (lambda: control.AdmittanceTask(site="tip", follow=0), ValueError, "follow is 0"),
        (lambda: control.GazeTask(site="tip", axis=[0, 0, 0]), ValueError, "axis has the length 0"),
        (lambda: control.GazeTask(site="tip", axis=[1]), ValueError, "GazeTask: axis has shape"),
        (lambda: control.DistanceTask(geom="lower"), ValueError, "give geom and other"),
        (
            lambda: control.DistanceTask(geom="lower", other="lower"),
            ValueError,
            "both are geom",
        ),
        (
            lambda: control.DistanceTask(geom="lower", other="floor", distance_min=2),
            ValueError,
            "distance_min is 2",
        ),
        (lambda: control.LinearTask(), ValueError, "LinearTask: A is not given"),
        (lambda: control.LinearTask(A=[1, 2]), ValueError, "LinearTask: A has shape"),
        (lambda: control.LinearTask(A=np.ones((1, 3))), ValueError, "nv = 11"),
        (lambda: control.LinearTask(A=np.ones((0, NV))), ValueError, "rows is 0"),
        (
            lambda: control.LinearTask(A=np.ones((2, NV)), lower=[1, 2, 3]),
            ValueError,
            r"LinearTask: lower has shape \(3,\), must be \(2,\)",
        ),
        (lambda: control.ForceTask(), TypeError, "contact must be what add_contact returned"),
        (lambda: control.ForceTask(contact=0), TypeError, "contact must be what add_contact"),
        (lambda: control.TaskSpec(), TypeError, "TaskSpec is no type of task"),
        (lambda: control.FrameTask(site="tip"), TypeError, "FrameTask is no type of task"),
        (lambda: "pose", TypeError, "task is a str, must be a PoseTask or another TaskSpec"),
        (lambda: control.PoseTask, TypeError, "task is a type"),
    ],
)
def test_errors(controller, data, spec, error, text):
    with pytest.raises(error, match=text):
        controller.add_task(spec())
    assert controller.tasks == []
    with pytest.raises(TypeError, match="unexpected keyword"):
        control.PoseTask(bodi="lower")
    assert controller.solve(data) == sinew.QpStatus.SOLVED


def test_room_for_tasks(model, data):
    controller = control.Controller(model, max_tasks=2)
    for _ in range(2):
        controller.add_task(control.ComTask())
    with pytest.raises(ValueError, match="room for 2 tasks: raise max_tasks"):
        controller.add_task(control.ComTask())
    assert len(controller.tasks) == 2
    controller.solve(data)


def test_numbers_that_are_not_finite(controller, data):
    """Whatever stands in the arrays, a cycle ends with a status or an error and later ones are well."""
    task = controller.add_task(control.PoseTask(site="tip", name="hand"))
    linear = controller.add_task(control.LinearTask(A=np.ones((1, 11)), upper=1, level=2))
    controller.solve(data)
    good = controller.qacc.copy()
    arrays = [(task, n) for n in ("pos", "vel", "acc", "kp", "kd", "weight")]
    arrays += [(linear, n) for n in ("A", "lower", "upper", "weight")]
    for owner, name in arrays:
        kept = getattr(owner, name).copy()
        for wrong in (np.nan, np.inf, -np.inf, 1e300, -1e300):
            getattr(owner, name)[...] = wrong
            try:
                controller.solve(data)
            except ValueError:
                pass
            else:
                assert np.isfinite(controller.x).all(), (name, wrong)
        setattr(owner, name, kept)
        controller.solve(data)
        assert controller.qacc == pytest.approx(good, abs=1e-8), name


def test_views_keep_the_memory(model, data):
    controller = control.Controller(model)
    task = controller.add_task(control.PoseTask(site="tip"))
    views = [task.pos, task.kp, controller.qpos_lower, controller.qacc, controller.frozen]
    before = [v.copy() for v in views]
    for k in range(20):  # views stay where they are
        controller.add_task(control.PostureTask(level=k % 4))
    controller.solve(data)
    assert np.shares_memory(views[0], task.pos) and np.shares_memory(views[3], controller.qacc)
    views[0][:3] = 4, 5, 6
    assert task.pos[:3].tolist() == [4, 5, 6]
    views[0][:] = before[0]
    before[3] = views[3].copy()
    del controller, model
    gc.collect()
    junk = [np.full(1000, 7.0) for _ in range(1000)]
    assert task.rows == 6 and junk
    del task
    gc.collect()
    junk = [np.full(1000, 7.0) for _ in range(1000)]
    assert all((v == b).all() for v, b in zip(views, before, strict=True)) and junk
    views[0][:] = 1  # still ours to write


def test_hold():
    """References go to where the robot is, at rest; those of a data that has other sizes are refused."""
    model = sinew.Model.from_xml(HOLD)
    data = sinew.Data(model)
    data.qpos[:] = 0.3, -0.5
    data.qvel[:] = 1, 2
    controller = control.Controller(model)
    specs = [
        control.PoseTask(site="tip"),
        control.PositionTask(site="tip", ref_body="upper"),
        control.ComTask(),
        control.PostureTask(),
        control.GazeTask(site="tip"),
    ]
    tasks = [controller.add_task(spec) for spec in specs]
    for task in tasks:
        task.vel = 1
        task.hold(data)
    data.qvel[:] = 0
    controller.solve(data)
    for task in tasks:
        np.testing.assert_allclose(task.error, 0, atol=1e-14)
        np.testing.assert_array_equal(task.vel, 0)
    np.testing.assert_array_equal(tasks[3].pos, data.qpos)
    with pytest.raises(ValueError, match="another model"):
        tasks[0].hold(sinew.Data(sinew.Model.from_xml("<mujoco/>")))


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("pos", [0, 0, np.nan, 1, 0, 0, 0], r"task 'tip': pos\[2\] is nan"),
        ("pos", [0, 0, 0, 0, 0, 0, 0], r"task 'tip': the quaternion pos\[3\] to pos\[6\] is 0"),
        ("vel", [0, 0, 0, 0, np.inf, 0], r"task 'tip': vel\[4\] is inf"),
        ("kp", [1, -1, 1, 1, 1, 1], r"task 'tip': kp\[1\] is -1: it must be finite, 0 or above"),
        ("weight", [1, 1, 1, 1, 1, -2], r"task 'tip': weight\[5\] is -2"),
    ],
)
def test_what_is_written_later_is_checked(name, value, text):
    model = sinew.Model.from_xml(HOLD)
    data, controller = sinew.Data(model), control.Controller(model)
    task = controller.add_task(control.PoseTask(site="tip", name="tip"))
    setattr(task, name, value)
    with pytest.raises(ValueError, match=text):
        controller.solve(data)
    task.active = False
    assert controller.solve(data) == sinew.QpStatus.SOLVED


HOLD = """
<mujoco>
  <worldbody>
    <body name="upper">
      <joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
      <body pos=".5 0 0">
        <joint axis="0 0 1"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
        <site name="tip" pos=".4 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
