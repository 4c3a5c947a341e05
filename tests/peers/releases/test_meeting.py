"""Which geoms meet, in which order and with what parameters, under 4.0 against the newest engine; PAIR_UNDEFINED."""

import numpy as np
import pytest

import newest
import sinew
import sinew.mujoco
from meetings import PARAMETERS


class Scene:
    """Spheres on free, hinged, mocap and static bodies, with masks, margins, gaps, priorities and pairs."""

    def __init__(self, seed):
        self.rng, self.count = np.random.default_rng(seed), 0

    def geom(self):
        r = self.rng
        self.count += 1
        x, y, z = r.uniform(-0.2, 0.2, 3)
        return (
            f'<geom name="g{self.count}" size="{r.uniform(0.05, 0.12):.3f}" pos="{x:.3f} {y:.3f} {z:.3f}" '
            f'margin="{r.choice([-0.02, 0, 0.02])}" gap="{r.choice([0, 0.03])}" contype="{r.integers(4)}" '
            f'conaffinity="{r.integers(4)}" priority="{r.integers(2)}" condim="{r.choice([1, 3, 6])}" '
            f'solmix="{r.uniform(0, 2):.2f}" solref="{r.choice(["0.03 1", "0.05 0.7", "-900 -30"])}"/>'
        )

    def body(self, depth):
        r = self.rng
        joint = r.choice(["", "<joint/>", "<freejoint/>"] if depth == 0 else ["", "<joint/>"])
        mocap = 'mocap="true"' if depth == 0 and not joint and r.random() < 0.5 else ""
        x, y, z = r.uniform(-0.3, 0.3, 3)
        geoms = "".join(self.geom() for _ in range(r.integers(4)))
        below = "".join(self.body(depth + 1) for _ in range(r.integers(3) if depth < 2 else 0))
        inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        return f'<body {mocap} pos="{x:.3f} {y:.3f} {z:.3f}">{joint}{inertia}{geoms}{below}</body>'

    def text(self):
        r = self.rng
        flags = "".join(f' {f}="disable"' for f in ("midphase", "filterparent") if r.random() < 0.3)
        world = self.geom() + self.geom() + "".join(self.body(0) for _ in range(r.integers(2, 12)))
        ends = [r.choice(self.count, 2, replace=False) + 1 for _ in range(r.integers(6))]
        pairs = "".join(
            f'<pair geom1="g{a}" geom2="g{b}" margin="{r.choice([-0.01, 0.05])}" gap="{r.choice([0, 0.02])}"/>'
            for a, b in ends
        )
        floor = (
            '<geom name="floor" type="plane" size="0 0 1" contype="3" conaffinity="3" gap=".01"/>'
        )
        return f"<mujoco><option><flag{flags}/></option><worldbody>{floor}{world}</worldbody><contact>{pairs}</contact></mujoco>"


@pytest.mark.parametrize("seed", range(20))
def test_random_scenes(seed):
    text = Scene(seed).text()
    peer = newest.load(text)
    peer.call("mj_forward")
    want = peer.look("contact").contact
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    sinew.forward(m, d)
    np.testing.assert_array_equal(d.contact.geom, want.geom)
    for name in ("dist", *PARAMETERS, "efc_address"):
        np.testing.assert_allclose(getattr(d.contact, name), getattr(want, name), atol=1e-14)


def test_undefined_pairs():
    """Not said, numbers are those of the language, in all releases; NaN is refused."""
    text = """<mujoco><worldbody><geom name="a" size="1" solref=".04 .5"/>
      <body><freejoint/><geom name="b" size="1" solref=".08 .9"/></body></worldbody>{}</mujoco>"""
    said = text.format('<contact><pair geom1="a" geom2="b"/></contact>')
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(said, physics=physics)
        assert m.pair_solref.tolist() == newest.load(said).get("pair_solref").pair_solref.tolist()
    spec = sinew.mujoco.MjSpec.from_string(text.format(""))
    pair = spec.add_pair(geomname1="a", geomname2="b")
    pair.solref[:] = np.nan
    with pytest.raises(ValueError, match="nan is not a number"):
        spec.compile()
