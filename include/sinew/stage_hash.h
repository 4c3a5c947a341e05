// Hashes of what each stage has made: by them two runs of one model, on two processors, compilers or
// versions, tell in which step and at which stage they begin to differ.
#ifndef SINEW_STAGE_HASH_H
#define SINEW_STAGE_HASH_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The makers of SN_MAKER_TABLE in its order, that of a step: SN_MAKER_kinematics, ...
typedef enum snMaker {
#define X(maker, pass) SN_MAKER_##maker,
    SN_MAKER_TABLE(X)
#undef X
        SN_NMAKER
} snMaker;

/// A maker's name, "kinematics"; "" for a number that is none.
SN_API const char* sn_makerName(int maker);

/// hash [SN_NMAKER]: for each maker one of the bytes of all arrays that it made, as they stand in the data,
/// with their numbers of rows. Returns a hash of these. Bits count: 0 and -0 differ, and so do two NaN of
/// different bits. Live rows alone (ncon, nefc, ..., of paths and moment arms those in use); members of
/// structs without what lies between them. `integration` has time and impulse, too, `makeConstraint` mu and
/// efc_address of contacts, `collision` their other members. Arrays that no stage has filled yet are zeros.
/// The same on every machine, for one version of Sinew: a field more changes a hash. Changes and allocates
/// nothing. Cost: linear in the arrays.
SN_API uint64_t sn_stageHashes(const snModel* m, const snData* d, uint64_t hash[SN_NMAKER]);

#ifdef __cplusplus
}
#endif
#endif
