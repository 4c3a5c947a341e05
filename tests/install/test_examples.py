"""The programs in examples/ run and agree, and Python gives the command's bits."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release"))
MODEL = ROOT / "examples/models/humanoid.xml"


def run(*command):
    """Output of a command that must succeed."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def static_library():
    """The static library and what it needs, as its pkg-config file says."""
    package = (BUILD / "sinew.pc").read_text()
    needs = re.search(r"^Requires.private: (.*)$", package, re.MULTILINE).group(1).split()
    own = re.search(r"^Libs.private: (.*)$", package, re.MULTILINE).group(1).split()
    return [BUILD / "libsinew.a", *run("pkg-config", "--libs", *needs).split(), *own]


def test_examples_agree(tmp_path):
    program = tmp_path / "hold_pose"
    library = static_library()
    run("cc", ROOT / "examples/hold_pose.c", f"-I{ROOT / 'include'}", "-o", program, *library)
    expected = "the head is at 0.97 m after 5.0 s\n"
    assert run(program, MODEL) == expected
    assert run(sys.executable, ROOT / "examples/hold_pose.py", MODEL) == expected


def test_loads_on_many_at_once(tmp_path):
    program = tmp_path / "hold_loads"
    library = static_library()
    run("cc", ROOT / "examples/hold_loads.c", f"-I{ROOT / 'include'}", "-o", program, *library)
    assert run(program, MODEL) == "after 2.0 s those with up to 6 kg keep the pose\n"


def test_a_closure_function_moves_as_the_loop_joint(tmp_path):
    program = tmp_path / "closure_function"
    library = static_library()
    run(
        "cc", ROOT / "examples/closure_function.c", f"-I{ROOT / 'include'}", "-o", program, *library
    )
    lines = run(program, ROOT / "examples/models/excavator_boom.xml").splitlines()
    assert lines == [
        "G, g, K G and the closure are right: yes",
        "after 5 s the boom is at 1.521 rad, the actuator 1.842 m long",
        "as with the loop joint to 1e-8: yes; open by less than 1e-14 m: yes",
    ]


def test_the_manual_shows_the_muscle_curves(tmp_path):
    program = tmp_path / "muscle_curves"
    library = static_library()
    run("cc", ROOT / "examples/muscle_curves.c", f"-I{ROOT / 'include'}", "-o", program, *library)
    assert run(program, "--draw").rstrip() in (ROOT / "docs/actuators.md").read_text()
    assert run(program, "--svg") == (ROOT / "docs/muscle_curves.svg").read_text()
    table = np.loadtxt(run(program).splitlines()[1:], delimiter=",")
    assert table.shape == (101, 5)
    assert table[:, 1].max() <= 1


def test_the_manual_shows_the_examples():
    manual = (ROOT / "docs/simulation.md").read_text()
    for name in ("hold_pose.c", "hold_pose.py", "hold_loads.c"):
        assert (ROOT / "examples" / name).read_text() in manual


def test_the_manual_shows_the_arm():
    manual = (ROOT / "docs/spec.md").read_text()
    assert (ROOT / "examples/build_arm.py").read_text() in manual
    assert run(sys.executable, ROOT / "examples/build_arm.py") in manual


def assert_same_picture(drawn, shown):
    """Two SVG of the same shapes, at the same pixels."""
    number = re.compile(r"-?\d+\.\d+")
    drawn, text = drawn.read_text(), shown.read_text()
    assert len(text) < 60_000
    xml.etree.ElementTree.fromstring(drawn)
    assert number.sub("#", drawn) == number.sub("#", text)
    # pixels, a digit after the point; the last digit may round otherwise elsewhere
    ours, theirs = (np.array(number.findall(t), float) for t in (drawn, text))
    assert np.abs(ours - theirs).max() < 0.3


def test_the_manual_shows_the_mechanisms(tmp_path):
    for name in ("draw_mechanisms", "draw_loop_graphs", "draw_mobility"):
        run(sys.executable, "-W", "error", ROOT / f"examples/{name}.py", tmp_path)
    shown = sorted((ROOT / "docs").glob("loops_*.svg"))
    assert [p.name for p in shown] == sorted(p.name for p in tmp_path.iterdir())
    manual = (ROOT / "docs/loops.md").read_text()
    for path in shown:
        assert path.name in manual
        assert_same_picture(tmp_path / path.name, path)


def test_the_manual_shows_soft_and_rigid_contact(tmp_path):
    printed = run(sys.executable, ROOT / "examples/soft_and_hard.py", tmp_path)
    manual = (ROOT / "docs/contact_lcp.md").read_text()
    assert printed in manual and "contact_soft_and_hard.svg" in manual
    assert_same_picture(
        tmp_path / "contact_soft_and_hard.svg", ROOT / "docs/contact_soft_and_hard.svg"
    )
    rows = {
        line.split()[0]: [float(x) for x in line.split()[1:]] for line in printed.splitlines()[2:]
    }
    weight = 9 * 9.81
    assert rows["soft"][0] > 10 and rows["rigid"][0] <= 1e-3  # mm
    assert rows["rigid"][3] == round(weight, 2)
    assert abs(rows["soft"][3] - weight) < 0.1


def test_the_manual_shows_cone_and_box(tmp_path):
    printed = run(sys.executable, ROOT / "examples/friction_cone.py", tmp_path)
    manual, picture = (ROOT / "docs/contact_lcp.md").read_text(), "contact_cone_and_box.svg"
    assert printed in manual and picture in manual
    assert_same_picture(tmp_path / picture, ROOT / "docs" / picture)
    stops = [[float(x) for x in re.findall(r"-?\d+\.\d+", s)] for s in printed.splitlines()[1:]]
    reach = 2**2 / (2 * 0.4 * 9.81)
    assert all(abs(s[0] - reach) < 2e-3 for s in stops)
    assert abs(stops[0][2] - reach) < 2e-3 and abs(stops[3][2] - reach / 2**0.5) < 2e-3


def residuals(lines):
    """Of an easy and a hard pile: residuals after more and more sweeps by method; what is below 1e-9 as that."""
    piles = [{}, {}]
    for line in lines[2:8] + lines[9:15]:
        name = line[:28].strip()
        piles[name in piles[0]][name] = [float(x) for x in re.findall(r"\de-\d+", line)]
    return piles


def test_the_manual_shows_methods_of_rigid_contact(tmp_path):
    """Last digits of accelerated sweeps may differ elsewhere."""
    lines = run(sys.executable, ROOT / "examples/lcp_methods.py", tmp_path).splitlines()
    assert_same_shapes(tmp_path, "contact_methods.svg", "contact_lcp.md")
    manual = (ROOT / "docs/contact_lcp.md").read_text().splitlines()
    start = manual.index(lines[0])
    piles, shown = residuals(lines), residuals(manual[start:])
    for drawn, told in zip(piles, shown, strict=True):
        assert list(drawn) == list(told) and len(drawn) == 6
        for name in drawn:
            factor = 10 if "accelerated" in name else 2
            assert np.abs(np.log(drawn[name]) - np.log(told[name])).max() < np.log(factor)
        assert max(drawn["gs, all defaults"]) <= 1e-9
    easy, hard = piles
    assert easy["gs"][2] < 1e-4 < 5e-3 < hard["gs"][2] and max(hard["direct"]) <= 1e-9


def test_an_arm_is_identified(tmp_path):
    plot = tmp_path / "arm.png"
    lines = run(sys.executable, ROOT / "examples/identify_arm.py", plot).splitlines()
    assert plot.exists() or "no matplotlib: no plot" in lines
    error = next(line for line in lines if line.startswith("largest error"))
    assert float(error.split()[2]) < 1e-4


def test_an_arm_keeps_its_first_task_through_a_singularity(tmp_path):
    lines = run(sys.executable, ROOT / "examples/null_space_arm.py", tmp_path).splitlines()
    picture = "control_null_space.svg"
    drawn, shown = (
        [e.tag for e in xml.etree.ElementTree.parse(folder / picture).getroot()]
        for folder in (tmp_path, ROOT / "docs")
    )
    assert drawn == shown and picture in (ROOT / "docs/control.md").read_text()
    undamped, damped = ([float(x) for x in line.split()[2:]] for line in lines[2:4])
    # errors of x, its velocity and y; speed
    assert damped[0] < 1 and damped[1] < 1e-13 and 100 < damped[2] < 300 and damped[3] < 20
    assert undamped[1] < 1e-10 and undamped[3] > 1000


def test_a_humanoid_keeps_its_balance(tmp_path):
    lines = run(sys.executable, ROOT / "examples/balance.py", tmp_path).splitlines()
    numbers = [[float(x) for x in re.findall(r"-?\d+\.?\d*", line)] for line in lines]
    pushes = [n for line, n in zip(lines, numbers, strict=True) if line.startswith("pushed")]
    assert numbers[0][0] < 1 and len(pushes) == 4  # mm
    assert all(3 < away < 20 and back < 1 for _, _, away, _, back in pushes)
    depth, beside, moved, used, _, failed, warnings = sum(numbers[5:], [])
    assert depth == 150 and beside < 2 and moved < 5 and used <= 100 and failed == warnings == 0
    assert_same_shapes(tmp_path, "control_balance.svg")


def test_an_arm_reaches_beyond_its_reach(tmp_path):
    lines = run(sys.executable, ROOT / "examples/singular_arm.py", tmp_path).splitlines()
    rows = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines[2:]}
    inside, straight, beyond = (rows[name] for name in ("inside", "straight", "beyond"))
    # error at most and at the end (mm), fastest joint (rad/s), torque (%), cycles that failed; of the waiting the
    # fastest joint from 1 s on, and the part in which the target is out of reach
    assert inside[0] < 0.1 and straight[0] < 0.1 and 30 < beyond[0] < 31
    assert all(
        r[1] < 1e-3 and r[2] <= 3 and r[3] < 2 * inside[3] and r[4] == 0 for r in rows.values()
    )
    assert all(r[5] < 2e-3 for r in rows.values())
    assert (inside[6], straight[6], beyond[6]) == (0, 0, 1)
    assert_same_shapes(tmp_path, "control_singular_arm.svg")
    assert_same_shapes(tmp_path, "control_waiting.svg")


def test_levels_are_nested_sets(tmp_path):
    run(sys.executable, ROOT / "examples/nested_sets.py", tmp_path)
    assert_same_shapes(tmp_path, "control_nested_sets.svg")


def assert_same_shapes(folder, picture, page="control.md"):
    """Last digits may differ elsewhere: the picture has the same shapes, and the manual shows it."""
    drawn, shown = (
        [e.tag for e in xml.etree.ElementTree.parse(f / picture).getroot()]
        for f in (folder, ROOT / "docs")
    )
    assert drawn == shown and picture in (ROOT / "docs" / page).read_text()


def test_the_manual_shows_the_uses_of_derivatives(tmp_path):
    manual = (ROOT / "docs/derivatives.md").read_text()
    for name in ("swing_up", "hop"):
        # their last digits grow over the iterations: the picture is another elsewhere, of the same shapes
        run(sys.executable, ROOT / f"examples/{name}.py", tmp_path)
        picture = f"derivative_{name}.svg"
        drawn, shown = (
            [e.tag for e in xml.etree.ElementTree.parse(folder / picture).getroot()]
            for folder in (tmp_path, ROOT / "docs")
        )
        assert drawn == shown and picture in manual
    printed = run(sys.executable, ROOT / "examples/contact_derivative.py", tmp_path)
    assert printed in manual and "derivative_contact.svg" in manual
    assert_same_picture(tmp_path / "derivative_contact.svg", ROOT / "docs/derivative_contact.svg")


def test_the_manual_shows_the_batches_at_work(tmp_path):
    """The walk is another elsewhere: the picture has the same shapes."""
    printed = run(sys.executable, ROOT / "examples/sampling_mpc.py", "0.1", tmp_path)
    assert "256 rollouts of 120 steps" in printed
    assert_same_shapes(tmp_path, "sampling_mpc.svg", "batch.md")


def test_the_legs_stand():
    lines = run(sys.executable, ROOT / "examples/legs_motion.py").splitlines()
    heights = [float(line.split()[2]) for line in lines[1:-1]]
    assert len(heights) == 8 and min(heights) < 0.82 and max(heights) > 0.92
    assert lines[-1] == "warnings: 0"


def errors_of_integrators(text):
    """Rows of a table: a name, then errors, "unstable" as infinity."""
    rows = re.findall(
        r"^(?:\| )?(Euler|implicit|implicitfast|RK4) +((?:[|] )?[\du].*)$", text, re.MULTILINE
    )
    numbers = [re.findall(r"unstable|\d[\d.e-]*", row) for _, row in rows]
    return [n for n, _ in rows], np.array(
        [[np.inf if x == "unstable" else float(x) for x in r] for r in numbers]
    )


def test_the_manual_shows_the_errors_of_integrators():
    names, errors = errors_of_integrators((ROOT / "docs/integrators.md").read_text())
    measured = errors_of_integrators(run(sys.executable, ROOT / "examples/integrators.py"))
    assert names == measured[0] and errors.shape == (8, 5)
    # two digits are printed; the least errors are rounding's
    np.testing.assert_allclose(errors, measured[1], rtol=0.1, atol=1e-11)


def test_python_gives_the_commands_bits(tmp_path):
    """dm_control's humanoid for 10 s under noise, step for step."""
    import sinew

    (package,) = importlib.util.find_spec("dm_control").submodule_search_locations
    path = pathlib.Path(package) / "suite/humanoid.xml"
    record = tmp_path / "run.npy"
    options = ["--seconds", 10, "--ctrl", "noise:0.3:3", "--record", record]
    run(BUILD / "bin/sinew", "simulate", path, *options)
    rows = np.load(record)

    model = sinew.Model.from_path(path)
    data = sinew.Data(model)
    steps = round(10 / model.opt.timestep)
    assert len(rows) == steps + 1
    for i in range(steps):
        data.ctrl[:] = 0.3 * sinew.noise(model.nu, seed=3, index=i * model.nu)
        assert data.time == rows["time"][i]
        np.testing.assert_array_equal(data.qpos, rows["qpos"][i])
        np.testing.assert_array_equal(data.qvel, rows["qvel"][i])
        np.testing.assert_array_equal(data.ctrl, rows["ctrl"][i])
        sinew.step(model, data)
    np.testing.assert_array_equal(data.qpos, rows["qpos"][-1])
    assert not any(data.warning["number"])
