"""The peer's own tests of its Python package, of both releases, run on Sinew with that release's interface: all pass but those
that are named. A slice of them in each run of the tests, all in the long tests.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import newest

FOLDERS = {
    "3.3.7": pathlib.Path(importlib.util.find_spec("mujoco").origin).parent,
    "4.0": newest.FOLDER / "mujoco",
}
# What is run each time.
QUICK = {("4.0", name) for name in ("batch", "bindings", "minimize", "specs", "vfs")}

PLUGINS = "plugins are refused"
NODES = "flexes with dofs of their own nodes are refused"
VIEWS = "elements have no such member yet"
MEMORY = "of the peer's memory"
TEXTS = "texts are Sinew's own"
IN_C = "functions of C would read the peer's structs"
INSIDE = "looks at files of the peer's own package"
NO_ADDRESS = "there is no `_address`: structs are laid out otherwise"
FAIL = {
    "3.3.7": {
        "bindings": {
            "test_addresses_differ_between_structs": NO_ADDRESS,
            "test_copy_mjdata_with_plugin": PLUGINS,
            "test_deepcopy_mjdata_with_plugin": PLUGINS,
            "test_docstrings": TEXTS,
            "test_load_plugin": PLUGINS,
            "test_mj_step_multiple": TEXTS,
            "test_realloc_con_efc": MEMORY,
        },
        "memory_leak": {},
        "minimize": {},
        "msh2obj": {},
        "render": {},
        "renderer": {},
        "rollout": {},
        "specs": {
            "test_address": NO_ADDRESS,
            "test_delete_unused_plugin": PLUGINS,
            "test_kwarg": PLUGINS,
            "test_plugin": PLUGINS,
        },
        "viewer": {},
    },
    "4.0": {
        "batch": {
            "test_callbacks_checked_on_construction": IN_C,
            "test_python_callbacks_rejected": IN_C,
        },
        "bindings": {
            "test_addresses_differ_between_structs": NO_ADDRESS,
            "test_deepcopy_mjdata_with_plugin": NO_ADDRESS,
            "test_docstrings": TEXTS,
            "test_mj_step_multiple": TEXTS,
            "test_realloc_con_efc": MEMORY,
            "test_realloc_con_efc_failure_clears_counts": MEMORY,
            "test_realloc_island": MEMORY,
            "test_realloc_island_keeps_dual_and_metric_arrays": MEMORY,
            "test_set_mju_user_malloc_and_free_reset": MEMORY,
            "test_texture_size": "addresses are copies, of another type than Sinew's",
            "test_unallocated_arena_arrays_are_filled": MEMORY,
        },
        "gil": {},
        "memory_leak": {},
        "minimize": {},
        "msh2obj": {},
        "render": {
            "test_disabled_mujoco_gl_leaves_gl_context_undefined": INSIDE,
            "test_missing_backend_defers_import_error_until_instantiation": INSIDE,
        },
        "renderer": {},
        "rollout": {},
        "specs": {
            "test_address": NO_ADDRESS,
            "test_decoder_errors": "there are no decoders: the error says what is wrong with the file",
            "test_kwarg": TEXTS,
            "test_make_flex_grid": NODES,
            "test_plugin": TEXTS,
        },
        "thread_safety": {},
        "vfs": {},
        "viewer": {},
    },
}
CASES = [(release, name) for release, files in FAIL.items() for name in files]


def failures(release, files, folder, **variables):
    """The names of those that fail of test files, or a folder of them, that were copied into a folder."""
    env = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHONPATH", "SINEW"))
    }
    done = subprocess.run(
        [
            sys.executable, "-m", "sinew.run", "--mujoco", release, "-m", "pytest", "-q", "-p", "no:cacheprovider",
            files, "--junitxml=result.xml",
        ],
        cwd=folder, env=env | {"MUJOCO_GL": "egl"} | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (folder / "result.xml").exists(), done.stdout + done.stderr
    cases = list(xml.etree.ElementTree.parse(folder / "result.xml").iter("testcase"))
    assert cases, done.stdout
    bad = (
        case.get("name")
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    )
    return set(bad), done.stdout[-3000:]


@pytest.mark.parametrize(("release", "name"), CASES)
def test_of_the_peer(release, name, tmp_path):
    if (release, name) not in QUICK and not os.environ.get("SINEW_LONG"):
        pytest.skip("SINEW_LONG asks for all of the peer's own tests")
    text = (FOLDERS[release] / f"{name}_test.py").read_text()
    # its data stand in the peer's package, not in what is imported by that name
    text = text.replace('epath.resource_path("mujoco")', f'epath.Path("{FOLDERS[release]}")')
    (tmp_path / f"{name}_test.py").write_text(text)
    bad, told = failures(release, f"{name}_test.py", tmp_path)
    assert bad == set(FAIL[release][name]), told
