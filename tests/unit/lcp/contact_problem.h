// Random rows of contacts on a few bodies, more than these can tell apart: A = J M^-1 J' is singular.
#ifndef CONTACT_PROBLEM_H
#define CONTACT_PROBLEM_H

#include "dense_problem.h"

typedef struct Scene {
    int contacts, bodies, joints; ///< joints: further rows, free, bounded on one side or on both
    double ratio;                 ///< of masses
    int friction;                 ///< snLcpRow of the tangents
} Scene;

// An orthonormal frame whose first axis is near z.
static inline void randomFrame(double frame[3][3], uint64_t* seed)
{
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) frame[a][k] = 0.3 * uniform(seed) + (k == (a + 2) % 3);
    for (int a = 0; a < 3; a++) {
        double square = 0;
        for (int c = 0; c < a; c++) {
            double dot = 0;
            for (int k = 0; k < 3; k++) dot += frame[a][k] * frame[c][k];
            for (int k = 0; k < 3; k++) frame[a][k] -= dot * frame[c][k];
        }
        for (int k = 0; k < 3; k++) square += frame[a][k] * frame[a][k];
        for (int k = 0; k < 3; k++) frame[a][k] /= sqrt(square);
    }
}

// Adds sign times the velocity of a body's point along an axis.
static inline void addPoint(double* row, int body, const double axis[3], double sign, uint64_t* seed)
{
    const double arm[3] = {uniform(seed), uniform(seed), -sign};
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        row[6 * body + k] += sign * axis[k];
        row[6 * body + 3 + k] += sign * (arm[l] * axis[m] - arm[m] * axis[l]);
    }
}

// Three rows between a body and another, or the ground.
static inline void addContact(Problem* p, double* J, int columns, int row, int friction, uint64_t* seed)
{
    const int bodies = columns / 6, first = (int)((uniform(seed) + 1) * 0.4999 * bodies);
    const int second = (int)((uniform(seed) + 1) * 0.4999 * (bodies + 1)) - 1;
    double frame[3][3];
    randomFrame(frame, seed);
    const uint64_t arms = *seed;
    for (int a = 0; a < 3; a++) {
        uint64_t same = arms; // one point for the three axes
        addPoint(J + (row + a) * columns, first, frame[a], 1, &same);
        if (second >= 0 && second != first) addPoint(J + (row + a) * columns, second, frame[a], -1, &same);
        p->kind[row + a] = a ? friction : SN_LCPROW_BOX;
        p->normal[row + a] = row;
        p->mu[row + a] = a ? 0.6 + 0.5 * uniform(seed) : 0;
    }
}

// A row of a joint; every third is free, and every ninth says the same as one before.
static inline void addJoint(Problem* p, double* J, int columns, int k, int row, uint64_t* seed)
{
    for (int c = 0; c < columns; c++) J[row * columns + c] = uniform(seed) > 0 ? uniform(seed) : 0;
    if (k % 3 == 0) p->lo[row] = -HUGE_VAL;
    if (k % 3 == 1) p->lo[row] = -0.1, p->hi[row] = 0.2;
    if (k % 3 == 2) p->lo[row] = -HUGE_VAL, p->hi[row] = 0;
    if (k % 9 == 3) memcpy(J + row * columns, J + (row - 3) * columns, (size_t)columns * sizeof(double));
}

// Bodies fall, so that contacts close: b = J u.
static inline Problem newScene(const Scene* scene, uint64_t seed)
{
    const int n = 3 * scene->contacts + scene->joints, columns = 6 * scene->bodies;
    Problem p = newProblem(n);
    double *J = calloc((size_t)(n * columns), sizeof(double)), inverse[60], u[60];
    seed = seed * 2654435761u + 12345;
    for (int k = 0; k < 10; k++) uniform(&seed);
    for (int k = 0; k < columns; k++) {
        if (k % 6 == 0) inverse[k] = pow(scene->ratio, 0.5 * uniform(&seed));
        if (k % 6 != 0) inverse[k] = k % 6 == 3 ? 1.5 * inverse[k - 1] : inverse[k - 1];
        u[k] = 0.5 * uniform(&seed) - (k % 6 == 2);
    }
    for (int k = 0; k < scene->contacts; k++) addContact(&p, J, columns, 3 * k, scene->friction, &seed);
    for (int k = 0; k < scene->joints; k++) addJoint(&p, J, columns, k, 3 * scene->contacts + k, &seed);
    setGram(&p, J, inverse, columns);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < columns; k++) p.b[i] += J[i * columns + k] * u[k];
    free(J);
    return p;
}

// A tower of unit boxes, four contacts below each, that has fallen for a step of dt at g = 10; it is pushed
// sideways at the top. Box k has the mass ratio^(k / (count - 1)).
static inline Problem newTower(int count, double ratio, int friction, double dt, double push)
{
    const int columns = 6 * count;
    Problem p = newProblem(12 * count);
    double *J = calloc((size_t)(p.n * columns), sizeof(double)), inverse[120];
    for (int k = 0; k < columns; k++)
        inverse[k] = (k % 6 < 3 ? 1 : 6) * pow(ratio, count > 1 ? -(k / 6) / (count - 1.0) : 0);
    for (int row = 0; row < p.n; row++) {
        const int body = row / 12, corner = row / 3 % 4, axis = row % 3, normal = row - axis;
        const double x = corner % 2 ? 0.5 : -0.5, y = corner / 2 ? 0.5 : -0.5;
        for (int side = 0; side < 2 && body >= side; side++) {
            const double z = side ? 0.5 : -0.5, sign = side ? -1 : 1;
            const double turn[3][3] = {{y, -x, 0}, {0, z, -y}, {-z, 0, x}}; // of the point along z, x, y
            double* to = J + row * columns + 6 * (body - side);
            to[(axis + 2) % 3] = sign;
            for (int k = 0; k < 3; k++) to[3 + k] = sign * turn[axis][k];
        }
        p.kind[row] = axis ? friction : SN_LCPROW_BOX;
        p.normal[row] = normal;
        p.mu[row] = axis ? 0.5 : 0;
    }
    setGram(&p, J, inverse, columns);
    for (int i = 0; i < p.n; i++) {
        for (int body = 0; body < count; body++) p.b[i] -= J[i * columns + 6 * body + 2] * 10 * dt;
        p.b[i] += J[i * columns + columns - 6] * push;
    }
    free(J);
    return p;
}

#endif
