"""Parameters that make no sense, and poses in which a formula divides by zero: the peer's answer, never a NaN."""

import itertools

import mujoco
import numpy as np
import pytest

import bridge
from test_model import load_text

STRING = """
<mujoco>
  <worldbody>
    <site name="a" pos="{a}"/><geom name="g" type="{kind}" size=".1 .2" contype="0" conaffinity="0"/><site name="side" pos="{side}"/>
    <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
      <geom size=".05" contype="0" conaffinity="0"/><site name="b" pos="{b}"/></body>
  </worldbody>
  <tendon><spatial name="t" stiffness="10" springlength="0" damping=".1" range="0 .1" frictionloss=".1">
    <site site="a"/><geom geom="g" {sidesite}/><site site="b"/></spatial></tendon>
  <actuator><motor tendon="t"/></actuator>
</mujoco>
"""
SIDES = [None, "0 .3 0", "0 0 0", "0 .1 0", ".02 .03 0", "0 0 .5"]
PLACES = {
    "through_the_centre": ("-.5 0 0", ".5 0 0"),
    "through_the_centre_askew": ("-.3 -.3 .1", ".3 .3 -.1"),
    "along_the_axis": ("0 0 -.5", "0 0 .5"),
    "nearly_through_the_centre": ("-.5 1e-12 0", ".5 0 0"),
    "far": ("-5 0 0", "5 1e-9 0"),
    "at_one_point": (".3 0 0", ".3 0 0"),
    "at_one_point_inside": (".03 0 0", ".03 0 0"),
    "one_inside": (".05 0 0", ".5 0 0"),
    "both_inside": (".05 0 0", "-.05 .01 0"),
    "one_at_the_centre": ("0 0 0", ".5 0 0"),
    "one_on_the_surface": (".1 0 0", ".5 .1 0"),
    "tangent": (".1 -.5 0", ".1 .5 0"),
    "at_the_side_site": ("0 .3 0", "0 .3 .2"),
}
# in these the plane of the string around a sphere is anybody's choice
IN_LINE = {"through_the_centre", "through_the_centre_askew", "along_the_axis"}


def pair(text):
    ours, error = load_text(text)
    assert ours, error.message.decode()
    peer = mujoco.MjModel.from_xml_string(text)
    return ours, bridge.make_data(ours), peer, mujoco.MjData(peer)


def is_sane(data):
    """No NaN in the state, and none in what is computed, unless a warning says so."""
    names = ("qpos", "qvel", "qacc", "ten_length", "ten_J", "actuator_length", "qfrc_passive")
    finite = all(np.isfinite(getattr(data, n)).all() for n in names)
    return finite or data.warnings().any()


@pytest.mark.parametrize("radius", [0.1, 1e-10, 0, -1])
@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
def test_wraps(kind, radius):
    """Radius zero and less, side sites inside, on and along the axis, sites in line with the centre."""
    for side, place in itertools.product(SIDES, PLACES):
        a, b = PLACES[place]
        text = STRING.format(
            a=a, b=b, kind=kind, side=side or "0 0 0", sidesite='sidesite="side"' if side else ""
        )
        ours, data, peer, pdata = pair(text)
        peer.geom_size[0, 0] = radius
        ours.geom_size[0, 0] = radius
        mujoco.mj_forward(peer, pdata)
        bridge.call("forward", ours, data)
        what = f"{side} {place}"
        assert is_sane(data), what
        assert abs(data.ten_length[0, 0] - pdata.ten_length[0]) < 1e-12, what
        J, theirs = data.ten_J.ravel()[:3], pdata.ten_J.ravel()[:3]
        if place in IN_LINE and data.ten_wrapnum[0, 0] == 4 and kind == "sphere":
            along = np.array(b.split(), float)
            assert abs(np.linalg.norm(J) - np.linalg.norm(theirs)) < 1e-12, what
            assert abs(along @ J - along @ theirs) < 1e-12, what
            if side == "0 .3 0":  # the string passes over the side site and pulls b up there
                across = J - along * (along @ J) / (along @ along)
                assert across[1] < -0.1, what
        else:
            assert np.abs(J - theirs).max() < 1e-10, what
        for _ in range(3):
            bridge.call("step", ours, data)
        assert is_sane(data), what


def test_sizes_that_are_refused():
    """Radius zero in a file is an error for both."""
    for kind, size in itertools.product(("sphere", "cylinder"), ("0 .2", "-1 .2", "nan .2")):
        text = STRING.format(a="1 0 0", b="0 1 0", kind=kind, side="0 0 1", sidesite="")
        text = text.replace('size=".1 .2"', f'size="{size}"')
        if "nan" not in size:
            with pytest.raises(ValueError):
                mujoco.MjModel.from_xml_string(text)
        ours, error = load_text(text)
        assert ours is None and error.message


CRANK = """
<mujoco><worldbody>
  <body><joint axis="0 1 0"/><geom size=".1"/><site name="crank" pos=".3 0 0"/></body>
  <body pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint axis="0 0 1"/><geom size=".1"/><site name="slider" euler="0 90 0"/></body>
</worldbody>
<actuator><motor cranksite="crank" slidersite="slider" cranklength="{rod}"/></actuator></mujoco>
"""


@pytest.mark.parametrize("rod", [1e-10, 0.01, 0.7, 5])
def test_slider_crank(rod):
    """Within reach, at its very end and out of reach; the rod along the slider's axis."""
    ours, data, peer, pdata = pair(CRANK.format(rod=rod))
    rng = np.random.default_rng(3)
    poses = [np.zeros(3), [np.pi / 2, 0, 0], [np.pi, 0, 0], [0, -0.7, 0], [0, -0.7 - rod, 0]]
    for qpos in [*poses, *rng.normal(size=(200, 3))]:
        pdata.qpos[:] = data.qpos.ravel()[:] = qpos
        pdata.ctrl[:] = data.ctrl.ravel()[:] = 1
        mujoco.mj_forward(peer, pdata)
        bridge.call("forward", ours, data)
        assert is_sane(data)
        np.testing.assert_allclose(data.actuator_length.ravel(), pdata.actuator_length, atol=1e-10)
        np.testing.assert_allclose(
            data.qfrc_actuator.ravel(), pdata.qfrc_actuator, atol=1e-9, rtol=1e-9
        )


MUSCLE = """
<mujoco><worldbody><body><joint axis="0 1 0" name="j"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<actuator><muscle joint="j" lengthrange="0 1" range=".5 1.5"/></actuator></mujoco>
"""
VALUES = {
    "empty_length_range": ("actuator_lengthrange", [0.3, 0.3]),
    "range_of_zero": ("actuator_gainprm", [1, 1, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2, 0]),
    "curves_of_zero_width": ("actuator_gainprm", [0.5, 1.5, -1, 200, 1, 1, 0, 0, 0, 0]),
    "reversed": ("actuator_gainprm", [1.5, 0.5, -1, -200, 1.6, 0.5, -1, -1, -1, 0]),
    "bias_of_zero": ("actuator_biasprm", [1, 1, -1, 200, 1, 1, 0, 0, 0, 0]),
    "no_acceleration": ("actuator_acc0", 0),
    "time_constants_of_zero": ("actuator_dynprm", [0] * 10),
}


@pytest.mark.parametrize("case", VALUES)
def test_muscle_numbers(case):
    """Numbers that loading refuses, set in the model afterwards: the peer's force, or a warning and a reset."""
    field, value = VALUES[case]
    ours, data, peer, pdata = pair(MUSCLE)
    getattr(peer, field)[0] = value
    getattr(ours, field)[0] = value
    rng = np.random.default_rng(4)
    for _ in range(50):
        for name in ("qpos", "qvel", "act", "ctrl"):
            number = rng.normal()
            getattr(pdata, name)[:] = number
            getattr(data, name)[:] = number
        mujoco.mj_forward(peer, pdata)
        bridge.call("forward", ours, data)
        for what in ("actuator_force", "act_dot"):
            np.testing.assert_allclose(
                np.ravel(getattr(data, what)),
                getattr(pdata, what),
                rtol=1e-9,
                atol=1e-9,
                err_msg=what,
            )
        bridge.call("step", ours, data)
        assert np.isfinite(data.qpos).all() or data.warnings().any()
