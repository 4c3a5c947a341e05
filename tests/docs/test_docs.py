"""All code in README.md and docs/ runs as it stands.

A page is followed from top to bottom, in a folder that has what its reader has: examples/, humanoid.xml, and as
robot.urdf the robot of docs/urdf.md. Sinew is installed below ~/sinew, and the shell knows what README.md tells it.

| block | what is done with it |
| --- | --- |
| python | run, in one namespace a page; a warning is an error |
| c | a program: compiled without a warning, linked with the library, run |
| sh | run, stopping at the first command that fails; exports hold for the rest of the page. `sinew view` ends when it has begun |
| xml | a model file: saved under the model's name, loaded without a warning |
| cmake | saved as CMakeLists.txt |
| text, or no tag | not code; right after code it is what that prints |

Python that imports sinew.torch or sinew.jax is run by `./dev test-long` alone, which installs what they need.
"""

import contextlib
import doctest
import io
import os
import pathlib
import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree

import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release"))
CLIENTS = os.environ.get("SINEW_CLIENTS", str(ROOT / ".venv/clients/bin/python"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXTRA = re.compile(r"^import sinew\.(torch|jax)$", re.MULTILINE)
LONG = bool(os.environ.get("SINEW_LONG"))
COMMAND = re.compile(r"^(\$ )?(sinew|python3?|pip|cc|cmake|import|from|#include) ", re.MULTILINE)
# a viewer goes on until somebody ends it
VIEWS = f"""sinew() {{
    if [ "$1" = view ]; then python3 '{ROOT / "tests/docs/begun_and_ended.py"}' sinew "$@"; else command sinew "$@"; fi
}}"""
WARNINGS = "-std=gnu17 -Wall -Wextra -Wshadow -Wpedantic -Werror"


class Page:
    """A page in a folder, and what its code has done so far."""

    def __init__(self, path, folder, environment):
        self.path, self.folder, self.environment = path, folder, dict(environment)
        self.names = {"__name__": "__main__"}

    def blocks(self):
        """Tag, text, line of the first line of the text, whether only the fence of another block is above."""
        text, end = self.path.read_text(), -1
        fences = len(re.findall(r"^ *(?:```|~~~)", text, re.MULTILINE))
        assert fences == 2 * len(FENCE.findall(text)), f"{self.path.name}: a fence of another form"
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start(2)) + 1
            yield match[1], match[2], line, end >= 0 and not text[end : match.start()].strip()
            end = match.end()

    def follow(self):
        """Run everything; outputs of what was run are compared where the page shows them."""
        printed = ""
        for tag, text, line, adjacent in self.blocks():
            place = f"{self.path.name}:{line}"
            if tag in ("", "text"):
                assert not COMMAND.search(text), f"{place}: code without a tag"
                wrong = adjacent and printed is not None and text.rstrip() != printed.rstrip()
                assert not wrong, f"{place}: prints\n{printed}"
            else:
                assert tag in ("python", "c", "sh", "xml", "cmake"), f"{place}: what is {tag!r}?"
                printed = getattr(self, tag)(text, line)

    def python(self, text, line):
        """Run it; lines of a traceback are those of the page. None: not run."""
        if EXTRA.search(text) and not LONG:
            return None
        if "sinew.as_mujoco" in text:
            return self.client(text, line)
        code = compile("\n" * (line - 1) + text, str(self.path), "exec")
        with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(code, self.names)
        return out.getvalue()

    def client(self, text, line):
        """Run it in a process of its own, in the environment of programs that want MuJoCo."""
        done = subprocess.run(
            [CLIENTS, "-c", text], capture_output=True, text=True, cwd=self.folder
        )
        assert done.returncode == 0, f"{self.path.name}:{line}\n{done.stderr}"
        return done.stdout

    def sh(self, text, line):
        """Run it, and keep what it exports."""
        script = f"set -eu\n{VIEWS}\n{text}\nenv -0 >.environment\n"
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        place = f"{self.path.name}:{line}"
        assert done.returncode == 0, f"{place}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        saved = (self.folder / ".environment").read_text().split("\0")
        self.environment = dict(entry.split("=", 1) for entry in saved if entry)
        return done.stdout

    def c(self, text, line):
        """Compile, link and run it."""
        name = f"{self.path.stem}_{line}"
        (self.folder / f"{name}.c").write_text(text)
        package = "sinew-mujoco" if "<mujoco/" in text else "sinew"
        flags = f"$(pkg-config --cflags --libs {package}) -lm"
        return self.sh(f"cc {WARNINGS} {name}.c -o {name} {flags}\n./{name}", line)

    def cmake(self, text, line):
        """Save it for the commands that follow."""
        (self.folder / "CMakeLists.txt").write_text(text)
        return ""

    def xml(self, text, line):
        """Save it, and load it."""
        root = xml.etree.ElementTree.fromstring(text)
        robot = root.tag == "robot"
        name = root.get("name" if robot else "model", "model") + (".urdf" if robot else ".xml")
        path = self.folder / name
        path.write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sinew.Model.from_path(path)
        return ""


def robot():
    """The robot of docs/urdf.md."""
    page = Page(ROOT / "docs/urdf.md", None, {})
    return next(text for tag, text, *_ in page.blocks() if tag == "xml")


def furnish(folder):
    """A folder with what a reader has."""
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "humanoid.xml").symlink_to(ROOT / "examples/models/humanoid.xml")
    (folder / "robot.urdf").write_text(robot())
    return folder


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """What the shell knows after README.md, with Sinew installed below ~/sinew."""
    home = tmp_path_factory.mktemp("home")
    install = ["cmake", "--install", BUILD, "--prefix", home / "sinew"]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
    own = ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH")
    start = {name: value for name, value in os.environ.items() if name not in own}
    start |= {
        "HOME": str(home),
        "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    page = Page(PAGES[0], furnish(tmp_path_factory.mktemp("readme")), start)
    for tag, text, line, _ in page.blocks():
        if tag == "sh":
            page.sh(text, line)
    return page.environment


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page(path, tmp_path, monkeypatch, environment):
    monkeypatch.chdir(furnish(tmp_path))
    monkeypatch.setattr(sys, "argv", [path.name])
    Page(path, tmp_path, environment).follow()


def test_help(tmp_path, monkeypatch):
    """The samples in what help(sinew) and help(sinew.mujoco) show."""
    monkeypatch.chdir(furnish(tmp_path))
    for module in (sinew, sinew.mujoco):
        assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    "text, fault",
    [
        ("```python\nimport sinew\nsinew.Model.from_path('none.xml')\n```\n", FileNotFoundError),
        ("```python\nassert False\n```\n", AssertionError),
        ("```sh\nfalse | cat\nfalse\ntrue\n```\n", AssertionError),
        ("```c\nint main(void) { int unused; return 0; }\n```\n", AssertionError),
        ("```c\nint main(void) { return 1; }\n```\n", AssertionError),
        ("```xml\n<mujoco><nobody/></mujoco>\n```\n", sinew.ModelError),
        ("```\nsinew inspect\n```\n", AssertionError),
        ("```python\nprint(1)\n```\n\n```\n2\n```\n", AssertionError),
        ("```lua\nprint(1)\n```\n", AssertionError),
        ("``` python\nassert False\n```\n", AssertionError),
        ("- a\n  ```python\n  assert False\n  ```\n", AssertionError),
    ],
)
def test_a_fault_shows(text, fault, tmp_path, monkeypatch, environment):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(fault):
        Page(page, tmp_path, environment).follow()
