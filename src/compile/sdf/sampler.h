// Samples of a shell on a lattice, each made once.
#ifndef SINEW_COMPILE_SDF_SAMPLER_H
#define SINEW_COMPILE_SDF_SAMPLER_H

#include <stdint.h>
#include "compile/sdf/shell.h"

enum { SN_SAMPLER_UNITS = 1 << 12 }; ///< steps of the lattice along each side of its box

/// Nodes of trees that may be looked at for one field: some ten seconds of work.
#define SN_MOST_VISITS (INT64_C(300) * 1000 * 1000)

/// A sample with its key; key 0: none.
typedef struct snSampleSlot {
    uint64_t key;
    snSample sample;
} snSampleSlot;

typedef struct snSampler {
    const snShell* shell;
    snVec3 low, step; ///< corner of the box, and what a step is along each axis
    double slack;     ///< see snClue
    snSampleSlot* slots;
    int shift, count; ///< 2^(64 - shift) slots, of which `count` are taken
    int64_t visits;   ///< nodes of trees that were looked at
    bool starved;     ///< memory is out: samples are no longer true, as after SN_MOST_VISITS
} snSampler;

/// box: centre, half sizes. false: memory is out. sn_freeSampler in either case.
bool sn_makeSampler(const snShell* shell, const double box[6], double slack, snSampler* sampler);
void sn_freeSampler(snSampler* sampler);

static inline snVec3 sn_latticePoint(const snSampler* s, const int at[3])
{
    return sn_v3(s->low.x + at[0] * s->step.x, s->low.y + at[1] * s->step.y, s->low.z + at[2] * s->step.z);
}

/// The sample at a place of the lattice. near: one that has been made close to it, at near_at; NULL: none.
snSample sn_sampleAt(snSampler* s, const int at[3], const snSample* near, const int near_at[3]);

#endif
