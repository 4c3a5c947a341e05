#include "math/eig3.h"

// A turn about coordinate axis k whose half angle has this sine and cosine.
static snQuat axisTurn(int k, real sine, real cosine)
{
    return (snQuat){cosine, k == 0 ? sine : 0, k == 1 ? sine : 0, k == 2 ? sine : 0};
}

// What is as good as diagonal: an element below `off`, a turn whose cosine is above `cosine`.
typedef struct Bounds {
    real off, cosine;
} Bounds;

// Turn about the axis beside row r and column c of the element to be annihilated. tan(2 theta) =
// 2 B_rc / (B_rr - B_cc), the root with |theta| <= pi/4; about y the plane (0,2) has the other sense. The
// half angle comes from cos(theta) = 1 - 2 sin^2(theta/2). False: the turn is negligible.
static bool jacobiTurn(const real B[9], int r, int c, Bounds bounds, snQuat* turn)
{
    const real off = B[3 * r + c];
    if (!(fabs(off) >= bounds.off)) return false;
    const real tau = (B[4 * r] - B[4 * c]) / (2 * off);
    const real t = (tau > 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    const real cosine = 1 / sqrt(1 + t * t);
    if (cosine > bounds.cosine) return false;
    const real half = sqrt(0.5 - 0.5 * cosine);
    *turn = axisTurn(3 - r - c, (t > 0) == (c - r == 1) ? half : -half, sqrt(0.5 + 0.5 * cosine));
    return true;
}

static snQuat diagonalize(snMat3 A, Bounds bounds, real value[3], int* turns)
{
    static const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
    snQuat q = sn_quatIdentity();
    snMat3 B = A;
    // Convergence is quadratic: three to five turns in practice, the bound is for NaN.
    for (*turns = 0; *turns < 100; ++*turns) {
        const snMat3 R = sn_quatToMat(q);
        B = sn_m3TMulM3(R, sn_m3MulM3(A, R));
        const real off[3] = {fabs(B.m[1]), fabs(B.m[2]), fabs(B.m[5])};
        const int largest = off[0] > off[1] && off[0] > off[2] ? 0
                            : off[1] > off[2]                  ? 1
                                                               : 2; // of equals the last, as the peer
        snQuat turn;
        if (!jacobiTurn(B.m, row[largest], column[largest], bounds, &turn)) break;
        q = sn_quatNormalize(sn_quatMul(q, turn));
    }
    for (int k = 0; k < 3; k++) value[k] = B.m[4 * k];
    // A quarter turn about the axis beside two neighbours swaps their axes.
    for (int k = 0; k < 3; k++) {
        const int i = k % 2;
        if (value[i] + 1e-12 >= value[i + 1]) continue;
        const real v = value[i];
        value[i] = value[i + 1];
        value[i + 1] = v;
        q = sn_quatNormalize(sn_quatMul(q, axisTurn((i + 2) % 3, sqrt(0.5), sqrt(0.5))));
    }
    return q;
}

snQuat sn_eig3(snMat3 A, real value[3])
{
    int turns;
    return sn_eig3Turns(A, value, &turns);
}

snQuat sn_eig3Turns(snMat3 A, real value[3], int* turns)
{
    // the peer's bounds; the first is in units of A, so that it decides the axes of tiny bodies
    return diagonalize(A, (Bounds){1e-12, 1 - 1e-12}, value, turns);
}

// Turns until what is beside the diagonal is below `least` of the largest value.
static snQuat refine(snMat3 A, snQuat q, real least, real value[3])
{
    static const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
    for (int k = 0; k < 12; k++) { // three or four turns do, the bound is for NaN
        const snMat3 R = sn_quatToMat(q);
        const snMat3 B = sn_m3TMulM3(R, sn_m3MulM3(A, R));
        for (int i = 0; i < 3; i++) value[i] = B.m[4 * i];
        const real off[3] = {fabs(B.m[1]), fabs(B.m[2]), fabs(B.m[5])};
        const int largest = off[0] >= off[1] && off[0] >= off[2] ? 0 : off[1] >= off[2] ? 1 : 2;
        const int r = row[largest], c = column[largest];
        const real scale = sn_max(fabs(value[0]), sn_max(fabs(value[1]), fabs(value[2])));
        if (!(off[largest] > least * scale)) break;
        // half the angle whose double has the tangent 2 B_rc / (B_rr - B_cc); about y the other way round
        const real angle = 0.25 * sn_atan2(2 * B.m[3 * r + c], fabs(B.m[4 * r] - B.m[4 * c]));
        const real half = (B.m[4 * r] >= B.m[4 * c]) == (c - r == 1) ? angle : -angle;
        q = sn_quatNormalize(sn_quatMul(q, axisTurn(3 - r - c, sn_sin(half), sn_cos(half))));
    }
    return q;
}

snQuat sn_refineEig3(snMat3 A, snQuat q, real value[3])
{
    return refine(A, q, 1e-17, value);
}

// A / *size, the largest entry of A; A itself where that is no scale.
static snMat3 toUnit(snMat3 A, real* size)
{
    *size = 0;
    for (int i = 0; i < 9; i++) *size = sn_max(fabs(A.m[i]), *size);
    if (!(*size > 0) || !isfinite(*size)) *size = 1;
    for (int i = 0; i < 9; i++) A.m[i] /= *size;
    return A;
}

snQuat sn_floatEig3(snMat3 A, real value[3])
{
    real size;
    int turns;
    const snQuat q = diagonalize(toUnit(A, &size), (Bounds){1e-7, 2}, value, &turns);
    for (int k = 0; k < 3; k++) value[k] *= size;
    return q;
}

snQuat sn_exactEig3(snMat3 A, real value[3])
{
    real size;
    const snMat3 unit = toUnit(A, &size);
    // what is less turns axes of equal moments anywhere
    const snQuat q = refine(unit, sn_eig3(unit, value), 1e-15, value);
    for (int k = 0; k < 3; k++) value[k] *= size;
    return q;
}
