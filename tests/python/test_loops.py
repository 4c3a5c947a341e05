"""Closed loops in Python: `sinew.loops`, specs with loops, sensors of loop forces, warnings by name."""

import warnings

import mujoco
import numpy as np
import pytest

import sinew
import sinew.loops
import sinew.mujoco
from linkage_models import MODELS

BAR = "<geom type='capsule' size='.02' fromto='0 0 0 {}'/>"
# A planar four-bar, whose loop joint has three rows too many, a pendulum geared to it, and a falling ball.
FOURBAR = f"""
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <site name="ground" pos="1 0 0" euler="90 0 0"/>
    <body name="crank"><joint name="j1" axis="0 1 0"/>{BAR.format("0 0 1")}
      <body name="coupler" pos="0 0 1"><joint name="j2" axis="0 1 0"/>{BAR.format("1 0 0")}
        <body name="rocker" pos="1 0 0"><joint name="j3" axis="0 1 0"/>{BAR.format("0 0 -1")}
          <site name="end" pos="0 0 -1" euler="90 0 0"/>
        </body></body></body>
    <body name="alone" pos="0 3 0"><joint name="j4" axis="0 1 0"/>{BAR.format("0 0 1")}</body>
    <body name="ball" pos="0 0 9"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <equality><joint name="gear" joint1="j4" joint2="j1" polycoef="0 2 0 0 0"/></equality>
  <custom><text name="sinew_loop_pin" data="revolute ground end"/>SETTING</custom>
  SENSORS
</mujoco>
"""
# A mass that hangs on the world by loops of every kind that says its whole force.
HANGING = """
<mujoco>
  <option gravity="0 0 -10"><flag contact="disable"/></option>
  <worldbody>
    <site name="w" pos="0 0 1" euler="0 90 0"/>
    <body name="m" pos="0 0 1"><freejoint/><geom type="sphere" size=".1" mass="2" pos="0 .5 0"/>
      <site name="s" euler="0 90 0"/></body>
  </worldbody>
  <custom>LOOP<text name="sinew_loops" data="exact"/></custom>
  EQUALITY
  <sensor>SENSORS</sensor>
</mujoco>
"""


def fourbar(mode="soft", sensors=""):
    setting = f'<text name="sinew_loops" data="{mode}"/>'
    m = sinew.Model.from_xml(FOURBAR.replace("SETTING", setting).replace("SENSORS", sensors))
    return m, sinew.Data(m)


def moving(mode="exact", sensors=""):
    m, d = fourbar(mode, sensors)
    d.qpos[:4] = 0.3, -0.3, 0.3, 0.6
    d.qvel[:] = sinew.loops.G(m, forward(m, d)) @ np.full(sinew.loops.mobility(m, d), 0.7)
    return m, forward(m, d)


def forward(m, d):
    sinew.forward(m, d)
    return d


def test_properties_of_clusters():
    m, d = fourbar()
    forward(m, d)
    clusters, total = sinew.loops.properties(m, d)
    assert len(clusters) == 1 and clusters[0].loops == ("pin",)
    pin = clusters[0]
    assert (pin.n, pin.nc, pin.r, pin.mobility, pin.redundancy, pin.gruebler) == (3, 5, 2, 1, 3, -2)
    assert (total.n, total.nc, total.r, total.mobility) == (10, 5, 2, 8)
    assert pin.condition >= 1 and pin.error < 1e-12 and total.condition == pin.condition
    assert sinew.loops.mobility(m, d) == 8
    m.opt.loops = sinew.Loops.EXACT
    clusters, total = sinew.loops.properties(m, forward(m, d))
    assert clusters[0].loops == ("pin", "gear") and total.mobility == 7
    d.eq_active[0] = 0
    assert sinew.loops.properties(m, forward(m, d))[1].mobility == 8


def test_a_model_without_loops():
    m = sinew.Model.from_xml(
        "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    )
    d = forward(m, sinew.Data(m))
    clusters, total = sinew.loops.properties(m, d)
    assert clusters == [] and total.mobility == 1 and total.condition == 1 and total.error == 0
    assert sinew.loops.K(m, d).shape == (0, 1)
    np.testing.assert_array_equal(sinew.loops.G(m, d), np.eye(1))
    assert sinew.loops.forces(m, d) == {} and sinew.loops.error(m, d) == {}
    qacc, lambda_ = sinew.loops.solve(m, d, [2.0])
    np.testing.assert_allclose(qacc, sinew.solveM(m, d, [2.0]))
    assert lambda_.shape == (0,)


def test_all_solutions_of_the_equations():
    m, d = moving()
    K, G, g, k = (f(m, d) for f in (sinew.loops.K, sinew.loops.G, sinew.loops.g, sinew.loops.k))
    assert K.shape == (6, 10) and G.shape == (10, 7) and g.shape == (10,) and k.shape == (6,)
    assert np.abs(K @ G).max() < 1e-12
    np.testing.assert_allclose(K @ g, k, atol=1e-10)
    assert np.linalg.matrix_rank(np.vstack([K, G.T])) == m.nv
    np.testing.assert_allclose(K @ d.qacc, k, atol=1e-9)


@pytest.mark.parametrize("solution", [None, 1, 2, 3, "kkt", "lambda", "y"])
def test_solve_fulfils_the_equations_of_motion(solution):
    m, d = moving()
    force = np.random.default_rng(1).normal(size=m.nv)
    K, M = sinew.loops.K(m, d), sinew.fullM(m, d)
    qacc, lambda_ = sinew.loops.solve(m, d, force, solution)
    np.testing.assert_allclose(M @ qacc, force + K.T @ lambda_, atol=1e-9)
    np.testing.assert_allclose(K @ qacc, sinew.loops.k(m, d), atol=1e-9)
    # of all forces that do so, those of least norm
    np.testing.assert_allclose(
        lambda_, np.linalg.lstsq(K.T, K.T @ lambda_, rcond=1e-9)[0], atol=1e-8
    )
    qacc, lambda_ = sinew.loops.solve(m, d, solution=solution)
    np.testing.assert_allclose(qacc, d.qacc, atol=1e-8)
    np.testing.assert_allclose(lambda_, d.loop_force, atol=1e-8)


def test_wrong_arguments_of_solve():
    m, d = moving()
    with pytest.raises(ValueError, match="solution is 'z', must be one of kkt, lambda, y"):
        sinew.loops.solve(m, d, solution="z")
    with pytest.raises(ValueError, match="solution is 4, must be 1, 2 or 3"):
        sinew.loops.solve(m, d, solution=4)
    with pytest.raises(ValueError, match="force"):
        sinew.loops.solve(m, d, np.zeros(9))
    with pytest.raises(TypeError):
        sinew.loops.mobility(m, m)
    other = sinew.Model.from_xml("<mujoco/>")
    with pytest.raises(ValueError, match="another model"):
        sinew.loops.mobility(other, d)


def test_forces_and_errors_by_name():
    m, d = moving()
    forces = sinew.loops.forces(m, d)
    assert list(forces) == ["pin", "gear"] == sinew.loops.names(m, d)
    assert forces["pin"].shape == (6,) and isinstance(forces["gear"], float)
    assert abs(forces["pin"][2]) < 1e-9  # no torque about the axis
    assert forces["gear"] == d.loop_force[-1]
    error = sinew.loops.error(m, d)
    assert set(error) == {"pin", "gear"} and max(error.values()) < 1e-12
    d.qpos[0] += 0.1
    error = sinew.loops.error(m, forward(m, d))
    assert error["gear"] == pytest.approx(0.2) and error["pin"] > 0.05


def test_a_nameless_equality_goes_by_its_id():
    m = sinew.Model.from_xml(
        FOURBAR.replace(' name="gear"', "").replace("SETTING", "").replace("SENSORS", "")
    )
    m.opt.loops = sinew.Loops.EXACT
    d = forward(m, sinew.Data(m))
    assert sinew.loops.names(m, d) == ["pin", "[1]"]


# ---- sensors


def hanging(loop, dim, equality=""):
    sensor = f'<user name="sinew_loop_x" dim="{dim}"/>'
    text = HANGING.replace("LOOP", loop).replace("EQUALITY", equality).replace("SENSORS", sensor)
    m = sinew.Model.from_xml(text)
    return m, forward(m, sinew.Data(m))


WELD = '<equality><weld name="x" site1="w" site2="s"/></equality>'
FIXED = '<text name="sinew_loop_x" data="fixed w s"/>'
# The world holds 20 N half a metre aside: up is -x of the sites' axes, turned by 90 degrees about y.
TORQUE, FORCE = [0, 0, 10.0], [-20.0, 0, 0]


@pytest.mark.parametrize("loop,equality", [(FIXED, ""), ("", WELD)])
def test_sensors_show_the_force_on_the_successor(loop, equality):
    m, d = hanging(loop, 6, equality)
    np.testing.assert_allclose(d.sensordata, TORQUE + FORCE, atol=1e-9)
    np.testing.assert_allclose(d.sensordata, sinew.loops.forces(m, d)["x"], atol=0)
    m3, d3 = hanging(loop, 3, equality)
    np.testing.assert_allclose(d3.sensordata, d.sensordata[3:], atol=0)


def test_sensors_of_single_rows():
    m, d = hanging('<text name="sinew_loop_x" data="sphere-in-plane w s"/>', 1)
    np.testing.assert_array_equal(d.sensordata, d.loop_force)
    m, d = moving(sensors='<sensor><user name="sinew_loop_gear" dim="1"/></sensor>')
    assert d.sensordata[0] == sinew.loops.forces(m, d)["gear"] != 0
    m.opt.loops = sinew.Loops.SOFT
    assert forward(m, d).sensordata[0] == 0
    m.opt.loops = sinew.Loops.EXACT
    assert forward(m, d).sensordata[0] != 0
    d.eq_active[0] = 0
    assert forward(m, d).sensordata[0] == 0


def test_cutoff_and_callback_of_sensors():
    sensors = '<sensor><user name="sinew_loop_pin" dim="3" cutoff="0.25"/><user name="mine" dim="1"/></sensor>'
    m, d = moving(sensors=sensors)
    force = sinew.loops.forces(m, d)["pin"][3:]
    np.testing.assert_array_equal(d.sensordata[:3], np.clip(force, -0.25, 0.25))
    seen = []

    def fill(model, data, stage):
        if stage == sinew.Stage.ACC:
            seen.append(np.array(data.sensordata[:3]))
            data.sensordata[3] = 7

    d.set_callback("sensor", fill)
    forward(m, d)
    assert d.sensordata[3] == 7 and len(seen) == 1
    np.testing.assert_allclose(seen[0], force)


def test_sensors_of_what_was_attached():
    child = sinew.Spec.from_xml(
        HANGING.replace("LOOP", FIXED)
        .replace("EQUALITY", "")
        .replace("SENSORS", '<user name="sinew_loop_x" dim="6"/>')
    )
    spec = sinew.Spec.from_xml(
        '<mujoco><option gravity="0 0 -10"><flag contact="disable"/></option></mujoco>'
    )
    spec.attach(child, prefix="l/", suffix="!")
    spec.attach(child, prefix="r/")
    m = spec.compile()
    d = forward(m, sinew.Data(m))
    assert sinew.loops.names(m, d) == ["l/x!", "r/x"]
    np.testing.assert_array_equal(
        d.sensor("l/sinew_loop_x!").data, sinew.loops.forces(m, d)["l/x!"]
    )
    np.testing.assert_allclose(d.sensordata[3:6], FORCE, atol=1e-9)


def test_the_peer_loads_models_with_loops_and_their_sensors():
    text = FOURBAR.replace("SETTING", "").replace(
        "SENSORS", '<sensor><user name="sinew_loop_pin" dim="6"/></sensor>'
    )
    written = sinew.Spec.from_xml(text).to_xml()
    peer = mujoco.MjModel.from_xml_string(written)
    assert peer.nsensor == 1 and peer.ntext == 1 and b"sinew_loop_pin" in peer.names
    again = sinew.Model.from_xml(written)
    assert again.nloop == 1 and again.sensor_loopid[0] == 0


def test_what_the_peer_attaches_keeps_its_loops():
    text = FOURBAR.replace("SETTING", "").replace("SENSORS", "")
    for prefix, suffix in [("a_", ""), ("", "_b"), ("a_", "_b")]:
        parent, child = mujoco.MjSpec(), mujoco.MjSpec.from_string(text)
        parent.attach(child, prefix=prefix, suffix=suffix, frame=parent.worldbody.add_frame())
        parent.compile()
        m = sinew.Model.from_xml(parent.to_xml())
        assert m.nloop == 1
        names = [m.site(int(i)).name for i in m.loop_siteid[0]]
        assert names == [f"{prefix}ground{suffix}", f"{prefix}end{suffix}"]
        d = forward(m, sinew.Data(m))
        assert sinew.loops.names(m, d) == [f"{prefix}pin{suffix}"]


def test_attachments_change_the_text_of_loops_which_the_peers_leave():
    text = FOURBAR.replace("SETTING", '<text name="sinew_loops" data="exact"/>').replace(
        "SENSORS", ""
    )
    peer, child = mujoco.MjSpec(), mujoco.MjSpec.from_string(text)
    peer.attach(child, prefix="a_", frame=peer.worldbody.add_frame())
    theirs = bytes(peer.compile().text_data)
    assert b"revolute ground end" in theirs and b"exact" in theirs
    ours = sinew.Spec()
    ours.attach(sinew.Spec.from_xml(text), prefix="a_")
    assert [e.data for e in ours.texts] == [
        "revolute a_ground a_end"
    ]  # options of the child stay behind


def test_replicas_of_loops_which_the_peer_has_once():
    text = """<mujoco><worldbody><site name="w"/><replicate count="2"><body><joint/><geom size="1"/>
      <site name="p"/></body></replicate></worldbody>
      <custom><text name="sinew_loop_k" data="spherical w p"/></custom></mujoco>"""
    assert mujoco.MjModel.from_xml_string(text).ntext == 1
    m = sinew.Model.from_xml(text)
    assert m.ntext == 2 and [m.site(int(i)).name for i in m.loop_siteid[:, 1]] == ["p0", "p1"]


# ---- specs


def test_specs_with_loops():
    spec = sinew.Spec.from_xml(FOURBAR.replace("SETTING", "").replace("SENSORS", ""))
    spec.text("sinew_loop_pin").remove()
    assert spec.loops == []
    loop = spec.add_loop("knee", "revolute", spec.site("ground"), "end", stiffness=3, damping=0.1)
    assert (
        loop.name == "sinew_loop_knee"
        and loop.data == "revolute ground end stiffness=3.0 damping=0.1"
    )
    assert spec.loops == [loop]
    spec.site("end").name = "tip"
    spec.set_loops("exact", tstab=0.25, project=False, solution=2)
    m = spec.compile()
    assert (m.nloop, m.loop_stiffness[0], m.loop_damping[0]) == (1, 3, 0.1)
    assert m.opt.loops == sinew.Loops.EXACT and m.opt.loop_tstab == 0.25 and m.opt.loop_project == 0
    assert m.opt.loop_solution == 2
    again = sinew.Spec.from_xml(spec.to_xml()).compile()
    assert again.nloop == 1 and again.opt.loop_tstab == 0.25
    spec.set_loops(None)
    assert spec.compile().opt.loops == sinew.Loops.SOFT


@pytest.mark.parametrize(
    "arguments,keys,message",
    [
        (("k", "revolut", "ground", "end"), {}, 'did you mean "revolute"'),
        (
            ("k", "revolute", "ground", "end"),
            {"pitch": 1},
            "pitch is nothing that a revolute joint has",
        ),
        (("k", "helical", "ground", "end"), {}, "needs pitch=VALUE"),
        (("k", "revolute", "gr ound", "end"), {}, "words without blanks"),
        (("k", "revolute", "ground", "end"), {"stifness": 1}, 'did you mean "stiffness"'),
        (("k", "revolute", "ground", "end"), {"stiffness": np.inf}, "not a finite number"),
        (("pin", "revolute", "ground", "end"), {}, "this name is taken"),
        (("", "revolute", "ground", "end"), {}, "needs a name"),
    ],
)
def test_wrong_loops_of_specs(arguments, keys, message):
    spec = sinew.Spec.from_xml(FOURBAR.replace("SETTING", "").replace("SENSORS", ""))
    with pytest.raises(ValueError, match=message):
        spec.add_loop(*arguments, **keys)
    assert len(spec.texts) == 1
    with pytest.raises(sinew.ModelError, match='did you mean "exact"'):
        spec.set_loops("exakt")
    with pytest.raises(sinew.ModelError, match="solution=7 must be 1, 2 or 3"):
        spec.set_loops("exact", solution=7)
    assert len(spec.texts) == 1


# ---- options


@pytest.mark.parametrize(
    "option,value,message",
    [
        ("loops", 5, r"option loops is 5, must be one of: soft \(0\), exact \(1\)"),
        ("loop_solution", 0, "option loop_solution is 0, must be one of"),
        ("loop_tstab", -1.0, "option loop_tstab is -1, must be positive"),
        ("loop_tstab", np.nan, "must be finite"),
        ("loop_ranktol", 1.0, "must be 0 or more, and below 1"),
        ("loop_project", 2, "option loop_project is 2, must be 0 or 1"),
        ("loop_project", -1, "option loop_project is -1, must be 0 or more"),
    ],
)
def test_wrong_options_are_refused(option, value, message):
    m, _ = fourbar()
    before = getattr(m.opt, option)
    with pytest.raises(ValueError, match=message):
        setattr(m.opt, option, value)
    assert getattr(m.opt, option) == before


def test_too_long_steps_for_the_decay():
    m, _ = fourbar("exact")
    with pytest.raises(
        ValueError, match="loop_tstab is 0.1, too small for the timestep 0.06: make it 0.12"
    ):
        m.opt.timestep = 0.06


# ---- warnings


def test_an_open_loop_is_named_once():
    far = '<weld name="far" body1="alone" body2="crank" relpose="9 0 0 1 0 0 0"/></equality>'
    text = FOURBAR.replace("SETTING", "").replace("SENSORS", "").replace("</equality>", far)
    m = sinew.Model.from_xml(text)
    m.opt.loops = sinew.Loops.EXACT  # where it is compiled so it is an error
    d = sinew.Data(m)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        sinew.step(m, d, 5)
        sinew.step(m, d, 5)
    told = [w for w in seen if issubclass(w.category, sinew.SimulationWarning)]
    assert len([w for w in told if 'loop "far"' in str(w.message)]) == 1, [
        str(w.message) for w in seen
    ]
    assert told[0].filename == __file__


def test_a_misspelt_field_is_warned_of():
    with pytest.warns(sinew.ModelWarning, match="did you mean sinew_loops"):
        sinew.Model.from_xml(
            "<mujoco><custom><text name='sinew_lops' data='exact'/></custom></mujoco>"
        )


def test_the_peers_names_have_no_loops():
    assert not [name for name in dir(sinew.mujoco) if "loop" in name.lower()]
    assert not hasattr(sinew.mujoco.MjSpec, "add_loop")
    m = sinew.mujoco.MjModel.from_xml_string(FOURBAR.replace("SETTING", "").replace("SENSORS", ""))
    assert m.text("sinew_loop_pin").data == "revolute ground end"


# ---- assembly, inverse dynamics, other methods


def test_assemble_closes_near_where_it_is():
    m, d = fourbar("exact")
    d.qpos[:4] = 0.35, -0.2, 0.3, 0.0
    d.qvel[:4] = 1, 0, 0, 0
    before = d.qpos.copy()
    found = sinew.loops.assemble(m, d)
    assert found.error < 1e-11 and found.loop in ("pin", "gear") and 1 < found.iterations < 30
    assert np.abs(d.qpos[:3] - before[:3]).max() < 0.3
    forward(m, d)
    assert max(sinew.loops.error(m, d).values()) < 1e-11
    np.testing.assert_allclose(sinew.loops.K(m, d) @ d.qvel, 0, atol=1e-10)


@pytest.mark.parametrize("fixed", [["j1"], np.arange(10) == 0])
def test_assemble_keeps_fixed_dofs(fixed):
    m, d = fourbar("exact")
    d.qpos[:4] = 0.5, -0.2, 0.3, 0.0
    sinew.loops.assemble(m, d, fixed)
    assert d.qpos[0] == 0.5 and d.qpos[3] == pytest.approx(1.0)


def test_what_cannot_be_assembled_is_named():
    m, d = fourbar("exact")
    d.qpos[:4] = 0.5, 0.5, 0.5, 0.0
    before = d.qpos.copy()
    with pytest.raises(sinew.ModelError, match="pin"):
        sinew.loops.assemble(m, d, ["j1", "j2", "j3"])
    np.testing.assert_array_equal(d.qpos, before)
    with pytest.raises(KeyError, match="there is no joint 'knee'"):
        sinew.loops.assemble(m, d, ["knee"])
    with pytest.raises(ValueError, match=r"truth values of shape \(10,\)"):
        sinew.loops.assemble(m, d, np.zeros(3, bool))
    with pytest.raises(ValueError, match=r"truth values of shape \(10,\)"):
        sinew.loops.assemble(m, d, [0, 1])


def test_independent_accelerations_of_your_own():
    m, d = moving()
    K = sinew.loops.K(m, d)
    for y in (["j3"], ["j4"]):
        G, g = sinew.loops.independent(m, d, y)
        dof = m.jnt_dofadr[m.joint(y[0]).id]
        np.testing.assert_allclose(G[dof], np.eye(7)[0], atol=1e-12)
        assert np.abs(K @ G).max() < 1e-11 and g[dof] == 0
        np.testing.assert_allclose(K @ g, sinew.loops.k(m, d), atol=1e-9)
    with pytest.raises(ValueError, match="pin"):
        sinew.loops.independent(m, d, ["j1", "j3"])


def test_inverse_dynamics():
    m, d = moving()
    found = sinew.loops.inverse(m, d, ["j1"])
    assert (
        found.u.shape == (1,)
        and found.G_u.shape == (1, 7)
        and found.rank == 1
        and found.underactuated
    )
    marks = np.ones(m.nv, bool)
    marks[1:4] = False
    wanted = d.qacc.copy()
    wanted[:] = sinew.loops.G(m, d) @ np.linspace(-1, 1, 7) + sinew.loops.g(m, d)
    d.qacc[:] = wanted
    found = sinew.loops.inverse(m, d, marks)
    assert not found.underactuated and not found.redundant and found.residual < 1e-9
    assert found.inconsistency < 1e-9 and found.kernel == 0
    d.qfrc_applied[:] = found.tau
    np.testing.assert_allclose(forward(m, d).qacc, wanted, atol=1e-8)
    # of two motors at one freedom the forces of least weighted norm
    d.qfrc_applied[:] = 0
    d.qacc[:] = wanted
    marks[1] = True
    both = sinew.loops.inverse(m, d, marks, weight=np.where(np.arange(8) == 0, 1e6, 1.0))
    assert both.redundant and both.kernel == 1 and abs(both.u[0]) < abs(found.u[0])
    with pytest.raises(ValueError, match="weight"):
        sinew.loops.inverse(m, d, marks, weight=np.ones(3))


def test_the_sparse_method():
    m, d = moving()
    qacc, lambda_ = sinew.loops.sparse(m, d)
    np.testing.assert_allclose(qacc, d.qacc, atol=1e-8)
    np.testing.assert_allclose(lambda_, d.loop_force, atol=1e-8)
    force = np.random.default_rng(2).normal(size=m.nv)
    qacc, lambda_ = sinew.loops.sparse(m, d, force)
    want, forces = sinew.loops.solve(m, d, force - d.qfrc_bias)
    np.testing.assert_allclose(qacc, want, atol=1e-8)
    np.testing.assert_allclose(lambda_, forces, atol=1e-8)


def test_sizes_of_the_sparse_method():
    m = sinew.Model.from_path(MODELS / "stewart.xml")
    d = forward(m, sinew.Data(m))
    count = sinew.loops.sparse_count(m, d)
    bodies = m.nbody - 1
    assert count.unknowns == 6 * bodies + (6 * bodies - m.nv) + d.nlooprow
    assert count.rows == d.nlooprow == 18 and count.dependent == 0
    assert bodies < count.nonzeros < count.unknowns**2 / 2
    m, d = moving()
    assert sinew.loops.sparse_count(m, d).dependent == 3
