"""Limits of joints are never exceeded, from random states that can stay inside, by whole steps of the engine.

Many short runs: one planar robot of many joints that do not feel each other (axes through the centres of wheels) gives as
many independent samples a step; then chains, in which all joints feel all others, with torques that suffice.
"""

import os

import numpy as np
import pytest

import sinew
from sinew import control

LONG = bool(os.environ.get("SINEW_LONG"))
SAMPLES = 10000 if LONG else 2000
STEPS = 60


def wheels(count, integrator="Euler"):
    """Joints of all sizes: damped, heavy, limited narrowly or widely."""
    rng = np.random.default_rng(1)
    text = (
        f'<mujoco><option timestep="0.001" gravity="0 0 0" integrator="{integrator}"/><worldbody>'
    )
    for i in range(count):
        low, high = -(10 ** rng.uniform(-3, 0.5)), 10 ** rng.uniform(-3, 0.5)
        kind = ("hinge", "slide")[i % 2]
        text += (
            f'<body><joint name="j{i}" type="{kind}" axis="0 0 1" range="{low} {high}" limited="true"'
            f' damping="{rng.uniform(0, 1)}"/>'
            f'<inertial pos="0 0 0" mass="{10 ** rng.uniform(-1, 1)}" diaginertia="0.1 0.1 0.1"/></body>'
        )
    return sinew.Model.from_xml(
        text.replace("<mujoco>", '<mujoco><compiler angle="radian"/>') + "</worldbody></mujoco>"
    )


def chain(links):
    """A spatial chain under gravity whose joints turn about three axes."""
    text = '<mujoco><compiler angle="radian"/><option timestep="0.001"/><worldbody>'
    axes = "0 1 0", "1 0 0", "0 0 1"
    for i in range(links):
        text += (
            f'<body pos="0 0 {0.3 if i else 0}"><joint name="j{i}" axis="{axes[i % 3]}" range="-{0.4 + 0.3 * i} {1.5 - 0.1 * i}"'
            ' limited="true" damping="0.1" armature="0.01"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 0.3"'
            ' contype="0" conaffinity="0"/>'
        )
    return sinew.Model.from_xml(text + "</body>" * links + "</worldbody></mujoco>")


def viable(rng, low, high, vmax, amax, dt):
    """Random states from which full braking, some step by some step, ends inside: half of them on the edge."""
    q = rng.uniform(low, high)
    side = rng.choice([-1, 1], q.size)
    way = np.where(side > 0, high - q, q - low)
    # K whole steps of braking and the way that they take: the least over K bounds the next velocity; one step
    # of braking before gives the velocity now
    K = np.arange(0, 20000)[:, None]
    next_ = np.min(way / ((K + 1) * dt) + amax * dt * K / 2, axis=0)
    most = np.minimum(next_ + amax * dt, vmax)
    part = np.where(rng.random(q.size) < 0.5, 1 - 1e-9, rng.random(q.size))
    return q, side * most * part


def excess(c, data, before):
    """By how much limits of position, velocity and acceleration are exceeded, of the sizes that they have."""
    acceleration = np.abs(data.qvel - before) / data_timestep(c) - c.acceleration_max
    return (
        np.max([data.qpos - c.qpos_upper, c.qpos_lower - data.qpos]),
        np.max(np.abs(data.qvel) - c.velocity_max),
        np.max(acceleration / (1 + c.acceleration_max)),
    )


def data_timestep(c):
    return c.model.opt.timestep


def run(model, mode, samples, seed, amax, vmax):
    """The worst excess of each kind over random states and random wishes."""
    rng = np.random.default_rng(seed)
    c = control.Controller(model, mode)
    c.acceleration_max[:], c.velocity_max[:] = amax, vmax
    posture = c.add_task(control.PostureTask(kp=1, level=1))
    data, worst = sinew.Data(model), np.zeros(3)
    for _ in range(samples):
        low, high = c.qpos_lower, c.qpos_upper
        data.qpos[:], data.qvel[:] = viable(
            rng, low, high, c.velocity_max, c.acceleration_max, 1e-3
        )
        sign = rng.choice([-1, 1], model.nv)
        for step in range(STEPS):
            if step % 20 == 0:  # wishes far beyond what limits allow, one way and the other
                sign = rng.choice([-1, 1], model.nv)
                posture.acc = sign * 10 ** rng.uniform(0, 6, model.nv)
                posture.vel = sign * 10 ** rng.uniform(0, 4, model.nv)
            before = data.qvel.copy()
            assert c.solve(data) == 0 and c.infeasible < 0
            c.apply(data)
            if mode == "velocity":
                data.qpos[:] = sinew.integratePos(model, data.qpos, data.qvel, 1e-3)
            else:
                sinew.step(model, data)
            worst = np.maximum(worst, excess(c, data, before))
    return worst


@pytest.mark.parametrize("mode", ["acceleration", "velocity"])
def test_joints_on_their_own(mode):
    model = wheels(40)
    rng = np.random.default_rng(2)
    amax, vmax = 10 ** rng.uniform(0, 3, model.nv), 10 ** rng.uniform(-1, 1, model.nv)
    worst = run(model, mode, SAMPLES // 40, 3, amax, vmax)
    assert worst[0] < 1e-9 and worst[1] < 1e-9 and worst[2] < 1e-7


@pytest.mark.parametrize("mode", ["acceleration", "velocity"])
@pytest.mark.parametrize("links", [1, 3, 6])
def test_chains(mode, links):
    model = chain(links)
    worst = run(model, mode, max(SAMPLES // (100 * links), 2), links, 30.0, 4.0)
    assert worst[0] < 1e-9 and worst[1] < 1e-9 and worst[2] < 1e-7
