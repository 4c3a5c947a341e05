"""Functions of macOS that make OpenGL contexts; elsewhere calling one says so."""

from __future__ import annotations

import ctypes
import enum
from typing import Any

from sinew.draw import cgl as _cgl

CGLContextObj = ctypes.c_void_p
CGLPixelFormatObj = ctypes.c_void_p
GLint = ctypes.c_int


class CGLOpenGLProfile(enum.IntEnum):
    """Versions of OpenGL that may be asked for."""

    CGLOGLPVersion_Legacy = 0x1000
    CGLOGLPVersion_3_2_Core = 0x3200
    CGLOGLPVersion_GL3_Core = 0x3200
    CGLOGLPVersion_GL4_Core = 0x4100


class CGLPixelFormatAttribute(enum.IntEnum):
    """What may be asked of a pixel format."""

    CGLPFAAllRenderers = 1
    CGLPFATripleBuffer = 3
    CGLPFADoubleBuffer = 5
    CGLPFAStereo = 6
    CGLPFAAuxBuffers = 7
    CGLPFAColorSize = 8
    CGLPFAAlphaSize = 11
    CGLPFADepthSize = 12
    CGLPFAStencilSize = 13
    CGLPFAAccumSize = 14
    CGLPFAMinimumPolicy = 51
    CGLPFAMaximumPolicy = 52
    CGLPFAOffScreen = 53
    CGLPFAFullScreen = 54
    CGLPFASampleBuffers = 55
    CGLPFASample = 56
    CGLPFAAuxDepthStencil = 57
    CGLPFAColorFloat = 58
    CGLPFAMultisample = 59
    CGLPFASupersample = 60
    CGLPFASampleAlpha = 61
    CGLPFARendererID = 70
    CGLPFASingleRenderer = 71
    CGLPFANoRecovery = 72
    CGLPFAAccelerated = 73
    CGLPFAClosestPolicy = 74
    CGLPFARobust = 75
    CGLPFABackingStore = 76
    CGLPFABackingVolatile = 77
    CGLPFAMPSafe = 78
    CGLPFAWindow = 80
    CGLPFAMultiScreen = 81
    CGLPFACompliant = 83
    CGLPFADisplayMask = 84
    CGLPFAPBuffer = 90
    CGLPFARemotePBuffer = 91
    CGLPFAAllowOfflineRenderers = 96
    CGLPFAAcceleratedCompute = 97
    CGLPFAOpenGLProfile = 99
    CGLPFASupportsAutomaticGraphicsSwitching = 101
    CGLPFAVirtualScreenCount = 128


CGLError = _cgl.CGLError


def _function(name: str) -> Any:
    def function(*arguments: Any) -> None:
        getattr(_cgl.functions(), name)(*arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of OpenGL on macOS; raises CGLError when it fails."
    return function


CGLChoosePixelFormat = _function("CGLChoosePixelFormat")
CGLCreateContext = _function("CGLCreateContext")
CGLLockContext = _function("CGLLockContext")
CGLReleaseContext = _function("CGLReleaseContext")
CGLReleasePixelFormat = _function("CGLReleasePixelFormat")
CGLSetCurrentContext = _function("CGLSetCurrentContext")
CGLUnlockContext = _function("CGLUnlockContext")
__all__ = [name for name in dir() if name.startswith("CGL")]
