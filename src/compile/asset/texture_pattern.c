// For each target: src/target/prelude.h.
// The built-in textures and the marks on them, pixel by pixel as the peer draws them.
#include "base/memory.h"
#include "compile/asset/texture.h"
#include "math/asin.h"

enum { NONE, GRADIENT, CHECKER, FLAT };             // BUILTIN of MJCF
enum { NO_MARK, EDGE, CROSS, RANDOM };              // MARK of MJCF
enum { RIGHT, LEFT, UP, DOWN, FRONT, BACK, NSIDE }; // of a cube, from the top of its image down

static inline double unit(double x)
{
    return sn_min(sn_max(x, 0), 1);
}

void sn_texturePixel(uint8_t* pixel, int nchannel, const double rgb[3])
{
    for (int k = 0; k < nchannel; k++) pixel[k] = k < 3 ? (uint8_t)(255 * unit(rgb[k])) : 255;
}

enum { CHUNK = 64 }; // pixels that are worked on together

// A row of pixels from b to a as x goes from -1 to 1, steepest in the middle: weight
// (1 + sqrt(2) x / sqrt(1 + x^2)) / 2. x [n] is overwritten. In short plain loops, which compilers turn into
// vector instructions: a sky has millions of pixels.
static void blendRow(uint8_t* pixel, int nchannel, const double a[3], const double b[3], double* x, int n)
{
    const double straight = 1 / sqrt(2.0);
    for (int i = 0; i < n; i++) {
        const double weight = 0.5 * (1 + x[i] / sqrt(1 + x[i] * x[i]) / straight);
        x[i] = unit(weight);
    }
    int colour[3][CHUNK];
    for (int first = 0; first < n; first += CHUNK) {
        const int count = n - first < CHUNK ? n - first : CHUNK;
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < count; i++) {
                const double weight = x[first + i];
                colour[k][i] = (int)(255 * unit(weight * a[k] + (1 - weight) * b[k]));
            }
        for (int i = 0; i < count; i++, pixel += nchannel) {
            if (nchannel == 3) {
                for (int k = 0; k < 3; k++) pixel[k] = (uint8_t)colour[k][i];
                continue;
            }
            for (int k = 0; k < nchannel; k++) pixel[k] = k < 3 ? (uint8_t)colour[k][i] : 255;
        }
    }
}

// -1 to 1 from the first of n pixels to the last; a single one lies in the middle.
static double place(int i, int n)
{
    return n > 1 ? 2 * (double)i / (n - 1) - 1 : 0;
}

static uint8_t* pixelAt(const snPixels* p, int r, int c)
{
    return p->data + ((size_t)r * (size_t)p->width + (size_t)c) * (size_t)p->nchannel;
}

// From rgb1 in the middle of an image to rgb2 at its edges. row [width] is scratch.
static void gradientImage(const snSpecTexture* t, const snPixels* p, double* row)
{
    for (int r = 0; r < p->height; r++) {
        const double y = place(r, p->height);
        for (int c = 0; c < p->width; c++) {
            const double x = place(c, p->width);
            row[c] = 2 * sqrt(x * x + y * y) - 1;
        }
        blendRow(pixelAt(p, r, 0), p->nchannel, t->rgb2, t->rgb1, row, p->width);
    }
}

// From rgb1 at the zenith to rgb2 below, by the elevation at which a side's pixel is seen from the centre:
// all around the same, below the opposite of above. Draws with RIGHT and with UP what is alike. row [3
// width].
static void gradientSide(const snSpecTexture* t, const snPixels* p, int side, double* row)
{
    const int n = p->width;
    if (side != RIGHT && side != UP) {
        if (side != DOWN)
            memcpy(pixelAt(p, side * n, 0), pixelAt(p, RIGHT * n, 0),
                   (size_t)n * (size_t)n * (size_t)p->nchannel);
        return;
    }
    double *below = row + n, *x = row + 2 * n;
    for (int c = 0; c < n; c++) x[c] = place(c, n);
    for (int r = 0; r < n; r++) {
        const double y = -place(r, n), height = side == RIGHT ? y : 1;
        for (int c = 0; c < n; c++) row[c] = height / sqrt(1 + x[c] * x[c] + y * y);
        sn_asinArray(row, row, n);
        for (int c = 0; c < n; c++) {
            row[c] /= 0.5 * SN_PI;
            below[c] = -row[c];
        }
        blendRow(pixelAt(p, side * n + r, 0), p->nchannel, t->rgb1, t->rgb2, row, n);
        if (side == UP) blendRow(pixelAt(p, DOWN * n + r, 0), p->nchannel, t->rgb1, t->rgb2, below, n);
    }
}

// Rows [first, first + count), all of them of colour a as far as column `half`, then of b.
static void fillRows(const double* a, const double* b, const snPixels* p, int first, int count, int half)
{
    uint8_t* row = pixelAt(p, first, 0);
    const size_t n = (size_t)p->nchannel, size = (size_t)p->width * n;
    if (count <= 0) return;
    for (int c = 0; c < p->width; c++) {
        const bool begins = c == 0 || c == half;
        if (begins) sn_texturePixel(row + (size_t)c * n, p->nchannel, c < half ? a : b);
        for (size_t k = 0; !begins && k < n; k++) row[(size_t)c * n + k] = row[((size_t)c - 1) * n + k];
    }
    for (int r = 1; r < count; r++) memcpy(row + (size_t)r * size, row, size);
}

// Four fields; the rows first .. first + height - 1 of the image.
static void checker(const double* a, const double* b, const snPixels* p, int first, int height)
{
    fillRows(a, b, p, first, height / 2, p->width / 2);
    fillRows(b, a, p, first + height / 2, height - height / 2, p->width / 2);
}

static void drawPattern(const snSpecTexture* t, const snPixels* p, int side, int first, int height,
                        double* row)
{
    const bool cube = t->type != SN_TEXTURE_2D;
    if (t->builtin == GRADIENT) {
        if (cube)
            gradientSide(t, p, side, row);
        else
            gradientImage(t, p, row);
    } else if (t->builtin == CHECKER) {
        // sides that meet are opposite in colour at their edges
        const bool swap = cube && (side == FRONT || side == BACK);
        checker(swap ? t->rgb2 : t->rgb1, swap ? t->rgb1 : t->rgb2, p, first, height);
    } else {
        const double* rgb = cube && side == DOWN ? t->rgb2 : t->rgb1;
        fillRows(rgb, rgb, p, first, height, p->width);
    }
}

static void drawLines(const snSpecTexture* t, const snPixels* p, int first, int height)
{
    const int row[2] = {t->mark == EDGE ? 0 : height / 2, t->mark == EDGE ? height - 1 : height / 2};
    const int column[2] = {t->mark == EDGE ? 0 : p->width / 2, t->mark == EDGE ? p->width - 1 : p->width / 2};
    for (int k = 0; k < 2; k++) {
        for (int r = 0; r < height; r++)
            sn_texturePixel(pixelAt(p, first + r, column[k]), p->nchannel, t->markrgb);
        for (int c = 0; c < p->width; c++)
            sn_texturePixel(pixelAt(p, first + row[k], c), p->nchannel, t->markrgb);
    }
}

// The 64-bit Mersenne twister (Nishimura 2000, mt19937-64), seeded with 42 as the peer's: the same dots.
enum { TWISTER_N = 312, TWISTER_M = 156 };
typedef struct twister {
    uint64_t state[TWISTER_N];
    uint64_t out[TWISTER_N];
} twister;

static void startTwister(twister* t)
{
    t->state[0] = 42;
    for (int i = 1; i < TWISTER_N; i++) {
        const uint64_t before = t->state[i - 1];
        t->state[i] = 6364136223846793005u * (before ^ before >> 62) + (uint64_t)i;
    }
}

static inline uint64_t twist(uint64_t here, uint64_t next, uint64_t far)
{
    const uint64_t upper = 0xffffffff80000000u;
    const uint64_t x = (here & upper) | (next & ~upper);
    return far ^ x >> 1 ^ (-(x & 1) & 0xb5026f5aa96619e9u);
}

// The next TWISTER_N numbers, in loops that become vector instructions.
static void fillTwister(twister* t)
{
    uint64_t* s = t->state;
    for (int i = 0; i < TWISTER_M; i++) s[i] = twist(s[i], s[i + 1], s[i + TWISTER_M]);
    for (int i = TWISTER_M; i < TWISTER_N - 1; i++) s[i] = twist(s[i], s[i + 1], s[i - TWISTER_M]);
    s[TWISTER_N - 1] = twist(s[TWISTER_N - 1], s[0], s[TWISTER_M - 1]);
    for (int i = 0; i < TWISTER_N; i++) {
        uint64_t x = s[i];
        x ^= x >> 29 & 0x5555555555555555u;
        x ^= x << 17 & 0x71d67fffeda60000u;
        x ^= x << 37 & 0xfff7eee000000000u;
        t->out[i] = x ^ x >> 43;
    }
}

// How many of the 64-bit numbers u have u/2^64 < bound, the quotient rounded: those below the result.
static uint64_t countBelow(double bound)
{
    uint64_t low = 0;
    for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1)
        if ((double)(low + bit - 1) * 0x1p-64 < bound) low += bit;
    return low;
}

static void drawDots(const snSpecTexture* t, const snPixels* p)
{
    twister random;
    startTwister(&random);
    const uint64_t below = countBelow(t->random);
    const size_t count = (size_t)p->width * (size_t)p->height;
    for (size_t first = 0; first < count; first += TWISTER_N) {
        fillTwister(&random);
        const size_t left = count - first;
        for (size_t i = 0; i < TWISTER_N && i < left; i++)
            if (random.out[i] < below)
                sn_texturePixel(p->data + (first + i) * (size_t)p->nchannel, p->nchannel, t->markrgb);
    }
}

bool sn_texturePattern(const snSpecTexture* t, snPixels* p)
{
    double* row = sn_malloc(3 * (size_t)p->width * sizeof *row);
    if (!row) return false;
    const int sides = t->type == SN_TEXTURE_2D ? 1 : NSIDE, height = p->height / sides;
    for (int side = 0; side < sides; side++) {
        drawPattern(t, p, side, side * height, height, row);
        if (t->mark == EDGE || t->mark == CROSS) drawLines(t, p, side * height, height);
    }
    if (t->mark == RANDOM) drawDots(t, p);
    sn_free(row);
    return true;
}
