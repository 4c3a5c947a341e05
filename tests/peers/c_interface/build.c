// A model built element by element, then one changed that was read; written as text that either library
// reads.
//     build OUT
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void put(double* to, double x, double y, double z)
{
    to[0] = x, to[1] = y, to[2] = z;
}

static void world(mjSpec* s)
{
    mjsBody* ground = mjs_findBody(s, "world");
    mjsGeom* floor = mjs_addGeom(ground, NULL);
    floor->type = mjGEOM_PLANE;
    put(floor->size, 5, 5, 0.1);
    mjs_setName(floor->element, "floor");
    mjs_setString(floor->material, "grid");
    mjsLight* light = mjs_addLight(ground, NULL);
    put(light->pos, 0, 0, 4), put(light->dir, 0, 0.6, -0.8);
    light->castshadow = 0, light->diffuse[0] = 0.5f;
    mjsCamera* camera = mjs_addCamera(ground, NULL);
    mjs_setName(camera->element, "eye");
    put(camera->pos, 0, -3, 1);
    camera->alt.type = mjORIENTATION_XYAXES;
    const double axes[] = {1, 0, 0, 0, 0.2, 1};
    memcpy(camera->alt.xyaxes, axes, sizeof axes);
    camera->fovy = 60;
}

static void assets(mjSpec* s)
{
    mjsTexture* texture = mjs_addTexture(s);
    mjs_setName(texture->element, "checker");
    texture->type = mjTEXTURE_2D, texture->builtin = mjBUILTIN_CHECKER, texture->width = texture->height = 16;
    put(texture->rgb1, 0.2, 0.3, 0.4), put(texture->rgb2, 0.3, 0.4, 0.5);
    mjsMaterial* material = mjs_addMaterial(s, NULL);
    mjs_setName(material->element, "grid");
    mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "checker");
    material->texrepeat[0] = material->texrepeat[1] = 4, material->reflectance = 0.25f;
    mjsMesh* mesh = mjs_addMesh(s, NULL);
    mjs_setName(mesh->element, "wedge");
    const float vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    mjs_setFloat(mesh->uservert, vert, 12);
    put(mesh->scale, 0.1, 0.2, 0.3);
}

static mjsBody* arm(mjSpec* s)
{
    mjsDefault* def = mjs_addDefault(s, "thin", NULL);
    def->geom->rgba[0] = 0.9f, def->geom->density = 500, def->joint->damping = 0.3;
    mjsBody* upper = mjs_addBody(mjs_findBody(s, "world"), NULL);
    mjs_setName(upper->element, "upper");
    put(upper->pos, 0, 0, 1);
    mjsJoint* shoulder = mjs_addJoint(upper, def);
    mjs_setName(shoulder->element, "shoulder");
    shoulder->type = mjJNT_HINGE, put(shoulder->axis, 0, 1, 0);
    shoulder->range[0] = -90, shoulder->range[1] = 90, shoulder->stiffness = 2, shoulder->armature = 0.01;
    mjsGeom* bone = mjs_addGeom(upper, def);
    bone->type = mjGEOM_CAPSULE, bone->size[0] = 0.03;
    const double ends[] = {0, 0, 0, 0.4, 0, 0};
    memcpy(bone->fromto, ends, sizeof ends);
    mjsBody* lower = mjs_addBody(upper, NULL);
    mjs_setName(lower->element, "lower");
    put(lower->pos, 0.4, 0, 0);
    lower->alt.type = mjORIENTATION_EULER, put(lower->alt.euler, 0, 30, 0);
    mjsJoint* elbow = mjs_addJoint(lower, def);
    mjs_setName(elbow->element, "elbow");
    put(elbow->axis, 0, 1, 0);
    mjsGeom* box = mjs_addGeom(lower, NULL);
    mjs_setName(box->element, "box");
    box->type = mjGEOM_BOX, put(box->size, 0.1, 0.03, 0.02), put(box->pos, 0.1, 0, 0);
    box->mass = 0.7, box->friction[0] = 0.8, box->condim = 4, box->rgba[3] = 0.5f;
    mjsSite* tip = mjs_addSite(lower, NULL);
    mjs_setName(tip->element, "tip");
    put(tip->pos, 0.2, 0, 0);
    return lower;
}

static void free_bodies(mjSpec* s)
{
    mjsBody* ball = mjs_addBody(mjs_findBody(s, "world"), NULL);
    mjs_setName(ball->element, "ball");
    put(ball->pos, 1, 0, 0.5);
    mjs_addFreeJoint(ball);
    mjsGeom* sphere = mjs_addGeom(ball, NULL);
    sphere->size[0] = 0.1;
    mjs_setName(sphere->element, "sphere");
    mjsBody* heavy = mjs_addBody(mjs_findBody(s, "world"), NULL);
    mjs_setName(heavy->element, "heavy");
    heavy->explicitinertial = 1, heavy->mass = 3;
    put(heavy->ipos, 0.1, 0, 0), put(heavy->inertia, 0.1, 0.2, 0.25), put(heavy->pos, -1, 0, 0.5);
    heavy->gravcomp = 0.5;
    mjsJoint* slide = mjs_addJoint(heavy, NULL);
    slide->type = mjJNT_SLIDE;
    mjs_setName(slide->element, "slide");
    mjsGeom* shape = mjs_addGeom(heavy, NULL);
    shape->type = mjGEOM_MESH;
    mjs_setString(shape->meshname, "wedge");
    mjsFrame* frame = mjs_addFrame(heavy, NULL);
    put(frame->pos, 0, 0, 0.5);
    mjsSite* top = mjs_addSite(heavy, NULL);
    mjs_setName(top->element, "top");
    mjs_setFrame(top->element, frame);
    mjsBody* target = mjs_addBody(mjs_findBody(s, "world"), NULL);
    target->mocap = 1;
    mjs_setName(target->element, "target");
}

static mjsActuator* actuator(mjSpec* s, const char* name, mjtTrn type, const char* target)
{
    mjsActuator* made = mjs_addActuator(s, NULL);
    mjs_setName(made->element, name);
    made->trntype = type;
    mjs_setString(made->target, target);
    return made;
}

static void actuators(mjSpec* s)
{
    double kv = 2, ratio = 0.7, time = 0.1, constants[] = {0.02, 0.05}, range[] = {0.8, 1.1};
    mjsActuator* motor = actuator(s, "motor", mjTRN_JOINT, "shoulder");
    mjs_setToMotor(motor);
    motor->gear[0] = 20, motor->ctrlrange[0] = -1, motor->ctrlrange[1] = 1;
    mjs_setToPosition(actuator(s, "servo", mjTRN_JOINT, "elbow"), 10, &kv, NULL, &time, 0);
    mjs_setToPosition(actuator(s, "damped", mjTRN_JOINT, "shoulder"), 5, NULL, &ratio, NULL, 0);
    mjs_setToPosition(actuator(s, "inherits", mjTRN_JOINT, "shoulder"), 5, &kv, NULL, NULL, 0.9);
    mjs_setToVelocity(actuator(s, "speed", mjTRN_JOINT, "elbow"), 0.5);
    mjsActuator* integral = actuator(s, "integral", mjTRN_JOINT, "elbow");
    mjs_setToIntVelocity(integral, 3, NULL, NULL, NULL, 0);
    integral->actrange[0] = -1, integral->actrange[1] = 1;
    mjsActuator* damper = actuator(s, "damper", mjTRN_JOINT, "elbow");
    mjs_setToDamper(damper, 0.4);
    damper->ctrlrange[1] = 1;
    mjs_setToCylinder(actuator(s, "cylinder", mjTRN_JOINT, "slide"), 0.2, 1, 0.3, -1);
    mjsActuator* muscle = actuator(s, "muscle", mjTRN_TENDON, "string");
    mjs_setToMuscle(muscle, constants, 0.01, range, 50, -1, -1, -1, -1, -1, -1);
    muscle->lengthrange[0] = 0.1, muscle->lengthrange[1] = 0.9;
    mjsActuator* sticky = actuator(s, "sticky", mjTRN_BODY, "ball");
    mjs_setToAdhesion(sticky, 2);
    sticky->ctrlrange[1] = 1;
    mjsActuator* thrust = actuator(s, "thrust", mjTRN_SITE, "tip");
    thrust->gear[0] = 0, thrust->gear[2] = 1;
    const double user[] = {1, 2, 3};
    mjs_setDouble(thrust->userdata, user, 3);
}

static mjsSensor* sensor(mjSpec* s, const char* name, mjtSensor type, mjtObj objtype, const char* objname)
{
    mjsSensor* made = mjs_addSensor(s);
    mjs_setName(made->element, name);
    made->type = type, made->objtype = objtype;
    mjs_setString(made->objname, objname);
    return made;
}

static void sensors(mjSpec* s)
{
    sensor(s, "angle", mjSENS_JOINTPOS, mjOBJ_JOINT, "elbow")->cutoff = 3;
    sensor(s, "gyro", mjSENS_GYRO, mjOBJ_SITE, "tip")->noise = 0.1;
    sensor(s, "force", mjSENS_ACTUATORFRC, mjOBJ_ACTUATOR, "motor");
    mjsSensor* relative = sensor(s, "relative", mjSENS_FRAMEPOS, mjOBJ_GEOM, "box");
    relative->reftype = mjOBJ_BODY;
    mjs_setString(relative->refname, "ball");
    sensor(s, "com", mjSENS_SUBTREECOM, mjOBJ_BODY, "upper");
    mjsSensor* between = sensor(s, "between", mjSENS_GEOMDIST, mjOBJ_GEOM, "box");
    between->reftype = mjOBJ_GEOM, between->cutoff = 2;
    mjs_setString(between->refname, "sphere");
    mjsSensor* contact = sensor(s, "contact", mjSENS_CONTACT, mjOBJ_GEOM, "sphere");
    contact->intprm[0] = 1 << mjCONDATA_FOUND | 1 << mjCONDATA_FORCE, contact->intprm[1] = 2,
    contact->intprm[2] = 2;
    sensor(s, "clock", mjSENS_CLOCK, mjOBJ_UNKNOWN, "");
    mjsSensor* own = sensor(s, "own", mjSENS_USER, mjOBJ_UNKNOWN, "");
    own->dim = 3, own->needstage = mjSTAGE_VEL, own->datatype = mjDATATYPE_REAL;
}

static void relations(mjSpec* s)
{
    mjsTendon* string = mjs_addTendon(s, NULL);
    mjs_setName(string->element, "string");
    mjs_wrapSite(string, "tip"), mjs_wrapSite(string, "top");
    string->stiffness = 3, string->width = 0.01, string->range[1] = 3;
    mjsTendon* sum = mjs_addTendon(s, NULL);
    mjs_setName(sum->element, "sum");
    mjs_wrapJoint(sum, "shoulder", 1), mjs_wrapJoint(sum, "elbow", -0.5);
    mjsEquality* weld = mjs_addEquality(s, NULL);
    weld->type = mjEQ_WELD, weld->objtype = mjOBJ_BODY, weld->active = 0;
    mjs_setString(weld->name1, "ball"), mjs_setString(weld->name2, "target");
    mjs_setName(weld->element, "hold");
    mjsEquality* couple = mjs_addEquality(s, NULL);
    couple->type = mjEQ_JOINT, couple->data[0] = 0.1, couple->data[1] = 0.5;
    mjs_setString(couple->name1, "slide"), mjs_setString(couple->name2, "elbow");
    mjsEquality* point = mjs_addEquality(s, NULL);
    point->type = mjEQ_CONNECT, point->objtype = mjOBJ_BODY, put(point->data, 0.1, 0, 0), point->active = 0;
    mjs_setString(point->name1, "ball"), mjs_setString(point->name2, "heavy");
    mjsPair* pair = mjs_addPair(s, NULL);
    mjs_setString(pair->geomname1, "sphere"), mjs_setString(pair->geomname2, "box");
    pair->condim = 3, pair->margin = 0.01;
    mjsExclude* exclude = mjs_addExclude(s);
    mjs_setString(exclude->bodyname1, "upper"), mjs_setString(exclude->bodyname2, "heavy");
    mjsNumeric* numeric = mjs_addNumeric(s);
    const double numbers[] = {1.5, 2.5};
    mjs_setName(numeric->element, "numbers");
    mjs_setDouble(numeric->data, numbers, 2), numeric->size = 4;
    mjsText* text = mjs_addText(s);
    mjs_setName(text->element, "text"), mjs_setString(text->data, "words");
}

// What a model is, number by number.
static void describe(const mjModel* m)
{
    printf("sizes %d %d %d %d %d %d %d %d %d\n", m->nq, m->nv, m->nu, m->na, m->nbody, m->ngeom,
           m->nsensordata, m->neq, m->ntendon);
#define ROWS(name, n)                                                                                        \
    printf(#name);                                                                                           \
    for (int i = 0; i < (n); i++) printf(" %.9g", (double)m->name[i]);                                       \
    puts("")
    ROWS(qpos0, m->nq);
    ROWS(body_pos, 3 * m->nbody);
    ROWS(body_quat, 4 * m->nbody);
    ROWS(body_mass, m->nbody);
    ROWS(body_inertia, 3 * m->nbody);
    ROWS(body_gravcomp, m->nbody);
    ROWS(body_mocapid, m->nbody);
    ROWS(jnt_type, m->njnt);
    ROWS(jnt_range, 2 * m->njnt);
    ROWS(jnt_stiffness, m->njnt);
    ROWS(dof_damping, m->nv);
    ROWS(dof_armature, m->nv);
    ROWS(geom_type, m->ngeom);
    ROWS(geom_size, 3 * m->ngeom);
    ROWS(geom_pos, 3 * m->ngeom);
    ROWS(geom_friction, 3 * m->ngeom);
    ROWS(geom_condim, m->ngeom);
    ROWS(geom_rgba, 4 * m->ngeom);
    ROWS(geom_matid, m->ngeom);
    ROWS(mat_texid, 10 * m->nmat);
    ROWS(mat_texrepeat, 2 * m->nmat);
    ROWS(cam_pos, 3 * m->ncam);
    ROWS(cam_quat, 4 * m->ncam);
    ROWS(cam_fovy, m->ncam);
    ROWS(light_dir, 3 * m->nlight);
    ROWS(light_diffuse, 3 * m->nlight);
    ROWS(actuator_gear, 6 * m->nu);
    ROWS(actuator_gainprm, mjNGAIN * m->nu);
    ROWS(actuator_biasprm, mjNBIAS * m->nu);
    ROWS(actuator_dynprm, mjNDYN * m->nu);
    ROWS(actuator_dyntype, m->nu);
    ROWS(actuator_gaintype, m->nu);
    ROWS(actuator_trntype, m->nu);
    ROWS(actuator_trnid, 2 * m->nu);
    ROWS(actuator_ctrlrange, 2 * m->nu);
    ROWS(actuator_ctrllimited, m->nu);
    ROWS(actuator_actrange, 2 * m->nu);
    ROWS(actuator_lengthrange, 2 * m->nu);
    ROWS(actuator_user, m->nuser_actuator * m->nu);
    ROWS(sensor_type, m->nsensor);
    ROWS(sensor_objtype, m->nsensor);
    ROWS(sensor_objid, m->nsensor);
    ROWS(sensor_reftype, m->nsensor);
    ROWS(sensor_refid, m->nsensor);
    ROWS(sensor_intprm, mjNSENS * m->nsensor);
    ROWS(sensor_dim, m->nsensor);
    ROWS(sensor_cutoff, m->nsensor);
    ROWS(eq_type, m->neq);
    ROWS(eq_data, mjNEQDATA * m->neq);
    ROWS(eq_active0, m->neq);
    ROWS(tendon_stiffness, m->ntendon);
    ROWS(tendon_range, 2 * m->ntendon);
    ROWS(wrap_type, m->nwrap);
    ROWS(wrap_prm, m->nwrap);
    ROWS(pair_geom1, m->npair);
    ROWS(pair_margin, m->npair);
    ROWS(exclude_signature, m->nexclude);
    ROWS(numeric_data, m->nnumericdata);
    ROWS(key_qpos, m->nkey * m->nq);
    puts(m->ntext ? m->text_data : "no text");
}

static mjModel* compiled(mjSpec* s)
{
    mjModel* m = mj_compile(s, NULL);
    if (m)
        describe(m);
    else
        printf("fault: %s\n", mjs_getError(s));
    return m;
}

static mjSpec* build(void)
{
    mjSpec* s = mj_makeSpec();
    assets(s), world(s), arm(s), free_bodies(s), relations(s), actuators(s), sensors(s);
    return s;
}

// What was built, looked at again and changed.
static void change(mjSpec* s)
{
    int bodies = 0, geoms = 0;
    for (mjsElement* e = mjs_firstElement(s, mjOBJ_BODY); e; e = mjs_nextElement(s, e)) bodies++;
    for (mjsElement* e = mjs_firstChild(mjs_findBody(s, "world"), mjOBJ_GEOM, 1); e;
         e = mjs_nextChild(mjs_findBody(s, "world"), e, 1))
        geoms++;
    printf("walked %d %d\n", bodies, geoms);
    for (mjsElement* e = mjs_firstElement(s, mjOBJ_GEOM); e; e = mjs_nextElement(s, e)) geoms++;
    for (mjsElement* e = mjs_firstElement(s, mjOBJ_JOINT); e; e = mjs_nextElement(s, e))
        printf("%s ", mjs_getString(mjs_getName(e)));
    printf("and %d\n", geoms);
    mjsBody* lower = mjs_findChild(mjs_findBody(s, "world"), "lower");
    printf("%s in %s of %d\n", mjs_getString(mjs_getName(lower->element)),
           mjs_getString(mjs_getName(mjs_getParent(lower->element)->element)),
           mjs_getSpec(lower->element) == s);
    mjsElement* found = mjs_findElement(s, mjOBJ_GEOM, "box");
    mjsGeom* box = mjs_asGeom(found);
    printf("box %g %g %d %d %s\n", box->mass, box->size[0], mjs_asJoint(found) == NULL, mjs_getId(found),
           mjs_findElement(s, mjOBJ_GEOM, "none") ? "found" : "none");
    mjsSite* top = mjs_asSite(mjs_findElement(s, mjOBJ_SITE, "top"));
    printf("frame %g class %d\n", mjs_getFrame(top->element)->pos[2], mjs_findDefault(s, "thin") != NULL);
    box->mass = 1.25;
    mjs_delete(s, mjs_findElement(s, mjOBJ_SENSOR, "gyro"));
    mjsKey* key = mjs_addKey(s);
    const double qpos[] = {0.1, 0.2, 1, 2, 3, 1, 0, 0, 0, 0.5};
    mjs_setName(key->element, "start");
    mjs_setDouble(key->qpos, qpos, 10), key->time = 2;
}

static void attach(void)
{
    mjSpec* child = mj_parseXMLString(
        "<mujoco><worldbody><body name='hand'><joint name='grip'/><geom name='palm' size='.05'/></body>"
        "</worldbody><actuator><position name='close' joint='grip' kp='7' kv='2'/></actuator></mujoco>",
        NULL, NULL, 0);
    mjSpec* parent = build();
    mjsActuator* closing = mjs_asActuator(mjs_findElement(child, mjOBJ_ACTUATOR, "close"));
    printf("read %g %g %d\n", closing->gainprm[0], closing->biasprm[2], closing->biastype);
    mjsFrame* place = mjs_addFrame(mjs_findBody(parent, "lower"), NULL);
    place->pos[0] = 0.2;
    mjsElement* copy = mjs_attach(place->element, mjs_findBody(child, "hand")->element, "left_", "");
    printf("attached %d\n", copy != NULL);
    mj_deleteModel(compiled(parent));
    mj_deleteSpec(child), mj_deleteSpec(parent);
}

int main(int argc, char** argv)
{
    char error[500] = "";
    mjSpec* s = build();
    mjModel* m = compiled(s);
    if (!m) return 1;
    mj_deleteModel(m);
    change(s);
    m = compiled(s);
    if (m && argc > 1) printf("saved %d\n", mj_saveXML(s, argv[1], error, sizeof error));
    mj_deleteModel(m);
    mj_deleteSpec(s);
    attach();
    return 0;
}
