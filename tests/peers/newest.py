"""The newest engine, mujoco-core, where the pinned one is at fault. It runs in a process of its own: one holds one version."""

import pathlib
import pickle
import subprocess
import sys

FOLDER = pathlib.Path(sys.prefix, "mujoco-newest")
VERSION = "4.0.1"  # the one that ./dev installs


def step(path, runs, fields):
    """What `fields` of the data hold after one step from each state of each run, in one list.

    `path`: the model's file; `runs`: pairs of the model's fields to set and of states, which are fields of the data to set.
    """
    if not (FOLDER / "mujoco").is_dir():
        raise ModuleNotFoundError(f"mujoco-core is missing in {FOLDER}: ./dev setup installs it")
    request = pickle.dumps((str(path), runs, fields))
    done = subprocess.run(
        [sys.executable, __file__], input=request, stdout=subprocess.PIPE, check=True
    )
    return pickle.loads(done.stdout)


def _step(mujoco, m, d, state, fields):
    mujoco.mj_resetData(m, d)
    for name, value in state.items():
        getattr(d, name)[:] = value
    mujoco.mj_step(m, d)
    return {name: getattr(d, name).copy() for name in fields}


def _serve():
    sys.path.insert(0, str(FOLDER))
    import mujoco

    assert mujoco.__version__ == VERSION, f"{mujoco.__version__}: ./dev setup installs {VERSION}"
    path, runs, fields = pickle.load(sys.stdin.buffer)
    m = mujoco.MjModel.from_xml_path(path)
    d = mujoco.MjData(m)
    out = []
    for model, states in runs:
        for name, value in model.items():
            setattr(m.opt if hasattr(m.opt, name) else m, name, value)
        out += [_step(mujoco, m, d, state, fields) for state in states]
    sys.stdout.buffer.write(pickle.dumps(out))


if __name__ == "__main__":
    _serve()
