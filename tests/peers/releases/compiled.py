"""Compiled fields of one text in Sinew and in the peer of the same meaning."""

import mujoco
import numpy as np
import pytest

import newest
import sinew

PHYSICS = "3.3.7", "4.0"
# no numbers of the model, or stored in another way
NOT_COMPARED = set(
    "signature names names_map nnames_map paths npaths nbuffer narena nJmom nJten nbvh nbvhstatic nbvhdynamic nnames "
    "opt stat".split()
)


def ours(text, physics, **given):
    """Our model as a namespace of fields; ValueError: it is refused."""
    return sinew.Model.from_xml(text, physics=physics, **given)


def peer(text, physics, assets=None):
    """The model of the peer that this meaning is of."""
    if physics == "3.3.7":
        return mujoco.MjModel.from_xml_string(text, assets)
    return newest.load(text, assets).get()


def arrays(model):
    """Fields of a model that are numbers, by name; those of opt and stat among them."""
    found = {}
    for name in dir(model):
        skipped = name in NOT_COMPARED or name.startswith(("_", "bvh_", "mesh_poly"))
        if not skipped and isinstance(value := getattr(model, name), (int, float, np.ndarray)):
            found[name] = np.ravel(value)
    found |= {f"opt.{n}": np.ravel(getattr(model.opt, n)) for n in ("timestep", "disableflags")}
    return found | {f"stat.{n}": np.ravel(getattr(model.stat, n)) for n in ("extent", "center")}


def _close(a, b, tolerance):
    if a.shape != b.shape or a.dtype.kind in "SUV":
        return a.shape == b.shape
    tolerance = max(tolerance, 1e-6 * (a.dtype == np.float32))
    return np.allclose(
        a.astype(float), b.astype(float), rtol=tolerance, atol=tolerance, equal_nan=True
    )


def differences(one, other, tolerance=1e-10):
    """Names of fields that both have and that differ."""
    a, b = arrays(one), arrays(other)
    return {n for n in a.keys() & b.keys() if not _close(a[n], b[n], tolerance)}


def agree(text, physics, assets=None, tolerance=1e-10, but=()):
    """Our model; it is the peer's of the same meaning in all fields but these."""
    model = ours(text, physics, **({"assets": assets} if assets else {}))
    assert differences(model, peer(text, physics, assets), tolerance) - set(but) == set()
    return model


def models(text, **how):
    """Our models of both meanings, each of which agrees with its peer."""
    return [agree(text, p, **how) for p in PHYSICS]


def both_refuse(text, physics, words):
    """Neither Sinew, with these words, nor the peer takes a text."""
    with pytest.raises(sinew.ModelError, match=words):
        ours(text, physics)
    with pytest.raises(ValueError):
        peer(text, physics)
