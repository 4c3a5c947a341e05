// Models from and to files and memory, specs, and their errors; in a folder of its own.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char outer[] =
    "<mujoco model='outer'><include file='part.xml'/><worldbody><body name='b'><joint name='j'/>"
    "<geom name='g' size='.1'/></body></worldbody><keyframe><key name='k' qpos='.5'/></keyframe></mujoco>";
static const char part[] = "<mujoco><asset><material name='m' rgba='1 0 0 1'/></asset><default><geom rgba='0 "
                           "1 0 1'/></default></mujoco>";

static void describe(const char* how, const mjModel* m)
{
    if (!m) {
        printf("%s: none\n", how);
        return;
    }
    printf("%s: %s nq %d nbody %d nmat %d mass %.9g %g\n", how, m->names, m->nq, m->nbody, m->nmat,
           mj_getTotalmass(m), (double)m->geom_rgba[1]);
}

static void memory(void)
{
    mjVFS files;
    char error[300] = "before";
    mj_defaultVFS(&files);
    printf("add %d %d", mj_addBufferVFS(&files, "outer.xml", outer, sizeof outer - 1),
           mj_addBufferVFS(&files, "part.xml", part, sizeof part - 1));
    printf(" again %d", mj_addBufferVFS(&files, "part.xml", part, sizeof part - 1));
    mjModel* m = mj_loadXML("outer.xml", &files, error, sizeof error);
    printf(" <%s>\n", error);
    describe("memory", m);
    mj_deleteModel(m);
    printf("delete %d %d\n", mj_deleteFileVFS(&files, "part.xml"), mj_deleteFileVFS(&files, "part.xml"));
    m = mj_loadXML("outer.xml", &files, error, sizeof error);
    printf("%d %d\n", m == NULL, strlen(error) > 5);
    FILE* file = fopen("part.xml", "w");
    fputs(part, file), fclose(file);
    printf("file %d %d\n", mj_addFileVFS(&files, "", "part.xml"),
           mj_addFileVFS(&files, "nowhere", "other.xml"));
    m = mj_loadXML("outer.xml", &files, error, sizeof error);
    describe("file", m);
    mj_deleteModel(m);
    mj_deleteVFS(&files);
}

static void buffers(const mjModel* m)
{
    const int size = mj_sizeModel(m);
    char* bytes = mju_malloc((size_t)size);
    mj_saveModel(m, NULL, bytes, size);
    mjVFS files;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "m.mjb", bytes, size);
    mju_free(bytes);
    mjModel* again = mj_loadModel("m.mjb", &files);
    describe("bytes", again);
    mj_deleteVFS(&files);
    mj_deleteModel(again);
    mj_saveModel(m, "saved.mjb", NULL, 0);
    again = mj_loadModel("saved.mjb", NULL);
    describe("saved", again);
    mjModel* copy = mj_copyModel(NULL, m);
    copy->opt.timestep = 0.5, copy->geom_size[0] = 3, copy->key_qpos[0] = 9;
    mj_copyModel(copy, again);
    printf("copied %g %g %g\n", copy->opt.timestep, copy->geom_size[0], copy->key_qpos[0]);
    copy->geom_size[0] = 7;
    mjv_copyModel(copy, again);
    printf("own arrays %d\n", copy->geom_size != again->geom_size && copy->nq == again->nq);
    mj_deleteModel(copy), mj_deleteModel(again);
}

static void specs(void)
{
    char error[300] = "", text[4000];
    mjSpec* s = mj_parseXMLString("<mujoco model='s'><worldbody><geom size='.2'/></worldbody></mujoco>", NULL,
                                  error, sizeof error);
    mjSpec* copy = mj_copySpec(s);
    mj_deleteSpec(s);
    mjModel* m = mj_compile(copy, NULL);
    describe("spec", m);
    printf("told <%s> %d\n", mjs_getError(copy), mjs_isWarning(copy));
    printf("string %d\n", mj_saveXMLString(copy, text, sizeof text, error, sizeof error));
    printf("small %d\n", mj_saveXMLString(copy, text, 10, error, sizeof error) > 50);
    printf("file %d\n", mj_saveXML(copy, "spec.xml", error, sizeof error));
    mj_deleteSpec(copy), mj_deleteModel(m);
    s = mj_parseXML("spec.xml", NULL, error, sizeof error);
    m = mj_compile(s, NULL);
    describe("read", m);
    mj_deleteSpec(s), mj_deleteModel(m);
    s = mj_parseXMLString("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", NULL, error,
                          sizeof error);
    m = mj_compile(s, NULL);
    printf("massless %d told %d\n", m == NULL, *mjs_getError(s) != 0);
    mj_deleteSpec(s);
    s = mj_makeSpec();
    m = mj_compile(s, NULL);
    describe("empty", m);
    mj_deleteSpec(s), mj_deleteModel(m);
    printf("bad %d\n", mj_parseXMLString("<mujoco><nobody/></mujoco>", NULL, error, sizeof error) == NULL);
}

// The model and the data stay where they are, and so does the state.
static void recompile(void)
{
    mjSpec* s = mj_parseXMLString(outer, NULL, NULL, 0);
    mjModel* m = mj_compile(s, NULL);
    mjData* d = mj_makeData(m);
    const mjModel* place = m;
    for (int i = 0; i < 5; i++) mj_step(m, d);
    d->qpos[0] = 0.25, d->qvel[0] = 2;
    printf("recompiled %d", mj_recompile(s, NULL, m, d));
    printf(" %d %g %g %g\n", m == place, d->qpos[0], d->qvel[0], d->time);
    mj_step(m, d);
    printf("%.12g\n", d->qpos[0]);
    mj_deleteData(d), mj_deleteModel(m), mj_deleteSpec(s);
}

static void none(void)
{
    mjCache* cache = mj_getCache();
    mj_clearCache(cache);
    printf("cache %d %d", (int)mj_getCacheSize(cache), mj_getCacheCapacity(cache) > 1000);
    printf(" %d\n", (int)mj_setCacheCapacity(cache, 12345));
    mj_loadAllPluginLibraries(".", NULL);
    printf("plugins %d\n", mjp_pluginCount() >= 0);
}

// Texts that do not fit, and none at all.
static void errors(void)
{
    char text[64];
    for (int size = 1; size < 64; size += 7) {
        memset(text, 'z', sizeof text);
        const int none = mj_loadXML("nowhere.xml", NULL, text, size) == NULL;
        printf("%d within %d\n", none, (int)strlen(text) < size && text[size] == 'z');
    }
}

static void last(mjModel* m)
{
    char error[300] = "";
    printf("last %d\n", mj_saveLastXML("last.xml", m, error, sizeof error));
    mjModel* again = mj_loadXML("last.xml", NULL, error, sizeof error);
    describe("last", again);
    mj_deleteModel(again);
    mj_freeLastXML();
}

// What is written for people.
static void prints(const mjModel* m)
{
    mjData* d = mj_makeData(m);
    const char* names[] = {"model.txt", "model6.txt", "data.txt", "data6.txt"};
    mj_printModel(m, names[0]), mj_printFormattedModel(m, names[1], "%.6g");
    mj_printData(m, d, names[2]), mj_printFormattedData(m, d, names[3], "%.6g");
    for (int i = 0; i < 4; i++) {
        FILE* file = fopen(names[i], "rb");
        fseek(file, 0, SEEK_END);
        printf("%s %d\n", names[i], ftell(file) > 1000);
        fclose(file);
    }
    mju_writeLog("NOTE", "a note");
    FILE* log = fopen("MUJOCO_LOG.TXT", "r");
    printf("log %d\n", log != NULL);
    fclose(log);
    mj_deleteData(d);
}

int main(void)
{
    char error[300] = "";
    memory();
    FILE* file = fopen("outer.xml", "w");
    fputs(outer, file), fclose(file);
    mjModel* m = mj_loadXML("outer.xml", NULL, error, sizeof error);
    describe("loaded", m);
    buffers(m);
    last(m);
    prints(m);
    specs();
    recompile();
    none();
    errors();
    mj_deleteModel(m);
    return 0;
}
