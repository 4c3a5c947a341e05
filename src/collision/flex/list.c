#include "collision/flex/list.h"
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "collision/contact/append.h"
#include "collision/flex/key.h"
#include "math/zero.h"
#include "model/arena.h"

// Twice as much room, with what is there; NULL: scratch is full.
static void* grow(snData* d, const void* list, int* capacity, int count, size_t size)
{
    const int wanted = *capacity ? 2 * *capacity : 64;
    void* room = sn_scratchAlloc(d, (size_t)wanted * size);
    if (!room) return NULL;
    if (count) memcpy(room, list, (size_t)count * size);
    *capacity = wanted;
    return room;
}

void sn_addKey(snKeys* keys, uint64_t key)
{
    if (keys->count == keys->capacity) {
        uint64_t* list = grow(keys->d, keys->list, &keys->capacity, keys->count, sizeof *list);
        keys->full |= !list;
        if (!list) return;
        keys->list = list;
    }
    keys->list[keys->count++] = key;
}

bool sn_orderKeys(snKeys* keys)
{
    if (keys->count < 2) return !keys->full;
    uint64_t* other = sn_scratchAlloc(keys->d, (size_t)keys->count * sizeof *other);
    if (!other) return false;
    sn_sortKeys(keys->list, other, keys->count, 0);
    return !keys->full;
}

bool sn_addTouches(snData* d, snTouches* touches, const snContactPoint* points, int count, int part1,
                   int part2)
{
    for (int i = 0; i < count; i++) {
        if (touches->count == touches->capacity) {
            snTouch* list = grow(d, touches->list, &touches->capacity, touches->count, sizeof *list);
            if (!list) return false;
            touches->list = list;
        }
        touches->list[touches->count++] = (snTouch){points[i], {part1, part2}};
    }
    return true;
}

static int deepest(const snTouches* touches)
{
    int best = 0;
    for (int i = 1; i < touches->count; i++)
        if (touches->list[i].point.dist < touches->list[best].point.dist) best = i;
    return best;
}

bool sn_thinTouches(snData* d, snTouches* touches, int most)
{
    const int count = touches->count;
    if (count <= most) return true;
    const size_t mark = sn_scratchMark(d);
    double* square = sn_scratchReal(d, count); // to the nearest of those chosen; below 0: chosen
    if (!square) return false;
    for (int i = 0; i < count; i++) square[i] = HUGE_VAL;
    for (int chosen = 0, next = deepest(touches); chosen < most && next >= 0; chosen++) {
        const snVec3 at = touches->list[next].point.pos;
        square[next] = -1;
        next = -1;
        for (int i = 0; i < count; i++) {
            if (square[i] < 0) continue;
            const snVec3 between = sn_v3Sub(touches->list[i].point.pos, at);
            square[i] = sn_min(sn_v3Dot(between, between), square[i]);
            if (next < 0 || square[i] > square[next]) next = i;
        }
    }
    touches->count = 0;
    for (int i = 0; i < count; i++)
        if (square[i] < 0) touches->list[touches->count++] = touches->list[i];
    sn_scratchRelease(d, mark);
    return true;
}

static bool surfaceMoves(const snModel* m, const snContactEnd* end)
{
    return end->geom >= 0 && sn_anyNotZero(m->geom_surfacevel + 6 * end->geom, 6);
}

bool sn_appendTouches(const snModel* m, snData* d, const snContactEnd end[2], const snTouches* touches)
{
    const int fitting = sn_reserveContacts(d, touches->count);
    snContact like;
    memset(&like, 0, sizeof like); // padding too, so that equal contacts are equal bytes
    sn_flexParameters(m, end, &like);
    const bool slides = surfaceMoves(m, end) || surfaceMoves(m, end + 1);
    for (int i = 0; i < fitting; i++) {
        const snTouch* touch = touches->list + i;
        snContact* contact = d->contact + d->ncon++;
        memcpy(contact, &like, sizeof like);
        sn_contactFrame(touch->point.normal, touch->point.tangent, contact->frame);
        sn_setPoint(contact, &touch->point, like.dim);
        for (int k = 0; k < 2; k++) contact->part[k] = touch->part[k];
        if (slides) sn_contactSurface(m, d, contact);
    }
    return fitting == touches->count;
}
