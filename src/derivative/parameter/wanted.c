#include "derivative/parameter/wanted.h"
#include <string.h>

// Inverse inertias follow from what sn_setConst reads.
static bool goesThroughConst(const snModelGradient* wanted)
{
    return wanted->setconst && (sn_wantsInertia(wanted) || wanted->dof_armature);
}

// Whether there is a sum for each array, in their order.
typedef struct Kept {
#define X(name, rows, columns, meaning) bool name;
    SN_MODEL_GRADIENT(X, m)
#undef X
} Kept;

static Kept keptOf(const snModelGradient* wanted)
{
    Kept kept = {0};
#define X(name, rows, columns, meaning) kept.name = wanted->name != NULL;
    SN_MODEL_GRADIENT(X, m)
#undef X
    if (goesThroughConst(wanted)) kept.body_invweight0 = kept.dof_invweight0 = kept.tendon_invweight0 = true;
    return kept;
}

size_t sn_modelGradientSize(const snModel* m, const snModelGradient* wanted)
{
    const Kept kept = keptOf(wanted);
    size_t size = 0;
#define X(name, rows, columns, meaning)                                                                      \
    if (kept.name) size += (size_t)(rows) * (columns);
    SN_MODEL_GRADIENT(X, m)
#undef X
    return size;
}

snModelGradient sn_modelGradientIn(const snModel* m, const snModelGradient* wanted, double* room)
{
    const Kept kept = keptOf(wanted);
    snModelGradient sums = {.setconst = goesThroughConst(wanted)};
    memset(room, 0, sn_modelGradientSize(m, wanted) * sizeof *room);
#define X(name, rows, columns, meaning)                                                                      \
    if (kept.name) {                                                                                         \
        sums.name = room;                                                                                    \
        room += (size_t)(rows) * (columns);                                                                  \
    }
    SN_MODEL_GRADIENT(X, m)
#undef X
    return sums;
}

void sn_modelGradientPut(const snModel* m, const snModelGradient* sums, const snModelGradient* wanted)
{
#define X(name, rows, columns, meaning)                                                                      \
    if (wanted->name) memcpy(wanted->name, sums->name, (size_t)(rows) * (columns) * sizeof(double));
    SN_MODEL_GRADIENT(X, m)
#undef X
}
