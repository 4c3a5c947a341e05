#include "peer/peer_octree.h"

static const snModel* model(PyObject* object)
{
    return ((Model*)object)->memory->model;
}

static PyObject* make(PyObject* object, char format, int rows, int columns, void** address)
{
    return makeOwned(coreOfMemory(((Model*)object)->memory), format, rows, columns, address);
}

static PyObject* makeStarts(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = make(object, 'i', m->nmesh, -1, &address);
    if (array && m->nmesh) memcpy(address, m->mesh_sdfadr, (size_t)m->nmesh * sizeof(int));
    return array;
}

static PyObject* makeCounts(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = make(object, 'i', m->nmesh, -1, &address);
    if (array && m->nmesh) memcpy(address, m->mesh_sdfnum, (size_t)m->nmesh * sizeof(int));
    return array;
}

static PyObject* makeChildren(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = make(object, 'i', m->nsdfnode, 8, &address);
    for (size_t i = 0; array && i < 8 * (size_t)m->nsdfnode; i++)
        ((int*)address)[i] = m->sdf_child[i / 8] < 0 ? -1 : m->sdf_child[i / 8] + (int)(i % 8);
    return array;
}

// A parent comes before its children.
static PyObject* makeDepths(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = make(object, 'i', m->nsdfnode, -1, &address);
    for (int mesh = 0; array && mesh < m->nmesh; mesh++) {
        if (m->mesh_sdfnum[mesh] <= 0) continue;
        const int* child = m->sdf_child + m->mesh_sdfadr[mesh];
        int* depth = (int*)address + m->mesh_sdfadr[mesh];
        depth[0] = 0;
        for (int i = 0; i < m->mesh_sdfnum[mesh]; i++)
            for (int k = 0; child[i] >= 0 && k < 8; k++) depth[child[i] + k] = depth[i] + 1;
    }
    return array;
}

static void boxOfChild(const double box[6], int k, double child[6])
{
    for (int j = 0; j < 3; j++) {
        child[3 + j] = 0.5 * box[3 + j];
        child[j] = box[j] + (k >> j & 1 ? child[3 + j] : -child[3 + j]);
    }
}

static PyObject* makeBoxes(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = make(object, 'd', m->nsdfnode, 6, &address);
    for (int mesh = 0; array && mesh < m->nmesh; mesh++) {
        if (m->mesh_sdfnum[mesh] <= 0) continue;
        const int* child = m->sdf_child + m->mesh_sdfadr[mesh];
        double* box = (double*)address + 6 * (size_t)m->mesh_sdfadr[mesh];
        memcpy(box, m->mesh_sdfbox + 6 * (size_t)mesh, 6 * sizeof *box);
        for (int i = 0; i < m->mesh_sdfnum[mesh]; i++)
            for (int k = 0; child[i] >= 0 && k < 8; k++)
                boxOfChild(box + 6 * (size_t)i, k, box + 6 * (size_t)(child[i] + k));
    }
    return array;
}

// As sdf_child and sdf_sheet of the model are read.
static double cornerOfLeaf(const snModel* m, int mesh, int child, int k)
{
    const int code = -1 - child, last = (code >> 3) + (code >> 1 & 3);
    const size_t at = (size_t)(2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2));
    const float* sheets = m->sdf_sheet + 27 * (size_t)m->mesh_sheetadr[mesh];
    double best = (double)sheets[27 * (size_t)(code >> 3) + at];
    for (int i = (code >> 3) + 1; i <= last; i++) {
        const double other = (double)sheets[27 * (size_t)i + at];
        if (code & 1 ? other > best : other < best) best = other;
    }
    return best;
}

// The corners of a node that has children are corners of them.
static PyObject* makeCorners(PyObject* object)
{
    const snModel* m = model(object);
    void* address;
    PyObject* array = make(object, 'd', m->nsdfnode, 8, &address);
    for (int mesh = 0; array && mesh < m->nmesh; mesh++) {
        const int* child = m->sdf_child + m->mesh_sdfadr[mesh];
        double* corner = (double*)address + 8 * (size_t)m->mesh_sdfadr[mesh];
        for (int i = m->mesh_sdfnum[mesh] - 1; i >= 0; i--)
            for (int k = 0; k < 8; k++) {
                if (child[i] >= 0) {
                    corner[8 * (size_t)i + (size_t)k] = corner[8 * (size_t)(child[i] + k) + (size_t)k];
                    continue;
                }
                corner[8 * (size_t)i + (size_t)k] = cornerOfLeaf(m, mesh, child[i], k);
            }
    }
    return array;
}

// The same array each time: what it is made of does not change.
static PyObject* kept(PyObject* object, const void* key, PyObject* (*makeIt)(PyObject*))
{
    Model* self = (Model*)object;
    PyObject* array = keptArray(self->made, key);
    return array ? Py_NewRef(array) : keepArray(&self->made, key, makeIt(object));
}

PyObject* getOctreeNodes(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(model(object)->nsdfnode);
}

PyObject* getOctreeStarts(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeStarts);
}

PyObject* getOctreeCounts(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeCounts);
}

PyObject* getOctreeDepths(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeDepths);
}

PyObject* getOctreeChildren(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeChildren);
}

PyObject* getOctreeBoxes(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeBoxes);
}

PyObject* getOctreeCorners(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key = 0;
    return kept(object, &key, makeCorners);
}
