// Models and data as text, for people to read and compare.
#ifndef SINEW_PRINT_H
#define SINEW_PRINT_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether text is one conversion of a double for printf and nothing else: '%', flags of "-+ #0", a width
/// and a precision of at most three digits, and one of f, F, e, E, g, G, a, A, which an l may precede.
SN_API int sn_isFloatFormat(const char* text);

/// Writes a model to the file `path`, NULL: to standard output. Sizes that are not 0, options, visual
/// settings, statistics; then each element with its name and its fields; then all other arrays, of which at
/// most 1000 rows are shown. Numbers go by float_format (see sn_isFloatFormat), NULL: "%- 9.2g"; indices and
/// flags are integers. Status ARGUMENT: no such format; FILE: cannot be written, with path and reason.
SN_API snStatus sn_printModel(const snModel* m, const char* path, const char* float_format, snError* error);

/// Writes a data of the model as sn_printModel does: memory, sizes, warnings that were raised, timers that
/// ran, the solver's iterations, energy, time; then all arrays, contacts with the names of their geoms and
/// their forces, sparse ones as "column: number". Work of single stages is left out.
SN_API snStatus sn_printData(const snModel* m, const snData* d, const char* path, const char* float_format,
                             snError* error);

#ifdef __cplusplus
}
#endif
#endif
