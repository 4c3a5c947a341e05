// Which limits hold.
#include "compile/build/build.h"

bool sn_buildLimited(snBuild* b, const snSpecHead* element, int word, const double range[2],
                     const char* limited, const char* range_name, bool* result)
{
    *result = word == SN_TRUE;
    if (word != SN_AUTO) return true;
    if (sn_specCompiler(b->spec, element)->autolimits) {
        *result = range[0] < range[1];
        return true;
    }
    if (range[0] == 0 && range[1] == 0) return true;
    return sn_buildFail(b, element, SN_STATUS_MODEL,
                        "has %s but not %s, and compiler autolimits is false: set %s=\"true\" or \"false\", "
                        "or autolimits=\"true\"",
                        range_name, limited, limited);
}
