// How a simulation begins: the model's start, its loops closed.
#include <sinew/data.h>
#include "loop/closing/assemble.h"
#include "model/blank.h"

static void closeLoops(const snModel* m, snData* d)
{
    if (sn_mayHaveLoops(m)) sn_closeStart(m, d);
}

snData* sn_makeData(const snModel* m)
{
    snData* d = sn_blankData(m);
    if (d) closeLoops(m, d);
    return d;
}

void sn_resetData(const snModel* m, snData* d)
{
    sn_clearData(m, d);
    closeLoops(m, d);
}

void sn_resetDataKeyframe(const snModel* m, snData* d, int key)
{
    sn_clearData(m, d);
    sn_takeKeyframe(m, d, key);
    closeLoops(m, d);
}
