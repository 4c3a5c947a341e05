// snVisual: what a viewer would like to know. Kept with the model, not used by the engine.
#ifndef SINEW_VISUAL_H
#define SINEW_VISUAL_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snVisual {
    int reserved;
} snVisual;

/// Sets every visual option to its default.
SN_API void sn_defaultVisual(snVisual* vis);

#ifdef __cplusplus
}
#endif
#endif
