// What lanes cannot do: a model that has any of it is stepped by the scalar engine, all its simulations.
#include <stdio.h>
#include <string.h>
#include "batch/batch.h"
#include "batch/pair.h"
#include "loop/closing/assemble.h"
#include "model/kinds.h"
#include "model/sleep.h"
#include "shape/facts.h"
#include "model/spatial_tendon.h"

enum { MOST_DOFS = 64 };

static bool manyDofs(const snModel* m)
{
    return m->nv > MOST_DOFS;
}

static bool conjugateGradients(const snModel* m)
{
    return !sn_solverKind(m->opt.solver).lanes;
}

static bool ellipticSweeps(const snModel* m)
{
    return sn_solverKind(m->opt.solver).dual && m->opt.cone != SN_CONE_PYRAMIDAL;
}

static bool noslip(const snModel* m)
{
    return m->opt.noslip_iterations > 0;
}

static bool implicitIntegrator(const snModel* m)
{
    return sn_integratorKind(m->opt.integrator).bias;
}

static bool discreteIntegrator(const snModel* m)
{
    return sn_integratorKind(m->opt.integrator).metric;
}

static bool servosAtEnd(const snModel* m)
{
    const snIntegratorKind integrator = sn_integratorKind(m->opt.integrator);
    return m->opt.servo == SN_SERVO_END && integrator.implicit && !integrator.bias;
}

static bool rigidContact(const snModel* m)
{
    return m->opt.contact == SN_CONTACT_LCP;
}

static bool yieldingSprings(const snModel* m)
{
    return m->nplastic > 0;
}

static bool histories(const snModel* m)
{
    return m->nhistory > 0;
}

static bool camerasOfRays(const snModel* m)
{
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_RANGEFINDER && m->sensor_objtype[s] == SN_OBJ_CAMERA) return true;
    return false;
}

static bool meshesAsSites(const snModel* m)
{
    for (int i = 0; i < m->nsite; i++)
        if (m->site_dataid[i] >= 0) return true;
    return false;
}

static bool enclosure(const snModel* m)
{
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_INSIDESITE && m->sensor_intprm[SN_NSENS * s]) return true;
    return false;
}

static bool tactileSensors(const snModel* m)
{
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_TACTILE) return true;
    return false;
}

static bool tensionSensors(const snModel* m)
{
    if (!sn_bodiesFeelTendons(m)) return false;
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_FORCE || m->sensor_type[s] == SN_SENS_TORQUE) return true;
    return false;
}

static bool adhesion(const snModel* m)
{
    for (int g = 0; g < m->ngeom; g++)
        if (m->geom_adhesion[g] != 0) return true;
    for (int p = 0; p < m->npair; p++)
        if (m->pair_adhesion[p] != 0) return true;
    return false;
}

static bool flexes(const snModel* m)
{
    return m->nflex > 0;
}

static bool distanceFields(const snModel* m)
{
    for (int g = 0; g < m->ngeom; g++)
        if (sn_hasDistances(m->geom_type[g])) return true;
    return false;
}

static bool plugins(const snModel* m)
{
    return m->nplugin > 0;
}

static bool speculative(const snModel* m)
{
    return (m->opt.enableflags & SN_ENBL_SPECULATIVE) != 0;
}

static bool exactDiagonal(const snModel* m)
{
    return (m->opt.enableflags & SN_ENBL_DIAGEXACT) != 0;
}

static bool manyPairs(const snModel* m)
{
    return sn_countBatchPairs(m) > SN_BATCH_MAXPAIR;
}

static const struct Feature {
    const char* name; // without a comma, which stands between names
    bool (*has)(const snModel* m);
} features[] = {
    {"more than 64 dofs", manyDofs},
    {"solver CG", conjugateGradients},
    {"solver PGS with elliptic cones", ellipticSweeps},
    {"noslip", noslip},
    {"integrator implicit", implicitIntegrator},
    {"integrator discrete", discreteIntegrator},
    {"servo end", servosAtEnd},
    {"exact loops", sn_mayHaveLoops},
    {"rigid contact (LCP)", rigidContact},
    {"springs that yield", yieldingSprings},
    {"histories of controls or sensors", histories},
    {"rangefinders of cameras", camerasOfRays},
    {"sites that are meshes", meshesAsSites},
    {"insidesite with enclosed", enclosure},
    {"tactile sensors", tactileSensors},
    {"force or torque sensors beside spatial tendons", tensionSensors},
    {"adhesion of geoms or pairs", adhesion},
    {"flexes", flexes},
    {"signed distance fields", distanceFields},
    {"plugins", plugins},
    {"flag speculative", speculative},
    {"flag diagexact", exactDiagonal},
    {"flag sleep", sn_maySleep},
    {"more than 8192 pairs of geoms that may meet", manyPairs},
};

int sn_batchScalarFeatures(const snModel* m, char* text, int size)
{
    int length = 0;
    if (size > 0) text[0] = '\0';
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (!features[i].has(m)) continue;
        const bool fits = length < size;
        length += snprintf(fits ? text + length : NULL, fits ? (size_t)(size - length) : 0, "%s%s",
                           length ? ", " : "", features[i].name);
    }
    return length;
}
