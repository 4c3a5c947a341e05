// sn_copyBack: what was changed in a compiled model becomes what the source says.
#ifndef SINEW_COMPILE_COPY_BACK_H
#define SINEW_COMPILE_COPY_BACK_H

#include "compile/build/build.h"

typedef struct snCopyBack {
    snBuild b;         ///< of the spec, for frames and orientations
    const snModel* m;  ///< that was changed
    const snModel* m0; ///< that the spec compiles to
    const snModel* mu; ///< the same without the scales of frames
    bool scaled;       ///< the element at hand may be scaled: its numbers are not those of the model
} snCopyBack;

// Each returns false with the error filled: the source cannot say what was changed.

/// Fills the error: `what` of an element was changed, which `why` (a half sentence) forbids.
bool sn_cannotCopy(snCopyBack* c, const snElement* e, const char* what, const char* why);
/// Whether an element can have an attribute.
bool sn_canSay(const snElement* e, const char* attribute);
/// Whether an element stands in a frame that scales.
bool sn_isInScale(const snElement* e);
/// Sets an attribute from numbers, which are those of the source.
bool sn_copyNumbers(snCopyBack* c, snElement* e, const char* attribute, const double* numbers, int n);
/// Whether n numbers of both models from `at` on differ.
static inline bool sn_differs(const double* one, const double* other, int at, int n)
{
    for (int k = at; k < at + n; k++)
        if (one[k] != other[k] && !(isnan(one[k]) && isnan(other[k]))) return true;
    return false;
}

// copy_pose.c
bool sn_copyBody(snCopyBack* c, snElement* e);
bool sn_copyGeom(snCopyBack* c, snElement* e);
bool sn_copySite(snCopyBack* c, snElement* e);
bool sn_copyCamera(snCopyBack* c, snElement* e);
bool sn_copyLight(snCopyBack* c, snElement* e);

// copy_joint.c
bool sn_copyJoint(snCopyBack* c, snElement* e);
bool sn_copyTendon(snCopyBack* c, snElement* e);
bool sn_copyEquality(snCopyBack* c, snElement* e);
bool sn_copyActuator(snCopyBack* c, snElement* e);

#endif
