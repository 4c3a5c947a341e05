"""MULTICCD_ON: the flag is on where a file does not say."""

import pytest

import newest
import sinew

BIT = int(sinew.EnableBit.MULTICCD)


@pytest.mark.parametrize(
    ("flag", "old", "new"),
    [
        ("", 0, 1),
        ('multiccd="enable"', 1, 1),
        ('multiccd="disable"', 0, 0),
        ('energy="enable"', 0, 1),
    ],
)
def test_the_flag(flag, old, new):
    text = f"<mujoco><option><flag {flag}/></option></mujoco>"
    assert bool(sinew.Model.from_xml(text, physics="3.3.7").opt.enableflags & BIT) == old
    assert bool(sinew.Model.from_xml(text, physics="4.0").opt.enableflags & BIT) == new
    assert (
        bool(newest.load(text).get("disableflags").disableflags & 524288) != new
    )  # 4.0's bit says that it is off


@pytest.mark.parametrize("flag", ["", 'multiccd="enable"', 'multiccd="disable"'])
def test_written_and_read_again(flag):
    said = '<custom><text name="sinew_physics" data="4.0"/></custom>'
    spec = sinew.Spec.from_xml(f"<mujoco><option><flag {flag}/></option>{said}</mujoco>")
    flags = spec.compile().opt.enableflags
    assert sinew.Spec.from_xml(spec.to_xml()).compile().opt.enableflags == flags
    assert ("multiccd" in spec.to_xml()) == bool(flag == 'multiccd="disable"')
