"""Which OpenGL context is drawn into, and what is said where there is none: each case in a process of its own."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from contexts_here import OFF_SCREEN
from sinew.draw.egl import by_cuda

MODEL = """
import sinew
from sinew import mujoco
model = mujoco.MjModel.from_xml_string('''<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .5"><freejoint/><geom size=".2"/></body></worldbody></mujoco>''')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)

def picture(renderer, other=None):
    renderer.update_scene(other or data)
    return renderer.render()

def owned():
    import gc
    from sinew.draw import context
    gc.collect()
    return [c for c in context._owned if c.gl is not None]
"""
SCREEN = (sys.executable, str(pathlib.Path(__file__).parents[1] / "on_a_screen.py"))


def run(code, *before, first="", **environment):
    """Run code after the model's; `first` comes before that."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if k not in ("MUJOCO_GL", "PYOPENGL_PLATFORM", "DISPLAY")
    }
    return subprocess.run(
        [*before, sys.executable, "-c", first + MODEL + code],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=1200,
    )


def passes(code, *before, **given):
    """Run code, which says nothing of its own on the error output, at its end neither; return what it printed."""
    done = run(code, *before, **given)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def fails(words, code, **given):
    """Run code, which ends with an error of these words."""
    done = run(code, **given)
    assert done.returncode == 1, done.stderr
    said = done.stderr.strip().rpartition("\n")[2] if done.stderr.strip() else ""
    for word in words:
        assert word in said, done.stderr
    assert done.stderr.count("Traceback") == 1, done.stderr


# ---- what is missing

MAKE = "sinew.Renderer(model)"
APT = "sudo apt-get install libegl1 libgl1-mesa-dri"
PIP = "-m pip install '.[view]' in the folder"


def test_without_moderngl_only_drawing_fails():
    code = """
for make in (lambda: mujoco.MjrContext(model, 150), lambda: mujoco.Renderer(model), lambda: sinew.Renderer(model)):
    try:
        make()
    except ImportError as error:
        print(error)
"""
    said = passes(code, first="import sys; sys.modules['moderngl'] = None\n")
    assert said.count("needs the package moderngl") == said.count(PIP) == 3


def test_moderngl_that_is_too_old():
    first = "import moderngl; moderngl.__version__ = '5.6.4'\n"
    fails(["ImportError", "moderngl 5.12 or newer, not 5.6.4", PIP], MAKE, first=first)


BLOCKED = """
import ctypes, ctypes.util
class Blocked(ctypes.CDLL):
    def __init__(self, name, *args, **kwargs):
        if name and "{0}" in str(name):
            raise OSError("cannot open shared object file")
        super().__init__(name, *args, **kwargs)
ctypes.CDLL, find = Blocked, ctypes.util.find_library
ctypes.util.find_library = lambda name: None if name == "{0}" else find(name)
"""


def test_without_egl():
    fails(["DrawingError", "libEGL.so.1, which is missing", APT], MAKE, first=BLOCKED.format("EGL"))


def test_without_osmesa():
    words = ["DrawingError", "libOSMesa.so.8, which is missing", "libosmesa6"]
    fails(words, MAKE, first=BLOCKED.format("OSMesa"), MUJOCO_GL="osmesa")


@pytest.mark.parametrize(
    "environment",
    [{"__EGL_VENDOR_LIBRARY_DIRS": "/nowhere"}, {"LIBGL_DRIVERS_PATH": "/nowhere"}],
    ids=["vendor", "driver"],
)
def test_without_a_driver(environment):
    fails(["DrawingError", "a driver is missing", APT], MAKE, **environment)


@pytest.mark.parametrize("version", ["2.1", "3.2"])
def test_opengl_that_is_too_old(version):
    words = ["DrawingError", "no context of OpenGL 3.3 or newer", APT]
    fails(words, MAKE, MESA_GL_VERSION_OVERRIDE=version)


def test_a_callers_context_that_is_too_old():
    code = """
import glfw
glfw.init()
glfw.window_hint(glfw.CONTEXT_VERSION_MAJOR, 2)
glfw.make_context_current(glfw.create_window(40, 30, "", None, None))
try:
    mujoco.MjrContext(model, 150)
except RuntimeError as error:
    print(error)
"""
    said = passes(code, *SCREEN, MESA_GL_VERSION_OVERRIDE="2.1")
    assert "needs OpenGL 3.3 or newer; the context that is current has 2.1" in said


def test_opengl_that_is_just_new_enough():
    code = "print(picture(sinew.Renderer(model)).mean())"
    newest = float(passes(code))
    for version in ("3.3", "4.1"):
        mean = float(passes(code, MESA_GL_VERSION_OVERRIDE=version))
        assert mean == pytest.approx(newest, abs=0.5)  # depths are less exact without clip control


OLDER = """
from sinew.draw import bindings
NEWER = ({}, "glMultiDrawArraysIndirect", "glDrawElementsIndirect", "glBufferStorage", "glBindImageTexture",
         "glDispatchCompute", "glDrawElementsInstancedBaseInstance")
address = bindings.Egl.address
bindings.Egl.address = lambda self, name: 0 if name in NEWER else address(self, name)
"""
HUMANOID = """
import pathlib, gymnasium
path = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets/humanoid.xml"
model = mujoco.MjModel.from_xml_path(str(path))
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
for wires in {}:
    renderer = sinew.Renderer(model, 120, 160)
    renderer.scene.flags[1] = wires
    print(picture(renderer).tobytes().hex())
    drawing = renderer._drawing
print(drawing.indirect, drawing.clip.there)
"""


def test_opengl_of_macos():
    """OpenGL 4.1 has no functions that draw by commands in a buffer, and no clip control; pictures are the same."""
    *new, words = passes(HUMANOID.format((0, 1))).splitlines()
    assert words == "True True"
    for missing, wires, said, mean in (
        ('"glMultiDrawElementsIndirect"', (0, 1), "False True", 0),
        # Depths are less exact, which shows at edges; of wires all are edges.
        ('"glMultiDrawElementsIndirect", "glClipControl"', (0,), "False False", 0.1),
    ):
        *old, words = passes(HUMANOID.format(wires), first=OLDER.format(missing)).splitlines()
        assert words == said and len(old) == len(wires)
        for one, other in zip(new, old, strict=False):
            one, other = (
                np.frombuffer(bytes.fromhex(x), np.uint8).astype(int) for x in (one, other)
            )
            assert np.abs(one - other).mean() <= mean


def test_a_device_that_is_not_there():
    words = "MUJOCO_EGL_DEVICE_ID environment variable must be an integer"
    code = """
import os
for os.environ["MUJOCO_EGL_DEVICE_ID"] in ("99", "-1", "gpu"):
    try:
        sinew.Renderer(model)
    except RuntimeError as error:
        print(error)
os.environ["MUJOCO_EGL_DEVICE_ID"] = "0"
sinew.Renderer(model)
"""
    said = passes(code)
    for more in ("(inclusive), got 99.", "got -1.", "got 'gpu'."):
        assert more in said and said.count(words) == 3
    fails(["DrawingError", words], MAKE, MUJOCO_EGL_DEVICE_ID="99")


@pytest.mark.parametrize(
    ("numbers", "visible", "wanted", "first"),
    [
        ("2 1 0", "", 2, 0),
        ("2 1 0", "", None, 2),
        (
            "2 0",
            "2",
            0,
            0,
        ),  # numbers of all devices: the place among those that are seen, or one of all
        ("2 0", "2", 2, 0),
        ("4 2 0", "2,4", None, 1),
        ("0 1", "1,2", 0, 0),  # numbers among those that are seen
        ("0 1", "1, 2", 2, 1),
        ("0", "2", 2, 0),
        ("0 1", "GPU-5,GPU-7", 1, 1),  # names say nothing
        ("0 1", "", 5, None),
        ("0 1", "", -1, None),
    ],
)
def test_devices_by_cudas_numbers(numbers, visible, wanted, first):
    found = by_cuda(dict(enumerate(map(int, numbers.split()))), visible, wanted)
    assert (found[0] if found else None) == first


def test_drawing_that_is_disabled():
    fails(["DrawingError", "MUJOCO_GL=off disables drawing"], MAKE, MUJOCO_GL="off")


def test_other_systems_contexts_say_so():
    fails(["DrawingError", "macOS alone"], "import sinew.mujoco.cgl as c; c.GLContext(1, 1)")
    words = ["RuntimeError", "GLFW opens no window", "DISPLAY", "MUJOCO_GL=egl", "xvfb-run"]
    done = run("import sinew.mujoco.glfw as g; g.GLContext(1, 1)")
    assert done.returncode == 1 and all(word in done.stderr for word in words), done.stderr


def test_sizes_of_contexts():
    code = """
from sinew.mujoco import egl, glfw, osmesa
egl.GLContext(0, -3).make_current()  # it has no size
for module, size in ((glfw, (0, 5)), (glfw, (5, -1)), (osmesa, (0, 5)), (osmesa, (5, -1))):
    try:
        module.GLContext(*size)
    except ValueError as error:
        assert "at least one pixel" in str(error)
    else:
        raise AssertionError(size)
display = egl.create_initialized_egl_device_display()
device, = egl.EGL.eglQueryDevicesEXT()[:1]
assert egl.EGL.eglGetPlatformDisplayEXT(egl.EGL.EGL_PLATFORM_DEVICE_EXT, device, None) == display
"""
    passes(code)


class _OpenGLOfMacOS:
    """In the place of the framework: what its functions were called with, and what they answer."""

    def __init__(self, made=77, code=0):
        self.called, self.current = [], None
        self._made, self._code = made, code

    def __getitem__(self, name):
        def function(*arguments):
            self.called.append(name)
            if name == "CGLErrorString":
                return b"out of memory"
            if name == "CGLGetCurrentContext":
                return self.current
            if name == "CGLSetCurrentContext":
                self.current = arguments[0]
            if name == "CGLChoosePixelFormat":
                arguments[1]._obj.value = 5
            if name == "CGLCreateContext":
                assert arguments[0].value == 5
                arguments[2]._obj.value = self._made
                return self._code
            return 0

        function.__name__ = name
        return function


def test_contexts_of_macos(monkeypatch):
    """Which functions are called, and that their errors are told: macOS itself is not here."""
    from sinew.draw import cgl
    from sinew.mujoco.cgl import GLContext
    from sinew.mujoco.cgl import cgl as names

    there = _OpenGLOfMacOS()
    monkeypatch.setattr(cgl, "library", lambda name: there)
    cgl.functions.cache_clear()
    try:
        gl = GLContext(10, 20)
        assert there.called == ["CGLChoosePixelFormat", "CGLCreateContext", "CGLReleasePixelFormat"]
        gl.make_current()
        assert there.current == 77
        there.called.clear()
        gl.free()
        gl.free()
        assert there.called == ["CGLGetCurrentContext", "CGLSetCurrentContext", "CGLReleaseContext"]
        assert there.current is None
        gl.make_current()
        assert there.current is None
        names.CGLLockContext(77)
        names.CGLUnlockContext(77)
        assert there.called[-2:] == ["CGLLockContext", "CGLUnlockContext"]
        cgl.functions.cache_clear()
        there = _OpenGLOfMacOS(code=10016)
        with pytest.raises(names.CGLError, match="CGLCreateContext: out of memory"):
            GLContext(1, 1)
        assert there.called[-1] == "CGLReleasePixelFormat"
    finally:
        cgl.functions.cache_clear()


# ---- contexts of ours


def test_contexts_of_ours_are_counted():
    code = """
a, b = sinew.Renderer(model), mujoco.Renderer(model)
assert len(owned()) == 1 and owned()[0].users == 2
c = mujoco.MjrContext(model, 150)
assert len(owned()) == 1 and owned()[0].users == 3
a.close(); a.close(); b.close()
assert owned()[0].users == 1
c.free(); c.free()
assert not owned()
first = picture(sinew.Renderer(model))
assert not owned()
assert (first == picture(sinew.Renderer(model))).all()
"""
    passes(code)


def test_a_context_of_ours_is_current_while_it_is_drawn_into_alone():
    code = """
from sinew.draw import bindings
renderer = sinew.Renderer(model)
assert bindings.current() is None
picture(renderer)
assert bindings.current() is None
gl = mujoco.GLContext(10, 10)
gl.make_current()
mine = bindings.current()
assert mine.context == gl._context.handle
picture(renderer)
sinew.Renderer(model).close()
assert bindings.current() == mine
context = mujoco.MjrContext(model, 150)
assert not context._drawing.context.owned
picture(renderer)
mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
"""
    for api in OFF_SCREEN:
        passes(code, MUJOCO_GL=api)


NATIVE = """
import sys
import sinew
from sinew._core import MjvCamera
from sinew.picture.looks import Look, free_camera
model = sinew.Model.from_xml('''<mujoco><worldbody><body name="ball" pos="0 0 .5"><freejoint/><geom size=".2"/></body>
  </worldbody></mujoco>''')
data = sinew.Data(model)
sinew.forward(model, data)
wrong = MjvCamera()
wrong.type, wrong.fixedcamid = 2, 7
with sinew.Renderer(model, 60, 80, stage=True) as renderer:
    renderer.update_scene(data, free_camera(model, "ball"), Look(["contactforce"]).option)
    assert renderer.render().any()
    try:
        renderer.update_scene(data, wrong)
    except Exception as error:
        raised = type(error)
assert sinew.show(model, data, width=80, height=60).pixels.any()
assert not [name for name in sys.modules if name.startswith("sinew.mujoco")]
from sinew import mujoco
assert raised is mujoco.FatalError
assert type(renderer.scene) is mujoco.MjvScene
"""


def test_pictures_do_not_stand_on_the_interface():
    done = subprocess.run([sys.executable, "-c", NATIVE], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_threads():
    code = """
import threading
first = sinew.Renderer(model)
want = picture(first)
same, contexts = [], []
def work():
    mine = mujoco.MjData(model)
    mujoco.mj_forward(model, mine)
    same.append((first.render() == want).all())
    with sinew.Renderer(model) as other:
        contexts.append(other._drawing.context)
        same.append((picture(other, mine) == want).all())
threads = [threading.Thread(target=work) for _ in range(5)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert all(same) and len(same) == 10
assert len(set(contexts)) == 5 and first._drawing.context not in contexts
contexts.clear()
assert len(owned()) == 1
made = []
thread = threading.Thread(target=lambda: made.append(sinew.Renderer(model)))
thread.start(); thread.join()
assert (picture(made[0]) == want).all() and len(owned()) == 2  # its thread is gone
made[0].close()
assert len(owned()) == 1
"""
    passes(code)


def test_a_context_of_the_callers_in_another_thread():
    code = """
import threading
gl = mujoco.GLContext(10, 10)
gl.make_current()
context = mujoco.MjrContext(model, 150)
scene, rect = mujoco.MjvScene(model, 10), mujoco.MjrRect(0, 0, 10, 10)
said = []
def work():
    try:
        mujoco.mjr_render(rect, scene, context)
    except RuntimeError as error:
        said.append(str(error))
thread = threading.Thread(target=work)
thread.start(); thread.join()
assert "is not current in this thread: call its make_current()" in said[0]
mujoco.mjr_render(rect, scene, context)
"""
    passes(code, MUJOCO_GL="egl")


FORK = """
import os
pid = os.fork()
if pid == 0:
    for draw in {}:
        try:
            draw()
            print("drawn")
        except RuntimeError as error:
            assert "forked" in str(error) and "spawn" in str(error)
            print("refused")
    raise SystemExit(0)
assert os.waitpid(pid, 0)[1] == 0
"""


def test_a_fork_after_drawing_is_refused():
    code = (
        "renderer = sinew.Renderer(model); picture(renderer)"
        + FORK.format("(renderer.render, lambda: sinew.Renderer(model), renderer.close)")
        + "picture(renderer)"
    )
    assert passes(code).split() == ["refused", "refused", "drawn"]
    code = (
        "gl = mujoco.GLContext(5, 5); gl.make_current(); import sinew.draw.context"
        + FORK.format("(lambda: mujoco.MjrContext(model, 100),)")
    )
    assert passes(code, MUJOCO_GL="egl").split() == ["refused"]


def test_a_fork_before_drawing():
    code = (
        FORK.format("(lambda: picture(sinew.Renderer(model)),)") + "picture(sinew.Renderer(model))"
    )
    assert passes(code) == "drawn\n"


@pytest.mark.parametrize("api, before", [*((api, ()) for api in OFF_SCREEN), ("glfw", SCREEN)])
def test_the_interpreter_ends_with_all_open(api, before):
    code = """
gl = mujoco.GLContext(20, 20)
gl.make_current()
context = mujoco.MjrContext(model, 150)
a, b, c = sinew.Renderer(model), mujoco.Renderer(model), mujoco.MjrContext(model, 100)
picture(a)
ring = [a]
ring.append(ring)
class Holder:
    held = b
    def __del__(self, held=c): held.free()
holder = Holder()
import threading
threading.Thread(target=lambda: globals().update(other=sinew.Renderer(model))).start()
"""
    passes(code, *before, MUJOCO_GL=api)


def test_an_error_in_the_middle_leaves_nothing():
    code = """
import moderngl
from sinew.draw import drawing
make = drawing.Drawing._make
def broken(self, size):
    make(self, size)
    raise ValueError("broken")
drawing.Drawing._make = broken
try:
    sinew.Renderer(model)
except ValueError:
    pass
assert not owned()
drawing.Drawing._make = make
assert picture(sinew.Renderer(model)).any()
"""
    passes(code)


def test_nothing_leaks():
    code = """
import resource
def many(count):
    for _ in range(count):
        with sinew.Renderer(model) as renderer:
            picture(renderer)
        renderer = sinew.Renderer(model)  # not closed
        del renderer
    assert not owned()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = many(2)
assert many(3) - start < 30_000  # kilobytes; the buffers of one Renderer are 70 MB
"""
    passes(code)


def test_nothing_leaks_in_a_callers_context():
    code = """
import resource
gl = mujoco.GLContext(20, 20)
gl.make_current()
scene = mujoco.MjvScene(model, 10)
def many(count):
    for _ in range(count):
        context = mujoco.MjrContext(model, 150)
        mujoco.mjr_render(mujoco.mjr_maxViewport(context), scene, context)
        mujoco.mjr_text(0, "text", context, .5, .5, 1, 1, 1)
        context.free()
        del context
        mujoco.MjrContext(model, 150)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = many(6)
assert many(12) - start < 60_000  # a context kept is 10_000 and more
"""
    passes(code, MUJOCO_GL="egl")


def test_moderngls_own_context_is_left_alone():
    code = """
import moderngl
mine = moderngl.create_context(standalone=True, backend="egl")
sinew.Renderer(model)
assert moderngl.get_context() is mine
"""
    passes(code)


# ---- contexts of the caller's

MAKERS = {
    "ours by EGL": ("egl", (), "gl = mujoco.GLContext(60, 40); gl.make_current()", 0),
    "ours by OSMesa": ("osmesa", (), "gl = mujoco.GLContext(60, 40); gl.make_current()", 1),
    "ours by GLFW": ("glfw", SCREEN, "gl = mujoco.GLContext(60, 40); gl.make_current()", 1),
    "EGL by PyOpenGL": (
        "egl",
        (),
        """
from mujoco.egl import GLContext
gl = GLContext(60, 40)
gl.make_current()
class Quiet:  # it complains as the interpreter goes
    def __del__(self, free=gl.free): free()
quiet = Quiet(); import atexit; atexit.register(gl.free)""",
        0,
    ),
    "OSMesa by PyOpenGL": (
        "osmesa",
        (),
        """
from mujoco.osmesa import GLContext
gl = GLContext(60, 40)
gl.make_current()""",
        1,
    ),
    "EGL by moderngl": (
        "egl",
        (),
        "import moderngl; gl = moderngl.create_context(standalone=True, backend='egl'); gl.__enter__()",
        0,
    ),
    "GLX by glfw": (
        "glfw",
        SCREEN,
        """
import glfw
glfw.init()
gl = glfw.create_window(60, 40, "", None, None)
glfw.make_context_current(gl)""",
        1,
    ),
    "EGL by glfw": (
        "glfw",
        SCREEN,
        """
import glfw
glfw.init()
glfw.window_hint(glfw.CONTEXT_CREATION_API, glfw.EGL_CONTEXT_API)
gl = glfw.create_window(60, 40, "", None, None)
glfw.make_context_current(gl)""",
        1,
    ),
    "core profile": (
        "glfw",
        SCREEN,
        """
import glfw
glfw.init()
for hint, value in ((glfw.CONTEXT_VERSION_MAJOR, 3), (glfw.CONTEXT_VERSION_MINOR, 3), (glfw.DOUBLEBUFFER, 0),
                    (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE), (glfw.OPENGL_FORWARD_COMPAT, 1)):
    glfw.window_hint(hint, value)
gl = glfw.create_window(60, 40, "", None, None)
glfw.make_context_current(gl)""",
        1,
    ),
}
DRAW = """
import numpy as np
context = mujoco.MjrContext(model, 150)
assert not context._drawing.context.owned and context.windowAvailable == WINDOW
assert context.currentBuffer == 1 - WINDOW
scene, camera = mujoco.MjvScene(model, 10), mujoco.MjvCamera()
mujoco.mjv_defaultFreeCamera(model, camera)
mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
rect, means = mujoco.MjrRect(0, 0, 60, 40), []
for buffer in (0, 1):
    mujoco.mjr_setBuffer(buffer, context)
    assert context.currentBuffer == (buffer if WINDOW else 1)
    whole = mujoco.mjr_maxViewport(context)
    assert (whole.width, whole.height) == ((60, 40) if context.currentBuffer == 0 else (640, 480))
    mujoco.mjr_render(rect, scene, context)
    pixels = np.zeros((40, 60, 3), np.uint8)
    mujoco.mjr_readPixels(pixels, None, rect, context)
    means.append(pixels.mean())
assert mujoco.mjr_getError() == 0
renderer = sinew.Renderer(model, 40, 60)
means.append(picture(renderer).mean())
mujoco.mjr_readPixels(pixels, None, rect, context)
means.append(pixels.mean())
assert max(means) - min(means) < 1 and min(means) > 10, means  # samples differ
renderer.close()
context.free()
"""


@pytest.mark.parametrize(
    "name", [n for n, (api, *_) in MAKERS.items() if api in (*OFF_SCREEN, "glfw")]
)
def test_the_callers_context_is_drawn_into(name):
    api, before, make, window = MAKERS[name]
    code = make + DRAW.replace("WINDOW", str(window))
    assert run(code, *before, MUJOCO_GL=api).returncode == 0, run(
        code, *before, MUJOCO_GL=api
    ).stderr


def test_a_context_that_is_current_no_longer():
    code = """
a, b = mujoco.GLContext(10, 10), mujoco.GLContext(10, 10)
a.make_current()
context = mujoco.MjrContext(model, 150)
scene, rect = mujoco.MjvScene(model, 10), mujoco.MjrRect(0, 0, 10, 10)
def refused():
    try:
        mujoco.mjr_render(rect, scene, context)
    except RuntimeError as error:
        return "call its make_current()" in str(error)
b.make_current()
assert refused()
a.make_current()
assert not refused()
a.free()
assert refused()
a.make_current()  # freed: none is current
assert refused()
context.free()
assert context.offWidth == 0
try:
    mujoco.mjr_render(rect, scene, context)
except mujoco.FatalError as error:
    assert "freed" in str(error)
"""
    for api in OFF_SCREEN:
        passes(code, MUJOCO_GL=api)


def test_a_caller_gets_the_state_back():
    code = """
import OpenGL
OpenGL.ERROR_CHECKING = False
from OpenGL import GL
import glfw, numpy as np
glfw.init()
glfw.make_context_current(glfw.create_window(60, 40, "", None, None))
names = ("VIEWPORT SCISSOR_BOX SCISSOR_TEST BLEND DEPTH_TEST CULL_FACE STENCIL_TEST MULTISAMPLE DEPTH_FUNC DEPTH_WRITEMASK "
  "COLOR_WRITEMASK CURRENT_PROGRAM VERTEX_ARRAY_BINDING ARRAY_BUFFER_BINDING ACTIVE_TEXTURE TEXTURE_BINDING_2D "
  "BLEND_SRC BLEND_DST POLYGON_MODE FRONT_FACE CULL_FACE_MODE COLOR_CLEAR_VALUE DEPTH_CLEAR_VALUE UNPACK_ALIGNMENT "
  "PACK_ALIGNMENT FRAMEBUFFER_BINDING RENDERBUFFER_BINDING PRIMITIVE_RESTART").split()
def state():
    return {n: np.asarray(GL.glGetDoublev(getattr(GL, "GL_" + n))).tolist() for n in names}
def settle():
    GL.glViewport(1, 2, 30, 20)
    GL.glScissor(3, 4, 5, 6)
    for switch in (GL.GL_SCISSOR_TEST, GL.GL_BLEND, GL.GL_CULL_FACE, GL.GL_STENCIL_TEST):
        GL.glEnable(switch)
    GL.glDisable(GL.GL_MULTISAMPLE)
    GL.glDepthFunc(GL.GL_GREATER)
    GL.glDepthMask(0)
    GL.glColorMask(1, 0, 1, 0)
    GL.glActiveTexture(GL.GL_TEXTURE0)
    GL.glBindTexture(GL.GL_TEXTURE_2D, GL.glGenTextures(1))
    GL.glActiveTexture(GL.GL_TEXTURE3)
    GL.glBlendFunc(GL.GL_ONE, GL.GL_DST_COLOR)
    GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE)
    GL.glFrontFace(GL.GL_CW)
    GL.glClearColor(.1, .2, .3, .4)
    GL.glClearDepth(.25)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 8)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, GL.glGenBuffers(1))
    GL.glBindBuffer(GL.GL_PIXEL_PACK_BUFFER, GL.glGenBuffers(1))
context = mujoco.MjrContext(model, 150)
scene, camera = mujoco.MjvScene(model, 10), mujoco.MjvCamera()
mujoco.mjv_defaultFreeCamera(model, camera)
mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
rect, pixels = mujoco.MjrRect(0, 0, 60, 40), np.zeros((40, 60, 3), np.uint8)
def draw():
    mujoco.mjr_render(rect, scene, context)
    mujoco.mjr_drawPixels(np.full(12, 255, np.uint8), None, mujoco.MjrRect(10, 10, 2, 2), context)
    mujoco.mjr_readPixels(pixels, None, rect, context)
    return pixels.copy()
want = draw()
settle()
before = state()
have = draw()
assert state() == before
mujoco.mjr_overlay(0, 0, rect, "a", "b", context)
mujoco.mjr_figure(rect, mujoco.MjvFigure(), context)
assert state() == before
picture(sinew.Renderer(model))
assert state() == before
mujoco.mjr_setBuffer(1, context)
assert state()["FRAMEBUFFER_BINDING"] == context.offFBO  # that is what it is for
assert state() == {**before, "FRAMEBUFFER_BINDING": context.offFBO}
assert (have == want).all() and mujoco.mjr_getError() == 0
"""
    passes(code, *SCREEN)
