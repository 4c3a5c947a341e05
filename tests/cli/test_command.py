"""Subcommands, options, exit codes, help, output that nobody reads."""

import base64
import json
import os
import re
import struct
import subprocess

import numpy as np
import pytest
from project_version import VERSION

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
    for command in ("simulate", "inspect", "check", "convert"):
        text = sinew(command, "--help").stdout
        assert text.startswith(f"sinew {command} ") and "--help" in text
        assert sinew("help", command).stdout == text


def test_version(sinew):
    assert sinew("--version").stdout == f"sinew {VERSION}\n"
    assert re.fullmatch(
        f"sinew {re.escape(VERSION)}\nkernels for (v[234]|plain)\n",
        sinew("--version", "--cpu").stdout,
    )


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
        ("simulate --seconds=1e300", "--seconds 1e300: too long for steps of 0.004 s"),
        ("simulate --ctrl=nois:1", "--ctrl nois:1: wants zero, noise:STD, noise:STD:SEED or a file FILE.csv"),
        ("simulate --record=x.txt", "--record x.txt: wants FILE.csv, FILE.npy or FILE.mcap"),
        ("simulate a.xml b.xml", "one model at a time; too many: b.xml; see sinew simulate --help"),
        ("check", "missing: MODEL...; see sinew check --help"),
        ("inspect --group bdoy", 'no group "bdoy"; did you mean "body"?'),
        ("inspect --group xyzzy", 'no group "xyzzy"; sinew inspect MODEL lists the groups at its end'),
        ("inspect --group body --all", "--group and --all: give one"),
        ("convert a.xml", "missing: IN OUT; see sinew convert --help"),
        ("convert a.xml b.txt", "b.txt: what to write is told by the end of its name, which may be .xml, .mjz, .zip or .snb"),
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


def test_warnings(sinew, tmp_path):
    odd = tmp_path / "odd.xml"
    odd.write_text(
        '<mujoco>\n<option iterations="-1"/>\nwords\n<worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>\n'
    )
    told = [
        f"warning: <mujoco>: text inside it is passed over, only elements may stand here at {odd}:3",
        f"warning: <option>: iterations is -1, must not be negative at {odd}:2",
    ]
    done = sinew("check", odd)
    assert done.stdout.startswith("ok  ") and done.stderr.splitlines() == told
    for arguments in (
        ["inspect", odd],
        ["simulate", "--steps=1", odd],
        ["convert", odd, tmp_path / "odd.snb"],
        ["convert", "--no-source", odd, tmp_path / "odd.snb"],
        ["convert", odd, tmp_path / "new.xml"],
    ):
        assert sinew(*arguments).stderr.splitlines() == told
        done = sinew(*arguments, "--strict", code=1)
        assert done.stderr.splitlines() == ["sinew: " + told[0][len("warning: ") :]]
    listed = json.loads(sinew("inspect", "--json", odd).stdout)["warnings"]
    assert ["warning: " + w for w in listed] == told
    # a compiled model tells nothing; what was written tells what is still in it
    assert sinew("check", tmp_path / "odd.snb").stderr == ""
    done = sinew("check", "--strict", odd, code=1)
    assert done.stdout.startswith("bad  ") and done.stderr == ""
    still = tmp_path / "still.xml"
    still.write_text('<mujoco><option timestep="0"/></mujoco>')
    assert "give the length as --steps" in sinew("simulate", still, code=1).stderr


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


def test_inspect_group_as_blocks(sinew, pendulum):
    lines = sinew("inspect", pendulum, "--group", "joint").stdout.splitlines()
    assert lines[:4] == ["", "joint, 1", "  pivot", "    jnt_type               hinge"]
    assert "    jnt_range              -2.96706 2.96706" in lines


def test_inspect_group_as_a_table(sinew, pendulum):
    lines = sinew("inspect", pendulum, "--group", "bvh").stdout.splitlines()
    assert lines == [
        "",
        "bvh, 1",
        "       bvh_depth  bvh_child  bvh_nodeid",
        "  [0]  0          -1 -1      0",
    ]
    assert '"pendulum"' in sinew("inspect", pendulum, "--group", "names").stdout


def test_inspect_all_has_every_group(sinew, pendulum):
    listed = sinew("inspect", pendulum).stdout.partition("groups of fields")[2].splitlines()[1:]
    text = sinew("inspect", pendulum, "--all").stdout
    for line in listed:
        name, rows = line.split()
        assert f"\n{name}, {rows}\n" in text
    assert "rgba/fog" in text and "meaninertia" in text


def test_inspect_json_has_every_field(sinew, pendulum):
    model = json.loads(sinew("inspect", pendulum, "--json").stdout)
    fields = model["fields"]
    assert fields["jnt_type"] == ["hinge"] and len(fields["geom_pos"][0]) == 3
    assert fields["names"][:2] == ["pendulum", "world"]
    assert set(fields) >= {"mesh_vert", "key_qpos", "B_colind", "eq_data", "tex_data"}
    assert model["visual"]["global"]["fovy"] == 45 and model["statistics"]["center"]
    group = json.loads(sinew("inspect", pendulum, "--group", "joint", "--json").stdout)
    assert group == {name: fields[name] for name in group} and "jnt_axis" in group


@pytest.mark.parametrize("width", [1, 2, 3])
def test_inspect_pixels(sinew, tmp_path, width):
    (tmp_path / "t.xml").write_text(
        '<mujoco><asset><texture name="t" type="2d" builtin="flat" rgb1="1 .2 .6" nchannel="4"'
        f' width="{width}" height="1"/></asset></mujoco>'
    )
    listing = sinew("inspect", "t.xml", "--group", "texdata").stdout.split()
    data = bytes.fromhex(listing[-1])
    fields = json.loads(sinew("inspect", "t.xml", "--group", "texdata", "--json").stdout)
    assert base64.b64decode(fields["tex_data"], validate=True) == data and len(data) == 4 * width


def test_convert(sinew, pendulum, tmp_path):
    compiled, again = tmp_path / "pendulum.snb", tmp_path / "again.snb"
    assert sinew("convert", pendulum, compiled).stdout == ""
    assert compiled.read_bytes()[:4] == b"\x89SNB"
    sinew("convert", compiled, again)
    assert again.read_bytes() == compiled.read_bytes()
    line = f"ok   {compiled} (nq 1, nv 1, nu 0, 3 bodies, 1 geoms)\n"
    assert sinew("check", compiled).stdout == line
    assert sinew("inspect", compiled, "--all").stdout == sinew("inspect", pendulum, "--all").stdout
    for path, record in ((pendulum, "a.npy"), (compiled, "b.npy")):
        sinew("simulate", path, "--steps", 50, "--record", record)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    sinew("convert", compiled, compiled)
    assert again.read_bytes() == compiled.read_bytes()


def sealed(data):
    """A binary file with its checksum made anew, as src/model/binary/binary.c has it."""
    data = data[:48] + bytes(8) + data[56:]
    sums = 0x243F6A8885A308D3
    for (word,) in struct.iter_unpack("<Q", data):
        sums = (sums ^ word) * 0x9E3779B97F4A7C15 % 2**64
        sums ^= sums >> 32
    return data[:48] + struct.pack("<Q", sums) + data[56:]


def test_convert_with_files(sinew, tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "rock.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    )
    (tmp_path / "in.xml").write_text(
        "<mujoco><compiler meshdir='m'/><asset><mesh file='rock.obj'/></asset><worldbody><body><freejoint/>"
        "<geom type='mesh' mesh='rock'/></body></worldbody></mujoco>"
    )
    (tmp_path / "out").mkdir()
    sinew("convert", "in.xml", "out/a.snb")
    sinew("convert", "in.xml", "bare.snb", "--no-source")
    before = sinew("inspect", "in.xml", "--group", "mesh").stdout
    mesh = (tmp_path / "m" / "rock.obj").read_bytes()
    (tmp_path / "m" / "rock.obj").unlink()
    assert sinew("convert", "out/a.snb", "out/b.xml").stdout == ""
    assert (tmp_path / "out" / "b_assets" / "rock.obj").read_bytes() == mesh
    assert 'file="b_assets/rock.obj"' in (tmp_path / "out" / "b.xml").read_text()
    assert (
        sinew("inspect", "out/b.xml", "--group", "mesh").stdout.replace("b_assets/", "") == before
    )
    # the model of another Sinew, with another layout, is compiled again from its source
    data = (tmp_path / "out" / "a.snb").read_bytes()
    (tmp_path / "old.snb").write_bytes(sealed(data[:32] + bytes(8) + data[40:]))
    assert "other fields" in sinew("check", "old.snb", code=1).stdout
    sinew("convert", "old.snb", "new.snb")
    assert sinew("inspect", "new.snb", "--group", "mesh").stdout == before


def test_convert_errors(sinew, pendulum, tmp_path):
    assert "nowhere.xml" in sinew.error("convert", "nowhere.xml", "a.snb", code=1)
    (tmp_path / "y.snb").mkdir()
    assert "it is a folder" in sinew.error("convert", pendulum, "y.snb", code=1)
    (tmp_path / "cut.snb").write_bytes(b"\x89SNB\r\n\x1a\n1234")
    assert "cut.snb" in sinew.error("convert", "cut.snb", "b.snb", code=1)
    sinew("convert", pendulum, "c.snb")
    sinew("convert", "--no-source", "c.snb", "bare.snb")
    assert (tmp_path / "bare.snb").stat().st_size < (tmp_path / "c.snb").stat().st_size
    message = sinew.error("convert", "bare.snb", "c.xml", code=1)
    assert "bare.snb" in message and "holds no source" in message
    assert not (tmp_path / "c.xml").exists()
    assert not (tmp_path / "a.snb").exists() and not (tmp_path / "b.snb").exists()


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


HOSTILE = (
    "a\x1b[31m\r\n\x9bz\x7f"  # colours, a carriage return, a line end, CSI in one character, delete
)
SHOWN = r"a\x1b[31m\x0d\x0a\xc2\x9bz\x7f"


def test_control_characters_do_not_reach_the_terminal(sinew, pendulum, tmp_path):
    """Names of files and elements come from anybody: none can move the cursor or feign a line."""

    def printed(*arguments, code):
        done = sinew(*arguments, code=code)
        text = done.stdout + done.stderr
        assert not [c for c in text if ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160], text
        return text

    (tmp_path / f"{HOSTILE}.xml").write_text(PENDULUM)
    (tmp_path / f"{HOSTILE}bad.xml").write_text('<mujoco>\n<geom typ="sphere"/></mujoco>')
    assert printed("check", f"{HOSTILE}.xml", code=0).startswith(f"ok   {SHOWN}.xml (nq 1")
    bad = printed("check", f"{HOSTILE}bad.xml", code=1)
    assert bad.startswith(f"bad  {SHOWN}bad.xml: <geom>") and f"at {SHOWN}bad.xml:2" in bad
    assert f"'{SHOWN}'" in printed("check", HOSTILE, code=1)
    for command in ("inspect", "simulate"):
        assert f"cannot read '{SHOWN}'" in printed(command, HOSTILE, code=1)
    assert f"cannot read '{SHOWN}'" in printed("convert", HOSTILE, "a.snb", code=1)
    name = HOSTILE.replace("\n", "")
    for arguments in (
        ["simulate", "--record", f"{name}/a.csv"],
        ["convert", pendulum, f"{name}/a.snb"],
    ):
        assert r"a\x1b[31m" in printed(*arguments, code=1)
    for arguments in (["simulate", f"--{name}"], ["simulate", "--ctrl", name], [name]):
        assert r"a\x1b[31m" in printed(*arguments, code=2)
    record = f"{name}.csv"
    assert r"a\x1b[31m" in printed("simulate", pendulum, "--steps", 1, "--record", record, code=0)
    data = json.loads(
        printed("simulate", pendulum, "--steps=1", "--record", record, "--json", code=0)
    )
    assert data["record"] == record


def test_anywhere(sinew, tmp_path):
    """Files outside of the model's folder that are no models, meshes or images want the option."""
    (tmp_path / "model").mkdir()
    (tmp_path / "ground").write_bytes(np.array([2, 2, 0, 0, 0, 0], "<i4").tobytes())
    (tmp_path / "model/hills.xml").write_text(
        "<mujoco><asset><hfield name='h' file='../ground' size='1 1 1 1'/></asset></mujoco>"
    )
    for arguments in (
        ["check", "model/hills.xml"],
        ["inspect", "model/hills.xml"],
        ["inspect", "model/hills.xml", "--package-dir", "."],
        ["simulate", "model/hills.xml", "--steps", "1"],
        ["convert", "model/hills.xml", "hills.snb"],
    ):
        done = sinew(*arguments, code=1)
        assert "outside of the model's folder" in done.stdout + done.stderr
        sinew(*arguments, "--anywhere", code=0)


# Not seen, and not what they seem: direction, width, lines, tags.
UNSEEN = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C, *range(0x200B, 0x200E), 0x2060,
          0xFEFF, 0x2028, 0x2029, 0xAD, 0xFE0F, 0xE0001, 0xE0041]  # fmt: skip


def test_unseen_characters_do_not_reach_the_terminal(sinew, tmp_path):
    """A name cannot look like another one; in what is written for programs it is as it is."""
    name = "a" + "b".join(map(chr, UNSEEN)) + "\u05d0\U0001f916"
    shown = "b".join(f"\\u{c:04x}" if c < 0x10000 else f"\\U{c:08x}" for c in UNSEEN)
    model = f'<mujoco><worldbody><body><joint name="{name}"/><geom size=".1"/></body></worldbody></mujoco>'
    (tmp_path / f"{name}.xml").write_text(model, encoding="utf8")
    (tmp_path / "bad.xml").write_text(model.replace("<joint", "<joint typ='x'"), encoding="utf8")

    def printed(*arguments, code=0):
        done = sinew(*arguments, code=code)
        text = done.stdout + done.stderr
        assert not {*map(ord, text)} & {*UNSEEN}, text
        return text

    for arguments in (["inspect"], ["inspect", "--all"], ["check"], ["simulate", "--steps", "3"]):
        text = printed(arguments[0], f"{name}.xml", *arguments[1:])
        assert arguments[0] == "simulate" or "a" + shown + "\u05d0\U0001f916" in text
    assert shown[:30] in printed("check", "bad.xml", code=1)  # a message cuts long names
    assert shown[:30] in printed("inspect", name, code=1)
    assert shown[:30] in printed("simulate", f"{name}.xml", "--ctrl", name, code=2)
    data = json.loads(printed("inspect", "--json", f"{name}.xml"))
    assert data["bodies"][1]["joints"][0]["name"] == name
    printed("simulate", f"{name}.xml", "--steps", "3", "--record", "run.csv")
    assert name in (tmp_path / "run.csv").read_text(encoding="utf8")
    printed("convert", f"{name}.xml", "out.xml")
    assert name in (tmp_path / "out.xml").read_text(encoding="utf8")
    for command in ("render", "plot"):
        assert shown[:30] in printed(command, name, "-o", "a.png", code=1)


def test_names_of_a_compiled_model_do_not_reach_the_terminal_as_they_are(sinew, pendulum, tmp_path):
    """In a compiled file names may have characters that XML forbids."""
    sinew("convert", pendulum, "named.snb", "--no-source")
    data = (tmp_path / "named.snb").read_bytes()
    assert data.count(b"pivot\0") == 1
    (tmp_path / "named.snb").write_bytes(sealed(data.replace(b"pivot\0", b"\x1b[\xc2\x9bz\0")))
    for arguments in (["inspect"], ["inspect", "--all"], ["inspect", "--group", "joint"]):
        assert r"\x1b[\xc2\x9bz" in sinew(*arguments, "named.snb").stdout
    text = sinew("inspect", "--json", "named.snb").stdout
    assert not [c for c in text if ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160]
    assert json.loads(text)["bodies"][1]["joints"][0]["name"] == "\x1b[\x9bz"
