// Ranges of length, as compiler/lengthrange asks for.
#include <sinew/pipeline.h>
#include "compile/relation/relation.h"
#include "model/arena_size.h"

bool sn_buildLengthRanges(snBuild* b)
{
    snModel* m = b->m;
    if (!m->nactuator || b->spec->lengthrange.mode == SN_LRMODE_NONE) return true;
    snData* d = NULL;
    bool good = true;
    // what is simulated needs room, whatever the model's arena is
    const size_t narena = m->narena;
    m->narena = SN_ARENA_LIMIT;
    SN_EACH (snSpecActuator, actuator, b->spec->actuators) {
        snError error = {0};
        if (!d) d = sn_makeData(m);
        if (!d) {
            good = sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for ranges of length");
            break;
        }
        const snStatus status = sn_setLengthRange(m, d, actuator->head.id, &b->spec->lengthrange, &error);
        if (status == SN_STATUS_OK) continue;
        good = sn_buildFail(b, &actuator->head, status, "%s", error.message);
        break;
    }
    sn_deleteData(d);
    m->narena = narena;
    return good;
}
