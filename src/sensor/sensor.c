// The loop over sensors of a stage (seed 001, "Sensors"), and what is clipped.
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <math.h>
#include "sensor/value.h"

typedef void (*Value)(const snModel* m, snData* d, int sensor, double* out);

// Clips to the cutoff: both sides of a real number, the upper side of a positive one, no directions and no
// segments.
static void clip(const snModel* m, int sensor, double* out)
{
    const double cutoff = m->sensor_cutoff[sensor];
    const int type = m->sensor_datatype[sensor];
    if (m->sensor_type[sensor] == SN_SENS_GEOMFROMTO) return;
    if (cutoff <= 0 || (type != SN_DATATYPE_REAL && type != SN_DATATYPE_POSITIVE)) return;
    for (int k = 0; k < m->sensor_dim[sensor]; k++) {
        if (out[k] > cutoff) out[k] = cutoff;
        if (type == SN_DATATYPE_REAL && out[k] < -cutoff) out[k] = -cutoff;
    }
}

static void compute(const snModel* m, snData* d, int stage, Value value)
{
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_needstage[s] != stage || m->sensor_type[s] == SN_SENS_USER) continue;
        double* out = d->sensordata + m->sensor_adr[s];
        value(m, d, s, out);
        clip(m, s, out);
    }
}

// Sensors of the user at a stage, by the callback.
static void computeUser(const snModel* m, snData* d, int stage)
{
    int s = 0;
    while (s < m->nsensor && (m->sensor_type[s] != SN_SENS_USER || m->sensor_needstage[s] != stage)) s++;
    if (s == m->nsensor) return;
    if (d->callback.sensor) d->callback.sensor(m, d, stage, d->callback.user);
    for (; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_USER && m->sensor_needstage[s] == stage)
            clip(m, s, d->sensordata + m->sensor_adr[s]);
}

// Whether any sensor of the model is of a type in the set.
static int any(const snModel* m, unsigned long long set)
{
    for (int s = 0; s < m->nsensor; s++)
        if (set >> m->sensor_type[s] & 1) return 1;
    return 0;
}

#define BIT(type) (1ULL << SN_SENS_##type)

void sn_sensorPos(const snModel* m, snData* d)
{
    if (m->opt.disableflags & SN_DSBL_SENSOR) return;
    if (any(m, BIT(E_POTENTIAL))) sn_energyPos(m, d);
    if (any(m, BIT(E_KINETIC))) sn_energyVel(m, d);
    compute(m, d, SN_STAGE_POS, sn_sensorPosValue);
    computeUser(m, d, SN_STAGE_POS);
}

void sn_sensorVel(const snModel* m, snData* d)
{
    if (m->opt.disableflags & SN_DSBL_SENSOR) return;
    if (any(m, BIT(SUBTREELINVEL) | BIT(SUBTREEANGMOM))) sn_subtreeVel(m, d);
    compute(m, d, SN_STAGE_VEL, sn_sensorVelValue);
    computeUser(m, d, SN_STAGE_VEL);
}

void sn_sensorAcc(const snModel* m, snData* d)
{
    if (m->opt.disableflags & SN_DSBL_SENSOR) return;
    if (any(m, BIT(ACCELEROMETER) | BIT(FORCE) | BIT(TORQUE) | BIT(FRAMELINACC) | BIT(FRAMEANGACC)))
        sn_rnePostConstraint(m, d);
    compute(m, d, SN_STAGE_ACC, sn_sensorAccValue);
    computeUser(m, d, SN_STAGE_ACC);
}
