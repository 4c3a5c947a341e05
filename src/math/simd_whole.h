// What of math/simd.h asks how wide registers are, where they hold four doubles.
#ifndef SINEW_MATH_SIMD_WHOLE_H
#define SINEW_MATH_SIMD_WHOLE_H

// What a register holds: for sums that a loop carries, many at once.
typedef v4 vreg;
enum { VREG_COUNT = 4 };

#define V4_WHERE(a, operation, b) ((v4i)((a)operation(b)))
#define V8_WHERE(a, operation, b) ((v8i)((a)operation(b)))

SN_INLINE v4 v4_of(double a, double b, double c, double d)
{
    return (v4){a, b, c, d};
}
SN_INLINE v4 v4_all(double a)
{
    return (v4){a, a, a, a};
}
SN_INLINE void v4_store(double* p, v4 a)
{
    *(v4*)p = a;
}
SN_INLINE void v4_storeAny(double* p, v4 a)
{
    *(v4u*)p = a;
}
/// A mask as bits, the first lane the lowest
SN_INLINE unsigned v4i_bits(v4i mask)
{
    return (unsigned)__builtin_ia32_movmskpd256((v4)mask);
}
/// Numbers backwards.
SN_INLINE v4 v4_reverse(v4 a)
{
    return V4_SHUFFLE(a, a, 3, 2, 1, 0);
}
/// Rows become columns.
SN_INLINE void v4_transpose(v4 r[4])
{
    const v4 a = V4_SHUFFLE(r[0], r[1], 0, 4, 2, 6), b = V4_SHUFFLE(r[0], r[1], 1, 5, 3, 7);
    const v4 c = V4_SHUFFLE(r[2], r[3], 0, 4, 2, 6), d = V4_SHUFFLE(r[2], r[3], 1, 5, 3, 7);
    r[0] = V4_SHUFFLE(a, c, 0, 1, 4, 5);
    r[1] = V4_SHUFFLE(b, d, 0, 1, 4, 5);
    r[2] = V4_SHUFFLE(a, c, 2, 3, 6, 7);
    r[3] = V4_SHUFFLE(b, d, 2, 3, 6, 7);
}
/// Four rows of three numbers become three columns; no vector is loaded from behind the last row.
SN_INLINE void v4_columns(const double* p, v4* x, v4* y, v4* z)
{
    const v4 a = v4_loadAny(p), b = v4_loadAny(p + 4), c = v4_loadAny(p + 8); // x y z X, Y Z x y, z X Y Z
    const v4 xy = V4_SHUFFLE(b, c, 2, 3, 5, 6), yz = V4_SHUFFLE(a, b, 1, 2, 4, 5);
    *x = V4_SHUFFLE(V4_SHUFFLE(a, a, 0, 3, 0, 3), xy, 0, 1, 4, 6);
    *y = V4_SHUFFLE(yz, xy, 0, 2, 5, 7);
    *z = V4_SHUFFLE(V4_SHUFFLE(yz, yz, 1, 3, 1, 3), V4_SHUFFLE(c, c, 0, 3, 0, 3), 0, 1, 4, 5);
}
/// The sums of four vectors, as one vector: (a[0] + a[1]) + (a[2] + a[3]) of each.
SN_INLINE v4 v4_sums(v4 a, v4 b, v4 c, v4 d)
{
    const v4 ab = V4_SHUFFLE(a, b, 0, 4, 2, 6) + V4_SHUFFLE(a, b, 1, 5, 3, 7);
    const v4 cd = V4_SHUFFLE(c, d, 0, 4, 2, 6) + V4_SHUFFLE(c, d, 1, 5, 3, 7);
    return V4_SHUFFLE(ab, cd, 0, 1, 4, 5) + V4_SHUFFLE(ab, cd, 2, 3, 6, 7);
}

// What a loop adds up (math/simd_halves.h).
typedef v4 v4Sum;

SN_INLINE v4Sum v4Sum_of(v4 first)
{
    return first;
}
SN_INLINE void v4Sum_add(v4Sum* sum, v4 a)
{
    *sum += a;
}
SN_INLINE v4 v4Sum_value(v4Sum sum)
{
    return sum;
}

#endif
