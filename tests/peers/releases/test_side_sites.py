"""SIDE_SITES: which way a tendon goes around a geom that has a side site."""

import numpy as np
import pytest

import newest
import sinew
from meanings import Meanings, agree, derivatives, near

TEXT = """<mujoco><option gravity="0 0 0"/><worldbody>
  <body mocap="true" name="wrap"><geom name="g" type="{type}" size="{radius} 1" contype="0" conaffinity="0"/><site name="side" pos=".9 0 0"/></body>
  <body name="p"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><geom size=".01" contype="0" conaffinity="0"/><site name="a"/></body>
  <body name="q"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><geom size=".01" contype="0" conaffinity="0"/><site name="b"/></body>
</worldbody><tendon><spatial name="t" stiffness="3" damping=".2" springlength="0"><site site="a"/><geom geom="g" sidesite="side"/><site site="b"/></spatial></tendon>
<actuator><motor tendon="t" gear="2"/></actuator><sensor><tendonpos tendon="t"/></sensor></mujoco>"""
R = 0.3
FIELDS = ("ten_length", "full_ten_J", "ten_wrapnum", "wrap_xpos")


def pair(kind):
    text = TEXT.format(type=kind, radius=R)
    ours = {p: sinew.Model.from_xml(text, physics=p) for p in ("4.0", "3.3.7")}
    return ours, newest.load(text)


def length(m, side, p, q):
    m.site_pos[0] = side
    d = sinew.Data(m)
    d.qpos[:3], d.qpos[3:] = p, q
    sinew.forward(m, d)
    return d.ten_length[0], d


def theirs(peer, side, p, q):
    sites = peer.get("site_pos").site_pos
    sites[0] = side
    peer.set(site_pos=sites)
    peer.put(qpos=np.concatenate([p, q]))
    peer.call("mj_forward")
    return peer.look("ten_length", "full_ten_J", "qfrc_passive")


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("flat", [True, False])
def test_lengths_are_the_peers(kind, flat):
    """Random ends and side sites, outside and inside of the geom, ends inside, too; forces as well."""
    ours, peer = pair(kind)
    rng = np.random.default_rng(5)
    differ = 0
    for k in range(250):
        side, p, q = rng.uniform(-0.8, 0.8, (3, 3)) * ([1, 1, 0] if flat else [1, 1, 1])
        if k % 4 == 0:
            side *= 0.2
        found, d = length(ours["4.0"], side, p, q)
        other = theirs(peer, side, p, q)
        near(found, other.ten_length[0], 2e-6 if np.linalg.norm(side) < R else 1e-12, f"length {k}")
        if np.linalg.norm(side) >= R:
            near(d.qfrc_passive, other.qfrc_passive, 1e-10, f"force {k}")
        differ += abs(found - length(ours["3.3.7"], side, p, q)[0]) > 1e-3
    assert differ > 5


def on(angle, distance=1.0, z=0.0):
    return np.array([distance * np.cos(angle), distance * np.sin(angle), z])


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize(
    ("side", "p", "q", "expected"),
    [
        (on(0), on(2.5), on(-2.5), 5.0),  # more than half a turn
        (on(np.pi), on(2.5), on(-2.5), 2 * np.pi - 5),  # clear of it: straight
        (on(0), on(1), on(-1), 2.0),
        (on(0), on(0.1), on(-0.1), 0.2),
        (on(0), on(0.1), on(0.2), 0.1),  # both on one side
        (on(0), on(np.pi / 2), on(-np.pi / 2), np.pi),
        (on(0.3), on(2.0), on(2.9), 0.9),  # out and back
        (on(0), on(3.0), on(3.1), 0.1),
    ],
)
def test_closed_form(kind, side, p, q, expected):
    """The angle of the way, less what the tangents take."""
    ours, peer = pair(kind)
    tangent = np.arccos(R)
    arc = expected - 2 * tangent
    want = 2 * np.sin(tangent) + R * arc if arc > 0 else np.linalg.norm(p - q)
    found, _ = length(ours["4.0"], side, p, q)
    near(found, want, 1e-13, "length")
    near(found, theirs(peer, side, p, q).ten_length[0], 1e-12, "the peer's")


CASES = {
    "opposite": (on(0), on(np.pi), on(1.0)),
    "opposite, from below": (on(0), on(-np.pi), on(-1.0)),
    "both opposite": (on(0), on(np.pi), on(np.pi, 2)),
    "opposite, beside it": (on(0), np.array([-1.0, 0, 0]), np.array([-1, 0.5, 0])),
    "opposite, other side": (on(0), np.array([-1.0, 0, 0]), np.array([-1, -0.5, 0])),
    "nearly in one": (on(0), np.array([-1.0, 1e-9, 0]), np.array([-1, -1e-9, 0])),
    "nearly a whole turn": (on(0), on(3.1), on(-3.1)),
    "side at an end": (on(1.0), on(1.0), on(-1.5)),
    "on the surface": (on(0), on(2.0, R), on(-2.0, 1)),
    "side on the surface": (on(0, R), on(2.0), on(-2.0)),
    "through the centre": (on(1.0), on(0), on(np.pi)),
    "side in line": (on(0), on(0, 2), on(np.pi)),
    "ends in one": (on(0), on(2.0), on(2.0)),
    "an end inside": (on(0), on(2.0, 0.1), on(-2.0)),
    "side at the centre": (on(0, 0), on(2.0), on(-2.0)),
    "an end at the centre": (on(0), on(0, 0), on(-2.0)),
}


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("case", CASES)
def test_singular_cases(kind, case):
    ours, peer = pair(kind)
    found, d = length(ours["4.0"], *CASES[case])
    assert np.isfinite(d.ten_J).all() and np.isfinite(d.qacc).all()
    near(found, theirs(peer, *CASES[case]).ten_length[0], 1e-6, case)


def test_no_jump_where_it_is_clear():
    """The segment moves away from the side site: the length is continuous, and was not."""
    ours, _ = pair("cylinder")
    lengths = {p: [] for p in ours}
    for x in np.linspace(-0.6, 0.6, 601):
        for physics, m in ours.items():
            lengths[physics].append(
                length(m, on(0, 0.5), np.array([x, 1, 0]), np.array([x, -1, 0]))[0]
            )
    jumps = {p: np.abs(np.diff(x)).max() for p, x in lengths.items()}
    assert jumps["4.0"] < 0.003, jumps


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
def test_derivatives(kind):
    ours, _ = pair(kind)
    m = ours["4.0"]
    for side, p, q in (
        (on(0), on(2.5), on(-2.5)),
        (on(0), on(1.5, 0.7, 0.1), on(-1.9, 1, 0.2)),
        (on(2), on(0.1), on(0.4)),
    ):
        m.site_pos[0] = side
        state = {
            "qpos": np.concatenate([p, q]),
            "qvel": np.array([0.1, 0.2, -0.3, 0.3, 0.1, 0.2]),
            "ctrl": np.array([0.7]),
        }
        derivatives(m, [state], 1e-5)


def test_arm():
    """A step of a machine with a side site inside and one outside."""
    text = """<mujoco><worldbody><site name="o" pos="0 .3 .1"/>
      <body><joint axis="0 0 1" damping="1"/><geom name="g" type="cylinder" size=".08 .1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/><site name="out" pos=".12 .12 0"/><site name="m" pos=".25 .06 0"/>
        <body pos=".5 0 0"><joint axis="0 0 1" damping="1"/><geom name="h" size=".07"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="in" pos="0 .02 0"/><site name="e" pos=".2 .05 0"/></body></body></worldbody>
      <tendon><spatial name="t" range="0 2"><site site="o"/><geom geom="g" sidesite="out"/><site site="m"/><geom geom="h" sidesite="in"/><site site="e"/></spatial></tendon>
      <actuator><motor tendon="t" gear="-3"/></actuator></mujoco>"""
    both = Meanings(text)
    agree(both, "step", both.states(40, turn=1.5), ("qpos", "qvel", "ten_length"), 1e-7)
