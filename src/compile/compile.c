#include <sinew/collision.h>
#include <sinew/names.h>
#include <sinew/smooth.h>
#include <sinew/spec.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "compile/asset/asset.h"
#include "compile/body/body.h"
#include "compile/build/timing.h"
#include "compile/flex/flex.h"
#include "compile/number.h"
#include "compile/relation/relation.h"
#include "compile/mesh/mesh.h"
#include "compile/scale/scale.h"
#include "format/mjcf/mjcf.h"
#include "model/arena_size.h"
#include "model/blank.h"
#include "model/check/finite.h"
#include "model/kinds.h"
#include "model/layout.h"
#include "model/warnings.h"
#include "smooth/set_const.h"

// What a step then makes of such settings is what the peer makes of them.
static bool checkNumbers(snBuild* b)
{
    const snOption* opt = &b->spec->option;
    const struct {
        const char* name;
        int value;
    } counts[] = {{"iterations", opt->iterations},
                  {"ls_iterations", opt->ls_iterations},
                  {"noslip_iterations", opt->noslip_iterations},
                  {"ccd_iterations", opt->ccd_iterations}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].value < 0 &&
            !sn_buildWarnSetting(b, "option", counts[i].name, "%s is %d, must not be negative",
                                 counts[i].name, counts[i].value))
            return false;
    return !(opt->timestep <= 0) || isinf(opt->timestep) ||
           sn_buildWarnSetting(b, "option", "timestep", "timestep is %g, must be positive", opt->timestep);
}

static bool makeModel(snBuild* b)
{
    b->any_inertia = sn_takesAnyInertia(b->spec);
    if (!sn_loadSkins(b) || !sn_loadFlexes(b) || !sn_buildScale(b)) return false;
    sn_discardLooks(b);
    if (!sn_buildFuse(b)) return false;
    int sizes[SN_NMODELSIZES] = {0};
    if (!sn_buildNumber(b, sizes)) return false;
    b->m = sn_makeModel(sizes, b->error);
    if (!b->m) return false;
    b->m->opt = b->spec->option;
    b->m->vis = b->spec->visual;
    b->m->physics = b->spec->physics;
    return true;
}

static bool buildParts(snBuild* b)
{
    return sn_buildPlugins(b) && sn_buildAssets(b) && sn_buildMeshes(b) && sn_buildTree(b) &&
           sn_buildJoints(b) && sn_buildGeoms(b) && sn_buildSites(b) && sn_buildCameras(b) &&
           sn_buildLights(b) && sn_buildInertia(b) && sn_discardGeoms(b) && sn_buildContacts(b) &&
           sn_buildTendons(b) && sn_buildEqualities(b) && sn_buildFlexes(b) && sn_buildLoops(b) &&
           sn_buildRigid(b) && sn_buildServo(b) && sn_buildActuators(b) && sn_buildSensors(b) &&
           sn_buildCustom(b) && sn_buildKeys(b) && sn_buildNames(b) && sn_buildPaths(b) &&
           sn_buildBounds(b) && sn_buildSparse(b) && sn_buildSleep(b) && sn_buildFlexOptions(b);
}

// Sizes that were upper bounds until the parts were built are final now.
static bool packParts(snBuild* b)
{
    sn_packModel(b->m);
    return true;
}

// Stiffness and damping of a joint that give it a time constant and a damping ratio, for the joint's mean
// inertia at qpos0: k = I/(tc zeta)^2, c = 2 I/tc.
static void springDampers(snBuild* b)
{
    snModel* m = b->m;
    for (int i = 0; i < m->njnt; i++) {
        const double timeconst = b->joint[i]->springdamper[0], ratio = b->joint[i]->springdamper[1];
        if (!(timeconst > 0 && ratio > 0)) continue;
        const int first = m->jnt_dofadr[i], n = sn_jointDofs(m->jnt_type[i]);
        double inverse = 0;
        for (int k = first; k < first + n; k++) inverse += m->dof_invweight0[k];
        const double inertia = n / sn_max(inverse, SN_MINVAL);
        m->jnt_stiffness[i] = inertia / sn_max(timeconst * timeconst * ratio * ratio, SN_MINVAL);
        for (int k = first; k < first + n; k++)
            m->dof_damping[k] = 2 * inertia / sn_max(timeconst, SN_MINVAL);
    }
}

static void givenStatistics(snBuild* b)
{
    const snSpecStatistic* given = &b->spec->statistic;
    snStatistic* stat = &b->m->stat;
    if (!isnan(given->meaninertia)) stat->meaninertia = given->meaninertia;
    if (!isnan(given->meanmass)) stat->meanmass = given->meanmass;
    if (!isnan(given->meansize)) stat->meansize = given->meansize;
    if (!isnan(given->extent)) stat->extent = given->extent;
    if (!isnan(given->center[0])) memcpy(stat->center, given->center, sizeof stat->center);
}

static bool buildConstants(snBuild* b)
{
    snModel* m = b->m;
    m->narena = b->spec->memory > 0 ? (size_t)b->spec->memory : SN_ARENA_LIMIT;
    m->njmax = b->spec->size.njmax;
    m->nconmax = b->spec->size.nconmax;
    sn_hashNames(m);
    if (!sn_sizePlugins(b)) return false;
    if (sn_validateModel(m, b->error) != SN_STATUS_OK || sn_checkCollisions(m, b->error) != SN_STATUS_OK)
        return false;
    // The constants need scratch of their own, whatever the model's arena is.
    const size_t narena = m->narena;
    m->narena = SN_ARENA_LIMIT;
    snData* d = sn_blankData(m);
    m->narena = narena;
    if (!d) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for the model's constants");
    sn_resolveConst(m, d);
    sn_deleteData(d);
    sn_buildPlasticKeys(m);
    // plugins before any other data is made, which one that refuses the model would have no words for
    if (!sn_checkLoopsClose(b) || !sn_tryPlugins(b) || !sn_buildLengthRanges(b)) return false;
    springDampers(b);
    givenStatistics(b);
    return sn_checkSleep(b);
}

// Numbers that are not finite are told where they stand, or else where they come from.
static bool checkFinite(snBuild* b)
{
    snError own = {0}, *error = b->error;
    if (b->spec->warned || sn_isFiniteModel(b->m, &own)) return true;
    b->error = &own;
    sn_buildBlame(b);
    b->error = error;
    if (sn_addWarning(b->options, &own)) return true;
    *error = own;
    return false;
}

const double* sn_compileTimes(const snSpec* spec)
{
    return spec->times;
}

snModel* sn_compile(snSpec* spec, const snLoadOptions* options, snError* error)
{
    snError own;
    snBuild b = {.spec = spec, .options = options, .error = error ? error : &own};
    memset(b.error, 0, sizeof *b.error);
    spec->blamed = NULL;
    if (options && options->files_anywhere) spec->files_anywhere = true;
    const double start = sn_monotonicTime();
    memset(spec->times, 0, sizeof spec->times);
    const bool good = sn_readSpec(spec, options, b.error) && checkNumbers(&b) && makeModel(&b) &&
                      buildParts(&b) && packParts(&b) && buildConstants(&b) && checkFinite(&b);
    if (!good) sn_buildBlame(&b);
    sn_free(b.block);
    sn_freeTextures(&b);
    sn_freeSkins(&b);
    sn_freeHfields(&b);
    sn_freeFlexes(&b);
    sn_freeMeshes(&b);
    if (good) sn_noteIds(spec);
    spec->read = false; // the compiler works on the records
    spec->times[SN_CTIMER_TOTAL] = sn_monotonicTime() - start;
    if (good) return b.m;
    sn_deleteModel(b.m);
    return NULL;
}
