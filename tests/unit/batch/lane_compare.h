// Stages in lanes against the scalar engine, from the same states.
#ifndef SINEW_TESTS_UNIT_BATCH_LANE_COMPARE_H
#define SINEW_TESTS_UNIT_BATCH_LANE_COMPARE_H

#include "batch/batch.h"
#include "batch/scenes.h"

/// States far from the model's, in all rows from the seed on.
static inline void scatter(snBatch* b, int seed)
{
    const snModel* m = sn_batchModel(b);
    for (int i = 0; i < sn_batchCount(b); i++) {
        double *qpos = rowOf(b, "qpos", i), *qvel = rowOf(b, "qvel", i);
        for (int k = 0; k < m->nq; k++) qpos[k] += 0.4 * noise(seed + i, k);
        for (int k = 0; k < m->nv; k++) qvel[k] = noise(seed + i, 100 + k);
        for (int k = 0; k < m->na; k++) rowOf(b, "act", i)[k] = 0.5 + 0.7 * noise(seed + i, 200 + k);
        for (int k = 0; k < m->nu; k++) rowOf(b, "ctrl", i)[k] = 1.5 * noise(seed + i, 300 + k);
    }
}

static inline void copyRow(snBatch* from, int i, snBatch* to, int k)
{
    static const char* const names[] = {"qpos", "qvel", "act", "ctrl"};
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        int columns = 0;
        sn_batchArray(from, names[a], &columns);
        memcpy(rowOf(to, names[a], k), rowOf(from, names[a], i), (size_t)columns * sizeof(double));
    }
}

/// Binds fields, NULL behind the last.
static inline void bindFields(snBatch* b, const char* const* fields)
{
    for (; *fields; fields++) assert_int_equal(sn_batchBind(b, *fields, NULL), SN_STATUS_OK);
}

/// Gives each row parameters of its own, NULL behind the last name.
static inline void vary(snBatch* b, const char* const* parameters)
{
    for (; *parameters; parameters++) {
        int columns = 0;
        assert_int_equal(sn_batchParameter(b, *parameters, NULL), SN_STATUS_OK);
        sn_batchArray(b, *parameters, &columns);
        for (int i = 0; i < sn_batchCount(b); i++)
            for (int k = 0; k < columns; k++) rowOf(b, *parameters, i)[k] *= 1 + 0.2 * noise(i, 400 + k);
    }
}

/// Lanes that the engine leaves of the last group that was computed.
static inline unsigned leftOf(snBatch* b)
{
    return b->engine->forward(b->work[0]);
}

static inline void holdNear(const char* what, const double* found, const double* wanted, int count,
                            double most)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(found[k] - wanted[k]) <= most * (1 + fabs(wanted[k]))))
            fail_msg("%s[%d] is %.17g, should be %.17g", what, k, found[k], wanted[k]);
}

/// Fields of all rows after sn_forward in lanes are the scalar engine's within `most`, and no lane is left.
static inline void compareWidth(const snModel* m, int width, const char* const* fields,
                                const char* const* parameters, double most)
{
    enum { N = 40 };
    snBatch *x = makeBatch(m, N, width, NULL), *y = makeBatch(m, N, 1, NULL);
    bindFields(x, fields);
    bindFields(y, fields);
    vary(x, parameters);
    vary(y, parameters);
    scatter(y, 0);
    for (int i = 0; i < N; i++) copyRow(y, i, x, i);
    sn_batchForward(x, NULL, 0, NULL);
    sn_batchForward(y, NULL, 0, NULL);
    assert_int_equal(leftOf(x), 0);
    for (; *fields; fields++) {
        int columns = 0;
        sn_batchArray(x, *fields, &columns);
        for (int i = 0; i < N; i++)
            holdNear(*fields, rowOf(x, *fields, i), rowOf(y, *fields, i), columns, most);
    }
    sn_deleteBatch(x);
    sn_deleteBatch(y);
}

/// A lane has its own bits, whatever stands beside it.
static inline void holdOwnBits(const snModel* m, int width, const char* const* fields)
{
    snBatch *x = makeBatch(m, width, width, NULL), *y = makeBatch(m, width, width, NULL);
    bindFields(x, fields);
    bindFields(y, fields);
    scatter(x, 0);
    sn_batchForward(x, NULL, 0, NULL);
    for (int i = 0; i < width; i++) {
        for (int k = 0; k < width; k++) copyRow(x, i, y, k);
        sn_batchForward(y, NULL, 0, NULL);
        for (int f = 0; fields[f]; f++) {
            int columns = 0;
            sn_batchArray(x, fields[f], &columns);
            holdBits(fields[f], rowOf(y, fields[f], 0), rowOf(x, fields[f], i), columns);
        }
    }
    sn_deleteBatch(x);
    sn_deleteBatch(y);
}

/// Both, of a model's text in all widths, as it is and with parameters of each row.
static inline void compareLanes(const char* xml, const char* const* fields, const char* const* parameters,
                                double most)
{
    snError error = {0};
    snModel* m = sn_loadModelText(xml, strlen(xml), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    const int* width = widths(m);
    assert_true(width[1]);
    while (*++width) {
        compareWidth(m, *width, fields, (const char* const[]){NULL}, most);
        compareWidth(m, *width, fields, parameters, most);
        holdOwnBits(m, *width, fields);
    }
    sn_deleteModel(m);
}

#endif
