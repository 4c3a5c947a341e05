#include "math/eig3.h"

// Unit quaternion of a turn by `angle` about coordinate axis k.
static snQuat axisTurn(int k, real angle)
{
    const real s = sin(0.5 * angle);
    return (snQuat){cos(0.5 * angle), k == 0 ? s : 0, k == 1 ? s : 0, k == 2 ? s : 0};
}

// Turn about the axis beside row r and column c of the element to be annihilated. tan(2 theta) =
// 2 B_rc / (B_rr - B_cc), the root with |theta| <= pi/4; about y the plane (0,2) has the other sense.
static snQuat jacobiTurn(const real B[9], int r, int c)
{
    const real off = B[3 * r + c];
    const real tau = (B[4 * r] - B[4 * c]) / (2 * off);
    const real t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    const real theta = atan(t);
    return axisTurn(3 - r - c, c - r == 2 ? -theta : theta);
}

snQuat sn_eig3(snMat3 A, real value[3])
{
    static const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
    snQuat q = sn_quatIdentity();
    snMat3 B = A;
    // Convergence is quadratic: three to five turns in practice, the bound is for NaN.
    for (int turn = 0; turn < 100; turn++) {
        const snMat3 R = sn_quatToMat(q);
        B = sn_m3TMulM3(R, sn_m3MulM3(A, R));
        int largest = 0;
        for (int k = 1; k < 3; k++)
            if (fabs(B.m[3 * row[k] + column[k]]) > fabs(B.m[3 * row[largest] + column[largest]]))
                largest = k;
        const real scale = fabs(B.m[0]) + fabs(B.m[4]) + fabs(B.m[8]);
        const real off = fabs(B.m[3 * row[largest] + column[largest]]);
        if (!(off > 1e-16 * scale) || off < 1e-300) break;
        const snQuat next = sn_quatNormalize(sn_quatMul(q, jacobiTurn(B.m, row[largest], column[largest])));
        if (next.w == q.w && next.x == q.x && next.y == q.y && next.z == q.z) break;
        q = next;
    }
    for (int k = 0; k < 3; k++) value[k] = B.m[4 * k];
    // A quarter turn about the axis beside two neighbours swaps their axes.
    for (int k = 0; k < 3; k++) {
        const int i = k % 2;
        if (value[i] + 1e-12 * fabs(value[i]) >= value[i + 1]) continue;
        const real v = value[i];
        value[i] = value[i + 1];
        value[i + 1] = v;
        q = sn_quatNormalize(sn_quatMul(q, axisTurn((i + 2) % 3, 0.5 * SN_PI)));
    }
    return q;
}
