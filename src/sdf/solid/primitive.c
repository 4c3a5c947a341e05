#include "sdf/solid/solid.h"

static double answer(double d, snVec3 g, double gradient[3])
{
    if (gradient) sn_v3Store(gradient, g);
    return d;
}

static double signOf(double x)
{
    return x < 0 ? -1 : 1;
}

double sn_planeDistance(const double point[3], double gradient[3])
{
    return answer(point[2], sn_v3(0, 0, 1), gradient);
}

// Of a ball, seen from its centre; up, if that is where the point is.
static double ball(double radius, snVec3 p, double gradient[3])
{
    const double length = sn_v3Norm(p);
    return answer(length - radius, length > 0 ? sn_v3Scale(p, 1 / length) : sn_v3(0, 0, 1), gradient);
}

double sn_ballDistance(double radius, const double point[3], double gradient[3])
{
    return ball(radius, sn_v3Load(point), gradient);
}

double sn_capsuleDistance(const double size[3], const double point[3], double gradient[3])
{
    const double z = point[2], along = z > size[1] ? size[1] : z < -size[1] ? -size[1] : z;
    return ball(size[0], sn_v3(point[0], point[1], z - along), gradient);
}

// The point x of the surface that is nearest to one outside has p - x = t Q^-1 x with t > 0, Q =
// diag(size^2): x_k = size_k^2 p_k / (size_k^2 + t), and t is the root of sum (size_k p_k / (size_k^2 + t))^2
// = 1, which falls and is convex: Newton's method from the left goes up to it.
static snVec3 nearestOnEllipsoid(const double size[3], const double p[3])
{
    enum { ROUNDS = 30 };
    double t = 0, x[3];
    for (int k = 0; k < 3; k++) t = sn_max(size[k] * (fabs(p[k]) - size[k]), t);
    for (int i = 0; i < ROUNDS; i++) {
        double sum = 0, slope = 0;
        for (int k = 0; k < 3; k++) {
            const double below = 1 / (size[k] * size[k] + t), part = size[k] * p[k] * below;
            sum += part * part;
            slope += part * part * below;
        }
        const double step = (sum - 1) / (2 * slope);
        if (!(step > 1e-15 * t)) break;
        t += step;
    }
    for (int k = 0; k < 3; k++) x[k] = p[k] * size[k] * size[k] / (size[k] * size[k] + t);
    return sn_v3Load(x);
}

double sn_ellipsoidDistance(const double size[3], const double point[3], double gradient[3])
{
    const snVec3 p = sn_v3(point[0] / size[0], point[1] / size[1], point[2] / size[2]);
    const snVec3 n = sn_v3(p.x / size[0], p.y / size[1], p.z / size[2]);
    const double part = sn_v3Norm(p), slope = sn_v3Norm(n);
    if (part > 1) {
        const snVec3 off = sn_v3Sub(sn_v3Load(point), nearestOnEllipsoid(size, point));
        const double d = sn_v3Norm(off);
        if (d > 1e-9 * sn_v3Norm(sn_v3Load(point))) return answer(d, sn_v3Scale(off, 1 / d), gradient);
    }
    if (!(slope > 0)) {
        const int least = size[0] <= size[1] && size[0] <= size[2] ? 0 : size[1] <= size[2] ? 1 : 2;
        return answer(-size[least], sn_v3(least == 0, least == 1, least == 2), gradient);
    }
    return answer(part * (part - 1) / slope, sn_v3Scale(n, 1 / slope), gradient);
}

double sn_cylinderDistance(const double size[3], const double point[3], double gradient[3])
{
    const double x = point[0], y = point[1], z = point[2], r = sqrt(x * x + y * y);
    const double side = r - size[0], end = fabs(z) - size[1];
    const snVec3 out = r > 0 ? sn_v3(x / r, y / r, 0) : sn_v3(1, 0, 0), up = sn_v3(0, 0, signOf(z));
    if (!(side > 0 && end > 0)) return side > end ? answer(side, out, gradient) : answer(end, up, gradient);
    const double d = sqrt(side * side + end * end);
    return answer(d, sn_v3AddScaled(sn_v3Scale(out, side / d), end / d, up), gradient);
}

double sn_boxDistance(const double size[3], const double point[3], double gradient[3])
{
    double beyond[3], out[3], square = 0;
    int most = 0;
    for (int k = 0; k < 3; k++) {
        beyond[k] = fabs(point[k]) - size[k];
        out[k] = beyond[k] > 0 ? beyond[k] : 0;
        square += out[k] * out[k];
        if (beyond[k] > beyond[most]) most = k;
    }
    if (!(square > 0)) {
        const double s = signOf(point[most]);
        return answer(beyond[most], sn_v3(most == 0 ? s : 0, most == 1 ? s : 0, most == 2 ? s : 0), gradient);
    }
    const double d = sqrt(square);
    for (int k = 0; k < 3; k++) out[k] *= signOf(point[k]) / d;
    return answer(d, sn_v3Load(out), gradient);
}
