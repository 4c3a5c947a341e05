// A simulation as a viewer runs it, without the window: 60 pictures a second of a camera that turns about the
// model, of which only the list of what would be drawn is made. Under MuJoCo's names: it compiles against
// either library.
//
//     basic MODEL [SECONDS]
#include <mujoco/mujoco.h>
#include <stdio.h>

static mjModel* load(const char* path)
{
    char error[1000] = "";
    mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
    if (!m) fprintf(stderr, "%s\n", error);
    return m;
}

// Goes on to the time of the next picture.
static void simulate(const mjModel* m, mjData* d, double until)
{
    while (d->time < until) mj_step(m, d);
}

static void run(const mjModel* m, mjData* d, double seconds)
{
    mjvCamera camera;
    mjvOption option;
    mjvScene scene;
    mjv_defaultFreeCamera(m, &camera);
    mjv_defaultOption(&option);
    mjv_defaultScene(&scene);
    mjv_makeScene(m, &scene, 2000);
    option.flags[mjVIS_CONTACTPOINT] = option.flags[mjVIS_JOINT] = 1;
    int pictures = 0, geoms = 0;
    for (double now = 0; now < seconds; now += 1.0 / 60, pictures++) {
        simulate(m, d, now);
        mjv_moveCamera(m, mjMOUSE_ROTATE_H, 0.01, 0, &scene, &camera);
        mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
        geoms += scene.ngeom;
    }
    printf("pictures %d geoms %d lights %d\n", pictures, geoms, scene.nlight);
    printf("camera %.9g %.9g %.9g\n", scene.camera[0].pos[0], scene.camera[0].pos[1], scene.camera[0].pos[2]);
    mjv_freeScene(&scene);
}

int main(int argc, char** argv)
{
    if (argc < 2) return puts("usage: basic MODEL [SECONDS]"), 2;
    mjModel* m = load(argv[1]);
    if (!m) return 1;
    mjData* d = mj_makeData(m);
    run(m, d, argc > 2 ? atof(argv[2]) : 1);
    printf("time %.17g\nqpos", d->time);
    for (int i = 0; i < m->nq; i++) printf(" %.17g", d->qpos[i]);
    puts("");
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
