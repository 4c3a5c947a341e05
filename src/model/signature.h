// The signature of a pair of bodies, what predefined and excluded pairs are sorted by; how many bodies it can
// tell apart.
#ifndef SINEW_MODEL_SIGNATURE_H
#define SINEW_MODEL_SIGNATURE_H

enum {
    SN_MOST_BODIES = 1 << 20,       ///< that a model may have, the world among them
    SN_MOST_SIGNED_BODIES = 1 << 15 ///< the same with predefined or excluded pairs
};

/// body1 2^16 + body2; of bodies that are too many for it some int, which is no pair's.
static inline int sn_signature(int body1, int body2)
{
    return (int)(((unsigned)body1 << 16) + (unsigned)body2);
}

#endif
