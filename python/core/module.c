// The module sinew._core: multi-phase initialisation, state for each interpreter.
#include "batch/batch.h"
#include "call/call.h"
#include "control/control.h"
#include "lcp/lcp.h"
#include "model/plugin.h"
#include "named/named.h"
#include "peer/peer_fields.h"
#include "scene/scene.h"
#include "spec/spec.h"
#include "tables.h"
#include "viewer/viewer.h"

static int useNumpy(Core* core)
{
    PyObject* numpy = PyImport_ImportModule("numpy");
    if (!numpy) return -1;
    core->asarray = PyObject_GetAttrString(numpy, "asarray");
    core->ndarray = PyObject_GetAttrString(numpy, "ndarray");
    Py_DECREF(numpy);
    return core->asarray && core->ndarray ? 0 : -1;
}

static int execute(PyObject* module)
{
    Core* core = PyModule_GetState(module);
    core->memory_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &memory_spec, NULL);
    core->array_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &array_spec, NULL);
    if (!core->memory_type || !core->array_type || makeErrors(core, module) < 0 ||
        makePartTypes(core, module) < 0)
        return -1;
    core->model_type = makeModelType(core, module, model_elements);
    core->data_type = core->model_type ? makeDataType(core, module, data_elements) : NULL;
    PyTypeObject* peer_types[] = {core->data_type ? makePeerModelType(module, core->model_type) : NULL,
                                  core->data_type ? makePeerDataType(module, core->data_type) : NULL};
    const bool made = peer_types[0] && peer_types[1];
    Py_XDECREF((PyObject*)peer_types[0]); // the module has them
    Py_XDECREF((PyObject*)peer_types[1]);
    if (!made || PyModule_AddFunctions(module, peer_data_functions) < 0 ||
        makeNamedTypes(core, module, false) < 0 || makeFunctions(core, module) < 0 ||
        makeSpecTypes(core, module) < 0 || makeControlTypes(core, module) < 0 ||
        makeStructTypes(core, module) < 0 || makeVisualStructTypes(core, module) < 0 ||
        makeRolloutType(module) < 0 || makeBatchType(core, module) < 0)
        return -1;
    if (PyModule_AddFunctions(module, model_functions) < 0 ||
        PyModule_AddFunctions(module, callback_functions) < 0 ||
        PyModule_AddFunctions(module, plugin_functions) < 0 ||
        PyModule_AddFunctions(module, later_functions) < 0 ||
        PyModule_AddFunctions(module, spec_functions) < 0 ||
        PyModule_AddFunctions(module, lcp_functions) < 0 || PyModule_AddFunctions(module, qp_functions) < 0 ||
        PyModule_AddFunctions(module, trajectory_functions) < 0 ||
        PyModule_AddFunctions(module, controller_functions) < 0 ||
        PyModule_AddFunctions(module, algebra_functions) < 0 ||
        PyModule_AddFunctions(module, scene_functions) < 0 ||
        PyModule_AddFunctions(module, mipmap_functions) < 0 ||
        PyModule_AddFunctions(module, viewer_functions) < 0 ||
        PyModule_AddFunctions(module, data_functions) < 0 ||
        PyModule_AddFunctions(module, hash_functions) < 0)
        return -1;
    if (PyModule_AddStringConstant(module, "__cpu__", sn_cpu()) < 0) return -1;
    return PyModule_AddStringConstant(module, "__version__", sn_version());
}

// NumPy comes in here and not at import, so that the stub generator runs where there is none.
static PyObject* useNumpyNow(PyObject* module, PyObject* Py_UNUSED(unused))
{
    if (useNumpy(PyModule_GetState(module)) < 0) return NULL;
    Py_RETURN_NONE;
}

// clang-format off
#define EACH_REFERENCE(X) \
    X(peer_model_type) X(peer_data_type) X(user_warning) X(memory_type) X(array_type) X(model_type) X(data_type) X(spec_type) X(element_type) X(batch_type) \
    X(ModelError) X(NotSupportedError) X(ShapeError) X(IntegerError) X(SimulationWarning) X(asarray) X(ndarray)
// clang-format on

static int traverse(PyObject* module, visitproc visit, void* arg)
{
    Core* core = PyModule_GetState(module);
#define X(name) Py_VISIT((PyObject*)core->name);
    EACH_REFERENCE(X)
#undef X
    for (int i = 0; i < NCONTROL_PARTS; i++) Py_VISIT((PyObject*)core->control_types[i]);
    for (int i = 0; i < NCALLBACKS; i++) Py_VISIT(core->callbacks[i]);
    const int found = visitRecordKinds(core, visit, arg);
    return found ? found : traverseNamedTypes(core, visit, arg);
}

static int clear(PyObject* module)
{
    Core* core = PyModule_GetState(module);
#define X(name) Py_CLEAR(core->name);
    EACH_REFERENCE(X)
#undef X
    for (int i = 0; i < NCONTROL_PARTS; i++) Py_CLEAR(core->control_types[i]);
    for (int i = 0; i < NCALLBACKS; i++) Py_CLEAR(core->callbacks[i]);
    clearRecordKinds(core);
    clearNamedTypes(core);
    return 0;
}

static void freeModule(void* module)
{
    Core* core = PyModule_GetState(module);
    clear(module);
    freeFunctions(core);
    freeRecordKinds(core);
    freeNamedTypes(core);
    for (size_t i = 0; i < sizeof core->getsets / sizeof core->getsets[0]; i++) PyMem_Free(core->getsets[i]);
    for (int i = 0; i < NCONTROL_PARTS; i++) PyMem_Free(core->control_getsets[i]);
}

static PyMethodDef functions[] = {
    {"tables", tables, METH_NOARGS, "The library's tables: sizes, fields, options, enumerations, functions."},
    {"peerFunction", peerFunction, METH_VARARGS,
     "peerFunction(ours, theirs): a function under the peer's name, with a docstring like the peer's."},
    {"setPeerTypes", setPeerTypes, METH_VARARGS,
     "setPeerTypes(model, data, option, later): the types of sinew.mujoco, which has the interface of 4.0 "
     "or, "
     "without later, of 3.3.7; the default callbacks hold for its data. "
     "Returns the types of its elements."},
    {"use_numpy", useNumpyNow, METH_NOARGS, "Look NumPy up; the package calls this once."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,  .m_name = "sinew._core", .m_doc = "Sinew's C library.",
    .m_size = sizeof(Core), .m_methods = functions,  .m_slots = slots,
    .m_traverse = traverse, .m_clear = clear,        .m_free = freeModule,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
