"""What bodies are made of in the list of things to draw: geoms, sites, skins and their frames, against the pinned peer.

The long run turns every switch, label, frame, group and category of its own; the short one some of them at random.
"""

import os

import numpy as np
import pytest

from models import everything, folder
from scene_pair import FLAGS, FRAMES, GROUPS, LABELS, Pair, enum

LONG = bool(os.environ.get("SINEW_LONG"))
WALKERS = folder("dm_control", "locomotion", "walkers", "assets")
SKINNED = [WALKERS / "rodent.xml", WALKERS / "dog_v2" / "dog.xml"]
ALL = [1] * 6


def parts(rows):
    """Geoms, sites and skins."""
    return np.isin(rows["objtype"], (5, 6, 11))


def frames(rows):
    """Those, and the axes of frames; no other cylinder is decoration of unknown origin by default."""
    return parts(rows) | ((rows["objtype"] == 0) & (rows["type"] == 5))


def draw(rng, pair):
    """What is shown, at random; a body that is selected, or none."""
    pair.defaults()
    pair.option(flags=[f for f in FLAGS if rng.random() < 0.6], label=str(rng.choice(LABELS)))
    for name in GROUPS:
        pair.option(**{name: rng.integers(0, 2, 6)})
    select = int(rng.integers(-1, pair.m[1].nbody + 1))
    pair.perturb(select=select, skinselect=int(rng.integers(-1, 2)))
    return int(rng.integers(8))


@pytest.mark.parametrize("path", everything() + SKINNED * LONG, ids=lambda p: p.stem)
def test_parts(path):
    pair, rng = Pair(path), np.random.default_rng(0)
    pair.randomise(rng)
    assert pair.check(choose=parts) > 0
    for frame in ("GEOM", "SITE"):
        pair.option(frame=frame, sitegroup=ALL)
        assert pair.check(choose=frames, skins=False) > 0
    for _ in range(40 if LONG else 3):
        pair.check(draw(rng, pair), choose=parts)


@pytest.mark.parametrize(
    "path", everything() + SKINNED if LONG else everything()[1:2], ids=lambda p: p.stem
)
def test_one_switch_at_a_time(path):
    pair, rng = Pair(path), np.random.default_rng(1)

    def check(choose=parts, catmask=7, **options):
        pair.defaults()
        pair.option(**options)
        pair.check(catmask, choose)

    for _ in range(2):
        pair.randomise(rng)
        groups = dict.fromkeys(GROUPS, ALL)
        for name in FLAGS:
            check(
                flags={name: 1 - int(pair.opt[1].flags[enum(("mjtVisFlag", "mjVIS_"), name)])},
                **groups,
            )
        for name in LABELS:
            check(label=name)
        for name in ("GEOM", "SITE"):
            check(frames, frame=name, **groups)
            check(frames, frame=name, flags={"STATIC": 0})
        for name in set(FRAMES) - {"GEOM", "SITE"}:
            check(frame=name)
        for catmask in range(8):
            check(catmask=catmask)
            check(frames, catmask, frame="GEOM")
        for name in GROUPS:
            for k in range(6):
                check(**{name: [k == i for i in range(6)]})
        for body in (-1, 0, 1, pair.m[1].nbody - 1, 999):
            pair.defaults()
            pair.perturb(select=body, skinselect=body)
            pair.check(choose=parts)
