"""Fixtures of the tests of the Python package."""

import warnings

import pytest

import sinew
from yard import XML


@pytest.fixture
def model():
    """A crate on a floor and an arm with two actuators."""
    return sinew.Model.from_xml(XML)


@pytest.fixture
def data(model):
    """The yard after ten steps: the crate touches the floor."""
    d = sinew.Data(model)
    d.ctrl[:] = 0.3, -0.2
    sinew.step(model, d, nstep=10)
    return d


@pytest.fixture
def quiet():
    """No warning may come."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
