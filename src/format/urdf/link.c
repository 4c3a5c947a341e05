// Links: inertia, collision and visual shapes.
#include "format/urdf/import.h"
#include "format/mjcf/language/element.h"
#include "math/orient.h"
#include <math.h>
#include <string.h>

bool sn_urdfOrigin(const snUrdf* u, const snElement* element, snElement* to)
{
    const snElement* origin = sn_childElement(element, "origin");
    if (!origin) return true;
    // quat_xyzw is URDF 1.1
    double q[4] = {0, 0, 0, 1}, pos[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    if (!sn_urdfNumbers(u, origin, "xyz", pos, 3) || !sn_urdfNumbers(u, origin, "rpy", rpy, 3)) return false;
    if (sn_attributeText(origin, "xyz") && !sn_urdfPutNumbers(u, to, "pos", pos, 3)) return false;
    if (sn_attributeText(origin, "quat_xyzw")) {
        if (!sn_urdfNumbers(u, origin, "quat_xyzw", q, 4)) return false;
        const double quat[4] = {q[3], q[0], q[1], q[2]};
        return sn_urdfPutNumbers(u, to, "quat", quat, 4);
    }
    if (rpy[0] == 0 && rpy[1] == 0 && rpy[2] == 0) return true;
    return sn_urdfPutNumbers(u, to, "euler", rpy, 3); // the compiler's eulerseq is XYZ
}

// The tensor ixx iyy izz ixy ixz iyz in axes turned by q: R I R'.
static void rotateInertia(snQuat q, double inertia[6])
{
    const snMat3 r = sn_quatToMat(q);
    const double t[9] = {inertia[0], inertia[3], inertia[4], inertia[3], inertia[1],
                         inertia[5], inertia[4], inertia[5], inertia[2]};
    double out[9] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) out[3 * i + j] += r.m[3 * i + k] * t[3 * k + l] * r.m[3 * j + l];
    const double full[6] = {out[0], out[4], out[8], out[1], out[2], out[5]};
    memcpy(inertia, full, sizeof full);
}

bool sn_urdfInertial(const snUrdf* u, const snElement* link, snElement* body)
{
    const snElement* node = sn_childElement(link, "inertial");
    if (!node) return true;
    double mass = 0, inertia[6] = {0}, pos[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    const snElement *origin = sn_childElement(node, "origin"), *m = sn_childElement(node, "mass"),
                    *i = sn_childElement(node, "inertia");
    static const char* const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    if (!m) return sn_urdfFail(u, node, SN_STATUS_MODEL, "<mass> is missing");
    if (!sn_urdfNumbers(u, m, "value", &mass, 1)) return false;
    for (int k = 0; i && k < 6; k++)
        if (!sn_urdfNumbers(u, i, names[k], &inertia[k], 1)) return false;
    if (origin && (!sn_urdfNumbers(u, origin, "xyz", pos, 3) || !sn_urdfNumbers(u, origin, "rpy", rpy, 3)))
        return false;
    if (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0) rotateInertia(sn_orientEuler(rpy, "XYZ"), inertia);
    snElement* inertial = sn_urdfAdd(u, body, "inertial", node);
    bool zero = true;
    for (int k = 0; k < 6; k++) zero = zero && inertia[k] == 0;
    return inertial && sn_urdfPutNumbers(u, inertial, "pos", pos, 3) &&
           sn_urdfPutNumbers(u, inertial, "mass", &mass, 1) &&
           (zero || sn_urdfPutNumbers(u, inertial, "fullinertia", inertia, 6));
}

// ---- shapes

static bool need(const snUrdf* u, const snElement* node, const char* name, double* numbers, int n)
{
    if (!sn_attributeText(node, name))
        return sn_urdfFail(u, node, SN_STATUS_MODEL, "attribute '%s' is missing", name);
    return sn_urdfNumbers(u, node, name, numbers, n);
}

static bool putShape(const snUrdf* u, const snElement* element, int part, snElement* geom)
{
    const snElement* geometry = sn_childElement(element, "geometry");
    const snElement* shape = geometry ? geometry->first : NULL;
    double size[3] = {0, 0, 0};
    if (!shape) return sn_urdfFail(u, element, SN_STATUS_MODEL, "<geometry> with a shape is missing");
    if (!strcmp(shape->tag, "mesh")) return sn_urdfPutMesh(u, shape, part, geom);
    if (!strcmp(shape->tag, "box")) {
        if (!need(u, shape, "size", size, 3)) return false;
        for (int k = 0; k < 3; k++) size[k] /= 2;
        return sn_urdfPut(u, geom, "type", "box") && sn_urdfPutNumbers(u, geom, "size", size, 3);
    }
    if (!strcmp(shape->tag, "sphere"))
        return need(u, shape, "radius", size, 1) && sn_urdfPut(u, geom, "type", "sphere") &&
               sn_urdfPutNumbers(u, geom, "size", size, 1);
    if (!strcmp(shape->tag, "cylinder") || !strcmp(shape->tag, "capsule")) {
        if (!need(u, shape, "radius", size, 1) || !need(u, shape, "length", size + 1, 1)) return false;
        size[1] /= 2;
        return sn_urdfPut(u, geom, "type", shape->tag) && sn_urdfPutNumbers(u, geom, "size", size, 2);
    }
    return sn_urdfFail(u, shape, SN_STATUS_MODEL,
                       "unknown shape, expected box, sphere, cylinder, capsule or mesh");
}

// The <color> of a <material>, its own or that of a material of the same name anywhere in the robot; NULL:
// none.
static const snElement* findColor(const snUrdf* u, const snElement* element)
{
    const snElement* material = sn_childElement(element, "material");
    const snElement* color = material ? sn_childElement(material, "color") : NULL;
    const char* name = material ? sn_attributeText(material, "name") : NULL;
    return color || !name || !*name ? color : sn_urdfNamed(u, SN_URDF_COLOR, name);
}

// What a shape looks like: as <color> says, or as a part of its mesh.
typedef struct shapeLook {
    const snElement* color; // NULL: not said
    const float* rgba;      // of the mesh's file; NULL: not said
    int part;               // of the mesh, by its colour; -1: all of it
} shapeLook;

static bool putColor(const snUrdf* u, shapeLook look, snElement* geom)
{
    const snElement* color = look.color;
    double rgba[4] = {1, 1, 1, 1};
    if (look.rgba) {
        for (int k = 0; k < 4; k++) rgba[k] = round(1e4 * (double)look.rgba[k]) / 1e4;
        return sn_urdfPutNumbers(u, geom, "rgba", rgba, 4);
    }
    if (!color) return true;
    return sn_urdfNumbers(u, color, "rgba", rgba, 4) && sn_urdfPutNumbers(u, geom, "rgba", rgba, 4);
}

static bool addGeom(const snUrdf* u, const snElement* node, shapeLook look, snElement* body)
{
    snElement* geom = sn_urdfAdd(u, body, "geom", node);
    if (!geom) return sn_urdfNoMemory(u);
    const char* name = sn_attributeText(node, "name");
    // URDF allows what MJCF does not: the same name for several shapes. Later ones have none.
    if (name && *name && !sn_urdfNamed(u, SN_URDF_GEOM, name)) {
        if (!sn_urdfPut(u, geom, "name", name)) return false;
        if (!sn_addNamed(u->names, SN_URDF_GEOM, name, geom)) return sn_urdfNoMemory(u);
    }
    if (!putShape(u, node, look.part, geom) || !sn_urdfOrigin(u, node, geom) || !putColor(u, look, geom))
        return false;
    if (strcmp(node->tag, "visual")) return true;
    return sn_urdfPut(u, geom, "contype", "0") && sn_urdfPut(u, geom, "conaffinity", "0") &&
           sn_urdfPut(u, geom, "group", "1") && sn_urdfPut(u, geom, "density", "0");
}

static bool isKept(const snUrdf* u, const snElement* e)
{
    return !strcmp(e->tag, "collision") || (u->visuals && !strcmp(e->tag, "visual"));
}

// The mesh of a shape; NULL: it has another one.
static const snElement* meshOf(const snElement* element)
{
    const snElement* geometry = sn_childElement(element, "geometry");
    const snElement* shape = geometry ? geometry->first : NULL;
    return shape && !strcmp(shape->tag, "mesh") ? shape : NULL;
}

// The colours that the file of a visual's mesh has, where the URDF gives the visual none; NULL: none.
static bool fileColors(const snUrdf* u, const snElement* e, const snUrdfColors** colors)
{
    const snElement* mesh = strcmp(e->tag, "visual") || findColor(u, e) ? NULL : meshOf(e);
    *colors = NULL;
    return !mesh || sn_urdfMeshColors(u, mesh, colors);
}

// The meshes of a shape among the assets: one, or one a colour.
static bool addMeshes(const snUrdf* u, const snElement* e)
{
    const snElement* mesh = meshOf(e);
    const snUrdfColors* colors;
    if (!mesh) return true;
    if (!fileColors(u, e, &colors)) return false;
    if (!colors || colors->n < 2) return sn_urdfMesh(u, mesh, -1) != NULL;
    for (int k = 0; k < colors->n; k++)
        if (!sn_urdfMesh(u, mesh, k)) return false;
    return true;
}

bool sn_urdfMeshes(const snUrdf* u)
{
    for (const snElement* link = u->robot->first; link; link = link->next)
        for (const snElement* e = strcmp(link->tag, "link") ? NULL : link->first; e; e = e->next)
            if (isKept(u, e) && !addMeshes(u, e)) return false;
    return true;
}

// The geoms of a shape: one, or where the mesh has several colours one a colour.
static bool addShape(const snUrdf* u, const snElement* e, const snElement* color, snElement* body)
{
    const snUrdfColors* colors;
    if (!fileColors(u, e, &colors)) return false;
    if (!colors) return addGeom(u, e, (shapeLook){color, NULL, -1}, body);
    for (int k = 0; k < colors->n; k++) {
        const shapeLook look = {NULL, colors->rgba + 4 * (size_t)k, colors->n > 1 ? k : -1};
        if (!addGeom(u, e, look, body)) return false;
    }
    return true;
}

// A colour is that of all shapes of the link from there on, as in MuJoCo: collision shapes, which cannot have
// one, look like the visuals before them, also where those are left out.
bool sn_urdfGeoms(const snUrdf* u, const snElement* link, snElement* body)
{
    const snElement* color = NULL;
    for (const snElement* e = link->first; e; e = e->next) {
        const bool visual = !strcmp(e->tag, "visual");
        if (!visual && strcmp(e->tag, "collision")) continue;
        const snElement* own = visual ? findColor(u, e) : NULL;
        color = own ? own : color;
        if (isKept(u, e) && !addShape(u, e, color, body)) return false;
    }
    return true;
}
