// Whether a data that came from outside may be simulated.
#ifndef SINEW_CHECK_DATA_H
#define SINEW_CHECK_DATA_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether every index, address, count and kind in the data is one that the stages leave there, alone and
/// beside the others: contacts, rows, tendons' paths and moment arms, actuators' moment arms, loops. Any
/// stage may follow them then. Numbers may be anything: each step checks what is made of them. The arrays
/// must be in their places, and have the room that their counts say. SN_STATUS_ARGUMENT: one does not fit;
/// SN_STATUS_NO_MEMORY. Allocates. Cost: linear in the arrays of int.
SN_API snStatus sn_checkData(const snModel* m, const snData* d, snError* error);

#ifdef __cplusplus
}
#endif

#endif
