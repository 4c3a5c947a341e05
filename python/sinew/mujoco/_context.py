"""MjrContext: what a renderer keeps of a model on an OpenGL context."""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from .. import _view
from .._types import Model
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
FONTSCALES = (50, 100, 150, 200, 250, 300)
NEAR_IS_ZERO, FAR_IS_ZERO = 0, 1  # of mjtDepthMap
WINDOW, OFFSCREEN = 0, 1  # of mjtFramebuffer
_RGB = 0x1907


class MjrContext:
    """What a renderer keeps of a model, on the OpenGL context that is current, else on one of Sinew's own.

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
            self._take(_view.drawing().Drawing(model), operator.index(fontscale))

    @classmethod
    def _of(cls, drawing: Any, fontscale: int) -> MjrContext:
        """Return the context of a drawing."""
        context = cls()
        context._take(drawing, fontscale)
        return context

    def _clear(self) -> None:
        self._values: dict[str, Any] = dict.fromkeys(_INTS, 0) | dict.fromkeys(_FLOATS, 0.0)
        self._values |= {name: np.zeros(count, kind) for name, (count, kind) in _ARRAYS.items()}
        self._values |= dict.fromkeys(_TUPLES, ())

    def _take(self, drawing: Any, fontscale: int) -> None:
        self._drawing = drawing
        self._values["fontScale"] = min(FONTSCALES, key=lambda scale: abs(scale - fontscale))
        self._values |= {"glInitialized": 1, "readPixelFormat": _RGB, "readDepthMap": NEAR_IS_ZERO}
        self._refresh()

    def _refresh(self) -> None:
        """Take over what the frame buffers are like."""
        targets, values = self._drawing.targets, self._values
        picture = targets.offscreen
        values["currentBuffer"] = WINDOW if targets.current is targets.window else OFFSCREEN
        values["windowAvailable"] = int(targets.window is not None)
        values["offWidth"], values["offHeight"] = picture.width, picture.height
        values["offSamples"] = picture.samples
        values["offFBO"] = picture.drawn.glo
        values["offFBO_r"] = picture.resolved.glo if picture.samples else 0

    def _live(self) -> Any:
        """Return the drawing; an empty or freed context has none."""
        if self._drawing is None:
            raise FatalError("this MjrContext is empty: it was made without a model, or freed")
        return self._drawing

    def free(self) -> None:
        """Free what it holds on the OpenGL context."""
        drawing, self._drawing = self._drawing, None
        self._clear()
        if drawing is not None:
            drawing.release()

    def __del__(self) -> None:
        drawing = getattr(self, "_drawing", None)
        if drawing is not None:
            drawing.release()

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


for _name in _INTS:
    setattr(MjrContext, _name, _scalar(_name, operator.index))
for _name in _FLOATS:
    setattr(MjrContext, _name, _scalar(_name, float))
for _name in (*_ARRAYS, *_TUPLES):
    setattr(MjrContext, _name, _array(_name))
