"""Tendons that hang: catenaries against the pinned peer, and against what a rope is."""

import numpy as np
import pytest

from decor_pair import DecorPair

TENDON = 18
ENDS = [(2, 0, 0), (2, 0, 1), (0.3, 0.4, -1), (0.001, 0, 1), (0, 0, 1), (0, 0, 0), (5, -7, 3)]
SLACK = [1 + 1e-6, 1.001, 1.1, 1.5, 3, 10, 60]
GRAVITY = ["0 0 -9.81", "1 2 3", "0 0 1", "5 0 0", "0 0 0"]


def ropes(attributes, gravity="0 0 -9.81", slices=28, extra=""):
    """One rope for each end and length; `attributes` has {} for the length."""
    sites = "".join(f'<site name="e{i}" pos="{x} {y} {z}"/>' for i, (x, y, z) in enumerate(ENDS))
    spatial = ""
    for i, end in enumerate(ENDS):
        for slack in SLACK:
            given = attributes.format(slack * (np.linalg.norm(end) or 1))
            spatial += f'<spatial {given}><site site="o"/><site site="e{i}"/></spatial>'
    return f"""<mujoco><option gravity="{gravity}"/><visual><quality numslices="{slices}"/></visual>
    <worldbody>{sites}<body><joint name="j" type="slide"/><geom size=".1"/><site name="o"/></body></worldbody>
    <tendon>{spatial}</tendon>{extra}</mujoco>"""


def check(text):
    pair = DecorPair(text)
    pair.reset_options(flags=["TENDON"], label="TENDON", tendongroup=1)
    pair.check()
    rows = pair.rows()[0]
    return pair, rows[rows["objtype"] == TENDON]


@pytest.mark.parametrize("gravity", GRAVITY)
def test_ropes(gravity):
    _, rows = check(ropes('limited="true" range="0 {}"', gravity))
    assert (len(rows) == len(ENDS) * len(SLACK)) == (gravity == "0 0 0")


@pytest.mark.parametrize("slices", [3, 7, 99, 150])
def test_parts(slices):
    check(ropes('limited="true" range="0 {}"', slices=slices))


HANGING = (
    'limited="true" range="0 {}"', 'stiffness="1" springlength="0 {}"', 'limited="true" range="0 {}" armature="1"',
    'limited="true" range="0 {}" springlength="1 2"', 'limited="true" range="0 1" springlength="0 {}" stiffness="1"',
)  # fmt: skip
TAUT = (
    'limited="true" range="-1 {}"', 'limited="true" range=".1 {}"', 'springlength="0 {}"', 'springlength=".1 {}" stiffness="1"',
    'limited="true" range="0 {}" springlength="1 1" stiffness="1"', 'limited="true" range="0 {}" frictionloss="1"',
    'limited="true" range="0 {}" damping="1"', 'springlength="0 {}" stiffness="1" damping="1"',
)  # fmt: skip


@pytest.mark.parametrize("attributes", HANGING + TAUT)
def test_which_tendons_hang(attributes):
    _, rows = check(ropes(attributes))
    assert (len(rows) > len(ENDS) * len(SLACK)) == (attributes in HANGING)


def test_actuated_tendons_are_taut():
    given = 'limited="true" range="0 {}"'
    names = ropes('name="t" limited="true" range="0 {}"').count("<spatial")
    text = ropes(given)
    for i in range(names):
        text = text.replace("<spatial limited", f'<spatial name="t{i}" limited', 1)
    text = text.replace(
        "</mujoco>", '<actuator><motor tendon="t5"/><motor joint="j"/></actuator></mujoco>'
    )
    _, rows = check(text)
    assert (rows["objid"] == 5).sum() == 1 and (rows["objid"] == 4).sum() == 28


def test_gravity_that_is_switched_off_straightens():
    text = ropes('limited="true" range="0 {}"').replace(
        '9.81"/>', '9.81"><flag gravity="disable"/></option>'
    )
    _, rows = check(text)
    assert len(rows) == len(ENDS) * len(SLACK)


def test_a_rope_has_its_length_and_hangs_down():
    """All parts but the last, which skips a point, lie on a curve of the tendon's length, lowest in between."""
    pair, rows = check(ropes('limited="true" range="0 {}"', slices=90))
    m = pair.m[0]
    for i in range(m.ntendon):
        parts = rows[rows["objid"] == i]
        if len(parts) < 3:
            continue
        axis = parts["mat"].reshape(-1, 3, 3)[:, :, 2]
        half = axis * parts["size"][:, 2:]
        np.testing.assert_allclose(
            parts["pos"][:-1] + half[:-1], parts["pos"][1:] - half[1:], atol=2e-5
        )
        length = 2 * parts["size"][:, 2].sum()
        assert 0.99 * m.tendon_range[i, 1] < length < m.tendon_range[i, 1] * (1 + 1e-6)
        slope = axis[:, 2] / np.linalg.norm(axis[:, :2], axis=1)
        assert (np.diff(slope) > -1e-6).all()  # convex
