"""Configurations of plugins at random: whatever stands in them, a model loads and steps, or says where it is wrong."""

import itertools
import os
import pickle
import random
import re
import warnings
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

import sinew

LONG = bool(os.environ.get("SINEW_LONG"))
CASES = 2000 if LONG else 100
SHAPES = {
    "mujoco.sdf.torus": {"radius1": [".3", ".4"], "radius2": [".1", ".2"]},
    "mujoco.sdf.bowl": {"height": [".4", "0"], "radius": ["1"], "thickness": [".02"]},
    "mujoco.sdf.bolt": {"radius": [".26", ".3"]},
    "mujoco.sdf.nut": {"radius": [".26"]},
    "mujoco.sdf.gear": {
        "alpha": ["0", ".1"], "diameter": ["2.8"], "teeth": ["25", "12"],
        "thickness": [".2"], "innerdiameter": ["-1", ".3"],
    },
}  # fmt: skip
PLUGINS = {
    "mujoco.pid": {
        "kp": ["40", "0"], "ki": ["0", "3"], "kd": ["1e-3"], "imax": ["5"], "slewmax": ["2", "0"],
    },
    "mujoco.elasticity.cable": {
        "twist": ["1e6", "0"], "bend": ["4e6"], "flat": ["true", "false"], "vmax": [".05", "0"],
    },
    "mujoco.sensor.touch_grid": {
        "size": ["7 5", "1 1", "40 30"], "fov": ["45 30", "180 90"],
        "gamma": ["0", "1"], "nchannel": ["1", "6", "0"],
    },
    **SHAPES,
}  # fmt: skip
VALUES = [
    "", " ", "nan", "NaN", "-nan", "inf", "-inf", "1e308", "-1e308", "1e400", "1e-320", "0", "-0", "-1", "1",
    "2147483648", "-2147483649", "1e18", "1 2", "1 2 3", "1,2", "1;", "0x10", "1e", ".", "+1", "1.", "1_0",
    "true", "TRUE", "yes", "ä", "１", "١", "\U0001d7d9", "\t1\n", "1" * 400, "9" * 5000, "x" * 70000, "&<>\"'",
    "%s%n", "../x", "1 \u00a0", "0 0", "-1 -1", "1e9 1e9", "65536 65536", "4096 4096", "3000 3000",
]  # fmt: skip
KEYS = [
    "",
    " ",
    "KP",
    "kp ",
    "key",
    "ä",
    "k" * 5000,
    "plugin",
    "1",
    "&",
    "%n",
    "gamma\t",
    "nchannels",
    "radius3",
]
FAULTS = (sinew.ModelError, sinew.NotSupportedError)
PLACE = re.compile(r"(at|line|from) (text:\d+|line \d+)|text:\d+")


def element(tag, inside="", **attributes):
    words = "".join(f" {k.rstrip('_')}={quoteattr(str(v))}" for k, v in attributes.items())
    return f"<{tag}{words}>{inside}</{tag}>"


class Case:
    """A model of some elements with plugins, from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.declared, self.instances, self.numbers = set(), {}, itertools.count()

    def chance(self, part):
        return self.random.random() < part

    def configs(self, plugin):
        """Mostly keys that there are with values that can be; what is needed is mostly there."""
        keys = [k for k in PLUGINS[plugin] if self.chance(0.6) or k in ("size", "fov")]
        if self.chance(0.01) and keys:
            keys.append(self.random.choice(keys))
        made = []
        for key in keys:
            value = self.random.choice(PLUGINS[plugin][key])
            made.append((key, self.random.choice(VALUES) if self.chance(0.05) else value))
        if self.chance(0.02):
            made.append((self.random.choice(KEYS), self.random.choice(VALUES)))
        if self.chance(0.02) and made:
            made.pop(self.random.randrange(len(made)))
        self.random.shuffle(made)
        return "".join(
            element("config", **({"key": k} if self.chance(0.99) else {}), value=v) for k, v in made
        )

    def plugin(self, kinds, **more):
        """An element <plugin> of one of some plugins, by a name or with a configuration of its own."""
        pool = list(PLUGINS) if self.chance(0.03) else kinds
        plugin = self.random.choice(pool)
        if self.chance(0.98):
            self.declared.add(plugin)
        names = [n for n, (p, _) in self.instances.items() if p == plugin]
        if self.chance(0.5) or plugin in SHAPES:
            name = (
                self.random.choice(names) if names and self.chance(0.4) else self.instance(plugin)
            )
            inside = self.configs(plugin) if self.chance(0.04) else ""
            if self.chance(0.03):
                more["plugin"] = self.random.choice(list(PLUGINS))
            return element("plugin", inside, instance=name, **more)
        if self.chance(0.02):
            plugin = self.random.choice(["", plugin.upper(), plugin + " ", "x" * 3000, "ä"])
            return element("plugin", plugin=plugin, **more)
        return element("plugin", self.configs(plugin), plugin=plugin, **more)

    def instance(self, plugin):
        name = f"i{next(self.numbers)}"
        if self.chance(0.02):
            name = self.random.choice(["i0", "ä" * 40, "n" * 4000, "a b", ""])
        self.instances[name] = plugin, self.configs(plugin)
        return name if self.chance(0.98) else name + "?"

    def bodies(self):
        cable = ["mujoco.elasticity.cable"]
        plugin = self.plugin(cable) if self.chance(0.5) else ""
        leaf = element(
            "body",
            plugin + '<joint type="ball"/><geom type="capsule" size=".02 .1"/>',
            pos="0 0 .2",
        )
        tree = element(
            "body", f'{plugin}<joint name="j" axis="0 1 0"/><geom name="g" type="box" size=".02 .02 .1"/>'
            f'<site name="s" pos="0 0 .3"/>{leaf}', pos="0 0 1",
        )  # fmt: skip
        made = [tree]
        if self.chance(0.3):
            made.append(
                '<composite type="cable" prefix="c" curve="s" count="5 1 1" size="1" initial="none">'
                + self.plugin(cable) + '<joint kind="main"/><geom type="capsule" size=".01"/></composite>'
            )  # fmt: skip
        if self.chance(0.2):
            made.append(
                '<body name="h" pos="0 2 0"><flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1" radius=".01" dim="2" '
                f'mass="1">{self.plugin(cable)}<pin id="0"/></flexcomp></body>'
            )
        if self.chance(0.3):
            count = self.random.choice([1, 3])
            inside = element("body", self.plugin(cable) + '<joint/><geom size=".1"/>')
            made.append(element("replicate", inside, count=count, offset="0 .5 0"))
        return "".join(made)

    def controller(self, **words):
        """Mostly with as many activations as its configuration needs."""
        plugin = self.plugin(["mujoco.pid"], **words)
        named = re.search(r'instance="(i\d+)"', plugin)
        configs = self.instances.get(named[1], ("", ""))[1] if named else plugin
        need = len(re.findall('key="slewmax"|key="ki" value="[^0]', configs)) + ("dyntype" in words)
        if self.chance(0.1):
            need = self.random.randrange(-1, 5)
        return plugin.replace("<plugin", f'<plugin actdim="{need}"', 1) if need else plugin

    def shape(self):
        """A mesh and a geom of it, mostly of one instance; (mesh, body)."""
        if not self.chance(0.08 if not LONG else 0.2):
            return "", ""
        mesh = self.plugin(list(SHAPES))
        geom = mesh if self.chance(0.8) else self.plugin(list(SHAPES))
        geom = (
            element("geom", geom, type_="sdf", mesh="m")
            if self.chance(0.9)
            else element("geom", geom, size=".1")
        )
        return element("mesh", mesh, name="m"), element("body", "<freejoint/>" + geom, pos="0 9 0")

    def text(self):
        bodies, (mesh, shape) = self.bodies(), self.shape()
        actuator = sensor = ""
        if self.chance(0.6):
            words = {"dyntype": "filter", "dynprm": ".1"} if self.chance(0.3) else {}
            actuator = self.controller(joint="j", **words)
        if self.chance(0.6):
            words = {"objtype": "site", "objname": "s"} if self.chance(0.9) else {}
            words |= {"cutoff": "2"} if self.chance(0.3) else {}
            sensor = self.plugin(["mujoco.sensor.touch_grid"], **words)
        extension = "".join(
            element("plugin", "".join(
                element("instance", configs, name=name)
                for name, (of, configs) in self.instances.items()
                if of == plugin
            ), plugin=plugin)
            for plugin in sorted(self.declared)
        )  # fmt: skip
        return (
            '<mujoco><option timestep=".0005"/>\n' + element("extension", extension) + "\n" + element("asset", mesh)
            + "\n" + element("worldbody", '<geom type="plane" size="5 5 1"/>' + bodies + shape)
            + "\n" + element("actuator", actuator) + "\n" + element("sensor", sensor) + "</mujoco>"
        )  # fmt: skip


def load(make, text):
    """What it makes of a text; None: it is wrong, and the error says where."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make(text)
    except FAULTS as error:
        message = str(error)
        assert len(message) < 1200 and PLACE.search(message) and error.line > 0, message
        assert error.__cause__ is None
        return None


def run(model, steps=4):
    data = sinew.Data(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data.ctrl[:] = 0.2
        sinew.step(model, data, nstep=steps)
    assert np.isfinite(data.qpos).all() and np.isfinite(data.plugin_state).all()
    return data


def same_plugins(a, b):
    for field in ("plugin", "plugin_attr", "plugin_number", "plugin_statenum", "body_plugin", "geom_plugin",
                  "actuator_plugin", "sensor_plugin", "sensor_dim", "mesh_vert"):  # fmt: skip
        assert np.array_equal(getattr(a, field), getattr(b, field)), field


def alike(a, b):
    """But for the order of instances: a text declares those that composites and flexcomps share."""
    assert a.nplugin == b.nplugin
    for field in ("body_plugin", "geom_plugin", "actuator_plugin", "sensor_plugin"):
        found = [
            [() if i < 0 else configuration(model, i) for i in getattr(model, field)]
            for model in (a, b)
        ]
        assert found[0] == found[1], field


def configuration(model, instance):
    begin, count = model.plugin_numberadr[instance], model.plugin_numbernum[instance]
    numbers = model.plugin_number[begin : begin + count]
    return (int(model.plugin[instance]), int(model.plugin_statenum[instance]), *numbers)


def check(seed, tmp_path):
    """True: the model loads."""
    text = Case(seed).text()
    model = load(sinew.Model.from_xml, text)
    spec = load(sinew.Spec.from_xml, text)
    compiled = load(lambda s: s.compile(), spec) if spec else None
    assert (model is None) == (compiled is None)
    if model is None:
        return False
    same_plugins(model, compiled)
    data = run(model)
    model.save(tmp_path / "m.snb")
    for again in (sinew.Model.from_path(tmp_path / "m.snb"), pickle.loads(pickle.dumps(model))):
        same_plugins(model, again)
        assert (run(again).qpos == data.qpos).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alike(model, sinew.Model.from_xml(spec.to_xml()))
        attach(spec, model)
    return True


def attach(spec, model):
    """Twice into another model: each copy has the instances of the model."""
    parent = sinew.Spec()
    for prefix in ("a_", "b_"):
        parent.attach(spec, prefix=prefix)
    both = parent.compile()
    assert both.nplugin == 2 * model.nplugin
    for field in ("body_plugin", "actuator_plugin", "sensor_plugin", "geom_plugin"):
        assert (getattr(both, field) >= 0).sum() == 2 * (getattr(model, field) >= 0).sum(), field
    assert sorted(both.plugin_number) == sorted([*model.plugin_number] * 2)


@pytest.mark.parametrize("part", range(4))
def test_configurations_at_random(part, tmp_path):
    loaded = 0
    for seed in range(part, CASES, 4):
        try:
            loaded += check(seed, tmp_path)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {Case(seed).text()[:3000]}") from error
    assert CASES / 16 < loaded < CASES / 4  # some of both
