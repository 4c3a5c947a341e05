"""MjrContext: what a renderer keeps of a model on an OpenGL context."""

from __future__ import annotations

import operator
import sys
from typing import Any, NoReturn

import numpy as np

from .._types import Model
from ..picture import view
from ._errors import FatalError

_INTS = (
    "baseBuiltin", "baseFontBig", "baseFontNormal", "baseFontShadow", "baseHField", "baseMesh", "basePlane",
    "charHeight", "charHeightBig", "currentBuffer", "fontScale", "glInitialized", "nskin", "ntexture", "offColor",
    "offColor_r", "offDepthStencil", "offDepthStencil_r", "offFBO", "offFBO_r", "offHeight", "offSamples", "offWidth",
    "rangeBuiltin", "rangeFont", "rangeHField", "rangeMesh", "rangePlane", "readDepthMap", "readPixelFormat",
    "shadowFBO", "shadowSize", "shadowTex", "windowAvailable", "windowDoublebuffer", "windowSamples", "windowStereo",
)  # fmt: skip
_FLOATS = ("fogEnd", "fogStart", "lineWidth", "shadowClip", "shadowScale")
_ARRAYS = {
    **dict.fromkeys(("auxColor", "auxColor_r", "auxFBO", "auxFBO_r"), (10, np.uint32)),
    **dict.fromkeys(("auxHeight", "auxSamples", "auxWidth"), (10, np.int32)),
    **dict.fromkeys(("charWidth", "charWidthBig"), (127, np.int32)),
    "fogRGBA": (4, np.float32),
    "mat_texid": (10000, np.int32),
    "mat_texrepeat": (2000, np.float32),
    "mat_texuniform": (1000, np.int32),
    "texture": (1000, np.uint32),
    "textureType": (1000, np.int32),
}
_TUPLES = ("skinfaceVBO", "skinnormalVBO", "skintexcoordVBO", "skinvertVBO")
NEAR_IS_ZERO, FAR_IS_ZERO = 0, 1  # of mjtDepthMap
WINDOW, OFFSCREEN = 0, 1  # of mjtFramebuffer
NAUX = 10
_RGB = 0x1907


class MjrContext:
    """What a renderer keeps of a model, on the OpenGL context that is current, else on one of Sinew's own.

    `currentBuffer` and `readDepthMap` may be set; what else it says is read alone. Names of OpenGL's objects are
    those that there are: a texture has one from when it is first drawn, and nothing is a display list.

    Parameters
    ----------
    model : MjModel
        What is drawn; without it the context is empty and nothing can be drawn.
    fontscale : int
        Size of text in percent, a value of mjtFontScale.
    """

    __slots__ = ("__weakref__", "_drawing", "_values")

    def __init__(self, model: Model | None = None, fontscale: int | None = None) -> None:
        self._drawing: Any = None
        self._clear()
        if (model is None) != (fontscale is None):
            raise TypeError("MjrContext takes no arguments, or model and fontscale")
        if fontscale is not None:
            if not isinstance(model, Model):
                raise TypeError(f"MjrContext: model is a MjModel, not {type(model).__name__}")
            self._take(operator.index(fontscale), view.drawing().Drawing(model))

    @classmethod
    def _of(cls, drawing: Any, fontscale: int) -> MjrContext:
        """Return the context of a drawing."""
        context = cls()
        context._take(operator.index(fontscale), drawing)
        return context

    def _clear(self) -> None:
        self._values: dict[str, Any] = dict.fromkeys(_INTS, 0) | dict.fromkeys(_FLOATS, 0.0)
        self._values |= {name: np.zeros(count, kind) for name, (count, kind) in _ARRAYS.items()}
        self._values |= dict.fromkeys(_TUPLES, ())

    def _take(self, fontscale: int, drawing: Any) -> None:
        self._drawing = drawing
        self._scale(view.drawing("text").Text.nearest(fontscale))
        self._describe(drawing.model, drawing.quality)
        self._values["fogRGBA"] = (
            drawing.fog.rgba
        )  # the same array: what is written into it is drawn
        self._frames()
        self._values["currentBuffer"] = WINDOW if drawing.targets.window else OFFSCREEN

    def _scale(self, fontscale: int) -> None:
        """Take a size of text."""
        sizes = view.drawing("glyphs").SIZES
        normal, big = sizes[fontscale], sizes[2 * fontscale]
        values = self._values
        values["fontScale"] = fontscale
        self._drawing.write_with(fontscale)
        values["charHeight"], values["charHeightBig"] = normal.height, big.height
        values["charWidth"][:], values["charWidthBig"][:] = normal.advances, big.advances

    def _describe(self, model: Model, quality: Any) -> None:
        """Take over what does not change."""
        values, visual, extent = self._values, model.vis, model.stat.extent
        values |= {"glInitialized": 1, "readPixelFormat": _RGB, "readDepthMap": NEAR_IS_ZERO}
        values |= {"ntexture": model.ntex, "nskin": model.nskin, "shadowSize": quality.shadowsize}
        values["fogStart"], values["fogEnd"] = (
            visual.map.fogstart * extent,
            visual.map.fogend * extent,
        )
        values["shadowClip"] = visual.map.shadowclip * extent
        values["shadowScale"], values["lineWidth"] = (
            visual.map.shadowscale,
            visual.global_.linewidth,
        )
        values["textureType"][: model.ntex] = model.tex_type[:1000]
        self._describe_materials(model)

    def _describe_materials(self, model: Model) -> None:
        values, count = self._values, min(model.nmat, 1000)
        worn = (model.mat_texid[:count] >= 0).any(1)
        ids = values["mat_texid"].reshape(1000, -1)
        ids[:] = -1
        ids[:count] = model.mat_texid[:count]
        values["mat_texrepeat"].reshape(1000, 2)[:count][worn] = model.mat_texrepeat[:count][worn]
        values["mat_texuniform"][:count][worn] = model.mat_texuniform[:count][worn]

    def _frames(self) -> None:
        """Take over what the frame buffers are like."""
        targets, values = self._drawing.targets, self._values
        picture, window = targets.offscreen, targets.window
        values["offWidth"], values["offHeight"] = picture.width, picture.height
        values["offSamples"] = picture.samples
        values |= {"off" + name: value for name, value in picture.names().items()}
        values["windowAvailable"] = int(window is not None)
        if window:
            values["windowSamples"], values["windowStereo"] = window.samples, window.stereo
            values["windowDoublebuffer"] = window.doublebuffer
        for index in range(NAUX):
            self._describe_aux(index, targets.aux.get(index))

    def _describe_aux(self, index: int, buffer: Any) -> None:
        values = self._values
        names = buffer.names() if buffer else {}
        for name in ("FBO", "FBO_r", "Color", "Color_r"):
            values["aux" + name][index] = names.get(name) or names.get(name.removesuffix("_r"), 0)
        for name in ("Width", "Height", "Samples"):
            values["aux" + name][index] = getattr(buffer, name.lower(), 0)

    # ---- what draws

    def _live(self) -> Any:
        """Return the drawing; an empty or freed context has none."""
        if self._drawing is None:
            raise FatalError("No OpenGL framebuffer available: the MjrContext is empty or freed")
        return self._drawing

    def _current(self) -> Any:
        """Return the frame buffer that `currentBuffer` says, which is drawn into from now on."""
        targets = self._live().targets
        window = targets.window if self._values["currentBuffer"] == WINDOW else None
        targets.current = window or targets.offscreen
        targets.current.use()
        return targets.current

    def _letters(self) -> Any:
        """Return what draws text, made when it is asked for first."""
        return self._live().letters()

    def free(self) -> None:
        """Free what it holds on the OpenGL context."""
        drawing, self._drawing = self._drawing, None
        self._clear()
        if drawing is not None:
            drawing.release()

    def __del__(self, ended: Any = sys.is_finalizing) -> None:  # by then modules are empty
        drawing = getattr(self, "_drawing", None)
        if drawing is not None and not ended():
            drawing.abandon()

    def __copy__(self) -> NoReturn:
        raise TypeError("a MjrContext cannot be copied")

    def __deepcopy__(self, memo: dict) -> NoReturn:
        raise TypeError("a MjrContext cannot be copied")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a MjrContext cannot be pickled")


def _scalar(name: str, kind: Any) -> property:
    def get(context: MjrContext) -> Any:
        return context._values[name]

    def put(context: MjrContext, value: Any) -> None:
        context._values[name] = kind(value)

    return property(get, put)


def _array(name: str) -> property:
    def get(context: MjrContext) -> Any:
        return context._values[name]

    def put(context: MjrContext, value: Any) -> None:
        context._values[name][...] = value

    return property(get, put)


def _skin(name: str) -> property:
    def get(context: MjrContext) -> Any:
        """One buffer holds the vertices of all skins, with their normals and texture coordinates."""
        drawing = context._drawing
        buffer = drawing.geometry.vertices.buffer.glo if drawing else 0
        return (buffer,) * context._values["nskin"]

    return property(get)


def _texture(context: MjrContext) -> Any:
    names = context._values["texture"]
    if context._drawing is not None:
        for index, texture in context._drawing.textures.names().items():
            names[index] = texture
    return names


for _name in _INTS:
    setattr(MjrContext, _name, _scalar(_name, operator.index))
for _name in _FLOATS:
    setattr(MjrContext, _name, _scalar(_name, float))
for _name in _ARRAYS:
    setattr(MjrContext, _name, _array(_name))
for _name in _TUPLES:
    setattr(MjrContext, _name, _skin(_name))
MjrContext.texture = property(_texture)  # type: ignore[attr-defined]
