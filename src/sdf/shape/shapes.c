#define _GNU_SOURCE // newlocale
// Attributes of shapes, from text to numbers.
#include <locale.h>
#include <math.h>
#include "base/error.h"
#include "base/number.h"
#include "sdf/shape/shape.h"

const snSdfShape* const sn_sdfShapes[SN_SDF_SHAPES] = {&sn_boltShape, &sn_bowlShape, &sn_gearShape,
                                                       &sn_nutShape, &sn_torusShape};

static bool readOne(const char* text, locale_t locale, double* value)
{
    double next;
    return sn_nextReal(&text, locale, value) == SN_NUMBER_OK && isfinite(*value) &&
           sn_nextReal(&text, locale, &next) == SN_NUMBER_END;
}

static snStatus readAll(const snSdfShape* shape, const char* const* values, locale_t locale, double* numbers,
                        snError* error)
{
    for (int k = 0; k < shape->count; k++) {
        numbers[k] = shape->standard[k];
        if (!values[k] || !*values[k] || readOne(values[k], locale, numbers + k)) continue;
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: attribute '%s' must be one number, not '%.40s'",
                       shape->name, shape->keys[k], values[k]);
    }
    return SN_STATUS_OK;
}

snStatus sn_parseShape(const snSdfShape* shape, const char* const* values, double* numbers, snError* error)
{
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    const snStatus status = readAll(shape, values, locale, numbers, error);
    freelocale(locale);
    if (status) return status;
    return shape->prepare(numbers, error) ? SN_STATUS_OK : SN_STATUS_ARGUMENT;
}
