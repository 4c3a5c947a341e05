#include "sdf/shape/shape.h"
#include <math.h>
#include "base/error.h"
#include "base/number.h"

static bool readOne(const char* text, snLocale locale, double* value)
{
    double next;
    return sn_nextReal(&text, locale, value) == SN_NUMBER_OK && isfinite(*value) &&
           sn_nextReal(&text, locale, &next) == SN_NUMBER_END;
}

static bool readAll(const snShapeKeys* keys, const char* const* values, snLocale locale, double* numbers,
                    snError* error)
{
    for (int k = 0; k < keys->count; k++) {
        numbers[k] = keys->standard[k];
        if (!values[k] || !*values[k] || readOne(values[k], locale, numbers + k)) continue;
        sn_fail(error, SN_STATUS_MODEL, "attribute '%s' must be one number, not '%.40s'", keys->name[k],
                values[k]);
        return false;
    }
    return true;
}

bool sn_readShape(const snShapeKeys* keys, const char* const* values, double* numbers, snError* error)
{
    const snLocale locale = sn_makeLocale();
    if (!locale) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    const bool read = readAll(keys, values, locale, numbers, error);
    sn_freeLocale(locale);
    return read;
}

bool sn_noShape(snError* error, const char* why)
{
    sn_fail(error, SN_STATUS_MODEL, "%s", why);
    return false;
}
