"""Attributes: every field of the tables is there, as a view of the right shape that keeps itself alive."""

import gc
import sys
import warnings
import weakref

import numpy as np
import pytest

import sinew
import sinew.mujoco
from sinew import _core
from yard import XML

TABLES = _core.tables()
DTYPES = {"double": np.float64, "float": np.float32, "int": np.int32, "uint8_t": np.uint8}


DENSE = ("efc_J", "ten_J")  # compact in the library


def size_of(model, data, text):
    """A number, a size, or an expression like `nmocap * 3`."""
    names = {name: getattr(model, name) for name, _ in TABLES["sizes"]}
    scalars = {n: getattr(data, n) for n in dir(data) if n.startswith("n") and n not in names}
    return eval(text, names | scalars)  # our own tables


@pytest.mark.parametrize("table", ["model", "data"])
def test_every_field_has_its_shape(model, data, table):
    owner = model if table == "model" else data
    for name, ctype, rows, columns, *_ in TABLES[table]:
        value = getattr(owner, name)
        rows = size_of(model, data, rows)
        if ctype == "char":
            assert isinstance(value, bytes) and len(value) == rows, name
            continue
        shape = (rows, size_of(model, data, columns))[: 1 + (columns != "1")]
        if name in DENSE:  # made when it is asked for
            shape = (data.nefc if name == "efc_J" else model.ntendon, model.nv)
        assert value.shape == shape, name
        if name != "contact":
            assert value.dtype == DTYPES[ctype], name
        assert value.flags.c_contiguous, name


def test_sizes_are_read_only(model, data):
    for owner, name in [(model, "nq"), (model, "narena"), (data, "ncon"), (data, "nefc")]:
        with pytest.raises(AttributeError):
            setattr(owner, name, 3)
    with pytest.raises(AttributeError):
        del data.qpos
    with pytest.raises(AttributeError):
        del data.time
    with pytest.raises(AttributeError):
        data.qpso = 1  # a slip of the finger is no new attribute


def test_names_are_bytes(model):
    assert model.names.startswith(b"yard\0") and model.text_data == b"a yard\0"


@pytest.mark.parametrize("table", ["model", "data"])
def test_what_is_done_to_a_view_stays_there(model, data, table):
    """Its shape, its type and its flags are the caller's, the memory is the simulation's."""
    owner = model if table == "model" else data
    names = [name for name, ctype, *_ in TABLES[table] if ctype != "char"]
    parts = [(owner, name) for name in names]
    if table == "data":
        parts += [(data, n) for n in ("energy", "solver_fwdinv", "warning", "solver")]
    else:
        parts += [(model.opt, "gravity"), (model.stat, "center"), (model.vis.rgba, "fog")]
    for part, name in parts:
        view, fresh = getattr(part, name), getattr(part, name)
        before = view.shape, view.dtype, view.strides
        assert fresh is not view, name
        if view.size and name not in DENSE:  # which are made for the caller
            assert np.shares_memory(fresh, view), name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy: to set the shape
            view.shape = (*view.shape, 1)
            if view.dtype.isbuiltin and view.size:
                view.dtype = np.uint8
        view.flags.writeable = False
        again = getattr(part, name)
        assert (again.shape, again.dtype, again.strides) == before, name
        assert again.flags.writeable, name
    data.qpos = np.arange(9.0)
    assert data.qpos[8] == 8 and data.joint("elbow").qpos.shape == (1,)
    assert model.opt is model.opt


def test_spec_views_are_their_callers():
    spec = sinew.mujoco.MjSpec()
    geom = spec.worldbody.add_geom(size=[1, 2, 3], type=sinew.mujoco.mjtGeom.mjGEOM_BOX)
    for owner, name in ((geom, "size"), (geom.alt, "euler")):
        view = getattr(owner, name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            view.shape = (3, 1)
        view.flags.writeable = False
        assert getattr(owner, name).shape == (3,) and getattr(owner, name).flags.writeable
    geom.size[0] = 4
    assert spec.compile().geom_size.tolist() == [[4, 2, 3]]


def test_views_outlive_their_owner():
    model = sinew.Model.from_xml(XML)
    data = sinew.Data(model)
    sinew.step(model, data)
    views = [data.qpos, data.xpos, data.contact, data.efc_J, data.warning, data.energy]
    views += [model.body_mass, model.opt.gravity, model.stat.center, model.vis.rgba.fog]
    option, joint = model.opt, data.joint("elbow")
    before = [v.copy() for v in views]
    died = weakref.ref(data), weakref.ref(model)
    gc.disable()
    try:
        del data
        assert died[0]() is None  # `joint` has its memory
        assert joint.qpos.shape == (1,)
        del joint
        del model
        assert died[1]() is None
    finally:
        gc.enable()
    junk = [np.full(1000, 7.0) for _ in range(1000)]
    assert all((v == b).all() for v, b in zip(views, before, strict=True)) and junk
    assert option.timestep == 0.004
    views[0][:] = 1  # still ours to write


def test_no_references_are_lost(model, data):
    def use():
        data.qpos[0], model.names, data.contact, data.efc_J, data.joint("elbow").qpos
        sinew.jacBody(model, data, 1)
        sinew.getState(model, data, sinew.StateBit.INTEGRATION)
        for wrong in (lambda: sinew.step(model, 3), lambda: data.joint("nobody")):
            with pytest.raises((TypeError, KeyError)):
                wrong()

    use()
    before = [sys.getrefcount(x) for x in (model, data, data.qpos, type(model), type(data), None)]
    for _ in range(100):
        use()
    after = [sys.getrefcount(x) for x in (model, data, data.qpos, type(model), type(data), None)]
    assert all(abs(a - b) < 50 for a, b in zip(after, before, strict=True)), (before, after)


def test_writes_are_visible_both_ways(model, data):
    data.qpos[7] = 0.25
    assert data.joint("shoulder").qpos == 0.25
    sinew.kinematics(model, data)
    first = data.site_xpos.copy()
    data.qpos = np.append(data.qpos[:7], [0.5, 0.1])
    sinew.kinematics(model, data)
    assert np.abs(data.site_xpos - first).max() > 0.01
    model.body_mass[1] *= 2
    assert model.body("crate").mass == model.body_mass[1]


def test_assignment_checks_shapes(model, data):
    data.qvel = 0.5
    assert (data.qvel == 0.5).all()
    data.ctrl = [1, 2]
    assert data.ctrl.tolist() == [1, 2]
    for wrong in (np.zeros(3), np.zeros((model.nv, 1)), np.zeros(model.nv + 1)):
        with pytest.raises(ValueError, match="shape"):
            data.qvel = wrong
    with pytest.raises(ValueError, match="could not convert"):
        data.qvel = "fast"
    data.xfrc_applied[1] = 1, 2, 3, 4, 5, 6
    data.time = 3
    assert data.time == 3.0 and isinstance(data.time, float)
    with pytest.raises(TypeError):
        data.time = "noon"


def test_options(model):
    assert model.opt.timestep == 0.004 and model.opt.gravity.tolist() == [0, 0, -9.81]
    for name, ctype, count, _ in TABLES["option"]:
        value = getattr(model.opt, name)
        if count > 1:
            assert value.shape == (count,)
        else:
            assert isinstance(value, float if ctype == "double" else int)
            setattr(model.opt, name, value)
    model.opt.gravity = 0, 0, -1
    model.opt.integrator = sinew.Integrator.RK4
    model.opt.disableflags |= sinew.DisableBit.CONTACT
    assert model.opt.gravity[2] == -1 and model.opt.integrator == 1
    with pytest.raises(TypeError):
        model.opt.integrator = 0.5
    with pytest.raises(OverflowError):
        model.opt.iterations = 2**31
    for name, value, words in (
        ("integrator", 99, r"integrator is 99, must be one of: Euler \(0\), RK4 \(1\), implicit"),
        ("integrator", -1, "one of: Euler"),
        ("cone", 2, "one of: pyramidal .*elliptic"),
        ("solver", 3, r"one of: PGS \(0\), CG \(1\), Newton \(2\)"),
        ("jacobian", 7, "one of: dense"),
        ("iterations", -1, "iterations is -1, must be 0 or more"),
        ("ls_iterations", -1, "must be 0 or more"),
        ("noslip_iterations", -1, "must be 0 or more"),
        ("ccd_iterations", -1, "must be 0 or more"),
        ("sdf_iterations", -1, "must be 0 or more"),
        ("timestep", np.nan, "timestep is nan, must be finite"),
        ("timestep", -0.1, "timestep is -0.1, must be positive"),
        ("timestep", 0, "must be positive"),
        ("impratio", np.inf, "must be finite"),
        ("gravity", [0, np.nan, 1], "gravity is nan, must be finite"),
    ):
        before = np.copy(getattr(model.opt, name))
        with pytest.raises(ValueError, match=words):
            setattr(model.opt, name, value)
        assert np.array_equal(getattr(model.opt, name), before), name
    for part, name in ((model.stat, "meaninertia"), (model.vis.map, "znear")):
        before = getattr(part, name)
        with pytest.raises(ValueError, match=f"{name} must be finite"):
            setattr(part, name, np.nan)
        assert getattr(part, name) == before
    with pytest.raises(ValueError, match="center must be finite"):
        model.stat.center = [1, 2, np.inf]
    assert np.isfinite(model.stat.center).all()
    with pytest.raises(ValueError, match="shape"):
        model.opt.gravity = [1, 2]
    with pytest.raises(AttributeError):
        model.opt.gravty = 0
    with pytest.raises(AttributeError):
        del model.opt.timestep


def test_visual_and_statistic(model):
    for group, name, ctype, count, _ in TABLES["visual"]:
        part = getattr(model.vis, "global_" if group == "global" else group)
        value = getattr(part, name)
        if count > 1:
            assert value.shape == (count,) and value.dtype == np.float32
        else:
            assert isinstance(value, int if ctype == "int" else float)
    model.vis.global_.fovy = 30
    assert model.vis.global_.fovy == 30
    assert model.stat.center.shape == (3,) and model.stat.extent > 0
    assert model.stat.meanmass == pytest.approx(model.body_mass[1:-1].mean(), rel=0.5)


def test_contacts(model, data):
    assert len(data.contact) == data.ncon > 0
    contact = data.contact[0]
    assert contact.geom.tolist() == [0, 1] and (contact.geom1, contact.geom2) == (0, 1)
    assert data.contact.geom.shape == (data.ncon, 2) and (data.contact.geom2 == 1).all()
    assert contact.frame.shape == (9,) and contact.dim == 3
    assert [c.dist for c in data.contact] == data.contact.dist.tolist()
    assert data.contact[:2].pos.shape == (2, 3)
    contact.mu = 0.125
    assert data.contact.mu[0] == 0.125
    with pytest.raises(AttributeError):
        data.contact = 0
    assert np.array_equal(
        data.contact.efc_address, np.arange(data.ncon) * 4 + data.contact.efc_address[0]
    )


def test_rows_follow_the_step(model, data):
    rows = data.efc_J
    assert rows.shape == (data.nefc, model.nv)
    np.testing.assert_allclose(
        rows @ data.qvel, sinew.mulJacVec(model, data, data.qvel), atol=1e-12
    )
    data.qpos[2] = 5  # in the air
    sinew.forward(model, data)
    assert (
        data.ncon == 0 and data.contact.shape == (0,) and data.efc_J.shape == (data.nefc, model.nv)
    )
    rows.sum()  # old rows: other contents, but still this data's memory
    sinew.resetData(model, data)
    assert data.efc_force.shape == (0,) and data.efc_J.shape == (0, model.nv)


def test_warnings_and_solver(model, data):
    assert data.solver_niter >= 1 and len(data.solver.improvement) == len(data.solver)
    assert data.solver[0].neval >= 1
    data.qpos[0] = np.nan
    sinew.step(model, data)
    assert data.warning[sinew.Warning.BADQPOS].number == 1
    assert data.warning.number.sum() == 1


def stack(memory):
    """Boxes on the ground that need more than `memory` for their contacts."""
    return sinew.Model.from_xml(
        f'<mujoco><size memory="{memory}"/><worldbody><geom type="plane" size="5 5 1"/>'
        '<replicate count="6" offset=".3 0 0"><body pos="0 0 .099"><freejoint/>'
        '<geom type="box" size=".1 .1 .1"/></body></replicate></worldbody></mujoco>'
    )


@pytest.mark.parametrize(("memory", "kind"), [("20K", "constraint rows"), ("4K", "contacts")])
def test_a_full_arena_warns(memory, kind):
    """Once, with the mend, from the line that steps; again after a reset; never where there is room."""
    model = stack(memory)
    data = sinew.Data(model)
    more = f"{2 * int(memory[:-1])}K"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sinew.step(model, data)
        told = len(caught)
        sinew.step(model, data, nstep=5)
        sinew.forward(model, data)
        assert len(caught) == told >= 1
        sinew.resetData(model, data)
        assert len(caught) == told
        sinew.step(model, data)
        assert len(caught) == 2 * told
    for warning in caught:
        assert warning.category is sinew.SimulationWarning and warning.filename == __file__
    texts = [str(w.message) for w in caught]
    assert any(text.startswith(f"{kind} dropped: the arena is full") for text in texts)
    assert all(f'give the model more, <size memory="{more}"/>' in text for text in texts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sinew.SimulationWarning):
            sinew.step(model, sinew.Data(model))
        enough = stack("1M")
        data = sinew.Data(enough)
        sinew.step(enough, data, nstep=5)
        assert data.ncon > 6 and not data.warning.number.any()


def test_empty_model():
    model = sinew.Model.from_xml("<mujoco/>")
    data = sinew.Data(model)
    sinew.step(model, data)
    assert data.qpos.shape == (0,) and model.jnt_axis.shape == (0, 3) and data.time > 0
