"""Servos at their limits in the command: who asks for it, what is shown of it, what is kept."""

import json

import pytest

WHEEL = """
<mujoco model="wheel">
  <option integrator="implicitfast" timestep="0.002" gravity="0 0 0"/>
  <worldbody><body><joint name="w"/><inertial mass="1" pos="0 0 0" diaginertia=".001 .001 .001"/></body></worldbody>
  <actuator><velocity joint="w" kv="2" forcerange="-3 3"/></actuator>
  <keyframe><key name="turning" qvel="3"/></keyframe>
</mujoco>
"""


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "wheel.xml"
    path.write_text(WHEEL)
    return path


def energy(sinew, *arguments):
    said = sinew("simulate", *arguments, "--keyframe=turning", "--steps=1001", "--json").stdout
    return json.loads(said)["energy"]["end"]["kinetic"]


def test_a_run_takes_it(sinew, wheel):
    assert energy(sinew, wheel) == pytest.approx(0.0045)  # turned round in every step
    assert energy(sinew, wheel, "--servo=end") < 1e-20
    assert energy(sinew, wheel, "--servo", "begin") == energy(sinew, wheel)


def test_wrong_usage(sinew):
    message = sinew.error("simulate", "--servo=edn", code=2)
    assert "--servo edn: wants begin|end; did you mean end?" in message
    assert "needs a value: --servo" in sinew.error("check", "--servo", code=2)


@pytest.mark.parametrize("out", ["out.xml", "out.snb"])
def test_convert_keeps_it(sinew, wheel, tmp_path, out):
    assert "  servo             begin\n" in sinew("inspect", wheel).stdout
    assert "ok " in sinew("check", "--servo=end", wheel).stdout
    sinew("convert", "--servo=end", wheel, tmp_path / out)
    assert "  servo             end\n" in sinew("inspect", tmp_path / out).stdout
    assert energy(sinew, tmp_path / out) < 1e-20
    sinew("convert", "--servo=begin", tmp_path / out, tmp_path / "back.xml")
    assert '<text name="sinew_servo" data="begin"/>' in (tmp_path / "back.xml").read_text()


def test_convert_compiled_to_compiled(sinew, wheel, tmp_path):
    for extra in ([], ["--no-source"]):
        sinew("convert", *extra, wheel, tmp_path / "a.snb")
        sinew("convert", "--servo=end", tmp_path / "a.snb", tmp_path / "b.snb")
        assert "  servo             end\n" in sinew("inspect", tmp_path / "b.snb").stdout
