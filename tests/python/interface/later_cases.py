"""What only the interface of release 4.0 has: cases for pytest in a process of their own, see test_later_cases.py."""

import copy
import gc

import mujoco
import numpy as np
import pytest
from mujoco import batch, rollout

XML = """
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="b" pos="0 0 .09" quat=".9 .1 .3 .2">
      <freejoint name="free"/>
      <geom name="g" type="box" size=".1 .2 .1" quat=".7 .1 .6 .3" adhesion="2" surfacevel="1 0 0 0 0 1"/>
      <site name="s" quat=".6 .2 .1 .4"/>
      <body name="c">
        <joint name="j" stiffness="3" springyield=".1" limited="true" range="-1 1"/>
        <geom size=".05" pos=".3 0 0"/>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="t" stiffness="2" springlength=".1 .3" springyield=".05"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><motor name="m" joint="j" delay=".03" nsample="4"/></actuator>
  <sensor><jointpos joint="j" delay=".02" nsample="3"/></sensor>
</mujoco>
"""
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


STRING = """
<mujoco>
  <option timestep="1e-3"/>
  <worldbody>
    <body name="a"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
    <body name="b" pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>
  </worldbody>
  <deformable><flex name="f" dim="1" body="a b b" vertex=".2 0 0 0 0 0 0 0 .1" element="0 1 0 2">
    <edge stiffness="30" damping="1"/></flex></deformable>
</mujoco>
"""


def test_simulations_have_numbers_of_flexes_of_their_own():
    model = mujoco.MjModel.from_xml_string(STRING)
    fleet = batch.Batch(model, 3)
    fleet.expand("flex_edgedamping")[:, 0] = 1, 2, 3
    fleet.bind("qvel")[:] = 1, 2, 3
    places, lengths = fleet.bind("flexvert_xpos"), fleet.bind("flexedge_length")
    fleet.step(nstep=20)
    for i in range(3):
        own = copy.copy(model)
        own.flex_edgedamping[0] = i + 1
        data = mujoco.MjData(own)
        data.qvel[:] = 1, 2, 3
        mujoco.mj_step(own, data, 20)
        assert (fleet.bind("qpos")[i] == data.qpos).all()
        assert (places[i] == data.flexvert_xpos).all() and (
            lengths[i] == data.flexedge_length
        ).all()
    assert fleet.bind("qpos")[0, 1] != fleet.bind("qpos")[2, 1]


@pytest.mark.parametrize("count", [3, 40])
def test_rollouts_and_batches_of_what_has_histories(model, count):
    """The bits of single steps: states have histories and yielding springs."""
    data = mujoco.MjData(model)
    first = np.empty(mujoco.mj_stateSize(model, FULL))
    mujoco.mj_getState(model, data, first, FULL)
    control = np.random.default_rng(0).normal(size=(count, 6, 1))
    states, sensors = rollout.rollout(model, data, np.tile(first, (count, 1)), control)
    fleet = batch.Batch(model, count, 2)
    recorded = fleet.rollout(6, control, record=[FULL, "sensordata", "plastic", "history"])
    assert (recorded[FULL] == states).all() and (recorded["sensordata"] == sensors).all()
    for i in (0, count - 1):
        mujoco.mj_resetData(model, data)
        for k in range(6):
            data.ctrl[:] = control[i, k]
            mujoco.mj_step(model, data)
            mujoco.mj_getState(model, data, first, FULL)
            assert (states[i, k] == first).all() and (sensors[i, k] == data.sensordata).all()
            assert (recorded["plastic"][i, k] == data.plastic).all()
            assert (recorded["history"][i, k] == data.history).all()


def test_all_that_follows_from_parameters_follows(model):
    """Each field of a simulation's model is that of a model by itself, and no simulation has what is another's."""
    fleet, rng = batch.Batch(model, 4, 2), np.random.default_rng(0)
    for name in "body_mass body_inertia geom_size geom_margin jnt_stiffness actuator_gear body_gravcomp".split():
        fleet.expand(name)[1:] *= rng.uniform(0.5, 2, (3, 1) + (1,) * (fleet.expand(name).ndim - 2))
    fleet.expand("body_gravcomp")[3, 1] = 0.5
    fleet.expand("geom_contype")[2] = 3
    given = {name: array.copy() for name, array in fleet._expanded.items()}
    fleet.set_const()
    fleet.step(nstep=3)
    for i in (3, 0, 2, 1):
        own, theirs = copy.copy(model), fleet.get_model(i)
        for name, array in given.items():
            getattr(own, name)[...] = array[i]
        data = mujoco.MjData(own)
        mujoco.mj_setConst(own, data)
        for name in batch.MODEL_FIELDS | {"ngravcomp"}:
            if "." not in name:
                np.testing.assert_array_equal(getattr(theirs, name), getattr(own, name), name)
        data = mujoco.MjData(own)
        mujoco.mj_step(own, data, 3)
        assert (fleet.qpos[i] == data.qpos).all()


def test_lists_of_fields(model):
    """Each has a value; what set-const works from, and writes, is among them."""
    data = mujoco.MjData(model)
    for owner in (model, data):
        names = type(owner)._all_fields
        assert len(set(names)) == len(names) > 100 and all(hasattr(owner, name) for name in names)
    fields = set(mujoco.MjModel._all_fields)
    assert {*mujoco.MjModel._setconst_inputs, *mujoco.MjModel._setconst_outputs} <= fields


def test_warnings_of_a_batch_are_live():
    """Counts go on from what a program writes."""
    model = mujoco.MjModel.from_xml_string(XML.replace(' delay=".03" nsample="4"', ""))
    fleet = batch.Batch(model, 3, 2)
    warning, bad = fleet.warning, int(mujoco.mjtWarning.mjWARN_BADCTRL)
    assert warning.shape == (3, int(mujoco.mjtWarning.mjNWARNING), 2) and not warning.any()
    fleet.ctrl[1, 0] = np.nan
    with pytest.warns(match="BADCTRL in 1 of 3"):
        fleet.step()
    assert list(warning[:, bad, 1]) == [0, 1, 0] and warning is fleet.warning
    warning[1, bad, 1] = 5
    fleet.ctrl[1, 0] = np.nan
    fleet.step([1])
    assert list(warning[:, bad, 1]) == [0, 6, 0]
    fleet.reset([1])
    assert not warning.any()


def test_elements(model):
    data = mujoco.MjData(model)
    data.qvel[:] = 0.3
    mujoco.mj_step(model, data, 3)
    for element, name, orientation, rotation in (
        (data.body("b"), "xiquat", data.xiquat, data.ximat),
        (data.geom("g"), "xquat", data.geom_xquat, data.geom_xmat),
        (data.site("s"), "xquat", data.site_xquat, data.site_xmat),
    ):
        assert (getattr(element, name) == orientation[element.id]).all()
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, orientation[element.id])
        assert np.allclose(matrix, rotation[element.id], atol=1e-14)
        with pytest.raises((AttributeError, ValueError)):
            setattr(element, name, 0)
    assert data.joint("free").plastic.shape == (0,)
    data.joint("j").plastic = 0.25
    data.tendon("t").plastic[:] = 0.1, 0.2
    assert list(data.plastic) == [0.25, 0.1, 0.2]
    tendon = model.tendon("t")
    assert list(tendon.J_colind) == [6] and tendon._type == 0
    assert (tendon.J_rownnz, tendon.J_rowadr) == (1, 0)
    kept = tendon.J_colind, data.joint("j").plastic
    del model, data, tendon
    gc.collect()
    assert list(kept[0]) == [6] and list(kept[1]) == [0.25]


def test_truth_values_of_elements_are_views(model):
    model.joint("j").limited[:] = False
    assert model.joint("j").limited.dtype == bool and not model.jnt_limited[1]
    model.joint("j").limited = True
    assert model.jnt_limited[1]


def test_addresses_that_a_program_spoils(model):
    broken = mujoco.MjData(model)
    model.jnt_plasticadr[1] = 10**6
    model.tendon_plasticadr[0] = 10**6
    for element in (broken.joint("j"), broken.tendon("t")):
        with pytest.raises(ValueError, match="leaves"):
            _ = element.plastic
    model.geom_bodyid[1] = 10**6
    assert (broken.geom("g").xquat == [1, 0, 0, 0]).all()


def test_contacts(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contact = data.contact[0]
    of_box = (data.contact.geom == 1).any(1)
    assert contact.adhesion == 2 and (data.contact.adhesion == 2 * of_box).all()
    assert np.abs(contact.surfacevel).max() > 0.5
    contact.surfacevel = 1, 2, 3
    assert (data.contact.surfacevel[0] == [1, 2, 3]).all()
    with pytest.raises(ValueError):
        contact.surfacevel = 1, 2


def test_parts_are_replaced_as_a_whole(model):
    view, option = model.opt.gravity, mujoco.MjOption()
    option.gravity, option.timestep = (0, 0, -1), 0.5
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    model.opt = option
    assert (view == [0, 0, -1]).all() and model.opt == option and model.opt is not option
    option.timestep = 0.1
    assert model.opt.timestep == 0.5
    statistic = mujoco.MjStatistic()
    statistic.extent, statistic.center = 4, (1, 2, 3)
    model.stat = statistic
    assert model.stat.extent == 4 and list(model.stat.center) == [1, 2, 3]
    visual = copy.copy(model.vis)
    visual.global_.fovy, visual.rgba.fog = 75, (0.1, 0.2, 0.3, 0.4)
    model.vis = visual
    assert model.vis == visual and model.vis.global_.fovy == 75
    light = copy.copy(model.vis.headlight)
    light.diffuse = 0.5, 0.6, 0.7
    model.vis.headlight = light
    assert np.allclose(model.vis.headlight.diffuse, [0.5, 0.6, 0.7])
    for name, value in (("opt", statistic), ("vis", 3), ("stat", None)):
        with pytest.raises(TypeError):
            setattr(model, name, value)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_whitened_jacobian(jacobian):
    """Y Y' is the matrix of the dual problem, of solvers that have one."""
    settings = f'<option timestep=".01" solver="PGS" jacobian="{jacobian}"/>'
    model = mujoco.MjModel.from_xml_string(XML.replace('<option timestep=".01"/>', settings))
    data = mujoco.MjData(model)
    data.qpos[-1] = 1.2
    mujoco.mj_forward(model, data)
    y = np.zeros((data.nefc, model.nv))
    if jacobian == "dense":
        y[:] = data.efc_Y.reshape(y.shape)
    else:
        mujoco.mju_sparse2dense(
            y, data.efc_Y, data.efc_Y_rownnz, data.efc_Y_rowadr, data.efc_Y_colind
        )
    wanted = np.zeros((data.nefc, data.nefc))
    if jacobian == "dense":
        wanted[:] = data.efc_AR.reshape(wanted.shape)
    else:
        mujoco.mju_sparse2dense(
            wanted, data.efc_AR, data.efc_AR_rownnz, data.efc_AR_rowadr, data.efc_AR_colind
        )
    assert data.nY == data.efc_Y.size > 0
    assert np.allclose(y @ y.T + np.diag(data.efc_R), wanted, rtol=1e-9, atol=1e-9)
    model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    assert data.nY == 0 and data.efm_c.shape == (model.nv,) and not data.efm_active
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_DISCRETE
    with pytest.raises(AttributeError, match="qMstep"):
        _ = data.efm_c


def test_flags_of_models(model):
    data = mujoco.MjData(model)
    assert model.flg_surfacevel and model.flg_adhesion and not model.flg_gravcomp
    with pytest.raises(ValueError, match="geom_surfacevel"):
        model.flg_surfacevel = False
    model.body_gravcomp[1:] = 1
    mujoco.mj_forward(model, data)
    assert not data.qfrc_gravcomp.any()
    model.flg_gravcomp = True
    mujoco.mj_forward(model, data)
    assert model.ngravcomp == 2 and np.isclose(data.qfrc_gravcomp[2], model.body_mass.sum() * 9.81)
    model.flg_gravcomp = False
    mujoco.mj_forward(model, data)
    assert not data.qfrc_gravcomp.any() and model.ngravcomp == 0
    model.geom_adhesion[:] = 0
    assert not model.flg_adhesion
    model.flg_adhesion = True
    assert model.flg_adhesion and not copy.copy(model).flg_adhesion


def test_a_context_for_a_while():
    """Then the one before it draws again, also after an error."""
    model = mujoco.MjModel.from_xml_string(XML)
    first, second = mujoco.GLContext(64, 64), mujoco.GLContext(64, 64)
    first.make_current()
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    with pytest.raises(KeyError), second.as_current():
        raise KeyError
    with first.as_current(), second.as_current(), second.as_current():
        pass
    rect, rgb = mujoco.MjrRect(0, 0, 8, 8), np.empty((8, 8, 3), np.uint8)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    mujoco.mjr_rectangle(rect, 1, 0, 0, 1)
    mujoco.mjr_readPixels(rgb, None, rect, context)
    assert (rgb[..., 0] == 255).all()
    context.free()
    second.free()
    with second.as_current():
        pass
    first.free()


def test_messages_of_compilations(tmp_path, capsys):
    """To where a configuration says, which is a copy; a file that cannot be written is a warning."""
    before = mujoco.MjLogConfig.get()
    assert (before.logto_console, before.logto_file, before.topics) == (True, True, 0)
    wanted = mujoco.MjLogConfig.get()
    wanted.logfile, wanted.topics = (
        str(tmp_path / "log"),
        1 << (mujoco.mjtLogTopic.mjTOPIC_TIME_CMP - 1),
    )
    mujoco.MjModel.from_xml_string("<mujoco/>")
    assert not (tmp_path / "log").exists()
    wanted.set()
    try:
        mujoco.MjModel.from_xml_string(XML)
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_string("<mujoco><nothing/></mujoco>")
        wanted.topics = 0
        mujoco.MjModel.from_xml_string(XML)
        text = (tmp_path / "log").read_text()
        assert text.count("compile time (ms)") == 2 and "polygon:" in text
        assert capsys.readouterr().out.count("INFO: compile time") == 2
        wanted.topics, wanted.logfile = 2, str(tmp_path / "none" / "log")
        wanted.set()
        with pytest.warns(match="logfile cannot be written"):
            mujoco.MjModel.from_xml_string(XML)
    finally:
        before.set()
    for name, value in (
        ("logfile", 3),
        ("logfile", "x" * 2000),
        ("topics", "a"),
        ("topics", 2**40),
    ):
        with pytest.raises((TypeError, ValueError)):
            setattr(wanted, name, value)
    with pytest.raises(AttributeError):
        wanted.other = 1
    message = mujoco.MjLogMessage()
    assert (message.level, message.subject, message.body) == (0, "", None)
    assert copy.copy(wanted).topics == 2 == copy.deepcopy(wanted).topics


def test_what_is_otherwise_than_at_the_peer(model):
    files = mujoco.MjVfs()
    with pytest.raises(ValueError, match="null character"):
        files["a\0b"] = b""
    assert "a" not in files and repr(mujoco.MjLogConfig()).startswith("<sinew")
    assert (model.tendon("t")._lengthspring == [0.1, 0.3]).all()


def test_a_world_without_trees():
    data = mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>"))
    assert list(data.body_awake) == [-1] and list(data.body_awake_ind) == [0]
