#include "compile/copy_back.h"
#include <sinew/spec.h>
#include <stdio.h>
#include "base/error.h"
#include "base/memory.h"
#include "compile/source.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/mjcf.h"

// ---- what all share

bool sn_cannotCopy(snCopyBack* c, const snElement* e, const char* what, const char* why)
{
    const char* name = sn_mjcfName(e);
    sn_failAt(c->b.error, SN_STATUS_MODEL, e->place.file, e->place.line,
              "<%s%s%.60s%s>: %s was changed in the model, %s", e->tag, name ? " name=\"" : "",
              name ? name : "", name ? "\"" : "", what, why);
    return false;
}

bool sn_canSay(const snElement* e, const char* attribute)
{
    int where;
    const snMjcfElement* type = sn_mjcfOf(e, &where);
    return sn_mjcfAttribute(type, where, attribute);
}

bool sn_isInScale(const snElement* e)
{
    while ((e = e->parent))
        if (!strcmp(e->tag, "frame") && (sn_attributeText(e, "scale") || sn_attributeText(e, "massscale")))
            return true;
    return false;
}

bool sn_copyNumbers(snCopyBack* c, snElement* e, const char* attribute, const double* numbers, int n)
{
    if (c->scaled)
        return sn_cannotCopy(c, e, attribute, "which a frame's scale bears on: set it in the spec");
    return sn_setNumbers(c->b.spec, e, attribute, numbers, n, c->b.error) == SN_STATUS_OK;
}

// ---- numbers that stand in the model as the source says them

// X(KIND, rows of the field, field, attribute)
#define PLAIN_FIELDS(X)                                                                                      \
    X(BODY, nbody, body_gravcomp, gravcomp)                                                                  \
    X(BODY, nbody, body_user, user)                                                                          \
    X(JOINT, njnt, jnt_solref, solreflimit)                                                                  \
    X(JOINT, njnt, jnt_solimp, solimplimit)                                                                  \
    X(JOINT, njnt, jnt_actfrcrange, actuatorfrcrange)                                                        \
    X(JOINT, njnt, jnt_margin, margin)                                                                       \
    X(JOINT, njnt, jnt_user, user)                                                                           \
    X(GEOM, ngeom, geom_solmix, solmix)                                                                      \
    X(GEOM, ngeom, geom_solref, solref)                                                                      \
    X(GEOM, ngeom, geom_solimp, solimp)                                                                      \
    X(GEOM, ngeom, geom_friction, friction)                                                                  \
    X(GEOM, ngeom, geom_margin, margin)                                                                      \
    X(GEOM, ngeom, geom_gap, gap)                                                                            \
    X(GEOM, ngeom, geom_surfacevel, surfacevel)                                                              \
    X(GEOM, ngeom, geom_adhesion, adhesion)                                                                  \
    X(GEOM, ngeom, geom_user, user)                                                                          \
    X(GEOM, ngeom, geom_rgba, rgba)                                                                          \
    X(SITE, nsite, site_user, user)                                                                          \
    X(SITE, nsite, site_rgba, rgba)                                                                          \
    X(CAMERA, ncam, cam_ipd, ipd)                                                                            \
    X(CAMERA, ncam, cam_user, user)                                                                          \
    X(LIGHT, nlight, light_bulbradius, bulbradius)                                                           \
    X(LIGHT, nlight, light_intensity, intensity)                                                             \
    X(LIGHT, nlight, light_range, range)                                                                     \
    X(LIGHT, nlight, light_attenuation, attenuation)                                                         \
    X(LIGHT, nlight, light_cutoff, cutoff)                                                                   \
    X(LIGHT, nlight, light_exponent, exponent)                                                               \
    X(LIGHT, nlight, light_ambient, ambient)                                                                 \
    X(LIGHT, nlight, light_diffuse, diffuse)                                                                 \
    X(LIGHT, nlight, light_specular, specular)                                                               \
    X(MATERIAL, nmat, mat_texrepeat, texrepeat)                                                              \
    X(MATERIAL, nmat, mat_emission, emission)                                                                \
    X(MATERIAL, nmat, mat_specular, specular)                                                                \
    X(MATERIAL, nmat, mat_shininess, shininess)                                                              \
    X(MATERIAL, nmat, mat_reflectance, reflectance)                                                          \
    X(MATERIAL, nmat, mat_metallic, metallic)                                                                \
    X(MATERIAL, nmat, mat_roughness, roughness)                                                              \
    X(MATERIAL, nmat, mat_rgba, rgba)                                                                        \
    X(PAIR, npair, pair_solref, solref)                                                                      \
    X(PAIR, npair, pair_solreffriction, solreffriction)                                                      \
    X(PAIR, npair, pair_solimp, solimp)                                                                      \
    X(PAIR, npair, pair_margin, margin)                                                                      \
    X(PAIR, npair, pair_gap, gap)                                                                            \
    X(PAIR, npair, pair_adhesion, adhesion)                                                                  \
    X(PAIR, npair, pair_friction, friction)                                                                  \
    X(EQUALITY, neq, eq_solref, solref)                                                                      \
    X(EQUALITY, neq, eq_solimp, solimp)                                                                      \
    X(TENDON, ntendon, tendon_width, width)                                                                  \
    X(TENDON, ntendon, tendon_solref_lim, solreflimit)                                                       \
    X(TENDON, ntendon, tendon_solimp_lim, solimplimit)                                                       \
    X(TENDON, ntendon, tendon_solref_fri, solreffriction)                                                    \
    X(TENDON, ntendon, tendon_solimp_fri, solimpfriction)                                                    \
    X(TENDON, ntendon, tendon_actfrcrange, actuatorfrcrange)                                                 \
    X(TENDON, ntendon, tendon_margin, margin)                                                                \
    X(TENDON, ntendon, tendon_armature, armature)                                                            \
    X(TENDON, ntendon, tendon_frictionloss, frictionloss)                                                    \
    X(TENDON, ntendon, tendon_springyield, springyield)                                                      \
    X(TENDON, ntendon, tendon_lengthspring, springlength)                                                    \
    X(TENDON, ntendon, tendon_user, user)                                                                    \
    X(TENDON, ntendon, tendon_rgba, rgba)                                                                    \
    X(ACTUATOR, nactuator, actuator_forcerange, forcerange)                                                  \
    X(ACTUATOR, nactuator, actuator_actrange, actrange)                                                      \
    X(ACTUATOR, nactuator, actuator_cranklength, cranklength)                                                \
    X(ACTUATOR, nactuator, actuator_armature, armature)                                                      \
    X(ACTUATOR, nactuator, actuator_delay, delay)                                                            \
    X(ACTUATOR, nactuator, actuator_user, user)                                                              \
    X(SENSOR, nsensor, sensor_cutoff, cutoff)                                                                \
    X(SENSOR, nsensor, sensor_noise, noise)                                                                  \
    X(SENSOR, nsensor, sensor_delay, delay)                                                                  \
    X(SENSOR, nsensor, sensor_interval, interval)                                                            \
    X(SENSOR, nsensor, sensor_user, user)                                                                    \
    X(HFIELD, nhfield, hfield_size, size)                                                                    \
    X(KEY, nkey, key_time, time)                                                                             \
    X(KEY, nkey, key_qpos, qpos)                                                                             \
    X(KEY, nkey, key_qvel, qvel)                                                                             \
    X(KEY, nkey, key_act, act)                                                                               \
    X(KEY, nkey, key_mpos, mpos)                                                                             \
    X(KEY, nkey, key_mquat, mquat)                                                                           \
    X(KEY, nkey, key_ctrl, ctrl)                                                                             \
    X(KEY, nkey, key_plastic, plastic)

typedef struct Plain {
    int kind;
    const char *field, *attribute;
} Plain;
#define X(kind, rows, field, attribute) {SN_OBJ_##kind, #field, #attribute},
static const Plain plain[] = {PLAIN_FIELDS(X)};
#undef X

static int fieldOf(const char* name)
{
    int count, i = 0;
    const snField* fields = sn_modelFields(&count);
    while (i < count && strcmp(fields[i].name, name)) i++;
    return i;
}

// Row `id` of a field as numbers; NULL: out of memory.
static double* rowOf(const snModel* m, int field, int id, int columns)
{
    int count;
    const snField* f = sn_modelFields(&count) + field;
    const char* array = *(char* const*)((const char*)m + f->offset);
    const char* row = array + (size_t)id * (size_t)columns * f->itemsize;
    double* numbers = sn_malloc(((size_t)columns + 1) * sizeof *numbers);
    for (int k = 0; numbers && k < columns; k++)
        numbers[k] = f->itemsize == sizeof(double) ? ((const double*)(const void*)row)[k]
                                                   : (double)((const float*)(const void*)row)[k];
    return numbers;
}

// Numbers of the model in those of the source, by what the compiler made of the ones before; false: of a zero
// it cannot be told how it is scaled.
static bool unscale(const snCopyBack* c, double* now, const double* before, const double* said, int n)
{
    for (int k = 0; k < n; k++) {
        const bool same = now[k] == before[k], known = before[k] != 0 && said[k] != 0;
        if (!same && !known && c->scaled) return false;
        now[k] = same ? said[k] : known ? now[k] * (said[k] / before[k]) : now[k];
    }
    return true;
}

static bool copyPlain(snCopyBack* c, snElement* e, const Plain* p)
{
    int rows, columns;
    const int field = fieldOf(p->field);
    sn_modelFieldShape(c->m, field, &rows, &columns);
    if (!columns || e->id >= rows) return true;
    double *now = rowOf(c->m, field, e->id, columns), *before = rowOf(c->m0, field, e->id, columns),
           *said = rowOf(c->mu, field, e->id, columns);
    bool good = now && before && said;
    if (!good)
        sn_fail(c->b.error, SN_STATUS_NO_MEMORY, "out of memory");
    else if (sn_differs(now, before, 0, columns)) {
        good = !sn_canSay(e, p->attribute)
                   ? sn_cannotCopy(c, e, p->attribute, "which it has no attribute for")
               : !unscale(c, now, before, said, columns)
                   ? sn_cannotCopy(c, e, p->attribute, "from 0, of which nobody knows how it is scaled")
                   : sn_setNumbers(c->b.spec, e, p->attribute, now, columns, c->b.error) == SN_STATUS_OK;
    }
    sn_free(now);
    sn_free(before);
    sn_free(said);
    return good;
}

// ---- fields of their own

static bool copyNumeric(snCopyBack* c, snElement* e)
{
    const int adr = c->m->numeric_adr[e->id], n = c->m->numeric_size[e->id];
    return !sn_differs(c->m->numeric_data, c->m0->numeric_data, adr, n) ||
           sn_copyNumbers(c, e, "data", c->m->numeric_data + adr, n);
}

static bool copyTuple(snCopyBack* c, snElement* e)
{
    int at = c->m->tuple_adr[e->id];
    for (snElement* part = e->first; part; part = part->next, at++)
        if (sn_differs(c->m->tuple_objprm, c->m0->tuple_objprm, at, 1) &&
            !sn_copyNumbers(c, part, "prm", c->m->tuple_objprm + at, 1))
            return false;
    return true;
}

// Heights, with the row of largest y first as the source has it; the file goes.
static bool copyHeights(snCopyBack* c, snElement* e)
{
    const snModel* m = c->m;
    const int nrow = m->hfield_nrow[e->id], ncol = m->hfield_ncol[e->id], n = nrow * ncol;
    const float *now = m->hfield_data + m->hfield_adr[e->id],
                *before = c->m0->hfield_data + c->m0->hfield_adr[e->id];
    float low = (float)INFINITY, high = (float)-INFINITY;
    if (!memcmp(now, before, (size_t)n * sizeof *now)) return true;
    double* rows = sn_malloc((size_t)n * sizeof *rows);
    if (!rows) return sn_fail(c->b.error, SN_STATUS_NO_MEMORY, "out of memory"), false;
    for (int k = 0; k < n; k++) {
        if (now[k] < low) low = now[k];
        if (now[k] > high) high = now[k];
        rows[(nrow - 1 - k / ncol) * ncol + k % ncol] = (double)now[k];
    }
    const double size[2] = {nrow, ncol};
    bool good = low == 0 && high == 1;
    if (!good) sn_cannotCopy(c, e, "its elevation", "which must reach from 0 to 1");
    good = good && sn_copyNumbers(c, e, "elevation", rows, n) && sn_copyNumbers(c, e, "nrow", size, 1) &&
           sn_copyNumbers(c, e, "ncol", size + 1, 1) &&
           sn_setText(c->b.spec, e, "file", NULL, c->b.error) == SN_STATUS_OK;
    sn_free(rows);
    return good;
}

static bool copyOwn(snCopyBack* c, snElement* e, int kind)
{
    switch (kind) {
    case SN_OBJ_BODY: return sn_copyBody(c, e);
    case SN_OBJ_JOINT: return sn_copyJoint(c, e);
    case SN_OBJ_GEOM: return sn_copyGeom(c, e);
    case SN_OBJ_SITE: return sn_copySite(c, e);
    case SN_OBJ_CAMERA: return sn_copyCamera(c, e);
    case SN_OBJ_LIGHT: return sn_copyLight(c, e);
    case SN_OBJ_EQUALITY: return sn_copyEquality(c, e);
    case SN_OBJ_TENDON: return sn_copyTendon(c, e);
    case SN_OBJ_ACTUATOR: return sn_copyActuator(c, e);
    case SN_OBJ_NUMERIC: return copyNumeric(c, e);
    case SN_OBJ_TUPLE: return copyTuple(c, e);
    case SN_OBJ_HFIELD: return copyHeights(c, e);
    default: return true;
    }
}

// ---- settings

// A member of a record of settings that differs, written into the section of a path.
static bool copyMember(snCopyBack* c, const char* path, const snAttribute* a, const char* now,
                       const char* before)
{
    double numbers[8];
    const bool wide = a->kind == SN_ATTR_REAL || a->kind == SN_ATTR_VEC;
    const bool single = a->kind == SN_ATTR_FLOAT || a->kind == SN_ATTR_FVEC;
    const size_t size = wide ? sizeof(double) : 4;
    now += a->offset;
    before += a->offset;
    int mask = 0, value, old;
    memcpy(&value, now, sizeof value);
    memcpy(&old, before, sizeof old);
    if (a->kind == SN_ATTR_LIST) return true; // groups of actuators stand in another place
    if (a->kind == SN_ATTR_FLAG) mask = a->min;
    if (mask ? !((value ^ old) & mask) : !memcmp(now, before, (size_t)a->max * size)) return true;
    snElement* e = sn_section(c->b.spec, path, c->b.error);
    if (!e) return false;
    if (mask)
        return sn_setText(c->b.spec, e, a->name, !!(value & mask) == a->max ? "enable" : "disable",
                          c->b.error) == SN_STATUS_OK;
    if (a->kind == SN_ATTR_WORD || a->kind == SN_ATTR_BOOL) {
        int count;
        const snEnumItem* items = sn_mjcfWords(a->kind == SN_ATTR_BOOL ? "BOOL" : a->words, &count);
        for (int i = 0; i < count; i++)
            if (items[i].value == value)
                return sn_setText(c->b.spec, e, a->name, items[i].keyword, c->b.error) == SN_STATUS_OK;
        return sn_cannotCopy(c, e, a->name, "to what it has no word for");
    }
    for (int k = 0; k < a->max && k < 8; k++)
        numbers[k] = wide     ? ((const double*)(const void*)now)[k]
                     : single ? (double)((const float*)(const void*)now)[k]
                              : ((const int*)(const void*)now)[k];
    return sn_copyNumbers(c, e, a->name, numbers, a->max);
}

static bool copyRecord(snCopyBack* c, snMjcfId id, const void* now, const void* before)
{
    const snMjcfElement* type = sn_mjcfElement(id);
    for (int i = 0; i < type->nattributes; i++)
        if (!copyMember(c, type->path, &type->attributes[i], now, before)) return false;
    return true;
}

static bool copyGroups(snCopyBack* c)
{
    double groups[31];
    int n = 0;
    const int off = c->m->opt.disableactuator;
    if (off == c->m0->opt.disableactuator) return true;
    for (int i = 0; i < 31; i++)
        if (off >> i & 1) groups[n++] = i;
    snElement* option = sn_section(c->b.spec, "option", c->b.error);
    return option && sn_copyNumbers(c, option, "actuatorgroupdisable", groups, n);
}

static bool copyStatistic(snCopyBack* c)
{
    const snStatistic *now = &c->m->stat, *before = &c->m0->stat;
    const struct {
        const char* attribute;
        const double *now, *before;
        int n;
    } all[] = {{"meaninertia", &now->meaninertia, &before->meaninertia, 1},
               {"meanmass", &now->meanmass, &before->meanmass, 1},
               {"meansize", &now->meansize, &before->meansize, 1},
               {"extent", &now->extent, &before->extent, 1},
               {"center", now->center, before->center, 3}};
    for (int i = 0; i < (int)(sizeof all / sizeof *all); i++) {
        if (!sn_differs(all[i].now, all[i].before, 0, all[i].n)) continue;
        snElement* e = sn_section(c->b.spec, "statistic", c->b.error);
        if (!e || !sn_copyNumbers(c, e, all[i].attribute, all[i].now, all[i].n)) return false;
    }
    return true;
}

static bool copySettings(snCopyBack* c)
{
    for (int id = SN_MJCF_VISUAL_GLOBAL; id <= SN_MJCF_VISUAL_RGBA; id++)
        if (!copyRecord(c, (snMjcfId)id, &c->m->vis, &c->m0->vis)) return false;
    return copyRecord(c, SN_MJCF_OPTION, &c->m->opt, &c->m0->opt) &&
           copyRecord(c, SN_MJCF_FLAG, &c->m->opt, &c->m0->opt) && copyGroups(c) && copyStatistic(c);
}

// ---- all of it

// The world has no element of its own with an id.
static bool checkWorld(snCopyBack* c)
{
    if (!sn_differs(c->m->body_pos, c->m0->body_pos, 0, 3) &&
        !sn_differs(c->m->body_quat, c->m0->body_quat, 0, 4))
        return true;
    const snElement* world = sn_section(c->b.spec, "worldbody", c->b.error);
    return world && sn_cannotCopy(c, world, "its pose", "but the world stays where it is");
}

// Whether elements of a kind are scaled with others that they refer to.
static bool mayRefer(int kind)
{
    return kind == SN_OBJ_PAIR || kind == SN_OBJ_EQUALITY || kind == SN_OBJ_TENDON ||
           kind == SN_OBJ_ACTUATOR || kind == SN_OBJ_SENSOR || kind == SN_OBJ_KEY || kind == SN_OBJ_HFIELD;
}

static bool copyElements(snCopyBack* c)
{
    const bool scales = c->b.spec->scales;
    const snElement* root = c->b.spec->root;
    for (snElement* e = c->b.spec->root; e; e = sn_nextInTree(root, e)) {
        const int kind = e->parent ? sn_mjcfKind(e) : SN_OBJ_UNKNOWN;
        if (e->id < 0 || kind == SN_OBJ_UNKNOWN || kind >= SN_NOBJECT) continue;
        c->scaled = scales && (mayRefer(kind) || sn_isInScale(e));
        for (int i = 0; i < (int)(sizeof plain / sizeof *plain); i++)
            if (plain[i].kind == kind && !copyPlain(c, e, &plain[i])) return false;
        if (!copyOwn(c, e, kind)) return false;
    }
    c->scaled = false;
    return true;
}

static bool sameSizes(const snModel* one, const snModel* other)
{
    int count;
    sn_modelSizes(&count); // they begin the struct
    return !memcmp(one, other, (size_t)count * sizeof(int)) &&
           !memcmp(one->names, other->names, (size_t)one->nnames);
}

// Writes what differs into a spec that compiles to m0, its ids those of m0.
static bool copyInto(snSpec* spec, const snModel* const m[3], snError* error)
{
    snCopyBack c = {.b = {.spec = spec, .error = error}, .m = m[0], .m0 = m[1], .mu = m[2]};
    return sn_readSpec(spec, NULL, error) && checkWorld(&c) && copyElements(&c) && copySettings(&c);
}

// The same on a copy, which tells whether all can be said.
static bool tryCopy(const snSpec* spec, const snModel* const m[3], snError* error)
{
    snSpec* copy = sn_copySpec(spec);
    if (!copy) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    const snElement* from = spec->root;
    for (snElement* e = copy->root; e; e = sn_nextInTree(copy->root, e)) {
        e->id = from->id;
        from = sn_nextInTree(spec->root, from);
    }
    const bool good = copyInto(copy, m, error);
    sn_deleteSpec(copy);
    return good;
}

snStatus sn_copyBack(snSpec* spec, const snModel* m, const snLoadOptions* options, snError* error)
{
    snError own;
    if (!error) error = &own;
    if (!sn_readSpec(spec, options, error)) return error->status;
    snKeptId* ids = sn_keepIds(spec);
    if (!ids) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snLoadOptions quiet = options ? *options : (snLoadOptions){0};
    quiet.warnings = NULL;
    snModel* m0 = sn_compile(spec, &quiet, error);
    const bool scales = m0 && spec->scales;
    snModel* mu = scales ? sn_compileUnscaled(spec, options, error) : m0;
    bool good = mu;
    if (good && (!sameSizes(m, m0) || mu->njnt != m0->njnt)) {
        sn_fail(error, SN_STATUS_MODEL,
                "the model was not compiled from this spec as it is now: sizes or names differ");
        good = false;
    }
    const snModel* const models[3] = {m, m0, mu};
    good = good && tryCopy(spec, models, error) && copyInto(spec, models, error);
    sn_restoreIds(spec, ids);
    if (mu != m0) sn_deleteModel(mu);
    sn_deleteModel(m0);
    return good ? SN_STATUS_OK : error->status;
}
