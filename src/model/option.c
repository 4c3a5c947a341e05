#include <sinew/option.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "model/option_default.h"
#include "model/option_enum.h"
#include "model/rules.h"

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

// The one that the meaning begins with.
const snEnum* sn_optionEnum(const snOptionField* field)
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
    const snEnum* kinds = sn_optionEnum(field);
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

// ---- rigid contact

// A number in [least, most].
typedef struct Range {
    const char* name;
    double value, least, most;
    const char* words;
} Range;

static snStatus checkRange(const Range* range, snError* error)
{
    if (range->value >= range->least && range->value <= range->most) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT, "option %s is %g, must be %s", range->name, range->value,
                   range->words);
}

static bool isJacobi(const snOption* opt)
{
    return opt->lcp_method == SN_LCP_JACOBI || opt->lcp_method == SN_LCP_BLOCKJACOBI;
}

// Relaxation in (0, 2); of Jacobi's methods 0 stands for one from the spectral radius.
static snStatus checkRelaxation(const snOption* opt, snError* error)
{
    const double omega = opt->lcp_omega;
    if (omega < 2 && (omega > 0 || (omega == 0 && isJacobi(opt)))) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   omega == 0 ? "option lcp_omega is %g, must be above 0 and below 2; 0, from the spectral "
                                "radius, is for the methods jacobi and blockjacobi"
                              : "option lcp_omega is %g, must be above 0 and below 2",
                   omega);
}

static snStatus checkLcp(const snOption* opt, const char* name, snError* error)
{
    const double any = HUGE_VAL;
    const Range ranges[] = {
        {"lcp_tolerance", opt->lcp_tolerance, 0, any, "0 or more"},
        {"lcp_erp", opt->lcp_erp, 0, 1, "0 to 1"},
        {"lcp_slop", opt->lcp_slop, 0, any, "0 or more"},
        {"lcp_push", opt->lcp_push, 0, any, "0 or more"},
        {"lcp_margin", opt->lcp_margin, 0, any, "0 or more"},
        {"lcp_restitution", opt->lcp_restitution, 0, 1, "0 to 1"},
        {"lcp_bounce", opt->lcp_bounce, 0, any, "0 or more"},
        {"lcp_sweeps", opt->lcp_sweeps, 1, any, "1 or more"},
        {"lcp_symmetric", opt->lcp_symmetric, 0, 1, "0 or 1"},
        {"lcp_accelerate", opt->lcp_accelerate, 0, 1, "0 or 1"},
        {"lcp_fallback", opt->lcp_fallback, 0, 1, "0 or 1"},
    };
    snStatus status = SN_STATUS_OK;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && !status; i++)
        if (isAsked(name, ranges[i].name)) status = checkRange(&ranges[i], error);
    if (!status && (isAsked(name, "lcp_omega") || isAsked(name, "lcp_method")))
        status = checkRelaxation(opt, error);
    return status;
}

static const char* integratorName(int integrator)
{
    switch (integrator) {
#define X(name, value, keyword, meaning)                                                                     \
    case value: return keyword;
        SN_INTEGRATOR_TABLE(X)
#undef X
    default: return "";
    }
}

// What cannot hold together with rigid contact.
static snStatus checkContact(const snOption* opt, const char* name, snError* error)
{
    const bool asked = isAsked(name, "contact");
    if (opt->contact != SN_CONTACT_LCP) return SN_STATUS_OK;
    if (opt->integrator != SN_INT_EULER && opt->integrator != SN_INT_DISCRETE &&
        (asked || isAsked(name, "integrator")))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "contact lcp finds the velocity after a step of Euler's method or of the integrator "
                       "discrete, the "
                       "integrator %s has no such step: set integrator to Euler, or contact to soft",
                       integratorName(opt->integrator));
    if (opt->noslip_iterations > 0 && (asked || isAsked(name, "noslip_iterations")))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "contact lcp has no noslip pass, its friction does not slip: set noslip_iterations to "
                       "0, or contact to soft");
    if ((opt->enableflags & SN_ENBL_FWDINV) && (asked || isAsked(name, "enableflags")))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "contact lcp has no inverse dynamics, which the flag fwdinv compares with: disable "
                       "fwdinv, or set contact to soft");
    return SN_STATUS_OK;
}

// What the integrator discrete has not.
static snStatus checkDiscrete(const snOption* opt, const char* name, snError* error)
{
    const bool asked = isAsked(name, "integrator");
    if (opt->integrator != SN_INT_DISCRETE) return SN_STATUS_OK;
    if (opt->servo == SN_SERVO_END && (asked || isAsked(name, "servo")))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "the integrator discrete takes servos at the end of the step as long as they are within "
            "their limits at its beginning: set servo to begin, or integrator to implicitfast");
    if (opt->loop_solution != SN_LOOPSOL_Y && (asked || isAsked(name, "loop_solution")))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "the integrator discrete finds loops by their independent accelerations alone: set "
                       "loop_solution to y, or another integrator");
    if (opt->contact == SN_CONTACT_LCP && opt->lcp_coordinates == SN_COORDINATES_MAXIMAL &&
        (asked || isAsked(name, "contact") || isAsked(name, "lcp_coordinates")))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "the integrator discrete has no maximal coordinates: set lcp_coordinates to auto or tree, "
            "or integrator to Euler");
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
    snStatus status = checkLcp(opt, name, error);
    for (int i = 0; i < count && !status; i++) {
        const void* at = (const char*)opt + fields[i].offset;
        if (name && strcmp(fields[i].name, name) != 0) continue;
        status = *fields[i].type == 'd' ? checkNumbers(&fields[i], at, error)
                                        : checkInteger(&fields[i], *(const int*)at, error);
    }
    if (!status) status = checkLoops(opt, name, error);
    if (!status) status = checkDiscrete(opt, name, error);
    return status ? status : checkContact(opt, name, error);
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

snVisual sn_visualOf(int physics)
{
    snVisual vis;
    sn_defaultVisual(&vis);
    if (sn_means(physics, SN_RULE_HEADLIGHT_AUTO)) vis.headlight.active = 2;
    return vis;
}

snOption sn_optionOf(int physics)
{
    snOption opt;
    sn_defaultOption(&opt);
    if (sn_means(physics, SN_RULE_MULTICCD_ON)) opt.enableflags |= SN_ENBL_MULTICCD;
    return opt;
}
