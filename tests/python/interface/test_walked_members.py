"""sinew.mujoco: programs that walk attributes see the peer's alone, and no address of a struct."""

import copy
import inspect
import pickle
import re

import mujoco as peer
import numpy as np
import pytest

import sinew
from sinew import mujoco as ours
from sinew.mujoco import rollout

TEXT = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .05"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def structs(mj):
    m = mj.MjModel.from_xml_string(TEXT)
    d = mj.MjData(m)
    mj.mj_step(m, d)
    return {"model": m, "data": d, "MjModel": mj.MjModel, "MjData": mj.MjData, "opt": m.opt}


@pytest.mark.parametrize("which", ["model", "data", "MjModel", "MjData", "opt"])
def test_a_walk_sees_the_peers_members(which):
    mine, theirs = structs(ours)[which], structs(peer)[which]

    def public(names):
        return {n for n in names if not n.startswith("_")}

    assert public(dir(mine)) == public(dir(theirs))
    assert public(n for n, _ in inspect.getmembers(mine)) == public(dir(theirs))
    if isinstance(mine, type):
        assert public(vars(mine)) <= public(dir(theirs))


def test_what_is_ours_alone_stays_in_reach():
    mine = structs(ours)
    assert mine["data"].impulse.size == 0 and mine["data"].loop_error_max == 0
    assert mine["model"].nloop == 0 and mine["opt"].lcp_sweeps > 0
    assert copy.copy(mine["data"]).time == pickle.loads(pickle.dumps(mine["data"])).time > 0
    native = sinew.Model.from_xml(TEXT)
    assert {"nloop", "geom_restitution"} <= set(dir(native))
    assert {"impulse", "loop_error"} <= set(dir(sinew.Data(native)))
    assert "lcp_sweeps" in dir(native.opt)


def test_an_address_is_refused():
    m, d, spec = structs(ours)["model"], structs(ours)["data"], ours.MjSpec()
    for struct in (m, d, spec):
        with pytest.raises(AttributeError, match="compiled against"):
            struct._address  # noqa: B018
        assert not hasattr(struct, "_address") and getattr(struct, "_address", None) is None
    for struct in (m, d):
        assert "_address" not in dict(
            inspect.getmembers(struct, lambda value: isinstance(value, int))
        )


@pytest.mark.parametrize(("option", "value"), [("solver", 7), ("solver", -1), ("integrator", 17)])
def test_options_that_nothing_can_run_with(option, value):
    told = []
    for mj, batch in ((ours, rollout), (peer, None)):
        if batch is None:
            from mujoco import rollout as batch
        m = mj.MjModel.from_xml_string(TEXT)
        d = mj.MjData(m)
        setattr(m.opt, option, value)
        first = np.zeros((2, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)))
        first[:, 4] = 1
        for run in (
            lambda m=m, d=d, mj=mj: mj.mj_step(m, d),
            lambda m=m, d=d, f=first, b=batch: b.rollout(m, d, f, nstep=2),
        ):
            with pytest.raises(mj.FatalError) as error:
                run()
            told.append(str(error.value))
    assert told[:2] == told[2:]


EVERYTHING = """<mujoco>
  <asset>
    <texture name="t" builtin="flat" type="2d" width="4" height="4"/><material name="m" texture="t"/>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>
    <skin name="k" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
      vertweight="1 1 1"/></skin>
  </asset>
  <worldbody>
    <light name="l"/><camera name="c"/>
    <body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
    <frame name="f"><body name="c" pos="0 0 1"><freejoint/><geom name="h" size=".1"/></body></frame>
  </worldbody>
  <contact><pair name="p" geom1="g" geom2="h"/><exclude name="e" body1="b" body2="c"/></contact>
  <equality><joint name="e" joint1="j"/></equality>
  <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><motor name="a" joint="j"/></actuator>
  <sensor><jointpos name="s" joint="j"/></sensor>
  <custom>
    <numeric name="n" data="1"/><text name="x" data="q"/><tuple name="u"><element objtype="body" objname="b"/></tuple>
  </custom>
  <keyframe><key name="k"/></keyframe>
</mujoco>"""
ELEMENTS = (
    "actuator body camera equality exclude geom hfield joint keyframe light material mesh numeric pair sensor site skin "
    "tendon texture tuple"
)
LISTS = (
    "bodies cameras equalities excludes frames geoms hfields joints keys lights materials meshes numerics pairs sensors "
    "sites skins tendons texts textures tuples actuators"
)


def _public(what):
    return sorted(name for name in dir(what) if not name.startswith("_"))


@pytest.mark.parametrize("kind", ELEMENTS.split())
def test_dir_of_an_element_is_the_peers(kind):
    theirs, mine = (module.MjModel.from_xml_string(EVERYTHING) for module in (peer, ours))
    for a, b in ((theirs, mine), (peer.MjData(theirs), ours.MjData(mine))):
        if not hasattr(a, kind):
            continue
        a, b = getattr(a, kind)(0), getattr(b, kind)(0)
        # a tendon's fields begin with an underscore at the peer
        assert [n for n in dir(b) if n[:2] != "__"] == [
            n for n in dir(a) if n[:2] != "__" and n != "_pybind11_conduit_v1_"
        ]
        assert all(hasattr(b, name) for name in dir(b))


def test_dir_of_spec_elements_is_the_peers():
    theirs, mine = (module.MjSpec.from_string(EVERYTHING) for module in (peer, ours))
    for name in LISTS.split():
        assert _public(getattr(mine, name)[0]) == _public(getattr(theirs, name)[0])
    assert _public(mine.compiler) == _public(theirs.compiler)
    assert _public(mine.option) == _public(theirs.option)


@pytest.mark.parametrize(
    "name",
    [n for n in dir(peer) if re.fullmatch("Mj(Option|Model|Data|s.*|.*Vec)", n)],
)
def test_dir_of_a_class_is_the_peers(name):
    assert _public(getattr(ours, name)) == _public(getattr(peer, name))
