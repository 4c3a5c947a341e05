"""A model of actuators in all forms that it can have: written, saved, copied, pickled."""

import copy
import pickle

import numpy as np

import sinew


def state(m, d):
    return np.concatenate([d.qpos, d.qvel, d.act])


def hold_in_all_forms(m, text, rng, tmp_path):
    """They take the same steps."""
    spec = sinew.Spec.from_xml(text)
    m.save(tmp_path / "m.snb")
    others = {
        "written": sinew.Model.from_xml(spec.to_xml()),
        "saved": sinew.Model.from_path(tmp_path / "m.snb"),
        "copied": copy.copy(m),
        "pickled": pickle.loads(pickle.dumps(m)),
    }
    d = sinew.Data(m)
    d.ctrl[:], d.act[:] = rng.normal(size=m.nu), 0.1
    start = d.ctrl.copy()
    sinew.step(m, d, 50)
    for word, other in others.items():
        e = sinew.Data(other)
        e.ctrl[:], e.act[:] = start, 0.1
        sinew.step(other, e, 50)
        assert np.array_equal(state(m, d), state(other, e)), word
