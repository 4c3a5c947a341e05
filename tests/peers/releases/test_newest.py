"""The process of the newest engine, which other tests ask: fields, calls, errors, its death and its end."""

import copy
import os
import pathlib
import signal
import subprocess
import sys
import time

import mujoco
import numpy as np
import pytest

import newest
import peer_engine

XML = """<mujoco><option timestep="0.004" gravity="0 0 -5"/><worldbody>
  <geom type="plane" size="5 5 1"/>
  <body pos="0 0 1"><freejoint/><geom name="g" size="0.1"/><site name="s"/></body>
  <body pos="1 0 0.5"><joint name="a" axis="0 1 0" damping="0.2"/><geom size="0.1" pos="0.2 0 0"/>
    <body pos="0.4 0 0"><joint name="b" axis="1 0 0"/><geom size="0.1" pos="0.1 0 0"/></body></body></worldbody>
  <tendon><fixed name="t" limited="true" range="-0.1 0.1"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>
  <actuator><motor joint="a"/><position tendon="t"/></actuator>
  <sensor><gyro site="s"/></sensor>
</mujoco>"""
Q = np.array([0, 0, 0.05, 1, 0, 0, 0, 0.3, -0.4])


@pytest.fixture
def both():
    """The same model in the pinned release, in this process, and in the newest."""
    return peer_engine.Model(peer_engine.Here(mujoco), XML), newest.load(XML)


def test_fields_of_models_and_data(both):
    for peer in both:
        peer.set(timestep=0.002, geom_margin=0.01, body_mass=[0, 2, 1, 1])
        peer.put(qpos=Q, ctrl=[0.5, -1], time=3)
        peer.call("mj_forward")
        got = peer.get("timestep", "geom_margin", "body_mass", "nv")
        assert got.timestep == 0.002 and got.nv == 8
        assert (got.geom_margin == 0.01).all() and (got.body_mass == [0, 2, 1, 1]).all()
        seen = peer.look("qpos", "time", "ncon", "contact", "warning")
        assert (seen.qpos == Q).all() and seen.time == 3 and seen.ncon == 1
        np.testing.assert_allclose(seen.contact.dist, [-0.05])
        assert seen.contact.geom.tolist() == [[0, 1]] and seen.contact.frame.shape == (1, 9)
        assert not any(seen.warning.values()) and "BADQPOS" in seen.warning


def test_all_fields(both):
    for peer in both:
        model, data = peer.get(), peer.look()
        assert model.opt.timestep == 0.004 and model.stat.extent > 0 and model.ngeom == 4
        assert data.qpos.shape == (9,) and hasattr(data.contact, "dist")


def test_matrices_are_those_of_the_pinned_release(both):
    names = ["full_M", "full_ten_J", "full_actuator_moment", "full_efc_J", "qacc_smooth"]
    for jacobian in (0, 1):  # dense, sparse
        for peer in both:
            peer.set(jacobian=jacobian)
            peer.put(qpos=Q)
            peer.call("mj_forward")
        old, new = (peer.look(*names) for peer in both)
        assert old.full_efc_J.shape[0] > 4
        for name in names:
            np.testing.assert_allclose(getattr(new, name), getattr(old, name), atol=1e-14)


def test_runs_and_steps(both):
    _, peer = both
    peer.put(qpos=Q)
    peer.call("mj_step", 10)
    after = peer.look("qpos", "time")
    assert after.time == pytest.approx(0.04)
    peer.call("mj_resetData")
    rows = peer.run("mj_step", [{"qpos": Q}] + 9 * [{}], ["qpos"], reset=False)
    again = peer.run("mj_step", 2 * [{"qpos": Q}], ["qpos"])
    assert np.abs(rows[-1].qpos - rows[0].qpos).max() > 0.01
    assert (again[0].qpos == again[1].qpos).all()
    np.testing.assert_allclose(rows[-1].qpos, after.qpos, atol=1e-14)


def test_inverse_and_constants(both):
    _, peer = both
    peer.put(qpos=Q, qacc=np.ones(8))
    peer.call("mj_inverse")
    assert np.abs(peer.look("qfrc_inverse").qfrc_inverse).max() > 0.1
    before = peer.get("dof_invweight0").dof_invweight0
    peer.set(body_mass=2 * peer.get("body_mass").body_mass, body_inertia=2 * peer.get("body_inertia").body_inertia)  # fmt: skip
    peer.call("mj_setConst")
    np.testing.assert_allclose(peer.get("dof_invweight0").dof_invweight0, before / 2)


def test_models_are_copies():
    one = newest.load(XML)
    one.set(timestep=1)
    assert newest.load(XML).get("timestep").timestep == 0.004


def test_files_and_assets(tmp_path):
    tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    text = '<mujoco><asset><mesh file="t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>'
    assert newest.load(text, {"t.obj": tetrahedron.encode()}).get("nmeshvert").nmeshvert == 4
    (tmp_path / "t.obj").write_text(tetrahedron)
    path = tmp_path / "m.xml"
    path.write_text(text)
    assert newest.load(path).get("ngeom").ngeom == 1
    path.write_text(text.replace("</worldbody>", '<geom size="1"/></worldbody>'))
    os.utime(path, ns=(0, 0))  # a clock of files may be coarse
    assert newest.load(str(path)).get("ngeom").ngeom == 2


def test_errors_and_warnings():
    with pytest.raises(ValueError, match="unrecognized element"):
        newest.load("<mujoco><nonsense/></mujoco>")
    assert (
        "settotalmass" in newest.load('<mujoco><compiler settotalmass="1"/></mujoco>').warnings[0]
    )
    peer = newest.load(XML)
    with pytest.raises(AttributeError, match="nonsense"):
        peer.look("nonsense")
    with pytest.raises(AttributeError, match="nonsense"):
        peer.set(nonsense=1)
    with pytest.raises(AttributeError, match="nonsense"):
        peer.call("nonsense")
    peer.put(qpos=np.full(9, 1e12))
    peer.call("mj_step")
    assert peer.look("warning").warning["BADQPOS"] == 1


def test_death_is_told_and_another_begins():
    peer = newest.load(XML)
    os.kill(peer.process.popen.pid, signal.SIGSEGV)
    with pytest.raises(newest.Crashed, match="died.*signal 11"):
        peer.call("mj_step")
    with pytest.raises(newest.Crashed, match="load it again"):
        peer.call("mj_step")
    other = newest.load(XML)
    other.call("mj_step")
    assert other.process is not peer.process
    del peer
    assert newest.load(XML).look("time").time == 0


def test_models_without_owner_go():
    numbers = [newest.load(XML).number for _ in range(3)]
    kept = newest.load(XML)
    with pytest.raises(KeyError):
        copy.copy(kept).process.ask("data", numbers[0])


PROGRAM = """
import sys
sys.path[:0] = {paths}
import newest
peer = newest.load("<mujoco/>")
print(peer.process.popen.pid, flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["", "import os; os._exit(3)", "1/0"])
def test_it_ends_with_whom_it_serves(end):
    paths = [str(pathlib.Path(newest.__file__).parent)]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(paths=paths, end=end)],
        capture_output=True,
        timeout=60,
    )
    pid = int(done.stdout)
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        state = pathlib.Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return  # ended; whoever inherits it here does not ask
        time.sleep(0.05)
    pytest.fail("it still runs")
