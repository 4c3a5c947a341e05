#include <sinew/visual.h>

void sn_defaultVisual(snVisual* vis)
{
    *vis = (snVisual){0};
}
