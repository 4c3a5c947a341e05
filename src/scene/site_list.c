// Sites.
#include "scene/list.h"

void snv_addSites(const snvList* list)
{
    (void)list;
}

void snv_addSiteFrames(const snvList* list)
{
    (void)list;
}
