"""Subcommands, options, exit codes, help, output that nobody reads."""

import json
import os
import subprocess

import pytest

PENDULUM = """
<mujoco model="pendulum">
  <worldbody>
    <body name="rod">
      <joint name="pivot" axis="0 1 0" range="-170 170"/>
      <geom name="bob" type="sphere" size="0.05" pos="0 0 -0.5"/>
      <body/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def pendulum(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    return path


def test_no_command_is_wrong_usage(sinew):
    assert "sinew --version" in sinew(code=2).stderr


def test_help_goes_to_stdout(sinew):
    for arguments in (["--help"], ["-h"], ["help"]):
        assert "simulate" in sinew(*arguments).stdout
    for command in ("simulate", "inspect", "check"):
        text = sinew(command, "--help").stdout
        assert text.startswith(f"sinew {command} ") and "--help" in text
        assert sinew("help", command).stdout == text


def test_version(sinew):
    assert sinew("--version").stdout == "sinew 0.1.0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("simulat", 'no command "simulat"; did you mean "simulate"?'),
        ("frobnicate", 'no command "frobnicate"; see sinew --help'),
        ("help chekc", 'no command "chekc"; did you mean "check"?'),
        ("simulate --setps 3", "unknown option --setps; did you mean --steps?"),
        ("simulate --xyzzy", "unknown option --xyzzy; see sinew simulate --help"),
        ("simulate -n 3", "unknown option: -n; see sinew simulate --help"),
        ("simulate --steps", "needs a value: --steps; see sinew simulate --help"),
        ("simulate --json=yes", "takes no value: --json=yes; see sinew simulate --help"),
        ("simulate --steps=1 --steps=2", "given twice: --steps=2; see sinew simulate --help"),
        ("simulate --steps=1 --seconds=2", "--seconds and --steps say the same thing; give one"),
        ("simulate --steps=-1", "--steps -1: wants a whole number of 0 or more"),
        ("simulate --steps=1.5", "--steps 1.5: wants a whole number of 0 or more"),
        ("simulate --steps=1e3", "--steps 1e3: wants a whole number of 0 or more"),
        ("simulate --steps=", "--steps : wants a whole number of 0 or more"),
        ("simulate --steps=9999999999999999999", "--steps 9999999999999999999: wants a whole number of 0 or more"),
        ("simulate --seconds=nan", "--seconds nan: wants a number of 0 or more"),
        ("simulate --seconds=inf", "--seconds inf: wants a number of 0 or more"),
        ("simulate --seconds=-2", "--seconds -2: wants a number of 0 or more"),
        ("simulate --seconds=2s", "--seconds 2s: wants a number of 0 or more"),
        ("simulate --seconds=1e300", "--seconds 1e300: too long"),
        ("simulate --ctrl=nois:1", "--ctrl nois:1: wants zero, noise:STD, noise:STD:SEED or a file FILE.csv"),
        ("simulate --record=x.txt", "--record x.txt: wants FILE.csv or FILE.npy"),
        ("simulate a.xml b.xml", "one model at a time; too many: b.xml; see sinew simulate --help"),
        ("check", "missing: MODEL...; see sinew check --help"),
    ],
)  # fmt: skip
def test_wrong_usage(sinew, arguments, message):
    assert sinew.error(*arguments.split(), code=2) == message


@pytest.mark.parametrize("noise", ["", "x", "-1", "nan", "1:", "1:x", "1:-2", "1:2:3", "1" * 80])
def test_wrong_noise(sinew, noise):
    message = sinew.error("simulate", "--ctrl", f"noise:{noise}", code=2)
    assert message.startswith(f"--ctrl noise:{noise}: wants noise:STD")


def test_operands_after_two_dashes(sinew):
    assert "--steps" in sinew.error("simulate", "--", "--steps", code=1)


def test_missing_model(sinew):
    for command in ("simulate", "inspect"):
        assert "nowhere.xml" in sinew.error(command, "nowhere.xml", code=1)


def test_check(sinew, pendulum, tmp_path):
    broken = tmp_path / "broken.xml"
    broken.write_text('<mujoco>\n<worldbody>\n<geom typ="sphere"/>\n</worldbody>\n</mujoco>\n')
    line = f"ok   {pendulum} (nq 1, nv 1, nu 0, 3 bodies, 1 geoms)\n"
    assert sinew("check", pendulum).stdout == line
    lines = sinew("check", pendulum, broken, "nowhere.xml", code=1).stdout.splitlines()
    assert lines[0] == line[:-1]
    assert lines[1].startswith(f"bad  {broken}: ") and "typ" in lines[1] and ":3" in lines[1]
    assert lines[2].startswith("bad  nowhere.xml: ")


def test_inspect_tree(sinew, pendulum):
    lines = sinew("inspect", pendulum).stdout.splitlines()
    assert lines[:5] == [
        "world",
        "└─ rod  0.5236 kg",
        "   │  joint pivot: hinge, -170 to 170 degrees",
        "   │  geom bob: sphere 0.05",
        "   └─ [2]  0 kg",
    ]
    assert any(line.split()[:2] == ["nq", "1"] for line in lines)
    assert any(line.split() == ["solver", "Newton"] for line in lines)


def test_inspect_json(sinew, pendulum):
    model = json.loads(sinew("inspect", pendulum, "--json").stdout)
    assert model["model"] == "pendulum" and model["sizes"]["nbody"] == 3
    rod = model["bodies"][1]
    assert rod["name"] == "rod" and rod["parent"] == 0 and rod["joints"][0]["name"] == "pivot"
    assert rod["joints"][0]["range"] == pytest.approx([-2.96705972839036, 2.96705972839036])
    assert rod["geoms"][0] == {"name": "bob", "type": "sphere", "size": [0.05]}
    assert model["bodies"][2]["name"] is None
    assert model["options"]["timestep"] == 0.002
    assert model["options"]["gravity"] == [0, 0, -9.81]


def test_inspect_our_humanoid(sinew):
    text = sinew("inspect").stdout
    assert "joint knee_left: hinge, -2 to 145 degrees" in text and "  squat" in text


def test_reader_that_goes_away(sinew):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sinew.path, "inspect"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert done.returncode == 1 and done.stderr == b""


def test_full_output(sinew):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sinew.path, "inspect"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1 and "No space left" in done.stderr
