"""What `mujoco` of this process has of a model with flexes: fields of model and data by name, pickled into a file."""

import pathlib
import pickle
import sys

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "peers/flex"))
import flexes

RESULT, DENSE = sys.argv[1:]
DAMPED = '<edge damping="1"/>'
SHEET = flexes.SHEET + DAMPED
TEXT = flexes.model(
    flexes.part((3, 2), children=SHEET, attributes='material="m"'),
    flexes.part((2, 2, 2), name="g", offset=(0, 0, 1), children=DAMPED),
    flexes.part((3,), name="h", offset=(0, 0, 2)),
    rest='<asset><material name="o"/><material name="m"/></asset>' + flexes.held("h"),
    option=f'jacobian="{"dense" if DENSE == "dense" else "sparse"}"',
)


def fields(struct):
    names = [n for n in dir(struct) if "flex" in n or n == "nJfe"]
    values = {name: getattr(struct, name) for name in names}
    return {n: np.array(v) for n, v in values.items() if isinstance(v, int | np.ndarray)}


def main():
    mujoco.set_mju_user_warning(lambda text: None)
    model = mujoco.MjModel.from_xml_string(TEXT)
    data = mujoco.MjData(model)
    data.qvel[:] = np.arange(model.nv)
    mujoco.mj_forward(model, data)
    kind = mujoco.mjtObj.mjOBJ_FLEX
    ids = [mujoco.mj_name2id(model, kind, name) for name in ("f", "g", "h", "none")]
    seen = {
        "model": fields(model),
        "data": fields(data),
        "ids": ids,
        "stat": [model.stat.meansize, model.stat.extent, *model.stat.center],
        "lengths": model.dof_length if "dof_length" in dir(model) else [],  # new in 4.0
        "names": [mujoco.mj_id2name(model, kind, i) for i in range(4)],
    }
    pathlib.Path(RESULT).write_bytes(pickle.dumps(seen))


main()
