"""Fields of flexes under the names of either release: one program sees the same of the peer and of ours."""

import os
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import newest

PROGRAM = pathlib.Path(__file__).with_name("flex_fields.py")
PEER = {"3.3.7": {}, "4.0": {"PYTHONPATH": str(newest.FOLDER)}}
# Trees of boxes and pairs of the peer's own, fields of releases in between.
OTHERWISE = r"flex_bvh.*|n?flex_?evpair.*|flex_vert(edge|metric).*|flexvert_(J|length).*"
# Where it computes what is here left out, or the older one has it wrong or not a number.
SHAPE_ALONE = {
    "3.3.7": r"flex_stiffness|flex_bending|flex_vert0",
    "4.0": r"flex(edge|vert)_hessian|flexvert_lambda|flexvert_conage|flex_hessian_valid|flexelem_krot",
}


def run(result, command, dense, environment):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SINEW_MUJOCO")}
    done = subprocess.run(
        [sys.executable, *command, str(PROGRAM), str(result), dense],
        env=env | environment, capture_output=True, text=True, cwd=result.parent, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return pickle.loads(result.read_bytes())


# Only the older one asks which kind of Jacobian there is.
@pytest.mark.parametrize(
    ("release", "dense"), [("3.3.7", "dense"), ("3.3.7", "sparse"), ("4.0", "sparse")]
)
def test_fields_are_the_peers(release, dense, tmp_path):
    theirs = run(tmp_path / "theirs", [], dense, PEER[release])
    ours = run(tmp_path / "ours", ["-m", "sinew.run", "--mujoco", release], dense, {})
    assert ours["ids"] == theirs["ids"] == [0, 1, 2, -1]
    assert ours["names"] == theirs["names"] == ["f", "g", "h", None]
    for kind in ("stat", "lengths"):
        np.testing.assert_allclose(ours[kind], theirs[kind], rtol=1e-10)
    for kind in ("model", "data"):
        names = [n for n in theirs[kind] | ours[kind] if not re.fullmatch(OTHERWISE, n)]
        assert len(names) > 6
        for name in names:
            mine, other = ours[kind][name], theirs[kind][name]
            assert (mine.shape, mine.dtype) == (other.shape, other.dtype), name
            if re.fullmatch(SHAPE_ALONE[release], name):
                continue
            np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-12, err_msg=name)
