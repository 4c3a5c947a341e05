#include "model/check/finite.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "model/layout.h"

// Limits may be infinite: none.
bool sn_mayBeInfinite(const char* name)
{
    const size_t n = strlen(name);
    return (n > 5 && !strcmp(name + n - 5, "range")) || !strcmp(name, "sensor_cutoff");
}

// The first of n numbers that is not finite; -1: none.
static int firstStrange(const char* type, const void* array, int n, bool bounds)
{
    const bool reals = !strcmp(type, "double"), floats = !strcmp(type, "float");
    for (int i = 0; (reals || floats) && i < n; i++) {
        const double x = reals ? ((const double*)array)[i] : (double)((const float*)array)[i];
        if (!isfinite(x) && !(bounds && isinf(x))) return i;
    }
    return -1;
}

static bool finiteFields(const snModel* m, snError* error)
{
    int count, at;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        int rows, columns;
        sn_modelFieldShape(m, i, &rows, &columns);
        const void* array = *(void* const*)((const char*)m + fields[i].offset);
        at = firstStrange(fields[i].type, array, rows * columns, sn_mayBeInfinite(fields[i].name));
        if (at < 0) continue;
        sn_fail(error, SN_STATUS_MODEL, "model field %s[%d]: not a finite number", fields[i].name, at);
        return false;
    }
    at = firstStrange("double", &m->stat, (int)(sizeof m->stat / sizeof(double)), false);
    if (at >= 0) sn_fail(error, SN_STATUS_MODEL, "model field stat[%d]: not a finite number", at);
    return at < 0;
}

static bool finiteSettings(const snModel* m, snError* error)
{
    int count;
    const snOptionField* options = sn_optionFields(&count);
    for (int i = 0; i < count; i++) {
        const char* place = (const char*)&m->opt + options[i].offset;
        if (firstStrange(options[i].type, place, options[i].count, false) < 0) continue;
        sn_fail(error, SN_STATUS_MODEL, "option %s is not a finite number", options[i].name);
        return false;
    }
    const snVisualField* visual = sn_visualFields(&count);
    for (int i = 0; i < count; i++) {
        const char* place = (const char*)&m->vis + visual[i].offset;
        if (firstStrange(visual[i].type, place, visual[i].count, false) < 0) continue;
        sn_fail(error, SN_STATUS_MODEL, "visual %s/%s is not a finite number", visual[i].group,
                visual[i].name);
        return false;
    }
    return true;
}

bool sn_isFiniteModel(const snModel* m, snError* error)
{
    return finiteFields(m, error) && finiteSettings(m, error);
}
