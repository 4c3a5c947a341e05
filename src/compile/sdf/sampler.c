#include "compile/sdf/sampler.h"
#include "base/memory.h"

bool sn_makeSampler(const snShell* shell, const double box[6], double slack, snSampler* sampler)
{
    enum { BITS = 14 };
    const snVec3 half = sn_v3Load(box + 3);
    *sampler = (snSampler){.shell = shell,
                           .low = sn_v3Sub(sn_v3Load(box), half),
                           .step = sn_v3Scale(half, 2.0 / SN_SAMPLER_UNITS),
                           .slack = slack,
                           .slots = sn_calloc(sizeof *sampler->slots << BITS),
                           .shift = 64 - BITS};
    return sampler->slots != NULL;
}

void sn_freeSampler(snSampler* sampler)
{
    sn_free(sampler->slots);
    sampler->slots = NULL;
}

static uint64_t keyOf(const int at[3])
{
    return 1 + ((uint64_t)at[0] | (uint64_t)at[1] << 16 | (uint64_t)at[2] << 32);
}

// The slot of a key, or the free one where it belongs. Fibonacci hashing.
static snSampleSlot* slotOf(snSampleSlot* slots, int shift, uint64_t key)
{
    const uint64_t mask = (UINT64_C(1) << (64 - shift)) - 1;
    uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> shift;
    while (slots[i].key && slots[i].key != key) i = (i + 1) & mask;
    return &slots[i];
}

// Twice as many slots.
static bool grow(snSampler* s)
{
    const size_t n = (size_t)1 << (64 - s->shift);
    snSampleSlot* slots = sn_calloc(2 * n * sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < n; i++)
        if (s->slots[i].key) *slotOf(slots, s->shift - 1, s->slots[i].key) = s->slots[i];
    sn_free(s->slots);
    s->slots = slots;
    s->shift--;
    return true;
}

// A point that is nearer to another than the surface is, is on the same side.
static snClue clueOf(const snSampler* s, snVec3 p, const snSample* near, const int near_at[3])
{
    if (!near) return (snClue){.hint = -1};
    const double apart = sn_v3Norm(sn_v3Sub(p, sn_latticePoint(s, near_at)));
    const bool same = apart + 2 * s->slack < fabs(near->distance);
    return (snClue){near->face, same ? near->distance < 0 ? -1 : 1 : 0, s->slack};
}

snSample sn_sampleAt(snSampler* s, const int at[3], const snSample* near, const int near_at[3])
{
    const uint64_t key = keyOf(at);
    snSampleSlot* slot = slotOf(s->slots, s->shift, key);
    if (slot->key || s->starved || s->visits > SN_MOST_VISITS) return slot->sample;
    const snVec3 p = sn_latticePoint(s, at);
    const snClue clue = clueOf(s, p, near, near_at);
    const snSample sample = sn_sampleShell(s->shell, p, &clue, &s->visits);
    *slot = (snSampleSlot){key, sample};
    if (++s->count > (1 << (63 - s->shift)) && !grow(s)) s->starved = true; // at least half of them are free
    return sample;
}
