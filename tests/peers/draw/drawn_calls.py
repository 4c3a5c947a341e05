"""What is asked of both libraries: functions of a package, sinew.mujoco or mujoco, with answers that can be compared."""

import numpy as np

SCENE = """<mujoco>
<statistic extent="3"/>
<visual><map fogstart="1" fogend="2" shadowclip="1.5" shadowscale=".7"/><global linewidth="2.5" offwidth="200" offheight="120"/>
  <rgba fog=".1 .2 .3 1"/><quality shadowsize="2048" offsamples="4"/></visual>
<asset><texture name="a" type="2d" builtin="checker" width="8" height="8"/>
  <texture name="sky" type="skybox" builtin="gradient" width="8" height="8"/>
  <material name="m1" texture="a" texrepeat="3 4" texuniform="true"/><material name="m2"/>
  <material name="m3"><layer role="rgb" texture="a"/><layer role="normal" texture="a"/></material></asset>
<worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="2 2 .1" material="m1"/>
  <camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 .5 1"/>
  <camera name="flat" pos="0 -2 1" xyaxes="1 0 0 0 .5 1" orthographic="true" fovy="2"/>
  <body pos="0 0 .3"><freejoint/><geom name="g" type="box" size=".1 .2 .3" rgba=".8 .3 .1 1"/></body>
  <body pos=".5 .3 .4"><freejoint/><geom type="box" size=".2 .1 .1" rgba="0 0 1 .5"/><site size=".05" pos="0 0 .3"/></body>
</worldbody></mujoco>"""


def load(package, text=SCENE):
    """A model and its data, at qpos0."""
    if "<" in text:
        model = package.MjModel.from_xml_string(text)
    else:
        model = package.MjModel.from_xml_path(text)
    data = package.MjData(model)
    package.mj_forward(model, data)
    return model, data


def said(function):
    """What a call answers: its error, or what kind of thing it returns."""
    try:
        answer = function()
    except Exception as error:
        return type(error).__name__, str(error)
    return type(answer).__name__


# ---- Renderer

TEXTS = (
    "R(m, 121, 10)", "R(m, 10, 201)", "R(m, 121, 201)", "R(m, 'a', 10)", "R(None)", "R(m, 10, 10, 100, 100)",
    "r.update_scene(d, 2)", "r.update_scene(d, -2)", "r.update_scene(d, 'x')", "r.update_scene(d, '')",
    "r.update_scene(d, True) if False else None", "r.update_scene(d, 'c')", "r.update_scene(d, -1)",
    "r.update_scene(d, np.int64(1))", "r.update_scene(d, M.MjvCamera())", "r.update_scene(d, None)",
    "r.render(out=np.zeros((48, 64, 3), np.uint8))", "r.render(out=np.zeros((64, 48, 3), np.uint8))",
    "r.render(out=np.zeros(9, np.uint8))", "r.render(out=np.zeros((48, 64), np.float32))", "r.render(out=3)",
    "r.enable_depth_rendering()", "r.render(out=np.zeros((48, 64), np.float32))",
    "r.render(out=np.zeros((48, 64, 1), np.float32))", "r.render(out=np.zeros((48, 64, 3), np.uint8))",
    "r.enable_segmentation_rendering()", "r.render(out=np.zeros((48, 64, 3), np.uint8))",
    "r.render(out=np.zeros((48, 64, 2), np.int32))", "r.disable_segmentation_rendering()", "r.height", "r.width",
    "r.model", "r.__enter__()", "r.close()", "r.close()", "r.render()", "r.update_scene(d)", "r.height",
    "r.enable_depth_rendering()", "r._mjr_context", "r.__exit__(None, None, None)",
)  # fmt: skip


def errors(package):
    """What a Renderer says to each of TEXTS, one after the other."""
    model, data = load(package)
    names = {"M": package, "R": package.Renderer, "m": model, "d": data, "np": np}
    names["r"] = package.Renderer(model, 48, 64)
    return [said(lambda text=text: eval(text, names)) for text in TEXTS]


def pictures(package, models):
    """Of models with camera, state and size, see `_pictures`."""
    return [_pictures(package, *given) for given in models]


def _pictures(package, text, camera, qpos, size):
    """Colours, depths and objects of a model in a state, with near and far."""
    model, data = load(package, text)
    data.qpos[:] = qpos
    package.mj_forward(model, data)
    width, height = size
    model.vis.global_.offwidth = max(width, model.vis.global_.offwidth)
    model.vis.global_.offheight = max(height, model.vis.global_.offheight)
    with package.Renderer(model, height, width) as renderer:
        renderer.update_scene(data, camera)
        found = {"colours": renderer.render()}
        renderer.enable_depth_rendering()
        found["depths"] = renderer.render()
        renderer.enable_segmentation_rendering()
        found["objects"] = renderer.render()
        renderer.disable_segmentation_rendering()
        found["again"] = renderer.render()
        eye = renderer.scene.camera[0]
        found["near"], found["far"] = eye.frustum_near, eye.frustum_far
        found["flags"] = renderer.scene.flags.copy()
    return found


# ---- MjrContext and mjr_


def members(context):
    """Members of a MjrContext by name."""
    names = [n for n in dir(type(context)) if not n.startswith("_") and n != "free"]
    values = {name: getattr(context, name) for name in names}
    return {name: np.copy(v) if isinstance(v, np.ndarray) else v for name, v in values.items()}


def contexts(package):
    """Members of contexts: empty, made, with other text, freed."""
    model, _ = load(package)
    empty = members(package.MjrContext())
    gl = package.GLContext(10, 10)
    gl.make_current()
    found = [empty]
    for scale in (0, 100, 124, 125, 150, 201, 275, 1000):
        context = package.MjrContext(model, scale)
        found.append(members(context))
        context.free()
    found.append(members(context))
    return found


def scene_of(package, model, data):
    """A scene as the first camera sees it."""
    scene, camera = package.MjvScene(model, 20), package.MjvCamera()
    camera.type, camera.fixedcamid = package.mjtCamera.mjCAMERA_FIXED, 0
    package.mjv_updateScene(model, data, package.MjvOption(), None, camera, 7, scene)
    scene.flags[0] = 0  # shadows' edges hang on the rasteriser
    return scene


class Desk:
    """A context with a scene, and short ways to read and fill its buffers."""

    def __init__(self, package, window=None):
        self.package, self.window = package, window
        self.model, self.data = load(package)
        if window:
            self.gl = _open(int(window))
        else:
            self.gl = package.GLContext(100, 80)
            self.gl.make_current()
        self.context = package.MjrContext(self.model, 150)
        self.scene = scene_of(package, self.model, self.data)

    def rect(self, *numbers):
        """A rectangle: left, bottom, width, height; without, the whole buffer that is drawn into.

        The peer takes the size of a window from where it has last cut, so that it is not asked.
        """
        window = self.window and self.context.currentBuffer == 0
        size = (160, 90) if window else (self.context.offWidth, self.context.offHeight)
        return self.package.MjrRect(*(numbers or (0, 0, *size)))

    def read(self, *numbers, fill=77):
        """Colours and depths of a rectangle, over arrays of 77."""
        rect = self.rect(*numbers)
        rgb = np.full((rect.height, rect.width, 3), fill, np.uint8)
        depth = np.full((rect.height, rect.width), fill, np.float32)
        self.package.mjr_readPixels(rgb, depth, rect, self.context)
        return rgb, depth

    def fill(self, r, g, b):
        """Make the buffer that is drawn into one colour."""
        self.package.mjr_rectangle(self.rect(), r, g, b, 1)

    def call(self, name, *given):
        """Call mjr_..., and return what it says."""
        return said(lambda: getattr(self.package, "mjr_" + name)(*given, self.context))


def _open(samples):
    import glfw

    glfw.init()
    glfw.window_hint(glfw.SAMPLES, samples)
    window = glfw.create_window(160, 90, "", None, None)
    glfw.make_context_current(window)
    return window


def viewports(package):
    """Colours and depths drawn and read in rectangles inside, across and outside of the buffer, both ways of depth."""
    desk, found = Desk(package), []
    package.mjr_setBuffer(1, desk.context)
    for drawn in ((0, 0, 200, 120), (20, 30, 100, 50), (-30, -20, 100, 80), (150, 90, 100, 80)):
        desk.fill(0, 0.2, 0.4)
        package.mjr_render(desk.rect(*drawn), desk.scene, desk.context)
        for read in ((0, 0, 200, 120), (-10, -10, 40, 40), (190, 110, 40, 40), (300, 10, 20, 20)):
            for way in (0, 1):
                desk.context.readDepthMap = way
                found.append(desk.read(*read))
        desk.context.readDepthMap = 0
    for nothing in ((0, 0, 0, 0), (0, 0, -5, 5), (5, 5, 5, -5)):
        found.append(desk.call("render", desk.rect(*nothing), desk.scene))
        found.append(desk.call("readPixels", np.zeros((0,), np.uint8), None, desk.rect(*nothing)))
    return found


def sizes(package):
    """The picture off screen in other sizes."""
    desk, found = Desk(package), []
    for size in ((50, 40), (300, 200), (300, 200), (1, 1)):
        found.append(desk.call("resizeOffscreen", *size))
        whole = desk.rect()
        found.append((whole.left, whole.bottom, whole.width, whole.height))
        found.append((desk.context.offWidth, desk.context.offHeight, desk.context.offSamples))
        package.mjr_render(whole, desk.scene, desk.context)
        found.append(desk.read())
    return found


def drawn_pixels(package):
    """Colours of arrays, in rectangles inside and across."""
    desk, found = Desk(package), []
    rng = np.random.default_rng(0)
    for place in ((0, 0), (30, 20), (-3, -2), (195, 115), (190, -4)):
        desk.fill(0, 0, 0)
        pixels = rng.integers(1, 255, 3 * 8 * 7, np.uint8)
        found.append(desk.call("drawPixels", pixels, None, desk.rect(*place, 8, 7)))
        found.append(desk.read()[0])
        column = pixels.reshape(-1, 1)
        found.append(
            desk.call("drawPixels", column.astype(np.float32), None, desk.rect(*place, 8, 7))
        )
        found.append(desk.read()[0])
    found.append(desk.call("drawPixels", None, None, desk.rect(0, 0, 8, 7)))
    found.append(desk.call("drawPixels", pixels, None, desk.rect(0, 0, -8, 7)))
    return found


def auxiliaries(package):
    """Buffers beside the picture: what they are, and blits of what OpenGL has drawn into them."""
    import OpenGL

    OpenGL.ERROR_CHECKING = False
    from OpenGL import GL

    desk, found = Desk(package), []
    con = desk.context
    for index in (-1, 10, 0, 3, 9):
        found.append(desk.call("addAux", index, 20 + abs(index), 10, 4 if index else 0)[:1])
    for name in ("auxWidth", "auxHeight", "auxSamples"):
        found.append(getattr(con, name).copy())
    found.append(
        [
            (getattr(con, name) > 0).tolist()
            for name in ("auxFBO", "auxFBO_r", "auxColor", "auxColor_r")
        ]
    )
    for index in (-1, 10, 5):
        found.append(desk.call("setAux", index)[:1])
    for index in (0, 3):
        desk.fill(0, 0, 1)
        found.append(desk.call("setAux", index))
        found.append(int(GL.glGetIntegerv(GL.GL_DRAW_FRAMEBUFFER_BINDING)) == con.auxFBO[index])
        found.append(con.currentBuffer)
        GL.glClearColor(1, 0.5, 0, 1)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        found.append(desk.call("restoreBuffer"))
        found.append(int(GL.glGetIntegerv(GL.GL_DRAW_FRAMEBUFFER_BINDING)) == con.offFBO)
        for part, left, bottom in (
            ((0, 0, 20, 10), 5, 6),
            ((5, 5, 30, 30), 100, 50),
            ((0, 0, 20, 10), -4, 115),
        ):
            found.append(desk.call("blitAux", index, desk.rect(*part), left, bottom))
            found.append(desk.read()[0])
    found.append(desk.call("addAux", 3, 0, 0, 0))
    found.append(con.auxFBO[3])
    found.append(desk.call("setAux", 3)[:1])
    return found


def windows(package, samples):
    """A window's buffer: what is known of it, pictures in it, blits to and from the picture off screen."""
    desk, found = Desk(package, window=str(samples)), []
    con = desk.context
    names = (
        "windowAvailable",
        "windowSamples",
        "windowStereo",
        "windowDoublebuffer",
        "currentBuffer",
        "readPixelFormat",
    )
    found.append({name: getattr(con, name) for name in names})
    for buffer in (0, 1, 0):
        found.append(desk.call("setBuffer", buffer))
        whole = desk.rect()
        found.append((con.currentBuffer, whole.width, whole.height))
    package.mjr_render(desk.rect(), desk.scene, con)
    found.append(desk.read())
    package.mjr_setBuffer(1, con)
    package.mjr_render(desk.rect(), desk.scene, con)
    found.append(desk.read())
    con.currentBuffer = 0
    found.append(desk.call("restoreBuffer"))
    found.append((desk.rect().width, desk.rect().height))
    pixels = np.arange(60, dtype=np.uint8)
    desk.fill(0, 0, 0)
    found.append(desk.call("drawPixels", pixels, None, desk.rect(3, 4, 5, 4)))
    found.append(desk.read(0, 0, 12, 12)[0])
    return found


def blits(package, samples, parts):
    """Pictures of the other buffer after blits of colours: off screen to the window, then back."""
    desk, found = Desk(package, window=str(samples)), []
    for source in (1, 0):
        for part, to in parts:
            package.mjr_setBuffer(1 - source, desk.context)
            desk.fill(0, 0, 0)
            package.mjr_setBuffer(source, desk.context)
            package.mjr_render(desk.rect(), desk.scene, desk.context)
            found.append(desk.call("blitBuffer", desk.rect(*part), desk.rect(*to), 1, 0))
            package.mjr_setBuffer(1 - source, desk.context)
            found.append(desk.read()[0])
    return found


def rectangles(package):
    """mjr_findRect at corners and sides."""
    rect = package.MjrRect(3, 4, 10, 20)
    places = [(x, y) for x in (2, 3, 4, 12, 13) for y in (3, 4, 5, 23, 24)]
    return [package.mjr_findRect(x, y, count, rect) for x, y in places for count in (1, 0, -1)]


def gl_contexts(package):
    """What contexts of EGL are made with, and what one says in its life."""
    import importlib

    egl = importlib.import_module(package.__name__ + ".egl")
    found = [[int(number) for number in egl.EGL_ATTRIBUTES], egl.EGL_DISPLAY]
    gl = package.GLContext(10, 10)
    found += [type(gl).__module__.rpartition(".")[2], egl.EGL_DISPLAY is not None]
    found += [len(egl.EGL.eglQueryDevicesEXT()), int(egl.EGL.EGL_PLATFORM_DEVICE_EXT)]
    found.append(egl.create_initialized_egl_device_display() is not None)
    found += [
        said(call) for call in (gl.make_current, gl.make_current, gl.free, gl.free, gl.make_current)
    ]
    found += [said(package.GLContext)[0], said(lambda: package.GLContext(1))[0]]
    return found
