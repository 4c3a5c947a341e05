// Contacts: their points, frames and forces.
#include "scene/decor/decor.h"
#include <sinew/names.h>
#include <sinew/support.h>
#include <stdio.h>
#include "model/contact.h"

// Name of a geom, or "g" and its number; of a flex its name, or "f" and its number, and of which part: ".e"
// and the element or ".v" and the vertex. How many bytes of a label [size] this takes.
static int writeSide(const snModel* m, const snContact* contact, int side, char* label, int size)
{
    const bool flex = contact->geom[side] < 0;
    const int id = flex ? contact->flex[side] : contact->geom[side], part = contact->part[side];
    const char* name = sn_id2name(m, flex ? SN_OBJ_FLEX : SN_OBJ_GEOM, id);
    int length = name && *name ? snprintf(label, (size_t)size, "%s", name)
                               : snprintf(label, (size_t)size, "%c%d", flex ? 'f' : 'g', id);
    if (flex && length < size)
        length += snprintf(label + length, (size_t)(size - length), ".%c%d", part < 0 ? 'v' : 'e',
                           part < 0 ? -1 - part : part);
    return length < size ? length : size - 1;
}

static void writeGeoms(const snvList* list, snvGeom* geom, const snContact* contact)
{
    char* label = geom->label;
    const int size = sizeof geom->label;
    int length = writeSide(list->m, contact, 0, label, size);
    length += snprintf(label + length, (size_t)(size - length), " | ");
    if (length < size - 1) writeSide(list->m, contact, 1, label + length, size - length);
}

// Contacts without rows, in their gap, have a colour of their own; the others, where islands show, that of
// theirs.
static void colour(const snvList* list, const snContact* contact, float rgba[4])
{
    const snVisual* vis = &list->m->vis;
    const int row = contact->efc_address;
    memcpy(rgba, row < 0 ? vis->rgba.contactgap : vis->rgba.contactpoint, 4 * sizeof *rgba);
    if (row < 0 || row >= list->d->nefc || !snv_isOn(list, SN_VIS_ISLAND)) return;
    snv_islandColour(list, list->islands.nisland ? list->islands.efc_island[row] : -1, rgba);
}

// A disc as thick as the penetration.
static void addPoint(const snvList* list, int i)
{
    const snVisual* vis = &list->m->vis;
    const snContact* contact = list->d->contact + i;
    const double size[3] = {snv_length(list, vis->scale.contactwidth),
                            sn_max(snv_length(list, vis->scale.contactheight), -contact->dist / 2), 0};
    const double *n = contact->frame, *t = n + 3, *s = n + 6;
    const double mat[9] = {t[0], s[0], n[0], t[1], s[1], n[1], t[2], s[2], n[2]};
    float rgba[4];
    colour(list, contact, rgba);
    snvGeom* geom = snv_beginShape(list, SN_OBJ_UNKNOWN, i, SN_GEOM_CYLINDER, size, contact->pos, mat, rgba);
    if (!geom) return;
    if (list->opt->label == SN_LABEL_CONTACTPOINT) writeGeoms(list, geom, contact);
    snv_endGeom(list);
}

// Axes of the contact's frame are its rows.
static void addContactFrame(const snvList* list, int i)
{
    const snContact* contact = list->d->contact + i;
    double mat[9];
    sn_m3Store(mat, sn_m3Transpose(sn_m3Load(contact->frame)));
    snv_addFrame(list, i, contact->pos, mat, 0.5);
}

// A force [3] in the contact's frame as an arrow; `label` is NULL or the force that the label says.
static void addArrow(const snvList* list, int i, int type, snVec3 force, const float rgba[4],
                     const double* label)
{
    const snModel* m = list->m;
    const snContact* contact = list->d->contact + i;
    const snVec3 from = sn_v3Load(contact->pos), world = sn_m3TMul(sn_m3Load(contact->frame), force);
    const snVec3 to = sn_v3AddScaled(from, (double)m->vis.map.force / m->stat.meanmass, world);
    snvGeom* geom = snv_beginLink(list, SN_OBJ_UNKNOWN, i, type, snv_length(list, m->vis.scale.forcewidth),
                                  from, to, rgba);
    if (!geom) return;
    if (label && list->opt->label == SN_LABEL_CONTACTFORCE)
        snprintf(geom->label, sizeof geom->label, "%-.3g", *label);
    snv_endGeom(list);
}

// The force on the body with the larger id. Between two bodies that are not the world the arrow has two
// heads, but where normal and friction are apart.
static void addContactForce(const snvList* list, int i)
{
    const snModel* m = list->m;
    const snContact* contact = list->d->contact + i;
    if (!sn_isContactSide(m, contact, 0) || !sn_isContactSide(m, contact, 1)) return; // the caller's
    const int body1 = sn_sideBody(m, contact, 0), body2 = sn_sideBody(m, contact, 1);
    double result[6];
    sn_contactForce(m, list->d, i, result);
    const snVec3 force = sn_v3Scale(sn_v3Load(result), body1 > body2 ? -1 : 1);
    const double size = sn_v3Norm(force);
    if (!(size > SN_MINVAL)) return;
    if (snv_isOn(list, SN_VIS_CONTACTSPLIT) && contact->dim > 1) {
        addArrow(list, i, SN_GEOM_ARROW, sn_v3(force.x, 0, 0), m->vis.rgba.contactforce, &size);
        addArrow(list, i, SN_GEOM_ARROW, sn_v3(0, force.y, force.z), m->vis.rgba.contactfriction, NULL);
    } else
        addArrow(list, i, body1 && body2 ? SN_GEOM_ARROW2 : SN_GEOM_ARROW, force, m->vis.rgba.contactforce,
                 &size);
}

void snv_addContacts(const snvList* list)
{
    for (int i = 0; i < list->d->ncon; i++) {
        if (snv_isOn(list, SN_VIS_CONTACTPOINT)) addPoint(list, i);
        if (list->opt->frame == SN_FRAME_CONTACT) addContactFrame(list, i);
        if (snv_isOn(list, SN_VIS_CONTACTFORCE)) addContactForce(list, i);
    }
}
