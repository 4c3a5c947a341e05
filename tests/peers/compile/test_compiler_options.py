"""Options of <compiler> in random combinations on random models: loaded as the peer does, or refused as it does."""

import mujoco
import numpy as np
import pytest

from test_bounds import random_model
from test_model import compare, load_text

OPTIONS = {
    "inertiafromgeom": ["true", "false", "auto"],
    "inertiagrouprange": ["0 0", "1 3", "0 5", "4 2"],
    "boundmass": ["1", "0.01"],
    "boundinertia": [".01", "1"],
    "settotalmass": ["12", "-1", "0"],
    "balanceinertia": ["true"],
    "alignfree": ["true", "false"],
    "usethread": ["true", "false"],
    "saveinertial": ["true"],
    "autolimits": ["false", "true"],
    "coordinate": ["local", "global"],
    "angle": ["radian", "degree"],
    "eulerseq": ["XYZ", "zxy"],
    "fitaabb": ["true"],
    "strippath": ["true"],
    "meshdir": ["x"],
    "assetdir": ["y"],
    "texturedir": ["z"],
    "discardvisual": ["true"],
}
# texts, each put in place of another with a chance
CHANGES = [
    ("<joint/>", '<joint range="-1 2"/>', 0.5),
    ("<joint/>", '<joint range="-1 2" limited="true"/>', 0.5),
    ('diaginertia="1 2 2.5"', 'diaginertia="1 2 4"', 0.3),
    ('diaginertia="1 2 2.5"', 'fullinertia="1 2 2.5 .1 .2 .3"', 0.5),
    ("<worldbody>", '<compiler boundmass="2"/><worldbody>', 0.5),
]
# Sums of turned inertias, as in test_fuse.
LOOSE = {"body_ipos": 1e-10, "bvh_aabb": 1e-9, "dof_invweight0": 1e-9, "body_invweight0": 1e-9}


def random_text(seed):
    random = np.random.default_rng(seed)
    text = random_model(seed)
    group = f'<geom group="{random.integers(0, 5)}" '
    text = text.replace("<geom ", group, int(random.integers(1, 30)))
    chosen = random.choice(list(OPTIONS), size=random.integers(1, 5), replace=False)
    settings = " ".join(f'{name}="{random.choice(OPTIONS[name])}"' for name in chosen)
    for old, new, chance in CHANGES:
        if random.random() < chance:
            text = text.replace(old, new)
    return text.replace("<mujoco>", f"<mujoco><compiler {settings}/>")


@pytest.mark.parametrize("seed", range(60))
def test_options(seed):
    text = random_text(seed)
    try:
        peer = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        peer = None
    ours, error = load_text(text)
    assert (ours is None) == (peer is None), error.message.decode()
    if peer is None:
        assert b" at text:" in error.message
    else:
        compare(ours, peer, LOOSE)
