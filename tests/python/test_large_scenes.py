"""Large scenes of the bench: the work grows with what touches, and heaps of boxes keep all their rows and stand."""

import os
import warnings

import numpy as np
import pytest
import scenes

import sinew

COUNTS = (100, 300, 1_000, 3_000)
# of a body that lies on the floor: contacts; four rows of six numbers each, and their six dofs once
CONTACTS = {"spheres": 1, "capsules": 2, "boxes": 4}
LONG = bool(os.environ.get("SINEW_LONG"))
HEAPS = {"towers": (scenes.towers, 20, 10), "pyramids": (scenes.pyramids, 4, 10)}
if LONG:
    HEAPS["many towers"] = (scenes.towers, 180, 10)


@pytest.fixture(autouse=True)
def no_warnings():
    """A row or contact without room is a SimulationWarning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def spread(kind, n, solver=sinew.Solver.NEWTON):
    """A data one millimetre into the floor, after one forward pass."""
    model = sinew.Model.from_xml(scenes.spread(kind, n))
    model.opt.solver = solver
    data = sinew.Data(model)
    data.qpos[2::7] -= 1e-3
    sinew.forward(model, data)
    return data


@pytest.mark.parametrize("kind", CONTACTS)
def test_work_grows_with_what_touches(kind):
    contacts = CONTACTS[kind]
    memory, compared = [], []
    for n in COUNTS:
        data = spread(kind, n)
        assert data.ncon == contacts * n
        assert data.nefc == 4 * contacts * n
        assert data.nJ == 6 * data.nefc
        assert data.nJcol <= 6 * data.ncon
        assert data.nnarrow < 1.5 * n
        compared.append(data.nbroad / (n * np.log(n)))
        memory.append(data.maxuse_arena / n)
    assert max(compared) < 1.5 * compared[0]
    # what does not grow with n is lost in what does
    assert max(memory) == pytest.approx(min(memory), rel=0.1)


def piled(kind, n, **option):
    """A data whose bodies lie in a heap, in one island, after one forward pass."""
    model = sinew.Model.from_xml(scenes.pile(kind, n))
    for name, value in option.items():
        setattr(model.opt, name, value)
    data = sinew.Data(model)
    sinew.step(model, data, nstep=300)
    sinew.forward(model, data)
    return model, data


def test_factor_grows_with_its_fill():
    """A dense factor would have n^2 / 2 numbers and take n^3 / 6 multiplications."""
    numbers, products = [], []
    for n in 300, 1_000:
        model, data = piled("boxes", n)
        numbers.append(data.solver_nnz / (model.nv**2 / 2))
        products.append(data.solver_nmul / (model.nv**3 / 6))
    assert numbers[0] < 0.05 and numbers[1] < 0.7 * numbers[0]
    assert products[0] < 1e-3 and products[1] < 0.8 * products[0]


@pytest.mark.parametrize("solver", [sinew.Solver.NEWTON, sinew.Solver.CG])
def test_memory_of_a_heap(solver):
    """No array of nv x nv numbers, with either solver."""
    model, data = piled("spheres", 300, solver=solver, iterations=100)
    assert data.nefc > 1_500
    assert data.maxuse_arena < 0.3 * 8 * model.nv**2


@pytest.mark.parametrize("n", [200, 1_800] if os.environ.get("SINEW_LONG") else [200])
def test_piles_keep_their_rows(n):
    model, data = piled("boxes", n)
    assert data.ncon > 2 * n
    assert data.nefc == 4 * data.ncon
    assert data.maxuse_arena < 40_000 * n
    assert np.isfinite(data.qpos).all()


def test_the_same_bits_from_a_state_alone():
    """What a data has solved before shows in nothing: no order or factor is kept."""
    model, data = piled("capsules", 100)
    fresh = sinew.Data(model)
    for name in ("qpos", "qvel", "qacc_warmstart"):
        getattr(fresh, name)[:] = getattr(data, name)
    for _ in range(20):
        sinew.step(model, data)
        sinew.step(model, fresh)
        np.testing.assert_array_equal(fresh.qpos, data.qpos)
    assert data.solver_nnz > 0


@pytest.mark.parametrize("kind", CONTACTS)
def test_work_of_pgs_grows_with_what_touches(kind):
    """Blocks between the contacts of a body, and of no two bodies."""
    memory = []
    for n in COUNTS:
        data = spread(kind, n, solver=sinew.Solver.PGS)
        assert data.nefc == 4 * CONTACTS[kind] * n
        assert data.nAblock == CONTACTS[kind] ** 2 * n
        memory.append(data.maxuse_arena / n)
    assert max(memory) == pytest.approx(min(memory), rel=0.1)


def test_net_of_strings():
    """A string meets what hangs on its two knots: of all blocks a few."""
    blocks = []
    for rows, columns in (7, 11), (14, 11), (28, 11):
        model = sinew.Model.from_xml(scenes.net(rows, columns))
        data = sinew.Data(model)
        sinew.step(model, data, nstep=300)
        blocks.append(data.nAblock / data.nefc)
    assert max(blocks) < 2
    assert max(blocks) < 1.25 * min(blocks)  # more lies on the ball, and fewer knots are on an edge


def rest(model, data):
    """Ten seconds; yields after each, with all that belongs to the state."""
    for _ in range(10):
        sinew.step(model, data, nstep=round(1 / model.opt.timestep))
        sinew.forward(model, data)
        yield


@pytest.mark.parametrize("heap", HEAPS)
def test_heaps_stand(heap):
    make, *counts = HEAPS[heap]
    model = sinew.Model.from_xml(make(*counts))
    model.opt.enableflags |= sinew.EnableBit.ENERGY
    data = sinew.Data(model)
    sinew.forward(model, data)
    energy = sum(data.energy)
    weight = model.body_mass.sum() * -model.opt.gravity[2]
    heights, carried = [], []
    for _ in rest(model, data):
        assert data.nefc == 4 * data.ncon  # a pyramid of friction each
        assert data.ncon >= 3 * (model.nbody - 1)
        assert sum(data.energy) < energy
        assert np.abs(data.qvel).max() < 0.1
        heights.append(data.qpos[2::7].copy())
        carried.append(data.qfrc_constraint[2::6].sum() / weight)
    # soft contacts give way in the first second and no further; towers rock by a few millimetres, the peer's more
    np.testing.assert_allclose(heights, heights[:1] * len(heights), rtol=0, atol=0.01)
    np.testing.assert_allclose(np.mean(heights, axis=1), np.mean(heights[0]), rtol=0, atol=5e-4)
    assert np.mean(carried) == pytest.approx(1, abs=5e-3)


@pytest.mark.parametrize("side", (20, 60) if LONG else (20,))
def test_one_heap_keeps_its_rows(side):
    """A triangle of 210 or 1,830 boxes, all of which hang together: as they come to rest on each other no row is lost."""
    model = sinew.Model.from_xml(scenes.pyramids(1, side))
    data = sinew.Data(model)
    for _ in range(50):
        sinew.step(model, data)
        assert data.nefc == 4 * (data.contact.efc_address >= 0).sum()
    # eight points of each box on two others, four of those on the floor; the last few boxes are still falling
    assert data.ncon > 0.99 * (8 * (model.nbody - 1) - 4 * side)
    assert data.warning.number.sum() == 0
    assert (
        np.abs(data.qvel).max() < -model.opt.gravity[2] * data.time
    )  # nothing is faster than a free fall


def test_memory_of_a_tendon():
    """A string between two knots costs the six dofs of its ends, however many knots there are."""
    tables, per_string = sinew._core.tables(), []
    for n in (5, 10, 20, 40):
        model = sinew.Model.from_xml(scenes.net(n, n))
        data = sinew.Data(model)
        assert model.nv == 3 * (n * n - 3) and model.ntendon == 2 * n * (n - 1)
        assert 5 * model.ntendon < model.nJten <= 6 * model.ntendon
        of_tendons = [
            getattr(kind, field[0]).__get__(owner).nbytes
            for kind, owner, table in [
                (sinew._core.Data, data, "data"),
                (sinew._core.Model, model, "model"),
            ]
            for field in tables[table]
            if field[2] in ("ntendon", "nwrap", "nJten")
        ]
        per_string.append(sum(of_tendons) / model.ntendon)
    assert max(per_string) < 1.05 * min(per_string)
