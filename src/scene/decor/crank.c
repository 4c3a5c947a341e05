// Slider-cranks: the slider along its axis, the rod from there to the crank.
#include "scene/decor/decor.h"

static bool addBar(const snvList* list, int i, int type, double width, snVec3 from, snVec3 to,
                   const float rgba[4])
{
    snvGeom* geom = snv_beginLink(list, SN_OBJ_ACTUATOR, i, type, width, from, to, rgba);
    if (!geom) return false;
    geom->category = SN_CAT_DYNAMIC;
    if (type == SN_GEOM_CYLINDER) snv_labelGeom(list, geom, SN_LABEL_ACTUATOR, SN_OBJ_ACTUATOR, i);
    snv_endGeom(list);
    return true;
}

// The end of the rod on the axis a of the slider is at p = s + a (av - (av^2 + r^2 - v v)^(1/2)), v from the
// slider s to the crank, av = a.v, r the rod; out of reach at the foot of the perpendicular.
static bool addCrank(const snvList* list, int i)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
    const snVec3 s = sn_v3Load(d->site_xpos + 3 * slider), c = sn_v3Load(d->site_xpos + 3 * crank);
    const snVec3 a = sn_m3Col(sn_m3Load(d->site_xmat + 9 * slider), 2), v = sn_v3Sub(c, s);
    const double rod = m->actuator_cranklength[i], av = sn_v3Dot(a, v);
    const double square = av * av + rod * rod - sn_v3Dot(v, v);
    const snVec3 end = sn_v3AddScaled(s, av - sqrt(sn_max(square, 0)), a);
    const double width = snv_length(list, m->vis.scale.slidercrank);
    const float *whole = m->vis.rgba.slidercrank, *broken = m->vis.rgba.crankbroken;
    return addBar(list, i, SN_GEOM_CYLINDER, width, s, end, whole) &&
           addBar(list, i, SN_GEOM_CAPSULE, width / 2, end, c, square < 0 ? broken : whole);
}

void snv_addSliderCranks(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_wants(list, SN_CAT_DYNAMIC)) return;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_trntype[i] == SN_TRN_SLIDERCRANK && !addCrank(list, i)) return;
}
