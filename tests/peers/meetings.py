"""Contacts of one model under `physics="4.0"`, ours and the newest peer's, pose by pose."""

import types

import numpy as np

import newest
import sinew

FIELDS = ("dist", "pos", "frame", "includemargin", "geom")
# Of a contact, what geoms and pairs say.
PARAMETERS = ("includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "exclude")


class Meeting:
    """A model on both sides; `collide` compares poses, many at once, as each call of the peer takes a while."""

    def __init__(self, text, **options):
        self.peer = newest.load(text)
        self.m = sinew.Model.from_xml(text, physics="4.0")
        self.d = sinew.Data(self.m)
        if options:
            self.peer.set(**options)

    def collide(self, poses):
        """Pairs (theirs, ours) of contacts, a pair for each qpos. Geoms of ours stand where the peer has them."""
        names = ("contact", "geom_xpos", "geom_xmat")
        theirs = self.peer.run("mj_fwdPosition", [{"qpos": q} for q in poses], names)
        return [(look.contact, self._ours(look)) for look in theirs]

    def _ours(self, look):
        self.d.geom_xpos[...] = look.geom_xpos
        self.d.geom_xmat[...] = look.geom_xmat
        sinew.collision(self.m, self.d)
        return types.SimpleNamespace(**{n: np.array(getattr(self.d.contact, n)) for n in FIELDS})


def points(contacts):
    """A row a contact: distance, place, normal."""
    dist = np.reshape(contacts.dist, (-1, 1))
    frame = np.reshape(contacts.frame, (-1, 9))
    return np.hstack([dist, np.reshape(contacts.pos, (-1, 3)), frame[:, :3]])


def gap(theirs, ours):
    """The largest difference of two lists of contacts, one by one; inf: other counts."""
    a, b = points(theirs), points(ours)
    return np.inf if len(a) != len(b) else np.abs(a - b).max(initial=0)


def gap_of_sets(theirs, ours):
    """The same in any order: of each contact to the nearest on the other side."""
    a, b = points(theirs), points(ours)
    if len(a) != len(b):
        return np.inf
    if not len(a):
        return 0
    apart = np.abs(a[:, None] - b[None]).max(2)
    return max(apart.min(0).max(), apart.min(1).max())
