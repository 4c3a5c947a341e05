// Forced in front of every file that is compiled for lanes: those of this folder, and those elsewhere whose
// first line says so (`In lanes, too`), by which CMake collects them. In them `real` is a vector with a
// number for each lane, snModel and snData are structs of such numbers, made from the same tables, and the
// functions of the library have names of their own. What they say of a number is `real`, never `double`; one
// for all lanes is an snDouble.
//
// A lane is left to the scalar engine by its bit in d->eject: for what is rare or cannot be done in lanes.
#ifndef SINEW_BATCH_LANE_PRELUDE_H
#define SINEW_BATCH_LANE_PRELUDE_H

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sinew/data.h>
#include "batch/engine.h"
#include "math/real.h"
#include "math/sincos.h"

#undef SN_API
#define SN_API

// ---- names: SN_LANE(sn_kinematics) is sn_kinematics_8d

#define SN_LANE_PASTE(name, suffix) name##suffix
#define SN_LANE_WITH(name, suffix) SN_LANE_PASTE(name, suffix)
#define SN_LANE(name) SN_LANE_WITH(name, SN_LANE_SUFFIX)
#include "batch/lane/names.h"

// ---- types in lanes

#define SN_LANE_double real
#define SN_LANE_float float
#define SN_LANE_int int
#define SN_LANE_char char
#define SN_LANE_uint8_t uint8_t
#define SN_LANE_uint64_t uint64_t
#define SN_LANE_snContact snLaneContact
#define SN_LANEDATA_double real
#define SN_LANEDATA_int int
#define SN_LANEDATA_float float
#define SN_LANEDATA_uint8_t snMask // eq_active, which lanes have of their own

typedef struct snLaneOption {
#define X(type, name, init, meaning) SN_LANE_##type name;
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) real name[count];
    SN_OPTION_VECTORS(X)
#undef X
} snLaneOption;

/// As snStatistic.
typedef struct snLaneStatistic {
    real meaninertia, meanmass, meansize, extent, center[3];
} snLaneStatistic;

/// Pointers to numbers of all lanes, to ints of the model.
typedef struct snLaneModel {
#define X(name, meaning) int name;
    SN_MODEL_SIZES(X)
#undef X
    int physics;
    snLaneOption opt;
    snLaneStatistic stat;
#define X(type, name, rows, columns, group, meaning) SN_LANE_##type* name;
    SN_MODEL_FIELDS(X)
#undef X
    const snScalarModel* scalar; ///< the model that it was made from
    struct snBatchPairs* pairs;  ///< geoms that may ever meet (batch/pair.h)
#ifdef SN_SINGLE
    snDouble timestep[SN_LANES]; ///< opt.timestep as it is given
#endif
    void* buffer;
} snLaneModel;

/// A contact of the lanes in `live` and `gap`; bodies, dimension and rows are the same in all lanes, and so
/// are the geoms unless contacts share places (batch/lane/share.h). Where a lane has none its numbers are
/// finite and mean nothing.
typedef struct snLaneContact {
    snMask live; ///< lanes in which it has rows: dist < includemargin
    snMask gap;  ///< lanes in which it is seen alone: includemargin <= dist < reach of the pair
    real dist, pos[3], frame[9], includemargin, friction[5], solref[SN_NREF], solreffriction[SN_NREF],
        solimp[SN_NIMP], mu;
    int dim, geom[2], exclude, efc_address;
    real adhesion, surfacevel[3];
    int pair; ///< of the list, whose parameters lanes without the contact have
} snLaneContact;

/// Arrays of all lanes. Counts, addresses and other ints are the same in all of them: rows of constraints are
/// those that any lane has, with D = 0 in lanes that have them not.
typedef struct snLaneData {
#define X(type, name, meaning) SN_LANE_##type name;
    SN_DATA_SCALARS(X)
#undef X
    real energy[2];
    real iterations; ///< of the solver, in all its calls since the step began
    snMask eject;    ///< lanes that the scalar engine has to step
    size_t pstack;   ///< bytes of `stack` taken by scratch
    size_t nstack;   ///< bytes of `stack`
    size_t parena;   ///< bytes of `arena` taken
    size_t narena;   ///< bytes of `arena`, address space
#define X(type, name, ...) SN_LANEDATA_##type* name;
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, ...) SN_LANE_##type* name;
    SN_ARENA_FIELDS(X)
#undef X
    snMask* efc_live; ///< [nefc] lanes that have the row
#ifdef SN_SINGLE
    snDouble clock[SN_LANES]; ///< time, which as a float would soon stand still; `time` follows it
#endif
    void *buffer, *stack, *arena;
} snLaneData;

#undef DBL_EPSILON // of the lanes' numbers, and without a cast to what `double` is here
#ifdef SN_SINGLE
#define DBL_EPSILON 0x1p-23f
#undef HUGE_VAL
#define HUGE_VAL __builtin_huge_valf()
#else
#define DBL_EPSILON 0x1p-52
#endif

#define snModel snLaneModel
#define snData snLaneData
#define snContact snLaneContact
#define snOption snLaneOption

// ---- the public headers, in which numbers are double

#define double real
#include <sinew/collision.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <sinew/muscle.h>
#include <sinew/ray.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#undef double

#endif
