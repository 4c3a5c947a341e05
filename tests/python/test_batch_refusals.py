"""What a batch says of numbers that cannot be: in controls and states by a warning, in parameters by an error."""

import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

import sinew

TEXT = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
<body name="a" pos="0 0 1"><joint name="j" damping="-.1"/><geom size=".1 .2" type="capsule"/></body>
<body pos="0 0 3"><freejoint/><geom size=".1"/></body></worldbody>
<actuator><motor name="m" joint="j"/></actuator></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return sinew.Model.from_xml(TEXT)


def told(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(w.category is sinew.SimulationWarning and w.filename == __file__ for w in caught)
    return [str(w.message) for w in caught]


def ctrl(batch):
    batch.step(np.array([[0], [np.nan], [0], [np.inf], [0]]), nstep=2)


def state(batch):
    batch.qpos[3, 0] = np.nan
    batch.step()


def velocity(batch):
    batch.qvel[4, 2] = np.nan
    batch.step()


def rollout(batch):
    control = np.zeros((5, 2, 1))
    control[2, 1] = np.nan
    batch.rollout(control=control)


def forward(batch):
    batch.ctrl[1] = np.nan
    batch.forward()


@pytest.mark.parametrize("width", [1, None])
@pytest.mark.parametrize(
    "call, says",
    [
        (
            ctrl,
            "BADCTRL in 2 of 5 simulations, the first is 1: NaN, infinite or huge number in ctrl",
        ),
        (
            state,
            "BADQPOS in 1 of 5 simulations, the first is 3: NaN, infinite or huge number in qpos",
        ),
        (velocity, "BADQVEL in 1 of 5 simulations, the first is 4: NaN"),
        (rollout, "BADCTRL in 1 of 5 simulations, the first is 2: NaN"),
        (forward, "BADCTRL in 1 of 5 simulations, the first is 1: NaN"),
    ],
)
def test_bad_numbers_are_told_once(model, width, call, says):
    batch = sinew.Batch(model, 5, width=width)
    messages = told(lambda: call(batch))
    assert len(messages) == 1 and messages[0].startswith(says)
    assert told(lambda: call(batch)) == []
    batch.ctrl = 0
    batch.reset()
    assert told(batch.step) == []
    assert told(lambda: call(batch)) == messages


def test_a_single_step_tells(model):
    data = sinew.Data(model)
    data.ctrl[0] = np.nan

    def step():
        sinew.step(model, data)

    assert told(step) == [
        'NaN, infinite or huge number in ctrl: 1 time, last: actuator "m"',
    ]
    assert told(step) == []
    data.ctrl[0] = 0
    sinew.resetData(model, data)
    data.qvel[3] = np.inf
    assert told(step) == ["NaN, infinite or huge number in qvel: 1 time, last: dof 3"]


REFUSED = [
    (
        "body_mass",
        -2,
        1,
        "scale",
        r"body_mass\[1\] is -.*, must not be negative, as low makes it by mode 'scale'",
    ),
    ("body_mass", 0, -1, "scale", "low not above high"),
    ("body_mass", -0.1, 1e3, "set", r"body_mass\[0\] is -0.1, must not"),
    ("body_mass", [0, -1e3, 0], 0, "add", r"body_mass\[1\] is -.*, must not"),
    ("body_inertia", -1, 1, "scale", r"body_inertia\[1\]\[0\] is -.*, must not be negative"),
    ("geom_size", -1, 1, "scale", r"geom_size\[0\]\[0\] is -5, must not"),
    ("geom_friction", -1, -0.5, "scale", r"geom_friction\[0\]\[0\] is -1, must not"),
    ("dof_armature", -1, 1, "add", r"dof_armature\[0\] is -1, must not"),
    ("opt.timestep", 0, 1, "scale", "option timestep is 0, must be positive, as low"),
    ("opt.gravity", -1e200, 1e308, "scale", "option gravity is -inf, must be finite, as high"),
    ("stat.meaninertia", -1, 1, "scale", "stat.meaninertia is -.*, must be positive and finite"),
    ("body_mass", 1e308, 1e308, "scale", r"body_mass\[2\] is inf, must be finite, as low|as low"),
    ("no_mass", 1, 1, "scale", "no parameter 'no_mass'"),
    ("geom_type", 1, 1, "scale", "no parameter 'geom_type'"),
]


@pytest.mark.parametrize("field, low, high, mode, says", REFUSED)
def test_randomize_refuses(model, field, low, high, mode, says):
    batch = sinew.Batch(model, 3)
    names = list(sinew._core.batchNames(batch))
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=says):
        batch.randomize(field, low, high, mode=mode)
    assert list(sinew._core.batchNames(batch)) == names  # nothing has changed
    batch.parameter("body_mass")
    before = batch.body_mass.copy()
    with pytest.raises(ValueError, match="must not be negative"):
        batch.randomize("body_mass", -3, 1)
    assert (batch.body_mass == before).all()


def test_what_a_model_may_have_is_taken(model):
    batch = sinew.Batch(model, 3)
    batch.randomize("dof_damping", -1, 2, seed=1)  # damping may drive
    batch.randomize("body_mass", 0, 2, seed=1)
    batch.randomize("body_pos", -1, 1, mode="add", seed=1)
    batch.randomize("jnt_range", -1, 1, seed=1)
    batch.randomize("opt.gravity", -1, 1, seed=1)
    odd = sinew.Model.from_xml(TEXT)
    odd.geom_friction[0, 1] = -0.5  # a model's own
    batch = sinew.Batch(odd, 3)
    batch.randomize("geom_friction", [[[1]]][0], 1, seed=1)


def test_assigning_refuses(model):
    batch = sinew.Batch(model, 3)
    batch.parameter("body_mass")
    before = batch.body_mass.copy()
    values = before.copy()
    values[2, 1] = -4
    with pytest.raises(
        ValueError, match=r"body_mass\[1\] of simulation 2 is -4, must not be negative"
    ):
        batch.body_mass = values
    with pytest.raises(
        ValueError, match=r"body_mass\[0\] of simulation 0 is nan, must be a number"
    ):
        batch.body_mass = np.nan
    assert (batch.body_mass == before).all()
    batch.body_mass = 2
    assert (batch.body_mass == 2).all()


LIMITED = """
import resource
import numpy as np
import sinew
model = sinew.Model.from_xml({text!r})
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
def says(call):
    try: call()
    except MemoryError as error: print(error)
batch = sinew.Batch(model, 1)
says(lambda: sinew.Batch(model, 2**31 - 1))
says(lambda: batch.rollout(nstep=2**31 - 1))
says(lambda: batch.rollout(nstep=2**30, every=2, fields=["xpos"]))
says(lambda: sinew.rollout(model, np.zeros((3, 16)), nstep=2**30))
batch.step()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no limit on addresses")
def test_what_has_no_room_says_how_much_it_takes():
    run = [sys.executable, "-c", LIMITED.format(text=TEXT)]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    batch, rollout, fields, apart = done.stdout.splitlines()
    assert re.match(
        r"no memory for a batch of 2147483647 simulations: each takes .* kB, .* GB in all", batch
    )
    assert "results of 1 simulation, 2147483647 rows each: they take 275 GB; keep every" in rollout
    assert "results of 1 simulation, 536870912 rows each: they take 107 GB" in fields
    assert "results of 3 simulations, 1073741824 rows each: they take 412 GB" in apart
