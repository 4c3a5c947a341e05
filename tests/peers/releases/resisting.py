"""Models whose joints and tendons resist in 4.0's ways, beside the newest engine: what tests of them share."""

import numpy as np

import newest
import sinew
from meanings import near, run

# Every type of joint, bodies below them, a simple free body, sliders; fixed and spatial tendons.
BODIES = """
<worldbody>
  <site name="o" pos="0 0 2"/>
  <body pos="0 0 1"><joint name="f" type="free" {free}/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
    <body pos=".2 0 -.5"><joint name="b" type="ball" pos=".1 0 0" {ball}/>
      <geom type="capsule" size=".05 .2" pos="0 0 -.2"/><geom size=".1" pos=".2 .1 0"/>
      <body pos="0 0 -.5"><joint name="h" axis="0 1 .3" {hinge}/>
        <joint name="s" type="slide" axis="1 .2 0" {slide}/><geom size=".1" pos="0 .05 -.1"/>
        <site name="tip" pos=".1 0 0"/></body>
      <body pos="0 .3 -.5"><joint name="g" axis="1 0 0"/><geom type="ellipsoid" size=".1 .3 .2"/>
        <site name="base" pos=".1 .2 0"/></body>
    </body>
  </body>
  <body pos="3 0 1"><joint name="l" type="free" {lone}/><geom size=".2" mass="2"/></body>
  <body pos="5 0 1"><joint name="x" type="slide" axis="1 0 0" {x}/><joint name="y" type="slide" axis="0 1 0"/>
    <geom size=".2" mass="2"/></body>
</worldbody>
<tendon>
  <fixed name="t" {fixed}><joint joint="h" coef="1"/><joint joint="s" coef="-2"/></fixed>
  <spatial name="u" {spatial}><site site="tip"/><site site="base"/></spatial>
  <spatial name="w" {world}><site site="tip"/><site site="o"/></spatial>
</tendon>
"""
PLACES = ("free", "ball", "hinge", "slide", "lone", "x", "fixed", "spatial", "world")


def text(option="", rest="", **attributes):
    """The model, with attributes of its joints and tendons by PLACES."""
    bodies = BODIES.format(**{place: attributes.get(place, "") for place in PLACES})
    flags = '<flag contact="disable" energy="enable"/>'
    return f'<mujoco><option timestep=".01" {option}>{flags}</option>{bodies}{rest}</mujoco>'


class Both:
    """`m`: ours under 4.0; `peer`: the newest engine in its process."""

    def __init__(self, source, **options):
        self.m = sinew.Model.from_xml(source, physics="4.0")
        self.peer = newest.load(source)
        for name, value in {"tolerance": 0, "iterations": 100, **options}.items():
            setattr(self.m.opt, name, value)
            self.peer.set(**{name: value})

    def states(self, count, seed=0, speed=2.0):
        """Random states: fields of the data."""
        rng, m = np.random.default_rng(seed), self.m
        found = []
        for _ in range(count):
            qpos = sinew.integratePos(m, m.qpos0, rng.normal(0, 0.7, m.nv), 1)
            state = {
                "qpos": qpos,
                "qvel": rng.normal(0, speed, m.nv),
                "act": rng.normal(0, 1, m.na),
            }
            found.append(state | {"ctrl": rng.normal(0, 1, m.nu)})
        return found

    def agree(self, function, states, names, bound=1e-11):
        """Fields after a call from each state are the peer's."""
        ours = run(self.m, function, states, names)
        theirs = self.peer.run(f"mj_{function}", states, names)
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            for name in names:
                near(a[name], np.reshape(getattr(b, name), a[name].shape), bound, f"{name} {k}")

    def same_fields(self, *names):
        """Fields of the compiled models."""
        theirs = vars(self.peer.get(*names))
        for name in names:
            ours = np.asarray(getattr(self.m, name))
            near(ours, np.reshape(theirs[name], ours.shape), 1e-12, name)


def float_lanes(m, states, bound=1e-4):
    """Float lanes step as the scalar engine does, to their rounding."""
    batch = sinew.Batch(m, len(states), dtype="float32")
    assert not batch.scalar_features, batch.scalar_features
    for i, state in enumerate(states):
        for name, value in state.items():
            getattr(batch, name)[i] = value
    batch.step()
    for i, one in enumerate(run(m, "step", states, ("qpos", "qvel"))):
        for name, value in one.items():
            near(getattr(batch, name)[i], value, bound, f"{name} of lane {i}")
