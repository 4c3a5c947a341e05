"""Random models in which what came with MuJoCo 4.0 stands together: belts, adhesion, springs that yield, delays, ..."""

import numpy as np

SHAPES = {"sphere": 1, "box": 3, "capsule": 2}
INTEGRATORS = ("Euler", "implicit", "implicitfast", "discrete", "RK4")
RAYS = ("dist", "dist normal", "dir point depth", "dist dir origin point normal depth")


class Maker:
    """Text of one model, from one generator of numbers."""

    def __init__(self, seed, sleep):
        self.rng = np.random.default_rng(seed)
        self.sleep = sleep  # the flag; then there are no belts, on which nothing rests
        self.joints, self.geoms, self.sites, self.tendons, self.actuators = [], [], [], [], []

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def name(self, kind, names):
        names.append(f"{kind}{len(names)}")
        return names[-1]

    def number(self, low, high):
        return f"{self.rng.uniform(low, high):.4g}"

    def numbers(self, n, low=-1.0, high=1.0):
        return " ".join(self.number(low, high) for _ in range(n))

    def some(self, p, text):
        """A text, or nothing."""
        return f" {text}" if self.chance(p) else ""

    # ---- bodies

    def geom(self, more=""):
        shape = self.pick(*SHAPES)
        return (
            f'<geom name="{self.name("g", self.geoms)}" type="{shape}" size="{self.numbers(SHAPES[shape], 0.06, 0.14)}"'
            f' condim="{self.pick(1, 3, 3, 4, 6)}" friction="{self.number(0.2, 1)} .01 .005" margin=".004"'
            + self.some(0.4, f'adhesion="{self.number(0, 6)}" gap=".01"')
            + self.some(0 if self.sleep else 0.3, f'surfacevel="{self.numbers(6)}"')
            + f"{more}/>"
        )

    def site(self, more=""):
        return f'<site name="{self.name("s", self.sites)}" pos="{self.numbers(3, -0.1, 0.1)}" size=".12"{more}/>'

    def resisting(self, stiff):
        """Springs and dampers of up to three numbers; joints and tendons alike."""
        spring = f'stiffness="{self.number(0.2 * stiff, stiff)} {self.numbers(self.rng.integers(0, 3), 0, 0.2 * stiff)}"'
        damper = (
            f'damping="{self.number(0.05, 0.4)} {self.numbers(self.rng.integers(0, 3), 0, 0.1)}"'
        )
        return (
            self.some(0.7, spring)
            + self.some(0.8, damper)
            + self.some(0.4, f'springyield="{self.number(0.01, 0.2)}"')
        )

    def bound(self):
        """What a tendon may have beside."""
        return (
            self.some(0.2, f'range="{self.number(-0.6, -0.1)} {self.number(0.1, 0.8)}"')
            + self.some(0.2, 'frictionloss=".05"')
            + self.some(0.2, 'armature=".02"')
        )

    def joint(self, kind):
        limits = f'range="{self.number(-1.5, -0.2)} {self.number(0.2, 1.5)}"'
        axis = "" if kind == "ball" else f' axis="{self.numbers(3)}"'
        name = self.name("ball" if kind == "ball" else "j", self.joints)
        ends = (
            "" if kind == "ball" else self.some(0.4, limits) + self.some(0.3, 'frictionloss=".05"')
        )
        rest = "" if kind == "ball" else self.some(0.2, 'springref=".2"')
        return f'<joint name="{name}" type="{kind}"{axis}{self.resisting(8)}{ends}{rest} armature=".02"/>'

    def policy(self):
        return f' sleep="{self.pick("allowed", "allowed", "init", "never")}"' if self.sleep else ""

    def limb(self, depth, root=""):
        joint = self.joint(self.pick("hinge", "hinge", "slide", "ball"))
        below = self.limb(depth - 1) if depth else ""
        quiet = ' contype="0" conaffinity="0"' if self.chance(0.5) else ""
        root += self.some(0.2, 'gravcomp=".7"')
        return f'<body pos="{self.numbers(3, -0.3, 0.3)}"{root}>{joint}{self.geom(quiet)}{self.site()}{below}</body>'

    def free(self, i):
        eye = self.some(
            0.4, f'<camera name="eye{i}" resolution="{self.rng.integers(1, 4)} 2" fovy="60"/>'
        )
        self.eyes += [f"eye{i}"] if eye else []
        joint = "<freejoint/>" if self.chance(0.7) else '<joint type="free" damping=".1 .1"/>'
        return f'<body name="f{i}" pos="{0.3 * i} {self.number(-0.2, 0.2)} .2"{self.policy()}>{joint}{self.geom()}{self.site()}{eye}</body>'

    def world(self):
        self.eyes = []
        floor = (
            '<geom name="floor" type="plane" size="9 9 1"'
            + self.some(0 if self.sleep else 0.6, f'surfacevel="{self.numbers(6)}"')
            + self.some(0.5, f'adhesion="{self.number(0, 3)}"')
            + self.some(0.3, 'priority="1"')
            + "/>"
        )
        limbs = "".join(
            f'<body pos="{1 + i} 1 1">{self.limb(self.rng.integers(1, 4), self.policy())}</body>'
            for i in range(2)
        )
        bodies = "".join(self.free(i) for i in range(self.rng.integers(2, 5)))
        mocap = f'<body name="m" mocap="true" pos="0 -1 .3">{self.geom()}</body>'
        return f"<worldbody>{floor}{self.site()}{limbs}{bodies}{mocap}</worldbody>"

    # ---- what refers to them

    def turning(self):
        return [j for j in self.joints if not j.startswith("ball")]

    def tendon_section(self):
        text = ""
        turning = self.turning()
        for _ in range(2):
            used = self.rng.choice(
                turning, 1 if self.sleep else min(2, len(turning)), replace=False
            )
            inside = "".join(f'<joint joint="{j}" coef="{self.number(-1, 1)}"/>' for j in used)
            name = self.name("t", self.tendons)
            text += f'<fixed name="{name}"{self.resisting(5)}{self.bound()}>{inside}</fixed>'
        pair = self.rng.choice(self.sites[:2] if self.sleep else self.sites, 2, replace=False)
        inside = "".join(f'<site site="{s}"/>' for s in pair)
        band = self.some(0.4, 'springlength="0 .8"') + self.some(0.2, 'armature=".02"')
        text += f'<spatial name="{self.name("t", self.tendons)}"{self.resisting(20)}{band}>{inside}</spatial>'
        return f"<tendon>{text}</tendon>"

    def late(self):
        n = self.rng.integers(2, 9)
        delay = self.pick(*range(1, int(n) + 1)) - self.pick(0, 0, 0.3)
        return f' nsample="{n}" delay="{delay * self.h!r}" interp="{self.pick("zoh", "linear", "cubic")}"'

    def turner(self):
        """An actuator about the axes of a ball joint, one or all, or of a site against another."""
        balls = [j for j in self.joints if j.startswith("ball")]
        sites = self.rng.choice(self.sites, 2, replace=False)
        ball = balls and self.chance(0.7)
        target = (
            f'joint="{self.pick(*balls)}"' if ball else f'site="{sites[0]}" refsite="{sites[1]}"'
        )
        about = f'gear="{"" if ball else "0 0 0 "}{self.numbers(3)}"'
        whole = (
            '<orientation {} kp="3" kv=".2"/>',
            '<orientation {} kp="4" dampratio=".5" input="quat"/>',
            '<orientation {} input="quat" ctrlrange="-.4 .9"/>',
            '<general {} gaintype="so3" biastype="so3" gainprm="3" biasprm="0 -3 -.2" dyntype="integrator"/>',
            '<general {} gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 -.1" dyntype="integrator" actearly="true"/>',
        )
        axis = (
            "<motor {}/>",
            '<position {} kp="3" kv=".2"/>',
            '<pid {} kp="3" kv=".2" ki="1" slewmax="3" imax=".2"/>',
            '<intvelocity {} kp="2" actrange="-9 9"/>',
        )
        late = self.late() if self.chance(0.6) else ""
        given = f'name="{self.name("a", self.actuators)}" {target}{late}'
        if self.chance(0.4):
            return self.pick(*whole).format(given)
        return self.pick(*axis).format(f"{given} {about}")

    def actuator(self):
        if self.chance(0.25) and not self.sleep:
            return self.turner()
        target = (
            f'joint="{self.pick(*self.turning())}"'
            if self.chance(0.7)
            else f'tendon="{self.pick(*self.tendons)}"'
        )
        kind = self.pick(
            "<motor {}/>",
            '<position {} kp="8" kv=".3"/>',
            '<position {} kp="5" dampratio=".7" timeconst=".05"/>',
            '<velocity {} kv=".5"/>',
            '<pid {} kp="9" kv=".4" ki="3" imax=".1" slewmax="2" input="pos vel ff"/>',
            '<pid {} kp="6" ki="2" input="pos"/>',
            '<pid {} kp="5" dampratio="1" velrange="-.5 .5" ffrange="-1 1" input="vel ff"/>',
            '<general {} dyntype="filterexact" dynprm=".1" gainprm="3" biastype="affine" biasprm="0 -2 -.1"/>',
            '<intvelocity {} kp="5" actrange="-1 1"/>',
        )
        rotor = self.some(0.4, 'armature=".01"') + self.some(
            0.4, f'damping="{self.numbers(3, 0, 0.05)}"'
        )
        late = self.late() if self.chance(0.6) else ""
        ends = self.some(0.3, 'forcerange="-2 2"')
        name = self.name("a", self.actuators)
        return kind.format(
            f'name="{name}" {target} gear="{self.number(0.5, 2)}"{rotor}{late}{ends}'
        )

    def actuator_section(self):
        text = "".join(self.actuator() for _ in range(self.rng.integers(2, 6)))
        pull = f'<adhesion name="{self.name("a", self.actuators)}" body="f0" gain="4" ctrlrange="0 1"{self.late()}/>'
        return f"<actuator>{text}{pull}</actuator>"

    def sensor(self):
        return self.pick(
            '<accelerometer site="{s}"{late}/>',
            '<gyro site="{s}"{late}/>',
            '<force site="{s}"/>',
            '<touch site="{s}"{late}/>',
            '<jointpos joint="{j}"{late}/>',
            '<tendonvel tendon="{t}"{late}/>',
            '<actuatorfrc actuator="{a}"{late}/>',
            '<contact geom1="{g}" data="found force torque dist pos normal tangent linvel angvel" num="2"/>',
            '<contact geom1="{g}" data="linvel" reduce="maxforce"{late}/>',
            '<insidesite site="{s}" objtype="site" objname="{other}" enclosed="true"{late}/>',
            '<rangefinder site="{s}" data="{rays}"{late}/>',
        )

    def sensor_section(self):
        text = ""
        shown = [g for g in self.geoms]
        for _ in range(6):
            late = self.late() + self.some(0.4, f'interval="{self.number(1, 6)}e-2"')
            text += self.sensor().format(
                s=self.pick(*self.sites), other=self.pick(*self.sites), j=self.pick(*self.turning()), t=self.pick(*self.tendons),
                a=self.pick(*self.actuators), g=self.pick(*shown), rays=self.pick(*RAYS),
                late=late if self.chance(0.5) else "",
            )  # fmt: skip
        text += "".join(
            f'<rangefinder camera="{eye}" data="{self.pick(*RAYS)}"/>' for eye in self.eyes
        )
        return f"<sensor>{text}</sensor>"

    def contact_section(self):
        g = self.rng.choice(self.geoms, 2, replace=False)
        return f'<contact><pair geom1="floor" geom2="{g[0]}" condim="4" adhesion="{self.number(0, 5)}" margin=".01" gap=".01"/></contact>'

    def equality_section(self):
        a, b = self.rng.choice(self.turning(), 2, replace=False)
        s = self.rng.choice(self.sites, 2, replace=False)
        solref = f'solref="{self.number(0.01, 0.1)} 1"'
        text = (
            self.some(0.3, f'<joint joint1="{a}" joint2="{b}" polycoef=".1 .5 .1 0 0" {solref}/>')
            + self.some(0.2, f'<connect site1="{s[0]}" site2="{s[1]}" solref=".1 1"/>')
            + self.some(0.2, '<weld body1="m" body2="f0" solref=".1 1" torquescale=".5"/>')
            + self.some(0 if self.sleep else 0.2, f'<tendon tendon1="{self.tendons[0]}" {solref}/>')
        )
        return f"<equality>{text}</equality>"

    def text(self):
        integrator = self.pick(*INTEGRATORS[: -1 if self.sleep else None])  # RK4 has no sleep
        self.h = self.pick(2**-8, 2**-7)
        flags = 'energy="enable"'
        if integrator != "discrete":  # where 4.0.1 leaves tendons and actuators out
            flags += f' diagexact="{self.pick("enable", "disable", "disable")}"'
        if integrator != "RK4":
            flags += f' speculative="{self.pick("enable", "disable")}"'
        off = (
            "spring",
            "damper",
            "limit",
            "frictionloss",
            "island",
            "refsafe",
            "eulerdamp",
            "warmstart",
            "gravity",
        )
        if self.chance(0.3) and not self.sleep:
            flags += f' {self.pick(*off)}="disable"'
        if self.sleep:
            flags += ' sleep="enable"'
        fluid = self.some(0.2, 'density="20" viscosity=".1"')
        option = (
            f'<option timestep="{self.h!r}" integrator="{integrator}" cone="{self.pick("pyramidal", "elliptic")}"'
            + self.some(0.2, 'impratio="3"')
            + f' sleep_tolerance=".1"{fluid}><flag {flags}/></option>'
        )
        inside = self.world() + self.tendon_section() + self.actuator_section()
        inside += self.equality_section()
        return f"<mujoco>{option}{inside}{self.sensor_section()}{self.contact_section()}</mujoco>"


def model(seed, sleep=False):
    """The text of a model; `sleep`: one whose trees come to rest."""
    return Maker(seed, sleep).text()
