// What sinew.mujoco tells when it is imported: its types.
#include "model/model.h"
#include "named/named.h"
#include "peer/peer_fields.h"
#include "tables.h"

static void setType(PyTypeObject** place, PyTypeObject* type)
{
    PyTypeObject* old = *place;
    *place = (PyTypeObject*)Py_NewRef((PyObject*)type);
    Py_XDECREF((PyObject*)old);
}

PyObject* setPeerTypes(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyTypeObject *model, *data, *option, *contact = recordType(core, "MjContact");
    int later;
    if (!contact ||
        !PyArg_ParseTuple(args, "O!O!O!p", &PyType_Type, &model, &PyType_Type, &data, &PyType_Type, &option,
                          &later) ||
        !isSubclass((PyObject*)data, core->data_type, "sinew.Data") ||
        !isSubclass((PyObject*)option, recordType(core, "MjOption"), "sinew._core.MjOption"))
        return NULL;
    core->peer_is_later = later != 0;
    if (addPeerAttributes(model, data) < 0 || makeNamedTypes(core, module, true) < 0 ||
        (!later &&
         (dropMember(core, contact, "surfacevel") < 0 || dropMember(core, contact, "adhesion") < 0)))
        return NULL;
    startClock();
    setType(&core->peer_model_type, model);
    setType(&core->peer_data_type, data);
    setType(&core->peer_parts[PART_OPT], option);
    return listPeerTypes(core);
}
