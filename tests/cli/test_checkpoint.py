"""A run that was killed or interrupted goes on from a checkpoint, to the bit."""

import json
import pathlib
import signal
import time

import pytest

MODELS = pathlib.Path(__file__).resolve().parents[2] / "examples/models"
NOISE = ["--ctrl", "noise:0.3:4"]

# Model, options, steps: contact, loops held exactly, rigid contact whose impulses a step starts with.
RUNS = {
    "contact": ("humanoid.xml", NOISE, 30000),
    "loops": ("cassie_legs.xml", [*NOISE, "--loops", "exact"], 6000),
    "rigid": ("brick_stack.xml", ["--contact", "lcp"], 3000),
    "rigid robot": ("humanoid.xml", [*NOISE, "--contact", "lcp"], 6000),
}


def summary(done):
    """What the summary says but times of the wall and the file's name."""
    values = json.loads(done.stdout)
    for name in ("wall_time", "times_real_time", "steps_per_second", "record"):
        values.pop(name, None)
    return values


def stopped(sinew, command, checkpoint, number):
    """A run that gets a signal once it has written its checkpoint; it may have ended by then."""
    process = sinew.start(*command, "--checkpoint", checkpoint)
    while not (sinew.folder / checkpoint).exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(number)
    process.communicate()
    assert (sinew.folder / checkpoint).exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
@pytest.mark.parametrize("kind", ["npy", "csv"])
@pytest.mark.parametrize("run", RUNS)
def test_goes_on_to_the_bit(sinew, run, kind, number):
    model, options, steps = RUNS[run]
    command = ["simulate", MODELS / model, "--steps", steps, *options, "--json"]
    whole = summary(sinew(*command, "--record", f"a.{kind}"))
    stopped(sinew, [*command, "--record", f"b.{kind}"], "run", number)
    again = summary(sinew(*command, "--record", f"b.{kind}", "--resume", "run"))
    assert (sinew.folder / f"a.{kind}").read_bytes() == (sinew.folder / f"b.{kind}").read_bytes()
    assert again == whole
    assert not list(sinew.folder.glob("*.part*"))  # what the killed run left has been taken over


def test_a_run_that_has_ended_is_made_longer(sinew):
    command = ["simulate", MODELS / "hopper.xml", *NOISE]
    sinew(*command, "--steps", 500, "--record", "a.npy")
    sinew(*command, "--steps", 200, "--record", "b.npy", "--checkpoint", "run")
    sinew(*command, "--steps", 300, "--record", "b.npy", "--resume", "run", "--checkpoint", "other")
    sinew(*command, "--steps", 500, "--record", "b.npy", "--resume", "other")
    assert (sinew.folder / "a.npy").read_bytes() == (sinew.folder / "b.npy").read_bytes()


def test_without_a_recording(sinew):
    command = ["simulate", MODELS / "hopper.xml", *NOISE, "--json"]
    whole = summary(sinew(*command, "--steps", 500))
    sinew(*command, "--steps", 200, "--checkpoint", "run")
    assert summary(sinew(*command, "--steps", 500, "--resume", "run")) == whole


def test_what_does_not_fit_is_refused(sinew):
    """Nothing has changed then."""
    hopper = MODELS / "hopper.xml"
    command = ["simulate", hopper, *NOISE, "--steps", 200]
    sinew(*command, "--record", "b.npy", "--checkpoint", "run")
    before = (sinew.folder / "run").read_bytes(), (sinew.folder / "b.npy").read_bytes()
    record = ["--record", "b.npy", "--resume", "run"]
    says = sinew.error("simulate", MODELS / "walker.xml", *NOISE, *record, code=1)
    assert 'of another model: it is of "hopper"' in says and "walker" in says
    says = sinew.error("simulate", hopper, *NOISE, "--loops", "exact", *record, code=1)
    assert "another model" in says
    says = sinew.error("simulate", hopper, "--ctrl", "zero", *record, code=1)
    assert 'the run had --ctrl "noise:0.3:4", and now "zero"' in says
    says = sinew.error(*command, "--resume", "run", code=2)
    assert "the run was recorded: give --record" in says
    says = sinew.error("simulate", hopper, *NOISE, "--steps", 100, *record, code=2)
    assert "at step 200, behind the end at step 100" in says
    says = sinew.error(*command, "--record", "b.mcap", "--checkpoint", "other", code=2)
    assert "record .npy or .csv" in says
    says = sinew.error(*command, "--record", "b.npy", "--resume", "none", code=1)
    assert "none" in says
    (sinew.folder / "cut").write_bytes(before[0][:-9])
    (sinew.folder / "other").write_bytes(before[0][:900] + b"x" + before[0][901:])
    for name in ("cut", "other", hopper):
        says = sinew.error(*command, "--record", "b.npy", "--resume", name, code=1)
        assert "not a checkpoint of this version of Sinew, or not a whole one" in says
    after = (sinew.folder / "run").read_bytes(), (sinew.folder / "b.npy").read_bytes()
    assert after == before
    for other, words in (
        (before[1][:-3000], "has less rows"),
        (before[1].replace(b"\0", b"\1"), "has other rows"),
    ):
        (sinew.folder / "b.npy").write_bytes(other)
        says = sinew.error(*command, *record, code=1)
        assert f"{words}: this is not the recording that the checkpoint goes with" in says
        assert (sinew.folder / "b.npy").read_bytes() == other
    (sinew.folder / "b.npy").unlink()
    assert "is not there" in sinew.error(*command, *record, code=1)


def test_a_checkpoint_that_cannot_be_written_ends_the_run(sinew):
    done = sinew(
        "simulate", MODELS / "hopper.xml", "--steps", 100, "--checkpoint", "no/run", code=1
    )
    assert "no/run" in done.stderr
