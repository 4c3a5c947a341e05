// What elements have since release 4.0 of the peer that is no row of a field: orientations of frames, where
// springs that yield are at rest, kinds of tendons.
#include "named/element.h"

const Span tendon_arms = {.kind = KIND_tendon,
                          .attribute = "J_colind",
                          .type = "int",
                          .array = offsetof(snModel, tendon_dofid),
                          .total = offsetof(snModel, nJten),
                          .adr = offsetof(snModel, tendon_dofadr),
                          .counts = {offsetof(snModel, tendon_dofnum)},
                          .meaning = "dofs of its moment arms"};

// Whose orientation a frame in a body has, by snSameFrame.
static bool isBodys(int same)
{
    return same == SN_SAMEFRAME_BODY || same == SN_SAMEFRAME_BODYROT;
}

static bool isInertias(int same)
{
    return same == SN_SAMEFRAME_INERTIA || same == SN_SAMEFRAME_INERTIAROT;
}

// Orientation, world, of a body's inertia, of a geom or of a site.
static void frameQuat(const snModel* m, const snData* d, int object, int id, double quat[4])
{
    const bool geom = object == SN_OBJ_GEOM, body = object == SN_OBJ_BODY;
    const int bodyid = body ? id : geom ? m->geom_bodyid[id] : m->site_bodyid[id];
    const int same = body ? SN_SAMEFRAME_INERTIA : geom ? m->geom_sameframe[id] : m->site_sameframe[id];
    const bool own = bodyid < 0 || bodyid >= m->nbody; // may have been changed
    const double* frame = isInertias(same) ? m->body_iquat + 4 * bodyid
                          : geom           ? m->geom_quat + 4 * id
                                           : m->site_quat + 4 * id;
    if (own)
        memcpy(quat, (const double[4]){1, 0, 0, 0}, 4 * sizeof *quat);
    else if (isBodys(same))
        memcpy(quat, d->xquat + 4 * bodyid, 4 * sizeof *quat);
    else
        sn_mulQuat(quat, d->xquat + 4 * bodyid, frame);
}

PyObject* getFrameQuat(const Named* self, const Attribute* Py_UNUSED(a))
{
    double q[4];
    frameQuat(self->model->model, self->memory->data, self->of->kind->object, self->id, q);
    return arrayOf(self, Py_BuildValue("[dddd]", q[0], q[1], q[2], q[3]), "float64");
}

// Of what does not yield: nothing.
PyObject* getPlastic(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const bool tendon = self->of->kind->object == SN_OBJ_TENDON;
    const int adr = tendon ? m->tendon_plasticadr[self->id] : m->jnt_plasticadr[self->id];
    const int count = adr < 0 ? 0 : tendon ? 2 : m->jnt_type[self->id] == SN_JNT_BALL ? 4 : 1;
    if (count && adr > m->nplastic - count)
        return PyErr_Format(PyExc_ValueError, "the address of a spring that yields leaves the model");
    return makeView(self->memory, self->memory->data->plastic + (adr < 0 ? 0 : adr), 'd', count, -1);
}

PyObject* getTendonType(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const int first = m->tendon_adr[self->id];
    const bool fixed = first >= 0 && first < m->nwrap && m->wrap_type[first] == SN_WRAP_JOINT;
    return arrayOf(self, Py_BuildValue("[i]", !fixed), "int32");
}

static PyObject* frameQuats(PyObject* module, PyObject* args)
{
    const Core* core = PyModule_GetState(module);
    PyObject *data, *array;
    int object;
    if (!PyArg_ParseTuple(args, "O!iO", core->data_type, &data, &object, &array)) return NULL;
    const snModel* m = ((Data*)data)->model->memory->model;
    const int count = object == SN_OBJ_BODY ? m->nbody : object == SN_OBJ_GEOM ? m->ngeom : m->nsite;
    Py_buffer out;
    if (PyObject_GetBuffer(array, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) return NULL;
    const bool fits = out.len == (Py_ssize_t)(4 * sizeof(double)) * count;
    for (int i = 0; i < count && fits; i++)
        frameQuat(m, ((Data*)data)->memory->data, object, i, (double*)out.buf + 4 * i);
    PyBuffer_Release(&out);
    if (fits) Py_RETURN_NONE;
    return PyErr_Format(PyExc_ValueError, "the array must have %d rows of 4", count);
}

PyMethodDef later_functions[] = {
    {"frameQuats", frameQuats, METH_VARARGS,
     "frameQuats(data, object, out): orientations, world, of inertias of bodies, of geoms or of sites."},
    {NULL, NULL, 0, NULL},
};
