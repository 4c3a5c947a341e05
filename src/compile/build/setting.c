// What MJCF has no word for and a model says in <custom>.
#include "compile/build/build.h"

// <custom><text name="sinew_inertia" data="given"/> takes inertias as they stand, to rounding (the peer stops
// turning axes at 1e-6) and whether a rigid body can have them or not: robots described for other programs
// have such, and their equations of motion are well defined all the same.
bool sn_takesAnyInertia(const snSpec* spec)
{
    SN_EACH (snSpecText, text, spec->texts)
        if (text->head.name && !strcmp(text->head.name, "sinew_inertia"))
            return text->data && !strcmp(text->data, "given");
    return false;
}
