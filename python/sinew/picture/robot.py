"""A URDF as it is drawn: by its visual shapes, and where a link has none by its collision shapes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence

from .. import _core
from .._packages import folders, inside, load_model
from .._spec import Element, Spec
from .._types import Model
from .._warn import ModelWarning

COLLISION, VISUAL = 0, 1  # groups of geoms
_HIDDEN = 3  # the first group that is not shown unless somebody asks for it
_HEAD = 1 << 16  # bytes in which the root element stands
_SHAPE = ("type", "mesh", "size", "pos", "quat", "euler", "rgba")


def is_urdf(path: str) -> bool:
    """Return whether a file is a URDF: its root element is <robot>. What cannot be read is none."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    found = re.search(rb"<([A-Za-z_][\w:.-]*)", re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL))
    return found is not None and found[1] == b"robot"


def _copy(geom: Element, body: Element) -> None:
    """Add a geom that looks like another, weighs nothing and collides with nothing."""
    look = {name: text for name in _SHAPE if (text := geom._text(name))}
    if "mesh" in look:
        look.pop("size", None)
    body.add("geom", **look, group=VISUAL, contype=0, conaffinity=0, density=0)


def _show(bodies: Iterable[Element]) -> bool:
    """Let links without visual shapes look like their collision shapes; False: no link has visual shapes."""
    bare, visuals = [], False
    for body in bodies:
        geoms = [child for child in body if child.tag == "geom"]
        seen = any(geom.group == VISUAL for geom in geoms)
        visuals |= seen
        if not seen:
            bare += [(geom, body) for geom in geoms]
    for geom, body in bare if visuals else ():
        _copy(geom, body)
    return visuals


def _with_visuals(
    path: str,
    package_dirs: Sequence[str],
    strict: bool,
    anywhere: bool,
    within: str | None,
    physics: str | None,
) -> Spec:
    """Return the spec of a URDF; an error says what the command has, as those of `load_model` do."""
    shapes = (False, False, True, False)  # visual shapes alone of what from_urdf asks for
    return Spec(
        _core.specLoad(
            path,
            None,
            folders(package_dirs),
            *shapes,
            strict,
            anywhere,
            "--package-dir",
            physics,
            *inside(within),
        )
    )


def visible_robot(
    path: str,
    package_dirs: Sequence[str],
    strict: bool,
    anywhere: bool = False,
    within: str | None = None,
    *,
    physics: str | None = None,
) -> tuple[Model, bool]:
    """Return the model of a URDF and whether it has visual shapes, of the group VISUAL.

    Where these cannot be read, a mesh is missing perhaps, it is the one without them, with a warning.
    within: a folder below which all files that it names must be. physics: as of Model.from_path.
    """
    try:
        spec = _with_visuals(path, package_dirs, strict, anywhere, within, physics)
        visuals = _show([spec.world, *spec.bodies])
        return spec.compile(), visuals
    except (ValueError, OSError) as error:
        if strict:
            raise
        model = load_model(
            Model, path, package_dirs, strict, anywhere, "--package-dir", within, physics=physics
        )
        text = f"visual shapes are left out, collision shapes are drawn: {error}"
        warnings.warn(ModelWarning(text), stacklevel=2)
        return model, False


def hide_collision(model: Model) -> None:
    """Put the collision shapes of a model with visual shapes into a group that is hidden, until somebody asks for it."""
    model.geom_group[model.geom_group == COLLISION] = _HIDDEN
