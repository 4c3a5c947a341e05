// How long fields of signed distances take to be made and how large they are, as a table in Markdown.
//
//   bench_fields MODEL...
//
// Each model has one mesh. A field is made ROUNDS times, the least time is told, beside that of all of
// loading.
#include <sinew/sinew.h>
#include <sinew/spec.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 3 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The name of a file, without its folder and ending.
static void nameOf(const char* path, char name[64])
{
    const char* slash = strrchr(path, '/');
    snprintf(name, 64, "%s", slash ? slash + 1 : path);
    char* dot = strrchr(name, '.');
    if (dot) *dot = 0;
}

static double megabytes(const snModel* m)
{
    const double sheet = (double)sizeof *m->sdf_sheet * 27 * m->nsdfsheet;
    return 1e-6 * ((double)sizeof *m->sdf_child * m->nsdfnode + sheet);
}

static double sideOf(const snModel* m)
{
    double side = 0;
    for (int k = 3; k < 6; k++) side = 2 * m->geom_aabb[k] > side ? 2 * m->geom_aabb[k] : side;
    return side;
}

static bool measure(const char* path)
{
    double field = 1e9, all = 1e9;
    char name[64];
    nameOf(path, name);
    for (int round = 0; round < ROUNDS; round++) {
        snError error = {0};
        const double start = now();
        snSpec* spec = sn_loadSpec(path, NULL, 0, NULL, &error);
        snModel* m = spec ? sn_compile(spec, NULL, &error) : NULL;
        if (!m) {
            fprintf(stderr, "bench: %s\n", error.message);
            sn_deleteSpec(spec);
            return false;
        }
        const double whole = now() - start, own = sn_compileTimes(spec)[SN_CTIMER_MESH_OCTREE];
        field = own < field ? own : field;
        all = whole < all ? whole : all;
        if (round == ROUNDS - 1)
            printf("| %s | %d | %.2f | %.2f | %d | %.2f | %.1e |\n", name, m->nmeshface, field, all,
                   m->nsdfnode, megabytes(m), m->mesh_sdferror[0] / sideOf(m));
        sn_deleteModel(m);
        sn_deleteSpec(spec);
    }
    fflush(stdout);
    return true;
}

int main(int argc, char** argv)
{
    bool good = true;
    printf("| mesh | triangles | field, s | loading in all, s | nodes | MB | error / side |\n");
    printf("| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 1; i < argc; i++) good &= measure(argv[i]);
    return !good;
}
