// Any bytes as a model: read, compile, and a few steps of what compiles. Nothing may crash, leak or hang, and
// what fails must say why. The input is the main text; after a byte 0 an asset "a.xml" may follow, for
// includes.
#include <sinew/sinew.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    const uint8_t* split = size ? memchr(bytes, 0, size) : NULL;
    const size_t nmain = split ? (size_t)(split - bytes) : size;
    const snAsset asset = {"a.xml", split ? split + 1 : NULL, split ? size - nmain - 1 : 0};
    snError error = {.status = SN_STATUS_OK};
    snModel* m = sn_loadModelText((const char*)bytes, nmain, &asset, split ? 1 : 0, NULL, &error);
    if (!m) {
        require(error.status != SN_STATUS_OK);
        require(error.message[0] && memchr(error.message, 0, sizeof error.message) != NULL);
        return 0;
    }
    require(sn_validateModel(m, &error) == SN_STATUS_OK);
    if (m->narena > (size_t)1 << 26) m->narena = (size_t)1 << 26;
    if (m->nv < 200 && m->ngeom < 200) {
        snData* d = sn_makeData(m);
        for (int i = 0; d && i < 3; i++) sn_step(m, d);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
    return 0;
}

// Mutations that keep the text well formed, so that most inputs come past the XML parser.

static unsigned pick(unsigned* seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (unsigned)((*seed >> 8) % (below ? below : 1));
}

// Replaces data[at, at + old) by text; the new size, or 0 when it does not fit.
static size_t splice(uint8_t* data, size_t size, size_t max_size, size_t at, size_t old, const char* text,
                     size_t n)
{
    if (size - old + n > max_size) return 0;
    memmove(data + at + n, data + at + old, size - at - old);
    memcpy(data + at, text, n);
    return size - old + n;
}

// Another value for a random attribute.
static size_t changeValue(uint8_t* data, size_t size, size_t max_size, unsigned* seed)
{
    static const char* const values[] = {
        "0",     "1",          "-1",     "2",       "0.5",       "1e-8",        "1e-20",         "1e10",
        "1e30",  "1e308",      "-1e308", "0 0",     "1 -1",      "-1 1",        "0 0 0",         "0 0 1",
        "1 2 3", "1e-300 0 0", "inf",    "0 1 2 3", "1 0 0 0",   "0 0 0 0 0 1", "1 1 1 1 1 1 1", "true",
        "false", "auto",       "box",    "capsule", "ellipsoid", "cylinder",    "plane",         "free",
        "ball",  "slide",      "hinge",  "main",    "a",         "torso",       "world",         ""};
    size_t quotes = 0;
    for (size_t i = 0; i < size; i++) quotes += data[i] == '"';
    if (quotes < 2) return 0;
    size_t skip = 2 * (size_t)pick(seed, quotes / 2), i = 0;
    for (;; i++)
        if (data[i] == '"' && skip-- == 0) break;
    const uint8_t* close = memchr(data + i + 1, '"', size - i - 1);
    if (!close) return 0;
    const char* value = values[pick(seed, sizeof values / sizeof values[0])];
    return splice(data, size, max_size, i + 1, (size_t)(close - data) - i - 1, value, strlen(value));
}

// Finds a random element without children, "<.../>"; its length, or 0.
static size_t findElement(const uint8_t* data, size_t size, unsigned* seed, size_t* at)
{
    size_t count = 0, length = 0;
    *at = 0;
    for (size_t i = 0, open = 0; i + 1 < size; i++) {
        if (data[i] == '<') open = i;
        if (data[i] == '/' && data[i + 1] == '>' && pick(seed, ++count) == 0) { // each with equal chance
            *at = open;
            length = i + 2 - open;
        }
    }
    return length;
}

static size_t copyElement(uint8_t* data, size_t size, size_t max_size, unsigned* seed)
{
    char text[512];
    size_t from, to;
    const size_t n = findElement(data, size, seed, &from);
    if (!n || n > sizeof text || !findElement(data, size, seed, &to)) return 0;
    memcpy(text, data + from, n);
    return splice(data, size, max_size, to, 0, text, n);
}

static size_t dropElement(uint8_t* data, size_t size, size_t max_size, unsigned* seed)
{
    size_t at;
    const size_t n = findElement(data, size, seed, &at);
    return n ? splice(data, size, max_size, at, n, "", 0) : 0;
}

// An element of another model text that is known to be good.
static size_t addElement(uint8_t* data, size_t size, size_t max_size, unsigned* seed)
{
    static const char* const elements[] = {
        "<geom size=\"0.1\"/>",
        "<geom type=\"box\" size=\"0.1 0.2 0.3\"/>",
        "<geom type=\"plane\" size=\"1 1 1\"/>",
        "<geom fromto=\"0 0 0 0 0 1\" type=\"capsule\" size=\"0.1\"/>",
        "<geom type=\"cylinder\" size=\"0.1 0.2\"/>",
        "<geom type=\"ellipsoid\" size=\"0.1 0.2 0.3\" mass=\"0\"/>",
        "<joint/>",
        "<joint type=\"ball\" range=\"0 1\"/>",
        "<joint type=\"slide\" frictionloss=\"1\"/>",
        "<freejoint/>",
        "<body><joint name=\"a\"/><geom size=\"1\"/></body>",
        "<body mocap=\"true\"/>",
        "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>",
        "<site name=\"a\"/>",
        "<camera mode=\"targetbody\" target=\"torso\"/>",
        "<frame euler=\"1 2 3\"><geom size=\"1\"/></frame>",
        "<motor joint=\"a\"/>",
        "<position joint=\"a\" dampratio=\"1\"/>",
        "<gyro site=\"a\"/>",
        "<touch site=\"imu\"/>",
        "<key/>",
        "<exclude body1=\"world\" body2=\"torso\"/>",
        "<include file=\"a.xml\"/>",
        "<subtreelinvel body=\"torso\"/>",
        "<jointlimitfrc joint=\"a\"/>",
        "<composite type=\"cable\" count=\"4\" curve=\"s\"><geom type=\"capsule\""
        " size=\".1\"/></composite>",
        "<composite type=\"cable\" vertex=\"0 0 0 1 0 0 1 1 0 2 2 2\"><joint kind"
        "=\"main\"/><geom type=\"box\" size=\".1 .1 .1\"/></composite>",
        "<equality><weld body1=\"torso\"/></equality>",
        "<equality><joint joint1=\"a\"/></equality>",
        "<equality><connect body1=\"torso\" anchor=\"0 0 1\"/></equality>",
        "<equality><weld site1=\"a\" site2=\"imu\"/></equality>"};
    size_t at;
    if (!findElement(data, size, seed, &at)) return 0;
    const char* text = elements[pick(seed, sizeof elements / sizeof elements[0])];
    return splice(data, size, max_size, at, 0, text, strlen(text));
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    size_t grown = 0;
    switch (pick(&seed, 8)) {
    case 0:
    case 1:
    case 2: grown = changeValue(data, size, max_size, &seed); break;
    case 3: grown = copyElement(data, size, max_size, &seed); break;
    case 4: grown = dropElement(data, size, max_size, &seed); break;
    case 5:
    case 6: grown = addElement(data, size, max_size, &seed); break;
    default: break;
    }
    return grown ? grown : LLVMFuzzerMutate(data, size, max_size);
}
