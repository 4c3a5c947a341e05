// Skins.
#include "scene/list.h"

void snv_addSkins(const snvList* list)
{
    (void)list;
}

void snv_updateSkin(const snModel* m, const snData* d, snvScene* scene)
{
    (void)m, (void)d, (void)scene;
}
