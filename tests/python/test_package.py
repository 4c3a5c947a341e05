"""The installed package: stubs for every attribute, the command on the PATH."""

import ast
import importlib.metadata
import inspect
import json
import keyword
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

import sinew
import sinew._extra
from sinew import _core, mujoco

FOLDER = pathlib.Path(sinew.__file__).parent
ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs"


def classes(stub):
    """Names of the attributes of each class in a stub."""
    tree = ast.parse((FOLDER / stub).read_text())
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = {
                getattr(x, "name", None) or getattr(x, "target", None) or x.targets[0]
                for x in node.body
                if isinstance(x, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign)
            }
            found[node.name] = {getattr(x, "id", x) for x in found[node.name]}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            functions |= {alias.asname for alias in node.names if alias.asname}
    return found, functions


def test_stubs_hold_everything():
    found, functions = classes("_core.pyi")
    later = {"surfacevel", "adhesion"}  # which 3.3.7's interface takes away from contacts
    for name, cls in inspect.getmembers(_core, inspect.isclass):
        members = {n for n in vars(cls) if not n.startswith("_") and not keyword.iskeyword(n)}
        if not issubclass(cls, Exception):
            told = {n for n in found[name] if not n.startswith("_")}
            assert members == (told - later if "Contact" in name else told), name
    assert functions == {n for n, f in inspect.getmembers(_core, inspect.isbuiltin)}
    enums, _ = classes("_enums.pyi")
    for name, items in enums.items():
        members = {m for m in getattr(sinew, name).__members__ if m.isidentifier()}
        assert members == items, name
    peer, functions = classes("mujoco/__init__.pyi")
    for name in mujoco.__all__:
        value = getattr(mujoco, name)
        if inspect.isclass(value) and hasattr(value, "__members__"):
            assert {m for m in value.__members__ if m.isidentifier()} == peer[name], name
        elif inspect.isclass(value) or inspect.isroutine(value):
            assert name in functions or name == "mj_makeM", name
    package = (FOLDER / "__init__.pyi").read_text()
    assert all(f" as {name}\n" in package for name in sinew.__all__)
    assert (FOLDER / "py.typed").exists()


def test_attributes_are_documented():
    for name, _, _, _, _, meaning in _core.tables()["data"]:
        assert getattr(_core.Data, name).__doc__ == meaning
    assert "(nv)" in sinew.mulM.__doc__ and sinew.step.__doc__


def test_public_names_exist():
    for name in sinew.__all__:
        assert hasattr(sinew, name), name
    assert {"step", "forward", "jac", "Model", "Data", "JointType"} <= set(sinew.__all__)


def test_version():
    assert sinew.__version__ == importlib.metadata.version("sinew-sim")


def test_command_is_on_the_path():
    command = shutil.which("sinew", path=str(pathlib.Path(sys.executable).parent))
    assert command, "pip install puts the command beside python"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert sinew.__version__ in done.stdout


def test_the_manual_describes_every_sensor():
    page = (MANUAL / "sensors.md").read_text()
    rows = {}
    for line in filter(re.compile(r"\| `").match, page.splitlines()):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows = {
            word: cells for word in re.findall(r"`(\w+)`", cells[0])
        } | rows  # the first row of each
    for _, word, attached, dim, _, stage in _core.tables()["sensors"]:
        assert f"`{word}`" in page, word
        if attached not in ("LATER", "CONTACT", "ANYTHING"):
            assert rows[word][2].split(",")[0] == str(dim), word
            assert rows[word][5] == stage.lower(), word


def test_nothing_names_a_package_that_is_not_ours():
    """An index of packages has no Sinew of ours: who installs one by its name runs a stranger's code."""
    root = MANUAL.parent
    named = re.compile(r"sinew(-sim)?\[|pip install\b[^\n`]*\bsinew(-sim)?\b(?![/.])")
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    )
    found = []
    for name in filter(None, tracked.stdout.split("\0")):
        path = root / name
        if path.suffix not in {".py", ".md", ".c", ".h", ".toml", ".pyi"} or not path.is_file():
            continue
        if path.name == "test_package.py":
            continue
        found += [(name, line) for line in path.read_text().splitlines() if named.search(line)]
    assert not found


@pytest.mark.parametrize("noted", [None, '{"url": "file:///nowhere"}', "{}", "no JSON", "folder"])
def test_how_an_extra_is_installed(noted, tmp_path, monkeypatch):
    """The folder that the package came from is named while it is there."""
    (tmp_path / "pyproject.toml").touch()
    text = json.dumps({"url": tmp_path.as_uri()}) if noted == "folder" else noted
    noted_by = type("Distribution", (), {"read_text": lambda self, name: text})
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: noted_by())
    folder = tmp_path if noted == "folder" else "that has Sinew's sources"
    said = sinew._extra.install("view")
    assert said == f"{sys.executable} -m pip install '.[view]' in the folder {folder}"


def imported(folder):
    """First names of what the modules in `folder` import when they are imported."""
    for path in folder.glob("mujoco_*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield node.module.partition(".")[0]


def test_the_extra_gymnasium_has_what_its_environments_import():
    """README.md names it for `import sinew.as_mujoco` with `gymnasium.make("Humanoid-v5")`."""
    envs = pytest.importorskip("gymnasium.envs")
    folder = pathlib.Path(envs.__file__).parent / "mujoco"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    named = {re.match(r"[\w-]+", need)[0] for need in extras["gymnasium"]}
    ours = {"mujoco", "numpy", *sys.stdlib_module_names}
    assert {"glfw", "imageio"} <= set(imported(folder)) - ours <= named
