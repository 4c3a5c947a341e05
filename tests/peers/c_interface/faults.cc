// What goes wrong in programs, with our library alone: the first argument says what.
//     faults WHAT [FILE]
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const char model[] = "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
                     "<actuator><motor joint='j'/></actuator></mujoco>";

mjModel* load()
{
    mjSpec* s = mj_parseXMLString(model, nullptr, nullptr, 0);
    mjModel* m = mj_compile(s, nullptr);
    mj_deleteSpec(s);
    return m;
}

void raise(const char* text)
{
    throw std::runtime_error(text);
}

// Without a handler the process ends with the text.
void unhandled()
{
    mju_warning("first");
    mju_error("%s", "then 100% wrong");
    std::puts("not reached");
}

// No buffer, none that can hold anything, one that holds half a character.
void buffers()
{
    char text[] = "kept";
    std::printf("%d", mj_loadXML("none.xml", nullptr, nullptr, 100) == nullptr);
    std::printf("%d", mj_loadXML("none.xml", nullptr, text, 0) == nullptr);
    std::printf("%d", mj_loadXML("none.xml", nullptr, text, -5) == nullptr);
    std::printf("%s", text);
    std::printf("%d", mj_loadXML("none.xml", nullptr, text, 1) == nullptr && !*text);
    std::vector<char> all(500);
    for (int size = 1; size < 400; size++) {
        mj_loadXML("\xc3\xa4\xc3\xb6\xc3\xbc.xml", nullptr, all.data(), size);
        const std::size_t length = std::strlen(all.data());
        if (length >= static_cast<std::size_t>(size) || (length && (all[length - 1] & 0xC0) == 0xC0))
            std::puts("cut");
    }
    std::puts(all.data());
    std::printf("%d", mj_loadXML(nullptr, nullptr, all.data(), 500) == nullptr), std::puts(all.data());
    std::printf("%d", mj_parseXMLString("", nullptr, all.data(), 500) == nullptr), std::puts(all.data());
}

// Names that are none.
void nothing()
{
    mju_user_warning = [](const char* text) { std::puts(text); };
    mjModel* m = load();
    mjData* d = mj_makeData(m);
    double force[6];
    char error[200];
    std::printf("%d %d %d\n", mj_name2id(m, mjOBJ_JOINT, ""), mj_name2id(m, -1, "j"), mj_name2id(m, 99, "j"));
    std::printf("%d %d\n", mj_id2name(m, -1, 0) == nullptr, mj_id2name(m, mjOBJ_JOINT, 1) == nullptr);
    std::printf("%d %d\n", mju_str2Type(""), mju_type2Str(-1) == nullptr);
    mj_contactForce(m, d, 0, force), mj_contactForce(m, d, -1, force);
    mj_resetDataKeyframe(m, d, -7), mj_resetDataKeyframe(m, d, 7);
    mjLROpt option;
    mj_defaultLROpt(&option);
    std::printf("%d", mj_setLengthRange(m, d, 5, &option, error, sizeof error)), std::puts(error);
    mj_saveModel(m, nullptr, nullptr, 0);
    mj_saveModel(m, "no/such/folder/m.mjb", nullptr, 0);
    mj_printModel(m, "no/such/folder/m.txt");
    mj_printFormattedModel(m, "model.txt", "%s");
    std::printf("%d\n", mj_saveLastXML("last.xml", m, error, sizeof error)), std::puts(error);
    mj_deleteModel(nullptr), mj_deleteData(nullptr), mj_deleteSpec(nullptr), mju_free(nullptr);
    mju_threadPoolDestroy(nullptr);
    std::printf("%d %d\n", mju_threadPoolCreate(0) == nullptr, mju_threadPoolCreate(100000) == nullptr);
    mj_deleteData(d), mj_deleteModel(m);
}

// Handlers and callbacks that leave by an exception; a reset makes the data whole.
void exceptions()
{
    mju_user_error = raise;
    mjModel* m = load();
    mjData* d = mj_makeData(m);
    int caught = 0;
    for (int i = 0; i < 100; i++) {
        try {
            mj_setKeyframe(m, d, 3);
        } catch (const std::runtime_error&) {
            caught++;
        }
        mjcb_control = [](const mjModel*, mjData*) { raise("in a callback"); };
        try {
            mj_step(m, d);
        } catch (const std::runtime_error&) {
            caught++;
        }
        mjcb_control = nullptr;
        mj_resetData(m, d);
        mj_step(m, d);
    }
    std::printf("%d %d %.3f\n", caught, static_cast<int>(d->pstack), d->time);
    mj_deleteData(d), mj_deleteModel(m);
}

// A handler that returns: nothing is done.
void returns()
{
    mju_user_error = [](const char* text) { std::puts(text); };
    mjModel* m = load();
    mjData* d = mj_makeData(m);
    mjvScene scene;
    mjvCamera camera;
    mjvOption option;
    mjv_defaultScene(&scene), mjv_defaultCamera(&camera), mjv_defaultOption(&option);
    mj_setKeyframe(m, d, 0);
    std::printf("%d\n", mj_stateSize(m, ~0u));
    mj_RungeKutta(m, d, 3);
    mjd_transitionFD(m, d, -1, 0, nullptr, nullptr, nullptr, nullptr);
    mj_freeStack(d);
    std::printf("%d\n",
                mj_stackAllocByte(d, SIZE_MAX, 8) == nullptr && mj_stackAllocNum(d, SIZE_MAX / 4) == nullptr);
    mj_warning(d, 77, 0);
    mjv_makeScene(m, &scene, -1);
    camera.type = mjCAMERA_FIXED, camera.fixedcamid = 5;
    mjv_updateScene(m, d, &option, nullptr, &camera, mjCAT_ALL, &scene);
    camera.type = mjCAMERA_FREE;
    mjv_moveCamera(m, 55, 0, 0, &scene, &camera);
    mjModel* other = mj_copyModel(nullptr, m);
    other->nbody++;
    mj_copyModel(other, m);
    other->nbody--;
    mjContact contact = {};
    std::printf("%d\n", mj_addContact(m, d, &contact));
    mj_loadPluginLibrary("plugin.so");
    mjStringVec files;
    mju_getXMLDependencies("none.xml", &files);
    mj_deleteModel(other), mj_deleteData(d), mj_deleteModel(m);
}

void tell(mjSpec* s)
{
    mjModel* m = mj_compile(s, nullptr);
    std::puts(m ? "compiled" : mjs_getError(s));
    mj_deleteModel(m);
}

// Elements that cannot be, or are no more.
void elements()
{
    mju_user_error = [](const char* text) { std::puts(text); };
    mjSpec* s = mj_makeSpec();
    mjsBody* arm = mjs_addBody(mjs_findBody(s, "world"), nullptr);
    mjsBody* hand = mjs_addBody(arm, nullptr);
    std::printf("%d", mjs_setName(arm->element, "arm"));
    mjsJoint* joint = mjs_addJoint(arm, nullptr);
    mjsGeom* geom = mjs_addGeom(hand, nullptr);
    tell(s);
    geom->size[0] = 0.1;
    geom->type = static_cast<mjtGeom>(99), tell(s);
    std::puts(sinew_spec(s) ? "a source" : "none");
    geom->type = mjGEOM_SPHERE, geom->density = NAN, tell(s);
    geom->density = 1000, mjs_setString(geom->material, "none"), tell(s);
    mjs_setString(geom->material, ""), joint->limited = 7, tell(s);
    joint->limited = mjLIMITED_AUTO, tell(s);
    mjsActuator* motor = mjs_addActuator(s, nullptr);
    tell(s);
    mjs_setString(motor->target, "none"), motor->trntype = mjTRN_JOINT, tell(s);
    mjs_delete(s, motor->element), tell(s);
    std::printf("%d\n", mjs_delete(s, mjs_findBody(s, "world")->element)), std::puts(mjs_getError(s));
    std::printf("%d", mjs_attach(geom->element, arm->element, "a_", "") == nullptr);
    std::printf("%d\n", mjs_delete(s, arm->element)), tell(s);
    std::printf("%d\n",
                mjs_findBody(s, "arm") == nullptr && mjs_findElement(s, mjOBJ_GEOM, "none") == nullptr);
    mjsMaterial* material = mjs_addMaterial(s, nullptr);
    std::printf("%d", mjs_setInStringVec(material->textures, -1, "x"));
    std::printf("%d", mjs_setInStringVec(material->textures, 99, "x"));
    std::printf("%d\n", mjs_setInStringVec(material->textures, mjTEXROLE_NORMAL, "x")), tell(s);
    mjs_delete(s, material->element), tell(s);
    mjs_findBody(s, "world")->pos[0] = 1, tell(s);
    mj_deleteSpec(s);
}

// Bytes that are no model.
void read(const char* path)
{
    mju_user_warning = [](const char* text) { std::puts(text); };
    mjModel* m = mj_loadModel(path, nullptr);
    std::puts(m ? "a model" : "none");
    mj_deleteModel(m);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "unhandled") unhandled();
    if (what == "buffers") buffers();
    if (what == "nothing") nothing();
    if (what == "exceptions") exceptions();
    if (what == "returns") returns();
    if (what == "elements") elements();
    if (what == "read") read(argv[2]);
    return 0;
}
