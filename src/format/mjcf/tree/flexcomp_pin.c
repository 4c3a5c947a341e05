// Points of a flexcomp that the body around it holds.
#include "format/mjcf/tree/flexcomp_points.h"
#include <limits.h>

static void pinPoint(snFlexcomp* f, int i)
{
    f->npinned += !f->pinned[i];
    f->pinned[i] = true;
}

static bool pinIds(snFlexcomp* f, const snElement* pin, snSpecInts list)
{
    for (int i = 0; i < list.count; i++) {
        if (list.values[i] < 0 || list.values[i] >= f->npoint)
            return sn_mjcfFail(f->r, pin, SN_STATUS_MODEL, "id has point %d, there are 0 to %d",
                               list.values[i], f->npoint - 1);
        pinPoint(f, list.values[i]);
    }
    return true;
}

static bool pinRanges(snFlexcomp* f, const snElement* pin, snSpecInts list)
{
    if (list.count % 2)
        return sn_mjcfFail(f->r, pin, SN_STATUS_MODEL,
                           "range has %d numbers: give two a range, first and last", list.count);
    for (int i = 0; i < list.count; i += 2) {
        const int first = list.values[i], last = list.values[i + 1];
        if (first < 0 || last < 0 || first >= f->npoint || last >= f->npoint)
            return sn_mjcfFail(f->r, pin, SN_STATUS_MODEL, "range has points %d to %d, there are 0 to %d",
                               first, last, f->npoint - 1);
        for (int k = first; k <= last; k++) pinPoint(f, k);
    }
    return true;
}

// Places of the least and the largest corner of a box of points, the same of a single one.
static bool pinPlaces(snFlexcomp* f, const snElement* pin, const char* name, const int* least,
                      const int* largest)
{
    int first[3] = {0, 0, 0}, last[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    for (int k = 0; k < f->set.dim; k++) {
        first[k] = least[k];
        last[k] = largest[k];
        n[k] = f->set.count[k];
        const int wrong = first[k] < 0 || first[k] >= n[k] ? first[k] : last[k];
        if (wrong < 0 || wrong >= n[k])
            return sn_mjcfFail(f->r, pin, SN_STATUS_MODEL, "%s has place %d along %c, there are 0 to %d",
                               name, wrong, "xyz"[k], n[k] - 1);
    }
    for (int x = first[0]; x <= last[0]; x++)
        for (int y = first[1]; y <= last[1]; y++)
            for (int z = first[2]; z <= last[2]; z++) pinPoint(f, (x * n[1] + y) * n[2] + z);
    return true;
}

static bool pinGrid(snFlexcomp* f, const snElement* pin, const char* name, snSpecInts list, int corners)
{
    const int dim = f->set.dim, each = corners * dim;
    if (!list.count) return true;
    if (f->set.type != SN_FLEXCOMP_GRID || dim == 1)
        return sn_mjcfFail(f->r, pin, SN_STATUS_MODEL,
                           "'%s' is for type=\"grid\" of dim 2 and 3: use 'id' or 'range'", name);
    if (list.count % each)
        return sn_mjcfFail(f->r, pin, SN_STATUS_MODEL, "%s has %d numbers: give %d for each", name,
                           list.count, each);
    for (int i = 0; i < list.count; i += each)
        if (!pinPlaces(f, pin, name, list.values + i, list.values + i + each - dim)) return false;
    return true;
}

bool sn_readPin(snFlexcomp* f, const snElement* node)
{
    snSpecPin pin = {.id = {NULL, 0}};
    return sn_readAttributes(f->r, node, sn_mjcfElement(SN_MJCF_FLEXCOMP_PIN), SN_IN_ELEMENT, &pin) &&
           sn_readNoChildren(f->r, node) && pinIds(f, node, pin.id) && pinRanges(f, node, pin.range) &&
           pinGrid(f, node, "grid", pin.grid, 1) && pinGrid(f, node, "gridrange", pin.gridrange, 2);
}
