"""`sinew.control` under what no program should do: wrong arrays, dead objects, threads, leaks, signals."""

import gc
import os
import resource
import signal
import threading
import tracemalloc

import numpy as np
import pytest

import sinew
from sinew import HqpState, QpStatus, control

ROUNDS = int(os.environ.get("SINEW_FUZZ", "300"))
LEGS = """
<mujoco>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint/><geom name="base" size=".1" mass="5"/>
      <body name="a" pos=".2 0 0"><joint name="ja" axis="0 1 0" range="-1 1" limited="true"/>
        <geom name="ga" size=".05" mass="1"/><site name="sa" pos="0 0 -.2"/>
        <body name="b" pos=".2 0 0"><joint name="jb" type="ball"/>
          <geom name="gb" size=".05" mass="1"/><site name="sb" pos="0 0 -.2"/></body></body>
      <body name="c" pos="-.2 0 0"><joint name="jc" type="slide"/><geom name="gc" size=".05"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="ja" ctrlrange="-5 5"/><position joint="jc" kp="10"/></actuator>
</mujoco>
"""


@pytest.fixture
def legs():
    return sinew.Model.from_xml(LEGS)


def full(model, mode="acceleration", **settings):
    """A controller with a task of most kinds and a contact."""
    c = control.Controller(model, mode, **settings)
    c.add_task(control.PoseTask(site="sb", level=1))
    c.add_task(control.ComTask(level=2))
    c.add_task(control.PostureTask(level=3))
    c.add_task(control.AdmittanceTask(site="sb", level=4))
    c.add_task(control.GazeTask(body="b", level=5))
    c.add_task(control.ManipulabilityTask(site="sb", level=6))
    c.add_task(control.DistanceTask(geom="ga", other="gc", level=1, distance_max=5))
    c.add_contact(site="sa", facets=0)
    return c


def finite(c):
    for name in ("x", "qacc", "qvel", "tau", "slack", "violation"):
        assert np.isfinite(getattr(c, name)).all(), name
    for contact in c.contacts:
        assert np.isfinite(contact.force).all()
        assert np.isfinite(contact.wrench).all()


def attempt(function, *args):
    """What a mistake may raise."""
    try:
        return function(*args)
    except (
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        KeyError,
        OverflowError,
        RuntimeError,
    ):
        return None


RESULTS = ["qacc", "qvel", "tau", "force", "wrench", "cop", "error", "state"]
ODD = [
    np.nan,
    np.inf,
    -np.inf,
    1e300,
    -1e30,
    0,
    None,
    "x",
    [],
    [1, 2],
    np.zeros((3, 3)),
    np.ones(7)[::-1],
    np.ones(7, np.float32),
    np.ones((7, 7))[:, 0],
    np.array(["a"]),
    object(),
    2**70,
    -(2**31),
]


@pytest.mark.parametrize("mode", ["acceleration", "velocity"])
def test_odd_values_anywhere(legs, mode):
    """Whatever is written wherever: an exception, or finite results; and all is well once it is back."""
    random = np.random.default_rng(5)
    c, data = full(legs, mode), sinew.Data(legs)
    for _ in range(ROUNDS):
        part = [c, *c.tasks, *c.contacts][random.integers(1 + len(c.tasks) + len(c.contacts))]
        names = [n for n in dir(part) if not n.startswith("_") and not callable(getattr(part, n))]
        name = names[random.integers(len(names))]
        before = getattr(part, name)
        before = before.copy() if isinstance(before, np.ndarray) else before
        odd = ODD[random.integers(len(ODD))]
        if name in ("model", "tasks", "contacts", *RESULTS):
            continue
        attempt(setattr, part, name, odd)
        attempt(c.solve, data)
        finite(c)
        attempt(setattr, part, name, before)
        data.qvel[:] = 0.1 * random.standard_normal(legs.nv)
        for task in c.tasks:
            task.fresh = True
        assert c.solve(data) == QpStatus.SOLVED
        finite(c)


def test_odd_specifications(legs):
    """Specifications of tasks and contacts with odd members."""
    random = np.random.default_rng(6)
    kinds = [
        k for k in vars(control).values() if isinstance(k, type) and issubclass(k, control.TaskSpec)
    ]
    data = sinew.Data(legs)
    for _ in range(ROUNDS):
        c = full(legs, ["acceleration", "velocity"][random.integers(2)])
        kind = kinds[random.integers(len(kinds))]
        fields = list(getattr(kind, "__dataclass_fields__", {}))
        given = {
            f: ODD[random.integers(len(ODD))] if random.random() < 0.3 else random.integers(4)
            for f in fields
            if random.random() < 0.3
        }
        spec = attempt(lambda kind=kind, given=given: kind(**given))
        if spec is not None:
            attempt(c.add_task, spec)
        contact = {
            f: ODD[random.integers(len(ODD))]
            for f in (
                "points",
                "normal",
                "mu",
                "facets",
                "force_min",
                "force_max",
                "cop",
                "ramp",
                "rows",
                "level",
            )
            if random.random() < 0.2
        }
        attempt(lambda c=c, contact=contact: c.add_contact(site="sb", **contact))
        attempt(c.solve, data)
        finite(c)


def test_data_of_another_model(legs):
    """Data of another model is refused, also one of the same sizes but made anew."""
    other = sinew.Model.from_xml(
        "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    c = full(legs)
    with pytest.raises(ValueError, match="another model"):
        c.solve(sinew.Data(other))
    c.solve(sinew.Data(sinew.Model.from_xml(LEGS)))
    finite(c)


def test_views_outlive_all(legs):
    """Views, tasks and contacts keep what they show."""
    c, data = full(legs), sinew.Data(legs)
    c.solve(data)
    views = [c.tau, c.tasks[0].pos, c.contacts[0].force, c.tasks[3].state]
    task, contact = c.tasks[0], c.contacts[0]
    del c, data, legs
    gc.collect()
    for view in views:
        view[:] = 1
    task.pos[:] = 2
    contact.active = False
    assert views[1][0] == 2
    assert task.name == ""


def test_threads_on_one_controller(legs):
    """One at a time: the others are told, nothing breaks."""
    c = full(legs, max_tasks=2000)
    outcomes = set()

    def work():
        data = sinew.Data(legs)
        for k in range(60):
            try:
                c.solve(data)
                c.apply(data)
                c.x, c.slack, c.state
                c.diagnostics()
                if k % 20 == 0:
                    c.add_task(control.PostureTask(level=2))
                c.contacts[0].active = bool(k % 3)
                outcomes.add("done")
            except (RuntimeError, IndexError) as error:
                outcomes.add(type(error).__name__)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert "done" in outcomes
    assert c.solve(sinew.Data(legs)) == QpStatus.SOLVED


def test_threads_with_their_own(legs):
    """The same bits from eight threads."""
    results = []

    def work():
        c, data = full(legs), sinew.Data(legs)
        for _ in range(20):
            c.solve(data)
            c.apply(data)
            sinew.step(legs, data)
        results.append(c.x.tobytes() + data.qpos.tobytes())

    threads = [threading.Thread(target=work) for _ in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(results) == 8
    assert len(set(results)) == 1


def churn(legs, count):
    for k in range(count):
        if k % 20 == 0:
            gc.collect()
        c, data = full(legs), sinew.Data(legs)
        c.solve(data)
        c.tasks.append(c)  # a cycle of references
        views = [c.tau, c.tasks[0].pos]
        q = control.Qp(4, 6)
        h = control.Hqp(4, 2, 8)
        attempt(c.add_task, control.PoseTask(body="nobody"))
        attempt(setattr, c, "qpos_lower", np.nan)
        attempt(c.solve, data)
        del c, data, views, q, h


def test_no_leak(legs):
    """Makes and frees, with errors and cycles of references between."""
    count = max(50, ROUNDS // 3)
    churn(legs, 20)
    gc.collect()
    tracemalloc.start()
    first = tracemalloc.get_traced_memory()[0]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    churn(legs, count)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100_000
    assert rss < 20_000  # KiB


def test_signals_come_through(legs):
    """Ctrl-C between cycles ends a loop, and the controller works on."""
    c, data = full(legs), sinew.Data(legs)
    old = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(
                signal.ITIMER_REAL, 0.05
            )  # whenever it comes, the loop goes on until then
            while True:
                c.solve(data)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert c.solve(data) == QpStatus.SOLVED


def random_rows(random, n, rows):
    """Degenerate ones among them: whole numbers, empty and double rows, infinite bounds, scales."""
    A = random.integers(-2, 3, (rows, n)).astype(float)
    if random.random() < 0.5:
        A += random.standard_normal((rows, n))
    if rows:
        A[random.integers(rows)] *= random.integers(2)
        A[random.integers(rows)] = A[0]
        A[random.integers(rows)] *= 10.0 ** random.integers(-6, 7)
    lower = random.integers(-3, 3, rows).astype(float)
    upper = lower + random.integers(0, 3, rows)
    upper[random.random(rows) < 0.2] = np.inf
    lower[random.random(rows) < 0.2] = -np.inf
    return A, lower, upper


def test_random_hierarchies():
    """Slacks, states and violations agree with A x; the limit of changes ends each; warm equals cold."""
    random = np.random.default_rng(7)
    warm = control.Hqp(12, 5, 60)
    for _ in range(ROUNDS):
        n = random.integers(1, 13)
        levels = [
            random_rows(random, n, random.integers(0, 13)) for _ in range(random.integers(1, 6))
        ]
        few = control.solve_hqp(levels, iterations=int(random.integers(1, 4)))
        assert np.isfinite(few.x).all()
        cold = control.solve_hqp(levels)
        again = warm.solve(levels)
        for result in (cold, again):
            assert result.status == QpStatus.SOLVED
            for (A, lower, upper), slack, state in zip(
                levels, result.slacks, result.states, strict=True
            ):
                above, below = A @ result.x - upper, A @ result.x - lower
                expected = np.where(above > 0, above, np.where(below < 0, below, 0))
                assert (abs(slack - expected) <= 1e-12 * (1 + abs(A) @ abs(result.x))).all()
                assert (slack[state == HqpState.ABOVE] > 0).all()
                assert (slack[state == HqpState.BELOW] < 0).all()
        most = [max(1, abs(A).max(initial=0)) * (1 + abs(cold.x).max()) for A, *_ in levels]
        scale = np.maximum.accumulate(most)
        assert (abs(cold.violations - again.violations) <= 1e-8 * scale).all()
