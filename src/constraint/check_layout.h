// How contacts and constraint rows lie beside each other.
#ifndef SINEW_CONSTRAINT_CHECK_LAYOUT_H
#define SINEW_CONSTRAINT_CHECK_LAYOUT_H

#include <sinew/data.h>

/// Whether rows stand in their sections, one behind the other in efc_J, and touch the dofs that what they are
/// of has, and whether contacts know their rows. After sn_checkRows.
snStatus sn_checkLayout(const snModel* m, const snData* d, snError* error);

#endif
