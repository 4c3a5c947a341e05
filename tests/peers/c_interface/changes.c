// Every element of a model file, read and then changed a little: changes FILE
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

// By how much numbers change; the first time by nothing.
static double much;

#define EACH(name, type)                                                                                     \
    static void one##name(mjs##name* x);                                                                     \
    static void each##name(mjSpec* s)                                                                        \
    {                                                                                                        \
        for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e))                        \
            if (e != mjs_findBody(s, "world")->element) one##name(mjs_as##name(e));                          \
    }                                                                                                        \
    static void one##name(mjs##name* x)

EACH(Body, mjOBJ_BODY)
{
    printf("body %g %g %d\n", x->pos[0], x->gravcomp, x->mocap);
    x->pos[0] += much;
}

EACH(Joint, mjOBJ_JOINT)
{
    printf("joint %d %g %g %g %g %d %g\n", x->type, x->axis[0], x->range[1], x->damping, x->stiffness,
           x->limited, x->solref_limit[0]);
    x->damping += much, x->armature += much, x->solref_limit[0] *= 1 + much;
}

EACH(Geom, mjOBJ_GEOM)
{
    printf("geom %d %g %g %g %g %s %s %g %d %g\n", x->type, x->size[0], x->density, x->friction[0],
           (double)x->rgba[0], mjs_getString(x->material), mjs_getString(x->meshname), x->mass, x->condim,
           x->fromto[0]);
    x->friction[1] += much, x->density *= 1 + much, x->rgba[1] *= (float)(1 - much);
    if (isnan(x->fromto[0])) x->pos[2] += much;
}

EACH(Site, mjOBJ_SITE)
{
    printf("site %d %g %g\n", x->type, x->size[0], x->pos[0]);
    x->size[0] += much;
}

EACH(Camera, mjOBJ_CAMERA)
{
    printf("camera %d %g %s\n", x->mode, x->fovy, mjs_getString(x->targetbody));
    x->fovy += much;
}

EACH(Light, mjOBJ_LIGHT)
{
    printf("light %d %g %g %d\n", x->mode, x->pos[0], (double)x->diffuse[0], x->castshadow);
    x->diffuse[0] *= (float)(1 - much);
}

EACH(Tendon, mjOBJ_TENDON)
{
    printf("tendon %g %g %d %g\n", x->stiffness, x->range[1], x->limited, x->springlength[0]);
    x->stiffness += much, x->damping += much;
}

EACH(Actuator, mjOBJ_ACTUATOR)
{
    printf("actuator %d %d %d %g %g %g %g %g %s %d\n", x->gaintype, x->biastype, x->dyntype, x->gear[0],
           x->gainprm[0], x->biasprm[1], x->dynprm[0], x->ctrlrange[1], mjs_getString(x->target), x->trntype);
    x->gear[0] *= 1 + much, x->gainprm[0] *= 1 + much, x->biasprm[2] -= much;
}

EACH(Sensor, mjOBJ_SENSOR)
{
    printf("sensor %d %d %s %s %g\n", x->type, x->objtype, mjs_getString(x->objname),
           mjs_getString(x->refname), x->noise);
    x->noise += much;
}

EACH(Equality, mjOBJ_EQUALITY)
{
    printf("equality %d %d %g %s %s\n", x->type, x->active, x->data[1], mjs_getString(x->name1),
           mjs_getString(x->name2));
    x->solref[0] *= 1 + much;
}

EACH(Mesh, mjOBJ_MESH)
{
    printf("mesh %g %s\n", x->scale[0], mjs_getString(x->file));
    x->scale[0] *= 1 + much;
}

EACH(Material, mjOBJ_MATERIAL)
{
    printf("material %g %g %g\n", (double)x->rgba[0], (double)x->specular, (double)x->texrepeat[0]);
    x->specular *= (float)(1 - much);
}

static void compile(mjSpec* s)
{
    mjModel* m = mj_compile(s, NULL);
    if (!m) {
        puts(mjs_getError(s));
        return;
    }
#define ROWS(name, n)                                                                                        \
    printf(#name);                                                                                           \
    for (int i = 0; i < (n); i++) printf(" %.6g", (double)m->name[i]);                                       \
    puts("")
    ROWS(body_pos, 3 * m->nbody);
    ROWS(body_mass, m->nbody);
    ROWS(body_inertia, 3 * m->nbody);
    ROWS(jnt_range, 2 * m->njnt);
    ROWS(jnt_solref, mjNREF * m->njnt);
    ROWS(jnt_type, m->njnt);
    ROWS(dof_damping, m->nv);
    ROWS(dof_armature, m->nv);
    ROWS(geom_size, 3 * m->ngeom);
    ROWS(geom_pos, 3 * m->ngeom);
    ROWS(geom_quat, 4 * m->ngeom);
    ROWS(geom_friction, 3 * m->ngeom);
    ROWS(geom_rgba, 4 * m->ngeom);
    ROWS(site_size, 3 * m->nsite);
    ROWS(site_pos, 3 * m->nsite);
    ROWS(cam_fovy, m->ncam);
    ROWS(light_diffuse, 3 * m->nlight);
    ROWS(tendon_stiffness, m->ntendon);
    ROWS(tendon_damping, m->ntendon);
    ROWS(actuator_gear, 6 * m->nu);
    ROWS(actuator_gainprm, mjNGAIN * m->nu);
    ROWS(actuator_biasprm, mjNBIAS * m->nu);
    ROWS(actuator_dynprm, mjNDYN * m->nu);
    ROWS(actuator_ctrlrange, 2 * m->nu);
    ROWS(actuator_ctrllimited, m->nu);
    ROWS(sensor_noise, m->nsensor);
    ROWS(eq_solref, mjNREF * m->neq);
    ROWS(mesh_vert, 3 * m->nmeshvert);
    ROWS(mat_specular, m->nmat);
    mj_deleteModel(m);
}

int main(int argc, char** argv)
{
    char error[500] = "";
    mjSpec* s = mj_parseXML(argv[argc - 1], NULL, error, sizeof error);
    if (!s) return puts(error), 1;
    for (much = 0; much < 0.2; much += 0.125) {
        eachBody(s), eachJoint(s), eachGeom(s), eachSite(s), eachCamera(s), eachLight(s), eachTendon(s);
        eachActuator(s), eachSensor(s), eachEquality(s), eachMesh(s), eachMaterial(s);
        compile(s);
    }
    mj_deleteSpec(s);
    return 0;
}
