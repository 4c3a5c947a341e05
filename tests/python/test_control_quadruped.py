"""Solo trots in place: contacts switched over ramps, feet in the air on polynomials."""

import os

import numpy as np

import walkers
import whole_body
from sinew import control

LONG = bool(os.environ.get("SINEW_LONG"))
PAIRS = ((0, 3), (1, 2))  # diagonals of SOLO_FEET
SWING, STANCE, RAMP, HEIGHT = 0.16, 0.06, 0.02, 0.03  # s, s from one to the next, s, m

RAMP_STEPS = round(RAMP / 1e-3)


class Solo(whole_body.Run):
    """Solo on ball feet: its base at level 1, feet in the air at level 1, joints at level 2."""

    def __init__(self, **settings):
        super().__init__(*walkers.solo(), **settings)
        self.base = self.body("base_link")
        self.ids = [self.body(f) for f in walkers.SOLO_FEET]
        self.start = self.data.xpos[self.ids].copy()
        self.swings = []
        for foot in walkers.SOLO_FEET:
            self.feet[foot] = self.controller.add_contact(
                body=foot,
                points=[0, 0, 0],
                world=True,
                mu=0.6,
                force_max=60,
                ramp=RAMP,
                kd=20,
            )
            task = self.controller.add_task(control.PositionTask(body=foot, level=1, kp=2000))
            task.active = False
            self.swings.append(task)
        self.hold = self.controller.add_task(control.PoseTask(body="base_link", level=1, kp=100))
        self.hold.pos = [*self.data.xpos[self.base], *self.data.xquat[self.base]]
        self.posture = self.controller.add_task(control.PostureTask(level=2, kp=50))
        self.posture.pos = self.data.qpos
        self.contacts = list(self.feet.values())
        self.from_ = self.start.copy()

    def trot(self, t):
        """Diagonals in turn: the legs' loads fall, the feet rise and come down where they first stood."""
        phase, in_phase = divmod(t, SWING + STANCE)
        pair = PAIRS[int(phase) % 2]
        for k, (contact, task) in enumerate(zip(self.contacts, self.swings, strict=True)):
            mine = k in pair
            contact.active = not (mine and in_phase < RAMP + SWING)
            air = in_phase - RAMP
            task.active = mine and 0 <= air < SWING
            if not task.active:
                self.from_[k] = self.data.xpos[self.ids[k]]
                continue
            self.swing(task, k, air)

    def swing(self, task, k, air):
        top = (self.from_[k] + self.start[k]) / 2 + [0, 0, HEIGHT]
        ends = [self.from_[k], top, self.start[k]]
        half = int(air >= SWING / 2)
        task.pos, task.vel, task.acc = control.polynomial(
            air - half * SWING / 2, SWING / 2, ends[half], ends[half + 1]
        )


def test_solo_trots_in_place():
    robot = Solo().go(0.2)
    first, base, height, none = robot.data.xpos[robot.base].copy(), [], [], 0

    def follow(t):
        nonlocal none
        robot.trot(t - 0.2)
        base.append(np.linalg.norm(robot.data.xpos[robot.base] - first))
        height.append(robot.data.xpos[robot.ids, 2] - robot.start[:, 2])
        carried = [c.wrench[2] for c in robot.contacts]
        none += sum(carried) < 10

    robot.go(10 if LONG else 2, follow)
    robot.check()
    height = np.array(height)
    assert max(base) < 2e-3  # the aim: 3 cm
    assert (height.max(0) > 0.8 * HEIGHT).all() and (height.max(0) < 1.1 * HEIGHT).all()
    # every foot is in the air for its share of the time, two at a time, and never all four
    assert ((height > 0.002).mean(0) > 0.5 * SWING / (2 * (SWING + STANCE))).all()
    assert ((height > 0.002).sum(1) <= 2).all() and none == 0
    assert np.abs(robot.data.xpos[robot.ids] - robot.start)[:, :2].max() < 5e-3


def test_forces_of_contacts_follow_their_ramps():
    """Switched off, a foot's force is bounded by a line to 0; switched on, by one from 0."""
    robot = Solo().go(0.2)
    legs = [robot.contacts[0], robot.contacts[3]]
    for leg in legs:
        leg.active = False
    forces = []
    for _ in range(30):
        robot.cycle()
        forces.append([leg.wrench[2] for leg in legs])
    bound = 60 * np.maximum(1 - 1e-3 * np.arange(1, 31) / RAMP, 0)
    assert (np.array(forces) <= bound[:, None] + 1e-6).all()
    assert np.array(forces)[0].min() > 5 and not np.array(forces)[RAMP_STEPS:].any()
    robot.check()
