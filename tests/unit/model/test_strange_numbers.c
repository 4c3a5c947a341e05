// A model may hold any numbers, nan and infinity among them: a step ends, reads what is there and nothing
// else, and takes none for an index.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"

static const char text[] =
    "<mujoco><option timestep='.005' cone='elliptic' noslip_iterations='2' density='1' viscosity='.1' "
    "wind='1 0 0'><flag energy='enable' multiccd='enable'/></option>"
    "<asset><hfield name='h' nrow='4' ncol='5' size='1 1 .2 .1' elevation='0 1 2 1 0 1 2 3 2 1 0 1 2 1 0 1 0 "
    "1 "
    "0 1'/>"
    "<mesh name='m' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2 .2 .2 .2'/><texture name='t' type='2d' builtin='flat' "
    "width='2' height='2'/></asset><worldbody>"
    "<geom type='hfield' hfield='h'/><geom type='plane' size='0 0 1' pos='0 0 -.1'/><light pos='0 0 3'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='mesh' mesh='m'/><geom size='.1' pos='.1 0 0'/><site name='s' "
    "type='box' size='.1 .1 .1'/></body>"
    "<body pos='.3 0 .3'><freejoint/><geom type='box' size='.1 .1 .1' fluidshape='ellipsoid'/></body>"
    "<body pos='-.3 0 .3'><freejoint/><geom type='cylinder' size='.1 .1'/></body>"
    "<body pos='0 .3 .3'><freejoint/><geom type='capsule' size='.1 .1'/></body>"
    "<body pos='0 -.3 .3'><freejoint/><geom type='ellipsoid' size='.1 .2 .1'/><camera name='c'/></body>"
    "<body mocap='true' pos='0 0 1'><geom size='.1'/></body>"
    "<body name='a' pos='1 0 1'><joint name='j' axis='0 1 0' range='-1 1' frictionloss='.1' springdamper='.1 "
    "1'/>"
    "<joint name='k' type='slide' damping='1'/><geom type='capsule' size='.05' fromto='0 0 0 .4 0 0'/><site "
    "name='p'/><site name='q' pos='.2 0 .3'/>"
    "<body pos='.4 0 0'><joint type='ball' range='0 1'/><geom name='w' size='.1'/><site name='r' pos='.2 0 "
    "0'/></body></body></worldbody>"
    "<contact><pair geom1='w' geom2='w2'/></contact>"
    "<equality><connect body1='a' body2='world' anchor='0 0 0'/><weld body1='a' body2='world'/><joint "
    "joint1='j' "
    "joint2='k'/></equality>"
    "<tendon><fixed name='f' range='0 1'><joint joint='j' coef='1'/></fixed><spatial name='t' "
    "damping='1'><site "
    "site='q'/><geom geom='w' sidesite='s'/><site site='r'/><pulley divisor='2'/><site site='p'/><site "
    "site='q'/></spatial></tendon>"
    "<actuator><position joint='j' kp='3'/><muscle joint='k' lengthrange='0 1'/><general tendon='t' "
    "dyntype='integrator' actlimited='true' actrange='0 1'/><cylinder joint='j' timeconst='.1'/><adhesion "
    "body='a' "
    "ctrlrange='0 1'/><motor site='r' refsite='s'/></actuator>"
    "<sensor><framepos objtype='site' objname='s'/><rangefinder site='r'/><rangefinder site='q'/><touch "
    "site='s'/><force site='r'/><tendonpos tendon='t' cutoff='1'/><distance geom1='w' "
    "geom2='w2'/><camprojection "
    "camera='c' site='s'/></sensor><keyframe><key/></keyframe></mujoco>";

static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e300, 0};

static snModel* rich(void)
{
    char named[sizeof text + 40];
    const char* plane = strstr(text, "<geom type='plane'");
    snprintf(named, sizeof named, "%.*s<geom name='w2' type='plane'%s", (int)(plane - text), text,
             plane + strlen("<geom type='plane'"));
    return load(named);
}

static void run(const snModel* m, snData* d)
{
    sn_resetData(m, d);
    for (int k = 0; k < 2; k++) sn_step(m, d);
    sn_inverse(m, d);
    const double origin[3] = {0, 0, 2}, down[3] = {0, 0, -1};
    int geom;
    (void)sn_ray(m, d, origin, down, NULL, 1, -1, &geom);
}

static void everyFieldOfAModel(void** state)
{
    (void)state;
    snModel* m = rich();
    snData* d = sn_makeData(m);
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int f = 0; f < count; f++) {
        const bool wide = !strcmp(fields[f].type, "double");
        if (!wide && strcmp(fields[f].type, "float") != 0) continue;
        int rows, columns;
        sn_modelFieldShape(m, f, &rows, &columns);
        char* array = *(char**)((char*)m + fields[f].offset);
        const size_t item = wide ? sizeof(double) : sizeof(float), n = (size_t)(rows * columns);
        char* kept = malloc(n * item + 1);
        assert_non_null(kept);
        memcpy(kept, array, n * item);
        for (size_t v = 0; n && v < sizeof values / sizeof *values; v++) {
            // one entry and all of them
            for (int all = 0; all < 2; all++) {
                for (size_t i = all ? 0 : (7 * v + (size_t)f) % n, end = all ? n : i + 1; i < end; i++)
                    if (wide)
                        ((double*)(void*)array)[i] = values[v];
                    else
                        ((float*)(void*)array)[i] = (float)values[v];
                if (sn_validateModel(m, NULL) == SN_STATUS_OK) run(m, d);
                memcpy(array, kept, n * item);
            }
        }
        free(kept);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void everyOption(void** state)
{
    (void)state;
    snModel* m = rich();
    snData* d = sn_makeData(m);
    const snOption kept = m->opt;
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    for (int integrator = 0; integrator < 4; integrator++)
        for (int solver = 0; solver < 3; solver++)
            for (int f = 0; f < count; f++) {
                const bool wide = !strcmp(fields[f].type, "double");
                for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                    char* place = (char*)&m->opt + fields[f].offset;
                    m->opt.integrator = integrator;
                    m->opt.solver = solver;
                    for (int k = 0; k < fields[f].count; k++)
                        if (wide)
                            ((double*)(void*)place)[k] = values[v];
                        else if (strstr(fields[f].name, "iterations"))
                            ((int*)(void*)place)[k] = -(int)v;
                    if (sn_validateModel(m, NULL) == SN_STATUS_OK) run(m, d);
                    m->opt = kept;
                }
            }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everyFieldOfAModel), cmocka_unit_test(everyOption)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
