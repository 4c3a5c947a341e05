// A description that is read and changed: settings, classes, paths of tendons, every kind of element, parts
// of others.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "<mujoco model='arm'>"
    "<compiler angle='radian' meshdir='meshes' eulerseq='zyx' inertiafromgeom='true'/>"
    "<option timestep='0.004' integrator='implicitfast' gravity='0 0 -3'><flag energy='enable' "
    "limit='disable'/>"
    "</option><size nuserdata='3' njmax='70'/><statistic extent='2.5' center='0 0 1'/>"
    "<visual><map znear='0.02' force='0.1'/><rgba fog='1 0 0 1'/><global fovy='50' offwidth='800'/>"
    "<quality shadowsize='2048'/><scale framelength='2'/><headlight ambient='.2 .2 .2'/></visual>"
    "<default><geom rgba='1 0 0 1'/><default class='small'><geom size='.02' density='700'/>"
    "<joint damping='.1'/></default></default>"
    "<asset><texture name='sky' type='skybox' builtin='gradient' rgb1='1 1 1' width='8' height='8'/>"
    "<material name='shiny' specular='.9' shininess='.8'/>"
    "<mesh name='tent' vertex='0 0 0  1 0 0  0 1 0  0 0 1' scale='.1 .1 .1'/></asset>"
    "<worldbody><light name='sun' pos='0 0 3' diffuse='.6 .6 .6'/><camera name='eye' pos='0 -2 1' fovy='40'/>"
    "<geom name='pole' type='cylinder' size='.1 .5' pos='.3 0 .5'/><site name='side' pos='.5 0 .5'/>"
    "<frame name='mount' pos='0 0 1' euler='0.1 0.2 0.3'><body name='base' childclass='small'>"
    "<joint name='turn' type='ball' range='0 1.5'/><geom name='bead'/><geom name='tent' type='mesh' "
    "mesh='tent'/>"
    "<site name='start' pos='0 0 .1'/></body></frame>"
    "<body name='tool' pos='1 0 1'><freejoint name='free'/><geom name='knob' size='.1' mass='2'/>"
    "<site name='end' pos='0 0 .1'/></body></worldbody>"
    "<contact><pair name='touching' geom1='bead' geom2='knob' friction='.5 .6 .1 .2 .3'/>"
    "<exclude name='apart' body1='base' body2='tool'/></contact>"
    "<equality><weld name='joined' body1='base' body2='tool' active='false' torquescale='.5'/>"
    "<flex name='held' flex='cloth'/></equality>"
    "<deformable><flex name='cloth' body='base tool world' element='0 1 2'/></deformable>"
    "<tendon><spatial name='rope' limited='true' range='0 2' width='.02'><site site='start'/>"
    "<geom geom='pole' sidesite='side'/><site site='end'/></spatial></tendon>"
    "<actuator><general name='pull' tendon='rope' gainprm='-5' ctrlrange='0 1' forcerange='-2 0'/></actuator>"
    "<sensor><framepos name='where' objtype='site' objname='end' noise='.1'/>"
    "<rangefinder name='range' site='start'/></sensor>"
    "<custom><numeric name='five' data='1 2 3 4 5'/><text name='note' data='some words'/></custom>"
    "<keyframe><key name='home' time='1.5' ctrl='.5'/></keyframe></mujoco>";

static mjSpec* parsed(void)
{
    char error[500] = "";
    mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof error);
    if (!s) printf("%s\n", error);
    return s;
}

static void numbers(const char* what, const double* values, int n)
{
    printf("%s", what);
    for (int i = 0; i < n; i++) printf(" %.9g", values[i]);
    puts("");
}

static void show_settings(const mjSpec* s)
{
    const mjsCompiler* c = &s->compiler;
    printf("%s: %s %.3s %d %d %d %d %d\n", mjs_getString(s->modelname), mjs_getString(c->meshdir),
           c->eulerseq, c->degree, c->autolimits, c->inertiafromgeom, c->fusestatic, c->inertiagrouprange[1]);
    printf("option %g %d %d %d %g %d\n", s->option.timestep, s->option.integrator, s->option.disableflags,
           s->option.enableflags, s->option.gravity[2], s->option.iterations);
    printf("size %d %d %d %d %d\n", s->nuserdata, s->njmax, s->nconmax, s->nkey, s->nuser_geom);
    printf("stat %g %g %d\n", s->stat.extent, s->stat.center[2], s->stat.meanmass != s->stat.meanmass);
    printf("visual %g %g %g %g %d %d %g %g\n", s->visual.map.znear, s->visual.map.force,
           s->visual.rgba.fog[1], s->visual.global.fovy, s->visual.global.offwidth,
           s->visual.quality.shadowsize, s->visual.scale.framelength, s->visual.headlight.ambient[0]);
}

static void show_model(const mjModel* m)
{
    printf("model %d %d %d %d %d %d %d\n", m->nq, m->nbody, m->ngeom, m->nsite, m->ntendon, m->nwrap,
           m->nuserdata);
    printf("option %g %d %d %d %g %d %d\n", m->opt.timestep, m->opt.integrator, m->opt.disableflags,
           m->opt.enableflags, m->opt.gravity[2], m->opt.iterations, m->opt.disableactuator);
    printf("visual %g %g %d %g\n", m->vis.map.znear, m->vis.global.fovy, m->vis.quality.shadowsize,
           m->stat.extent);
    numbers("mass", m->body_mass, m->nbody), numbers("quat", m->body_quat, 4 * m->nbody);
    numbers("range", m->jnt_range, 2 * m->njnt), numbers("damping", m->dof_damping, m->nv);
    numbers("size", m->geom_size, 3 * m->ngeom), numbers("pos", m->geom_pos, 3 * m->ngeom);
    numbers("wrap", m->wrap_prm, m->nwrap), numbers("length", m->tendon_length0, m->ntendon);
    for (int i = 0; i < m->neq; i++) printf("equality %d %d\n", m->eq_type[i], m->eq_obj1id[i]);
    for (int i = 0; i < m->ngeom; i++) printf("%g ", m->geom_rgba[4 * i + 1]);
    printf("%s\n", m->names);
}

static void compile(mjSpec* s)
{
    mjModel* m = mj_compile(s, NULL);
    if (m)
        show_model(m);
    else
        printf("%s\n", mjs_getError(s));
    mj_deleteModel(m);
}

static void settings(void)
{
    mjSpec* s = parsed();
    show_settings(s), compile(s);
    mjs_setString(s->modelname, "other");
    s->option.timestep = 0.001, s->option.integrator = mjINT_RK4, s->option.iterations = 7;
    s->option.disableflags = mjDSBL_CONTACT | mjDSBL_WARMSTART, s->option.enableflags = mjENBL_FWDINV;
    s->option.disableactuator = 1 << 3;
    s->visual.map.znear = 0.05f, s->visual.quality.shadowsize = 512, s->visual.global.fovy = 30;
    s->stat.extent = 4, s->nuserdata = 5;
    s->compiler.boundmass = 0.5;
    compile(s);
    mjSpec* copy = mj_copySpec(s);
    printf("copy %d %g %s\n", copy->option.enableflags, copy->option.timestep,
           mjs_getString(copy->modelname));
    compile(copy);
    mj_deleteSpec(copy), mj_deleteSpec(s);
    s = mj_makeSpec();
    show_settings(s), compile(s);
    s->compiler.degree = 0, memcpy(s->compiler.eulerseq, "zyx", 3), s->compiler.autolimits = 0;
    show_settings(s);
    mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
    body->alt.type = mjORIENTATION_EULER, body->alt.euler[0] = 0.5, body->alt.euler[1] = 0.25;
    mjsJoint* joint = mjs_addJoint(body, NULL);
    joint->range[1] = 1.5, joint->limited = mjLIMITED_TRUE;
    mjs_addGeom(body, NULL)->size[0] = 0.25;
    compile(s);
    mj_deleteSpec(s);
}

static mjsElement* named(mjSpec* s, mjtObj type, const char* name)
{
    return mjs_findElement(s, type, name);
}

// What was read, a member or two of each kind.
static void every_kind(mjSpec* s)
{
    const mjsBody* base = mjs_asBody(named(s, mjOBJ_BODY, "base"));
    const mjsFrame* mount = mjs_asFrame(named(s, mjOBJ_FRAME, "mount"));
    printf("body %s frame %g %d %g\n", mjs_getString(base->childclass), mount->pos[2], mount->alt.type,
           mount->alt.euler[1]);
    const mjsJoint* turn = mjs_asJoint(named(s, mjOBJ_JOINT, "turn"));
    const mjsGeom* bead = mjs_asGeom(named(s, mjOBJ_GEOM, "bead"));
    printf("joint %d %g %g geom %g %g %g\n", turn->type, turn->range[1], turn->damping, bead->size[0],
           bead->density, bead->rgba[0]);
    const mjsCamera* eye = mjs_asCamera(named(s, mjOBJ_CAMERA, "eye"));
    const mjsLight* sun = mjs_asLight(named(s, mjOBJ_LIGHT, "sun"));
    printf("camera %g %g light %g %d\n", eye->fovy, eye->pos[1], sun->diffuse[0], sun->active);
    const mjsTexture* sky = mjs_asTexture(named(s, mjOBJ_TEXTURE, "sky"));
    const mjsMaterial* shiny = mjs_asMaterial(named(s, mjOBJ_MATERIAL, "shiny"));
    const mjsMesh* tent = mjs_asMesh(named(s, mjOBJ_MESH, "tent"));
    printf("texture %d %d %d material %g %g mesh %g\n", sky->type, sky->builtin, sky->width, shiny->specular,
           shiny->shininess, tent->scale[0]);
    const mjsPair* touching = mjs_asPair(named(s, mjOBJ_PAIR, "touching"));
    const mjsExclude* apart = mjs_asExclude(named(s, mjOBJ_EXCLUDE, "apart"));
    printf("pair %s %g exclude %s\n", mjs_getString(touching->geomname2), touching->friction[1],
           mjs_getString(apart->bodyname1));
    const mjsEquality* joined = mjs_asEquality(named(s, mjOBJ_EQUALITY, "joined"));
    const mjsEquality* held = mjs_asEquality(named(s, mjOBJ_EQUALITY, "held"));
    printf("held %d %d %s %s\n", held->type, held->objtype, mjs_getString(held->name1),
           mjs_getString(held->name2));
    numbers("data", held->data, 11);
    const mjsTendon* rope = mjs_asTendon(named(s, mjOBJ_TENDON, "rope"));
    printf("equality %d %d %g tendon %d %g %g\n", joined->type, joined->active, joined->data[10],
           rope->limited, rope->range[1], rope->width);
    const mjsActuator* pull = mjs_asActuator(named(s, mjOBJ_ACTUATOR, "pull"));
    const mjsSensor* where = mjs_asSensor(named(s, mjOBJ_SENSOR, "where"));
    const mjsSensor* range = mjs_asSensor(named(s, mjOBJ_SENSOR, "range"));
    printf("actuator %d %s %g sensor %d %d %s %g, %d %d %s\n", pull->trntype, mjs_getString(pull->target),
           pull->gainprm[0], where->type, where->objtype, mjs_getString(where->objname), where->noise,
           range->type, range->objtype, mjs_getString(range->objname));
    int size = 0;
    const mjsNumeric* five = mjs_asNumeric(named(s, mjOBJ_NUMERIC, "five"));
    numbers("numeric", mjs_getDouble(five->data, &size), 5);
    const mjsText* note = mjs_asText(named(s, mjOBJ_TEXT, "note"));
    const mjsKey* home = mjs_asKey(named(s, mjOBJ_KEY, "home"));
    printf("%d of %s, %g %g\n", size, mjs_getString(note->data), home->time,
           mjs_getDouble(home->ctrl, NULL)[0]);
    printf("others %d %d\n", mjs_asSite(named(s, mjOBJ_GEOM, "bead")) == NULL, mjs_asBody(NULL) == NULL);
}

static void paths_and_classes(mjSpec* s)
{
    mjsEquality* equality = mjs_addEquality(s, NULL);
    equality->type = mjEQ_FLEX, mjs_setString(equality->name1, "cloth");
    mjsTendon* made = mjs_addTendon(s, NULL);
    mjs_setName(made->element, "second");
    mjs_wrapSite(made, "start"), mjs_wrapGeom(made, "pole", "side"), mjs_wrapSite(made, "end");
    mjs_wrapPulley(made, 2), mjs_wrapSite(made, "start"), mjs_wrapSite(made, "end");
    mjsDefault* whole = mjs_getSpecDefault(s);
    printf("of all %g %g\n", whole->geom->rgba[0], whole->site->size[0]);
    mjsGeom* knob = mjs_asGeom(named(s, mjOBJ_GEOM, "knob"));
    mjsDefault* small = mjs_getDefault(named(s, mjOBJ_GEOM, "bead"));
    printf("class %g %d\n", small->geom->density, small == mjs_findDefault(s, "small"));
    mjsDefault* heavy = mjs_addDefault(s, "heavy", small);
    printf("inherits %g %d\n", heavy->geom->density, mjs_addDefault(s, "heavy", NULL) == NULL);
    heavy->geom->density = 5000;
    mjsGeom* weight = mjs_addGeom(mjs_findBody(s, "tool"), heavy);
    printf("weight %g\n", weight->density);
    mjs_setDefault(knob->element, heavy);
    mjsFrame* mount = mjs_findFrame(s, "mount");
    printf("frame %g %d\n", mount->pos[2], mjs_findFrame(s, "none") == NULL);
    mjsMesh* mesh = mjs_addMesh(s, NULL);
    const float vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    mjs_setName(mesh->element, "faces");
    mjs_setFloat(mesh->uservert, vert, 12), mjs_setInt(mesh->userface, face, 12);
    compile(s);
    printf("%d\n", mjs_isWarning(s));
}

static void refused(mjSpec* s)
{
    mjsGeom* wrong = mjs_addGeom(mjs_findBody(s, "tool"), NULL);
    mjs_setString(wrong->meshname, "nothing");
    wrong->type = mjGEOM_MESH;
    printf("compiles %d\n", mj_compile(s, NULL) != NULL);
    printf("told %d %d\n", *mjs_getError(s) != 0, mjs_isWarning(s));
    mjs_delete(s, wrong->element);
    compile(s);
}

static void whole(void)
{
    mjSpec *parent = parsed(),
           *child = mj_parseXMLString("<mujoco model='part'><worldbody><body name='leaf'><joint name='bend' "
                                      "range='0 90'/><geom size='.1'/></body>"
                                      "<geom name='stem' type='box' size='.1 .1 .1'/></worldbody></mujoco>",
                                      NULL, NULL, 0);
    mjsFrame* place = mjs_addFrame(mjs_findBody(parent, "tool"), mjs_findFrame(parent, "none"));
    place->pos[1] = 0.7;
    mjsElement* copy = mjs_attach(place->element, child->element, "part_", "");
    printf("attached %d\n", copy != NULL);
    compile(parent);
    mj_deleteSpec(child), mj_deleteSpec(parent);
}

int main(void)
{
    settings();
    mjSpec* s = parsed();
    every_kind(s), paths_and_classes(s), refused(s);
    mj_deleteSpec(s);
    whole();
    return 0;
}
