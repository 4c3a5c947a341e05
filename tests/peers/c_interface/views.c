// Every function of what there is to see.
//     views MODEL
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void show(const char* name, const double* numbers, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %.9g", numbers[i]);
    puts("");
}

static void showFloats(const char* name, const float* numbers, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %.6g", (double)numbers[i]);
    puts("");
}

static void showGeoms(const mjvScene* scene)
{
    double sum[3] = {0};
    int types = 0, labels = 0;
    for (int i = 0; i < scene->ngeom; i++) {
        const mjvGeom* geom = scene->geoms + i;
        if (geom->type == mjGEOM_PLANE) continue; // stands before the camera, in steps of its grid
        for (int k = 0; k < 3; k++)
            sum[k] += (double)geom->pos[k] + (double)geom->size[k] * (double)geom->mat[k];
        types += geom->type + geom->category + geom->objtype + geom->objid,
            labels += (int)strlen(geom->label);
    }
    printf("geoms %d %d %d of %d\n", scene->ngeom, types, labels, scene->maxgeom);
    for (int k = 0; k < 3; k++) printf("%.5f\n", sum[k]);
    printf("lights %d stereo %d scale %g flags %d status %d\n", scene->nlight, scene->stereo,
           (double)scene->scale, scene->flags[mjRND_SHADOW] + 2 * scene->flags[mjRND_FOG], scene->status);
}

static void cameras(const mjModel* m, const mjData* d, mjvScene* scene, mjvCamera* camera)
{
    const int actions[] = {mjMOUSE_ROTATE_V, mjMOUSE_ROTATE_H, mjMOUSE_MOVE_V, mjMOUSE_MOVE_H, mjMOUSE_ZOOM};
    double a[3], b[3], c[3], q[4], back[4];
    for (int i = 0; i < 5; i++) mjv_moveCamera(m, actions[i], 0.05, 0.02, scene, camera);
    show("lookat", camera->lookat, 3), show("distance", &camera->distance, 3);
    mjv_updateCamera(m, d, camera, scene);
    mjv_cameraInModel(a, b, c, scene), show("model", a, 3), show("", b, 3), show("", c, 3);
    mjv_cameraInRoom(a, b, c, scene), show("room", a, 3);
    printf("height %.7g\n", mjv_frustumHeight(scene));
    mjv_alignToCamera(c, a, b), show("aligned", c, 3);
    scene->enabletransform = 1, scene->translate[0] = 1, scene->rotate[0] = 0.6f, scene->rotate[3] = 0.8f;
    const double quat[] = {0.5, 0.5, 0.5, 0.5};
    mjv_moveModel(m, mjMOUSE_MOVE_V, 0.1, 0.2, c, scene), showFloats("moved", scene->translate, 3);
    mjv_room2model(b, q, a, quat, scene), show("room2model", b, 3), show("", q, 4);
    mjv_model2room(c, back, a, q, scene), show("model2room", c, 3), show("", back, 4);
    scene->enabletransform = 0;
    mjvGLCamera mean = mjv_averageCamera(&scene->camera[0], &scene->camera[1]);
    showFloats("mean", mean.pos, 3), showFloats("", &mean.frustum_center, 6);
}

static void perturb(const mjModel* m, mjData* d, const mjvScene* scene)
{
    mjvPerturb pert;
    mjv_defaultPerturb(&pert);
    pert.select = m->nbody - 1, pert.active = mjPERT_TRANSLATE | mjPERT_ROTATE;
    mjv_initPerturb(m, d, scene, &pert);
    mjv_movePerturb(m, d, mjMOUSE_MOVE_V, 0.1, 0.05, scene, &pert);
    mjv_movePerturb(m, d, mjMOUSE_ROTATE_H, 0.1, 0.05, scene, &pert);
    show("refpos", pert.refpos, 3), show("refquat", pert.refquat, 4), show("localmass", &pert.localmass, 2);
    mjv_applyPerturbForce(m, d, &pert), show("xfrc", d->xfrc_applied + 6 * pert.select, 6);
    mjv_applyPerturbPose(m, d, &pert, 1), show("qpos", d->qpos, m->nq);
}

static void pick(const mjModel* m, const mjData* d, const mjvOption* option, const mjvScene* scene)
{
    for (int i = 1; i < 4; i++) {
        double point[3] = {0};
        int geom = -2, flex = -2, skin = -2;
        const int body = mjv_select(m, d, option, 1.3, 0.25 * i, 0.45, scene, point, &geom, &flex, &skin);
        printf("selected %d %d %d %d", body, geom, flex, skin), show("", point, 3);
    }
}

static void geoms(void)
{
    mjvGeom geom;
    memset(&geom, 0, sizeof geom);
    const double size[] = {0.1, 0.2, 0.3}, from[] = {0, 0, 1}, to[] = {1, 0.5, 0};
    const float rgba[] = {1, 0, 0, 0.5f};
    mjv_initGeom(&geom, mjGEOM_BOX, size, to, NULL, rgba);
    showFloats("geom", geom.size, 3), showFloats("", geom.pos, 3), showFloats("", geom.rgba, 4);
    mjv_connector(&geom, mjGEOM_CAPSULE, 0.02, from, to);
    showFloats("connector", geom.size, 3), showFloats("", geom.pos, 3), showFloats("", geom.mat, 9);
    mjvFigure* figure = mju_malloc(sizeof *figure);
    mjv_defaultFigure(figure);
    showFloats("figure", figure->linergb[3], 3),
        printf("%s %g\n", figure->xformat, (double)figure->range[0][1]);
    mju_free(figure);
}

int main(int argc, char** argv)
{
    char error[500] = "";
    mjModel* m = mj_loadXML(argv[argc - 1], NULL, error, sizeof error);
    if (!m) return puts(error), 1;
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 20; i++) mj_step(m, d);
    mj_forward(m, d);
    mjvCamera camera;
    mjvOption option;
    mjvScene scene;
    mjv_defaultCamera(&camera), show("default", camera.lookat, 3);
    mjv_defaultFreeCamera(m, &camera), show("free", camera.lookat, 3), show("", &camera.distance, 3);
    mjv_defaultOption(&option);
    mjv_defaultScene(&scene);
    mjv_makeScene(m, &scene, 500);
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene), showGeoms(&scene);
    option.flags[mjVIS_JOINT] = option.flags[mjVIS_COM] = option.flags[mjVIS_INERTIA] = 1;
    option.label = mjLABEL_BODY, option.frame = mjFRAME_GEOM;
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene), showGeoms(&scene);
    mjv_addGeoms(m, d, &option, NULL, mjCAT_DYNAMIC, &scene);
    mjv_makeLights(m, d, &scene), mjv_updateSkin(m, d, &scene), showGeoms(&scene);
    showFloats("light", scene.lights[0].pos, 3);
    cameras(m, d, &scene, &camera);
    pick(m, d, &option, &scene);
    perturb(m, d, &scene);
    geoms();
    mjv_makeScene(m, &scene, 3); // again, with less room
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene), showGeoms(&scene);
    printf("warned %d\n", d->warning[mjWARN_VGEOMFULL].number);
    mjv_freeScene(&scene), mjv_freeScene(&scene);
    mj_deleteData(d), mj_deleteModel(m);
    return 0;
}
