"""Derivatives in Python: arguments of wrong shapes and types are named, threads and repetition do not change a bit."""

import copy

import numpy as np
import pytest

import sinew

ALL = int(sinew.StateBit.INTEGRATION)
PRODUCTS = [("x", "nx"), ("u", "nu"), ("qfrc", "nv"), ("xfrc", "6 nbody")]


def sizes(m):
    return {"nx": 2 * m.nv + m.na, "nu": m.nu, "nv": m.nv, "6 nbody": 6 * m.nbody}


@pytest.mark.parametrize("name,size", PRODUCTS)
def test_directions(model, data, name, size):
    n = sizes(model)[size]
    shape = f"{model.nbody},6" if name == "xfrc" else n
    for bad in (np.zeros(n + 1), np.zeros(n - 1), np.zeros((n, 2)), 3.0):
        with pytest.raises(ValueError, match=rf"stepJVP: {name} must have shape .*{shape}"):
            sinew.stepJVP(model, data, **{name: bad})
    for bad in ("text", object(), [[1.0], [1.0, 2.0]], {}):
        with pytest.raises((TypeError, ValueError), match=f"stepJVP: {name} must be an array"):
            sinew.stepJVP(model, data, **{name: bad})


@pytest.mark.parametrize("name", ["next", "sensor"])
def test_gradients(model, data, name):
    n = {"next": 2 * model.nv + model.na, "sensor": model.nsensordata}[name]
    with pytest.raises(ValueError, match=rf"stepVJP.*{name}.*{n}"):
        sinew.stepVJP(model, data, **{name: np.zeros(n + 1)})
    with pytest.raises((TypeError, ValueError), match=name):
        sinew.stepVJP(model, data, **{name: "text"})


def test_strides_and_types_of_numbers(model, data):
    """Lists, integers, strided, reversed and read-only arrays are as good as their copies."""
    rng = np.random.default_rng(1)
    n = 2 * model.nv + model.na
    whole = rng.integers(-5, 5, (n, 3)).astype(float)
    reference = sinew.stepJVP(model, data, whole[:, 1].copy()).next
    still = whole[:, 1].copy()
    still.flags.writeable = False
    for x in (whole[:, 1], whole[::-1, 1].copy()[::-1], whole[:, 1].tolist(), still):
        assert sinew.stepJVP(model, data, x).next.tobytes() == reference.tobytes()
    assert sinew.stepJVP(model, data, whole[:, 1].astype(int)).next.tobytes() == reference.tobytes()
    xfrc = np.asfortranarray(rng.normal(size=(model.nbody, 6)))
    a, b = sinew.stepJVP(model, data, xfrc=xfrc), sinew.stepJVP(model, data, xfrc=xfrc.copy("C"))
    assert a.next.tobytes() == b.next.tobytes()


@pytest.mark.parametrize(
    "call",
    [
        sinew.transitionDerivative,
        sinew.transitionFD,
        sinew.inverseFD,
        sinew.linearize,
        sinew.stepJVP,
        sinew.stepVJP,
    ],
)
def test_what_is_no_model_or_data(model, data, call):
    other = sinew.Data(sinew.Model.from_xml("<mujoco/>"))
    for arguments in ((None, data), (model, None), (data, model), (model, "data")):
        with pytest.raises((TypeError, AttributeError)):
            call(*arguments)
    with pytest.raises(ValueError, match="model"):
        call(model, other)


def test_rollout(model, data):
    nx, nu = 2 * model.nv + model.na, model.nu
    good = np.zeros((3, nu))
    cases = [
        (dict(ctrl=np.zeros(nu)), r"ctrl.*\(T, nu\)"),
        (dict(ctrl=np.zeros((3, nu + 1))), "ctrl"),
        (dict(ctrl=np.zeros((3, nu, 1))), r"ctrl.*\(T, nu\)"),
        (dict(ctrl=good, gradient_x=np.zeros((3, nx))), rf"gradient_x.*\(4, {nx}\)"),
        (dict(ctrl=good, gradient_sensor=np.zeros((4, model.nsensordata))), "gradient_sensor"),
        (dict(ctrl=good, qfrc_applied=np.zeros((2, model.nv))), "qfrc_applied"),
    ]
    for arguments, text in cases:
        with pytest.raises(ValueError, match=text):
            sinew.rolloutGradient(model, data, **arguments)
    with pytest.raises((TypeError, ValueError), match="ctrl"):
        sinew.rolloutGradient(model, data, None)
    empty = sinew.rolloutGradient(model, data, np.zeros((0, nu)), np.ones((1, nx)))
    np.testing.assert_array_equal(empty.x, np.ones(nx))


@pytest.mark.parametrize("integrator", [0, 1, 2, 3])
def test_same_bits(model, data, integrator):
    """Twice, in a copy, on any number of threads; the state and the warm start stay."""
    model.opt.integrator = integrator
    start = sinew.getState(model, data, ALL).tobytes()
    calls = [
        sinew.transitionDerivative,
        lambda m, d: sinew.transitionFD(m, d, 1e-6, True),
        lambda m, d: sinew.inverseFD(m, d, 1e-6),
    ]
    for call in calls:
        sinew.forward(model, data)
        first = call(model, data)
        for threads in (1, 2, 3, 5):
            other = copy.copy(data)
            other.threads = threads
            for _ in range(2):
                for a, b in zip(first, call(model, other), strict=True):
                    assert a.tobytes() == b.tobytes()
            assert sinew.getState(model, other, ALL).tobytes() == start
        assert sinew.getState(model, data, ALL).tobytes() == start
