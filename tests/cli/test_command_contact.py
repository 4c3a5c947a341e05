"""Rigid contact in the command: who asks for it, what is shown of it, what is refused."""

import json

import pytest

BOX = """
<mujoco model="box">
  {option}
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 .2"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <custom><text name="sinew_lcp" data="sweeps=30 method=gs"/></custom>
</mujoco>
"""


@pytest.fixture
def box(tmp_path):
    path = tmp_path / "box.xml"
    path.write_text(BOX.format(option=""))
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("simulate --contact", "needs a value: --contact; see sinew simulate --help"),
        ("simulate --contact=lpc", "--contact lpc: wants soft|lcp; did you mean lcp?"),
        ("check --contact hard a.xml", "--contact hard: wants soft|lcp"),
        ("convert --contact= a.xml b.xml", "--contact : wants soft|lcp"),
        ("inspect --contact=sof", "--contact sof: wants soft|lcp; did you mean soft?"),
    ],
)
def test_wrong_usage(sinew, arguments, message):
    assert message in sinew.error(*arguments.split(), code=2)


def test_the_summary_shows_the_contact_model(sinew, box):
    soft = sinew("simulate", box, "--seconds", "0.4").stdout
    assert "contact  " not in soft and "iterations  " in soft and "sweeps  " not in soft
    rigid = sinew("simulate", box, "--contact", "lcp", "--seconds", "0.4").stdout
    assert "contact     rigid (lcp), method gs\n" in rigid and "sweeps      " in rigid
    assert "m/s at most, tolerance 1e-06\n" in rigid and "iterations  " not in rigid
    said = json.loads(sinew("simulate", box, "--contact=lcp", "--seconds", "0.4", "--json").stdout)
    assert said["contact"] == {"model": "lcp", "method": "gs", "tolerance": 1e-6}
    assert said["solver_iterations"]["max"] >= 1
    said = json.loads(sinew("simulate", box, "--steps=1", "--json").stdout)
    assert said["contact"] == {"model": "soft"}


def test_inspect_shows_the_settings(sinew, box):
    soft = sinew("inspect", box).stdout
    assert "  contact           soft\n" in soft and "  lcp_method        gs\n" in soft
    rigid = sinew("inspect", "--contact=lcp", box).stdout
    assert "  contact           lcp\n" in rigid and "  lcp_sweeps        30\n" in rigid
    assert "  lcp_stabilise     baumgarte\n" in rigid and "  lcp_coordinates   mixed\n" in rigid
    assert (
        json.loads(sinew("inspect", "--contact=lcp", "--json", box).stdout)["options"]["contact"]
        == 1
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            '<option integrator="RK4"/>',
            "the integrator RK4 has no such step: set integrator to Euler",
        ),
        ('<option noslip_iterations="2"/>', "contact lcp has no noslip pass"),
        ('<option><flag fwdinv="enable"/></option>', "contact lcp has no inverse dynamics"),
    ],
)
def test_what_does_not_go_together_is_refused(sinew, box, tmp_path, option, message):
    box.write_text(BOX.format(option=option))
    assert "ok " in sinew("check", box).stdout
    assert message in sinew("check", "--contact=lcp", box, code=1).stdout
    for command in ("simulate", "inspect"):
        assert message in sinew.error(command, "--contact=lcp", box, code=1)
    for out in ("a.xml", "a.snb"):
        assert message in sinew.error("convert", "--contact=lcp", box, tmp_path / out, code=1)


@pytest.mark.parametrize("out", ["out.xml", "out.snb"])
def test_convert_keeps_the_settings(sinew, box, tmp_path, out):
    sinew("convert", "--contact", "lcp", box, tmp_path / out)
    again = sinew("inspect", tmp_path / out).stdout
    assert "  contact           lcp\n" in again and "  lcp_sweeps        30\n" in again
    sinew("convert", "--contact=soft", tmp_path / out, tmp_path / "back.xml")
    text = (tmp_path / "back.xml").read_text()
    assert '<text name="sinew_contact" data="soft"/>' in text
    assert '<text name="sinew_lcp" data="sweeps=30 method=gs"/>' in text


def test_convert_compiled_to_compiled(sinew, box, tmp_path):
    for extra in ([], ["--no-source"]):
        sinew("convert", *extra, box, tmp_path / "a.snb")
        sinew("convert", "--contact=lcp", tmp_path / "a.snb", tmp_path / "b.snb")
        assert "  contact           lcp\n" in sinew("inspect", tmp_path / "b.snb").stdout
