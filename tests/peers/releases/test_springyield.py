"""Springs that yield (springyield): where they are at rest is state, and moves."""

import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sinew
from meanings import INTEGRATORS, data, near
from resisting import Both, text

YIELDING = {
    "ball": 'stiffness="50 5 20" damping=".5" springyield="10"',
    "hinge": 'stiffness="40 1 3" springref="30" damping=".2" springyield="5"',
    "slide": 'stiffness="200" springyield=".02"',
    "x": 'stiffness="300" damping=".1" springyield=".05"',
    "fixed": 'stiffness="20 3" springlength="-.1 .2" springyield=".1"',
    "spatial": 'stiffness="30" springyield=".03"',
    "world": 'stiffness="20" springlength="0 .7" springyield=".05"',
}
FIELDS = ("jnt_springyield", "jnt_plasticadr", "tendon_springyield", "tendon_plasticadr")
KEY = '<keyframe><key name="all" plastic="2 0 0 1 .1 .2 .3 .1 .2 .3 .3 0 .4"/><key name="none"/>{}</keyframe>'
KEYS = KEY.format("")
FEW = KEY.format('<key name="few" plastic="2 0"/>')


def flagged(option="", rest=""):
    return text(option, rest, **YIELDING)


def states_of(both, count, seed=0):
    """Random states, whose springs have yielded."""
    rng, found = np.random.default_rng(seed), []
    for state in both.states(count, seed):
        plastic = sinew.Data(both.m).plastic
        plastic = plastic + rng.normal(0, 0.1, plastic.shape)
        plastic[:4] /= np.linalg.norm(plastic[:4])
        found.append(state | {"plastic": plastic})
    return found


def test_yielding_stages_are_the_peers():
    both = Both(flagged())
    both.same_fields(*FIELDS)
    assert both.m.nplastic == both.peer.get("nplastic").nplastic == 13
    both.agree("resetData", both.states(1), ["plastic"])
    both.agree("forward", states_of(both, 100), ("plastic", "qfrc_spring", "energy", "qacc"))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_yielding_steps_are_the_peers(integrator):
    both = Both(flagged(f'integrator="{integrator}"'))
    both.agree("step", states_of(both, 20), ("qpos", "qvel", "plastic"), 1e-10)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_yielding_runs_are_the_peers(integrator):
    both = Both(flagged(f'integrator="{integrator}" gravity="0 0 0"'))
    state = both.states(1, 3, 0.5)[0]
    d = data(both.m, state)
    both.peer.put(**state)
    for _ in range(10):
        sinew.step(both.m, d, 5)
        both.peer.call("mj_step", 5)
        near(d.plastic, both.peer.look("plastic").plastic, 1e-7, "plastic")


def test_without_springs_nothing_yields():
    both = Both(flagged())
    both.m.opt.disableflags |= 1 << 5
    both.peer.set(disableflags=1 << 5 | 1 << 4)
    states = states_of(both, 5)
    both.agree("step", states, ("qpos", "plastic"))
    for state in states:
        d = data(both.m, state)
        sinew.step(both.m, d)
        np.testing.assert_array_equal(d.plastic, state["plastic"])


@pytest.mark.parametrize("yields", [0.0, -1.0, np.nan])
def test_no_range_is_full_slip(yields):
    both = Both(flagged())
    for name in ("jnt_springyield", "tendon_springyield"):
        getattr(both.m, name)[:] = yields
        both.peer.set(**{name: yields})
    both.agree("step", states_of(both, 5), ("qpos", "plastic"))


def test_keyframes_of_plastic():
    with pytest.warns(sinew.ModelWarning, match="plastic has 2 numbers"):
        both = Both(flagged(rest=FEW))
    both.same_fields("key_plastic")
    m = both.m
    d = sinew.Data(m)
    for key in range(m.nkey):
        sinew.resetDataKeyframe(m, d, key)
        np.testing.assert_array_equal(d.plastic, m.key_plastic[key])
    for given in ("nan 1 nan 2", "1 nan nan nan 0", "0 3 0 nan nan nan 2", "nan nan nan nan nan"):
        with pytest.warns(sinew.ModelWarning):
            Both(flagged(rest=f'<keyframe><key plastic="{given}"/></keyframe>')).same_fields(
                "key_plastic"
            )  # NaN: where the spring begins
    with pytest.warns(sinew.ModelWarning):
        zero = Both(flagged(rest='<keyframe><key plastic="0 0 0 0"/></keyframe>'))
    assert zero.m.key_plastic[0, :4].tolist() == [1, 0, 0, 0]
    assert not zero.peer.get("key_plastic").key_plastic[0, :4].any()
    d.plastic[:] = np.arange(13.0)
    sinew.setKeyframe(m, d, 1)
    np.testing.assert_array_equal(m.key_plastic[1], d.plastic)
    with pytest.raises(sinew.ModelError, match="plastic has 14 numbers, the model has 13"):
        sinew.Model.from_xml(
            flagged(rest=f'<keyframe><key plastic="{"1 " * 14}"/></keyframe>'), physics="4.0"
        )


def test_work_is_never_won():
    """What goes into a spring over a long run comes back at most."""
    m = sinew.Model.from_xml(
        '<mujoco><option timestep=".002" gravity="0 0 0"/><worldbody><body><joint type="ball" stiffness="30 0 50" springyield="8"/>'
        '<geom type="box" size=".1 .2 .3"/></body><body pos="2 0 0"><joint type="slide" stiffness="300 20" springyield=".03"/>'
        '<geom size=".1" mass="2"/></body></worldbody></mujoco>',
        physics="4.0",
    )
    d, rng, lost = sinew.Data(m), np.random.default_rng(5), 0.0
    for k in range(5000):
        if k % 50 == 0:
            d.qfrc_applied[:] = rng.normal(0, [20, 20, 20, 12])
        rest = d.plastic.copy()
        sinew.step(m, d)
        moved = sinew.differentiatePos(m, 1, rest, d.plastic)
        stretch = sinew.differentiatePos(m, 1, rest, d.qpos)
        work = moved[:3] @ stretch[:3], moved[3] * stretch[3]  # of forces along the stretch
        assert min(work) >= -1e-15
        lost += sum(work)
    assert lost > 0.1


PULLED = """<mujoco><option timestep=".002" integrator="{}" gravity="0 0 0"/><worldbody><site name="o" pos="0 0 1"/>
  <body><joint name="a" type="slide"/><joint name="b" type="slide" axis="0 1 0"/><joint axis="0 1 0" damping=".1"/>
  <geom size=".1" mass="1"/><site name="s" pos=".1 0 .2"/></body></worldbody>
<tendon><fixed stiffness="300 20" springlength="-.1 .1" springyield=".03"><joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed>
  <spatial stiffness="200" springyield=".05" springlength="{}"><site site="o"/><site site="s"/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "discrete"])
@pytest.mark.parametrize("length", [".5", ".3 .6", "0 .7"])
def test_tendons_take_work(integrator, length):
    """They never yield against their tension."""
    m = sinew.Model.from_xml(PULLED.format(integrator, length), physics="4.0")
    d, after, rng, lost = sinew.Data(m), sinew.Data(m), np.random.default_rng(0), 0.0
    for k in range(1000):
        if k % 50 == 0:
            d.qfrc_applied[:] = rng.normal(0, [30, 30, 3])
        rest = d.plastic.copy()
        sinew.step(m, d)
        after.qpos[:] = d.qpos
        sinew.fwdPosition(m, after)
        (low, high), moved = d.plastic.reshape(2, 2).T, (d.plastic - rest).reshape(2, 2)
        tight, loose = np.maximum(after.ten_length - high, 0), np.minimum(after.ten_length - low, 0)
        work = np.stack([tight * moved[:, 1], loose * moved[:, 0]])
        assert work.min() >= -1e-12
        lost += work.sum()
    assert lost > 0.05


def test_plastic_goes_with_the_data():
    m = sinew.Model.from_xml(flagged(rest=KEYS), physics="4.0")
    d = sinew.Data(m)
    sinew.resetDataKeyframe(m, d, 0)
    sinew.step(m, d, 20)
    for spec in (sinew.StateBit.INTEGRATION, sinew.StateBit.FULLPHYSICS, sinew.StateBit.PHYSICS):
        other = sinew.Data(m)
        sinew.setState(m, other, sinew.getState(m, d, spec), spec)
        np.testing.assert_array_equal(other.plastic, d.plastic)
    copies = [pickle.loads(pickle.dumps(d)), sinew.Data(m)]
    sinew.setState(
        m, copies[1], sinew.getState(m, d, sinew.StateBit.INTEGRATION), sinew.StateBit.INTEGRATION
    )
    sinew.step(m, d, 20)
    for copy in copies:
        sinew.step(m, copy, 20)
        np.testing.assert_array_equal(copy.plastic, d.plastic)
        np.testing.assert_array_equal(copy.qpos, d.qpos)


def test_yielding_in_batches():
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    batch = sinew.Batch(m, 3)
    assert "springs that yield" in batch.scalar_features
    states = states_of(Both(flagged()), 3)
    for i, state in enumerate(states):
        for name, value in state.items():
            getattr(batch, name)[i] = value
    batch.step(nstep=5)
    for i, state in enumerate(states):
        d = data(m, state)
        sinew.step(m, d, 5)
        np.testing.assert_array_equal(batch.plastic[i], d.plastic)
        np.testing.assert_array_equal(batch.qpos[i], d.qpos)


def test_plastic_is_recorded(tmp_path):
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    d, recorder, states = sinew.Data(m), sinew.Recorder(m), []
    d.qvel[:] = 1
    for _ in range(20):
        states.append(d.plastic.copy())
        recorder.step(d)
    recorder.save(tmp_path / "run.npy")
    run = sinew.Recording.from_path(tmp_path / "run.npy").fit(m)
    np.testing.assert_array_equal(run.fields["plastic"], states)
    assert np.ptp(states, axis=0).max() > 0


@pytest.mark.parametrize("ending", ["npy", "csv"])
def test_the_command_records_plastic(tmp_path, ending):
    (tmp_path / "m.xml").write_text(flagged())
    m = sinew.Model.from_path(tmp_path / "m.xml", physics="4.0")
    file, command = tmp_path / f"run.{ending}", pathlib.Path(sys.executable).with_name("sinew")
    arguments = [
        "simulate",
        tmp_path / "m.xml",
        "--physics",
        "4.0",
        "--steps",
        "50",
        "--record",
        file,
    ]
    subprocess.run([command, *arguments], check=True, capture_output=True)
    run, d = sinew.Recording.from_path(file).fit(m), sinew.Data(m)
    for row in run.fields["plastic"]:
        np.testing.assert_array_equal(row, d.plastic)
        sinew.step(m, d)


def test_inverse_of_yielding():
    both = Both(flagged())
    for state in states_of(both, 3):
        d = data(both.m, state)
        sinew.forward(both.m, d)
        sinew.inverse(both.m, d)
        near(d.qfrc_inverse, d.qfrc_applied, 1e-9, "force")


def test_derivatives_of_yielding_are_refused():
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    d = sinew.Data(m)
    sinew.forward(m, d)
    with pytest.raises(sinew.NotSupportedError, match="springs that yield"):
        sinew.transitionDerivative(m, d)
    with pytest.raises(sinew.NotSupportedError, match="springs that yield"):
        sinew.stepVJP(m, d, np.ones(2 * m.nv + m.na))
    before = d.plastic.copy()
    sinew.transitionFD(m, d, 1e-6)
    np.testing.assert_array_equal(d.plastic, before)


def test_plastic_in_compiled_files(tmp_path):
    m = sinew.Model.from_xml(flagged(rest=KEYS), physics="4.0")
    m.save(tmp_path / "m.snb")
    again = sinew.Model.from_path(tmp_path / "m.snb")
    for name in (*FIELDS, "key_plastic", "nplastic"):
        np.testing.assert_array_equal(getattr(again, name), getattr(m, name))


def test_yielding_is_written():
    m = sinew.Model.from_xml(flagged(rest=KEYS), physics="4.0")
    again = sinew.Model.from_xml(sinew.Spec.from_xml(flagged(rest=KEYS), physics="4.0").to_xml())
    for name in (*FIELDS, "key_plastic"):
        near(getattr(again, name), getattr(m, name), 1e-12, name)


def test_attached_keys_keep_their_numbers():
    child = sinew.Spec.from_xml(flagged(rest=KEYS), physics="4.0")
    own = child.compile().key_plastic
    parent = sinew.Spec.from_xml(
        '<mujoco><worldbody><body name="p"><joint type="slide" springyield=".1"/><geom size=".1"/></body></worldbody></mujoco>',
        physics="4.0",
    )
    parent.attach(child, prefix="c_")
    m = parent.compile()
    assert m.nplastic == 14
    row = m.key_plastic[m.key("c_all").id]
    np.testing.assert_allclose(np.delete(row, m.jnt_plasticadr[0]), own[0])


WRONG = {
    "free": ({"free": 'springyield="1"'}, "the spring of a free joint cannot yield"),
    "joint": ({"hinge": 'springyield="-1"'}, "springyield is -1, must not be negative"),
    "tendon": ({"fixed": 'springyield="-1"'}, "springyield must not be negative"),
    "two": ({"x": 'springyield="1 2"'}, "expected 1 number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_yielding_that_is_refused(case):
    attributes, words = WRONG[case]
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text(**attributes), physics="4.0")


def test_older_files_do_not_yield():
    with pytest.raises(sinew.NotSupportedError, match="'springyield' came after"):
        sinew.Model.from_xml(text(x='springyield="1"'), physics="3.3.7")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_bad_plastic_resets(value):
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    d = sinew.Data(m)
    d.plastic[:] = value
    for _ in range(3):
        sinew.step(m, d)
    assert np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()
