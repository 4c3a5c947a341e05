"""Scenes made of single geoms and lights, drawn by either library.

    ours, peer = both("scene_calls", "pictures", [request(geoms=[geom("sphere", (0.3,) * 3)]), ...])

Run in a process for each library (see both_sides), as two OpenGL contexts do not like each other in one.
"""

import numpy as np

KINDS = {
    "plane": 0, "hfield": 1, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6, "mesh": 7,
    "arrow": 100, "arrow1": 101, "arrow2": 102, "line": 103, "linebox": 104, "label": 107, "triangle": 108, "none": 1001,
}  # fmt: skip
LIGHT = {
    "pos": (0, 0, 4), "dir": (0, 0, -1), "type": 1, "texid": -1, "attenuation": (1, 0, 0), "cutoff": 45,
    "exponent": 0, "ambient": (0, 0, 0), "diffuse": (0, 0, 0), "specular": (0, 0, 0), "headlight": 0,
    "castshadow": 0, "bulbradius": 0.02, "intensity": 0, "range": 10,
}  # fmt: skip
# a camera at (0, 0, 5) that looks down along parallel rays
CAMERA = {
    "pos": (0, 0, 5), "forward": (0, 0, -1), "up": (0, 1, 0), "orthographic": 1, "frustum_center": 0,
    "frustum_width": 0, "frustum_bottom": -1.5, "frustum_top": 1.5, "frustum_near": 1, "frustum_far": 9,
}  # fmt: skip
PERSPECTIVE = {"orthographic": 0, "frustum_bottom": -0.3, "frustum_top": 0.3}
EMPTY = (
    '<mujoco><statistic extent="2"/><visual><headlight active="0"/></visual><worldbody/></mujoco>'
)
# a turn about no axis of a shape, so that nothing lies along pixels
TURNED = (
    np.array(
        [
            [0.79551122, -0.56857855, -0.20947631],
            [0.32917706, 0.6957606, -0.63840399],
            [0.50872818, 0.43890274, 0.74064838],
        ]
    )
    .ravel()
    .tolist()
)


def geom(kind, size, pos=(0, 0, 0), mat=TURNED, rgba=(0.8, 0.6, 0.4, 1), sizes=None, **members):
    """A geom of a scene: what mjv_initGeom takes, members of MjvGeom, and `sizes` if not as mjv_initGeom makes them."""
    members = members if sizes is None else members | {"size": sizes}
    return {"kind": kind, "size": size, "pos": pos, "mat": mat, "rgba": rgba, "members": members}


def light(**members):
    """A light of a scene; what is not said is as in LIGHT."""
    return LIGHT | members


def request(geoms=(), lights=None, *, model=EMPTY, size=(200, 200), cameras=({},), **given):
    """One picture.

    cameras: what differs from CAMERA, for both eyes or one each; given: `flags` of the scene by number, `scene`
    with its members, `quality` with those of model.vis.quality, `rect` that is drawn into, `linewidth`.
    """
    lights = (
        [light(diffuse=(0.5, 0.5, 0.5), specular=(0.2, 0.2, 0.2))] if lights is None else lights
    )
    return {
        "geoms": list(geoms), "lights": lights, "model": model, "size": size, "cameras": cameras,
        "flags": {}, "scene": {}, "quality": {}, "rect": None, "linewidth": 1.0, **given,
    }  # fmt: skip


_QUALITY = {"offsamples": 0, "shadowsize": 0, "numslices": 12, "numstacks": 8, "numquads": 3}


def pictures(package, requests):
    """Return colours [height, width, 3] and depths [height, width] of each request, the lowest row first."""
    return [_picture(package, given) for given in requests]


def _picture(package, given, noted=False):
    model = package.MjModel.from_xml_string(given["model"])
    width, height = given["size"]
    model.vis.global_.offwidth, model.vis.global_.offheight = width, height
    model.vis.global_.linewidth = given["linewidth"]
    for name, value in (_QUALITY | given["quality"]).items():
        setattr(model.vis.quality, name, value)
    data = package.MjData(model)
    package.mj_forward(model, data)
    renderer = package.Renderer(model, height, width)
    try:
        renderer.update_scene(data)
        _fill(package, renderer.scene, given)
        whole = package.MjrRect(0, 0, width, height)
        part = package.MjrRect(*given["rect"]) if given["rect"] else whole
        colours = np.zeros((height, width, 3), np.uint8)
        depths = np.zeros((height, width), np.float32)
        context = renderer._mjr_context
        context.readDepthMap = int(package.mjtDepthMap.mjDEPTH_ZEROFAR)
        package.mjr_setBuffer(int(package.mjtFramebuffer.mjFB_OFFSCREEN), context)
        if given["rect"]:
            package.mjr_rectangle(whole, 1, 0, 1, 1)
        package.mjr_render(part, renderer.scene, context)
        package.mjr_readPixels(colours, depths, whole, context)
        if noted:
            geoms = renderer.scene.geoms[: renderer.scene.ngeom]
            return [{"camdist": geom.camdist, "transparent": geom.transparent} for geom in geoms]
        return colours, depths
    finally:
        renderer.close()


def _fill(package, scene, given):
    for geom in given["geoms"]:
        made = scene.geoms[scene.ngeom]
        package.mjv_initGeom(
            made,
            KINDS[geom["kind"]],
            np.array(geom["size"], float),
            np.array(geom["pos"], float),
            np.array(geom["mat"], float),
            np.array(geom["rgba"], np.float32),
        )
        _set(made, {"category": 2, "segid": scene.ngeom} | geom["members"])
        scene.ngeom += 1
    for made, light in zip(scene.lights, given["lights"], strict=False):
        _set(made, light)
    scene.nlight = len(given["lights"])
    for camera, given_camera in zip(scene.camera, 2 * tuple(given["cameras"]), strict=False):
        _set(camera, CAMERA | given_camera)
    for flag, value in ({0: 0} | given["flags"]).items():
        scene.flags[flag] = value
    _set(scene, given["scene"])


def _set(thing, members):
    for name, value in members.items():
        if np.ndim(value):
            getattr(thing, name)[:] = value
        else:
            setattr(thing, name, value)


def notes(package, requests):
    """Return for each request what drawing notes in geoms."""
    return [_picture(package, given, noted=True) for given in requests]
