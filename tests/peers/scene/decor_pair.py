"""Pairs of scenes for what is drawn beside the geoms: contacts of one engine, colours and sizes of their own."""

import numpy as np

from scene_pair import FLAGS, FRAMES, GROUPS, LABELS, Pair

EVERYTHING = dict.fromkeys(FLAGS, 1)
CONTACT = ("dist", "pos", "frame", "efc_address", "exclude")


class DecorPair(Pair):
    """A pair whose lists are compared whole.

    The peer is given the contacts and forces of Sinew, since convex colliders and solvers are only as alike as
    their tolerances, and draws no bounding volume as active, of which Sinew knows nothing.
    """

    def __init__(self, source, maxgeom=4000):
        super().__init__(source, maxgeom)
        for m in self.m:
            m.vis.global_.bvactive = 0

    def forward(self):
        super().forward()
        self.share_contacts()

    def share_model(self):
        """Gives the peer the numbers of our model.

        What bodies on fixed joints and meshes weigh, and where their inertial frames are, is other tests' business;
        trees of bounding volumes, which may differ with it, are left out.
        """
        mine, theirs = self.m
        for name in members(theirs):
            a, b = getattr(mine, name, None), getattr(theirs, name)
            if isinstance(b, np.ndarray) and b.dtype.kind in "fiub" and b.size:
                if np.shape(a) == b.shape:
                    b[...] = a
        for name in ("meansize", "meanmass", "meaninertia", "extent", "center"):
            setattr(theirs.stat, name, getattr(mine.stat, name))
        self.each("mjv_defaultFreeCamera", self.m, self.cam)
        self.forward()

    def check(self, catmask=7, **kwargs):
        """Compares the lists; skins that were never shown are memory that the peer has not written."""
        return super().check(catmask, **{"skins": False, **kwargs})

    def share_contacts(self):
        """Gives the peer our contacts and forces; `alike` is False where it has others."""
        ours, theirs = self.d
        self.alike = ours.ncon == theirs.ncon and ours.nefc == theirs.nefc
        self.alike = self.alike and np.array_equal(ours.contact.geom, theirs.contact.geom)
        self.alike = self.alike and np.array_equal(ours.efc_type, theirs.efc_type)
        if not self.alike:
            return
        for name in CONTACT if ours.ncon else ():
            getattr(theirs.contact, name)[:] = getattr(ours.contact, name)
        theirs.efc_force[:] = ours.efc_force

    def paint(self, rng):
        """Sizes, colours and scales of visual options that all differ, alike in both."""
        mine, theirs = self.m
        for name in members(theirs.vis.scale):
            value = rng.uniform(0.05, 0.95)
            for m in self.m:
                setattr(m.vis.scale, name, value)
        for name in members(theirs.vis.rgba):
            if np.shape(getattr(theirs.vis.rgba, name)) == (4,):  # the peer cannot set bv, bvactive
                value = rng.uniform(0, 1, 4)
                for m in self.m:
                    setattr(m.vis.rgba, name, value)
        for name in ("force", "torque", "actuatortendon", "alpha", "znear"):
            value = rng.uniform(0.1, 0.9)
            for m in self.m:
                setattr(m.vis.map, name, value)
        for name in ("meansize", "meanmass"):
            value = rng.uniform(0.5, 1.5)
            for m in self.m:
                setattr(m.stat, name, value)

    def hold(self, rng):
        """A body held by the pointer, in any of the ways."""
        quat = rng.normal(size=4)
        self.perturb(
            select=int(rng.integers(-1, self.m[1].nbody)),
            active=int(rng.integers(4)),
            active2=int(rng.integers(4)),
            refquat=quat / np.linalg.norm(quat),
            refselpos=rng.normal(size=3),
            localpos=rng.normal(size=3) * 0.1,
        )

    def reset_options(self, **members):
        """What is shown by default, but for `members`."""
        self.each("mjv_defaultOption", self.opt)
        self.option(**members)

    def any_options(self, rng, without=()):
        """Some switches, groups, a label and a frame; most switches on, so that much is there."""
        self.reset_options(
            flags={name: int(rng.uniform() < 0.7 and name not in without) for name in FLAGS},
            label=str(rng.choice(LABELS)),
            frame=str(rng.choice(FRAMES)),
            bvh_depth=int(rng.integers(4)),
            **{name: (rng.uniform(size=6) < 0.8).astype(np.uint8) for name in GROUPS},
        )


def members(struct):
    return [n for n in dir(struct) if n[0] != "_" and not callable(getattr(struct, n))]
