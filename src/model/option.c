#include <sinew/option.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"

static const snOptionField option_fields[] = {
#define X(type, name, init, meaning) {#name, #type, 1, meaning, offsetof(snOption, name)},
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) {#name, "double", count, meaning, offsetof(snOption, name)},
        SN_OPTION_VECTORS(X)
#undef X
};

const snOptionField* sn_optionFields(int* count)
{
    *count = (int)(sizeof(option_fields) / sizeof(option_fields[0]));
    return option_fields;
}

// The enumeration that a meaning begins with; NULL: none.
static const snEnum* enumerationOf(const snOptionField* field)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++) {
        const size_t n = strlen(enums[i].type);
        if (!strncmp(field->meaning, enums[i].type, n) && !isalnum((unsigned char)field->meaning[n]))
            return &enums[i];
    }
    return NULL;
}

static snStatus checkInteger(const snOptionField* field, int value, snError* error)
{
    const snEnum* kinds = enumerationOf(field);
    const bool bits = !strncmp(field->meaning, "bits of", 7);
    if (!kinds && (bits || value >= 0)) return SN_STATUS_OK;
    if (!kinds)
        return sn_fail(error, SN_STATUS_ARGUMENT, "option %s is %d, must be 0 or more", field->name, value);
    char words[256] = "";
    for (int i = 0, at = 0; i < kinds->count && at < (int)sizeof words; i++) {
        if (kinds->items[i].value == value) return SN_STATUS_OK;
        at += snprintf(words + at, sizeof words - (size_t)at, "%s%s (%d)", i ? ", " : "",
                       kinds->items[i].keyword, kinds->items[i].value);
    }
    return sn_fail(error, SN_STATUS_ARGUMENT, "option %s is %d, must be one of: %s", field->name, value,
                   words);
}

// The option that is asked about, or all.
static bool isAsked(const char* name, const char* option)
{
    return !name || !strcmp(name, option);
}

static snStatus checkLoops(const snOption* opt, const char* name, snError* error)
{
    if (isAsked(name, "loop_tstab") && opt->loop_tstab <= 0)
        return sn_fail(error, SN_STATUS_ARGUMENT, "option loop_tstab is %g, must be positive",
                       opt->loop_tstab);
    if (isAsked(name, "loop_ranktol") && !(opt->loop_ranktol >= 0 && opt->loop_ranktol < 1))
        return sn_fail(error, SN_STATUS_ARGUMENT, "option loop_ranktol is %g, must be 0 or more, and below 1",
                       opt->loop_ranktol);
    if (isAsked(name, "loop_project") && opt->loop_project != 0 && opt->loop_project != 1)
        return sn_fail(error, SN_STATUS_ARGUMENT, "option loop_project is %d, must be 0 or 1",
                       opt->loop_project);
    if (opt->loops == SN_LOOPS_EXACT && opt->loop_tstab < 2 * opt->timestep &&
        (isAsked(name, "loop_tstab") || isAsked(name, "timestep") || isAsked(name, "loops")))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "option loop_tstab is %g, too small for the timestep %g: make it %g or more",
                       opt->loop_tstab, opt->timestep, 2 * opt->timestep);
    return SN_STATUS_OK;
}

static snStatus checkNumbers(const snOptionField* field, const double* x, snError* error)
{
    for (int i = 0; i < field->count; i++)
        if (!isfinite(x[i]))
            return sn_fail(error, SN_STATUS_ARGUMENT, "option %s is %g, must be finite", field->name, x[i]);
    if (!strcmp(field->name, "timestep") && *x <= 0)
        return sn_fail(error, SN_STATUS_ARGUMENT, "option timestep is %g, must be positive", *x);
    return SN_STATUS_OK;
}

snStatus sn_checkOption(const snOption* opt, const char* name, snError* error)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    for (int i = 0; i < count; i++) {
        const void* at = (const char*)opt + fields[i].offset;
        if (name && strcmp(fields[i].name, name) != 0) continue;
        const snStatus status = *fields[i].type == 'd' ? checkNumbers(&fields[i], at, error)
                                                       : checkInteger(&fields[i], *(const int*)at, error);
        if (status) return status;
    }
    return checkLoops(opt, name, error);
}

void sn_defaultOption(snOption* opt)
{
    *opt = (snOption){
#define X(type, name, init, meaning) .name = init,
        SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) .name = {__VA_ARGS__},
            SN_OPTION_VECTORS(X)
#undef X
    };
}
