"""Every function, enumerator, macro, variable and member of MuJoCo 3.3.7's headers is in ours, the same, or known to be absent."""

import re

import pytest
from mujoco.introspect import ast_nodes, enums, functions, structs

import c_absent
from c_compile import HEADERS, PEER, compile_with, errors_of, run

THEIRS = PEER / "include/mujoco"
OWN_HEADERS = {"mjabsent.h", "mjelement.h", "mjmath.h"}
ABSENT = set(re.findall(r"X\((mj\w+)[,)]", (HEADERS / "mjabsent.h").read_text()))
PRESENT = [f for name, f in functions.FUNCTIONS.items() if name not in {*ABSENT, *c_absent.TYPES}]
# what Python's list of functions leaves out
VARIADIC = {"mju_error", "mju_warning"}
INCLUDE = "#include <mujoco/mujoco.h>\n"


def their_headers():
    """MuJoCo's own, without those of its plugin for USD."""
    return [p for p in THEIRS.glob("*.h") if p.name.startswith(("mj", "mujoco"))]


def test_headers():
    ours = {path.name for path in HEADERS.glob("*.h")}
    theirs = {path.name for path in their_headers()}
    assert ours - OWN_HEADERS == theirs - set(c_absent.HEADERS)


def pointer(function):
    """A pointer to a function of the peer's type that is set to ours."""
    types = ", ".join(p.type.decl("") for p in function.parameters) or "void"
    types += ", ..." if function.name in VARIADIC else ""
    result = function.return_type.decl("")
    return f"{result} (*p_{function.name})({types}) = {function.name};\n"


def test_functions_have_the_same_types(tmp_path):
    """In C++, which lets no type stand for another; linked, as the library must have them."""
    assert set(functions.FUNCTIONS) >= ABSENT
    source = tmp_path / "functions.cc"
    source.write_text(INCLUDE + "".join(map(pointer, PRESENT)) + "int main() { return 0; }\n")
    for library in ("ours", "peer"):
        compile_with(library, source, tmp_path / library)
        run([tmp_path / library])


def test_absent_functions_are_refused(tmp_path):
    source = tmp_path / "absent.cc"
    uses = "".join(f"void u_{name}() {{ {name}(); }}\n" for name in sorted(ABSENT))
    source.write_text(INCLUDE + uses)
    said = errors_of(source, "-fmax-errors=0")
    refused = set(
        re.findall(r"error: .\w+ (mj\w+)\(\.\.\.\). is unavailable: not in Sinew: \w", said)
    )
    assert refused == ABSENT


def test_in_c_they_are_refused_too(tmp_path):
    source = tmp_path / "absent.c"
    source.write_text(INCLUDE + "void f(void) { mjr_finish(); mj_copyBack(0, 0); }\n")
    said = errors_of(source)
    assert "mjr_finish" in said and "not in Sinew: drawing" in said
    assert "change the spec" in said


def test_enumerators(tmp_path):
    assert set(c_absent.ENUMS) < set(enums.ENUMS)
    lines = [INCLUDE]
    for name, enum in enums.ENUMS.items():
        if name in c_absent.ENUMS:
            continue
        lines += [
            f'static_assert({member} == {value}, "");\n' for member, value in enum.values.items()
        ]
        lines.append(f"{name} v_{name} = {next(iter(enum.values))};\n")
    source = tmp_path / "enums.cc"
    source.write_text("".join(lines) + "int main() { return 0; }\n")
    compile_with("ours", source, tmp_path / "enums")


def macros():
    """Macros of the peer's headers: name, and its value, None where it has arguments."""
    for path in their_headers():
        if path.name == "mjxmacro.h":
            continue
        found = re.findall(
            r"^ *#define +(mj\w+)(\([^)]*\))?[ \t]*(\S*)", path.read_text(), re.MULTILINE
        )
        for name, arguments, value in found:
            if not name.startswith(tuple(c_absent.MACROS)):
                yield name, None if arguments or not value or value.endswith("f") else value


def test_macros(tmp_path):
    lines = [INCLUDE]
    for name, value in macros():
        lines.append(f"#ifndef {name}\n#error {name}\n#endif\n")
        number = value and re.fullmatch(r"[\d.]+(E[+-]?\d+)?", value)
        lines += [f'static_assert({name} == {value}, "");\n'] if number else []
    assert sum("assert" in line for line in lines) == 27
    lines.append("int main() { return mju_abs(-1.0) == mju_log(mju_exp(1.0)) ? 0 : 1; }\n")
    source = tmp_path / "macros.cc"
    source.write_text("".join(lines))
    compile_with("ours", source, tmp_path / "macros")
    run([tmp_path / "macros"])


def test_macros_of_a_model(tmp_path):
    source = tmp_path / "macros.c"
    source.write_text(
        INCLUDE
        + """int main(void)
{
    mjModel model = {0}, *m = &model;
    int group[] = {3};
    m->actuator_group = group;
    m->opt.disableflags = mjDSBL_CONTACT, m->opt.enableflags = mjENBL_ENERGY, m->opt.disableactuator = 8;
    return !(mjDISABLED(mjDSBL_CONTACT) && !mjDISABLED(mjDSBL_LIMIT) && mjENABLED(mjENBL_ENERGY) &&
             !mjENABLED(mjENBL_FWDINV) && mjACTUATORDISABLED(0) && mjMAX(1, 2) == 2 && mjMIN(1, 2) == 1 &&
             mjMAX(2, 1) == 2);
}
"""
    )
    compile_with("ours", source, tmp_path / "macros", "-pedantic-errors")
    run([tmp_path / "macros"])


def members(struct, fields, before=""):
    """Members that must be there, as (path, declaration of its type); structs without a name are walked, too."""
    for field in fields:
        if isinstance(field, ast_nodes.AnonymousUnionDecl):
            yield from members(struct, field.fields, before)
        elif isinstance(field.type, ast_nodes.AnonymousStructDecl):
            yield from members(struct, field.type.fields, f"{before}{field.name}.")
        elif not c_absent.is_absent(struct, field.name):
            yield before + field.name, field.type.decl("")


def present_structs():
    for name, struct in structs.STRUCTS.items():
        if name not in c_absent.STRUCTS:
            yield name, struct


def test_members_have_the_same_types(tmp_path):
    lines = [INCLUDE, "#include <type_traits>\n"]
    for name, struct in present_structs():
        lines.append(f"{name}* s_{name};\n")
        for path, type_ in members(name, struct.fields):
            same = f"std::is_same<decltype(s_{name}->{path}), {type_}>::value"
            lines.append(f'static_assert({same}, "{path}");\n')
    assert len(lines) > 800
    source = tmp_path / "members.cc"
    source.write_text("".join(lines) + "int main() { return 0; }\n")
    for library in ("peer", "ours"):
        compile_with(library, source, tmp_path / library)


def test_absent_members_are_refused(tmp_path):
    """Each of them, so that no list says more than is so."""
    lines, wanted = [INCLUDE], set()
    for name, struct in present_structs():
        for field in struct.fields:
            member = getattr(field, "name", "")
            reason = c_absent.MEMBERS.get(name, {}).get(member)
            if not c_absent.is_absent(name, member) or reason in (
                c_absent.BY_ISLAND,
                c_absent.MORE,
                c_absent.OWN_LIST,
            ):
                continue
            wanted.add(member)
            lines.append(f"const void* u_{name}_{member}({name}* s) {{ return &s->{member}; }}\n")
    source = tmp_path / "absent.cc"
    source.write_text("".join(lines))
    said = errors_of(source, "-fmax-errors=0")
    refused = re.findall(
        r"error: .*(?:no member named .(\w+)|::(\w+). is unavailable: not in Sinew: laid out)", said
    )
    assert {a or b for a, b in refused} == wanted


@pytest.mark.parametrize("name", sorted(c_absent.VARIABLES))
def test_absent_variables(name):
    assert not any(re.search(rf"\b{name}\b", path.read_text()) for path in HEADERS.glob("*.h"))


def test_variables(tmp_path):
    """Strings, printed by a program of each library; pointers that are set."""
    source = tmp_path / "variables.c"
    text = (THEIRS / "mujoco.h").read_text()
    found = re.findall(r"MJAPI extern (?:const char\*|mjf\w+|void\*?) +\(?\*?(\w+)", text)
    found = [name for name in found if name not in c_absent.VARIABLES]
    assert len(found) == 19
    strings = [name for name in found if name.endswith("STRING")]
    lines = [INCLUDE, "#include <stdio.h>\nint main(void)\n{\n"]
    lines += [f"    if ({name}) return 1;\n" for name in found if name not in strings]
    lines += [
        f"    for (size_t i = 0; i < sizeof {name} / sizeof(char*); i++) puts(((const char**){name})[i]);\n"
        for name in strings
    ]
    source.write_text("".join(lines) + "    return 0;\n}\n")
    printed = {}
    for library in ("ours", "peer"):
        compile_with(library, source, tmp_path / library)
        printed[library] = run([tmp_path / library])
    assert printed["ours"] == printed["peer"] and printed["ours"].count("\n") > 150


STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{HEADERS.parent}"]


def test_each_header_stands_alone(tmp_path):
    source = tmp_path / "one.c"
    for path in sorted(HEADERS.glob("*.h")):
        source.write_text(
            f"#include <mujoco/{path.name}>\n#include <mujoco/{path.name}>\nint one;\n"
        )
        run(["cc", "-std=c11", "-Wstrict-prototypes", *STRICT, source])


@pytest.mark.parametrize("standard", ["c99", "c17", "c++11", "c++20"])
def test_standards(tmp_path, standard):
    source = tmp_path / "one.c"
    source.write_text(INCLUDE + "int one;\n")
    language = "c++" if "+" in standard else "c"
    run(["cc", "-x", language, f"-std={standard}", *STRICT, source])


def test_strict_programs_see_no_warning(tmp_path):
    """Of those that treat our headers as their own."""
    warnings = ["-Wshadow", "-Wconversion", "-Wcast-qual", "-Wundef", "-Wdouble-promotion"]
    source = tmp_path / "one.c"
    source.write_text(INCLUDE + "int one;\n")
    run(["cc", "-std=c11", "-Wc++-compat", *warnings, *STRICT, source])
    plus = ["-Wold-style-cast", "-Wuseless-cast", "-Wzero-as-null-pointer-constant", "-Wextra-semi"]
    run(["g++", "-x", "c++", "-std=c++17", *plus, *warnings, *STRICT, source])


@pytest.mark.parametrize("language", ["c", "c++"])
def test_compilers_without_marks(tmp_path, language):
    """They know none of the absent names, and members under others."""
    source = tmp_path / "one.c"
    source.write_text("#undef __has_attribute\n" + INCLUDE + "int one;\n")
    command = ["cc", "-x", language, "-w", f"-I{HEADERS.parent}", "-fsyntax-only", source]
    run(command)
    source.write_text(source.read_text() + "double f(mjData* d) { return d->efc_J[0]; }\n")
    assert "no member named" in run(command, code=1)


def test_programs_may_declare_the_structs_themselves(tmp_path):
    """By the peer's tags, before they include the header."""
    source = tmp_path / "tags.cc"
    source.write_text(
        "struct mjModel_;\ntypedef struct mjModel_ mjModel;\nstruct mjData_;\ntypedef struct mjData_ mjData;\n"
        "double f(const mjModel* m, mjData* d);\n"
        + INCLUDE
        + "double f(const mjModel*, mjData* d) { return d->time; }\n"
        "int main() { return 0; }\n"
    )
    compile_with("ours", source, tmp_path / "tags")
