// Makes a model of one form another: MJCF or URDF or a compiled file, by its ending, to MJCF (.xml), a
// compiled file (.mjb) or text for people (.txt). Under MuJoCo's names: it compiles against either library.
//
//     compile FROM TO
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static int endsWith(const char* path, const char* ending)
{
    const size_t n = strlen(path), k = strlen(ending);
    return n >= k && strcmp(path + n - k, ending) == 0;
}

static mjModel* load(const char* path, char* error, int size)
{
    return endsWith(path, ".mjb") ? mj_loadModel(path, NULL) : mj_loadXML(path, NULL, error, size);
}

// Writes the model; 0: done.
static int save(const mjModel* m, const char* path, char* error, int size)
{
    if (endsWith(path, ".mjb")) return mj_saveModel(m, path, NULL, 0), 0;
    if (endsWith(path, ".txt")) return mj_printModel(m, path), 0;
    return !mj_saveLastXML(path, m, error, size);
}

// What must be the same after the way there and back.
static void describe(const mjModel* m)
{
    printf("sizes nq %d nv %d nu %d nbody %d ngeom %d nmesh %d nsensor %d nkey %d\n", m->nq, m->nv, m->nu,
           m->nbody, m->ngeom, m->nmesh, m->nsensor, m->nkey);
    printf("mass %.17g timestep %.17g extent %.17g\n", mj_getTotalmass(m), m->opt.timestep, m->stat.extent);
    for (int i = 0; i < m->nbody; i++) {
        const char* name = mj_id2name(m, mjOBJ_BODY, i);
        printf("body %s parent %d mass %.17g inertia %.17g %.17g %.17g\n", name ? name : "-",
               m->body_parentid[i], m->body_mass[i], m->body_inertia[3 * i], m->body_inertia[3 * i + 1],
               m->body_inertia[3 * i + 2]);
    }
}

int main(int argc, char** argv)
{
    char error[1000] = "";
    if (argc != 3) return puts("usage: compile FROM TO"), 2;
    mjModel* m = load(argv[1], error, sizeof error);
    if (!m || save(m, argv[2], error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        mj_deleteModel(m);
        return 1;
    }
    describe(m);
    mj_deleteModel(m);
    return 0;
}
