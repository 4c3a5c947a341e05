"""Springs that yield (springyield): where they are at rest is state, and moves."""

import pickle

import numpy as np
import pytest

import sinew
from meanings import data, near
from resisting import Both, text

INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
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
KEYS = '<keyframe><key name="all" plastic="2 0 0 1 .1 .2 .3 .1 .2 .3 .3 0 .4"/><key name="none"/><key name="few" plastic="2 0"/></keyframe>'


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


def test_fields_and_stages_are_the_peers():
    both = Both(flagged())
    both.same_fields(*FIELDS)
    assert both.m.nplastic == both.peer.get("nplastic").nplastic == 13
    both.agree("resetData", both.states(1), ["plastic"])
    both.agree("forward", states_of(both, 100), ("plastic", "qfrc_spring", "energy", "qacc"))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_step_is_the_peers(integrator):
    both = Both(flagged(f'integrator="{integrator}"'))
    both.agree("step", states_of(both, 20), ("qpos", "qvel", "plastic"), 1e-10)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_run_is_the_peers(integrator):
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
    both.peer.set(disableflags=1 << 5)
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


def test_keyframes():
    both = Both(flagged(rest=KEYS))
    both.same_fields("key_plastic")
    m = both.m
    d = sinew.Data(m)
    for key in range(m.nkey):
        sinew.resetDataKeyframe(m, d, key)
        np.testing.assert_array_equal(d.plastic, m.key_plastic[key])
    d.plastic[:] = np.arange(13.0)
    sinew.setKeyframe(m, d, 1)
    np.testing.assert_array_equal(m.key_plastic[1], d.plastic)
    with pytest.raises(sinew.Error, match="plastic has 14 numbers, the model has 13"):
        sinew.Model.from_xml(flagged(rest=f'<keyframe><key plastic="{"1 " * 14}"/></keyframe>'), physics="4.0")


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
            d.qfrc_applied[:] = rng.normal(0, [60, 60, 60, 40])
        before, rest = d.qpos.copy(), d.plastic.copy()
        sinew.step(m, d)
        moved = np.zeros(m.nv)
        frame = np.concatenate([rest[:4], rest[4:]])
        sinew.differentiatePos(m, moved, 1, frame, np.concatenate([d.plastic[:4], d.plastic[4:]]))
        stretch = np.zeros(m.nv)
        sinew.differentiatePos(m, stretch, 1, frame, d.qpos)
        work = moved[:3] @ stretch[:3], moved[3] * stretch[3]  # of forces along the stretch
        assert min(work) >= -1e-15
        lost += sum(work)
        del before
    assert lost > 0.1


def test_state_goes_with_the_data():
    m = sinew.Model.from_xml(flagged(rest=KEYS), physics="4.0")
    d = sinew.Data(m)
    sinew.resetDataKeyframe(m, d, 0)
    sinew.step(m, d, 20)
    for spec in (sinew.StateBit.INTEGRATION, sinew.StateBit.FULLPHYSICS, sinew.StateBit.PHYSICS):
        other = sinew.Data(m)
        sinew.setState(m, other, sinew.getState(m, d, spec), spec)
        np.testing.assert_array_equal(other.plastic, d.plastic)
    copies = [pickle.loads(pickle.dumps(d)), sinew.Data(m)]
    sinew.setState(m, copies[1], sinew.getState(m, d, sinew.StateBit.INTEGRATION), sinew.StateBit.INTEGRATION)
    sinew.step(m, d, 20)
    for copy in copies:
        sinew.step(m, copy, 20)
        np.testing.assert_array_equal(copy.plastic, d.plastic)
        np.testing.assert_array_equal(copy.qpos, d.qpos)


def test_batches_are_the_scalar_engines():
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    batch = sinew.Batch(m, 3)
    assert "springs that yield" in batch.scalar_features
    states = states_of(Both(flagged()), 3)
    for i, state in enumerate(states):
        for name, value in state.items():
            getattr(batch, name)[i] = value
    batch.step(5)
    for i, state in enumerate(states):
        d = data(m, state)
        sinew.step(m, d, 5)
        np.testing.assert_array_equal(batch.plastic[i], d.plastic)
        np.testing.assert_array_equal(batch.qpos[i], d.qpos)


def test_rollouts_record_it():
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    d = data(m, states_of(Both(flagged()), 1)[0])
    start = sinew.getState(m, d, sinew.StateBit.FULLPHYSICS)
    states = np.zeros((1, 5, start.size))
    sinew.rollout(m, [d], start[None], state=states) if hasattr(sinew, "rollout") else None
    sinew.setState(m, d, start, sinew.StateBit.FULLPHYSICS)
    d.qacc_warmstart[:] = 0
    sinew.step(m, d, 5)
    np.testing.assert_array_equal(sinew.getState(m, d, sinew.StateBit.PLASTIC), d.plastic)


def test_derivatives_are_refused_in_words():
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


def test_compiled_files(tmp_path):
    m = sinew.Model.from_xml(flagged(rest=KEYS), physics="4.0")
    m.save(tmp_path / "m.snb")
    again = sinew.Model.from_path(tmp_path / "m.snb")
    for name in (*FIELDS, "key_plastic", "nplastic"):
        np.testing.assert_array_equal(getattr(again, name), getattr(m, name))


def test_written_and_read_again():
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
    parent.attach(child, prefix="c_") if hasattr(parent, "attach") else pytest.skip("no attach")
    m = parent.compile()
    assert m.nplastic == 14
    row = sinew.name2id(m, sinew.ObjType.KEY, "c_all")
    np.testing.assert_allclose(np.delete(m.key_plastic[row], np.argmin(m.jnt_plasticadr < 0)), own[0])


WRONG = {
    "free": ({"free": 'springyield="1"'}, "the spring of a free joint cannot yield"),
    "joint": ({"hinge": 'springyield="-1"'}, "springyield is -1, must not be negative"),
    "tendon": ({"fixed": 'springyield="-1"'}, "springyield must not be negative"),
    "two": ({"x": 'springyield="1 2"'}, "expected 1 number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_refused(case):
    attributes, words = WRONG[case]
    with pytest.raises(sinew.Error, match=words):
        sinew.Model.from_xml(text(**attributes), physics="4.0")


def test_older_files_do_not_have_it():
    with pytest.raises(sinew.NotSupportedError, match="'springyield' came after"):
        sinew.Model.from_xml(text(x='springyield="1"'), physics="3.3.7")


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_bad_numbers_reset(value):
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    d = sinew.Data(m)
    d.plastic[:] = value
    for _ in range(3):
        sinew.step(m, d)
    assert np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()
