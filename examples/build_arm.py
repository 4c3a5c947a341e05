"""An arm made without a model file: one link after the other, motors, a sensor; then a second arm on its hand."""

import sinew


def make_arm(links: int) -> sinew.Spec:
    """A chain of capsules, each on a hinge with a motor."""
    spec = sinew.Spec()
    spec.root.model = "arm"
    spec.section("option").integrator = "implicitfast"
    spec.default().add("joint", axis=[0, 1, 0], damping=0.1)
    spec.default().add("geom", type="capsule", size=0.03)
    body = spec.world
    for i in range(links):
        body = body.add("body", f"link{i}", pos=[0, 0, 0.3 if i else 1])
        body.add("joint", f"joint{i}")
        body.add("geom", fromto=[0, 0, 0, 0, 0, 0.3])
        spec.section("actuator").add("motor", f"motor{i}", joint=f"joint{i}", gear=5)
    body.add("site", "hand", pos=[0, 0, 0.3])
    spec.section("sensor").add("framepos", "hand", objtype="site", objname="hand")
    return spec


arm = make_arm(3)
model = arm.compile()
data = sinew.Data(model)
data.ctrl[:] = [0.2, -0.1, 0.05]
sinew.step(model, data, nstep=200)
print(f"{model.nv} dofs, hand at {data.sensor('hand').data.round(3)}")

# A second arm grows out of the hand; the first one goes on from where it is.
arm.body("link2").add("frame", "grip", pos=[0, 0, 0.3]).attach(make_arm(2), prefix="second/")
model, data = arm.recompile(model, data)
print(f"{model.nv} dofs, first joint still at {data.joint('joint0').qpos[0]:.4f}")
sinew.step(model, data, nstep=200)
print(arm.to_xml().count("<body"), "bodies as MJCF")
