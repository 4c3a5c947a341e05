"""sinew.mujoco: programs that walk attributes see the peer's alone, and no address of a struct."""

import copy
import inspect
import pickle

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
