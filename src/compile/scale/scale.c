#include "compile/scale/scale.h"

// ---- scales inside each other

static const snScale plain = {.even = true,
                              .map = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                              .length = 1,
                              .mass = 1,
                              .force = 1,
                              .torque = 1,
                              .unit = 1,
                              .turn = {1, 0, 0, 0}};

void sn_scalePoint(const snScale* scale, double p[3])
{
    if (scale) sn_v3Store(p, sn_m3Mul(sn_m3Load(scale->map), sn_v3Load(p)));
}

static void setEven(double map[9], double factor)
{
    for (int k = 0; k < 9; k++) map[k] = k % 4 ? 0 : factor;
}

void sn_scaleTurned(const snScale* scale, snQuat turn, snScale* turned)
{
    *turned = *scale;
    if (scale->even) return;
    const snMat3 R = sn_quatToMat(turn);
    sn_m3Store(turned->map, sn_m3TMulM3(R, sn_m3MulM3(sn_m3Load(scale->map), R)));
}

bool sn_isSameScale(const snScale* one, const snScale* other)
{
    if (!one) one = &plain;
    if (!other) other = &plain;
    const double a[] = {one->length, one->mass, one->force, one->torque},
                 b[] = {other->length, other->mass, other->force, other->torque};
    for (int k = 0; k < 4; k++)
        if (fabs(a[k] - b[k]) > 1e-10 * fabs(a[k])) return false;
    return true;
}

const snScale* sn_sharedScale(const snScale* one, const snScale* other)
{
    for (; one; one = one->outer)
        for (const snScale* s = other; s; s = s->outer)
            if (s == one) return one;
    return NULL;
}

const snScale* sn_scaleOf(const snSpec* spec, snObjType kind, const char* name)
{
    const snSpecHead* head = sn_findSpec(spec, kind, name);
    return head ? head->scale : NULL;
}

// Adds a frame's own scale, which acts first.
static void addOwn(snScale* scale, const snSpecFrame* frame)
{
    const double* s = frame->scale;
    const bool even = s[0] == s[1] && s[1] == s[2];
    const double length = even ? s[0] : sn_cbrt(s[0] * s[1] * s[2]);
    const double mass = frame->massscale > 0 ? frame->massscale : s[0] * s[1] * s[2];
    scale->length *= length;
    scale->mass *= mass;
    scale->even &= even;
    if (scale->even)
        setEven(scale->map, scale->length);
    else
        for (int k = 0; k < 9; k++) scale->map[k] *= s[k % 3];
    if (frame->scaling != SN_SCALING_SIMILAR) return;
    scale->unit *= length;
    scale->force *= mass * length;
    scale->torque *= mass * length * length;
}

static bool checkFrame(snBuild* b, const snSpecFrame* frame)
{
    const double* s = frame->scale;
    for (int k = 0; k < 3; k++)
        if (!(s[k] > 0) || isinf(s[k]))
            return sn_buildFail(b, &frame->head, SN_STATUS_MODEL, "scale %g must be finite and positive",
                                s[k]);
    if (!(frame->massscale >= 0) || isinf(frame->massscale))
        return sn_buildFail(b, &frame->head, SN_STATUS_MODEL, "massscale %g must be finite and not negative",
                            frame->massscale);
    const double volume = s[0] * s[1] * s[2];
    if (!(volume > 0) || isinf(volume))
        return sn_buildFail(b, &frame->head, SN_STATUS_MODEL,
                            "the product %g of its scales is no factor of volumes", volume);
    return (s[0] == s[1] && s[1] == s[2]) || frame->scaling == SN_SCALING_GEOMETRY ||
           sn_buildFail(b, &frame->head, SN_STATUS_MODEL,
                        "a scale that differs between axes needs scaling=\"geometry\"");
}

// ---- frames

// Where a frame or body stood and stands in the world; pos: its own before it was scaled.
static void place(snScale* scale, const snScale* outer, const double pos[3], const double scaled[3],
                  snQuat own)
{
    scale->before = sn_v3Add(outer->before, sn_quatRotate(outer->turn, sn_v3Load(pos)));
    scale->behind = sn_v3Add(outer->behind, sn_quatRotate(outer->turn, sn_v3Load(scaled)));
    scale->turn = sn_quatMul(outer->turn, own);
}

static bool scaleFrame(snBuild* b, snSpecFrame* frame, const snScale* outer)
{
    snQuat own;
    const double pos[3] = {frame->pos[0], frame->pos[1], frame->pos[2]};
    snScale* inside = sn_specAlloc(b->spec, sizeof *inside);
    if (!inside) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    if (!checkFrame(b, frame) || !sn_buildOrient(b, &frame->head, &frame->orient, &own)) return false;
    sn_scalePoint(outer, frame->pos);
    sn_scaleTurned(outer ? outer : &plain, own, inside);
    place(inside, outer ? outer : &plain, pos, frame->pos, own);
    addOwn(inside, frame);
    inside->outer = outer;
    frame->head.scale = inside;
    frame->scaled = true;
    return true;
}

// As deep as files may be nested.
bool sn_scaleInside(snBuild* b, const snSpecFrame* frame, const snSpecBody* body, const snScale** scale)
{
    *scale = body->head.scale;
    if (!frame) return true;
    if (!frame->scaled) {
        const snScale* outer;
        if (!sn_scaleInside(b, frame->parent, body, &outer)) return false;
        if (!scaleFrame(b, (snSpecFrame*)frame, outer)) return false; // the compiler owns the records
    }
    *scale = frame->head.scale;
    return true;
}

// ---- bodies

// A body, and in its own axes the scale of what it holds.
static bool placeBody(snBuild* b, snSpecBody* body)
{
    const snScale* outer;
    snQuat turn;
    if (!body->parent) return true;
    if (!sn_scaleInside(b, body->frame, body->parent, &outer)) return false;
    if (!outer) return true;
    snScale* inside = sn_specAlloc(b->spec, sizeof *inside);
    if (!inside) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    if (!sn_buildOrient(b, &body->head, &body->orient, &turn)) return false;
    const double pos[3] = {body->pos[0], body->pos[1], body->pos[2]};
    sn_scalePoint(outer, body->pos);
    sn_scaleTurned(outer, turn, inside);
    place(inside, outer, pos, body->pos, turn);
    inside->outer = outer;
    body->head.scale = inside;
    return true;
}

bool sn_buildScale(snBuild* b)
{
    if (!b->spec->scales || b->spec->unscaled) return true;
    for (snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body))
        if (!placeBody(b, body) || !sn_scaleBody(b, body)) return false;
    sn_scaleFlexes(b);
    return sn_scaleAssets(b) && sn_scaleSkins(b) && sn_scaleRelations(b);
}
