"""Sinew's own plugins against the pinned peer's of the same names: mujoco.pid, mujoco.elasticity.cable and
mujoco.sensor.touch_grid."""

import mujoco
import numpy as np
import pytest

import peer_plugins  # noqa: F401
import sinew

TOLERANCE = 1e-10
FREE, BALL_JOINT = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL
PID, CABLE, GRID = "mujoco.pid", "mujoco.elasticity.cable", "mujoco.sensor.touch_grid"


def text_of(plugin, config, world, sections="", option=""):
    """A model with one instance, i, of a plugin."""
    keys = "".join(f'<config key="{k}" value="{v}"/>' for k, v in config.items())
    return f"""<mujoco><option {option}/><extension><plugin plugin="{plugin}"><instance name="i">{keys}</instance></plugin></extension>
<worldbody>{world}</worldbody>{sections}</mujoco>"""


class Pair:
    """A model in both engines."""

    def __init__(self, text, physics="3.3.7"):
        self.m, self.ours = (
            mujoco.MjModel.from_xml_string(text),
            sinew.Model.from_xml(text, physics=physics),
        )
        self.d, self.data = mujoco.MjData(self.m), sinew.Data(self.ours)

    def shake(self, rng, turn=1.0, shift=0.1, speed=1.0):
        """A random state."""
        m, d = self.m, self.d
        for j in range(m.njnt):
            a = m.jnt_qposadr[j]
            d.qpos[a] = m.qpos0[a] + rng.normal(0, shift)
            if m.jnt_type[j] == FREE:
                d.qpos[a : a + 3] = m.qpos0[a : a + 3] + rng.normal(0, shift, 3)
                a += 3
            if m.jnt_type[j] in (FREE, BALL_JOINT):
                quat = np.r_[1, rng.normal(0, turn, 3)]
                d.qpos[a : a + 4] = quat / np.linalg.norm(quat)
        d.qvel[:] = rng.normal(0, speed, m.nv)
        d.act[:] = rng.normal(size=m.na)
        d.ctrl[:] = rng.normal(size=m.nu)
        d.time = rng.integers(2)
        for name in ("qpos", "qvel", "act", "ctrl"):
            getattr(self.data, name)[:] = getattr(d, name)
        self.data.time = d.time

    def forward(self):
        mujoco.mj_forward(self.m, self.d)
        sinew.forward(self.ours, self.data)

    def step(self, count=1):
        for _ in range(count):
            mujoco.mj_step(self.m, self.d)
            sinew.step(self.ours, self.data)

    def near(self, *names, tolerance=TOLERANCE):
        for name in names:
            theirs = getattr(self.d, name)
            bound = tolerance * (1 + np.abs(theirs).max(initial=0))
            np.testing.assert_allclose(
                getattr(self.data, name), theirs, rtol=0, atol=bound, err_msg=name
            )


# ---- mujoco.pid

SLIDE = '<body><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body>'


def controller(config, attributes="", option=""):
    tail = f'<actuator><plugin joint="j" plugin="{PID}" instance="i" {attributes}/></actuator>'
    return text_of(PID, config, SLIDE, tail, f'timestep="0.01" gravity="0 0 0" {option}')


def controllers(count, seed):
    """Any configuration with any dynamics."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        config = {
            k: rng.uniform(0.1, 20)
            for k in ("kp", "ki", "kd", "imax", "slewmax")
            if rng.random() < 0.6
        }
        config |= {"imax": config["imax"] / 5} if "imax" in config else {}
        dynamics = str(rng.choice(["none", "integrator", "filter", "filterexact"]))
        dim = ("ki" in config) + ("slewmax" in config) + (dynamics != "none")
        words = {
            'gear="1.5"': 1, f'actdim="{dim}"': dim > 0, f'dyntype="{dynamics}" dynprm=".3"': dynamics != "none",
            'actearly="true"': 0.5, 'ctrlrange="-.5 .4"': 0.4, 'forcerange="-5 5"': 0.3,
            'actrange="-.6 .3"': 0.4 * (dynamics != "none"),
        }  # fmt: skip
        integrator = rng.choice(["Euler", "RK4", "implicit", "implicitfast"])
        free = '><flag clampctrl="disable"/></option><option ' * (rng.random() < 0.3)
        yield controller(config, " ".join(w for w, p in words.items() if rng.random() < p), f'{free}integrator="{integrator}"')  # fmt: skip


def test_pid():
    rng = np.random.default_rng(0)
    for text in controllers(100, 1):
        pair = Pair(text)
        for _ in range(2):
            pair.shake(rng)
            pair.forward()
            pair.near("actuator_force", "act_dot")
            pair.step(5)
            pair.near("qpos", "qvel", "act")


def test_pid_of_several_actuators_and_in_a_disabled_group():
    world = SLIDE + SLIDE.replace('"j"', '"k"').replace("<body>", '<body pos="0 1 0">')
    tail = "".join(f'<plugin joint="{j}" plugin="{PID}" instance="i" actdim="1" group="{g}"/>' for j, g in (("j", 0), ("k", 2)))  # fmt: skip
    text = text_of(PID, {"kp": 5, "ki": 3}, world, f'<actuator>{tail}<motor joint="j"/></actuator>', 'actuatorgroupdisable="2"')  # fmt: skip
    pair, rng = Pair(text), np.random.default_rng(0)
    for _ in range(20):
        pair.shake(rng)
        pair.forward()
        pair.near("actuator_force", "act_dot")
        pair.step(3)
        pair.near("qpos", "qvel", "act")


# ---- mujoco.elasticity.cable


def chain(config, geom, quats=(), first='<joint type="ball"/>', spacing=0.1):
    bodies = ""
    for i in range(4):
        quat = f'quat="{" ".join(map(str, quats[i]))}"' if len(quats) else ""
        joint = '<joint type="ball"/>' if i else first
        bodies += f'<body pos="{spacing * (i > 0)} 0 0" {quat}>{joint}<geom {geom}/><plugin instance="i"/>'
    return text_of(CABLE, config, bodies + "</body>" * 4)


GEOMS = {
    "capsule": 'type="capsule" fromto="0 0 0 .08 0 0" size=".01"',
    "cylinder": 'type="cylinder" fromto="0 0 0 .1 0 0" size=".012"',
    "box": 'type="box" size=".05 .01 .02" pos=".05 0 0"',
    "box on edge": 'type="box" size=".05 .02 .01" pos=".05 0 0"',
    "sphere": 'size=".01"',
}
BENT = np.random.default_rng(5).normal([1, 0, 0, 0], 0.2, (4, 4))
CHAINS = {
    **{name: chain({"twist": 1e6, "bend": 4e6}, geom) for name, geom in GEOMS.items()},
    "bent at rest": chain({"twist": 1e6, "bend": 4e6, "flat": "false"}, GEOMS["box"], BENT),
    "bent, but flat": chain({"twist": 1e6, "bend": 4e6, "flat": "true", "vmax": 0.1}, GEOMS["box"], BENT),
    "free": chain({"twist": 1e6, "bend": 4e6}, GEOMS["capsule"], first="<freejoint/>"),
    "clamped": chain({"twist": 1e6, "bend": 4e6}, GEOMS["capsule"], first="", spacing=0.07),
    "twist alone": chain({"twist": 1e6}, GEOMS["capsule"]),
}  # fmt: skip
COMPOSITE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody><composite type="cable"
curve="s" count="11 1 1" size="1" offset="-.3 0 .6" initial="{}"><plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/>
<config key="bend" value="4e6"/><config key="vmax" value=".05"/></plugin><joint kind="main" damping=".015"/><geom type="{}" size="{}"/>
</composite></worldbody></mujoco>"""
CHAINS |= {
    f"composite {how} {kind}": COMPOSITE.format(how, kind, size)
    for how in ("none", "free", "ball")
    for kind, size in (("capsule", ".005"), ("box", ".005 .01 .02"))
}


@pytest.mark.parametrize("name", CHAINS)
def test_cable(name):
    pair, rng = Pair(CHAINS[name]), np.random.default_rng(0)
    for _ in range(100):
        pair.shake(rng, 0.4, speed=0.1)
        pair.forward()
        pair.near("qfrc_passive")
    assert (np.abs(pair.d.qfrc_passive).max() > 0.01) == (name != "sphere")


def test_a_cable_swings_as_the_peers():
    pair = Pair(COMPOSITE.format("ball", "capsule", ".005"))
    pair.step(300)
    pair.near("qpos", "qvel")
    assert np.abs(pair.d.qpos - pair.m.qpos0).max() > 0.5


def test_a_cable_is_elastic():
    """Without weight and damping it keeps its momentum and, as stiff in twist as in bending, the energy of a rod."""
    text = chain({"twist": 2e5, "bend": 4e5}, GEOMS["capsule"], first="<freejoint/>")
    text = text.replace(
        "<option />",
        '<option gravity="0 0 0" timestep="1e-4" integrator="RK4"><flag energy="enable"/></option>',
    )
    assert "RK4" in text
    m = sinew.Model.from_xml(text, physics="4.0")
    d, rng = sinew.Data(m), np.random.default_rng(1)
    for j in range(7, m.nq, 4):
        quat = np.r_[1, rng.normal(0, 0.2, 3)]
        d.qpos[j : j + 4] = quat / np.linalg.norm(quat)
    start = elastic(m, d)
    energies, momenta = [], []
    for _ in range(10):
        sinew.step(m, d, 100)
        sinew.forward(m, d)
        energies.append(elastic(m, d) + d.energy[1])
        sinew.subtreeVel(m, d)
        momenta.append(np.r_[d.subtree_linvel[0] * m.body_subtreemass[0], d.subtree_angmom[0]])
    assert start > 0 and d.energy[1] > 0.1 * start
    np.testing.assert_allclose(energies, start, rtol=1e-6)
    np.testing.assert_allclose(momenta, 0, atol=1e-9)


def elastic(m, d):
    """Energy of a straight round rod of 1 cm radius and 10 cm from body to body."""
    sinew.forward(m, d)
    area = np.pi * 0.01**2
    stiffness = np.array([2e5 * area * 0.01**2 / 2, *[4e5 * area * 0.01**2 / 4] * 2]) / 0.1
    total = 0.0
    for b in range(2, m.nbody):
        turned = sinew.subQuat(d.xquat[b], d.xquat[b - 1])
        total += stiffness @ turned**2 / 2
    return total


# ---- mujoco.sensor.touch_grid

BOX = '<geom type="box" size=".1 .08 .12" condim="6" friction="1 .05 .01"/>'
BALL = '<geom size=".1" condim="6" friction="1 .05 .01"/>'
SITE = 'pos=".01 .02 -.03" euler="10 20 30"'


def grid(
    config, touching, site=SITE, attributes="", joint="", option='tolerance="0" iterations="200"'
):
    world = f"""<body>{joint}<geom type="box" size=".2 .2 .05"/><site name="s" {site}/></body>
<body pos="0 0 .149"><freejoint/>{touching}</body>"""
    tail = f'<sensor><plugin plugin="{GRID}" instance="i" objtype="site" objname="s" {attributes}/></sensor>'
    return text_of(GRID, config, world, tail, option)


WIDE = {"size": "7 5", "fov": "180 90", "gamma": 0.4, "nchannel": 6}
GRIDS = {
    "ball": grid(WIDE, BALL),
    "box": grid(WIDE, BOX),
    "on a body that moves": grid(WIDE, BOX, joint="<freejoint/>"),
    "elliptic": grid(WIDE, BOX, option='cone="elliptic" tolerance="0" iterations="200"'),
    "cut off": grid(WIDE, BALL, attributes='cutoff="10"'),
    "narrow, of forces": grid({"size": "6 9", "fov": "60 30", "gamma": 1, "nchannel": 3}, BOX, site='pos=".01 .02 .3"'),
    "pressure alone": grid({"size": "4 4", "fov": "90 45"}, BOX),
    "of a welded body": grid(WIDE, BOX).replace("<site", '<body pos=".1 0 0"><geom size=".01" pos="0 0 9"/><site').replace('30"/></body>', '30"/></body></body>'),
}  # fmt: skip


@pytest.mark.parametrize("name", GRIDS)
def test_touch_grid(name):
    pair, rng, felt = Pair(GRIDS[name]), np.random.default_rng(0), 0
    for _ in range(100):
        pair.shake(rng)
        pair.forward()
        assert pair.d.ncon == pair.data.ncon
        pair.near("sensordata")
        felt += np.count_nonzero(pair.d.sensordata)
    assert felt > 10


def test_where_bins_of_a_touch_grid_meet():
    """A contact straight ahead, or at the edge of the field of view, is in the peer's bin."""
    for n in (1, 2, 3, 5, 6, 10, 12, 14, 20):
        for gamma, place in (
            (0, "0 0 .3"),
            (0, "-.2 0 .2495"),
            (0.3, ".2 0 .2495"),
            (1, "0 .2 .2495"),
        ):
            config = {"size": f"{n} {n}", "fov": "45 45", "gamma": gamma}
            pair = Pair(grid(config, '<geom size=".1"/>', site=f'pos="{place}"'))
            pair.forward()
            np.testing.assert_array_equal(np.flatnonzero(pair.data.sensordata), np.flatnonzero(pair.d.sensordata))  # fmt: skip


# ---- configurations that are wrong

FOV = {"fov": "90 45"}
WRONG = {
    "expected a number": controller({"kp": "x"}),
    'kd="1 2": expected a number': controller({"kd": "1 2"}),
    'slewmax="-1": must not be negative': controller({"slewmax": -1}, 'actdim="1"'),
    'imax="-1": must not be negative': controller({"ki": 1, "imax": -1}, 'actdim="1"'),
    'needs actdim="1"': controller({"ki": 1}),
    'needs actdim="2"': controller({"ki": 1}, 'dyntype="filter" dynprm="1"'),
    'needs actdim="3"': controller({"ki": 1, "slewmax": 2}, 'dyntype="filter" dynprm="1" actdim="4"'),
    "no such attribute": controller({"kpp": 1}),
    'twist="x": expected a number': chain({"twist": "x"}, GEOMS["box"]),
    'flat="yes": expected true or false': chain({"flat": "yes"}, GEOMS["box"]),
    "are needed": grid({"size": "3 3"}, BALL),
    'size="3": expected 2 whole numbers': grid({"size": "3"} | FOV, BALL),
    'size="0 3"': grid({"size": "0 3"} | FOV, BALL),
    'fov="90": expected 2 numbers': grid({"size": "3 3", "fov": "90"}, BALL),
    "fov: must be above 0": grid({"size": "3 3", "fov": "181 45"}, BALL),
    "gamma: must be from 0 to 1": grid({"size": "3 3", "gamma": 1.5} | FOV, BALL),
    'nchannel="7"': grid({"size": "3 3", "nchannel": 7} | FOV, BALL),
    "must be attached to a site": grid({"size": "3 3"} | FOV, BALL).replace('type="site" objname="s"', 'type="body" objname="world"'),
    "asks for": grid({"size": "16777216 2"} | FOV, BALL),
}  # fmt: skip


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_configuration_says_what_is_wrong(words):
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Model.from_xml(WRONG[words])
    assert words in str(caught.value), caught.value
    assert "text:" in str(caught.value)


# ---- elsewhere


def test_they_work_under_either_meaning_and_come_back_from_a_file(tmp_path):
    for text in (controller({"kp": 3, "ki": 1}, 'actdim="1"'), CHAINS["box"], GRIDS["box"]):
        m = sinew.Model.from_xml(text, physics="4.0")
        m.save(tmp_path / "m.snb")
        back = sinew.Model.from_path(tmp_path / "m.snb")
        batch, d = sinew.Batch(back, 2), sinew.Data(m)
        for _ in range(5):
            batch.step()
            sinew.step(m, d)
        np.testing.assert_array_equal(np.asarray(batch.qpos)[1], d.qpos)
