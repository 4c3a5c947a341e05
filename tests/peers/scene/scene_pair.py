"""Two scenes, ours and the peer's, of one model in one state: made alike, compared member by member.

    pair = Pair(path)                       # a file, or the text of a model
    pair.randomise(rng)                     # a random state, in both data; both forwarded
    pair.option(flags={"TRANSPARENT": 1}, label="GEOM", frame="BODY", geomgroup=[1, 1, 1, 1, 1, 1])
    pair.perturb(select=3); pair.camera(distance=3)
    pair.check()                            # updates both scenes and compares all of them

`check` takes a choice of rows where not all of them are compared.
"""

import ctypes
import pathlib

import mujoco as peer
import numpy as np

import models
from sinew import mujoco as ours

BOTH = (ours, peer)
MAXGEOM = 4000
EXACT = (
    "type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid", "label", "transparent"
)  # fmt: skip
# of lengths, in units of the model's; of colours and such
LENGTHS = ("size", "pos", "modelrbound", "camdist")
LOOKS = ("mat", "rgba", "emission", "specular", "shininess", "reflectance")
# Rounding to float of results that differ by rounding: two units in the last place of numbers around 1.
FLOAT = 3e-7
STATE = (
    "time", "qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos",
    "mocap_quat", "qacc_warmstart", "userdata",
)  # fmt: skip


def rows_of(scene):
    """The geoms of a scene of either kind as one structured array over its memory."""
    if isinstance(scene, ours.MjvScene):
        return scene._geom_rows[: scene.ngeom]
    dtype = _peers_part(
        ours.MjvScene(ours.MjModel.from_xml_string("<mujoco/>"), 1)._geom_rows.dtype
    )
    if scene.ngeom == 0:
        return np.zeros(0, dtype)
    first = _addresses(scene.geoms[0])
    # the peer's members lie as ours do: its struct is of 4-byte numbers, and texts at the end
    start = first["size"] - dtype.fields["size"][1]
    assert all(at - start == dtype.fields[name][1] for name, at in first.items())
    if scene.maxgeom > 1:
        assert _addresses(scene.geoms[1])["pos"] - first["pos"] == dtype.itemsize
    memory = (ctypes.c_char * (scene.ngeom * dtype.itemsize)).from_address(start)
    memory.owner = scene
    rows = np.frombuffer(memory, dtype)
    last = scene.geoms[scene.ngeom - 1]
    assert (rows[-1]["objid"], rows[-1]["label"].decode()) == (last.objid, last.label)
    return rows


def _peers_part(dtype):
    """The type of rows without the members behind those of the peer's, which came later."""
    places = {name: dtype.fields[name] for name in dtype.names}
    end = places["transparent"][1] + 4
    names = [name for name in dtype.names if places[name][1] < end and name != "castshadow"]
    formats, offsets = zip(*(places[name][:2] for name in names), strict=True)
    return np.dtype(dict(names=names, formats=formats, offsets=offsets, itemsize=end))


def _addresses(geom):
    arrays = {name: getattr(geom, name) for name in ("size", "pos", "mat", "rgba")}
    return {name: array.__array_interface__["data"][0] for name, array in arrays.items()}


def enum(prefix, name):
    """An enumerator of the peer by the end of its name, or a number."""
    return (
        int(getattr(getattr(peer, prefix[0]), prefix[1] + name)) if isinstance(name, str) else name
    )


FLAG, LABEL, FRAME = (
    ("mjtVisFlag", "mjVIS_"),
    ("mjtLabel", "mjLABEL_"),
    ("mjtFrame", "mjFRAME_"),
)
FLAGS = [
    name.removeprefix("mjVIS_") for name in peer.mjtVisFlag.__members__ if "mjNVIS" not in name
]
LABELS = [n.removeprefix("mjLABEL_") for n in peer.mjtLabel.__members__ if "mjNLABEL" not in n]
FRAMES = [n.removeprefix("mjFRAME_") for n in peer.mjtFrame.__members__ if "mjNFRAME" not in n]
GROUPS = [name for name in dir(peer.MjvOption()) if name.endswith("group")]


def show(row):
    """A row of geoms in words."""
    geom = {name: row[name].tolist() for name in row.dtype.names}
    return ", ".join(f"{k}={v}" for k, v in geom.items())


class Pair:
    """A model, its data, what is shown, a perturbation, a camera and a scene: each here and at the peer."""

    def __init__(self, source, maxgeom=MAXGEOM):
        text = isinstance(source, str) and source.lstrip().startswith("<")
        self.name = "text" if text else pathlib.Path(source).stem
        if text:
            self.m = [module.MjModel.from_xml_string(source) for module in BOTH]
        else:
            self.m = [models.fresh(source, module.MjModel.from_xml_path) for module in BOTH]
        self.d = [module.MjData(m) for module, m in zip(BOTH, self.m, strict=True)]
        self.opt = [module.MjvOption() for module in BOTH]
        self.pert = [module.MjvPerturb() for module in BOTH]
        self.cam = [module.MjvCamera() for module in BOTH]
        self.scene = [module.MjvScene(m, maxgeom) for module, m in zip(BOTH, self.m, strict=True)]
        self.each("mjv_defaultFreeCamera", self.m, self.cam)
        self.forward()

    def each(self, name, *args):
        """Calls a function here and there; arguments that are lists of two are one for each."""
        calls = zip(BOTH, *args, strict=True)
        return [getattr(module, name)(*own) for module, *own in calls]

    def forward(self):
        self.each("mj_forward", self.m, self.d)

    def copy_state(self):
        """Gives our data the state of the peer's."""
        for name in STATE:
            value = getattr(self.d[1], name)
            if np.size(value):
                setattr(self.d[0], name, value)

    def randomise(self, rng, contact=True):
        """A random state; False: contacts in it hang on rounding, so that the two may differ."""
        models.random_state(rng, self.m[1], self.d[1], contact)
        self.copy_state()
        self.forward()
        fields = ("dist", "includemargin", "geom")
        lists = [[{f: getattr(c, f) for f in fields} for c in d.contact] for d in self.d]
        return models.is_decided(self.m[1], *lists)

    def option(self, flags=None, label=None, frame=None, **members):
        """Sets what is shown in both; flags by name, or a sequence of names: these and no others."""
        for opt in self.opt:
            if flags is not None and not isinstance(flags, dict):
                opt.flags[:] = 0
            for name in flags or ():
                on = flags[name] if isinstance(flags, dict) else 1
                opt.flags[enum(FLAG, name)] = on
            if label is not None:
                opt.label = enum(LABEL, label)
            if frame is not None:
                opt.frame = enum(FRAME, frame)
            for name, value in members.items():
                if isinstance(value, int):
                    setattr(opt, name, value)
                else:
                    getattr(opt, name)[:] = value

    def defaults(self):
        """What is shown, and the perturbation, as they were."""
        self.each("mjv_defaultOption", self.opt)
        self.each("mjv_defaultPerturb", self.pert)

    def perturb(self, **members):
        for pert in self.pert:
            for name, value in members.items():
                setattr(pert, name, value)

    def camera(self, **members):
        for cam in self.cam:
            for name, value in members.items():
                setattr(cam, name, value)

    def update(self, catmask=7):
        catmasks = [catmask] * 2
        args = self.m, self.d, self.opt, self.pert, self.cam, catmasks, self.scene
        self.each("mjv_updateScene", *args)
        # the peer puts infinite planes before the cameras of the picture before
        peer.mjv_updateScene(*(a[1] for a in args))

    def rows(self):
        """The geoms of both scenes as structured arrays."""
        return [rows_of(scene) for scene in self.scene]

    def check(self, catmask=7, choose=None, skins=True):
        """Updates both scenes and compares them; `choose` takes rows and returns which of them count."""
        self.update(catmask)
        mine, theirs = self.rows()
        for rows in (mine, theirs):
            assert np.array_equal(rows["segid"], np.arange(len(rows)))
        if choose is not None:
            mine, theirs = (rows[choose(rows)].copy() for rows in (mine, theirs))
            mine["segid"] = theirs["segid"] = 0  # what is left out counts there
        else:
            assert self.scene[0].status == self.scene[1].status
        self.same_rows(mine, theirs)
        self.same_cameras()
        self.same_lights()
        if skins:
            self.same_skins()
        return len(mine)

    def same_rows(self, mine, theirs):
        """Geoms in their order. Lengths are as exact as float is at the distance of what is far away."""
        unit = max(self.m[1].stat.extent, float(np.abs(self.cam[1].lookat).max()))
        count = min(len(mine), len(theirs))
        kinds = [
            [tuple(r[n].item() for n in ("objtype", "objid", "type")) for r in x]
            for x in (mine, theirs)
        ]
        for i in range(count):
            assert kinds[0][i] == kinds[1][i], self._tell(i, "is another", mine, theirs)
        assert len(mine) == len(theirs), (
            f"{len(mine)} geoms, not {len(theirs)}: {kinds[0][count:]} {kinds[1][count:]}"
        )
        for name in (*EXACT, *LENGTHS, *LOOKS) if len(mine) else ():
            a, b = mine[name], theirs[name]
            if name in EXACT:
                wrong = a != b
            else:
                bound = FLOAT * (np.abs(b).astype(float) + (unit if name in LENGTHS else 1))
                if name == "pos":  # boxes around planes are 1e10 large, and a double there has 1e-6
                    bound += 1e-15 * np.abs(theirs["size"]).max(axis=1, keepdims=True)
                wrong = ~(np.abs(a - b.astype(float)) <= bound)
            wrong = wrong.reshape(len(mine), -1).any(axis=1)
            assert not wrong.any(), self._tell(int(np.argmax(wrong)), name, mine, theirs)

    def _tell(self, i, what, mine, theirs):
        return f"{self.name}: geom {i} of {len(mine)} {what}\nours {show(mine[i])}\npeer {show(theirs[i])}"

    def same_cameras(self):
        for eye in range(2):
            self._same_struct(*(s.camera[eye] for s in self.scene))

    def same_lights(self):
        mine, theirs = self.scene
        assert mine.nlight == theirs.nlight
        for i in range(mine.nlight):
            self._same_struct(mine.lights[i], theirs.lights[i])

    def _same_struct(self, mine, theirs):
        unit = max(1, self.m[1].stat.extent)
        for name in dir(theirs):
            if name.startswith("_") or callable(getattr(theirs, name)):
                continue
            a, b = getattr(mine, name), getattr(theirs, name)
            far = unit if name == "pos" else 1
            np.testing.assert_allclose(a, b, rtol=FLOAT * 4, atol=FLOAT * 4 * far, err_msg=name)

    def same_skins(self):
        """Vertices and normals; a normal is as exact as the sum of its triangles is large beside them."""
        mine, theirs = self.scene
        m, unit = self.m[1], self.m[1].stat.extent
        for name in ("skinfacenum", "skinvertadr", "skinvertnum"):
            assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name
        for i in range(m.nskin):
            first, count = m.skin_vertadr[i], m.skin_vertnum[i]
            span = slice(3 * first, 3 * (first + count))

            def far(name, span=span):
                a, b = (np.reshape(getattr(s, name)[span], (-1, 3)) for s in self.scene)
                return np.linalg.norm(a.astype(float) - b, axis=1)

            faces = m.skin_face[m.skin_faceadr[i] : m.skin_faceadr[i] + m.skin_facenum[i]]
            bound = _normal_bound(faces, np.reshape(theirs.skinvert[span], (-1, 3)).astype(float))
            wrong = far("skinnormal") > bound
            assert not wrong.any(), (i, np.flatnonzero(wrong)[:5], far("skinnormal")[wrong][:5])
            inflated = abs(m.skin_inflate[i]) * np.minimum(bound, 2)
            wrong = far("skinvert") > 8 * FLOAT * unit + inflated
            assert not wrong.any(), (i, np.flatnonzero(wrong)[:5], far("skinvert")[wrong][:5])


def _normal_bound(faces, vert):
    """How exact unit normals of vertices are: float edges have errors of 1e-7 of where they lie, so that the areas of
    long thin triangles have, and what is left of a sum whose terms cancel."""
    corners = vert[faces]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total, error = np.zeros_like(vert), np.zeros(len(vert))
    for k in range(3):
        np.add.at(total, faces[:, k], normal)
        np.add.at(error, faces[:, k], longest * np.abs(vert).max() * 1e-6)
    return 4 * FLOAT + error / np.maximum(np.linalg.norm(total, axis=1), 1e-30)
