"""Plugins that are classes of Python: what each method changes, states, copies, pickles, and every way to fail."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sinew
import sinew.mujoco.rollout
from sinew import mujoco

LONG = bool(os.environ.get("SINEW_LONG"))
XML = """<mujoco><extension><plugin plugin="{name}"/></extension>
<worldbody><body name="b">{body}<joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<actuator>{actuator}</actuator><sensor>{sensor}</sensor></mujoco>"""


def model_of(name, config="", body=False, actuator=False, sensor=False, **attributes):
    """A hinge with the plugin in the places that are asked for."""
    words = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    inside = "".join(f'<config key="{k}" value="{v}"/>' for k, v in (config or {}).items())
    plugin = f'plugin="{name}"'
    return sinew.Model.from_xml(XML.format(
        name=name,
        body=f"<plugin {plugin}>{inside}</plugin>" if body else "",
        actuator=f'<plugin {plugin} joint="j" {words}>{inside}</plugin>' if actuator else "",
        sensor=f"<plugin {plugin}>{inside}</plugin>" if sensor else "",
    ))  # fmt: skip


@sinew.register_plugin
class Push(sinew.Plugin):
    name = "py.push"
    attributes = ("force",)

    def __init__(self, config):
        self.force = float(config.get("force", 1))
        if self.force < 0:
            raise ValueError(f"force is {self.force:g}, must not be negative")

    def passive(self, model, data, instance):
        data.qfrc_passive[:] += self.force


@sinew.register_plugin
class Warm(sinew.Plugin):
    """A motor that grows warm, and a sensor of how warm it is."""

    name = "py.warm"
    state_size = 2
    stage = "vel"

    def __init__(self, config):
        self.sensor_size = 2

    def reset(self):
        return [20, 1]

    def actuator(self, model, data, instance):
        for i in np.flatnonzero(model.actuator_plugin == instance):
            data.actuator_force[i] = 3 * data.ctrl[i]

    def act_dot(self, model, data, instance):
        for i in np.flatnonzero((model.actuator_plugin == instance) & (model.actuator_actnum > 0)):
            data.act_dot[model.actuator_actadr[i]] = 2

    def sensor(self, model, data, instance):
        for i in np.flatnonzero(model.sensor_plugin == instance):
            begin = model.sensor_adr[i]
            data.sensordata[begin : begin + 2] = self.state(model, data, instance)

    def advance(self, model, data, instance):
        self.state(model, data, instance)[0] += model.opt.timestep


FAULT = {"method": ""}


@sinew.register_plugin
class Faulty(sinew.Plugin):
    name = "py.faulty"
    state_size = 1

    def __init__(self, config):
        if FAULT["method"] == "init":
            raise RuntimeError("no such luck")
        if FAULT["method"] == "size":
            self.state_size = 1 << 40

    def reset(self):
        return [0, 0] if FAULT["method"] == "reset" else [0]

    def passive(self, model, data, instance):
        if FAULT["method"] == "passive" and data.time > 0.009:
            raise ZeroDivisionError("too late")
        if FAULT["method"] == "nan":
            data.qfrc_passive[:] = np.nan

    def advance(self, model, data, instance):
        if FAULT["method"] == "advance":
            raise KeyError("advance")
        if FAULT["method"] == "inside":
            sinew.step(model, data)


@pytest.fixture
def fault():
    yield FAULT
    FAULT["method"] = ""


def test_a_force():
    model = model_of("py.push", {"force": 2.5}, body=True)
    data = sinew.Data(model)
    sinew.forward(model, data)
    assert data.qfrc_passive[0] == 2.5
    assert model.nplugin == 1 and model.body_plugin.tolist() == [-1, 0]


def test_an_actuator_with_a_state_and_a_sensor():
    model = model_of("py.warm", actuator=True, sensor=True, actdim=1)
    data = sinew.Data(model)
    assert data.plugin_state.tolist() == [20, 1, 20, 1] and model.nsensordata == 2
    data.ctrl[0] = 2
    sinew.step(model, data, nstep=3)
    h = model.opt.timestep
    assert data.actuator_force[0] == 6 and data.act[0] == pytest.approx(6 * h, abs=1e-15)
    np.testing.assert_allclose(data.plugin_state, [20 + 3 * h, 1, 20 + 3 * h, 1], atol=1e-14)
    np.testing.assert_allclose(data.sensordata, [20 + 2 * h, 1], atol=1e-14)
    twin, again = copy.copy(data), pickle.loads(pickle.dumps(data))
    for other in (twin, again):
        assert other.plugin_state.tolist() == data.plugin_state.tolist()
        sinew.step(other.model, other)
    sinew.step(model, data)
    assert twin.plugin_state.tolist() == again.plugin_state.tolist() == data.plugin_state.tolist()
    bit = sinew.StateBit.PLUGIN
    assert sinew.stateSize(model, bit) == 4
    sinew.resetData(model, data)
    assert data.plugin_state.tolist() == [20, 1, 20, 1]


def test_models_are_pickled_with_the_names_of_their_plugins(tmp_path):
    model = model_of("py.push", body=True)
    again = pickle.loads(pickle.dumps(model))
    assert again.nplugin == 1
    data = sinew.Data(again)
    sinew.forward(again, data)
    assert data.qfrc_passive[0] == 1


def test_what_a_class_refuses_is_an_error_of_the_model(fault):
    with pytest.raises(
        sinew.ModelError, match='<plugin>: plugin "py.push": force is -1, must not be negative at'
    ):
        model_of("py.push", {"force": -1}, body=True)
    with pytest.raises(sinew.ModelError, match='no such attribute, did you mean "force"'):
        model_of("py.push", {"forse": -1}, body=True)
    with pytest.raises(sinew.ModelError, match='no such plugin, did you mean "py.push"'):
        model_of("py.pushh", body=True)
    with pytest.raises(sinew.ModelError, match='py.push" is no sensor'):
        model_of("py.push", sensor=True)
    for method, message in {
        "init": "RuntimeError: no such luck",
        "size": "asks for 2147483647 numbers",
    }.items():
        fault["method"] = method
        with pytest.raises(sinew.ModelError, match=message):
            model_of("py.faulty", body=True)
    fault["method"] = ""
    model = model_of("py.faulty", body=True)
    fault["method"] = "init"
    with pytest.raises(
        sinew.ModelError, match=r"plugin 'py.faulty' \(instance 0\): RuntimeError: no such luck"
    ):
        sinew.Data(model)


@pytest.mark.parametrize(
    ("method", "error"),
    {"passive": ZeroDivisionError, "advance": KeyError, "inside": RuntimeError}.items(),
)
def test_what_a_class_raises_in_a_step_comes_out(fault, method, error):
    model = model_of("py.faulty", body=True)
    data = sinew.Data(model)
    sinew.step(model, data, nstep=5)
    fault["method"] = method
    before = data.qpos.copy(), data.plugin_state.copy(), data.time
    with pytest.raises(error):
        sinew.step(model, data)
    assert (
        (data.qpos == before[0]).all()
        and (data.plugin_state == before[1]).all()
        and data.time == before[2]
    )
    fault["method"] = ""
    sinew.step(model, data)
    assert data.time > before[2]


def test_a_reset_that_raises_comes_out(fault):
    model = model_of("py.faulty", body=True)
    data = sinew.Data(model)
    fault["method"] = "reset"
    with pytest.raises(ValueError, match="reset must give 1 numbers, not 2"):
        sinew.resetData(model, data)


def test_a_force_that_is_no_number_counts(fault):
    model = model_of("py.faulty", body=True)
    data = sinew.Data(model)
    fault["method"] = "nan"
    with pytest.warns(sinew.SimulationWarning, match="a plugin failed"):
        sinew.step(model, data)
    assert np.isfinite(data.qpos).all() and data.warning[sinew.Warning.PLUGIN].number == 1


def test_threads_and_batches_are_refused_by_name():
    model = model_of("py.push", body=True)
    with pytest.raises(ValueError, match="no batch: the plugin 'py.push'"):
        sinew.Batch(model, 4)
    states = np.zeros((3, sinew.stateSize(model, sinew.StateBit.FULLPHYSICS)))
    m = mujoco.MjModel.from_xml_string(XML.format(name="py.push", body="", actuator="", sensor=""))
    assert m.nplugin == 0  # declared, not used
    xml = XML.format(name="py.push", body='<plugin plugin="py.push"/>', actuator="", sensor="")
    m = mujoco.MjModel.from_xml_string(xml)
    one, _ = mujoco.rollout.rollout(m, mujoco.MjData(m), states, nstep=2)
    assert one[0, -1, 2] > 0  # the force was there
    with pytest.raises(ValueError, match="a rollout on 2 threads: the plugin 'py.push'"):
        mujoco.rollout.rollout(m, [mujoco.MjData(m), mujoco.MjData(m)], states, nstep=2)


def test_derivatives():
    model = model_of("py.push", body=True)
    data = sinew.Data(model)
    with pytest.raises(
        sinew.NotSupportedError, match="the plugin 'py.push' has none; sn_transitionFD|transitionFD"
    ):
        sinew.transitionDerivative(model, data)


def test_registering():
    with pytest.raises(ValueError, match="plugin 'py.push': this name is taken"):
        sinew.register_plugin(Push)
    with pytest.raises(TypeError, match="subclass of sinew.Plugin"):
        sinew.register_plugin(int)
    with pytest.raises(ValueError, match="without a name"):
        sinew.register_plugin(type("Nameless", (sinew.Plugin,), {}))
    with pytest.raises(ValueError, match="stage is 'now'"):
        sinew.register_plugin(type("Late", (sinew.Plugin,), {"name": "py.late", "stage": "now"}))
    with pytest.raises(TypeError, match="must be a tuple"):
        sinew.register_plugin(type("Key", (sinew.Plugin,), {"name": "py.key", "attributes": "key"}))
    for method in ("distance", "distances", "gradient", "gradients", "box"):
        half = type("Half", (sinew.Plugin,), {"name": "py.half", method: lambda *_: 0.0})
        with pytest.raises(ValueError, match=f"as it has {method}, needs distance and box"):
            sinew.register_plugin(half)
    assert sinew.plugins()["py.push"] == ("force",) and "py.late" not in sinew.plugins()


def test_libraries(tmp_path):
    with pytest.raises(FileNotFoundError):
        sinew.load_plugin_library(tmp_path / "none.so")
    fake = tmp_path / "fake.so"
    fake.write_bytes(b"\x7fELF no library")
    with pytest.raises(OSError, match="cannot be loaded"):
        sinew.load_plugin_library(fake)
    peer = pytest.importorskip("mujoco")

    library = sorted((pathlib.Path(peer.__file__).parent / "plugin").glob("*.so"))[0]
    with pytest.raises(ValueError, match="a library of plugins for MuJoCo"):
        sinew.load_plugin_library(library)


def test_specs_under_the_peers_names():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    body.add_joint(name="j")
    body.add_geom(size=[0.1, 0, 0])
    spec.activate_plugin("py.push")
    spec.add_plugin(name="shared", plugin_name="py.push", config={"force": "3"})
    body.plugin.active, body.plugin.name, body.plugin.plugin_name = True, "shared", "py.push"
    motor = spec.add_actuator(name="a", target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.plugin.active, motor.plugin.plugin_name, motor.plugin.config = True, "py.warm", {}
    spec.activate_plugin("py.warm")
    sensor = spec.add_sensor(name="s", type=mujoco.mjtSensor.mjSENS_PLUGIN)
    sensor.plugin.active, sensor.plugin.plugin_name = True, "py.warm"
    for model in (spec.compile(), mujoco.MjModel.from_xml_string(spec.to_xml())):
        assert model.nplugin == 3 and bytes(model.plugin_attr) == b"3\x00"
        assert model.body_plugin[1] == 0 and model.actuator_plugin[0] == 1
        assert model.sensor_plugin[0] == 2 and model.sensor_dim[0] == 2
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data)
        assert data.qfrc_passive[0] == 3 and data.nplugin == 3 and data.plugin_data.all()
        assert data.plugin.tolist() == model.plugin.tolist()
    again = mujoco.MjSpec.from_string(spec.to_xml())
    assert [p.name for p in again.plugins] == ["shared"] and again.plugin("shared").config == {
        "force": "3"
    }
    assert again.actuator("a").plugin.plugin_name == "py.warm" and again.body("b").plugin.active
    parent = mujoco.MjSpec()
    parent.attach(again, frame=parent.worldbody.add_frame(), prefix="p_")
    model = parent.compile()
    assert model.nplugin == 3 and parent.plugin("p_shared") is not None
    spec.delete(spec.plugin("shared"))
    spec.body("b").plugin.active = False
    assert spec.compile().nplugin == 2


def test_instances_are_shared_by_parts():
    text = """<mujoco><custom><text name="sinew_physics" data="3.3.7"/></custom>
    <extension><plugin plugin="py.push"/></extension><worldbody><composite type="cable" prefix="c" curve="s" count="4 1 1" size="1"><plugin plugin="py.push"><config key="force" value="2"/>
      </plugin><joint kind="main"/><geom type="capsule" size=".01"/></composite>
    <body name="h"><flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1" radius=".01" dim="2" mass="1">
      <plugin plugin="py.push"/><pin id="0"/><edge equality="true"/></flexcomp></body></worldbody></mujoco>"""
    model = sinew.Model.from_xml(text)
    names = [model.body(i).name for i in range(model.nbody)]
    assert model.nplugin == 2
    assert {n[0]: int(p) for n, p in zip(names, model.body_plugin, strict=True)} == {
        "w": -1, "c": 0, "h": 1, "f": 1,
    }  # fmt: skip
    assert sinew.Spec.from_xml(text).compile().body_plugin.tolist() == model.body_plugin.tolist()


def test_states_stay_when_a_spec_is_compiled_again():
    spec = sinew.Spec.from_xml(XML.format(
        name="py.warm", body="", sensor='<plugin plugin="py.warm" name="s"/>',
        actuator='<plugin plugin="py.warm" joint="j" name="a"/>',
    ))  # fmt: skip
    model = spec.compile()
    data = sinew.Data(model)
    sinew.step(model, data, nstep=4)
    kept = data.plugin_state.tolist()
    first = spec.section("actuator").add("plugin", "first", plugin="py.warm", joint="j")
    first.place(spec.actuator("a"))
    model, data = spec.recompile(model, data)
    assert model.nplugin == 3
    old = [model.actuator("a").plugin[0], model.sensor("s").plugin[0]]
    states = [
        data.plugin_state[model.plugin_stateadr[i] : model.plugin_stateadr[i] + 2].tolist()
        for i in old
    ]
    assert states == [kept[:2], kept[2:]] and 20 in data.plugin_state


@sinew.register_plugin
class Ball(sinew.Plugin):
    name = "py.ball"
    attributes = ("radius",)
    nnumber = 1

    def __init__(self, config):
        self.numbers = [float(config.get("radius", 0.1))]

    @staticmethod
    def distance(numbers, point):
        return float(np.linalg.norm(point)) - numbers[0]

    @staticmethod
    def box(numbers):
        return [0, 0, 0, *[numbers[0]] * 3]


@pytest.mark.skipif(not LONG, reason="its distances are asked 10^6 times: ./dev test-long")
def test_a_shape_weighs_and_rests():
    plugin = '<plugin instance="b"/>'
    model = sinew.Model.from_xml(f"""<mujoco><extension><plugin plugin="py.ball"><instance name="b">
      <config key="radius" value=".2"/></instance></plugin></extension>
      <asset><mesh name="m">{plugin}</mesh></asset><worldbody><geom type="plane" size="2 2 1"/>
      <body pos="0 0 .199"><freejoint/><geom type="sdf" mesh="m">{plugin}</geom></body></worldbody></mujoco>""")
    assert model.body_mass[1] == pytest.approx(4 / 3 * np.pi * 0.2**3 * 1000, rel=1e-3)
    np.testing.assert_allclose(model.geom_aabb[1], [0, 0, 0, 0.2, 0.2, 0.2], atol=1e-12)
    data = sinew.Data(model)
    sinew.step(model, data, nstep=40)
    assert data.ncon and data.qpos[2] == pytest.approx(0.2, abs=2e-3)


SHAPE_FAULT = {"method": "", "value": None, "calls": 0}


class Shape(sinew.Plugin):
    """A ball whose methods fail when they are told to."""

    nnumber = 1

    def __init__(self, config):
        self.numbers = [0.1]

    @staticmethod
    def fail(method):
        if SHAPE_FAULT["method"] != method:
            return None
        if isinstance(SHAPE_FAULT["value"], type):
            raise SHAPE_FAULT["value"](f"in {method}")
        return SHAPE_FAULT["value"]

    @classmethod
    def distance(cls, numbers, point):
        SHAPE_FAULT["calls"] += 1
        fault = cls.fail("distance")
        return float(np.linalg.norm(point)) - numbers[0] if fault is None else fault

    @classmethod
    def gradient(cls, numbers, point):
        fault = cls.fail("gradient")
        length = np.linalg.norm(point)
        return point / length if length and fault is None else [fault or 0.0] * 3

    @classmethod
    def box(cls, numbers):
        return cls.fail("box") or [0, 0, 0, *[numbers[0]] * 3]

    @classmethod
    def distances(cls, numbers, points):
        fault = cls.fail("distances")
        return np.linalg.norm(points, axis=1) - numbers[0] if fault is None else fault

    @classmethod
    def gradients(cls, numbers, points):
        return cls.fail("gradients") or points / np.linalg.norm(points, axis=1)[:, None]


sinew.register_plugin(type("FaultyShape", (Shape,), {"name": "py.shape"}))
SHAPE_XML = """<mujoco><extension><plugin plugin="py.shape"><instance name="i"/></plugin></extension>
<asset><mesh name="m"><plugin instance="i"/></mesh></asset><worldbody><geom name="floor" type="box" size="1 1 .1"/>
<body pos="0 0 .199"><freejoint/><geom name="ball" type="sdf" mesh="m"><plugin instance="i"/></geom></body></worldbody>
<sensor><distance geom1="floor" geom2="ball" cutoff="5"/></sensor></mujoco>"""


@pytest.fixture
def shape_fault():
    SHAPE_FAULT["method"] = ""
    yield SHAPE_FAULT
    SHAPE_FAULT["method"] = ""


@pytest.mark.parametrize("method", ["distances", "gradients", "box"])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, ValueError])
def test_what_a_shape_raises_comes_out_of_the_compiler(shape_fault, method, error):
    shape_fault.update(method=method, value=error)
    with pytest.raises(error, match=f"^in {method}") as raised:
        sinew.Model.from_xml(SHAPE_XML)
    place = "text:1" if method == "box" else '<mesh name="m">'
    assert any(place in note and "py.shape" in note for note in raised.value.__notes__)
    with pytest.raises(error):
        sinew.Spec.from_xml(SHAPE_XML).compile()
    shape_fault["method"] = ""
    assert sinew.Model.from_xml(SHAPE_XML).nmesh == 1


def test_many_points_are_asked_for_at_once(shape_fault):
    """Arrays alone; with `distances` only, gradients are differences of it; the mesh is the same."""
    shape_fault["calls"] = 0
    model = sinew.Model.from_xml(SHAPE_XML)
    assert shape_fault["calls"] == 0
    seen = []

    class Seen(sinew.Plugin):
        name = "py.seen"
        nnumber = 1
        numbers = (0.1,)
        distance, box = Shape.distance, Shape.box

        @staticmethod
        def distances(numbers, points):
            seen.append((points.shape[1], points.dtype, points.flags.writeable))
            return np.linalg.norm(points, axis=1) - numbers[0]

    sinew.register_plugin(Seen)
    same = sinew.Model.from_xml(SHAPE_XML.replace("py.shape", "py.seen"))
    assert set(seen) == {(3, np.dtype(float), False)} and len(seen) < 200
    np.testing.assert_allclose(same.mesh_vert, model.mesh_vert, atol=1e-8)


@pytest.mark.parametrize(
    ("method", "value", "message"),
    [
        ("distances", [1.0, 2.0], "distances must give"),
        ("distances", "far", "could not convert"),
        ("box", [1.0], "box must give 6 numbers, not 1"),
    ],
)
def test_what_a_shape_gives_must_be_numbers(shape_fault, method, value, message):
    shape_fault.update(method=method, value=value)
    with pytest.raises(ValueError, match=message):
        sinew.Model.from_xml(SHAPE_XML)


def test_a_distance_that_is_no_number_is_an_error_of_the_mesh(shape_fault):
    class Hole(Shape):
        name = "py.hole"

        @staticmethod
        def distances(numbers, points):
            return np.where(
                points[:, 2] > 0.05, np.nan, np.linalg.norm(points, axis=1) - numbers[0]
            )

    sinew.register_plugin(Hole)
    text = SHAPE_XML.replace("py.shape", "py.hole")
    message = r'its plugin "py.hole" gives the distance -?nan at .*, must be finite at text:2$'
    with pytest.raises(sinew.ModelError, match=message):
        sinew.Model.from_xml(text)


@pytest.mark.parametrize("method", ["distance", "gradient"])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_what_a_shape_raises_comes_out_of_a_step(shape_fault, method, error):
    model = sinew.Model.from_xml(SHAPE_XML)
    data = sinew.Data(model)
    sinew.step(model, data, nstep=3)
    assert data.ncon
    kept = data.qpos.copy(), data.qvel.copy(), data.time
    shape_fault.update(method=method, value=error)
    for call in (
        lambda: sinew.step(model, data, nstep=50),
        lambda: sinew.forward(model, data),
        lambda: sinew.collision(model, data),
        lambda: sinew.geomDistance(model, data, 0, 1, 5),
    ):
        shape_fault["calls"] = 0
        with pytest.raises(error, match=f"in {method}"):
            call()
        assert shape_fault["calls"] == 1
        assert (data.qpos == kept[0]).all() and (data.qvel == kept[1]).all()
        assert data.time == kept[2] and not data.warning[sinew.Warning.PLUGIN].number
    shape_fault["method"] = ""
    twin = sinew.Data(model)
    sinew.step(model, twin, nstep=3)
    sinew.step(model, data)
    sinew.step(model, twin)
    assert (data.qpos == twin.qpos).all() and data.ncon == twin.ncon


def test_what_a_shape_raises_comes_out_of_a_rollout_and_differences(shape_fault):
    m = mujoco.MjModel.from_xml_string(SHAPE_XML)
    d = mujoco.MjData(m)
    states = np.zeros((3, sinew.stateSize(m, sinew.StateBit.FULLPHYSICS)))
    states[:, 1:8] = m.qpos0
    shape_fault.update(method="distance", value=LookupError)
    with pytest.raises(LookupError, match="in distance"):
        mujoco.rollout.rollout(m, d, states, nstep=5)
    with pytest.raises(LookupError, match="in distance"):
        mujoco.mjd_transitionFD(m, d, 1e-6, False, np.zeros((12, 12)), None, None, None)
    shape_fault["method"] = ""
    mujoco.mj_step(m, d)
    assert d.ncon


def test_a_shape_that_gives_no_number_in_a_step_is_counted(shape_fault):
    model = sinew.Model.from_xml(SHAPE_XML)
    for method in ("distance", "gradient"):
        data = sinew.Data(model)
        shape_fault.update(method=method, value=float("nan"))
        with pytest.warns(sinew.SimulationWarning, match="a plugin failed"):
            sinew.step(model, data)
        assert np.isfinite(data.qpos).all() and data.warning[sinew.Warning.PLUGIN].lastinfo == 0
        assert np.isfinite(data.contact.dist).all() if data.ncon else True


def test_what_init_raises_is_the_cause_of_the_error(fault):
    fault["method"] = "init"
    with pytest.raises(sinew.ModelError, match="RuntimeError: no such luck") as raised:
        model_of("py.faulty", body=True)
    assert isinstance(raised.value.__cause__, RuntimeError)
    assert raised.value.__cause__.__traceback__ is not None
    with pytest.raises(sinew.ModelError) as raised:
        sinew.Model.from_xml("<mujoco><bad/></mujoco>")
    assert raised.value.__cause__ is None


def test_a_reset_that_raises_comes_out_where_a_data_is_made(fault):
    model = model_of("py.faulty", body=True)
    fault["method"] = "reset"
    for call in (
        lambda: sinew.Data(model),
        lambda: model_of("py.faulty", body=True),
        lambda: mujoco.MjData(model),
    ):
        with pytest.raises(ValueError, match="reset must give 1 numbers, not 2"):
            call()


def test_a_method_may_catch_what_a_shape_raises(shape_fault):
    seen = []

    class Looker(sinew.Plugin):
        name = "py.looker"

        def __init__(self, config):
            pass

        def passive(self, model, data, instance):
            shape_fault.update(method="distance", value=ZeroDivisionError)
            try:
                sinew.geomDistance(model, data, 0, 1, 5)
            except ZeroDivisionError:
                seen.append(data.time)
            shape_fault["method"] = ""

    sinew.register_plugin(Looker)
    text = SHAPE_XML.replace("</extension>", '<plugin plugin="py.looker"/></extension>')
    text = text.replace("<freejoint/>", '<freejoint/><plugin plugin="py.looker"/>')
    model = sinew.Model.from_xml(text)
    data = sinew.Data(model)
    sinew.step(model, data, nstep=2)
    assert len(seen) == 2 and data.time == 2 * model.opt.timestep


def test_threads_with_models_of_their_own_hear_their_own_exceptions(shape_fault):
    import threading

    model = sinew.Model.from_xml(SHAPE_XML)
    shape_fault.update(method="distance", value=ZeroDivisionError)
    heard = []

    def work():
        data = sinew.Data(model)
        for _ in range(20):
            try:
                sinew.step(model, data)
            except ZeroDivisionError:
                heard.append(data.time)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert heard == [0.0] * 80


def test_a_pool_of_a_data_calls_plugins_in_one_thread():
    """Steps on threads, and differences on them, give what one thread gives."""
    xml = XML.format(name="py.warm", body="", sensor='<plugin plugin="py.warm"/>',
                     actuator='<plugin plugin="py.warm" joint="j" actdim="1"/>')  # fmt: skip
    model = sinew.Model.from_xml(xml)
    found = []
    for threads in (1, 4):
        data = sinew.Data(model)
        data.threads = threads
        data.ctrl[0] = 0.3
        sinew.step(model, data, nstep=5)
        A = sinew.transitionFD(model, data)[0]
        assert A[2, 2] == pytest.approx(1, abs=1e-6)
        found.append((data.qpos.copy(), data.plugin_state.copy(), A))
        assert not data.warning[sinew.Warning.PLUGIN].number
    for one, four in zip(*found, strict=True):
        assert (one == four).all()


def test_newer_batches_are_refused_by_name():
    script = """
import sinew, mujoco
from mujoco import batch

@sinew.register_plugin
class Push(sinew.Plugin):
    name = "py.push"
    def passive(self, model, data, instance):
        data.qfrc_passive[:] += 1

m = mujoco.MjModel.from_xml_string('''<mujoco><extension><plugin plugin="py.push"/></extension><worldbody><body>
<plugin plugin="py.push"/><joint/><geom size=".1"/></body></worldbody></mujoco>''')
for persistent in (False, True):
    try:
        batch.Batch(m, 3, persistent=persistent)
    except ValueError as error:
        print(error)
"""
    found = subprocess.run(
        [sys.executable, "-m", "sinew.run", "--mujoco", "4.0", "-c", script],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (
        found.stdout.count("no batch: the plugin 'py.push' must be called from one thread") == 2
    ), found
