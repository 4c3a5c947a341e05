// Whether what looks at constraint rows may follow their ids and addresses, which a caller can have changed.
#ifndef SINEW_CHECK_ROWS_H
#define SINEW_CHECK_ROWS_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether ids and addresses of contacts, constraint rows, mechanisms and of the rows of M stay inside their
/// arrays, as sn_makeConstraint and the compiler leave them. The functions of island.h, sn_sparseJ, sn_efcJ,
/// sn_sparseM and sn_sparseLD read outside of memory where they do not. Cost: O(nC + nJcol + nefc).
SN_API snStatus sn_checkRows(const snModel* m, const snData* d, snError* error);

#ifdef __cplusplus
}
#endif

#endif
