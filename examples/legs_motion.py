"""Cassie-like legs squat and sway for ten seconds: motors, contacts and four loops that stay closed.

python legs_motion.py
"""

import pathlib

import numpy as np

import sinew

MODEL = pathlib.Path(__file__).parent / "models/cassie_legs.xml"


def targets(model, time):
    """Controls at a time: knees bend by up to 0.3 rad, twice in ten seconds, and hips roll from side to side.

    Shin and tarsus fold like a parallelogram with the knee, so that hip and foot alone keep the sole level; a hip
    that turns by 0.483 of the knee keeps the centre of mass above the feet.
    """
    begin = min(1.0, time)
    bend = 0.15 * begin * (1 - np.cos(0.4 * np.pi * time))
    sway = 0.06 * begin * np.sin(0.4 * np.pi * time)
    ctrl = np.array(model.key_ctrl[0])
    for side in ("left", "right"):
        ctrl[model.actuator(f"{side}_knee").id] -= bend
        ctrl[model.actuator(f"{side}_pitch").id] += 0.483 * bend
        ctrl[model.actuator(f"{side}_crank").id] -= 0.483 * bend
        ctrl[model.actuator(f"{side}_roll").id] += sway
    return ctrl


if __name__ == "__main__":
    model = sinew.Model.from_path(MODEL)
    data = sinew.Data(model)
    print("time (s)  pelvis y, z (m)  knee (rad)  left foot's load (N)  gap of the loops (m)")
    left = model.geom("left_sole").id
    while data.time < 9.999:
        data.ctrl[:] = targets(model, data.time)
        sinew.step(model, data)
        if round(data.time / model.opt.timestep) % 1250 == 0:
            sinew.forward(model, data)
            load = sum(
                sinew.contactForce(model, data, i)[0]
                for i in range(data.ncon)
                if left in (data.contact[i].geom1, data.contact[i].geom2)
            )
            knee = data.joint("left_knee").qpos[0]
            print(
                f"{data.time:8.2f}  {data.qpos[1]:7.3f} {data.qpos[2]:7.3f}  {knee:10.3f}"
                f"  {load:20.1f}  {data.loop_error:20.0e}"
            )
    print("warnings:", int(data.warning["number"].sum()))
