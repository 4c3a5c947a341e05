// The boom of an excavator in its two independent angles, by a closure function, beside the same model with
// its loop joint.
//   closure_function excavator_boom.xml
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>

// The loop is a triangle: l1 between the joints of boom and cylinder, l2 from the boom's joint to its eye,
// y[0] the angle between them. The third side is the length of the actuator. y[1] is the angle of the arm.
static const double l1 = 0.8, l2 = 1.7;
enum { BOOM, ARM, CYLINDER, PISTON, NV }; // dofs of the spanning tree

// Direction and length of the third side, and how they change with y[0]: u1, u2 and their own rates.
typedef struct Side {
    double angle, length, u1, u2, u1_rate, u2_rate;
} Side;

static Side thirdSide(double y)
{
    const double x = l2 * cos(y) - l1, z = l2 * sin(y), d = hypot(x, z);
    const double u1 = l2 * (l2 - l1 * cos(y)) / (d * d), u2 = l1 * l2 * sin(y) / d;
    return (Side){atan2(z, x), d, u1, u2, u2 * (1 - 2 * u1) / d, (l1 * l2 * cos(y) - u2 * u2) / d};
}

static void gammaOf(const double* y, double* q, void* user)
{
    const Side s = thirdSide(y[0]);
    q[BOOM] = y[0];
    q[ARM] = y[1];
    q[CYLINDER] = s.angle;
    q[PISTON] = s.length;
    (void)user;
}

static void fillG(const double* y, double* G, void* user)
{
    const Side s = thirdSide(y[0]);
    G[2 * BOOM] = 1;
    G[2 * ARM + 1] = 1;
    G[2 * CYLINDER] = s.u1;
    G[2 * PISTON] = s.u2;
    (void)user;
}

static void fillBias(const double* y, const double* yd, double* g, void* user)
{
    const Side s = thirdSide(y[0]);
    g[CYLINDER] = s.u1_rate * yd[0] * yd[0];
    g[PISTON] = s.u2_rate * yd[0] * yd[0];
    (void)user;
}

// Were the two sides alike, the third would vanish at 0.
static int contains(const double* y, void* user)
{
    (void)user;
    return l1 != l2 || y[0] != 0;
}

static void dig(snData* d)
{
    d->ctrl[0] = 1.5 + 0.4 * sin(1.5 * d->time); // length of the actuator
    d->ctrl[1] = 0.6 * sin(2 * d->time);         // angle of the arm
}

int main(int argc, char** argv)
{
    snError error;
    snModel* m = sn_loadModel(argc > 1 ? argv[1] : "excavator_boom.xml", NULL, &error);
    if (!m) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snData *d = sn_makeData(m), *with_joint = sn_makeData(m);
    const snLoopFunction f = {2, NULL, gammaOf, fillG, fillBias, contains};
    double y[2] = {m->qpos0[BOOM], 0}, yd[2] = {0}, apart = 0, open = 0;
    const double some_speed[2] = {0.3, 0.5};

    // while one writes such functions: are they right?
    snLoopFunctionErrors errors;
    if (!d || !with_joint || sn_loopFunctionCheck(m, d, &f, y, some_speed, &errors, &error)) return 1;
    printf("G, g, K G and the closure are right: %s\n",
           errors.G < 1e-9 && errors.g < 1e-9 && errors.K < 1e-12 && errors.closure < 1e-12 ? "yes" : "no");

    while (d->time < 5) {
        dig(d);
        dig(with_joint);
        if (sn_loopFunctionStep(m, d, &f, y, yd, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        sn_step(m, with_joint);
        for (int i = 0; i < NV; i++) apart = fmax(apart, fabs(d->qpos[i] - with_joint->qpos[i]));
        open = fmax(open, d->loop_error);
    }
    printf("after %.0f s the boom is at %.3f rad, the actuator %.3f m long\n", d->time, y[0],
           d->qpos[PISTON]);
    printf("as with the loop joint to 1e-8: %s; open by less than 1e-14 m: %s\n", apart < 1e-8 ? "yes" : "no",
           open < 1e-14 ? "yes" : "no");
    sn_deleteData(with_joint);
    sn_deleteData(d);
    sn_deleteModel(m);
    return 0;
}
