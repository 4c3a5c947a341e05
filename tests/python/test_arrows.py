"""What holds the arrows between folders, rooms and modules finds a fault that is planted."""

import importlib.util
import pathlib

import pytest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
SCENE = {
    "include/sinew/scene.h": "void snv_set(int value);\nvoid snv_draw(void);\n",
    "src/scene/list/geom.c": "#include <sinew/scene.h>\nvoid snv_set(int value)\n{\n}\n",
    "src/scene/draw.c": "#include <sinew/scene.h>\nvoid snv_draw(void)\n{\n    snv_set(1);\n}\n",
}
CORE = {
    "python/core/base/base.h": "int addType(void);\n",
    "python/core/base/types.c": '#include "base/base.h"\nint addType(void)\n{\n    return 0;\n}\n',
    "python/core/call/call.h": '#include "base/base.h"\nint makeRollout(void);\n',
    "python/core/call/rollout.c": '#include "call/call.h"\nint makeRollout(void)\n{\n    return 1;\n}\n',
}
PACKAGE = {
    "python/sinew/__init__.py": "from .picture.show import show\n",
    "python/sinew/_types.py": "def png():\n    from .picture.show import show\n    return show\n",
    "python/sinew/picture/show.py": "from .. import _core\nfrom .._types import png\n",
    "python/sinew/mujoco/__init__.py": "from ..picture import show\nimport sinew\n",
    "python/core/base/errors.c": 'PyImport_ImportModule("sinew._warn");\n',
}


def found(tool, tree, folder, monkeypatch, capsys):
    """Return what a tool prints for a tree of files."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(TOOLS)
    spec = importlib.util.spec_from_file_location(tool, TOOLS / f"{tool}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", folder)
    monkeypatch.setattr(importlib.import_module("c_source"), "ROOT", folder)
    if tool == "check_imports":
        monkeypatch.setattr(module, "PACKAGE", folder / "python/sinew")
    code = module.main()
    printed = capsys.readouterr().out.splitlines()
    assert code == bool(printed)
    return printed


@pytest.mark.parametrize(
    "tool, tree", [("check_includes", {**SCENE, **CORE}), ("check_imports", PACKAGE)]
)
def test_nothing_is_found_in_what_is_whole(tool, tree, tmp_path, monkeypatch, capsys):
    assert found(tool, tree, tmp_path, monkeypatch, capsys) == []


@pytest.mark.parametrize(
    "name, more, fault",
    [
        (
            "src/scene/list/geom.c",
            "void snv_more(void)\n{\n    snv_draw();\n}\n",
            "geom.c:7: src/scene/list must not call snv_draw of src/scene/draw.c",
        ),
        (
            "src/scene/draw.c",
            "// snv_set and sn_step\nvoid snv_draws(void)\n{\n    sn_step();\n}\n",
            "draw.c:9: src/scene must not call sn_step of src/control/step.c",
        ),
        (
            "python/core/base/types.c",
            '#include "call/call.h"\n',
            "types.c:6: python/core/base must not include python/core/call/call.h",
        ),
        (
            "python/core/base/base.h",
            "int makeRollout(void);\n",
            "base.h:2: makeRollout is defined in python/core/call/rollout.c: declaration and definition",
        ),
        ("python/core/other/other.c", "", "other.c:1: no place in the order of folders"),
    ],
)
def test_an_include_or_a_call_upwards(name, more, fault, tmp_path, monkeypatch, capsys):
    tree = {**SCENE, **CORE, "src/control/step.c": "void sn_step(void)\n{\n}\n"}
    tree[name] = tree.get(name, "") + more
    (line,) = found("check_includes", tree, tmp_path, monkeypatch, capsys)
    assert fault in line


@pytest.mark.parametrize(
    "name, more, fault",
    [
        (
            "python/sinew/picture/show.py",
            "def f():\n    from .. import mujoco\n",
            "show.py:4: picture must not import mujoco",
        ),
        (
            "python/sinew/picture/show.py",
            "from ..mujoco import MjData\n",
            "show.py:3: picture must not import mujoco",
        ),
        (
            "python/sinew/picture/show.py",
            "from .. import Data\n",
            "show.py:3: picture must not import sinew",
        ),
        (
            "python/sinew/_types.py",
            "from .picture.show import show\n",
            "_types.py:4: _types must not import picture",
        ),
        ("python/sinew/_other.py", "", "_other.py:1: no place in the order"),
        (
            "python/core/base/errors.c",
            'PyImport_ImportModule("sinew.mujoco._errors");\n',
            "errors.c:2: _core must not import mujoco",
        ),
    ],
)
def test_an_import_upwards(name, more, fault, tmp_path, monkeypatch, capsys):
    tree = {**PACKAGE, name: PACKAGE.get(name, "") + more}
    (line,) = found("check_imports", tree, tmp_path, monkeypatch, capsys)
    assert fault in line
