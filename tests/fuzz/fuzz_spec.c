// A spec under random edits: elements added, attributes set, names changed, parts removed and attached, as
// the bytes say. It must stay a spec: copies equal it, and what compiles is written as text that reads to the
// same model.
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static const char start[] =
    "<mujoco><default><default class='c'><geom "
    "size='.2'/></default></default><worldbody><body name='a' childclass='c'>"
    "<joint name='j'/><geom name='g' size='.1'/><site name='s'/><body "
    "name='b'><freejoint/><geom size='.1'/><site name='r'/></body></body>"
    "</worldbody><deformable><flex name='f' body='a b world' element='0 1 2'><edge "
    "damping='1'/></flex></deformable><tendon><fixed name='t'><joint joint='j' "
    "coef='1'/></fixed></tendon><actuator><motor name='m' joint='j'/>"
    "<position tendon='t'/></actuator><sensor><gyro name='y' "
    "site='s'/><user name='sinew_loop_l' dim='6'/></sensor><keyframe><key/></keyframe>"
    "<custom><text name='sinew_loop_l' data='spherical s r'/><text name='sinew_restitution_g' data='.5'/>"
    "<text name='sinew_maxforce_j' data='9'/></custom></mujoco>";

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static unsigned next(Input* in)
{
    return in->at < in->end ? *in->at++ : 0;
}

// A word out of the input: letters, digits, spaces, up to a byte 0.
static const char* word(Input* in, char text[40])
{
    int n = 0;
    while (n < 39 && in->at < in->end && *in->at) text[n++] = (char)*in->at++;
    if (in->at < in->end) in->at++;
    text[n] = 0;
    return text;
}

// Some element of the tree.
static snElement* pick(Input* in, snSpec* spec)
{
    snElement* e = sn_root(spec);
    for (unsigned steps = next(in); steps > 0 && e; steps--) {
        snElement* following = sn_elementFirst(e) && steps % 3 ? sn_elementFirst(e) : sn_elementNext(e);
        if (!following) break;
        e = following;
    }
    return e;
}

// Writes a model in which something was changed back into its spec; what it says then compiles again.
static void copyBack(Input* in, snSpec* spec)
{
    int count;
    snModel* m = sn_compile(spec, NULL, NULL);
    if (!m) return;
    const snField* fields = sn_modelFields(&count);
    for (unsigned left = next(in) % 4 + 1; left > 0; left--) {
        int rows, columns;
        const int f = (int)(next(in) * 2 + next(in)) % count;
        sn_modelFieldShape(m, f, &rows, &columns);
        if (rows * columns == 0 || strcmp(fields[f].type, "double")) continue;
        double* array = *(double**)((char*)m + fields[f].offset);
        array[next(in) % (unsigned)(rows * columns)] += next(in) / 16.0;
    }
    sn_copyBack(spec, m, NULL, NULL);
    sn_deleteModel(m);
}

static void operate(Input* in, snSpec* spec, const double* numbers)
{
    static const char* const notations[] = {"savecompiled", "savecanonical", "fusestatic", "discardvisual"};
    snPathPoint point;
    switch (next(in) % 9) {
    case 0: sn_fuseStatic(spec, NULL, NULL); break;
    case 1: sn_discardVisual(spec, NULL, NULL); break;
    case 2: sn_dedupAssets(spec, NULL); break;
    case 3: sn_adoptInertial(spec, pick(in, spec), NULL, NULL); break;
    case 4: sn_placeElement(spec, pick(in, spec), next(in) % 2 ? pick(in, spec) : NULL, NULL); break;
    case 5:
        sn_setText(spec, sn_section(spec, "compiler", NULL), notations[next(in) % 4],
                   next(in) % 2 ? "true" : "false", NULL);
        break;
    case 6: copyBack(in, spec); break;
    case 7: sn_setNumbers(spec, pick(in, spec), "pos", numbers, 3, NULL); break;
    default:
        for (int i = 0; sn_pathPoint(spec, pick(in, spec), i, &point) && i < 5; i++) {
        }
        break;
    }
}

static void edit(Input* in, snSpec* spec)
{
    static const char* const tags[] = {"body",     "geom",     "joint",   "freejoint", "site",    "frame",
                                       "motor",    "position", "muscle",  "fixed",     "spatial", "gyro",
                                       "framepos", "default",  "key",     "pair",      "exclude", "weld",
                                       "mesh",     "material", "texture", "inertial",  "camera",  "light"};
    static const char* const sections[] = {"actuator", "sensor",  "asset",      "contact",
                                           "equality", "default", "option/flag"};
    char a[40], b[40] = "";
    const double numbers[4] = {(double)next(in) - 128, next(in) / 16.0, 1e308, 0};
    switch (next(in) % 11) {
    case 0:
    case 1: sn_addElement(spec, pick(in, spec), tags[next(in) % 24], word(in, a), NULL); break;
    case 2: sn_setText(spec, pick(in, spec), word(in, a), word(in, b), NULL); break;
    case 3: sn_setNumbers(spec, pick(in, spec), word(in, a), numbers, (int)(next(in) % 5), NULL); break;
    case 4: sn_removeElement(spec, pick(in, spec), NULL); break;
    case 5: sn_section(spec, sections[next(in) % 7], NULL); break;
    case 6: {
        const snElement* what = next(in) % 2 ? pick(in, spec) : NULL;
        if (next(in) < 64) sn_attach(spec, pick(in, spec), spec, what, word(in, a), NULL, NULL);
        break;
    }
    case 7: {
        static const char* const types[] = {"fixed", "helical", "distance", "revolut"};
        static const char* const keys[] = {NULL, "pitch=1", "length=.5", ""};
        const unsigned kind = next(in);
        sn_addLoop(spec, word(in, a), types[kind % 4], kind & 16 ? "s" : b, kind & 32 ? "r" : word(in, b),
                   keys[kind / 4 % 4], NULL);
        if (kind & 64) sn_setLoops(spec, kind & 128 ? "exact" : word(in, b), NULL);
        if (kind % 3 == 1) sn_setContact(spec, kind & 128 ? "lcp" : NULL, word(in, b), NULL);
        break;
    }
    case 9: operate(in, spec, numbers); break;
    case 10: {
        static const char* const scales[] = {"2", "1 2 3", "0", "1e300", ".5 .5 .5"};
        snElement* frame = pick(in, spec);
        sn_setText(spec, frame, "scale", scales[next(in) % 5], NULL);
        sn_setText(spec, frame, "scaling", next(in) % 2 ? "geometry" : "similar", NULL);
        if (next(in) % 2) sn_setNumbers(spec, frame, "massscale", numbers + 1, 1, NULL);
        break;
    }
    default: {
        snElement* e = pick(in, spec);
        snAttributeInfo info;
        double values[8];
        if (!sn_elementAttribute(e, (int)next(in), &info)) break;
        sn_getNumbers(spec, e, info.name, values, 8);
        sn_getText(spec, e, info.name);
        sn_setText(spec, e, info.name, word(in, b), NULL);
    }
    }
}

static void compare(snSpec* spec)
{
    snError error;
    snSpec* copy = sn_copySpec(spec);
    snModel *m = sn_compile(spec, NULL, &error), *twin = sn_compile(copy, NULL, NULL);
    if (!m != !twin || (m && sn_compareModel(m, twin) != -1)) abort();
    sn_deleteModel(twin);
    sn_deleteSpec(copy);
    size_t length;
    char* text = m ? sn_writeSpec(spec, NULL, &length, NULL, &error) : NULL;
    if (m && !text) abort();
    if (text) {
        twin = sn_loadModelText(text, length, NULL, 0, NULL, &error);
        if (!twin) {
            fprintf(stderr, "%s\n%s\n", text, error.message);
            abort();
        }
        if (twin->nq != m->nq || twin->ngeom != m->ngeom || twin->nu != m->nu) abort();
        sn_deleteModel(twin);
    }
    sn_freeText(text);
    sn_deleteModel(m);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    Input in = {bytes, bytes + size};
    snSpec* spec = sn_loadSpecText(start, sizeof start - 1, NULL, 0, NULL, NULL);
    if (!spec) abort();
    for (int i = 0; i < 40 && in.at < in.end; i++) edit(&in, spec);
    compare(spec);
    sn_deleteSpec(spec);
    return 0;
}
