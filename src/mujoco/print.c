// Models, data, matrices and numbers as text.
#include "inside.h"
#include <stdio.h>

// The format if it is one; else NULL, which is the default, with a warning.
static const char* formatOf(const char* float_format)
{
    if (!float_format || sn_isFloatFormat(float_format)) return float_format;
    mju_warning("'%s' is no format of a number; the default is used instead", float_format);
    return NULL;
}

void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format)
{
    snError error;
    if (sn_printModel(m, filename, formatOf(float_format), &error) != SN_STATUS_OK)
        mju_warning("%s", error.message);
}

void mj_printModel(const mjModel* m, const char* filename)
{
    mj_printFormattedModel(m, filename, NULL);
}

void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename, const char* float_format)
{
    snError error;
    if (sn_printData(m, d, filename, formatOf(float_format), &error) != SN_STATUS_OK)
        mju_warning("%s", error.message);
}

void mj_printData(const mjModel* m, const mjData* d, const char* filename)
{
    mj_printFormattedData(m, d, filename, NULL);
}

void mju_printMat(const mjtNum* mat, int nr, int nc)
{
    sn_printMat(stdout, mat, nr, nc);
}

void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr, const int* colind)
{
    sn_printMatSparse(stdout, mat, nr, rownnz, rowadr, colind);
}

const char* mju_writeNumBytes(size_t nbytes)
{
    static _Thread_local char text[24];
    return sn_writeNumBytes(nbytes, text);
}
