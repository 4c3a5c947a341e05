"""Error of each integrator against its time step, on a damped arm with a stiff velocity servo.

python integrators.py
"""

import numpy as np

import sinew

ARM = """
<mujoco>
  <option integrator="{integrator}" timestep="{step!r}"/>
  <worldbody>
    <body pos="0 0 2">
      <joint name="shoulder" axis="0 1 0" damping="0.5"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04"/>
      <body pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0.3"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 -0.4" size="0.03"/>
      </body>
    </body>
  </worldbody>
  <actuator><velocity joint="elbow" kv="{gain}"/></actuator>
</mujoco>
"""


def end(integrator, step, gain, seconds=1.0):
    """Angles after one second, the elbow told to turn at 1 rad/s."""
    text = ARM.format(integrator=integrator, step=step, gain=gain)
    model = sinew.Model.from_xml(text)
    data = sinew.Data(model)
    data.qvel[:] = 2, -1
    data.ctrl[:] = 1
    sinew.step(model, data, nstep=round(seconds / step))
    return data.qpos.copy(), bool(data.warning["number"].any())


if __name__ == "__main__":
    steps = [0.02, 0.01, 0.005, 0.002, 0.001]
    for gain in (0.5, 20):
        print(f"servo gain {gain} N m s/rad: error in rad after 1 s")
        print("step (s)      " + "".join(f"{step:>10}" for step in steps))
        exact, _ = end("RK4", 2**-15, gain)
        for integrator in ("Euler", "implicitfast", "implicit", "RK4"):
            line = f"{integrator:14}"
            for step in steps:
                qpos, unstable = end(integrator, step, gain)
                error = np.linalg.norm(qpos - exact)
                line += f"{'unstable':>10}" if unstable or error > 1 else f"{error:10.1e}"
            print(line)
