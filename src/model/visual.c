// The visual options' table as data, and their defaults.
#include <sinew/visual.h>

#define SINGLE(group, type, name, meaning, init)                                                             \
    {#group, #name, #type, 1, 0, meaning, offsetof(snVisual, group.name)},
#define BOOLEAN(group, type, name, meaning, init)                                                            \
    {#group, #name, #type, 1, 1, meaning, offsetof(snVisual, group.name)},
#define VECTOR(group, name, count, meaning, ...)                                                             \
    {#group, #name, "float", count, 0, meaning, offsetof(snVisual, group.name)},
#define GROUP(group, table) table(SINGLE, BOOLEAN, VECTOR)
static const snVisualField visual_fields[] = {SN_VISUAL_GROUPS(GROUP)};
#undef SINGLE
#undef VECTOR
#undef GROUP

const snVisualField* sn_visualFields(int* count)
{
    *count = (int)(sizeof(visual_fields) / sizeof(visual_fields[0]));
    return visual_fields;
}

#define SINGLE(group, type, name, meaning, init) .group.name = init,
#define VECTOR(group, name, count, meaning, ...) .group.name = {__VA_ARGS__},
#define GROUP(group, table) table(SINGLE, SINGLE, VECTOR)
void sn_defaultVisual(snVisual* vis)
{
    *vis = (snVisual){SN_VISUAL_GROUPS(GROUP)};
}
