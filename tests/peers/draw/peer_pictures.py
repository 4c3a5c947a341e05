"""Pictures by the peer, in a process of its own: it reads requests from its input and answers with arrays.

MUJOCO_GL must be set before the peer is imported, and its OpenGL context must not meet ours. Run as a script.
"""

import copy
import functools
import os
import pickle
import subprocess
import sys


def draw(package, renderer, request):
    """Return the picture that a request (see picture_pair.request) asks for, by either library."""
    return draw_each(package, renderer, request, [{}])[0]


def draw_each(package, renderer, request, looks):
    """Return pictures of one model and state: `looks` are members that differ from the request's, for each picture."""
    model = _model(package, request)
    data = package.MjData(model)
    for name, value in request["state"].items():
        getattr(data, name)[:] = value
    package.mj_forward(model, data)
    width, height = request["size"]
    glob = model.vis.global_
    glob.offwidth, glob.offheight = max(glob.offwidth, width), max(glob.offheight, height)
    for name, value in request["changes"].items():
        getattr(model, name)[:] = value
    drawn = renderer(model, height, width)
    try:
        return [_look(package, drawn, data, request | look) for look in looks]
    finally:
        drawn.close()


def _look(package, drawn, data, request):
    option = package.MjvOption()
    for flag, value in request["options"].items():
        option.flags[getattr(package.mjtVisFlag, "mjVIS_" + flag)] = value
    for name, value in request["shown"].items():
        setattr(option, name, value)
    for _ in range(2):  # the peer moves endless planes to where the camera was before
        drawn.update_scene(data, _camera(package, request["camera"]), option)
    before = drawn.scene.flags.copy()
    for flag, value in request["flags"].items():
        drawn.scene.flags[getattr(package.mjtRndFlag, "mjRND_" + flag)] = value
    for name, value in request["scene"].items():
        setattr(drawn.scene, name, value)
    for row, name, value in request["geoms"]:
        setattr(drawn.scene.geoms[row], name, value)
    picture = drawn.render().copy()
    drawn.scene.flags[:] = before
    return picture


def _model(package, request):
    given = request["model"]
    if "<" in given:
        return package.MjModel.from_xml_string(given, request["assets"])
    return copy.copy(_loaded(package, given))


@functools.cache
def _loaded(package, path):
    return package.MjModel.from_xml_path(path)


def _camera(package, given):
    if not isinstance(given, dict):
        return given
    camera = package.MjvCamera()
    for name, value in given.items():
        if name == "lookat":
            camera.lookat[:] = value
        else:
            setattr(camera, name, value)
    return camera


class Painter:
    """The peer in its process."""

    def __init__(self):
        environment = {**os.environ, "MUJOCO_GL": "egl"}
        environment.pop("PYOPENGL_PLATFORM", None)
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )

    def __call__(self, request, looks):
        """Return the pictures of a request, see draw_each."""
        pickle.dump((request, looks), self._process.stdin)
        self._process.stdin.flush()
        answer = pickle.load(self._process.stdout)
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer


def main():
    """Answer until the input ends."""
    import mujoco

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print goes elsewhere
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            break
        try:
            answer = draw_each(mujoco, mujoco.Renderer, *request)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()
    os._exit(0)  # the peer's context complains as the interpreter goes


if __name__ == "__main__":
    main()
