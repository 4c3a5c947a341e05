// What tactile sensors feel: the faces of their meshes, in the colours of depth and slip.
#include <math.h>
#include "math/elementary/elementary.h"
#include "scene/decor/decor.h"

// A tactile sensor: its mesh on its geom, and its readings, depth and slip along two tangents of each taxel.
typedef struct Skin {
    int sensor, mesh, geom, taxels;
    const double* reading[3];
    double most; // depth of all
} Skin;

static Skin skinOf(const snvList* list, int sensor)
{
    const snModel* m = list->m;
    Skin s = {.sensor = sensor, .mesh = m->sensor_objid[sensor], .geom = m->sensor_refid[sensor]};
    s.taxels = m->mesh_vertnum[s.mesh];
    const double* data = list->d->sensordata + m->sensor_adr[sensor];
    for (int k = 0; k < 3; k++) s.reading[k] = data + (size_t)k * (size_t)s.taxels;
    for (int i = 0; i < s.taxels; i++) s.most = sn_max(s.most, fabs(s.reading[0][i]));
    return s;
}

// Readings by the most depth, as a mean over the corners that touch; thin where none does.
static void colour(const Skin* s, const int face[3], float rgba[4])
{
    int touching = 0;
    for (int c = 0; c < 3; c++) touching += s->reading[0][face[c]] != 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int c = 0; c < 3; c++) sum += fabs(s->reading[k][face[c]]);
        rgba[k] = touching ? (float)(sum / (touching * s->most)) : 0;
    }
    rgba[3] = rgba[0] > 0 || rgba[1] > 0 || rgba[2] > 0 ? 1 : 0.1F;
}

static bool addFace(const snvList* list, const Skin* s, const int face[3])
{
    const double* pos = list->d->geom_xpos + 3 * s->geom;
    const snMat3 R = sn_m3Load(list->d->geom_xmat + 9 * s->geom);
    snVec3 corner[3];
    float rgba[4];
    for (int c = 0; c < 3; c++) {
        const float* v = list->m->mesh_vert + 3 * (size_t)(list->m->mesh_vertadr[s->mesh] + face[c]);
        corner[c] = sn_v3Add(sn_v3Load(pos), sn_m3Mul(R, sn_v3(v[0], v[1], v[2])));
    }
    colour(s, face, rgba);
    return snv_addTriangle(list, SN_OBJ_SENSOR, s->sensor, corner, rgba);
}

static bool addSkin(const snvList* list, int sensor)
{
    const snModel* m = list->m;
    const Skin s = skinOf(list, sensor);
    const int* face = m->mesh_face + 3 * (size_t)m->mesh_faceadr[s.mesh];
    for (int i = 0; i < m->mesh_facenum[s.mesh]; i++)
        if (!addFace(list, &s, face + 3 * (size_t)i)) return false;
    return true;
}

void snv_addTaxels(const snvList* list)
{
    if (!snv_isOn(list, SN_VIS_CONTACTPOINT)) return;
    for (int i = 0; i < list->m->nsensor; i++)
        if (list->m->sensor_type[i] == SN_SENS_TACTILE && !addSkin(list, i)) return;
}
