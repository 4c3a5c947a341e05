"""MARGIN_SUM, GAP_BEYOND, BODY_MARGIN: margins and gaps of two geoms, against both peers."""

import mujoco
import numpy as np
import pytest

import newest
import peer_engine
import sinew

ROUND = ['type="plane" size="0 0 1"', 'size=".3"', 'type="capsule" size=".2 .1"']
BOX = 'type="box" size=".3 .3 .3"'
GEOMS = [*ROUND, BOX, 'type="hfield" hfield="field"', 'type="ellipsoid" size=".2 .25 .3"']
ASSET = '<asset><hfield name="field" nrow="3" ncol="3" size="2 2 .1 .1"/></asset>'
# (margin, gap) of the two geoms; in the last, one is shrunk
MARGINS = [(".01", ".004", ".02", ".008"), ("0", ".03", ".02", "0"), ("-.02", ".05", ".01", ".01")]
PAIRS = [
    "",
    '<pair geom1="a" geom2="b" margin=".03" gap=".012"/>',
    '<pair geom1="a" geom2="b" margin="-.01" gap=".02"/>',
]
OVERRIDE = '<option o_margin=".025"><flag override="enable"/></option>'


def scene(a, b, margins, pair="", option=""):
    m1, g1, m2, g2 = margins
    return f"""<mujoco><option><flag multiccd="disable"/></option>{option}{ASSET}<worldbody>
      <geom name="a" {a} margin="{m1}" gap="{g1}"/>
      <body><freejoint/><geom name="b" {b} margin="{m2}" gap="{g2}"/></body>
    </worldbody><contact>{pair}</contact></mujoco>"""


def contacts(engine, m, heights):
    """Rows of (index of height, dist, includemargin, excluded, has rows) of all contacts of geom b."""
    rows = []
    for k, z in enumerate(heights):
        if engine is sinew:
            d = sinew.Data(m)
            d.qpos[:3] = 0.013, 0.007, z
            sinew.forward(m, d)
            con = d.contact
        else:
            m.put(qpos=[0.013, 0.007, z, 1, 0, 0, 0])
            m.call("mj_forward")
            con = m.look("contact").contact
        columns = con.dist, con.includemargin, con.exclude, np.asarray(con.efc_address) >= 0
        rows += [(k, *row) for row in zip(*columns, strict=True)]
    return np.array(rows, float).reshape(-1, 5)


def heights(peer):
    """Heights about that at which geom b touches geom a, which all zones of every choice above are among."""
    lowest, highest = 0.0, 1.0
    for _ in range(40):
        z = (lowest + highest) / 2
        touch = len(contacts(None, peer, [z])) > 0
        lowest, highest = (z, highest) if touch else (lowest, z)
    return lowest + np.linspace(-0.0347, 0.0753, 23)


PINNED = peer_engine.Here(mujoco)


@pytest.mark.parametrize("physics", ["3.3.7", "4.0"])
@pytest.mark.parametrize("a", GEOMS)
@pytest.mark.parametrize("b", [ROUND[1], ROUND[2]])
def test_zones_of_distance(physics, a, b):
    def load(text):
        return newest.load(text) if physics == "4.0" else peer_engine.Model(PINNED, text)

    zones = []
    free = load(scene(a, b, ("0", "0", "0", "0")))
    z = heights(free)
    # of convex pairs 3.3.7 shifts distances by a negative margin, of height fields by any: docs/differences.md
    if physics == "3.3.7" and "hfield" in a:
        return
    shifted = physics == "3.3.7" and a in GEOMS[4:]
    for margins in MARGINS[: 2 if shifted else None]:
        for pair in PAIRS[: 2 if shifted else None]:
            for option in ("", OVERRIDE):
                text = scene(a, b, margins, pair, option)
                got = contacts(sinew, sinew.Model.from_xml(text, physics=physics), z)
                want = contacts(None, load(text), z)
                zones.append(want)
                assert len(got) == len(want), (margins, pair, option)
                np.testing.assert_allclose(got, want, atol=1e-12 if a in GEOMS[:4] else 2e-6)
    assert 0.1 < np.concatenate(zones)[:, 3].mean() < 0.9  # both kinds are there


def test_the_meanings_differ():
    text = scene(ROUND[0], ROUND[1], (".01", ".004", ".02", ".008"))
    old, new = (
        contacts(sinew, sinew.Model.from_xml(text, physics=p), [0.325, 0.335])
        for p in ("3.3.7", "4.0")
    )
    assert old[:, 2:].tolist() == []  # found below .02
    np.testing.assert_allclose(new[:, 1:], [[0.025, 0.03, 0, 1], [0.035, 0.03, 1, 0]], atol=1e-15)


def test_the_same_in_both():
    """A pair that is written as the releases want it."""
    forms = {"3.3.7": 'margin=".03" gap=".01"', "4.0": 'margin=".02" gap=".01"'}
    rows = {}
    for physics, form in forms.items():
        text = scene(ROUND[0], BOX, ("0",) * 4, f'<pair geom1="a" geom2="b" {form}/>')
        rows[physics] = contacts(
            sinew, sinew.Model.from_xml(text, physics=physics), 0.3 + np.linspace(-0.01, 0.04, 11)
        )
    np.testing.assert_array_equal(rows["3.3.7"][:, [0, 1, 3, 4]], rows["4.0"][:, [0, 1, 3, 4]])
    np.testing.assert_allclose(rows["3.3.7"][:, 2], rows["4.0"][:, 2], atol=1e-17)


def test_body_margin():
    text = """<mujoco><worldbody><geom margin="-.5" gap=".1" size=".1"/>
      <body><freejoint/><geom size=".1" margin=".02" gap=".01"/><geom size=".1" margin=".01" gap=".05"/></body>
      <body pos="1 0 0"><freejoint/><geom size=".1" gap=".3"/></body></worldbody></mujoco>"""
    for physics, peer in ("3.3.7", peer_engine.Model(PINNED, text)), ("4.0", newest.load(text)):
        m = sinew.Model.from_xml(text, physics=physics)
        np.testing.assert_array_equal(m.body_margin, peer.get("body_margin").body_margin)


@pytest.mark.parametrize("cull", ["", '<option><flag midphase="disable"/></option>'])
def test_pairs_that_only_their_gap_brings_near(cull):
    """Many geoms on a body: none may be lost between bounding volumes."""
    row = "".join(
        f'<geom size=".05" pos="{0.1 * i} 0 0" margin=".01" gap="{0.02 * i}"/>' for i in range(6)
    )
    text = f"""<mujoco>{cull}<worldbody><body>{row}</body><body pos=".05 0 .1"><freejoint/>{row}</body>
      <body pos=".1 .19 .1" euler="0 0 10"><freejoint/>{row}</body></worldbody></mujoco>"""
    peer = newest.load(text)
    peer.call("mj_forward")
    want = peer.look("contact").contact
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    sinew.forward(m, d)
    assert d.ncon > 10 and 0 < sum(d.contact.exclude) < d.ncon
    assert np.array_equal(d.contact.geom, want.geom)
    for name in ("dist", "includemargin", "exclude", "efc_address"):
        np.testing.assert_allclose(getattr(d.contact, name), getattr(want, name), atol=1e-14)


def test_negative_reach_keeps_true_distances():
    """Where margin and gap together are negative, 4.0.1 shifts distances of convex pairs by them; the manual forbids it."""
    shapes = 'type="cylinder" size=".3 .3"', 'type="ellipsoid" size=".2 .25 .3"'
    text = scene(*shapes, ("-.1", "0", "0", "0"))
    want = contacts(None, newest.load(text), [0.45])
    got = contacts(sinew, sinew.Model.from_xml(text, physics="4.0"), [0.45])
    assert abs(got[0, 1] - -0.15) < 1e-3 and abs(want[0, 1] - -0.25) < 1e-3
    assert (contacts(sinew, sinew.Model.from_xml(text, physics="4.0"), [0.55])).size == 0
    assert contacts(
        None, newest.load(text), [0.55]
    ).size  # 0.05 deep, though pushed from 0.1 on alone


@pytest.mark.parametrize(("flag", "found"), [("", 0), ('midphase="disable"', 1)])
def test_override_keeps_gaps(flag, found):
    """4.0.1 drops what is in the gap where bodies have several geoms; Sinew keeps it."""
    text = f"""<mujoco><option o_margin=".025"><flag override="enable" {flag}/></option><worldbody>
      <geom type="plane" size="0 0 1" gap=".01"/><body pos="0 0 .33"><freejoint/><geom size=".3"/><geom size=".01"/></body>
    </worldbody></mujoco>"""
    peer = newest.load(text)
    peer.call("mj_forward")
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    sinew.forward(m, d)
    assert (peer.look("ncon").ncon, d.ncon) == (found, 1)


def test_lanes():
    """Many simulations at once go by the same distances."""
    text = scene(ROUND[0], BOX, MARGINS[2])
    m = sinew.Model.from_xml(text, physics="4.0")
    batch = sinew.Batch(m, 8)
    assert not batch.scalar_features
    z = 0.3 + np.linspace(-0.03, 0.04, 8)
    batch.qpos[:] = [[0.013, 0.007, h, 1, 0, 0, 0] for h in z]
    batch.step()
    for k in range(8):
        d = sinew.Data(m)
        d.qpos[:3] = 0.013, 0.007, z[k]
        sinew.step(m, d)
        np.testing.assert_allclose(batch.qvel[k], d.qvel, atol=1e-15)
