// Which fields of a data are made: in builds for tests what a pass and later ones make (SN_MAKER_TABLE) is
// taken away when the pass begins, and each stage asserts that what it reads is there. Other builds: nothing.
#ifndef SINEW_MODEL_MADE_H
#define SINEW_MODEL_MADE_H

#include <assert.h>
#include <stddef.h>
#include <sinew/data.h>

/// Passes of SN_MAKER_TABLE, as bits.
typedef enum snPass {
    SN_PASS_kept = 0,
    SN_PASS_position = 1,
    SN_PASS_velocity = 2,
    SN_PASS_acceleration = 4,
    SN_PASS_asked = 8
} snPass;

#if defined(SN_POISON) && !defined(SN_LANES)
/// Poisons all fields that the passes make, a sum of snPass.
void sn_unmake(const snModel* m, snData* d, int passes);
/// Whether all of them have been made since, their first and last number; `offset` [count] of their pointers.
/// Says which has not.
bool sn_areMade(const snModel* m, const snData* d, const size_t* offset, size_t count);

// clang-format off
// The offsets of up to 12 fields.
#define SN_OFFSETS1(f) offsetof(snData, f)
#define SN_OFFSETS2(f, ...) offsetof(snData, f), SN_OFFSETS1(__VA_ARGS__)
#define SN_OFFSETS3(f, ...) offsetof(snData, f), SN_OFFSETS2(__VA_ARGS__)
#define SN_OFFSETS4(f, ...) offsetof(snData, f), SN_OFFSETS3(__VA_ARGS__)
#define SN_OFFSETS5(f, ...) offsetof(snData, f), SN_OFFSETS4(__VA_ARGS__)
#define SN_OFFSETS6(f, ...) offsetof(snData, f), SN_OFFSETS5(__VA_ARGS__)
#define SN_OFFSETS7(f, ...) offsetof(snData, f), SN_OFFSETS6(__VA_ARGS__)
#define SN_OFFSETS8(f, ...) offsetof(snData, f), SN_OFFSETS7(__VA_ARGS__)
#define SN_OFFSETS9(f, ...) offsetof(snData, f), SN_OFFSETS8(__VA_ARGS__)
#define SN_OFFSETS10(f, ...) offsetof(snData, f), SN_OFFSETS9(__VA_ARGS__)
#define SN_OFFSETS11(f, ...) offsetof(snData, f), SN_OFFSETS10(__VA_ARGS__)
#define SN_OFFSETS12(f, ...) offsetof(snData, f), SN_OFFSETS11(__VA_ARGS__)
#define SN_PICK(a, b, c, d, e, f, g, h, i, j, k, l, name, ...) name
#define SN_OFFSETS(...) SN_PICK(__VA_ARGS__, SN_OFFSETS12, SN_OFFSETS11, SN_OFFSETS10, SN_OFFSETS9, SN_OFFSETS8, SN_OFFSETS7, \
    SN_OFFSETS6, SN_OFFSETS5, SN_OFFSETS4, SN_OFFSETS3, SN_OFFSETS2, SN_OFFSETS1, 0)(__VA_ARGS__)
// clang-format on

/// The fields stand there, a stage that reads them may begin: sn_assertMade(m, d, xipos, ximat).
#define sn_assertMade(m, d, ...)                                                                             \
    assert(sn_areMade(m, d, (const size_t[]){SN_OFFSETS(__VA_ARGS__)},                                       \
                      sizeof((const size_t[]){SN_OFFSETS(__VA_ARGS__)}) / sizeof(size_t)))
#else
#define sn_unmake(m, d, passes) ((void)0)
#define sn_assertMade(m, d, ...) ((void)0)
#endif

#endif
