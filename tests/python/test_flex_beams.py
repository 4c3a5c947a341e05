"""Flexes against closed forms of beams, plates and strings, found with matrices of differences; their energy; batches."""

import os

import numpy as np
import pytest

import flexes
import sinew

LONG = bool(os.environ.get("SINEW_LONG"))
YOUNG, THICKNESS, DENSITY = 1e6, 0.01, 1000.0
QUIET = '<contact contype="0" conaffinity="0" selfcollide="none"/>'
STILL = 'gravity="0 0 0"'


def shell(poisson):
    """What bends only: linear in what moves off the plane."""
    return f'{QUIET}<elasticity young="{YOUNG}" poisson="{poisson}" thickness="{THICKNESS}" elastic2d="bend"/>'


def rigidity(poisson):
    return YOUNG * THICKNESS**3 / 12 / (1 - poisson**2)


def stiffness(model, dofs, step=1e-6):
    """Minus the derivative of qfrc_spring at qpos0 by these dofs."""
    data, K = sinew.Data(model), np.empty((len(dofs), len(dofs)))
    for column, dof in enumerate(dofs):
        side = []
        for sign in (-1, 1):
            data.qpos[:] = model.qpos0
            data.qpos[dof] += sign * step
            sinew.forward(model, data)
            side.append(data.qfrc_spring[dofs].copy())
        K[:, column] = (side[0] - side[1]) / (2 * step)
    return K


def weights(counts):
    """The share of each point of a grid in its volume, in cells."""
    along = [np.r_[0.5, np.ones(n - 2), 0.5] for n in counts]
    return np.prod(np.meshgrid(*along, indexing="ij"), axis=0).ravel()


def falls(errors, sizes, rate):
    """Whether errors fall with sizes at the rate, from each to the next."""
    errors, sizes = np.abs(errors), np.log(sizes)
    return np.all(np.diff(np.log(errors)) / np.diff(sizes) > rate)


def cantilever(layers, length=1.0, side=0.2):
    """What a beam of tetrahedra, one end held, gives way by in Euler and Bernoulli's, and its first frequency in theirs."""
    spacing = side / layers
    counts = (round(length / spacing) + 1, layers + 1, layers + 1)
    end = counts[1] * counts[2]
    soft = f'{QUIET}<elasticity young="{YOUNG}" poisson="0"/>'
    text = flexes.grid(counts, spacing, children=soft, pinned=range(end), option=STILL)
    model = sinew.Model.from_xml(text)
    K = stiffness(model, np.arange(model.nv))
    section = weights(counts[1:]) / layers**2
    force = np.zeros((model.nv // 3, 3))
    force[-end:, 2] = section
    gives = np.linalg.inv(K)
    shape = gives @ force.ravel()
    deflection = section @ shape.reshape(-1, 3)[-end:, 2]
    mass = np.repeat(DENSITY * spacing**3 * weights(counts)[end:], 3)
    for _ in range(30):  # to the lowest mode, which two directions share but for how cells are cut
        shape = gives @ (mass * shape)
        shape /= np.sqrt(shape @ (mass * shape))
    square = shape @ K @ shape
    bent = YOUNG * side**4 / 12
    own = 1.8751040687119611**4 * bent / (DENSITY * side**2 * length**4)
    return deflection * 3 * bent / length**3, np.sqrt(square / own)


def test_cantilever_of_solids():
    """Tetrahedra of constant strain are too stiff by the square of their size; shear and turning add some 2 % to the beam."""
    layers = np.array([2, 3, 4, 5] if LONG else [1, 2, 3])
    deflection, frequency = np.array([cantilever(n) for n in layers]).T
    assert falls(1 / deflection - 1, 1 / layers, 1.7)
    assert falls(frequency**2 - 1, 1 / layers, 1.7)
    square = (layers[-2:] ** 2) / np.diff(layers[-2:] ** 2)
    limit = square @ (np.array([-1, 1]) / deflection[-2:])
    assert 0.94 < limit < 1.02
    assert 0.94 < square @ (np.array([-1, 1]) * frequency[-2:] ** 2) < 1.02


def strip(cells, across=2):
    """What a strip of cloth that stays a cylinder gives way by, in Euler and Bernoulli's; it is held half a cell before its first free row."""
    spacing = 1 / (cells + 0.5)
    counts, row = (cells + 2, across + 1), across + 1
    text = flexes.grid(counts, spacing, children=shell(0), pinned=range(2 * row), option=STILL)
    model = sinew.Model.from_xml(text)
    rows = np.kron(np.eye(cells), np.ones((row, 1)))
    K = rows.T @ stiffness(model, np.arange(2, model.nv, 3), 1e-3) @ rows
    return np.linalg.solve(K, np.eye(cells)[-1])[-1] * 3 * rigidity(0) * across * spacing


def test_strip_of_cloth():
    cells = np.array([4, 8, 16, 32, 64] if LONG else [4, 8, 16])
    deflection = np.array([strip(n) for n in cells])
    assert falls(deflection - 1, 1 / cells, 1.8)
    assert abs(deflection[-1] - 1) < 1e-3


def plate(rows):
    """What the middle of a square plate, its border clamped, gives way by, in Kirchhoff's; triangles have equal sides."""
    height = 1 / rows
    side = height * 2 / np.sqrt(3)
    across = int(np.ceil(1 / side)) + 5
    counts = (across + rows // 2 + 3, rows + 5)

    def lean(grid):
        i, j = grid[:, 0], grid[:, 1] - rows / 2 - 2
        return np.column_stack([(i - j / 2 - counts[0] / 2) * side, j * height, 0 * i])

    places = lean(flexes.points(counts, 1.0))
    pinned = np.flatnonzero(np.abs(places[:, :2]).max(axis=1) > 0.5 - 1e-9)
    text = flexes.grid(counts, 1.0, children=shell(0.3), shape=lean, pinned=pinned, option=STILL)
    model = sinew.Model.from_xml(text)
    K = stiffness(model, np.arange(2, model.nv, 3), 1e-3)
    return np.linalg.solve(K, np.full(len(K), height * side)).max() * rigidity(0.3) / 0.00126532


def test_clamped_plate():
    """It is clamped half a triangle outside of its border: by that much it gives way more."""
    rows = np.array([8, 16, 24, 32, 40] if LONG else [8, 16, 24])
    deflection = np.array([plate(n) for n in rows])
    assert falls(deflection - 1, 1 / rows, 0.8)
    assert abs(np.polyfit(1 / rows, deflection, 2)[-1] - 1) < 0.05


def hanging(links, length=1.3):
    """How deep a string hangs between points 1 m apart, by Newton's method on its forces."""
    model = sinew.Model.from_xml(
        flexes.grid(
            (links + 1,),
            length / links,
            children=f'{QUIET}<edge stiffness="{1e5 * links}"/>',
            pinned=(0, links),
            mass=1 / links,
            option='gravity="0 0 -9.81"',
        )
    )
    data = sinew.Data(model)
    rest = length / links * np.arange(1, links)
    x = np.linspace(0, 1, links + 1)[1:-1]
    model.body_pos[-1, 0] = 1.0  # where the other end is held
    guess = np.column_stack([x - rest, 0 * x, -1.6 * x * (1 - x)])
    data.qpos[:] = guess.ravel()
    for _ in range(60):
        sinew.forward(model, data)
        force = data.qfrc_spring - data.qfrc_bias
        if np.abs(force).max() < 1e-9:
            break
        base, K, h = data.qpos.copy(), np.empty((model.nv, model.nv)), 1e-7
        for k in range(model.nv):
            data.qpos[:] = base
            data.qpos[k] += h
            sinew.forward(model, data)
            K[:, k] = (force - data.qfrc_spring + data.qfrc_bias) / h
        data.qpos[:] = base + np.linalg.solve(K, force)
    assert np.abs(force).max() < 1e-6
    return -data.qpos.reshape(-1, 3)[:, 2].min()


def catenary(length=1.3):
    """The same of a chain: 2 a sinh(1/(2 a)) is its length."""
    low, high = 0.1, 10.0
    for _ in range(100):
        a = (low + high) / 2
        low, high = (a, high) if 2 * a * np.sinh(1 / (2 * a)) > length else (low, a)
    return a * (np.cosh(1 / (2 * a)) - 1)


def test_hanging_string():
    links = np.array([4, 8, 16, 32] if LONG else [4, 8, 16])
    error = np.array([hanging(n) for n in links]) / catenary() - 1
    assert falls(error, 1 / links, 1.7)
    assert abs(error[-1]) < 3e-3


def test_energy_is_kept():
    """Ten seconds of a cloth that swings from two corners, without damping, under RK4."""
    text = flexes.grid(
        (4, 4),
        children=f'{QUIET}<elasticity young="5e3" poisson="0.3" thickness="0.01" elastic2d="both"/>',
        pinned=(0, 3),
        option='integrator="RK4" timestep="0.0005"',
        rest="<sensor><e_potential/></sensor>",
    ).replace("<worldbody>", '<option><flag energy="enable"/></option><worldbody>', 1)
    model = sinew.Model.from_xml(text)
    data = sinew.Data(model)
    sinew.forward(model, data)
    start, kinetic = data.energy.sum(), 0.0
    for _ in range(100):
        sinew.step(model, data, 200)
        kinetic = max(kinetic, data.energy[1])
        sinew.forward(model, data)
        assert data.sensordata[0] == data.energy[0]
        assert abs(data.energy.sum() - start) < 1e-4 * kinetic
    assert kinetic > 0.1
    assert data.time == pytest.approx(10)


def test_batches_take_the_same_steps():
    """By the scalar engine, lanes have no flexes."""
    soft = QUIET + '<elasticity young="1e4" poisson="0.3" damping="1e-4"/>'
    model = sinew.Model.from_xml(
        flexes.grid((3, 3, 3), children=soft, pinned=range(9), option='timestep="0.0005"')
    )
    rng = np.random.default_rng(5)
    batch = sinew.Batch(model, 3)
    velocity = 0.2 * rng.normal(size=(3, model.nv))
    batch.qvel[:] = velocity
    batch.step(nstep=20)
    assert "flexes" in batch.scalar_features
    for k in range(3):
        data = sinew.Data(model)
        data.qvel[:] = velocity[k]
        for _ in range(20):
            sinew.step1(model, data)
            sinew.step2(model, data)
        assert np.array_equal(batch.qpos[k], data.qpos)
        assert np.abs(data.qfrc_spring).max() > 1e-3
