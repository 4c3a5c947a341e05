// Numbers and messages as text.
#ifndef SINEW_TEXT_H
#define SINEW_TEXT_H

#include <sinew/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number of bytes in the largest unit of 1024, 1024^2, ... that divides it: "1025", "3M". Letters K M G T
/// P E. Returns text.
SN_API const char* sn_writeNumBytes(uint64_t nbytes, char text[24]);

/// Appends the local time, "type: msg" and an empty line to the file at path; false when it cannot be
/// written.
SN_API bool sn_writeLog(const char* path, const char* type, const char* msg);

/// A matrix [nr x nc] as text, a row a line with eight decimals, and an empty line.
SN_API void sn_printMat(FILE* out, const double* mat, int nr, int nc);

/// The numbers of a sparse matrix (sparse.h) of nr rows, as (row column): value, a row a line, six decimals,
/// and an empty line. Columns may be any.
SN_API void sn_printMatSparse(FILE* out, const double* mat, int nr, const int* rownnz, const int* rowadr,
                              const int* colind);

#ifdef __cplusplus
}
#endif
#endif
