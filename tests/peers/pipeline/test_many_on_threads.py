"""Many humanoids of another package in one scene, on several threads: the bits are those of one thread, by every solver."""

import copy

import pytest

import models
import sinew

COUNTS = (2, 3, 8)
STEPS = 200


@pytest.fixture(scope="module")
def crowd():
    """48, in pairs that fall onto each other."""
    path = next(p for p in models.suite() if p.name == "humanoid.xml")
    text = f"""<mujoco><option timestep="0.005"/><visual><map znear="0.01"/></visual><asset><model name="one" file="{path}"/></asset><worldbody><geom type="plane" size="50 50 1"/>
      <replicate count="12" offset="2 0 0"><replicate count="2" offset="0 2 0"><replicate count="2" offset="0.2 0.1 1.2">
      <frame pos="0 0 0.3"><attach model="one" body="torso" prefix="_"/></frame>
      </replicate></replicate></replicate></worldbody></mujoco>"""
    return sinew.Model.from_xml(text, anywhere=True)


def pushed(model, data, steps):
    for k in range(steps):
        data.ctrl[:] = 0.4 * sinew.noise(model.nu, 5, k * model.nu)
        sinew.step(model, data)


@pytest.mark.parametrize("way", ["newton", "cg", "pgs", "lcp", "discrete", "sleep"])
def test_the_same_bits_at_any_number(crowd, way):
    model = copy.deepcopy(crowd)
    if way in ("cg", "pgs"):
        model.opt.solver = {"cg": sinew.Solver.CG, "pgs": sinew.Solver.PGS}[way]
    elif way == "lcp":
        model.opt.contact = sinew.ContactModel.LCP
    elif way == "discrete":
        model.opt.integrator = sinew.Integrator.DISCRETE
    elif way == "sleep":
        model.opt.enableflags |= sinew.EnableBit.SLEEP
    one = sinew.Data(model)
    pushed(model, one, STEPS)
    assert one.nefc > 400  # so much is shared out
    expected = sinew.getState(model, one, sinew.StateBit.INTEGRATION).tobytes()
    for count in COUNTS:
        data = sinew.Data(model)
        data.threads = count
        pushed(model, data, STEPS)
        assert sinew.getState(model, data, sinew.StateBit.INTEGRATION).tobytes() == expected
        for name in "efc_force", "qacc", "sensordata", "qfrc_constraint":
            assert getattr(data, name).tobytes() == getattr(one, name).tobytes(), name
        assert data.solver.tobytes() == one.solver.tobytes()
        assert [w.number for w in data.warning] == [w.number for w in one.warning]
