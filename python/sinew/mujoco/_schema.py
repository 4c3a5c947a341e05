"""The elements of model files with their attributes, as text or HTML; the attributes come from the library's table."""

from __future__ import annotations

from .. import _core
from .._spec import Element, Spec
from ._release import SILENT

# Indentation, tag, how often it may stand in what is above: ! once and always, ? once at most, * any number,
# R any number, also in itself.
_TREE = """
mujoco !
 compiler *
  lengthrange ?
 option *
  flag ?
 size *
 visual *
  global ?
  quality ?
  headlight ?
  map ?
  scale ?
  rgba ?
 statistic *
 default R
  mesh ?
  material ?
  joint ?
  geom ?
  site ?
  camera ?
  light ?
  pair ?
  equality ?
  tendon ?
  general ?
  motor ?
  position ?
  velocity ?
  intvelocity ?
  damper ?
  cylinder ?
  muscle ?
  adhesion ?
 custom *
  numeric *
  text *
  tuple *
   element *
 asset *
  mesh *
  hfield *
  skin *
   bone *
  texture *
  material *
   layer *
  model *
 body R
  inertial ?
  joint *
  freejoint *
  geom *
  site *
  camera *
  light *
  attach *
  frame R
  replicate R
  composite *
 deformable *
  skin *
   bone *
 contact *
  pair *
  exclude *
 equality *
  connect *
  weld *
  joint *
  tendon *
 tendon *
  spatial *
   site *
   geom *
   pulley *
  fixed *
   joint *
 actuator *
  general *
  motor *
  position *
  velocity *
  intvelocity *
  damper *
  cylinder *
  muscle *
  adhesion *
 sensor *
  SENSORS
 keyframe *
  key *
"""
_OTHERS = {"mujoco": ["model"], "default": ["class"]}  # that are not in the table


def _rows() -> list[tuple[int, str, str]]:
    """(depth, tag, how often) of every element."""
    rows = []
    for line in _TREE.strip().splitlines():
        tag, *times = line.split()
        depth = len(line) - len(line.lstrip())
        if tag == "SENSORS":
            known = [row[1] for row in _core.tables()["sensors"] if row[2] != "LATER"]
            rows += [(depth, word, "*") for word in known]
        else:
            rows.append((depth, tag, times[0]))
    return rows


def _make(spec: Spec, parent: Element | None, tag: str) -> Element:
    """An element to ask for its attributes."""
    if parent is None:
        return spec.root
    if parent.tag == "mujoco":
        if tag == "default":
            return spec.section("default")
        return spec.world.add("body") if tag == "body" else spec.section(tag)
    return parent.add(tag)


def _elements() -> list[tuple[int, str, str, list[str]]]:
    """(depth, tag, how often, attributes) of every element, attributes sorted."""
    spec, above, elements = Spec(_core.specMake(SILENT)), {}, []
    for depth, tag, times in _rows():
        element = _make(spec, above.get(depth - 1), tag)
        above[depth] = element
        names = sorted(_OTHERS.get(tag) or element._attributes())
        shown = "(world)body" if depth == 1 and tag == "body" else tag
        elements.append((depth, shown, times, names))
    return elements


def _plain(elements: list[tuple[int, str, str, list[str]]]) -> str:
    lines = []
    for depth, tag, times, names in elements:
        head = f"{'   ' * depth}{tag} ({times})"
        line = f"{head:<30}"
        for count, name in enumerate(names):
            if count and (count % 8 == 0 or len(line) + len(name) > 68):
                lines.append(line)
                line = " " * 30
            line += f"{name} "
        lines.append(line)
    return "\n".join(lines) + "\n"


def _html(elements: list[tuple[int, str, str, list[str]]], pad: bool) -> str:
    lines = ['<table border="1">']
    for depth, tag, times, names in elements:
        indent = f' style="padding-left:{5 + 15 * depth}"' if pad else ""
        blanks = "" if pad else "&nbsp;" * (6 * depth)
        lines += [
            "<tr>",
            f'\t<td{indent} bgcolor="#EEEEEE" class="el">{blanks}{tag}</td>',
            f'\t<td class="ty">{times}</td>',
            f'\t<td class="at">{" ".join(names)} </td>',
            "</tr>",
        ]
    return "\n".join([*lines, "</table>"]) + "\n"


def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """The elements and attributes of model files as plain text, or as HTML with padding or with blanks."""
    elements = _elements()
    return _html(elements, flg_pad) if flg_html else _plain(elements)
