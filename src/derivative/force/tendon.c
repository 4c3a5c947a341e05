// Moment arms of tendons. A straight part from a to b along the unit vector u, of length l, is a pull u at b
// and -u at a; u' = (e' - u u.e')/l with e = b - a. Touching points of a wrapped geom are points of its body
// that also move along it (wrap.h). Source: seed 001, stage 5; the derivatives are worked out here.
#include "derivative/force/force.h"
#include "derivative/force/pull.h"
#include "derivative/force/wrap.h"

// A point of the path, and its rate along the dof in question.
typedef struct Node {
    int body;
    snVec3 pos, rate;
} Node;

// Column k of a straight part.
static void straight(const snModel* m, const snData* d, Node a, Node b, int k, double scale, double* H)
{
    const snVec3 e = sn_v3Sub(b.pos, a.pos), rate = sn_v3Sub(b.rate, a.rate), u = sn_v3Normalize(e);
    const double length = sn_v3Norm(e);
    if (length < SN_MINVAL) return;
    const snVec3 turn = sn_v3Scale(sn_v3AddScaled(rate, -sn_v3Dot(u, rate), u), 1 / length);
    const int stop = sn_lastCommonDof(m, a.body, b.body);
    const snVec3 none = {0, 0, 0};
    const snPull at_a = {a.body, stop, a.pos, u, none}, at_b = {b.body, stop, b.pos, u, none};
    sn_addPullRate(m, d, &at_a, k, &(snPull){.point = a.rate, .force = turn}, -scale, H);
    sn_addPullRate(m, d, &at_b, k, &(snPull){.point = b.rate, .force = turn}, scale, H);
}

static Node siteNode(const snModel* m, const snData* d, int site, int k)
{
    Node node = {m->site_bodyid[site], sn_v3Load(d->site_xpos + 3 * site), {0, 0, 0}};
    node.rate = sn_pointRate(m, d, node.body, sn_bodyRate(m, d, k, node.body), node.pos);
    return node;
}

static snWrapped wrapped(const snModel* m, const snData* d, int w, int at, const snVec3 end[2])
{
    const int geom = m->wrap_objid[w], side = (int)m->wrap_prm[w];
    const snVec3 centre = sn_v3Load(d->geom_xpos + 3 * geom);
    snWrapped s = {.radius = m->geom_size[3 * geom]};
    for (int k = 0; k < 2; k++) {
        s.end[k] = sn_v3Sub(end[k], centre);
        s.touch[k] = sn_v3Sub(sn_v3Load(d->wrap_xpos + 3 * (at + k)), centre);
    }
    if (m->wrap_type[w] == SN_WRAP_CYLINDER) s.axis = sn_m3Col(sn_m3Load(d->geom_xmat + 9 * geom), 2);
    if (side >= 0) s.inside = sn_v3Norm(sn_v3Sub(sn_v3Load(d->site_xpos + 3 * side), centre)) < s.radius;
    return s;
}

// Column k of what lies around the geom of path object w, whose touching points are numbers at and at + 1 of
// the path: the part from `a` to it. Returns the point where the path leaves it on its way to b.
static Node aroundGeom(const snModel* m, const snData* d, int w, int at, Node a, Node b, int k, double scale,
                       double* H)
{
    const snVec3 end[2] = {a.pos, b.pos};
    const snWrapped s = wrapped(m, d, w, at, end);
    const int body = m->geom_bodyid[m->wrap_objid[w]];
    const snMotion rate = sn_bodyRate(m, d, k, body);
    const snVec3 end_rate[2] = {sn_v3Sub(a.rate, sn_pointRate(m, d, body, rate, a.pos)),
                                sn_v3Sub(b.rate, sn_pointRate(m, d, body, rate, b.pos))};
    snVec3 slide[2];
    sn_touchRate(&s, end_rate, slide);
    Node touch[2];
    for (int i = 0; i < 2; i++) {
        const snVec3 pos = sn_v3Load(d->wrap_xpos + 3 * (at + i));
        touch[i] = (Node){body, pos, sn_v3Add(sn_pointRate(m, d, body, rate, pos), slide[i])};
    }
    straight(m, d, a, touch[0], k, scale, H);
    return touch[1];
}

// Column k. The path as it lies now stands in wrap_obj and wrap_xpos, point by point.
static void column(const snModel* m, const snData* d, int t, int k, double scale, double* H)
{
    const int begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    int at = d->ten_wrapadr[t];
    double part = scale;
    bool started = false;
    Node last = {0};
    for (int w = begin; w < end; w++) {
        const int object = m->wrap_objid[w];
        if (m->wrap_type[w] == SN_WRAP_PULLEY) {
            part = scale / m->wrap_prm[w];
            started = false;
            at++;
        } else if (m->wrap_type[w] == SN_WRAP_SITE) {
            const Node site = siteNode(m, d, object, k);
            if (started) straight(m, d, last, site, k, part, H);
            last = site;
            started = true;
            at++;
        } else if (d->wrap_obj[at] == object) {
            last = aroundGeom(m, d, w, at, last, siteNode(m, d, m->wrap_objid[w + 1], k), k, part, H);
            at += 2;
        }
    }
}

void sn_tendonLengthDerivative(const snModel* m, const snData* d, int t, double scale, double* H)
{
    if (m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT) return;
    const int* dofs = m->tendon_dofid + m->tendon_dofadr[t];
    for (int c = 0; c < m->tendon_dofnum[t]; c++) column(m, d, t, dofs[c], scale, H);
}
