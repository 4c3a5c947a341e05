#include "format/mjcf/language/newer.h"
#include "format/mjcf/language/element.h"
#include <stdio.h>
#include <string.h>

// Where: paths as in the tables, "sensor/TAG" for sensors; one that ends in a slash is all that begins so.
typedef struct NewerName {
    const char *where, *name;
} NewerName;

#define ACTUATED                                                                                             \
    "actuator/general actuator/motor actuator/position actuator/velocity actuator/intvelocity "              \
    "actuator/damper actuator/cylinder actuator/muscle actuator/plugin"
#define TENDON "tendon/fixed tendon/spatial default/tendon"

static const char elements[] = "default/texture default/material/layer default/pid default/orientation "
                               "default/dcmotor actuator/pid actuator/orientation actuator/dcmotor "
                               "equality/flexvert equality/flexstrain";

// Of these, what 4.0 reads here: the others are not supported yet.
static const char read_elements[] =
    "default/texture default/material/layer default/pid actuator/pid default/dcmotor actuator/dcmotor "
    "default/orientation actuator/orientation";

static const NewerName attributes[] = {
    {"compiler", "conflict"},
    {"compiler", "passthrough"},
    {"compiler", "savecanonical"},
    {"compiler", "savecompiled"},
    {"option", "sleep_tolerance"},
    {"option/flag", "diagexact"},
    {"option/flag", "ipc"},
    {"option/flag", "sleep"},
    {"option/flag", "speculative"},
    {"asset/texture", "class"},
    {"asset/texture", "embed"},
    {"body", "fuse"},
    {"body", "simple"},
    {"body", "sleep"},
    {"frame", "massscale"},
    {"frame", "scale"},
    {"frame", "scaling"},
    {"body/attach", "frame"},
    {"body/flexcomp", "mesh"},
    {"body/flexcomp", "cellcount"},
    {"body/joint " TENDON, "springyield"},
    {"body/geom contact/pair", "adhesion"},
    {"body/geom", "surfacevel"},
    {"body/site", "mesh"},
    {"actuator/ sensor/", "delay"},
    {"actuator/ sensor/", "interp"},
    {"actuator/ sensor/", "nsample"},
    {"sensor/", "interval"},
    {ACTUATED, "armature"},
    {ACTUATED, "damping"},
    {"actuator/general", "ffrange"},
    {"actuator/general", "inheritrange"},
    {"actuator/general", "input"},
    {"actuator/general", "velrange"},
    {"actuator/intvelocity", "actlimited"},
    {"sensor/rangefinder", "camera"},
    {"sensor/rangefinder", "data"},
    {"sensor/insidesite", "enclosed"},
    {"sensor/contact", "noise"},
    {"sensor/tactile", "cutoff"},
    {"keyframe/key", "plastic"},
};

static const NewerName looks[] = {
    {"body/geom", "castshadow"},
    {"body/camera", "projection"},
    {"body/camera", "output"},
    {"body/light", "softness"},
};

static const struct {
    NewerName of;
    const char* words; // with a space around each
} words[] = {
    {{"option", "integrator"}, " discrete "},
    {{"actuator/general actuator/plugin", "dyntype"}, " pid dcmotor "},
    {{"actuator/general", "gaintype"}, " dcmotor pid so3 "},
    {{"actuator/general", "biastype"}, " dcmotor so3 "},
    {{"sensor/contact", "data"}, " linvel angvel "},
    {{"body/flexcomp", "dof"}, " quadratic 2d "},
    {{"body/flexcomp/edge", "equality"}, " strain "},
    {{"asset/mesh", "builtin"}, " grid box cylinder ellipsoid square disc "},
    {{"visual/headlight", "active"}, " false true auto "},
};

static const struct {
    NewerName of;
    int most;
} counts[] = {
    {{"body/joint " TENDON, "stiffness"}, 3},
    {{"body/joint " TENDON, "damping"}, 3},
};

// A path among those of a list.
static bool isListed(const char* list, const char* path)
{
    const size_t length = strlen(path);
    for (size_t n; *(list += strspn(list, " ")); list += n) {
        n = strcspn(list, " ");
        const bool all = list[n - 1] == '/';
        if (all ? !strncmp(list, path, n) : n == length && !memcmp(list, path, n)) return true;
    }
    return false;
}

#define PATH_SIZE 80

static bool isOf(const NewerName* names, const snElement* element, const char* name)
{
    int where;
    char path[PATH_SIZE];
    if (strcmp(names->name, name) != 0) return false;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    if (!type) return false;
    const bool sensor = !strcmp(type->path, "sensor");
    snprintf(path, sizeof path, "%s%s%s", type->path, sensor ? "/" : "", sensor ? element->tag : "");
    return isListed(names->where, path);
}

// By its parent, or by the parent of that, too.
static bool isElementOf(const char* list, const snElement* element)
{
    char path[PATH_SIZE], longer[2 * PATH_SIZE];
    const snElement* parent = element->parent;
    if (!parent) return false;
    snprintf(path, sizeof path, "%s/%s", parent->tag, element->tag);
    if (isListed(list, path)) return true;
    if (!parent->parent) return false;
    snprintf(longer, sizeof longer, "%s/%s", parent->parent->tag, path);
    return isListed(list, longer);
}

bool sn_isNewerElement(const snElement* element)
{
    return isElementOf(elements, element);
}

bool sn_isReadNewer(const snElement* element)
{
    return isElementOf(read_elements, element);
}

bool sn_isNewerAttribute(const snElement* element, const char* attribute)
{
    for (int i = 0; i < (int)(sizeof attributes / sizeof *attributes); i++)
        if (isOf(&attributes[i], element, attribute)) return true;
    return false;
}

bool sn_isNewerLook(const snElement* element, const char* attribute)
{
    for (int i = 0; i < (int)(sizeof looks / sizeof *looks); i++)
        if (isOf(&looks[i], element, attribute)) return true;
    return false;
}

bool sn_isNewerWord(const snElement* element, const char* attribute, const char* word, size_t length)
{
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        if (isOf(&words[i].of, element, attribute))
            for (const char* at = words[i].words; (at = strchr(at, ' ')) && *++at;)
                if (!strncmp(at, word, length) && at[length] == ' ') return true;
    return false;
}

bool sn_isNewerCount(const snElement* element, const char* attribute, const char* text)
{
    static const char space[] = " \t\n\r";
    int count = 0;
    for (; *(text += strspn(text, space)); text += strcspn(text, space)) count++;
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++)
        if (count <= counts[i].most && isOf(&counts[i].of, element, attribute)) return true;
    return false;
}
