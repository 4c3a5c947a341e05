"""Every public name of the pinned peer: `sinew.mujoco` has it, with the same members, values and arguments.

What differs stands in one list, with the reason.
"""

import ast
import importlib
import importlib.util
import inspect
import pathlib
import re
import types

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

ABSENT = "flexes, plugins and octrees are refused"
# "name" or "name.member" or "module:name", a pattern; reason
EXCEPT: dict[str, str] = {
    r"viewer:Handle\.__init__": "made by launch_passive alone, from a window's parts, which there are none of",
    r"introspect\.(codegen\..*|mjxmacro|type_parsing):": "how the peer's tables are made from its headers",
    r"HEADERS_DIR|PLUGINS_DIR": "folders of the installation",
    r"PLUGIN_HANDLES": ABSENT,
}
# What the peer's __init__ imports for itself.
_NOT_ITS_OWN = {"IO", "Any", "Sequence", "TypeAlias", "Union"}
_FOLDER = pathlib.Path(peer.__file__).parent


def _excepted(name):
    return any(re.fullmatch(pattern, name) for pattern in EXCEPT)


def _is_its_own(name):
    value = getattr(peer, name)
    foreign = isinstance(value, types.ModuleType) and not value.__name__.startswith("mujoco")
    return not name.startswith("_") and not foreign and name not in _NOT_ITS_OWN


NAMES = sorted(name for name in dir(peer) if _is_its_own(name))
CLASSES = [name for name in NAMES if isinstance(getattr(peer, name), type)]
ENUMS = [name for name in CLASSES if hasattr(getattr(peer, name), "__members__")]
FUNCTIONS = [name for name in NAMES if inspect.isroutine(getattr(peer, name))]


def _members(cls):
    return sorted(n for n in dir(cls) if not n.startswith("_"))


def test_every_name_is_there():
    missing = [n for n in NAMES if not hasattr(ours, n) and not _excepted(n)]
    assert not missing


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_is_there(name):
    theirs, mine = getattr(peer, name), getattr(ours, name)
    missing = [n for n in _members(theirs) if not hasattr(mine, n) and not _excepted(f"{name}.{n}")]
    assert not missing
    methods = [n for n in _members(theirs) if inspect.isroutine(getattr(theirs, n))]
    assert all(callable(getattr(mine, n)) for n in methods if hasattr(mine, n))


@pytest.mark.parametrize("name", ENUMS)
def test_every_enumerator_is_equal(name):
    theirs, mine = getattr(peer, name), getattr(ours, name)
    want = {k: int(v) for k, v in theirs.__members__.items() if not _excepted(f"{name}.{k}")}
    assert {k: int(v) for k, v in mine.__members__.items()} == want
    for key, value in want.items():
        member = getattr(mine, key)
        assert member == value == member.value and member.name == key
        assert mine(value) == member and str(member) == str(getattr(theirs, key))
        assert repr(member) == repr(getattr(theirs, key))
        assert hash(member) == hash(getattr(theirs, key))


def test_every_constant_is_equal():
    for name in NAMES:
        theirs = getattr(peer, name)
        if not isinstance(theirs, int | float | str | tuple | list) or _excepted(name):
            continue
        mine = getattr(ours, name)
        assert type(mine) is type(theirs) and mine == theirs, name


def _arguments(signature):
    """Names of arguments, `name` or `name=` where there is a default, of a line `f(a: int, b: int = 1) -> None`."""
    parsed = ast.parse(f"def {signature}: ...").body[0].args
    names = [a.arg for a in (*parsed.posonlyargs, *parsed.args)]
    defaults = len(parsed.defaults)
    first = len(names) - defaults
    return [n + "=" * (i >= first) for i, n in enumerate(names)]


def _own_arguments(function):
    parameters = inspect.signature(function).parameters.values()
    return [p.name + "=" * (p.default is not p.empty) for p in parameters]


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in FUNCTIONS
        if getattr(peer, n).__doc__ and "(" in getattr(peer, n).__doc__.split("\n")[0]
    ],
)
def test_every_function_has_the_same_arguments(name):
    if _excepted(name):
        return
    theirs, mine = getattr(peer, name), getattr(ours, name)
    want = _arguments(theirs.__doc__.split("\n")[0])
    first = mine.__doc__.split("\n")[0]
    assert first.startswith(name + "(") and _arguments(first) == want
    assert _own_arguments(mine) == want
    assert len(mine.__doc__.split("\n", 1)[1].strip()) > 10, "a docstring says what it does"


def _modules():
    """Public modules of the peer in Python, by name below the package."""
    for path in sorted(_FOLDER.rglob("*.py")):
        parts = path.relative_to(_FOLDER).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if parts and not parts[-1].endswith("_test") and not any(p.startswith("_") for p in parts):
            yield ".".join(parts), path


MODULES = dict(_modules())


def _names_of(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if not name.startswith("_"):
                yield name, node


def _check_function(node, mine, where, method=False):
    want = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    have = list(inspect.signature(mine).parameters)
    skip = method and want[:1] in (["self"], ["cls"])
    assert [n for n in have if n not in ("self", "cls")] == want[skip:], where


@pytest.mark.parametrize("name", [n for n in MODULES if not _excepted(n + ":")])
def test_every_module(name):
    module = importlib.import_module("sinew.mujoco." + name)
    for key, node in _names_of(ast.parse(MODULES[name].read_text())):
        where = f"{name}:{key}"
        if _excepted(where):
            continue
        assert hasattr(module, key), where
        mine = getattr(module, key)
        if isinstance(node, ast.FunctionDef):
            _check_function(node, mine, where)
        if not isinstance(node, ast.ClassDef):
            continue
        for item in node.body:
            if (
                not isinstance(item, ast.FunctionDef)
                or item.name.startswith("_")
                and item.name != "__init__"
            ):
                continue
            if _excepted(f"{where}.{item.name}"):
                continue
            assert hasattr(mine, item.name), f"{where}.{item.name}"
            if not item.decorator_list:
                _check_function(item, getattr(mine, item.name), f"{where}.{item.name}", True)


# Those that can be made of nothing.
_MADE = [
    n
    for n in CLASSES
    if n.startswith(("MjO", "MjSt", "MjV", "Mjv", "MjL", "MjC", "MjW", "MjT", "Mjr"))
    and not n.endswith("Vec")
]


def _equal(a, b):
    if isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(b, float | int | str | bytes):
        return type(a) is type(b) and a == b
    return True


@pytest.mark.parametrize("name", _MADE)
def test_what_is_made_of_nothing_is_equal(name):
    try:
        theirs = getattr(peer, name)()
    except TypeError:
        with pytest.raises(TypeError):
            getattr(ours, name)()
        return
    mine = getattr(ours, name)()
    for member in _members(type(theirs)):
        value = getattr(theirs, member)
        if not callable(value) and not _excepted(f"{name}.{member}"):
            assert _equal(getattr(mine, member), value), member


XML = """<mujoco><option solver="PGS"/><worldbody><geom type="plane" size="1 1 .1"/><light/><camera name="c"/>
  <body name="b" pos="0 0 .09"><freejoint/><geom name="g" size=".1"/><site name="s"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("what", ["model", "data"])
def test_every_attribute_has_the_same_kind(what):
    """Types, shapes and dtypes of all that a model and a data hold after a step."""
    pair = []
    for module in (ours, peer):
        m = module.MjModel.from_xml_string(XML)
        d = module.MjData(m)
        module.mj_step(m, d, 3)
        pair.append(m if what == "model" else d)
    mine, theirs = pair
    name = "MjModel" if what == "model" else "MjData"
    for member in _members(type(theirs)):
        value = getattr(theirs, member)
        if callable(value) or _excepted(f"{name}.{member}"):
            continue
        have = getattr(mine, member)
        if isinstance(value, np.ndarray):
            assert have.dtype == value.dtype and have.shape == value.shape, member
        elif isinstance(value, int | float | str | bytes):
            assert isinstance(have, type(value)), member
