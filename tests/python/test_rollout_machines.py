"""Rollouts on executors: the same bits everywhere, workers that die, versions that differ."""

import collections
import concurrent.futures as futures
import contextlib
import multiprocessing
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import time
import types
from unittest import mock

import numpy as np
import pytest

import sinew
from sinew import _machines

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 1">
      <freejoint/>
      <geom type="capsule" size=".1 .2"/>
      <body pos=".3 0 0">
        <joint name="hinge" axis="0 1 0" range="-60 60" damping=".1"/>
        <geom type="capsule" size=".05 .2" pos=".2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""


@pytest.fixture(scope="module")
def model():
    return sinew.Model.from_xml(MODEL)


def problem(model, n=50, nstep=200):
    random = np.random.default_rng(3)
    state = np.zeros(1 + model.nq + model.nv)
    state[1 : 1 + model.nq] = model.qpos0
    states = np.tile(state, (n, 1))
    states[:, 3] += random.uniform(0, 0.5, n)
    return states, random.uniform(-1, 1, (n, nstep, model.nu))


@pytest.fixture(scope="module")
def expected(model):
    return sinew.rollout(model, *problem(model))


def same(results, expected):
    return all(a.tobytes() == b.tobytes() for a, b in zip(results, expected, strict=True))


def test_here_equals_single_steps(model, expected):
    states, controls = problem(model)
    data = sinew.Data(model)
    sinew.setState(model, data, states[7], sinew.StateBit.FULLPHYSICS)
    for t in range(20):
        data.ctrl[:] = controls[7, t]
        sinew.step(model, data)
        now = np.concatenate([[data.time], data.qpos, data.qvel])
        np.testing.assert_allclose(expected[0][7, t], now, rtol=0, atol=1e-10)
        np.testing.assert_allclose(expected[1][7, t], data.sensordata, rtol=0, atol=1e-10)


def spawned(count=2):
    return futures.ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


def test_pool_gives_the_same_bits(model, expected):
    with spawned() as pool:
        for shard in (7, None):
            assert same(sinew.rollout(model, *problem(model), executor=pool, shard=shard), expected)


class Counting(futures.ThreadPoolExecutor):
    """Remembers what was sent."""

    def __init__(self):
        super().__init__(1)
        self.with_model = 0
        self.calls = 0

    def submit(self, fn, job, packed, *rest):
        self.calls += 1
        self.with_model += packed is not None
        return super().submit(fn, job, packed, *rest)


class AtOnce(futures.Executor):
    """Has done its work before it says that it took it."""

    def submit(self, fn, /, *args, **kwargs):
        done = futures.Future()
        done.set_result(fn(*args, **kwargs))
        return done


def test_more_shards_than_wait_when_all_end_together(model, expected, monkeypatch):
    monkeypatch.setattr(_machines, "_AT_ONCE", 3)
    assert same(sinew.rollout(model, *problem(model), executor=AtOnce(), shard=2), expected)


def test_model_travels_once(model, expected):
    _machines._models.clear()
    with Counting() as pool:
        assert same(sinew.rollout(model, *problem(model), executor=pool, shard=5), expected)
        assert (pool.calls, pool.with_model) == (10, 1)
        assert same(sinew.rollout(model, *problem(model), executor=pool, shard=5), expected)
        assert (pool.calls, pool.with_model) == (20, 1)
        _machines._models.clear()
        assert same(sinew.rollout(model, *problem(model), executor=pool, shard=5), expected)
        assert pool.with_model == 2


def test_model_travels_once_in_whatever_order_shards_are_seen(model, expected, monkeypatch):
    """The first one that is handed back alone, then all others with the one that the model went with, last first."""
    waits = []

    def wait(pending, return_when):
        real(pending)
        waits.append(list(pending)[::-1] if waits else list(pending)[:1])
        return types.SimpleNamespace(done=waits[-1])

    real = futures.wait
    with Counting() as pool:
        sinew.rollout(model, *problem(model), executor=pool, shard=5)
        _machines._models.clear()
        pool.with_model = 0
        monkeypatch.setattr(_machines.futures, "wait", wait)
        assert same(sinew.rollout(model, *problem(model), executor=pool, shard=5), expected)
    assert pool.with_model == 1 and len(waits[1]) == 10


class Weighed(Counting):
    """Remembers the bytes that processes would be sent, and return."""

    def __init__(self):
        super().__init__()
        self.sent = self.back = 0

    def submit(self, fn, *given):
        self.sent += len(pickle.dumps(given))
        future = super().submit(fn, *given)
        self.back += len(pickle.dumps(future.result()))
        return future


@pytest.mark.parametrize("every", [1, 4])
def test_bytes_are_those_of_the_manual(model, every):
    """As docs/machines.md has them, and less than a thousand of each call."""
    states, controls = problem(model)
    n, steps = len(states), controls.shape[-2]
    for with_model in (1, 0):
        with Weighed() as pool:
            if not with_model:
                sinew.rollout(model, states, controls, every=every, executor=pool, shard=10)
            pool.sent = pool.back = 0
            sinew.rollout(model, states, controls, every=every, executor=pool, shard=10)
        sent = 8 * n * (states.shape[-1] + steps * model.nu)
        sent += with_model * len(sinew._core.packModel(model))
        back = 8 * n * (steps // every) * (states.shape[-1] + model.nsensordata)
        assert sent <= pool.sent < sent + 5 * 1000
        assert back <= pool.back < back + 5 * 1000


def test_worker_without_the_model_gets_it(model, expected):
    """A worker that a later shard reaches first."""
    _machines._models.clear()

    class Forgets(Counting):
        def submit(self, fn, job, packed, *rest):
            if self.calls == 3:
                self.submit_clear = super().submit
                futures.ThreadPoolExecutor.submit(self, _machines._models.clear)
            return super().submit(fn, job, packed, *rest)

    with Forgets() as pool:
        assert same(sinew.rollout(model, *problem(model), executor=pool, shard=5), expected)
    assert pool.with_model >= 2


class OneIsBusy(futures.Executor):
    """Two workers: one is at the first shard as long as there are others, the other comes without the model."""

    def __init__(self, model, others):
        self.model, self.others = model, others
        self.first, self.knows, self.handed_back, self.with_model = None, False, 0, 0

    def submit(self, fn, job, packed, *part):
        future = futures.Future()
        self.with_model += packed is not None
        if self.first is None:
            self.first = lambda: future.set_result(
                ("a", _machines._simulate(self.model, job, *part))
            )
            return future
        self.knows |= packed is not None
        if self.knows:
            future.set_result(("b", _machines._simulate(self.model, job, *part)))
            self.others -= 1
        else:
            future.set_result(("b", None))
            self.handed_back += 1
        if self.others == 0 or self.handed_back == 100:
            self.first()
            self.first = lambda: None
        return future


def test_worker_without_the_model_gets_it_while_another_is_busy(model, expected):
    """It does not hand back the same shards time after time, as long as the other is at its own."""
    executor = OneIsBusy(model, 9)
    assert same(sinew.rollout(model, *problem(model), executor=executor, shard=5), expected)
    assert executor.handed_back == 9 and executor.with_model == 2


def test_other_version_is_an_error(model, monkeypatch):
    real = _machines._work

    def older(job, *rest):
        return real({**job, "version": "0.0.1"}, *rest)

    monkeypatch.setattr(_machines, "_work", older)
    with (
        futures.ThreadPoolExecutor(1) as pool,
        pytest.raises(sinew.RolloutError, match="install the same version"),
    ):
        sinew.rollout(model, *problem(model), executor=pool)


def test_no_such_width_is_an_error(model):
    with futures.ThreadPoolExecutor(1) as pool, pytest.raises(sinew.RolloutError, match="width"):
        sinew.rollout(model, *problem(model), executor=pool, width=3)


def end_process():
    """As work of a pool: between two results, as nothing ends the wait for one that is half written."""
    os.kill(os.getpid(), signal.SIGKILL)


@contextlib.contextmanager
def kill_after(count, kill):
    """Calls kill() between the shard that is kept as number `count` and whatever is sent after it."""
    kept = []
    add = _machines._Kept.add

    def add_and_kill(self, i, result):
        add(self, i, result)
        kept.append(i)
        if len(kept) == count:
            kill()

    with mock.patch.object(_machines._Kept, "add", add_and_kill):
        yield
    assert len(kept) >= count


def end_workers(pool):
    """Each of its processes ends with the next work it takes: behind few shards if _AT_ONCE is small."""
    for _ in range(pool._max_workers):
        pool.submit(end_process)


LONG = {"n": 48, "nstep": 500}


def test_pool_that_breaks_is_made_anew(model, tmp_path, monkeypatch):
    monkeypatch.setattr(_machines, "_AT_ONCE", 3)  # the end stands behind few shards
    made = []

    def make():
        made.append(spawned())
        return made[-1]

    with kill_after(2, lambda: end_workers(made[0])):
        results = sinew.rollout(
            model, *problem(model, **LONG), executor=make, shard=2, keep=tmp_path
        )
    assert len(made) == 2
    assert same(results, sinew.rollout(model, *problem(model, **LONG)))


def test_broken_pool_names_the_shards_and_a_second_call_uses_them(model, tmp_path, monkeypatch):
    monkeypatch.setattr(_machines, "_AT_ONCE", 3)
    with (
        spawned() as pool,
        kill_after(2, lambda: end_workers(pool)),
        pytest.raises(sinew.RolloutError, match=r"shards \d.* of 24 are done and kept in"),
    ):
        sinew.rollout(model, *problem(model, **LONG), executor=pool, shard=2, keep=tmp_path)
    kept = len(list(tmp_path.glob("*.npz")))
    assert 2 <= kept < 24
    with Counting() as pool:
        results = sinew.rollout(
            model, *problem(model, **LONG), executor=pool, shard=2, keep=tmp_path
        )
    assert 24 - kept <= pool.calls <= 25 - kept
    assert same(results, sinew.rollout(model, *problem(model, **LONG)))


def test_kept_shards_belong_to_their_arguments(model, tmp_path, expected):
    states, controls = problem(model)
    sinew.rollout(model, states, -controls, keep=tmp_path)
    files = {file: file.read_bytes() for file in tmp_path.glob("*.npz")}
    assert same(sinew.rollout(model, states, controls, keep=tmp_path), expected)
    for file in set(tmp_path.glob("*.npz")) - set(files):
        file.write_bytes(file.read_bytes()[:100])  # unfinished
    assert same(sinew.rollout(model, states, controls, keep=tmp_path), expected)


def test_two_callers_keep_in_one_folder(model, tmp_path, expected, monkeypatch):
    """The second does all of it while the first writes a shard."""
    write, results = np.savez, []

    def meanwhile(file, **arrays):
        monkeypatch.setattr(np, "savez", write)
        results.append(sinew.rollout(model, *problem(model), shard=10, keep=tmp_path))
        write(file, **arrays)

    monkeypatch.setattr(np, "savez", meanwhile)
    results.append(sinew.rollout(model, *problem(model), shard=10, keep=tmp_path))
    results.append(sinew.rollout(model, *problem(model), shard=10, keep=tmp_path))
    assert len(results) == 3 and all(same(r, expected) for r in results)
    assert len(list(tmp_path.iterdir())) == 5


def test_failing_shard_is_sent_again_and_then_named(model):
    class Flaky(Counting):
        def submit(self, fn, *rest):
            future = super().submit(fn, *rest)
            if self.calls in self.bad:
                future = futures.Future()
                future.set_exception(OSError("no route"))
            return future

    with Flaky() as pool:
        pool.bad = {2, 3}
        sinew.rollout(model, *problem(model), executor=pool, shard=10)
        pool.bad = set(range(1000))
        with pytest.raises(sinew.RolloutError, match="failed 3 times.*no route.*none of 5"):
            sinew.rollout(model, *problem(model), executor=pool, shard=10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": np.zeros((2, 3))}, "states has shape"),
        ({"controls": np.zeros((50, 10, 4))}, "controls has shape"),
        ({"controls": np.zeros((3, 10, 1))}, "50 states and controls of 3"),
        ({"controls": None}, "nstep"),
        ({"nstep": 3}, "nstep says 3"),
        ({"shard": 0}, "shard is 0"),
        ({"every": 0}, "every is 0, must be from 1"),
        ({"every": 1.0}, "every must be an integer"),
        ({"nstep": 0}, "nstep is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"retries": -1}, "retries is -1, must be from 0"),
        ({"retries": None}, "retries must be an integer"),
        ({"model": "robot.xml"}, "model must be a sinew.Model, not str"),
    ],
)
def test_wrong_arguments(model, change, message):
    states, controls = problem(model)
    given = {"model": model, "states": states, "controls": controls}
    with (
        futures.ThreadPoolExecutor(1) as pool,
        pytest.raises((TypeError, ValueError), match=message),
    ):
        sinew.rollout(**{**given, "executor": pool, **change})


@pytest.mark.parametrize("way", ["here", "pool", "kept"])
def test_bad_numbers_are_told(model, way, tmp_path):
    """Their simulations begin anew: nobody shall take that for a result, also of a worker or of kept shards."""
    states, controls = problem(model, nstep=10)
    states[37, 3] = np.nan
    controls[21, 4] = controls[41, 2] = np.inf
    settings = {"shard": 20, "keep": tmp_path} if way == "kept" else {"shard": 20}
    for _ in range(2 if way == "kept" else 1):
        with futures.ThreadPoolExecutor(2) as pool, pytest.warns(sinew.SimulationWarning) as told:
            sinew.rollout(
                model, states, controls, executor=None if way == "here" else pool, **settings
            )
        assert sorted(str(one.message) for one in told) == [
            "rollout: BADCTRL in 2 of 50 simulations, the first is 21: NaN, infinite or huge number in ctrl",
            "rollout: BADQPOS in 1 of 50 simulations, the first is 37: NaN, infinite or huge number in qpos",
        ]
        assert all(one.filename == __file__ for one in told)


def test_executor_of_a_wrong_kind(model):
    with pytest.raises(TypeError, match="Executor"):
        sinew.rollout(model, *problem(model), executor=3)


DASK = """
import os, signal, sys
import distributed
import sinew
sys.path.insert(0, {tests!r})
import test_rollout_machines as t

if __name__ == "__main__":
    model = sinew.Model.from_xml(t.MODEL)
    keep = sys.argv[1]
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=keep
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = [worker.pid for worker in cluster.workers.values()]
        with t.kill_after(2, lambda: os.kill(pids[0], signal.SIGKILL)):
            results = sinew.rollout(
                model, *t.problem(model, **t.LONG), executor=client.get_executor(), shard=2, keep=keep
            )
    assert t.same(results, sinew.rollout(model, *t.problem(model, **t.LONG)))
    print("whole")
"""


def test_dask_with_a_worker_killed(tmp_path):
    """In a process of its own: Dask leaves threads behind."""
    pytest.importorskip("distributed")
    program = tmp_path / "program.py"
    program.write_text(DASK.format(tests=str(pathlib.Path(__file__).parent)))
    command = [sys.executable, str(program), str(tmp_path / "kept")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "whole\n"


PROGRAM = """
import contextlib, os, signal, sys
import numpy as np
import sinew
from mpi4py.futures import MPIPoolExecutor
sys.path.insert(0, {tests!r})
import test_rollout_machines as t

if __name__ == "__main__":
    model = sinew.Model.from_xml(t.MODEL)
    keep = sys.argv[1]
    with MPIPoolExecutor() as executor:
        ending = contextlib.nullcontext()
        if len(sys.argv) > 2:
            pids = set(executor.map(t.pid_of, range(20)))
            ending = t.kill_after(2, lambda: os.kill(min(pids), signal.SIGKILL))
        with ending:
            results = sinew.rollout(
                model, *t.problem(model, **t.LONG), executor=executor, shard=2, keep=keep
            )
    assert t.same(results, sinew.rollout(model, *t.problem(model, **t.LONG)))
    print("whole")
"""


def pid_of(_):
    time.sleep(0.01)
    return os.getpid()


def mpi(program, *arguments):
    """Runs a program on three ranks; the library of the system's MPI under the name that mpi4py's wheel wants."""
    library = pathlib.Path(sys.prefix) / "lib"
    paths = [str(library), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    env = {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(paths)}
    command = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", program, *arguments]
    return subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=1200, check=False
    )


def test_mpi_with_a_rank_killed(tmp_path):
    pytest.importorskip("mpi4py")
    if not shutil.which("mpiexec"):
        pytest.skip("no MPI on this system")
    program, keep = tmp_path / "program.py", tmp_path / "kept"
    program.write_text(PROGRAM.format(tests=str(pathlib.Path(__file__).parent)))
    killed = mpi(str(program), str(keep), "kill")
    assert killed.returncode != 0
    assert "of 24 are done and kept in" in killed.stderr
    kept = len(list(keep.glob("*.npz")))
    assert 2 <= kept < 24
    again = mpi(str(program), str(keep))
    assert again.returncode == 0, again.stderr
    assert again.stdout == "whole\n"


@pytest.fixture
def pool():
    with futures.ThreadPoolExecutor(2) as executor:
        yield executor


def test_ray_adapter(model, monkeypatch, expected, pool):
    """On a stand-in with the names of Ray that the adapter uses."""

    class Reference:
        def __init__(self, future):
            self._future = future

        def future(self):
            return self._future

    class Remote:
        def __init__(self, fn):
            self.fn = fn

        def options(self, **options):
            assert options == {"num_cpus": 1}
            return self

        def remote(self, *args):
            return Reference(pool.submit(self.fn, *args))

    ray = types.SimpleNamespace(is_initialized=lambda: True, remote=Remote)
    monkeypatch.setitem(sys.modules, "ray", ray)
    executor = sinew.RayExecutor(num_cpus=1)
    assert same(sinew.rollout(model, *problem(model), executor=executor, shard=9), expected)


def test_without_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match="pip install ray"):
        sinew.RayExecutor()


def test_a_worker_keeps_the_models_that_it_used_last(model, monkeypatch):
    monkeypatch.setattr(_machines, "_models", collections.OrderedDict())
    packed = sinew._core.packModel(model)

    def use(key, packed=None):
        return _machines._model_of({"model": key}, packed)

    first = [use(k, packed) for k in range(_machines._KEPT_MODELS)]
    assert use(0) is first[0]
    use("new", packed)
    assert use(1) is None and use(0) is first[0]
    assert all(use(k) is first[k] for k in range(2, _machines._KEPT_MODELS))
    use("newer", packed)
    assert use("new") is None and use(0) is first[0]
