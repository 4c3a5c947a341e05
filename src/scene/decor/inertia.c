// Inertia of bodies, as boxes or ellipsoids of equal mass and equal moments.
#include "scene/decor/decor.h"

// Half axes of the body with moments I and mass m: c ((I_y + I_z - I_x)/m)^(1/2) and so on; c^2 is 3/2 for a
// box, 5/2 for an ellipsoid. Moments that no body has give 0.
static snVec3 halfAxes(const double inertia[3], double mass, bool ellipsoid)
{
    const double sum = inertia[0] + inertia[1] + inertia[2], c = (ellipsoid ? 2.5 : 1.5) / mass;
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = sqrt(sn_max(c * (sum - 2 * inertia[k]), 0));
    return sn_v3Load(axis);
}

// By what it must grow to have the density of water.
static double atWater(snVec3 axes, double mass, bool ellipsoid)
{
    const double volume = (ellipsoid ? 4 * SN_PI / 3 : 8) * axes.x * axes.y * axes.z;
    return sn_cbrt(mass / sn_max(volume, SN_MINVAL) / 1000);
}

static void label(const snvList* list, snvGeom* geom, int body)
{
    snv_labelGeom(list, geom, SN_LABEL_BODY, SN_OBJ_BODY, body);
    if (body != snv_selected(list)) return;
    snv_labelGeom(list, geom, SN_LABEL_SELECTION, SN_OBJ_BODY, body);
    geom->emission = list->m->vis.global.glow;
}

void snv_addInertias(const snvList* list)
{
    const snModel* m = list->m;
    const bool ellipsoid = m->vis.global.ellipsoidinertia;
    if (!snv_isOn(list, SN_VIS_INERTIA)) return;
    for (int i = 1; i < m->nbody; i++) {
        const double mass = m->body_mass[i];
        if (!(mass > SN_MINVAL) || !snv_showsBody(list, i)) continue;
        const snVec3 axes = halfAxes(m->body_inertia + 3 * i, mass, ellipsoid);
        const double scale = snv_isOn(list, SN_VIS_SCLINERTIA) ? atWater(axes, mass, ellipsoid) : 1;
        double size[3];
        sn_v3Store(size, sn_v3Scale(axes, scale));
        snvGeom* geom =
            snv_beginShape(list, SN_OBJ_BODY, i, ellipsoid ? SN_GEOM_ELLIPSOID : SN_GEOM_BOX, size,
                           list->d->xipos + 3 * i, list->d->ximat + 9 * i, m->vis.rgba.inertia);
        if (!geom) return;
        label(list, geom, i);
        snv_endGeom(list);
    }
}
