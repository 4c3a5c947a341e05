"""The interface as data: the same classes as the peer's, made from our own tables."""

import inspect

import numpy as np
import pytest
from mujoco.introspect import ast_nodes as peer_nodes
from mujoco.introspect import functions as peer_functions
from mujoco.introspect import structs as peer_structs
from mujoco.introspect import type_parsing as peer_parsing

from sinew import mujoco
from sinew.mujoco.introspect import ast_nodes, enums, functions, mjxmacro, structs, type_parsing

TYPES = [
    "int", "unsigned long int", "const int*", "mjtNum[3]", "mjtNum[3][4]", "const mjtNum *const *", "mjtNum (*)[3]",
    "int (*(*)[4])[5]", "char *restrict", "volatile int *", "const char (*)[3]", "struct mjData_ *", "void *(*)(void *)",
]  # fmt: skip


@pytest.mark.parametrize("text", TYPES)
def test_types_are_read_and_written_as_at_the_peer(text):
    ours, theirs = type_parsing.parse_type(text), peer_parsing.parse_type(text)
    assert repr(ours) == repr(theirs)
    assert ours.decl("x") == theirs.decl("x") and str(ours) == str(theirs)
    assert type_parsing.parse_type(str(ours)) == ours


@pytest.mark.parametrize("name", ["4x", "int int", "auto", "short long", "char double", "", "int*"])
def test_names_that_are_no_types_are_refused(name):
    for module in (ast_nodes, peer_nodes):
        with pytest.raises(ValueError):
            module.ValueType(name)


@pytest.mark.parametrize("text", ["int[", "int (*", "int)", "int[x]", "int * 5"])
def test_text_that_is_no_type_is_refused(text):
    with pytest.raises(ValueError):
        type_parsing.parse_type(text)


def test_nodes_have_the_fields_of_the_peer():
    for name, theirs in inspect.getmembers(peer_nodes, inspect.isclass):
        if theirs.__module__ != peer_nodes.__name__ or name.startswith("_"):
            continue
        ours = getattr(ast_nodes, name)
        assert list(ours.__dataclass_fields__) == list(theirs.__dataclass_fields__), name
        public = {n for n in dir(theirs) if not n.startswith("_")}
        assert public <= set(dir(ours)), name


def test_enumerations_are_those_of_the_module():
    assert enums.ENUMS["mjtObj"].values["mjOBJ_GEOM"] == int(mujoco.mjtObj.mjOBJ_GEOM)
    for name, declaration in enums.ENUMS.items():
        assert declaration.declname == f"enum {name}_"
        for member, value in declaration.values.items():
            assert int(getattr(mujoco, name)[member]) == value


def test_structs_agree_with_the_peer():
    for name in ("mjOption", "mjVisual", "mjStatistic", "mjWarningStat", "mjTimerStat"):
        theirs = {f.name: str(f) for f in peer_structs.STRUCTS[name].fields}
        ours = {f.name: str(f) for f in structs.STRUCTS[name].fields}
        assert ours.items() >= theirs.items(), name
    theirs = {f.name: str(f) for f in peer_structs.STRUCTS["mjModel"].fields}
    shared = [f for f in structs.STRUCTS["mjModel"].fields if f.name in theirs]
    assert len(shared) > 250
    assert {f.name: str(f) for f in shared} == {f.name: theirs[f.name] for f in shared}


@pytest.mark.parametrize("struct, make", [("mjModel", None), ("mjData", mujoco.MjData)])
def test_every_field_can_be_read(struct, make):
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    )
    holder = make(model) if make else model
    for field in structs.STRUCTS[struct].fields:
        value = getattr(holder, field.name)
        if field.array_extent and all(
            isinstance(e, int) or hasattr(model, e) for e in field.array_extent
        ):
            if isinstance(value, np.ndarray):
                shape = [e if isinstance(e, int) else getattr(model, e) for e in field.array_extent]
                assert value.size == np.prod(shape), field.name


def test_functions_have_the_parameters_of_the_peer():
    ours, theirs = functions.FUNCTIONS, peer_functions.FUNCTIONS
    assert len(ours) > 180
    added = {"mj_step"}  # nstep
    different = {"mj_printSchema", "mj_saveLastXML", "mj_saveModel", "mj_loadAllPluginLibraries"}
    for name in ours.keys() & theirs.keys() - different:
        # lengths and buffers of C's are not in Python
        public = [p.name for p in theirs[name].parameters]
        names = [p.name for p in ours[name].parameters]
        assert set(names) <= set(public) or name in added, (name, names)
        assert ours[name].doc
    assert str(ours["mju_rotVecQuat"]) == str(theirs["mju_rotVecQuat"])
    assert str(ours["mj_id2name"]) == str(theirs["mj_id2name"])


def test_shapes_of_the_macros():
    assert mjxmacro.MJMODEL["body_pos"] == ("nbody", "3")
    assert mjxmacro.MJDATA["qpos"] == ("nq", "1")
