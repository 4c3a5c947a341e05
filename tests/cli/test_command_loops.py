"""Closed loops in the command: how they are held, what is shown of them, what is warned of."""

import json

import mujoco
import pytest

BAR = "<geom type='capsule' size='.02' fromto='0 0 0 {}'/>"
FOURBAR = f"""
<mujoco model="fourbar">
  <option><flag contact="disable"/></option>
  <worldbody>
    <site name="ground" pos="1 0 0" euler="90 0 0"/>
    <body name="crank"><joint name="j1" axis="0 1 0"/>{BAR.format("0 0 1")}
      <body name="coupler" pos="0 0 1"><joint name="j2" axis="0 1 0"/>{BAR.format("1 0 0")}
        <body name="rocker" pos="1 0 0"><joint name="j3" axis="0 1 0"/>{BAR.format("0 0 -1")}
          <site name="end" pos="0 0 -1" euler="90 0 0"/>
        </body></body></body>
    <body name="alone" pos="0 3 0"><joint name="j4" axis="0 1 0"/>{BAR.format("0 0 1")}</body>
  </worldbody>
  <equality><joint name="gear" joint1="j4" joint2="j1" polycoef="0 2 0 0 0"/></equality>
  <custom><text name="sinew_loop_pin" data="revolute ground end"/></custom>
</mujoco>
"""


@pytest.fixture
def fourbar(tmp_path):
    path = tmp_path / "fourbar.xml"
    path.write_text(FOURBAR)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("simulate --loops", "needs a value: --loops; see sinew simulate --help"),
        ("simulate --loops=exat", "--loops exat: wants soft|exact; did you mean exact?"),
        ("check --loops hard a.xml", "--loops hard: wants soft|exact"),
        ("convert --loops= a.xml b.xml", "--loops : wants soft|exact"),
        ("inspect --loops=sof", "--loops sof: wants [soft|exact]; did you mean soft?"),
        ("inspect --loops --all", "--loops and --all: give one"),
        ("inspect --loops --group body", "--loops and --group: give one"),
    ],
)
def test_wrong_usage(sinew, arguments, message):
    assert message in sinew.error(*arguments.split(), code=2)


def test_the_table_of_loops(sinew, fourbar):
    soft = sinew("inspect", "--loops", fourbar).stdout.splitlines()
    assert soft[0] == "loops, 1"
    assert soft[2].split() == "pin revolute 5 0 0 ground (world) - end (rocker)".split()
    assert soft[3] == "  and 1 equalities, which are soft: --loops exact holds them as loops"
    assert soft[6].split() == "0 3 5 2 1 3 -2 1".split()
    assert soft[-1].split(",")[0] == "mobility    2 of 4 dofs"
    exact = sinew("inspect", "--loops", "exact", fourbar).stdout.splitlines()
    assert exact[0] == "loops, 2"
    assert exact[3].split() == "gear joint 1 0 0 j4 - j1".split()
    assert exact[6].split()[:7] == "0 4 6 3 1 3 -2".split()
    assert exact[-1].split(",")[0] == "mobility    1 of 4 dofs"


def test_loops_as_json(sinew, fourbar):
    said = json.loads(sinew("inspect", "--json", "--loops=exact", fourbar).stdout)
    assert [loop["name"] for loop in said["loops"]] == ["pin", "gear"]
    assert said["loops"][0]["between"] == ["ground", "end"] and said["loops"][1]["holds"]
    cluster = said["clusters"][0]
    assert [cluster[k] for k in ("n", "nc", "r", "mobility", "redundancy", "gruebler")] == [
        4,
        6,
        3,
        1,
        3,
        -2,
    ]
    assert said["mobility"] == 1 and said["dofs"] == 4
    # a switched-off equality does not hold
    text = fourbar.read_text().replace('name="gear"', 'name="gear" active="false"')
    fourbar.write_text(text)
    said = json.loads(sinew("inspect", "--json", "--loops=exact", fourbar).stdout)
    assert not said["loops"][1]["holds"] and said["mobility"] == 2


def test_a_model_without_loops(sinew):
    assert sinew("inspect", "--loops").stdout == "loops, 0\n"
    assert json.loads(sinew("inspect", "--loops", "--json").stdout)["clusters"] == []


def test_simulate_says_how_loops_were_held(sinew, fourbar):
    soft = sinew("simulate", fourbar, "--seconds", "0.5").stdout
    assert "loops       1 in 1 cluster, mobility 2 of 4 dofs, error " in soft
    exact = json.loads(
        sinew("simulate", fourbar, "--loops", "exact", "--seconds", "0.5", "--json").stdout
    )
    assert exact["loops"]["count"] == 2 and exact["loops"]["mobility"] == 1
    assert exact["loops"]["error"] < 1e-9 and exact["rows"]["max"] == 0
    assert "loops  " not in sinew("simulate", "--steps", "1").stdout


def test_a_loop_that_stays_open_is_named_once(sinew, fourbar):
    # soft where it is compiled, so that this is no error there
    far = '<equality><weld name="far" body1="alone" body2="crank" relpose="9 0 0 1 0 0 0"/></equality>'
    fourbar.write_text(
        FOURBAR.replace("<custom>", far + "<custom>").replace("sinew_loop_pin", "pin")
    )
    assert "loop " not in sinew("simulate", fourbar, "--steps", "20").stdout
    out = sinew("simulate", fourbar, "--steps", "20", "--loops", "exact").stdout
    assert out.count('loop "far"') == 1, out


def test_timesteps_too_long_for_the_decay(sinew, fourbar):
    fourbar.write_text(
        FOURBAR.replace("<option>", '<option timestep="0.06">').replace("sinew_loop_pin", "pin")
    )
    assert "ok " in sinew("check", fourbar).stdout
    message = sinew.error("simulate", fourbar, "--loops=exact", code=1)
    assert "loop_tstab is 0.1, too small for the timestep 0.06: make it 0.12 or more" in message


@pytest.mark.parametrize("out", ["out.xml", "out.snb"])
def test_convert_keeps_loops_and_their_settings(sinew, fourbar, tmp_path, out):
    fourbar.write_text(
        FOURBAR.replace("<custom>", '<custom><text name="sinew_loops" data=" soft tstab=0.2 "/>')
    )
    sinew("convert", "--loops", "exact", fourbar, tmp_path / out)
    again = sinew("inspect", tmp_path / out).stdout
    assert "  loops             exact\n" in again and "  loop_tstab        0.2\n" in again
    sinew("convert", "--loops=soft", tmp_path / out, tmp_path / "back.xml")
    text = (tmp_path / "back.xml").read_text()
    assert "soft tstab=0.2" in text and 'data="revolute ground end"' in text
    peer = mujoco.MjModel.from_xml_path(str(tmp_path / "back.xml"))
    assert peer.ntext == 2 and peer.neq == 1


def test_convert_compiled_to_compiled(sinew, fourbar, tmp_path):
    for extra in ([], ["--no-source"]):
        sinew("convert", *extra, fourbar, tmp_path / "a.snb")
        sinew("convert", "--loops=exact", tmp_path / "a.snb", tmp_path / "b.snb")
        assert "  loops             exact\n" in sinew("inspect", tmp_path / "b.snb").stdout
