// Matrices of geoms to quaternions, as messages have them: a picture has thousands, sixty times a second.
//
// 4 q q^T has for its entries sums of those of the matrix. Its row with the largest diagonal, which is 1 at
// least for a rotation, is a multiple of q (Bar-Itzhack 2000); the others tell whether the matrix is the
// rotation of q.
#include "viewer/viewer.h"

#include <math.h>

static const float exact = 1e-5f; // by which the numbers of a rotation may be off those of its quaternion

static int largestDiagonal(const float outer[4][4])
{
    int at = 0;
    for (int i = 1; i < 4; i++)
        if (outer[i][i] > outer[at][at]) at = i;
    return at;
}

// Whether it is a rotation; what is no number is none.
static bool quaternionOf(const float m[9], float q[4])
{
    const float outer[4][4] = {
        {1 + m[0] + m[4] + m[8], m[7] - m[5], m[2] - m[6], m[3] - m[1]},
        {m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]},
        {m[2] - m[6], m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7]},
        {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8]},
    };
    const float* row = outer[largestDiagonal(outer)];
    const float length = sqrtf(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
    for (int i = 0; i < 4; i++) q[i] = row[i] / fmaxf(length, 1e-30f);
    bool is_rotation = true;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++) is_rotation &= fabsf(outer[i][j] - 4 * q[i] * q[j]) < exact;
    return is_rotation;
}

PyObject* quaternions(PyObject* Py_UNUSED(module), PyObject* args)
{
    Py_buffer matrices, quats, rotations;
    if (!PyArg_ParseTuple(args, "y*w*w*", &matrices, &quats, &rotations)) return NULL;
    const Py_ssize_t n = rotations.len, number = (Py_ssize_t)sizeof(float);
    const bool fits = matrices.len == 9 * number * n && quats.len == 4 * number * n;
    if (!fits) PyErr_SetString(PyExc_ValueError, "9 numbers of float32 a matrix, 4 a quaternion, one bool");
    bool* is_rotation = rotations.buf;
    for (Py_ssize_t i = 0; fits && i < n; i++)
        is_rotation[i] = quaternionOf((const float*)matrices.buf + 9 * i, (float*)quats.buf + 4 * i);
    PyBuffer_Release(&matrices);
    PyBuffer_Release(&quats);
    PyBuffer_Release(&rotations);
    if (!fits) return NULL;
    Py_RETURN_NONE;
}
