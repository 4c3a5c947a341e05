// What a library of an older version says of itself; linked before the rest of it.
#include <sinew/base.h>

const char* sn_version(void)
{
    return "0.1.0";
}
