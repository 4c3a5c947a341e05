#include <sinew/load.h>
#include "base/memory.h"

void sn_freeWarnings(snWarnings* warnings)
{
    if (!warnings) return;
    for (int i = 0; i < warnings->count; i++) sn_free((char*)warnings->list[i].message);
    sn_free(warnings->list);
    *warnings = (snWarnings){NULL, 0, 0};
}
