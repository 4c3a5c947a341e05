// Numbers of the model that each simulation has of its own.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sinew/smooth.h>
#include "base/error.h"
#include "batch/batch.h"
#include "model/check/number.h"
#include "model/rules.h"
#include "smooth/kinematics/resistance.h"

// ---- fields by name

static const struct Statistic {
    const char* name;
    int index, columns;
} statistics[] = {
    {"stat.meaninertia", offsetof(snStatistic, meaninertia) / sizeof(double), 1},
    {"stat.meanmass", offsetof(snStatistic, meanmass) / sizeof(double), 1},
    {"stat.meansize", offsetof(snStatistic, meansize) / sizeof(double), 1},
    {"stat.extent", offsetof(snStatistic, extent) / sizeof(double), 1},
    {"stat.center", offsetof(snStatistic, center) / sizeof(double), 3},
};

static bool ofModel(const snModel* m, const char* name, snBatchArray* a)
{
    int count, rows, columns;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name) != 0 || strcmp(fields[i].type, "double") != 0) continue;
        sn_modelFieldShape(m, i, &rows, &columns);
        *a = (snBatchArray){
            .name = fields[i].name, .place = SN_PLACE_MODEL, .index = i, .columns = rows * columns};
        return true;
    }
    return false;
}

// Names behind "opt." of the table, which have no prefix there, are kept with it here.
#define X(type, name, init, meaning) "opt." #name,
static const char* const option_names[] = {SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) "opt." #name,
                                               SN_OPTION_VECTORS(X)};
#undef X

static bool ofOptions(const char* name, snBatchArray* a)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(option_names[i], name) != 0 || strcmp(fields[i].type, "double") != 0) continue;
        *a = (snBatchArray){
            .name = option_names[i], .place = SN_PLACE_OPTION, .index = i, .columns = fields[i].count};
        return true;
    }
    return false;
}

static bool ofStatistics(const char* name, snBatchArray* a)
{
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++) {
        const struct Statistic* s = statistics + i;
        if (strcmp(s->name, name) != 0) continue;
        *a = (snBatchArray){
            .name = s->name, .place = SN_PLACE_STATISTIC, .index = s->index, .columns = s->columns};
        return true;
    }
    return false;
}

// ---- parameters

// Models of their own for the threads, which take the parameters of the simulation at hand.
static bool makeModels(snBatch* b)
{
    for (int t = 0; t < b->nthread; t++) {
        snScalarWork* w = b->scalar[t];
        if (!w->own) w->own = sn_copyModel(b->m);
        if (!w->own) return false;
        w->m = w->own;
    }
    return true;
}

static bool addParameter(snBatch* b, snBatchArray a)
{
    if (!makeModels(b) || !sn_addArray(b, &b->parameter, a)) return false;
    snScalarWork model = {.own = b->m}; // is read
    const snBatchArray* added = b->parameter.list + b->parameter.count - 1;
    for (int i = 0; i < b->n; i++) sn_scalarEngine.store(&model, added, 1, &i, 1, 1);
    return true;
}

static snStatus find(const snModel* m, const char* field, snBatchArray* a, snError* error)
{
    if (!strcmp(field, "physics") || !strcmp(field, "opt.physics"))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "'%s' is one for all: the model was compiled by it; compile it again for another",
                       field);
    if (ofModel(m, field, a) || ofOptions(field, a) || ofStatistics(field, a)) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "no parameter '%s': needs a field of doubles of the model, as body_mass, or of its "
                   "options, as opt.gravity",
                   field);
}

// By which id the joint or tendon of an actuator knows that it adds armature or damping; -3: it drives
// neither.
static int idAtTarget(const snModel* m, int actuator)
{
    const int id = m->actuator_trnid[2 * actuator];
    if (sn_drivesJoint(m, actuator, id)) return m->jnt_actuatorid[id];
    return sn_drivesTendon(m, actuator, id) ? m->tendon_actuatorid[id] : -3;
}

// The ids are one for all simulations.
static snStatus checkAdded(const snModel* m, const char* field, snError* error)
{
    const bool adds = !strcmp(field, "actuator_armature") || !strncmp(field, "actuator_damping", 16);
    for (int i = 0; i < m->nactuator && adds; i++) {
        const int id = idAtTarget(m, i);
        if (id == -3 || id == -2 || id == i) continue;
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "'%s' cannot differ: actuator %d of the model has neither armature nor damping, give it "
            "some there",
            field, i);
    }
    return SN_STATUS_OK;
}

snStatus sn_batchParameter(snBatch* b, const char* field, snError* error)
{
    snBatchArray a;
    if (sn_findArray(&b->parameter, field)) return SN_STATUS_OK;
    snStatus status = find(b->m, field, &a, error);
    if (!status) status = checkAdded(b->m, field, error);
    if (status) return status;
    if (!addParameter(b, a))
        return sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for '%s' of %d simulations", field, b->n);
    return SN_STATUS_OK;
}

// ---- which numbers they may have

static snStatus checkOption(const snModel* m, const snBatchArray* a, const double* numbers, snError* error)
{
    int count;
    const snOptionField* field = sn_optionFields(&count) + a->index;
    snOption opt = m->opt;
    memcpy((char*)&opt + field->offset, numbers, (size_t)field->count * sizeof *numbers);
    return sn_checkOption(&opt, field->name, error);
}

static snStatus checkStatistic(const snBatchArray* a, const double* numbers, snError* error)
{
    for (int k = 0; k < a->columns; k++)
        if (!isfinite(numbers[k]) || (a->columns == 1 && numbers[k] <= 0))
            return sn_fail(error, SN_STATUS_ARGUMENT, "%s is %g, must be %s", a->name, numbers[k],
                           a->columns == 1 ? "positive and finite" : "finite");
    return SN_STATUS_OK;
}

snStatus sn_batchCheckParameter(const snBatch* b, const char* field, const double* numbers, size_t count,
                                snError* error)
{
    snBatchArray a;
    snStatus status = find(b->m, field, &a, error);
    const size_t row = status ? 0 : (size_t)a.columns, n = row ? count / row : 0;
    if (!status && count != n * row)
        return sn_fail(error, SN_STATUS_ARGUMENT, "'%s' has %zu numbers, not rows of %zu", field, count, row);
    for (size_t i = 0; i < n && !status; i++, numbers += row) {
        char where[48] = "";
        if (n > 1) snprintf(where, sizeof where, " of simulation %zu", i);
        status = a.place == SN_PLACE_MODEL    ? sn_checkFieldNumbers(b->m, a.index, numbers, where, error)
                 : a.place == SN_PLACE_OPTION ? checkOption(b->m, &a, numbers, error)
                                              : checkStatistic(&a, numbers, error);
    }
    return status;
}

// ---- what follows from them

// All that sn_setConst writes.
static const char* const derived[] = {"body_subtreemass",    "dof_M0",           "body_invweight0",
                                      "dof_invweight0",      "tendon_length0",   "tendon_invweight0",
                                      "tendon_lengthspring", "actuator_length0", "actuator_acc0",
                                      "actuator_biasprm",    "eq_data",          "cam_pos0",
                                      "cam_poscom0",         "cam_mat0",         "light_pos0",
                                      "light_poscom0",       "light_dir0",       "stat.meaninertia",
                                      "stat.meanmass",       "stat.meansize",    "stat.extent",
                                      "stat.center",         "dof_length"};

// And by the rule CONST_BOUNDS, where simulations have shapes of their own.
static const char* const bounds[] = {"geom_rbound", "geom_aabb", "geom_fluid", "body_margin", "bvh_aabb"};

static bool haveOwnShapes(const snBatch* b)
{
    static const char* const shapes[] = {"geom_size", "geom_pos",  "geom_quat",  "geom_margin",
                                         "geom_gap",  "body_ipos", "body_iquat", "hfield_size"};
    if (!sn_means(b->m->physics, SN_RULE_CONST_BOUNDS)) return false;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (sn_findArray(&b->parameter, shapes[i])) return true;
    return false;
}

static snStatus addAll(snBatch* b, const char* const names[], size_t count, snError* error)
{
    snStatus status = SN_STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) status = sn_batchParameter(b, names[i], error);
    return status;
}

static snStatus addDerived(snBatch* b, snError* error)
{
    const snStatus status = addAll(b, derived, sizeof derived / sizeof *derived, error);
    if (status || !haveOwnShapes(b)) return status;
    return addAll(b, bounds, sizeof bounds / sizeof *bounds, error);
}

// Which actuators add armature or damping, and who may sleep, is one for all.
static void keepIds(const snModel* m, snModel* own)
{
    memcpy(own->jnt_actuatorid, m->jnt_actuatorid, (size_t)m->njnt * sizeof(int));
    memcpy(own->tendon_actuatorid, m->tendon_actuatorid, (size_t)m->ntendon * sizeof(int));
    memcpy(own->tree_sleep_policy, m->tree_sleep_policy, (size_t)m->ntree * sizeof(int));
}

snStatus sn_batchSetConst(snBatch* b, const int* ids, int nid, snError* error)
{
    snStatus status = sn_checkIds(b, "sn_batchSetConst", ids, nid, error);
    if (!status) status = addDerived(b, error);
    if (status) return status;
    snScalarWork* w = b->scalar[0];
    if (!ids) nid = b->n;
    for (int k = 0; k < nid; k++) {
        const int id = ids ? ids[k] : k;
        sn_scalarEngine.load(w, b->parameter.list, b->parameter.count, &id, 1, 1);
        sn_setConst(w->own, w->d);
        w->own->ngravcomp = b->m->ngravcomp; // one for all
        sn_scalarEngine.store(w, b->parameter.list, b->parameter.count, &id, 1, 1);
    }
    keepIds(b->m, w->own);
    return SN_STATUS_OK;
}
