"""A recording as a page in one file: viewer, scene and recording, which opens from disk and asks nobody for anything.

page/src/player/ is the script in it.
"""

from __future__ import annotations

from .pages import export as export
from .pages import moments_of as moments_of
