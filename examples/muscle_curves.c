// The curves of a muscle: as numbers (CSV) to plot, or drawn with characters or as a picture.
//   muscle_curves          L, FL(L), FP(L), V, FV(V) as CSV
//   muscle_curves --draw   the three curves on the terminal
//   muscle_curves --svg    the same as a picture, docs/muscle_curves.svg
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

static const double lmin = 0.5, lmax = 1.6, fpmax = 1.3, fvmax = 1.2;

static double active(double L)
{
    return sn_muscleForceLength(L, lmin, lmax);
}

static double passive(double L)
{
    return sn_musclePassive(L, lmax, fpmax);
}

static double velocity(double V)
{
    return sn_muscleForceVelocity(V, fvmax);
}

// 12 rows from 1.2 down to 0, 61 columns from x0 to x1.
static void draw(const char* title, double (*curve)(double x), double x0, double x1)
{
    enum { ROWS = 12, COLUMNS = 60 };
    printf("%s\n", title);
    for (int row = ROWS; row >= 0; row--) {
        char line[COLUMNS + 2];
        memset(line, ' ', sizeof line);
        for (int i = 0; i <= COLUMNS; i++)
            if ((int)(10 * curve(x0 + (x1 - x0) * i / COLUMNS) + 0.5) == row) line[i] = '*';
        int end = COLUMNS + 1;
        while (end > 0 && line[end - 1] == ' ') end--;
        line[end] = 0;
        printf("%3.1f |%s%s\n", 0.1 * row, end ? " " : "", line);
    }
    printf("     %-8g%46s%g\n\n", x0, "", x1);
}

// One curve in a box of 220 by 140 at x, 0 to 1.5 upwards.
static void plot(const char* title, double (*curve)(double x), double x0, double x1, int left)
{
    enum { POINTS = 52, WIDTH = 220, HEIGHT = 140, TOP = 30 };
    const int bottom = TOP + HEIGHT;
    printf("<text x='%d' y='20'>%s</text>\n", left, title);
    printf("<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>\n", left, TOP, WIDTH,
           HEIGHT);
    const int one = bottom - (int)(HEIGHT / 1.5 + 0.5);
    printf("<path d='M%d %dh%d' stroke='#ccc'/>\n", left, one, WIDTH);
    printf("<text x='%d' y='%d'>%g</text><text x='%d' y='%d' text-anchor='end'>%g</text>\n", left,
           bottom + 16, x0, left + WIDTH, bottom + 16, x1);
    printf("<text x='%d' y='%d' text-anchor='end'>1</text>\n", left - 4, one + 4);
    printf("<polyline fill='none' stroke='#06c' stroke-width='2' points='");
    for (int i = 0; i <= POINTS; i++)
        printf("%s%.1f,%.1f", i ? " " : "", left + (double)WIDTH * i / POINTS,
               bottom - HEIGHT * fmin(1, curve(x0 + (x1 - x0) * i / POINTS) / 1.5));
    printf("'/>\n");
}

static void picture(void)
{
    printf("<svg xmlns='http://www.w3.org/2000/svg' width='780' height='200' font-family='sans-serif' "
           "font-size='12'>\n");
    plot("FL: active force by length", active, 0.4, 1.7, 30);
    plot("FP: passive force by length", passive, 0.4, 1.7, 290);
    plot("FV: active force by velocity", velocity, -1.5, 0.5, 550);
    printf("</svg>\n");
}

int main(int argc, char** argv)
{
    if (argc > 1 && !strcmp(argv[1], "--svg")) {
        picture();
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--draw")) {
        draw("FL: active force by length", active, 0.4, 1.7);
        draw("FP: passive force by length", passive, 0.4, 1.7);
        draw("FV: active force by velocity", velocity, -1.5, 0.5);
        return 0;
    }
    printf("L,FL,FP,V,FV\n");
    for (int i = 0; i <= 100; i++) {
        const double L = 0.4 + 0.013 * i, V = -1.5 + 0.02 * i;
        printf("%.3f,%.6f,%.6f,%.2f,%.6f\n", L, active(L), passive(L), V, velocity(V));
    }
    return 0;
}
