"""Keeps a robot in the pose of a keyframe with a spring and a damper in every joint that has a motor.

python hold_pose.py humanoid.xml
"""

import sys

import sinew

model = sinew.Model.from_path(sys.argv[1] if len(sys.argv) > 1 else "humanoid.xml")
data = sinew.Data(model)
key = model.key("squat")
sinew.resetDataKeyframe(model, data, key.id)

pose = key.qpos
joint = model.actuator_trnid[:, 0]
q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
while data.time < 5:
    data.ctrl[:] = 6 * (pose[q] - data.qpos[q]) - 0.4 * data.qvel[v]
    sinew.step(model, data)
print(f"the head is at {data.sensor('head').data[2]:.2f} m after {data.time:.1f} s")
