"""Writes the type stubs whose contents stand in the tables inside the extension.

_core.pyi has the extension, _enums.pyi the enumerations, __init__.pyi the package, mujoco/__init__.pyi the
peer's names. Usage: stubs.py EXTENSION FOLDER. The build calls this; NumPy is not needed.
"""

import ast
import importlib.util
import pathlib
import runpy
import sys

# Formats of the members of structs.
MEMBERS = {
    "d": "double",
    "f": "float",
    "i": "int",
    "B": "uint8_t",
    "b": "int8_t",
    "p": "uint64_t",
    "s": "char",
}
ARRAYS = {
    "double": "NDArray[np.float64]",
    "float": "NDArray[np.float32]",
    "int": "NDArray[np.int32]",
    "uint8_t": "NDArray[np.uint8]",
    "int8_t": "NDArray[np.int8]",
    "uint64_t": "NDArray[np.uint64]",
    "snContact": "NDArray[np.uint8]",
}
SCALARS = {"double": "float", "float": "float", "int": "int", "bool": "bool", "size_t": "int"}
SCALARS |= {"uint8_t": "int", "int8_t": "int", "uint64_t": "int"}

MADE = "# Made by python/stubs.py from the tables of the library. Do not edit."
HEAD = """from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
__cpu__: str
_M = TypeVar("_M", bound="Model")
_D = TypeVar("_D", bound="Data")
_C = TypeVar("_C", bound="Controller")
_T = TypeVar("_T", bound="ControlTask")
_P = TypeVar("_P", bound="ControlContact")
_B = TypeVar("_B", bound="Batch")

class ModelError(ValueError):
    file: str
    line: int
    status: int

class NotSupportedError(ModelError, NotImplementedError): ...
class ShapeError(TypeError, ValueError): ...
class IntegerError(TypeError, OverflowError): ...
class SimulationWarning(RuntimeWarning): ...

def tables() -> dict[str, Any]: ...
def use_numpy() -> None: ...
def peerFunction(ours: str, theirs: str, /) -> Any: ...
def loadModel(cls: type[_M], path: Any, strict: bool, anywhere: bool, folders: tuple[bytes, ...], give: str, physics: str | None, within: bytes = ..., /) -> _M: ...
def loadModelText(cls: type[_M], text: str | bytes, assets: dict[str, Any] | None = None, strict: bool = False, anywhere: bool = False, physics: str | None = None, /) -> _M: ...
def copyModel(cls: type[_M], model: Model, /) -> _M: ...
def compareModel(a: Model, b: Model, /) -> int: ...
def embedAssets(cls: type[_M], model: Model, /) -> _M: ...
def loadTexture(model: Model, id: int, /) -> tuple[bytes, int, int, int]: ...
def smallerTextures(texels: Any, width: int, height: int, channels: int, linear: bool, /) -> bytes: ...
def frameQuats(data: Data, object: int, out: NDArray[np.float64], /) -> None: ...
def specMake(silent: str | None = None, /) -> Any: ...
def specLoad(path: Any, assets: dict[str, Any] | None = None, folders: tuple[bytes, ...] = (), floating_base: bool = False, keep_fixed: bool = False, keep_visuals: bool = False, actuators: bool = False, strict: bool = False, anywhere: bool = False, give: str = ..., physics: str | None = ..., within: bytes = ..., /, *, silent: str | None = None) -> Any: ...
def specLoadText(text: str | bytes, assets: dict[str, Any] | None = None, strict: bool = False, anywhere: bool = False, physics: str | None = None, /, *, silent: str | None = None) -> Any: ...
def specCopy(spec: Any, /) -> Any: ...
def specAddAsset(spec: Any, name: str, data: Any, /) -> None: ...
def specRemoveAsset(spec: Any, name: str, /) -> None: ...
def specCompile(spec: Any, cls: type[_M], strict: bool = False, anywhere: bool = False, physics: str | None = None, /) -> _M: ...
def specRecompile(spec: Any, model: Model, data: Data, model_cls: type[_M], data_cls: type[_D], /) -> tuple[_M, _D]: ...
def specLend(spec: Any, files: dict[str, Any] | None, /) -> None: ...
def specTimes(spec: Any, /) -> bytes: ...
def registerPlugin(cls: type[Any], name: str, attributes: tuple[str, ...], nnumber: int, stage: int, can: int, /) -> None: ...
def loadPluginLibrary(path: Any, /) -> None: ...
def listPlugins() -> list[tuple[str, tuple[str, ...], int]]: ...
def specWrite(spec: Any, classes: bool = False, folder: Any = ..., /) -> str: ...
def specSignature(spec: Any, /) -> int: ...
def modelSignature(model: Model, /) -> int: ...
def specBlamed(spec: Any, /) -> Any: ...
def specSpreadKeys(spec: Any, /) -> None: ...
def specSave(spec: Any, path: Any, /) -> None: ...
def specRoot(spec: Any, /) -> Any: ...
def specSection(spec: Any, path: str, /) -> Any: ...
def specFind(spec: Any, objtype: int, name: str, /) -> Any: ...
def specAddLoop(spec: Any, name: str, type: str, site1: str, site2: str, keys: str, /) -> Any: ...
def specSetLoops(spec: Any, data: str | None, /) -> None: ...
def specSetServo(spec: Any, data: str | None, /) -> None: ...
def specSetPhysics(spec: Any, data: str | None, /) -> None: ...
def specSetNeedsdf(spec: Any, mesh: str, needed: bool, /) -> None: ...
def specNeedsdf(spec: Any, mesh: str, /) -> bool: ...
def specSetContact(spec: Any, model: str | None, settings: str, /) -> None: ...
def elementInfo(element: Any, /) -> tuple[str, int, int, Any, Any, Any]: ...
def elementClass(element: Any, /) -> str: ...
def elementAttributes(element: Any, /) -> list[tuple[str, str, int, int, str, str, str | None, int]]: ...
def elementChangeTag(element: Any, tag: str, /) -> None: ...
def elementMove(element: Any, parent: Any, /) -> None: ...
def specConflicts(spec: Any, /) -> str: ...
def specCopyBack(spec: Any, model: Any, /) -> None: ...
def specFuseStatic(spec: Any, /) -> int: ...
def specDiscardVisual(spec: Any, /) -> int: ...
def specDedupAssets(spec: Any, /) -> int: ...
def specExpand(spec: Any, /) -> None: ...
def elementAdoptInertial(body: Any, /) -> None: ...
def elementPlace(element: Any, before: Any, /) -> None: ...
def elementTarget(element: Any, attribute: str, /) -> Any: ...
def elementGiven(element: Any, attribute: str, /) -> bool: ...
def elementPath(tendon: Any, /) -> list[tuple[Any, int, Any, Any, float]]: ...
def elementAdd(parent: Any, tag: str, name: str | None, /) -> Any: ...
def elementRemove(element: Any, /) -> None: ...
def elementSetText(element: Any, attribute: str, text: str | None, /) -> None: ...
def elementSetNumbers(element: Any, attribute: str, numbers: Any, /) -> None: ...
def elementGetText(element: Any, attribute: str, /) -> str | None: ...
def elementGetNumbers(element: Any, attribute: str, /) -> bytes: ...
def elementAttach(parent: Any, child: Any, what: Any, prefix: str, suffix: str, /) -> Any: ...
def saveModel(model: Model, path: Any, /) -> None: ...
def packModel(model: Model, /) -> bytes: ...
def unpackModel(cls: type[_M], data: bytes, /) -> _M: ...
def copyData(cls: type[_D], model: Model, data: Data, /) -> _D: ...
def packData(data: Data, /) -> bytes: ...
def stageHashes(model: Model, data: Data, /) -> dict[str, int]: ...
def blockSize(room: int, /) -> int: ...
def writeState(memory: Any, parts: tuple[Any, ...], /) -> None: ...
def readState(memory: Any, seen: int, /) -> tuple[int, list[bytes]] | None: ...
def structBytes(struct: Any, /) -> NDArray[np.uint8]: ...
def quaternions(matrices: NDArray[np.float32], quats: NDArray[np.float32], rotations: NDArray[np.bool_], /) -> None: ...
def unpackData(cls: type[_D], model: Model, data: bytes, /) -> _D: ...
def unpackInto(data: Data, packed: bytes, /) -> None: ...
def makeBatch(cls: type[_B], model: Model, n: int, threads: int, width: int, single: bool, /) -> _B: ...
def batchArray(batch: Batch, name: str, /) -> Any: ...
def batchBind(batch: Batch, field: str, /) -> NDArray[Any]: ...
def batchParameter(batch: Batch, field: str, /) -> NDArray[np.float64]: ...
def batchNames(batch: Batch, /) -> list[str]: ...
def batchScalarFeatures(model: Model, /) -> str: ...
def batchHasModel(batch: Batch, /) -> bool: ...
def batchStep(batch: Batch, ids: NDArray[np.int32] | None, nstep: int, every: int, control_spec: int, control: NDArray[np.float64] | None, state: NDArray[np.float64] | None, sensordata: NDArray[np.float64] | None, fields: dict[str, NDArray[np.float64]] | None, /) -> int: ...
def batchCheck(batch: Batch, field: str, numbers: NDArray[np.float64] | None, /) -> None: ...
def batchForward(batch: Batch, ids: NDArray[np.int32] | None, /) -> int: ...
def batchSetConst(batch: Batch, ids: NDArray[np.int32] | None, /) -> int: ...
def batchReset(batch: Batch, ids: NDArray[np.int32] | None, keys: NDArray[np.int32] | None, /) -> int: ...
def batchGetData(batch: Batch, i: int, data: Data, parameters: bool, /) -> None: ...
def batchSetData(batch: Batch, i: int, data: Data, /) -> None: ...
def batchModel(cls: type[_M], batch: Batch, /) -> _M: ...
def eachPool(nthread: int, model: Model, /) -> Any: ...
def eachBytes(model: Model, name: str, of_model: bool, /) -> int | None: ...
def eachModel(model: Model, parameters: tuple[tuple[str, NDArray[Any]], ...], nsim: int, id: int, /) -> None: ...
def eachRun(pool: Any, operation: int, sizes: tuple[int, bool, bool], owners: tuple[tuple[Any, ...], tuple[Any, ...]], arrays: tuple[Any, Any, Any], ids: Any, pieces: Any, parameters: tuple[Any, ...], outputs: tuple[Any, ...], steps: tuple[int, int, bool, bool, bool] = ..., keys: Any = ..., control: Any = ..., parts: Any = ..., records: tuple[Any, ...] = ..., query: Any = ...) -> tuple[Any, Any]: ...
def setCallback(data: Data | None, name: str, function: Any, /) -> None: ...
def getCallback(data: Data | None, name: str, /) -> Any: ...
def setUserWarning(function: Any, /) -> None: ...
def getUserWarning() -> Any: ...
def solveLcp(problem: tuple, method: int, omega: float, sweeps: int, tolerance: float, symmetric: bool, conjugate: bool, fallback: bool, lambda_: NDArray[np.float64], w: NDArray[np.float64], /) -> tuple: ...
def lcpResidual(problem: tuple, lambda_: NDArray[np.float64], /) -> float: ...
def singularValues(m: int, n: int, A: NDArray[np.float64], tolerance: float, s: NDArray[np.float64], U: NDArray[np.float64], V: NDArray[np.float64], /) -> int: ...
def pseudoInverse(m: int, n: int, A: NDArray[np.float64], tolerance: float, damping: float, weight: NDArray[np.float64] | None, out: NDArray[np.float64], /) -> int: ...
def nullProjector(m: int, n: int, A: NDArray[np.float64], tolerance: float, out: NDArray[np.float64], /) -> int: ...
def nullBasis(m: int, n: int, A: NDArray[np.float64], tolerance: float, out: NDArray[np.float64], /) -> int: ...
def solvePriorities(n: int, tasks: tuple, form: int, tolerance: float, x: NDArray[np.float64], rank: NDArray[np.int32], /) -> None: ...
def makeQp(n: int, rows: int, /) -> Any: ...
def solveQp(qp: Any, n: int, rows: int, H: Any, g: Any, A: Any, lower: Any, upper: Any, xlower: Any, xupper: Any, iterations: int, tolerance: float, warmstart: bool, x: NDArray[np.float64], y: NDArray[np.float64], /) -> tuple: ...
def makeHqp(n: int, levels: int, rows: int, /) -> Any: ...
def solveHqp(hqp: Any, n: int, levels: tuple, W: Any, iterations: int, tolerance: float, rank_tolerance: float, warmstart: bool, weighted: bool, level_weight: float, x: NDArray[np.float64], state: NDArray[np.int8], slack: NDArray[np.float64], rank: NDArray[np.int32], violation: NDArray[np.float64], /) -> tuple: ...
def polynomial(degree: int, n: int, duration: float, times: int, pos0: Any, vel0: Any, acc0: Any, pos1: Any, vel1: Any, acc1: Any, t: Any, pos: Any, vel: Any, acc: Any, /) -> None: ...
def poseTrajectory(duration: float, screw: bool, times: int, pose0: Any, pose1: Any, t: Any, pose: Any, vel: Any, acc: Any, /) -> None: ...
def makeController(cls: type[_C], model: Model, settings: dict[str, Any], /) -> _C: ...
def addTask(controller: Controller, cls: type[_T], settings: dict[str, Any], name: str | None, dofs: Any, ndof: int, /) -> _T: ...
def addContact(controller: Controller, cls: type[_P], settings: dict[str, Any], name: str | None, /) -> _P: ...
def switchContact(contact: ControlContact, active: bool, /) -> None: ...
def isActive(contact: ControlContact, /) -> bool: ...
def contactMotion(contact: ControlContact, cls: type[_T], /) -> _T: ...
def holdTask(task: ControlTask, data: Data, /) -> None: ...
def solveController(controller: Controller, model: Model, data: Data, /) -> int: ...
def applyController(controller: Controller, data: Data, /) -> int: ...
def controllerResult(controller: Controller, /) -> tuple[int, int, int, int, int]: ...
def controllerRowText(controller: Controller, row: int, /) -> str: ...
def controlName(part: ControlTask | ControlContact, /) -> str: ...
def makeRoomForRows(data: Data, ncon: int, nefc: int, nJ: int, /) -> bool: ...
def appendContact(data: Data, contact: bytes, /) -> bool: ...
def coneHessians(data: Data, jar: ArrayLike, /) -> NDArray[np.float64]: ...
def swapScenes(a: Any, b: Any, /) -> None: ...
def makeScene(cls: type[_M], model: Any, maxgeom: int, /) -> Any: ...
def copyScene(scene: Any, /) -> Any: ...
def sceneArray(scene: Any, name: str, /) -> Any: ...
def setPeerTypes(model: type[Model], data: type[Data], option: type[MjOption], later: bool, /) -> list[type]: ...

class Rollout:
    def __new__(cls, *, nthread: int) -> Rollout: ...
    def rollout(self, model: Any, data: Any, nstep: int, control_spec: int, state0: ArrayLike, warmstart0: ArrayLike | None = None, control: ArrayLike | None = None, state: NDArray[np.float64] | None = None, sensordata: NDArray[np.float64] | None = None, chunk_size: int | None = None) -> None: ...
"""


def load(path):
    """The extension's tables, without the package around it."""
    spec = importlib.util.spec_from_file_location("sinew._core", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tables = module.tables()
    tables["peer"] = {
        name: {n: a.__doc__ for n, a in vars(getattr(module, name)).items() if n[0] != "_"}
        for name in ("PeerModel", "PeerData")
    }
    return tables


def attribute(name, annotation, meaning, settable=True, given="ArrayLike"):
    """A property with its meaning as docstring; `given` is what may be assigned."""
    doc = meaning.replace("\\", "\\\\").replace('"""', "'''")
    lines = ["    @property", f"    def {name}(self) -> {annotation}:", f'        """{doc}"""']
    if settable:
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {given}) -> None: ..."]
    return "\n".join(lines)


def array(name, kind, rows, columns, meaning):
    """An array of a field table."""
    if kind == "char":
        return attribute(name, "bytes", meaning, settable=False)
    shape = f"({rows},)" if columns == "1" else f"({rows}, {columns})"
    return attribute(name, ARRAYS[kind], f"{shape}: {meaning}", settable=kind != "snContact")


def element_classes(tables):
    """Classes of elements by name or id."""
    special = {"id": "int", "name": "str", "char": "str"}
    parts = []
    for _, name, _, rows in tables["elements"]:
        lines = [f"class {name}:"]
        for row, kind, meaning, settable in rows:
            annotation = special.get(kind) or ARRAYS[kind]
            lines.append(attribute(row, annotation, meaning, bool(settable)))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def element_methods(tables, holder):
    """Methods of a model or a data that find elements."""
    return [
        f"    def {method}(self, name: str | int = ...) -> {name}: ..."
        for table, name, methods, _ in tables["elements"]
        if table == holder
        for method in methods
    ]


def model_class(tables):
    """Class Model."""
    lines = ["class Model:"]
    lines += [attribute(name, "int", meaning, settable=False) for name, meaning in tables["sizes"]]
    for name, meaning in [("narena", "bytes of the arena"), ("nbuffer", "bytes of the arrays")]:
        lines.append(attribute(name, "int", meaning, settable=False))
    lines.append(
        attribute("physics", "str", "whose rules the model means, '3.3.7' or '4.0'", settable=False)
    )
    for name, kind in [("opt", "Option"), ("vis", "Visual"), ("stat", "Statistic")]:
        lines.append(attribute(name, kind, "", settable=False))
    lines += [array(*row[:4], row[5]) for row in tables["model"]]
    lines += element_methods(tables, "Model")
    return "\n".join(lines)


def peer_classes(tables):
    """The bases of the peer's model and data, whose attributes are made when asked for."""
    for name, attributes in tables["peer"].items():
        lines = [attribute(n, "Any", doc or "", given="Any") for n, doc in attributes.items()]
        yield "\n".join([f"class {name}({name.removeprefix('Peer')}):", *lines])


def data_class(tables):
    """Class Data."""
    lines = ["class Data:", "    def __new__(cls: type[_D], model: Model) -> _D: ..."]
    for name, kind, meaning in tables["scalars"]:
        lines.append(attribute(name, SCALARS[kind], meaning, kind == "double", SCALARS[kind]))
    lines.append(attribute("model", "Model", "the model that this data belongs to", False))
    fwdinv = "(2,): forward less inverse dynamics: constraint, applied forces"
    lines.append(attribute("solver_fwdinv", ARRAYS["double"], fwdinv))
    lines.append(attribute("energy", ARRAYS["double"], "(2,): potential and kinetic energy (J)"))
    for name in ("warning", "timer", "solver", "impulse"):
        lines.append(attribute(name, ARRAYS["uint8_t"], "records as bytes", settable=False))
    for name in ("narena", "maxuse_arena"):
        lines.append(attribute(name, "int", "bytes", settable=False))
    threads = (
        "threads that a step may use, the caller's counted; results are the same bits at any count"
    )
    lines.append(attribute("threads", "int", threads, given="int"))
    lines += [array(*row[:4], row[5]) for row in tables["data"]]
    lines += element_methods(tables, "Data")
    return "\n".join(lines)


def struct_member(name, format_, rows, columns, meaning, inner):
    """A member of a struct that has a type of its own."""
    if inner:
        return attribute(name, class_of(inner), meaning, settable=False)
    if format_ == "s":
        return attribute(name, "str", meaning, given="str")
    if format_ == "S":
        return attribute(name, "NDArray[np.bytes_]", f"({rows},): {meaning}")
    kind = MEMBERS[format_]
    if not rows:
        return attribute(name, SCALARS[kind], meaning, given=SCALARS[kind])
    shape = f"({rows}, {columns})" if columns else f"({rows},)"
    return attribute(name, ARRAYS[kind], f"{shape}: {meaning}")


def class_of(name):
    """The name of a struct's type without its module."""
    return name.rpartition(".")[2]


def struct_class(name, members, nested):
    """The type over a struct; `nested` are types that stand inside it."""
    lines = [f"class {class_of(name)}:"]
    for inner in nested:
        lines += ["    " + line for line in struct_class(*inner, []).split("\n")]
    lines += [struct_member(*row) for row in members]
    return "\n".join([*lines, "    def __init__(self) -> None: ..."])


def list_class(name, members):
    """The type over a list of structs."""
    rows = [attribute(r[0], ARRAYS[MEMBERS[r[1]]], r[4], settable=False) for r in members]
    rows += [
        "    def __len__(self) -> int: ...",
        "    def __getitem__(self, i: Any, /) -> Any: ...",
    ]
    return "\n".join([f"class _{class_of(name)}List:", *rows])


def struct_classes(tables):
    """The types over structs, and over lists of them."""
    members = {row[0]: row[1] for row in tables["structs"]}
    concealed = {row[0] for row in tables["structs"] if row[3]}
    parts = []
    for name, rows, listed, hidden in tables["structs"]:
        inner = [(row[5], members[row[5]]) for row in rows if row[5]]
        nested = [row for row in inner if row[0] in concealed]
        parts += [] if hidden else [struct_class(name, rows, nested)]
        parts += [list_class(name, rows)] if listed else []
    return parts


def control_class(name, rows):
    """A controller, a task or a contact."""
    lines = [f"class {name}:"]
    for attr, kind, meaning, settable in rows:
        if kind.endswith("*"):
            lines.append(attribute(attr, ARRAYS[kind[:-1]], meaning, bool(settable)))
        else:
            lines.append(attribute(attr, SCALARS[kind], meaning, bool(settable), SCALARS[kind]))
    return "\n".join(lines)


def function(name, signature, doc):
    """A library function."""
    words, _, result = signature.partition(" -> ")
    parameters = []
    for word in words.split():
        parameter, _, kind = word.partition(":")
        kind, _, initial = kind.partition("=")
        optional = " | None" if "?" in kind else ""
        numbers = {"i": "int", "b": "uint8_t", "f": "float"}.get(kind[1:2], "double")
        if not kind:
            annotation = "Model" if parameter == "m" else "Data"
        elif kind[0] == "w":
            annotation = ARRAYS[numbers] + optional
        elif kind[0] == "r":
            annotation = ("NDArray[np.int32]" if kind[1] == "i" else "ArrayLike") + optional
        elif kind[0] in "M_":
            annotation = kind.rstrip("?") + optional
        else:
            annotation = {"f": "float", "s": "str"}.get(kind[0], "int") + optional
        parameters.append(f"{parameter}: {annotation}" + (f" = {initial}" if initial else ""))
    result = {"": "None", "str": "str | None", "print": "None", "list": "list[str]"}.get(
        result, result
    )
    return f'def {name}({", ".join(parameters)}) -> {result}:\n    """{doc}"""'


def batch_class():
    """Class Batch."""
    rows = [
        ("n", "int", "how many simulations"),
        ("width", "int", "simulations in lockstep; 1: all go through the scalar engine"),
        ("threads", "int", "threads that calls use, the caller's counted"),
        ("model", "Any", "the model as it was given; the batch works with a copy of its own"),
    ]
    return "\n".join(["class Batch:", *(attribute(*row, settable=False) for row in rows)])


def stubs(tables):
    """The text of _core.pyi."""
    parts = [
        MADE
        + "\n"
        + HEAD
        + "\n".join(
            function(*row)
            for row in tables["functions"] + tables["arithmetic"] + tables["visual_functions"]
        ),
        element_classes(tables),
        model_class(tables),
        data_class(tables),
        *peer_classes(tables),
        *struct_classes(tables),
        *[control_class(*row) for row in tables["control"]],
        batch_class(),
    ]
    return "\n\n".join(parts) + "\n"


def enum_stubs(tables):
    """The text of _enums.pyi."""
    lines = [MADE, "import enum"]
    for name, _, items in tables["enums"]:
        lines += ["", f"class {name.removeprefix('sn')}(enum.IntEnum):"]
        # The texture "2D" is no identifier: TextureType["2D"].
        lines += [f"    {item[0]} = {item[1]}" for item in items if item[0].isidentifier()]
    return "\n".join(lines) + "\n"


def defined(source):
    """Names of the functions and classes of a source file."""
    nodes = ast.parse(source).body
    return {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}


def assigned(source):
    """Public names that a source file gives a value: whether "int", else "tuple"."""
    pairs = [(n.targets[0], n.value) for n in ast.parse(source).body if isinstance(n, ast.Assign)]
    return {
        target.id: "int" if isinstance(value, ast.Constant) else "tuple"
        for target, value in pairs
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    }


def imported(source):
    """Names that a source file imports from modules beside it."""
    nodes = ast.parse(source).body
    return {alias.name for n in nodes if isinstance(n, ast.ImportFrom) for alias in n.names}


def peer_stubs(tables, package):
    """The text of mujoco/__init__.pyi: what its modules write out, and what comes from tables."""
    sources = {path.stem: path.read_text() for path in package.glob("*.py")}
    public = {
        "_structs": {*assigned(sources["_structs"]), *imported(sources["_structs"])},
        "_errors": {"FatalError", *defined(sources["_errors"])},
        "_visual": {"MjvScene", *(n for n in defined(sources["_visual"]) if not n.startswith("_"))},
        "_context": {"MjrContext"},
        "_picture": {n for n in defined(sources["_picture"]) if n.startswith("mjr_")},
        "_functions": defined(sources["_functions"]),
        "_print": {n for n in defined(sources["_print"]) if n.startswith("mj_")},
        "_schema": {"mj_printSchema"},
        "_user": {n for n in defined(sources["_user"]) if n.startswith(("mj_", "set_", "get_"))},
        "gl_context": {"GLContext"},
        "renderer": defined(sources["renderer"]),
        "_specs": imported((package / "_specs/__init__.py").read_text()),
    }
    head = "from typing import Any, ClassVar\nimport numpy as np\nfrom numpy.typing import ArrayLike, NDArray"
    lines = [MADE, head, "from .. import _core", "from ._enums import Enumeration"]
    structs = [class_of(row[0]) for row in tables["structs"] if not row[3]]
    lines += [f"from .._core import {n} as {n}" for n in structs if n.startswith("Mj")]
    for module, names in public.items():
        lines += [f"from .{module} import {name} as {name}" for name in sorted(names)]
    lines += [f"mj{name}: {type(value).__name__}" for name, value in tables["constants"].items()]
    lines += ["__version__: str"]
    lines += [f"{name}: {kind}" for name, kind in assigned(sources["_constants"]).items()]
    lines += ["HEADERS_DIR: str", "PLUGINS_DIR: str", "PLUGIN_HANDLES: list[Any]"]
    rules = runpy.run_path(str(package / "_names.py"))
    for name, members in rules["peer_enums"](tables).items():
        lines += [f"class {name}(Enumeration):"]
        lines += [f"    {member}: ClassVar[{name}]" for member, *_ in members]
    peer_name = rules["function_name"]
    skip = (
        {peer_name(name) for name in rules["OURS_ALONE"]} | public["_functions"] | public["_print"]
    )
    lines += [
        function(peer_name(n), s, doc)
        for n, s, doc in tables["functions"]
        if peer_name(n) not in skip
    ]
    lines += [function(*row) for row in tables["arithmetic"] + tables["visual_functions"]]
    for name in rules["CALLBACKS"]:
        lines += [f"def set_mjcb_{name}(f: Any) -> None: ...", f"def get_mjcb_{name}() -> Any: ..."]
    text = "\n".join(lines).replace("m: Model, d: Data", "m: _core.Model, d: _core.Data")
    return text.replace("(m: Model", "(m: _core.Model") + "\n"


def package_stubs(tables, functions, derivative):
    """The text of __init__.pyi: every public name, written out."""
    wrapped = {name for name in defined(functions) if not name.startswith("_")}
    derivatives = {name for name in defined(derivative) if not name.startswith("_")}
    groups = {
        "_core": {
            "IntegerError",
            "ModelError",
            "NotSupportedError",
            "ShapeError",
            "SimulationWarning",
        }  # fmt: skip
        | {f[0] for f in tables["functions"]} - wrapped - derivatives,
        "_functions": wrapped,
        "derivative": derivatives,
        "_enums": {name.removeprefix("sn") for name, *_ in tables["enums"]},
        "_batch": {"Batch"},
        "_types": {"Contact", "ContactArray", "Data", "Model"},
        "_machines": {"RayExecutor", "RolloutError", "rollout"},
        "picture.film": {"Film"},
        "_recording": {"Recorder", "Recording", "RecordingWarning"},
        "picture.renderer": {"Renderer"},
        "picture.show": {"show"},
        "_plugin": {"Plugin", "load_plugin_library", "plugins", "register_plugin"},
        "_spec": {"Element", "PathPoint", "Spec"},
        "_warn": {"ModelWarning"},
    }
    lines = [MADE]
    for module, names in groups.items():
        lines += [f"from .{module} import {name} as {name}" for name in sorted(names)]
    return "\n".join([*lines, "", "__version__: str", "__cpu__: str", ""])


def main(extension, folder):
    """Write the stubs of an extension into a folder."""
    tables = load(extension)
    package = pathlib.Path(__file__).parent / "sinew"
    texts = {
        "_core.pyi": stubs(tables),
        "_enums.pyi": enum_stubs(tables),
        "__init__.pyi": package_stubs(
            tables,
            (package / "_functions.py").read_text(),
            (package / "derivative.py").read_text(),
        ),
        "mujoco/__init__.pyi": peer_stubs(tables, package / "mujoco"),
    }
    for name, text in texts.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
