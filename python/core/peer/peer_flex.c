#include "peer/peer_flex.h"
#include "peer/peer_data.h"

// Numbers of an element and of an edge at the peer.
enum { STIFFNESS = 21, BENDING = 17 };

static const snModel* model(PyObject* object)
{
    return ((Model*)object)->memory->model;
}

static Core* core(PyObject* object)
{
    return coreOfMemory(((Model*)object)->memory);
}

static PyObject* makeFlexMaterials(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = makeOwned(core(object), 'i', m->nflex, -1, &address);
    for (int f = 0; array && f < m->nflex; f++)
        ((int*)address)[f] = m->flex_elemnum[f] ? m->flex_matid[m->flex_elemadr[f]] : -1;
    return array;
}

static PyObject* makeFlexStiffness(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = makeOwned(core(object), 'd', m->nflexelem, STIFFNESS, &address);
    for (int f = 0; array && f < m->nflex; f++) {
        double* to = (double*)address + STIFFNESS * (size_t)m->flex_elemadr[f];
        for (int e = 0; m->flex_stiffnessadr[f] >= 0 && e < m->flex_elemnum[f]; e++)
            sn_flexElementStiffness(m, f, e, to + STIFFNESS * (size_t)e);
    }
    return array;
}

static PyObject* makeFlexBending(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = makeOwned(core(object), 'd', m->nflexedge, BENDING, &address);
    for (int f = 0; array && f < m->nflex; f++) {
        const size_t n = BENDING * (size_t)m->flex_edgenum[f];
        double* to = (double*)address + BENDING * (size_t)m->flex_edgeadr[f];
        if (m->flex_bendingadr[f] >= 0)
            memcpy(to, m->flex_bending + m->flex_bendingadr[f], n * sizeof(double));
    }
    return array;
}

// The same array each time, as the peer gives it: what it is made of does not change.
static PyObject* kept(PyObject* object, const void* key, PyObject* (*make)(PyObject*))
{
    Model* self = (Model*)object;
    PyObject* array = keptArray(self->made, key);
    return array ? Py_NewRef(array) : keepArray(&self->made, key, make(object));
}

PyObject* getFlexMaterials(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeFlexMaterials);
}

PyObject* getFlexStiffness(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeFlexStiffness);
}

PyObject* getFlexBending(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeFlexBending);
}

PyObject* edgeGradients(Core* base, Data* self, const PeerField* field)
{
    const snModel* m = modelOf(self);
    const Part part = (Part)field->part;
    const bool sparse = isSparse(self), matrix = part == NUMBERS || part == COLIND;
    void* to;
    PyObject* result = makeOwned(base, part == NUMBERS ? 'd' : 'i', m->nflexedge, matrix ? m->nv : -1, &to);
    if (!result || !m->nflexedge) return result;
    const double* J = self->memory->data->flexedge_J;
    for (int e = 0; part == NUMBERS && !sparse && e < m->nflexedge; e++)
        for (int k = m->flexedge_J_rowadr[e]; k < m->flexedge_J_rowadr[e] + m->flexedge_J_rownnz[e]; k++)
            ((double*)to)[(size_t)e * (size_t)m->nv + (size_t)m->flexedge_J_colind[k]] = J[k];
    if (!sparse) return result;
    const size_t rows = (size_t)m->nflexedge * sizeof(int), numbers = (size_t)m->nJfe;
    if (part == NUMBERS) memcpy(to, J, numbers * sizeof(double));
    if (part == COLIND) memcpy(to, m->flexedge_J_colind, numbers * sizeof(int));
    if (part == ROWNNZ) memcpy(to, m->flexedge_J_rownnz, rows);
    if (part == ROWADR) memcpy(to, m->flexedge_J_rowadr, rows);
    return result;
}
