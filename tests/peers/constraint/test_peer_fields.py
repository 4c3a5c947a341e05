"""Every field of the peer's MjData and MjModel is there; those that are made when asked for have its numbers."""

import mujoco
import numpy as np
import pytest

import models
from sinew import mujoco as ours

LISTS = (
    "nisland nidof dof_island map_dof2idof map_idof2dof efc_island map_efc2iefc map_iefc2efc island_nv "
    "island_idofadr island_dofadr island_ne island_nf island_nefc island_iefcadr iefc_type iefc_id iefc_D "
    "iefc_R iefc_frictionloss iM_rownnz iM_rowadr iLDiagInv"
).split()
SOLVED = "iacc iacc_smooth ifrc_smooth ifrc_constraint iefc_aref iefc_force iefc_state".split()
ALWAYS = "M qLD nJ nA efc_J efc_b efc_AR maxuse_con maxuse_efc".split()
SPARSE = "efc_J_rownnz efc_J_rowadr efc_J_colind efc_J_rowsuper".split()
DUAL = "efc_AR_rownnz efc_AR_rowadr efc_AR_colind".split()
NO_ISLANDS = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
# Private ones of the peer's binding.
PRIVATE = {"__setstate__", "_address", "_all_fields", "_from_model_ptr", "_size_fields", "_sizes"}
PRIVATE |= {"_pybind11_conduit_v1_"}
# Two boxes whose tendon has a row behind others'.
TENDONS = """<mujoco><worldbody>
  <body name="x"><freejoint/><geom size=".1"/></body>
  <body name="y" pos="5 0 0"><joint name="j"/><geom pos="1 0 0" size=".1"/></body>
  <body name="z" pos="8 0 0"><joint name="k" frictionloss="1"/><geom pos="1 0 0" size=".1"/></body>
</worldbody><tendon>
  <fixed name="s"><joint joint="k" coef="1"/></fixed>
  <fixed name="t" {friction}><joint joint="j" coef="1"/></fixed>
  <fixed name="u" limited="true" range="1 2"><joint joint="j" coef="2"/></fixed>
</tendon><equality>
  <connect body1="x" body2="y" anchor="0 0 0"/>{equality}
</equality></mujoco>"""


def close(ours, theirs, name, tolerance=1e-9):
    """Same type, shape and numbers, relative to the largest."""
    a, b = np.asarray(ours), np.asarray(theirs)
    assert a.dtype == b.dtype and a.shape == b.shape, name
    if a.dtype.kind == "f":
        scale = 1 + np.abs(b).max(initial=0)
        np.testing.assert_allclose(a / scale, b / scale, rtol=0, atol=tolerance, err_msg=name)
    else:
        np.testing.assert_array_equal(a, b, err_msg=name)


def settle(m, **options):
    """Options under which the solvers of both end at the same minimum."""
    flags = m.opt.disableflags & ~NO_ISLANDS
    m.opt.disableflags = flags if options.pop("island") else flags | NO_ISLANDS
    m.opt.tolerance, m.opt.iterations = 1e-10, 1000
    for name, value in options.items():
        setattr(m.opt, name, value)


def blocks(d):
    """The numbers of a dense iefc_J; what lies between is whatever the peer's memory held."""
    parts = []
    for first, rows, columns in zip(d.island_iefcadr, d.island_nefc, d.island_nv, strict=True):
        parts.append(d.iefc_J[first * d.nidof :][: rows * columns])
    return np.concatenate([np.zeros(0), *parts])


def same_contacts(a, b):
    """Whether both found the same contacts; the peer's search of convex pairs stops earlier."""
    return len(a.contact) == len(b.contact) and all(
        np.abs(x.frame - y.frame).max() < 1e-9 and np.abs(x.pos - y.pos).max() < 1e-9
        for x, y in zip(a.contact, b.contact, strict=True)
    )


def forward(path, rng, **options):
    """Both data after mj_forward at one state; None where they are not alike or the peer fails."""
    peer, mine = models.fresh(path), models.fresh(path, ours.MjModel.from_xml_path)
    theirs, data = mujoco.MjData(peer), ours.MjData(mine)
    settle(peer, **options)
    settle(mine, **options)
    models.random_state(rng, peer, theirs, True)
    theirs.qvel[:] *= 0.1
    for name in "qpos qvel ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat".split():
        getattr(data, name)[:] = getattr(theirs, name)
    try:
        mujoco.mj_forward(peer, theirs)
    except (
        mujoco.FatalError
    ):  # "pre and post-count of B_rownnz are not equal": simple bodies, sparse
        return None
    ours.mj_forward(mine, data)
    alike = theirs.nefc == data.nefc and same_contacts(theirs, data)
    return (theirs, data) if alike else None


def compare(theirs, mine, solved, sparse):
    """All fields that the peer has filled."""
    for name in ALWAYS:
        close(getattr(mine, name), getattr(theirs, name), name, 1e-8)
    for name in (SPARSE if sparse else []) + (DUAL if sparse and theirs.nA else []):
        close(getattr(mine, name), getattr(theirs, name), name)
    if not theirs.nisland:
        assert not mine.nisland and not mine.nidof and not mine.island_nv.size
        return
    for name in LISTS:
        close(getattr(mine, name), getattr(theirs, name), name)
    for name in "iM", "iLD", "iM_colind":  # the rest is not written
        used = int(theirs.iM_rownnz.sum())
        close(getattr(mine, name)[:used], getattr(theirs, name)[:used], name)
    for name in SOLVED if solved else []:
        close(getattr(mine, name), getattr(theirs, name), name, 1e-5)
    if solved and sparse:
        for name in ["iefc_J", *("i" + n for n in SPARSE)]:
            close(getattr(mine, name), getattr(theirs, name), name, 1e-8)
    elif solved:
        close(blocks(mine), blocks(theirs), "iefc_J", 1e-8)


@pytest.mark.parametrize("path", models.runnable(), ids=lambda p: p.stem)
def test_after_forward(path):
    """Islands, M and its factor by rows, Jacobians, A + R and b: dense and sparse, both cones, all solvers."""
    rng = np.random.default_rng(8)
    for sparse, cone, solver in np.ndindex(2, 2, 3):
        options = {"jacobian": sparse, "cone": cone, "solver": solver}
        pair = forward(path, rng, island=(sparse + cone + solver) % 4 != 3, **options)
        if pair:
            dual = solver == 0 or pair[1].model.opt.noslip_iterations
            compare(*pair, not dual, bool(sparse))


@pytest.mark.parametrize("kind", ["MjModel", "MjData"])
def test_every_attribute(kind):
    """Types and shapes as the peer's, on a model that has one of most things, before and after a step."""
    path = models.folder("dm_control", "suite", "dog.xml")
    peer, mine = models.known(path), models.known(path, ours.MjModel.from_xml_path)
    theirs, data = mujoco.MjData(peer), ours.MjData(mine)
    ELSEWHERE = {"bind_scalar", "signature", "ten", "hfield", "mesh", "skin"}  # methods, a hash
    for step in range(2):
        for name in set(dir(getattr(mujoco, kind))) - PRIVATE - ELSEWHERE:
            a = getattr(theirs if kind == "MjData" else peer, name)
            b = getattr(data if kind == "MjData" else mine, name)
            assert name in dir(getattr(ours, kind))
            if isinstance(a, np.ndarray):
                assert (a.dtype, a.shape) == (b.dtype, b.shape), (step, name)
            elif isinstance(a, int | float | bytes):
                assert type(a) is type(b), (step, name)
        mujoco.mj_forward(peer, theirs)
        ours.mj_forward(mine, data)
        if theirs.nefc != data.nefc:
            return


@pytest.mark.parametrize("path", models.runnable(), ids=lambda p: p.stem)
def test_model(path):
    """What compiling finds, and what the file says of sizes."""
    peer, mine = models.known(path), models.known(path, ours.MjModel.from_xml_path)
    for name in "nemax njmax nconmax body_plugin geom_plugin mesh_octadr mesh_octnum nflex".split():
        np.testing.assert_array_equal(getattr(mine, name), getattr(peer, name), err_msg=name)


def test_sizes_of_the_file():
    """njmax and nconmax are kept, in copies and binary files too."""
    xml = "<mujoco><size njmax='70' nconmax='9'/><worldbody/></mujoco>"
    peer, mine = mujoco.MjModel.from_xml_string(xml), ours.MjModel.from_xml_string(xml)
    buffer = np.zeros(ours.mj_sizeModel(mine), np.uint8)
    ours.mj_saveModel(mine, None, buffer)
    loaded = ours.MjModel.from_binary_path("m", {"m": buffer.tobytes()})
    for m in (mine, mine.__copy__(), loaded):
        assert (m.njmax, m.nconmax) == (peer.njmax, peer.nconmax) == (70, 9)


def test_tendon_rows():
    """tendon_efcadr is a row of the tendon. Of equalities the peer gives the id instead."""
    for friction, equality, first in (
        ("", "", [-1, -1, 4]),
        ('frictionloss="1"', "", [-1, 4, 5]),
        ("", '<tendon tendon1="t" tendon2="u"/>', [-1, 3, 3]),
    ):
        xml = TENDONS.format(friction=friction, equality=equality)
        peer, mine = mujoco.MjModel.from_xml_string(xml), ours.MjModel.from_xml_string(xml)
        theirs, data = mujoco.MjData(peer), ours.MjData(mine)
        assert data.tendon_efcadr.tolist() == [-1, -1, -1]
        mujoco.mj_forward(peer, theirs)
        ours.mj_forward(mine, data)
        assert data.tendon_efcadr.tolist() == first
        assert theirs.tendon_efcadr.tolist() == (first if not equality else [-1, 1, 1])


def test_no_islands():
    """Without rows and under the flag there are none; whoever has none comes last."""
    m = ours.MjModel.from_xml_string(TENDONS.format(friction="", equality=""))
    d = ours.MjData(m)
    assert d.nisland == 0 and np.all(d.dof_island == -1)
    np.testing.assert_array_equal(d.map_idof2dof, np.arange(m.nv))
    ours.mj_forward(m, d)
    assert d.nisland == 2 and d.nidof == m.nv
    m.opt.disableflags |= NO_ISLANDS
    assert d.nisland == 0 and np.all(d.efc_island == -1) and not d.iefc_force.any()


def test_assignments():
    """M, qLD and qH take numbers; made arrays take their shape; nothing else."""
    m = ours.MjModel.from_xml_path(models.folder("dm_control", "suite", "humanoid.xml"))
    d = ours.MjData(m)
    ours.mj_forward(m, d)
    M, qM = d.M.copy(), d.qM.copy()
    d.M = 2 * M
    np.testing.assert_array_equal(d.qM, 2 * qM)
    ours.mj_factorM(m, d)
    LD = d.qLD.copy()
    d.qLD = LD + 1
    np.testing.assert_array_equal(d.qLD, LD + 1)
    d.bvh_active = d.bvh_active
    m.geom_plugin = -1
    with pytest.raises(ValueError, match="broadcast"):
        d.M = np.zeros(3)
    for name in "dof_island", "efc_J":
        with pytest.raises(AttributeError):
            setattr(d, name, 0)
    for name in "nisland", "nA":
        with pytest.raises(ValueError, match="follows from the rest"):
            setattr(d, name, getattr(d, name) + 1)


def test_add_contact():
    """A contact of the user's own gets rows like those that collision found; all rows are dropped before."""
    xml = """<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    made = []
    for module in (mujoco, ours):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        module.mj_forward(m, d)
        assert module.mj_addContact(m, d, d.contact[0]) == 0
        assert d.ncon == 2 and d.nefc == 0 and len(d.efc_force) == 0
        d.contact[1].dist = -0.02
        module.mj_makeConstraint(m, d)
        module.mj_referenceConstraint(m, d)
        module.mj_fwdConstraint(m, d)
        made.append((d.nefc, d.efc_pos.copy(), d.efc_force.copy(), d.qacc.copy()))
    for theirs, mine in zip(*made, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)
    contact = d.contact[0]
    for geom, dim in (([0, 2], 3), ([-1, 1], 3), ([0, 1], 2)):
        contact.geom, contact.dim = geom, dim
        with pytest.raises(ValueError, match="contact"):
            ours.mj_addContact(m, d, contact)


def test_full_arena():
    """1 when there is no room for a contact."""
    xml = """<mujoco><size memory="8K"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    m = ours.MjModel.from_xml_string(xml)
    d = ours.MjData(m)
    ours.mj_collision(m, d)
    results = [ours.mj_addContact(m, d, d.contact[0]) for _ in range(1000)]
    assert results[0] == 0 and results[-1] == 1 and d.ncon == 1 + results.count(0)


def test_nothing_to_do():
    """Functions that only fill what is made when asked for; all arguments are looked at."""
    m = ours.MjModel.from_xml_string(TENDONS.format(friction="", equality=""))
    d = ours.MjData(m)
    for name in "mj_island", "mj_projectConstraint", "mj_flex":
        assert getattr(ours, name)(m, d) is None
        with pytest.raises(TypeError):
            getattr(ours, name)(m, None)


def test_most_used():
    """The most contacts and rows since the last reset."""
    m = ours.MjModel.from_xml_path(models.folder("dm_control", "suite", "humanoid.xml"))
    d = ours.MjData(m)
    d.qpos[2] = 0
    ours.mj_forward(m, d)
    most = d.ncon, d.nefc
    d.qpos[2] = 5
    ours.mj_forward(m, d)
    assert d.ncon < most[0] and (d.maxuse_con, d.maxuse_efc) == most
    ours.mj_resetData(m, d)
    assert d.maxuse_con == d.maxuse_efc == 0


def test_cone_hessians():
    """mj_constraintUpdate gives contact.H the peer's numbers where it is asked to."""
    rng = np.random.default_rng(2)
    xml = """<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 1" condim="4"/>
      <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    theirs, mine = (x.MjData(x.MjModel.from_xml_string(xml)) for x in (mujoco, ours))
    peer, model = mujoco.MjModel.from_xml_string(xml), mine.model
    mujoco.mj_forward(peer, theirs)
    ours.mj_forward(model, mine)
    seen = 0
    for _ in range(5):
        jar = rng.standard_normal(theirs.nefc)
        mujoco.mj_constraintUpdate(peer, theirs, jar, None, 1)
        ours.mj_constraintUpdate(model, mine, jar, None, 1)
        for a, b in zip(mine.contact, theirs.contact, strict=True):
            if theirs.efc_state[b.efc_address] == mujoco.mjtConstraintState.mjCNSTRSTATE_CONE:
                np.testing.assert_allclose(a.H, b.H, rtol=1e-9, atol=1e-9)
                seen += 1
    assert seen
    last = [contact.H.copy() for contact in mine.contact]
    ours.mj_constraintUpdate(model, mine, 2 * jar + 1, None, 0)
    np.testing.assert_array_equal([contact.H for contact in mine.contact], last)
