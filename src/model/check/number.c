#include "model/check/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "model/check/finite.h"
#include "model/layout.h"

// Damping and stiffness are not among them: they may drive, and some models have them so.
static const char* const unsigned_fields[] = {
    "body_mass",         "body_subtreemass",  "body_inertia",         "body_invweight0",
    "jnt_maxforce",      "dof_frictionloss",  "dof_armature",         "dof_M0",
    "dof_invweight0",    "geom_size",         "geom_rbound",          "geom_friction",
    "geom_solmix",       "site_size",         "hfield_size",          "pair_friction",
    "eq_maxforce",       "tendon_width",      "tendon_armature",      "tendon_frictionloss",
    "tendon_invweight0", "actuator_armature", "actuator_cranklength", "actuator_acc0",
    "sensor_cutoff",     "sensor_noise",      "flex_solmix",          "flex_friction",
    "flex_radius",       "flexedge_length0",  "flexedge_invweight0",
};

const char* const* sn_unsignedFields(int* n)
{
    *n = (int)(sizeof unsigned_fields / sizeof *unsigned_fields);
    return unsigned_fields;
}

static bool isUnsigned(const char* name)
{
    int n;
    const char* const* names = sn_unsignedFields(&n);
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

// What must be of a number that is not so; NULL: it is.
static const char* rule(double x, bool infinite, bool positive)
{
    if (isnan(x)) return "must be a number";
    if (isinf(x) && !infinite) return "must be finite";
    return positive && x < 0 ? "must not be negative" : NULL;
}

snStatus sn_checkFieldNumbers(const snModel* m, int field, const double* numbers, const char* where,
                              snError* error)
{
    int count, rows, columns;
    const snField* f = sn_modelFields(&count) + field;
    sn_modelFieldShape(m, field, &rows, &columns);
    const double* own = *(double* const*)((const char*)m + f->offset);
    const bool infinite = sn_mayBeInfinite(f->name), positive = isUnsigned(f->name);
    for (int i = 0; i < rows * columns; i++) {
        const char* wrong = rule(numbers[i], infinite, positive);
        if (!wrong || numbers[i] == own[i]) continue;
        char column[16] = "";
        if (columns > 1) snprintf(column, sizeof column, "[%d]", i % columns);
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s[%d]%s%s is %g, %s", f->name, i / columns, column, where,
                       numbers[i], wrong);
    }
    return SN_STATUS_OK;
}
