// Single geoms of a scene.
#include "base/error.h"
#include "scene/list/float_vec.h"
#include "scene/list/list.h"
#include "shape/facts.h"

// Of one size all are the radius, of two the first is twice
static void setSize(snvGeom* geom, const double size[3])
{
    const float a = (float)size[0], b = (float)size[1], c = (float)size[2];
    const int sizes = sn_factsOf(geom->type)->sizes;
    geom->size[0] = a;
    geom->size[1] = sizes < 3 ? a : b;
    geom->size[2] = sizes == 1 ? a : sizes == 2 ? b : c;
}

void snv_setShape(snvGeom* geom, int type, const double size[3], const double pos[3], const double mat[9])
{
    geom->type = type;
    setSize(geom, size);
    snv_storeVec(geom->pos, sn_v3Load(pos));
    snv_storeMat(geom->mat, mat);
}

void snv_initGeom(snvGeom* geom, int type, const double size[3], const double pos[3], const double mat[9],
                  const float rgba[4])
{
    geom->type = type;
    geom->dataid = geom->matid = geom->texid = -1;
    geom->texcoord = geom->texuniform = 0;
    geom->texrepeat[0] = geom->texrepeat[1] = 0;
    geom->castshadow = 1;
    for (int k = 0; k < 3; k++) geom->size[k] = 0.1f;
    if (size) setSize(geom, size);
    for (int k = 0; k < 3; k++) geom->pos[k] = pos ? (float)pos[k] : 0;
    for (int k = 0; k < 9; k++) geom->mat[k] = mat ? (float)mat[k] : (float)(k % 4 == 0);
    for (int k = 0; k < 4; k++) geom->rgba[k] = rgba ? rgba[k] : k == 3 ? 1 : 0.5f;
    geom->emission = geom->reflectance = geom->modelrbound = 0;
    geom->specular = geom->shininess = 0.5f;
    memset(geom->label, 0, sizeof geom->label);
}

snStatus snv_connector(snvGeom* geom, int type, double width, const double from[3], const double to[3],
                       snError* error)
{
    const bool arrow = type >= SN_GEOM_ARROW && type <= SN_GEOM_LINE;
    if (!arrow && type != SN_GEOM_CAPSULE && type != SN_GEOM_CYLINDER)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "geoms of type %d connect nothing: capsules, cylinders, "
                       "arrows and lines do",
                       type);
    const snVec3 start = sn_v3Load(from), way = sn_v3Sub(sn_v3Load(to), start);
    const double length = sn_v3Norm(way);
    geom->type = type;
    geom->size[0] = geom->size[1] = (float)width;
    geom->size[2] = (float)(arrow ? length : length / 2);
    snv_storeVec(geom->pos, arrow ? start : sn_v3AddScaled(start, 0.5, way));
    const snMat3 mat = sn_quatToMat(sn_quatZToVec(way));
    snv_storeMat(geom->mat, mat.m);
    return SN_STATUS_OK;
}
