"""`surfacevel` and `adhesion` of geoms and pairs: every stage as MuJoCo 4.0.1's, over random states."""

import pickle
import re

import numpy as np
import pytest

import newest
import sinew
import sinew.control
from meanings import data, derivatives, lanes, near

SHAPES = (
    ("sphere", ".12"),
    ("box", ".12 .1 .08"),
    ("capsule", ".07 .1"),
    ("sphere", ".1"),
    ("capsule", ".08 .06"),
)
NAMES = (
    "efc_vel efc_aref efc_force qfrc_adhesion qfrc_passive qfrc_constraint qacc sensordata".split()
)
CONTACT = "dist dim exclude adhesion surfacevel includemargin".split()


def bodies():
    """A body of each shape and condim, hinged ones among them; every second carries a belt, every third pulls."""
    text = ""
    for i, condim in enumerate((1, 3, 4, 6, 3)):
        kind, size = SHAPES[i]
        belt = f' surfacevel=".3 -.2 .1 {i} -.5 .7"' if i % 2 else ""
        pull = f' adhesion="{1 + i}"' if i % 3 == 0 else ""
        joint = (
            "<freejoint/>"
            if i < 4
            else '<joint axis="0 1 0" pos=".2 0 0"/><joint type="slide" axis="0 0 1"/>'
        )
        text += (
            f'<body name="b{i}" pos="{0.21 * i} 0 .1">{joint}<geom name="g{i}" type="{kind}" size="{size}"'
            f' condim="{condim}" friction=".8 .02 .01" margin=".01" gap="{{gap}}"{belt}{pull}/><site name="s{i}" size=".3"/></body>'
        )
    return text


SENSORS = "".join(
    f'<touch site="s{i}"/><contact geom1="g{i}" num="2" data="found force torque dist pos normal"/><accelerometer site="s{i}"/>'
    for i in range(5)
)
MODEL = f"""<mujoco><option timestep=".004" {{option}}><flag {{flag}}/></option><worldbody>
  <geom name="floor" type="plane" size="3 3 1" surfacevel=".5 -.4 .2 .1 .2 3" adhesion="2" priority="{{prior}}"/>
  {bodies()}</worldbody>
  <contact><pair geom1="floor" geom2="g3" condim="4" adhesion="7" margin=".02" gap="{{gap}}" friction=".5 .7 .03"/></contact>
  <sensor>{SENSORS}</sensor></mujoco>"""
OPTIONS = {
    "pyramidal": dict(option='cone="pyramidal"'),
    "elliptic": dict(option='cone="elliptic" impratio="3"'),
    "prior": dict(option='cone="elliptic"', prior=1),
    "CG": dict(option='solver="CG" cone="elliptic"'),
    "PGS": dict(option='solver="PGS"'),
    "no islands": dict(flag='island="disable"'),
    "implicit": dict(option='integrator="implicit"'),
    "RK4": dict(option='integrator="RK4"'),
    "override": dict(flag='override="enable"', option='o_margin=".02"', gap=0),
}


def both(option="", flag="", prior=0, gap=0.02, model=MODEL, **fields):
    text = model.format(option=option, flag=flag, prior=prior, gap=gap)
    ours, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    for name, value in {"tolerance": 0, "iterations": 400, **fields}.items():
        setattr(ours.opt, name, value)
        theirs.set(**{name: value})
    return ours, theirs


def states(m, count, seed=0):
    """Bodies at any orientation near the floor and each other."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        q = m.qpos0.copy()
        for i in range(4):
            q[7 * i : 7 * i + 3] += rng.normal(0, (0.03, 0.05, 0.03))
            q[7 * i + 3 : 7 * i + 7] = rng.normal(size=4)
        q[28:] += rng.normal(0, (0.5, 0.03))
        sinew.normalizeQuat(m, q)
        yield {"qpos": q, "qvel": rng.normal(0, 0.5, m.nv), "qfrc_applied": rng.normal(0, 2, m.nv)}


def compare(ours, theirs, count, bound, function="forward", names=NAMES, contact=CONTACT):
    """Returns how many contacts, pulls from a gap and edges of belts there were."""
    some = list(states(ours, count))
    found = theirs.run(f"mj_{function}", some, [*names, *(f"contact.{n}" for n in contact)])
    seen = np.zeros(3, int)
    for k, (state, peer) in enumerate(zip(some, found, strict=True)):
        d = data(ours, state)
        getattr(sinew, function)(ours, d)
        for name in contact:
            a, b = getattr(d.contact, name), np.array(getattr(peer, f"contact.{name}"))
            assert a.shape == np.reshape(b, a.shape).shape, (k, name)
            near(a, np.reshape(b, a.shape), 1e-9, f"contact.{name} {k}")
        for name in names:
            a = getattr(d, name)
            near(a, np.reshape(getattr(peer, name), a.shape), bound, f"{name} {k}")
        c = d.contact
        seen += [
            d.ncon,
            np.sum((c.dist >= c.includemargin) & (c.exclude == 0)),
            np.sum(np.any(c.surfacevel, axis=1)),
        ]
    return seen


@pytest.mark.parametrize("name", OPTIONS)
def test_stages_are_the_peers(name):
    ours, theirs = both(**OPTIONS[name])
    bound = {"PGS": 3e-3, "CG": 1e-6}.get(name, 1e-7)
    seen = compare(ours, theirs, 100 if name in ("pyramidal", "elliptic") else 20, bound)
    assert all(seen[[0, 2]] > 20) and (name == "override" or seen[1] > 5), seen


def without(attribute):
    return re.sub(rf' {attribute}="[^"]*"', "", MODEL)


BELTS, PULLS = without("adhesion"), without("surfacevel")


@pytest.mark.parametrize("name", ("pyramidal", "elliptic"))
def test_inverse_dynamics(name):
    ours, theirs = both(**OPTIONS[name])
    names = ["qfrc_inverse", "qfrc_constraint", "qfrc_passive"]
    some = [s | {"qacc": s["qvel"][::-1].copy()} for s in states(ours, 10)]
    for state, peer in zip(some, theirs.run("mj_inverse", some, names), strict=True):
        d = data(ours, state)
        sinew.inverse(ours, d)
        for key in names:
            near(getattr(d, key), getattr(peer, key), 1e-9, key)
        d.qfrc_applied = state["qfrc_applied"]
        sinew.forward(ours, d)
        sinew.inverse(ours, d)
        near(d.qfrc_inverse, state["qfrc_applied"], 1e-8, "what was applied")


@pytest.mark.parametrize("name", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("text", (BELTS, PULLS), ids=("belts", "pulls"))
def test_derivatives_of_steps(name, text):
    m, _ = both(model=text, **OPTIONS[name])
    derivatives(m, list(states(m, 3)), 1e-5)


def test_gradients_by_parameters_are_refused():
    for text, word in ((BELTS, "a surfacevel"), (PULLS, "adhesion")):
        m, _ = both(model=text)
        d = data(m, next(states(m, 1)))
        sinew.forward(m, d)
        with pytest.raises(sinew.NotSupportedError, match=f"has {word}, with which there is none"):
            sinew.stepVJP(m, d, np.ones(2 * m.nv), np.zeros(m.nsensordata), model=["body_mass"])


@pytest.mark.parametrize("name", ("pyramidal", "elliptic"))
def test_lanes(name):
    m, _ = both(model=BELTS, **OPTIONS[name])
    lanes(m, list(states(m, 16)), 1e-8)
    m, _ = both(model=PULLS, **OPTIONS[name])
    batch = sinew.Batch(m, 4)
    assert batch.scalar_features == ("adhesion of geoms or pairs",)


def test_lanes_that_get_an_adhesion_are_stepped_alone():
    m, _ = both(model=re.sub(r' adhesion="[^"]*"', "", PULLS))
    batch, some = sinew.Batch(m, 8), list(states(m, 8))
    for i, state in enumerate(some):
        for key, value in state.items():
            getattr(batch, key)[i] = value
    batch.parameter("geom_adhesion")[3, 0] = 20
    batch.step()
    for i, state in enumerate(some):
        m.geom_adhesion[0] = 20 if i == 3 else 0
        d = data(m, state)
        sinew.step(m, d)
        near(batch.qvel[i], d.qvel, 1e-8, f"lane {i}")


BELT = """<mujoco><option timestep=".005"/><worldbody>
  <geom name="belt" type="box" size="5 1 .1" pos="0 0 -.1" surfacevel=".7 .1 0 0 0 0"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="{}"/></body></worldbody></mujoco>"""
CEILING = """<mujoco><option timestep=".005"/><worldbody>
  <geom type="plane" size="1 1 .1" euler="180 0 0" pos="0 0 1" margin=".001" gap=".004" adhesion="{}"/>
  <body pos="0 0 .9"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>"""
RIGID = ({"contact": sinew.ContactModel.SOFT}, {"contact": sinew.ContactModel.LCP})


def run(text, steps, options):
    m = sinew.Model.from_xml(text, physics="4.0")
    for name, value in options.items():
        setattr(m.opt, name, value)
    d = sinew.Data(m)
    sinew.step(m, d, nstep=steps)
    sinew.forward(m, d)
    return m, d


@pytest.mark.parametrize("options", RIGID)
@pytest.mark.parametrize("condim", (3, 4, 6))
def test_a_belt_carries_at_its_speed(options, condim):
    _, d = run(BELT.format(condim), 400, options)
    np.testing.assert_allclose(d.qvel, [0.7, 0.1, 0, 0, 0, 0], atol=1e-4)


@pytest.mark.parametrize("options", RIGID)
def test_adhesion_holds_what_it_can_carry(options):
    m, d = run(CEILING.format(2.6), 400, options)  # of four contacts
    pulls = [sinew.contactForce(m, d, i)[0] for i in range(d.ncon)]
    np.testing.assert_allclose(sum(pulls), -9.81, rtol=1e-6)
    assert abs(d.qpos[2] - 0.9) < 2e-3 and np.abs(d.qvel).max() < 1e-6
    _, d = run(CEILING.format(2.4), 400, options)
    assert d.qpos[2] < 0


def test_without_springs_and_dampers_it_pulls_all_the_same():
    """4.0.1 drops the attraction with the flags and keeps what the rows hold against it."""
    text = CEILING.format(5).replace(
        "<worldbody>", '<option><flag spring="disable" damper="disable"/></option><worldbody>', 1
    )
    plain = run(CEILING.format(5), 1, {})[1].qacc
    np.testing.assert_array_equal(run(text, 1, {})[1].qacc, plain)
    theirs = newest.load(text)
    theirs.call("mj_forward")
    assert not theirs.look("qfrc_adhesion").qfrc_adhesion.any()


def test_files_and_copies(tmp_path):
    m, _ = both()
    again = sinew.Spec.from_xml(
        sinew.Spec.from_xml(
            MODEL.format(option="", flag="", prior=0, gap=0.02), physics="4.0"
        ).to_xml()
    )
    assert again.to_xml().count("adhesion=") == 4
    m.save(tmp_path / "m.snb")
    for other in (
        again.compile(),
        sinew.Model.from_path(tmp_path / "m.snb"),
        pickle.loads(pickle.dumps(m)),
    ):
        for name in ("geom_surfacevel", "geom_adhesion", "pair_adhesion"):
            np.testing.assert_array_equal(getattr(other, name), getattr(m, name))


def test_numbers_are_compiled_as_the_peers():
    text = """<mujoco><default><geom surfacevel="1 2 3 4 5 6" adhesion="3"/><pair adhesion="4"/></default>
      <asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset>
      <worldbody><frame euler="10 20 30"><body><freejoint/><geom name="a" type="mesh" mesh="m" pos=".3 .2 .1" euler="20 30 50"/>
        <geom type="box" mesh="m" euler="20 30 50"/><geom type="capsule" size=".1" fromto="0 0 0 1 1 1" surfacevel="7"/></body></frame>
        <geom name="b" size="1"/></worldbody><contact><pair geom1="a" geom2="b"/></contact></mujoco>"""
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    names = ("geom_surfacevel", "geom_adhesion", "pair_adhesion")
    for name in names:
        np.testing.assert_allclose(
            getattr(m, name),
            np.reshape(getattr(theirs.get(*names), name), getattr(m, name).shape),
            atol=1e-6,
        )
    with pytest.raises(sinew.NotSupportedError, match=r"came after.*3\.3\.7"):
        sinew.Model.from_xml(text, physics="3.3.7")


def test_numbers_that_are_not_finite_end_in_a_warning():
    m, _ = both()
    for value in (np.nan, np.inf, 1e300):
        for name in ("geom_surfacevel", "geom_adhesion"):
            n = sinew.Model.from_xml(
                MODEL.format(option="", flag="", prior=0, gap=0.02), physics="4.0"
            )
            getattr(n, name)[:] = value
            d = data(n, next(states(n, 1)))
            sinew.step(n, d, nstep=3)
            assert np.isfinite(d.qpos).all() or d.warning.number.any()


def test_belts_and_adhesion_beside_loops():
    """Two boxes that a loop holds together exactly are carried, and hang, as one."""
    second = '<body name="c" pos=".3 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody>'
    held = '<equality><connect body1="a" body2="c" anchor=".15 0 0"/></equality></mujoco>'
    for text, z in ((BELT.format(3), 0.1), (CEILING.format(2.6), 0.9)):
        text = text.replace("<body ", '<body name="a" ').replace("</worldbody>", second.format(z=z))
        m, d = run(text.replace("</mujoco>", held), 400, {"loops": sinew.Loops.EXACT})
        speed = [0.7, 0.1, 0, 0, 0, 0] if z < 0.5 else np.zeros(6)
        assert d.nclosure == 1 and d.ncon == 8
        np.testing.assert_allclose(d.qvel, [*speed, *speed], atol=1e-4)


def test_float_lanes_carry():
    m = sinew.Model.from_xml(BELT.format(4), physics="4.0")
    batch = sinew.Batch(m, 8, dtype="float32")
    assert not batch.scalar_features
    batch.step(nstep=400)
    np.testing.assert_allclose(batch.qvel, np.tile([0.7, 0.1, 0, 0, 0, 0], (8, 1)), atol=1e-3)


def test_controllers_leave_adhesion_to_contacts():
    """The attraction is within contacts, whose forces a controller chooses itself."""
    torque = []
    for adhesion in (0, 5):
        text = CEILING.format(adhesion).replace(
            "<freejoint/>", '<joint name="j" type="slide" axis="0 0 1"/>'
        )
        text = text.replace("</worldbody>", '</worldbody><actuator><motor joint="j"/></actuator>')
        m = sinew.Model.from_xml(text, physics="4.0")
        d = sinew.Data(m)
        sinew.forward(m, d)
        assert d.qfrc_adhesion.any() == bool(adhesion)
        controller = sinew.control.Controller(m)
        controller.add_task(sinew.control.PostureTask(level=1, kp=10)).hold(d)
        controller.solve(d)
        controller.apply(d)
        torque.append(d.ctrl.copy())
    np.testing.assert_array_equal(*torque)


def test_rollouts_on_threads():
    """The same bits alone, on threads and from a restored state."""
    m, _ = both()
    some = list(states(m, 4))
    start = np.array([np.concatenate([[0], s["qpos"], s["qvel"]]) for s in some])
    one = sinew.rollout(m, start, nstep=30, threads=1)
    two = sinew.rollout(m, start, nstep=30, threads=3)
    for name in vars(one) if hasattr(one, "__dict__") else range(len(one)):
        a, b = (getattr(x, name) if isinstance(name, str) else x[name] for x in (one, two))
        np.testing.assert_array_equal(a, b)
    d = sinew.Data(m)
    d.qpos[:], d.qvel[:] = some[0]["qpos"], some[0]["qvel"]
    sinew.step(m, d, nstep=15)
    other = pickle.loads(pickle.dumps(d))
    for x in (d, other):
        sinew.step(m, x, nstep=15)
    np.testing.assert_array_equal(d.qpos, other.qpos)
