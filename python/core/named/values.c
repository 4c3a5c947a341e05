// What the attributes of elements give: views of rows, of dofs and coordinates, of parts of the large arrays.
#include "named/element.h"

#define AT(name) offsetof(snModel, name)
const Span element_spans[] = {
    {KIND_sensor, "data", "double", true, offsetof(snData, sensordata), AT(nsensordata), AT(sensor_adr),
     .counts = {AT(sensor_dim)}, "outputs of the sensor"},
    {KIND_numeric, "data", "double", false, AT(numeric_data), AT(nnumericdata), AT(numeric_adr),
     .counts = {AT(numeric_size)}, "its numbers"},
    {KIND_text, "data", "char", false, AT(text_data), AT(ntextdata), AT(text_adr), .counts = {AT(text_size)},
     "its text"},
    {KIND_tuple, "objtype", "int", false, AT(tuple_objtype), AT(ntupledata), AT(tuple_adr),
     .counts = {AT(tuple_size)}, "snObjType of each object"},
    {KIND_tuple, "objid", "int", false, AT(tuple_objid), AT(ntupledata), AT(tuple_adr),
     .counts = {AT(tuple_size)}, "id of each object"},
    {KIND_tuple, "objprm", "double", false, AT(tuple_objprm), AT(ntupledata), AT(tuple_adr),
     .counts = {AT(tuple_size)}, "number of each object"},
    {KIND_hfield, "data", "float", false, AT(hfield_data), AT(nhfielddata), AT(hfield_adr),
     .counts = {AT(hfield_nrow), AT(hfield_ncol)}, "heights, 0 to 1 (nrow x ncol)"},
    {KIND_texture, "data", "uint8_t", false, AT(tex_data), AT(ntexdata), AT(tex_adr),
     .counts = {AT(tex_height), AT(tex_width), AT(tex_nchannel)}, "pixels (height x width x nchannel)"},
    {0},
};
#undef AT

static PyObject* misfit(const Named* self)
{
    return PyErr_Format(PyExc_ValueError, "%s %d: addresses and counts of the model leave its arrays",
                        self->of->kind->name, self->id);
}

PyObject* getId(const Named* self, const Attribute* Py_UNUSED(a))
{
    return PyLong_FromLong(self->id);
}

PyObject* getName(const Named* self, const Attribute* Py_UNUSED(a))
{
    const char* name = sn_id2name(self->model->model, self->of->kind->object, self->id);
    return PyUnicode_FromString(name ? name : "");
}

// Rows [start, start + count) of a field; count < 0: the single row `start`, without its dimension.
static PyObject* viewRows(const Named* self, const Attribute* a, int start, int count)
{
    const snField* field = a->source;
    int rows, columns;
    const void* owner = self->of->data ? (const void*)self->memory->data : self->memory->model;
    if (self->of->data)
        sn_dataFieldShape(self->model->model, self->memory->data, a->index, &rows, &columns);
    else
        sn_modelFieldShape(self->model->model, a->index, &rows, &columns);
    const int end = start + (count < 0 ? 1 : count);
    if (start < 0 || start > rows || end < start || end > rows) return misfit(self);
    char* address = *(char* const*)((const char*)owner + field->offset);
    if (address) address += (size_t)start * (size_t)columns * field->itemsize;
    const bool vector = strcmp(field->columns, "1") == 0;
    if (count >= 0)
        return makeView(self->memory, address, formatOf(field->type), count, vector ? -1 : columns);
    return makeView(self->memory, address, formatOf(field->type), columns, -1);
}

PyObject* viewOwnRow(const Named* self, const Attribute* a)
{
    return viewRows(self, a, self->id, -1);
}

static PyObject* viewJointRows(const Named* self, const Attribute* a, const int* adr, int total)
{
    const int njnt = self->model->model->njnt, start = adr[self->id];
    const int end = self->id + 1 == njnt ? total : adr[self->id + 1];
    return start < 0 || end < start ? misfit(self) : viewRows(self, a, start, end - start);
}

PyObject* viewDofs(const Named* self, const Attribute* a)
{
    const snModel* m = self->model->model;
    return viewJointRows(self, a, m->jnt_dofadr, m->nv);
}

PyObject* viewCoordinates(const Named* self, const Attribute* a)
{
    const snModel* m = self->model->model;
    return viewJointRows(self, a, m->jnt_qposadr, m->nq);
}

// Those of an actuator with one control, or one force, are its row.
PyObject* viewControls(const Named* self, const Attribute* a)
{
    const snModel* m = self->model->model;
    const int count = m->actuator_ctrlnum[self->id];
    return count < 0 ? misfit(self)
                     : viewRows(self, a, m->actuator_ctrladr[self->id], count == 1 ? -1 : count);
}

PyObject* viewOutputs(const Named* self, const Attribute* a)
{
    const snModel* m = self->model->model;
    const int count = m->actuator_outnum[self->id];
    return count < 0 ? misfit(self)
                     : viewRows(self, a, m->actuator_outadr[self->id], count == 1 ? -1 : count);
}

// The numbers are the user's to change, so the span is checked against the array.
PyObject* viewSpan(const Named* self, const Attribute* a)
{
    const Span* span = a->source;
    const char* m = (const char*)self->model->model;
    const int total = *(const int*)(m + span->total), adr = (*(int*const*)(m + span->adr))[self->id];
    Py_ssize_t extents[3], size = 1;
    int ndim = 0;
    for (; ndim < 3 && span->counts[ndim]; ndim++) {
        extents[ndim] = (*(int* const*)(m + span->counts[ndim]))[self->id];
        if (extents[ndim] < 0 || extents[ndim] > total) return misfit(self);
        if (size > 0 && extents[ndim] > total / size) return misfit(self);
        size *= extents[ndim];
    }
    if (adr < 0 ? size > 0 : adr > total - size) return misfit(self);
    const char* owner = span->data ? (const char*)self->memory->data : m;
    char* array = *(char* const*)(owner + span->array);
    const char format = formatOf(span->type);
    if (array && size > 0) array += (size_t)adr * formatSize(format);
    if (span->type[0] == 'c') return PyUnicode_DecodeUTF8(array, size > 0 ? size - 1 : 0, "replace");
    if (ndim < 3) return makeView(self->memory, array, format, extents[0], ndim == 2 ? extents[1] : -1);
    PyObject* flat = makeView(self->memory, array, format, size, -1);
    PyObject* view =
        flat ? PyObject_CallMethod(flat, "reshape", "nnn", extents[0], extents[1], extents[2]) : NULL;
    Py_XDECREF(flat);
    return view;
}

// ---- moment arms, which are sparse -----------------------------------------------------------------------

PyObject* arrayOf(const Named* self, PyObject* list, const char* type)
{
    if (!list) return NULL;
    PyObject* array = PyObject_CallFunction(coreOfMemory(self->memory)->asarray, "Os", list, type);
    Py_DECREF(list);
    return array;
}

static PyObject* zeros(Py_ssize_t count, bool real)
{
    PyObject* list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject* zero = real ? PyFloat_FromDouble(0) : PyLong_FromLong(0);
        if (!zero)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, zero);
    }
    return list;
}

// A row over all dofs, from `num` entries at `adr` of arrays with `total`.
static PyObject* denseRow(const Named* self, int adr, int num, int total, const int* dofs, const double* arms)
{
    const int nv = self->model->model->nv;
    if (adr < 0 || num < 0 || num > total || adr > total - num) return misfit(self);
    PyObject* list = zeros(nv, true);
    for (int k = adr; list && k < adr + num; k++) {
        if (dofs[k] < 0 || dofs[k] >= nv) {
            Py_DECREF(list);
            return misfit(self);
        }
        PyObject* number = PyFloat_FromDouble(arms[k]);
        if (!number)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, dofs[k], number);
    }
    return arrayOf(self, list, "float64");
}

static PyObject* momentRow(const Named* self, int out)
{
    const snData* d = self->memory->data;
    const snModel* m = self->model->model;
    if (out < 0 || out >= m->nout) return misfit(self);
    return denseRow(self, d->moment_rowadr[out], d->moment_rownnz[out], m->nJmom, d->moment_colind,
                    d->actuator_moment);
}

// Of several forces a row each.
PyObject* getMoment(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const int first = m->actuator_outadr[self->id], count = m->actuator_outnum[self->id];
    if (count == 1) return momentRow(self, first);
    PyObject* rows = PyList_New(0);
    for (int k = 0; rows && k < count; k++) {
        PyObject* row = momentRow(self, first + k);
        if (!row || PyList_Append(rows, row) < 0) Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return arrayOf(self, rows, "float64");
}

static bool isSparse(const snModel* m)
{
    return m->opt.jacobian == SN_JAC_SPARSE || (m->opt.jacobian == SN_JAC_AUTO && m->nv >= 60);
}

// How many entries stand in the rows of all tendons, one after the other.
static int tendonEntries(const Named* self)
{
    const snModel* m = self->model->model;
    const snData* d = self->memory->data;
    long count = 0;
    for (int i = 0; i < m->ntendon; i++) count += d->ten_J_rownnz[i];
    return count < 0 ? 0 : count > m->nJten ? m->nJten : (int)count;
}

// Row `id` of an array (ntendon x nv) whose first numbers are those of the rows of all tendons: the peer's
// sparse layout.
static PyObject* packedRow(const Named* self, const double* reals, const int* ints)
{
    const int nv = self->model->model->nv, end = tendonEntries(self);
    PyObject* list = zeros(nv, reals != NULL);
    for (int i = 0; list && i < nv; i++) {
        const Py_ssize_t k = (Py_ssize_t)self->id * nv + i;
        if (k >= end) break;
        PyObject* number = reals ? PyFloat_FromDouble(reals[k]) : PyLong_FromLong(ints[k]);
        if (!number)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, number);
    }
    return arrayOf(self, list, reals ? "float64" : "int32");
}

PyObject* getArms(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const snData* d = self->memory->data;
    if (self->of->peer && isSparse(m)) return packedRow(self, d->ten_J, NULL);
    return denseRow(self, d->ten_J_rowadr[self->id], d->ten_J_rownnz[self->id], m->nJten, d->ten_J_colind,
                    d->ten_J);
}

PyObject* getArmDofs(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const snData* d = self->memory->data;
    if (self->of->peer)
        return isSparse(m) ? packedRow(self, NULL, d->ten_J_colind)
                           : arrayOf(self, zeros(m->nv, false), "int32");
    const int adr = d->ten_J_rowadr[self->id], num = d->ten_J_rownnz[self->id];
    if (adr < 0 || num < 0 || num > m->nJten || adr > m->nJten - num) return misfit(self);
    return makeView(self->memory, d->ten_J_colind + adr, 'i', num, -1);
}

// A row's count or address, which are 0 in the peer's dense layout.
PyObject* getArmRow(const Named* self, const Attribute* a)
{
    if (!self->of->peer || isSparse(self->model->model)) return viewOwnRow(self, a);
    return arrayOf(self, zeros(1, false), "int32");
}
