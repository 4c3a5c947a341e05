#include "smooth/actuator/law/law.h"
#include "model/kinds.h"
#include "smooth/actuator/law/affine.h"
#include "smooth/actuator/law/filterexact.h"
#include "smooth/actuator/law/fixed.h"
#include "smooth/actuator/law/integrator.h"
#include "smooth/actuator/law/muscle.h"
#include "smooth/actuator/law/none.h"
#include "smooth/actuator/law/user.h"

#define MUSCLE "it is a muscle"
#define MOTOR "it is a dcmotor"
#define SERVO "it is an orientation servo"

// clang-format off
//                      terms, slopes,           fault,          scaled,            range,                no_gradient, called
static const snForceLaw gains[SN_KINDS(SN_GAIN_TABLE)] = {
    [SN_GAIN_FIXED]  = {1,  sn_fixedSlopes,      NULL,           NULL,              SN_LRMODE_ALL,        NULL,   NULL},
    [SN_GAIN_AFFINE] = {3,  sn_affineSlopes,     NULL,           NULL,              SN_LRMODE_ALL,        NULL,   NULL},
    [SN_GAIN_MUSCLE] = {-1, sn_muscleGainSlopes, sn_muscleFault, sn_isMuscleScaled, SN_LRMODE_MUSCLE,     MUSCLE, NULL},
    [SN_GAIN_USER]   = {-1, sn_userSlopes,       NULL,           NULL,              SN_LRMODE_MUSCLEUSER, NULL,   sn_hasUserGain},
    [SN_GAIN_DCMOTOR] = {-1, sn_noSlopes,        NULL,           NULL,              SN_LRMODE_ALL,        MOTOR,  NULL},
    [SN_GAIN_SO3]    = {-1, sn_noSlopes,         NULL,           NULL,              SN_LRMODE_ALL,        SERVO,  NULL},
    [SN_GAIN_PID]    = {-1, sn_noSlopes,         NULL,           NULL,              SN_LRMODE_ALL,        NULL,   NULL},
};
static const snForceLaw biases[SN_KINDS(SN_BIAS_TABLE)] = {
    [SN_BIAS_NONE]   = {0,  sn_noSlopes,         NULL,           NULL,              SN_LRMODE_ALL,        NULL,   NULL},
    [SN_BIAS_AFFINE] = {3,  sn_affineSlopes,     NULL,           NULL,              SN_LRMODE_ALL,        NULL,   NULL},
    [SN_BIAS_MUSCLE] = {-1, sn_muscleBiasSlopes, sn_muscleFault, sn_isMuscleScaled, SN_LRMODE_MUSCLE,     MUSCLE, NULL},
    [SN_BIAS_USER]   = {-1, sn_userSlopes,       NULL,           NULL,              SN_LRMODE_MUSCLEUSER, NULL,   sn_hasUserBias},
    [SN_BIAS_DCMOTOR] = {-1, sn_noSlopes,        NULL,           NULL,              SN_LRMODE_ALL,        MOTOR,  NULL},
    [SN_BIAS_SO3]    = {-1, sn_affineSlopes,     NULL,           NULL,              SN_LRMODE_ALL,        SERVO,  NULL},
};
//                          slopes,                  time,               by_tau,              no_gradient, called
static const snActivationLaw activations[SN_KINDS(SN_DYN_TABLE)] = {
    [SN_DYN_NONE]        = {sn_noRateSlopes,         NULL,               NULL,                NULL,   NULL},
    [SN_DYN_INTEGRATOR]  = {sn_integratorRateSlopes, NULL,               NULL,                NULL,   NULL},
    [SN_DYN_FILTER]      = {sn_filterRateSlopes,     NULL,               sn_filterByTau,      NULL,   NULL},
    [SN_DYN_FILTEREXACT] = {sn_filterRateSlopes,     sn_filterexactTime, sn_filterexactByTau, NULL,   NULL},
    [SN_DYN_MUSCLE]      = {sn_muscleRateSlopes,     NULL,               NULL,                MUSCLE, NULL},
    [SN_DYN_USER]        = {sn_userRateSlopes,       NULL,               NULL,                NULL,   sn_hasUserRates},
    [SN_DYN_DCMOTOR]     = {sn_noRateSlopes,         NULL,               NULL,                MOTOR,  NULL},
    [SN_DYN_PID]         = {sn_noRateSlopes,         NULL,               NULL,                NULL,   NULL},
};
// clang-format on

const snForceLaw* sn_gainLaw(int gaintype)
{
    return &gains[gaintype < 0 || gaintype >= SN_KINDS(SN_GAIN_TABLE) ? (int)SN_GAIN_USER : gaintype];
}

const snForceLaw* sn_biasLaw(int biastype)
{
    return &biases[biastype < 0 || biastype >= SN_KINDS(SN_BIAS_TABLE) ? (int)SN_BIAS_USER : biastype];
}

const snActivationLaw* sn_activationLaw(int dyntype)
{
    return &activations[dyntype < 0 || dyntype >= SN_KINDS(SN_DYN_TABLE) ? (int)SN_DYN_USER : dyntype];
}

static snLawPoint pointOf(const snModel* m, const snData* d, int i, const double* prm)
{
    const int out = m->actuator_outadr[i];
    return (snLawPoint){.length = d->actuator_length[out],
                        .velocity = d->actuator_velocity[out],
                        .acc0 = m->actuator_acc0[out],
                        .lengthrange = m->actuator_lengthrange + 2 * out,
                        .prm = prm};
}

snLawPoint sn_gainPoint(const snModel* m, const snData* d, int i)
{
    return pointOf(m, d, i, m->actuator_gainprm + SN_NGAIN * i);
}

snLawPoint sn_biasPoint(const snModel* m, const snData* d, int i)
{
    return pointOf(m, d, i, m->actuator_biasprm + SN_NBIAS * i);
}

bool sn_isForceAffine(const snModel* m, int i)
{
    return sn_gainLaw(m->actuator_gaintype[i])->terms >= 0 && sn_biasLaw(m->actuator_biastype[i])->terms >= 0;
}
