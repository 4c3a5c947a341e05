"""Flag `speculative`: contacts of what fast geoms will meet within the step, beside MuJoCo 4.0.1's."""

import numpy as np
import pytest

import newest
import sinew
from meanings import data

FIELDS = "dist pos frame exclude geom includemargin efc_address dim".split()


def scene(bodies, option='timestep=".01"', flag=""):
    return (
        f'<mujoco><option {option} gravity="0 0 0"><flag speculative="enable" {flag}/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def wall(at=0.005, half=0.005, more=""):
    return f'<geom type="box" size="{half} 1 1" pos="{at} 0 0" {more}/>'


def mover(kind="sphere", size=".05", more="", at="-.525 0 0"):
    return f'<body pos="{at}"><freejoint/><geom type="{kind}" size="{size}" {more}/></body>'


PLANE = '<geom type="plane" size="1 1 1" zaxis="-1 0 0"/>'
FAST = [60, 0, 0, 0, 0, 0]
TILT = [-0.525, 0, 0, np.cos(0.05), 0, 0.6 * np.sin(0.05), 0.8 * np.sin(0.05)]
SCENES = {
    "ball": (wall() + mover(), FAST, None),
    "spinning ball": (wall() + mover(), [60, 0, 0, 0, 10, 0], None),
    "oblique": (wall() + mover(), [60, 30, 0, 0, 0, 0], None),
    "margin": (wall(more='margin=".02" gap=".03"') + mover(), FAST, None),
    "in the gap": (wall(more='margin=".02" gap=".6"') + mover(), FAST, None),
    "wide": (wall() + mover(more='solimp=".5 .9 10" priority="1"'), FAST, None),
    "direct": (wall() + mover(more='solref="-1000 -50" priority="1"'), FAST, None),
    "no stiffness": (
        wall() + mover(more='solref="0 -50" solimp=".9 .95 .02" margin=".1" priority="1"'),
        FAST,
        None,
    ),
    "plane": (PLANE + mover(), FAST, None),
    "slow on a plane": (PLANE + mover(at="-.06 0 0"), [4, 0, 0, 0, 0, 0], None),
    "just fast on a plane": (PLANE + mover(at="-.06 0 0"), [5.5, 0, 0, 0, 0, 0], None),
    "box": (wall() + mover("box", ".05 .06 .07"), FAST, None),
    "box on a plane": (PLANE + mover("box", ".05 .06 .07"), FAST, None),
    "tilted box on a plane": (PLANE + mover("box", ".05 .06 .07"), FAST, TILT),
    "capsule": (wall() + mover("capsule", ".05 .1"), FAST, None),
    "two movers": (
        mover() + mover(size=".04", at=".2 .03 0"),
        [60, 0, 0, 0, 0, 0, -20, 0, 0, 0, 0, 0],
        None,
    ),
    "behind a wall": (wall(-0.2) + wall() + mover(), FAST, None),
    "behind, other order": (wall() + wall(0.1) + mover(), [100, 0, 0, 0, 0, 0], None),
    "almost there": (wall() + mover(at="-.051 0 0"), FAST, None),
    "passing by": (wall() + mover(at="-.525 0 1.2"), FAST, None),
    "away": (wall() + mover(), [-60, 0, 0, 0, 0, 0], None),
}


def both(text, v, q=None):
    ours, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    d = sinew.Data(ours)
    d.qvel[:] = v
    if q is not None:
        d.qpos[:] = q
    theirs.put(qpos=d.qpos.copy(), qvel=d.qvel.copy())
    theirs.call("mj_forward")
    sinew.forward(ours, d)
    peer = theirs.look("qacc", *(f"contact.{f}" for f in FIELDS))
    return d, {f: getattr(peer, f"contact.{f}") for f in FIELDS}, peer.qacc


@pytest.mark.parametrize("name", SCENES)
def test_contacts_are_the_peers(name):
    bodies, v, q = SCENES[name]
    d, peer, qacc = both(scene(bodies), v, q)
    order, others = (
        np.lexsort(np.round(np.reshape(x, (-1, 3)), 6).T) for x in (d.contact.pos, peer["pos"])
    )
    for field in FIELDS:
        if field == "efc_address":
            continue
        ours = np.asarray(getattr(d.contact, field))[order]
        peer[field] = np.reshape(peer[field], ours.shape)[others]
        np.testing.assert_allclose(
            ours, np.reshape(peer[field], ours.shape), atol=2e-5, err_msg=field
        )
    np.testing.assert_allclose(d.qacc, qacc, atol=2e-3 * np.abs(qacc).max(initial=1))


MESH = '<mujoco><option timestep=".01" gravity="0 0 0"><flag speculative="enable"/></option><asset>'
MESH += (
    '<mesh name="m" vertex="-.05 -.05 -.05 .05 -.05 -.05 0 .06 -.05 0 0 .07"/></asset><worldbody>'
)
SHAPES = [
    ("sphere", 'size=".05"'), ("capsule", 'size=".03 .05"'), ("ellipsoid", 'size=".05 .03 .04"'),
    ("cylinder", 'size=".04 .05"'), ("box", 'size=".05 .03 .04"'), ("mesh", 'mesh="m"'),
]  # fmt: skip


def test_random_flights_are_the_peers():
    """Impacts of every shape, turning too: the same pairs meet, at the same time, normals and places alike."""
    rng = np.random.default_rng(5)
    met = 0
    for kind, size in SHAPES:
        target = f'<geom type="{rng.choice(["box", "plane"])}" size=".2 .3 .01" euler="20 10 0"/>'
        text = f'{MESH}{target}<body pos="0 0 .6"><freejoint/><geom type="{kind}" {size}/></body></worldbody></mujoco>'
        m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
        some = []
        for _ in range(100 // len(SHAPES) + 1):
            q = np.concatenate([[*rng.normal(0, 0.05, 2), 0.6], rng.normal(size=4)])
            q[3:] /= np.linalg.norm(q[3:])
            v = np.concatenate(
                [rng.normal(0, 5, 2), [rng.uniform(-100, -30)], rng.normal(0, 10, 3)]
            )
            some.append({"qpos": q, "qvel": v})
        found = theirs.run("mj_forward", some, [f"contact.{f}" for f in FIELDS])
        for state, peer in zip(some, found, strict=True):
            d = data(m, state)
            sinew.forward(m, d)
            count = len(getattr(peer, "contact.dist"))
            if d.ncon and d.contact.impact[0] > 0.97:
                continue  # within the tolerance of the end of the step
            assert bool(d.ncon) == bool(count), (kind, state)
            if not count or not d.ncon:
                continue
            met += 1
            assert (d.contact.exclude == 0).all()
            normal, other = (
                d.contact.frame[0, :3],
                np.reshape(getattr(peer, "contact.frame")[0], 9)[:3],
            )
            assert normal @ other > 0.99, (kind, state, normal, other)
    assert met > 60


OPTIONS = ("", 'solver="CG"', 'solver="PGS"', 'cone="elliptic"', 'integrator="implicitfast"')


def bullet(option, speed, radius=0.01, half=0.0005, timestep=0.002, more=""):
    text = scene(
        wall(half, half) + mover(size=str(radius), at="-1.3 .01 .02", more=more),
        f'timestep="{timestep}" {option}',
    )
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    d.qvel[0] = speed
    return m, d


@pytest.mark.parametrize("option", OPTIONS)
def test_a_thin_wall_holds_a_bullet(option):
    """1 mm of wall, 2 m a step; without the flag it is through."""
    m, d = bullet(option, 1000)
    for _ in range(50):
        sinew.step(m, d)
        assert d.qpos[0] < 0.003
    m.opt.enableflags &= ~int(sinew.EnableBit.SPECULATIVE)
    d = bullet(option, 1000)[1]
    sinew.step(m, d, nstep=3)
    assert d.qpos[0] > 1


def test_stages_of_RK4_look_ahead_each_for_itself():
    """As in 4.0.1; what is fast is not held by the mean of them."""
    m, d = bullet('integrator="RK4"', 1000)
    text = scene(
        wall(0.0005, 0.0005) + mover(size=".01", at="-1.3 .01 .02"),
        'timestep=".002" integrator="RK4"',
    )
    theirs = newest.load(text)
    theirs.put(qvel=d.qvel.copy())
    theirs.call("mj_step")
    sinew.step(m, d)
    np.testing.assert_allclose(d.qpos, theirs.look("qpos").qpos, atol=1e-9)


def test_it_lands_on_the_surface_at_the_end_of_the_step():
    """Full impedance far away and no friction: the step ends .02 of the way and the margin from the wall."""
    for speed in (700, 1000, 1100):
        m, d = bullet("", speed, more='condim="1" solimp=".9999 .9999 .001" priority="1"')
        way = 1.3 - 0.01
        sinew.step(m, d)
        assert d.contact.impact[0] == pytest.approx(0.98 * way / (speed * 0.002), rel=1e-9)
        assert d.qpos[0] + 0.01 == pytest.approx(-0.02 * way, abs=3e-4 * speed * 0.002)


def test_touching_counts_as_an_impact():
    """At the very margin nothing pushes yet; 4.0.1 lets what touches exactly through."""
    text = scene(wall() + mover(at="-.05 0 0"))
    d, peer, _ = both(text, FAST)
    assert d.ncon == 1 and d.contact.exclude[0] == 0 and d.qacc[0] < -5000
    assert peer["exclude"].tolist() == [1]


ATTACKS = {
    "spinning box": (mover("box", ".1 .05 .02"), [50, 0, 0, 300, 2000, 100]),
    "spinning rod": (mover("capsule", ".002 .4"), [20, 0, 0, 0, 500, 0]),
    "thin rod": (mover("cylinder", ".0005 .3", 'mass=".01"'), [300, 0, 0, 0, 0, 5]),
    "needle": (mover("ellipsoid", ".3 .001 .001", 'mass=".01"'), [1000, 0, 0, 0, 0, 0]),
    "a million": (mover(), [1e6, 0, 0, 0, 0, 0]),
    "a million turns": (mover("box", ".1 .05 .02"), [1e3, 0, 0, 1e6, 1e6, 0]),
    "inside": (mover("box", ".1 .05 .02", at="0 0 0"), [100, 0, 0, 0, 10, 0]),
    "huge": (mover("sphere", "1e4", at="-20000 0 0"), [1e5, 0, 0, 0, 0, 0]),
    "tiny": (mover("sphere", "1e-5", 'mass=".01"'), [100, 0, 0, 0, 0, 0]),
    "not a number": (mover(), [np.nan, 0, 0, 0, 0, 0]),
    "infinite": (mover(), [np.inf, 0, 0, np.inf, 0, 0]),
}


@pytest.mark.filterwarnings("ignore::sinew.SimulationWarning")
@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("timestep", (1e-7, 0.002, 0.05))
def test_attacks(name, timestep):
    body, v = ATTACKS[name]
    m = sinew.Model.from_xml(
        scene(
            wall() + PLANE.replace("<geom", '<geom pos="2 0 0"') + body, f'timestep="{timestep}"'
        ),
        physics="4.0",
    )
    d = sinew.Data(m)
    d.qvel[:] = v
    for _ in range(20):
        sinew.step(m, d)
        assert np.isfinite(d.qpos).all()
        if (
            name not in ("inside", "huge", "not a number", "infinite")
            and not d.warning.number.any()
        ):
            assert d.qpos[0] < 2.05


def test_slow_things_are_as_without_the_flag():
    text = scene(wall() + PLANE + mover("box", ".05 .06 .07", at="-.06 0 0") + mover(at="-.3 0 0"))
    m = sinew.Model.from_xml(text, physics="4.0")
    after = []
    for flag in (0, int(sinew.EnableBit.SPECULATIVE)):
        m.opt.enableflags = flag
        m.opt.timestep = 1e-3
        d = sinew.Data(m)
        d.qvel[:] = [0.5, 0, 0, 0.1, 0.2, 0, 0.3, 0.1, 0, 0, 1, 0]
        sinew.step(m, d, nstep=300)
        after.append(d.qpos.copy())
    np.testing.assert_array_equal(*after)


def test_several_movers_and_pairs():
    """Bullets in a row, elements `pair`, masks that let through."""
    pair = '<contact><pair geom1="w" geom2="p" condim="1"/></contact></mujoco>'
    bodies = (
        wall(more='name="w"')
        + mover(at="-.9 0 0")
        + mover(at="-.9 .3 0", more='contype="0" conaffinity="0" name="p"')
    )
    text = scene(bodies + mover(at="-.9 -.3 0", more='contype="0" conaffinity="0"')).replace(
        "</mujoco>", pair
    )
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    d.qvel[::6] = 200
    sinew.step(m, d, nstep=5)
    assert d.qpos[0] < 0 and d.qpos[7] < 0 and d.qpos[14] > 1


def test_beside_everything_else():
    """Rigid contact, inverse dynamics, batches, threads, saved states, derivatives."""
    m, d = bullet("", 1000)
    assert sinew.Batch(m, 2).scalar_features == ("flag speculative",)
    batch = sinew.Batch(m, 2)
    batch.qvel[:, 0] = 1000
    batch.step(nstep=10)
    sinew.forward(m, d)
    with pytest.raises(
        sinew.NotSupportedError,
        match="is speculative, which has no derivative; use sn_transitionFD",
    ):
        sinew.transitionDerivative(m, d)
    assert np.isfinite(sinew.transitionFD(m, d, 1e-6, centered=True)[0]).all()
    sinew.inverse(m, d)
    assert np.abs(d.qfrc_inverse).max() < 1e-6 * np.abs(d.qacc).max()
    d = bullet("", 1000)[1]
    sinew.step(m, d, nstep=10)
    np.testing.assert_array_equal(batch.qpos[1], d.qpos)
    start = np.array([[0, -1.3, 0.01, 0.02, 1, 0, 0, 0, 1000, 0, 0, 0, 0, 0]] * 4)
    one, two = (sinew.rollout(m, start, nstep=10, threads=t) for t in (1, 3))
    np.testing.assert_array_equal(one[0], two[0])


def test_rigid_contact_is_reached_with_the_step():
    m, d = bullet("", 1000)
    m.opt.contact = sinew.ContactModel.LCP
    sinew.step(m, d)
    assert d.qpos[0] == pytest.approx(-0.01 - 0.02 * 1.29, abs=1e-4) and d.ncon == 1
    for _ in range(50):
        sinew.step(m, d)
        assert d.qpos[0] < -0.005


def test_loops_and_controllers():
    """A closed chain is stopped as one; controllers look at no contacts."""
    second = mover(at="-1.3 .1 .02", size=".01").replace("<body", '<body name="c"')
    held = '<equality><connect body1="b" body2="c" anchor="0 .05 0"/></equality></mujoco>'
    first = mover(at="-1.3 .01 .02", size=".01").replace("<body", '<body name="b"')
    text = scene(wall(0.0005, 0.0005) + first + second, 'timestep=".002"').replace(
        "</mujoco>", held
    )
    m = sinew.Model.from_xml(text, physics="4.0")
    m.opt.loops = sinew.Loops.EXACT
    d = sinew.Data(m)
    d.qvel[[0, 6]] = 1000
    for _ in range(30):
        sinew.step(m, d)
        assert d.nclosure == 1 and d.qpos[0] < 0.003 and d.qpos[7] < 0.003
