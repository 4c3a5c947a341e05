// The smaller sizes of a texture, which a picture takes texels from where they are finer than its pixels. The
// rasteriser of processors takes longer to compile what would make them than this takes.
#include <math.h>
#include "scene/scene.h"

enum { START = 1024 };

// What bytes stand for, from 0 to 255 where they are light themselves, and the way back.
typedef struct Light {
    float of[256];
    float above[256];     // from here on light is that of the next byte, or a later one
    uint8_t start[START]; // no byte below it has light of n / START and more
} Light;

static float lightOf(double byte)
{
    const double c = byte / 255;
    return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)); // IEC 61966-2-1
}

static void fillLight(Light* light)
{
    for (int k = 0; k < 256; k++) {
        light->of[k] = lightOf(k);
        light->above[k] = k < 255 ? lightOf(k + 0.5) : INFINITY;
    }
    for (int n = 0, k = 0; n < START; n++) {
        while (light->above[k] <= (float)n / START) k++;
        light->start[n] = (uint8_t)k;
    }
}

static uint8_t byteOf(const Light* light, float x)
{
    const int n = (int)(x * START);
    int k = light->start[n < START ? n : START - 1];
    while (light->above[k] <= x) k++;
    return (uint8_t)k;
}

// Where the middle of texel i of `count` lies among `from` texels: between one and the next of them.
typedef struct Place {
    int first, second;
    float share; // of the second
} Place;

static Place placeOf(int i, int count, int from)
{
    const double at = (i + 0.5) * from / count - 0.5, below = floor(at > 0 ? at : 0);
    const int first = (int)below, last = from - 1;
    return (Place){first, first < last ? first + 1 : last, at > 0 ? (float)(at - below) : 0};
}

static int halfOf(int size)
{
    return size > 1 ? size / 2 : 1;
}

typedef struct Texels {
    int width, height, channels;
    const Light* light; // NULL: bytes are light themselves
} Texels;

// Work, for the largest of them.
typedef struct Room {
    float* row;
    Place* column;
} Room;

static float lightAt(const Texels* t, int channel, uint8_t byte)
{
    return t->light && channel < 3 ? t->light->of[byte] : byte; // opacity is what it is
}

static uint8_t texelOf(const Texels* t, int channel, float x)
{
    return t->light && channel < 3 ? byteOf(t->light, x) : (uint8_t)(x + 0.5f);
}

// Between two rows of texels, as light.
static void mixRows(const Texels* t, const uint8_t* a, const uint8_t* b, float share, float* row)
{
    const int count = t->width * t->channels;
    if (!t->light) {
        for (int k = 0; k < count; k++) row[k] = (1 - share) * a[k] + share * b[k];
        return;
    }
    for (int k = 0, channel = 0; k < count; k++, channel = channel + 1 < t->channels ? channel + 1 : 0)
        row[k] = (1 - share) * lightAt(t, channel, a[k]) + share * lightAt(t, channel, b[k]);
}

// Texels of half the width and height.
static void makeSmaller(const Texels* t, const uint8_t* texels, const Room* room, uint8_t* to)
{
    const int width = halfOf(t->width), height = halfOf(t->height), channels = t->channels;
    const size_t stride = (size_t)t->width * (size_t)channels;
    for (int x = 0; x < width; x++) room->column[x] = placeOf(x, width, t->width);
    for (int y = 0; y < height; y++) {
        const Place p = placeOf(y, height, t->height);
        mixRows(t, texels + (size_t)p.first * stride, texels + (size_t)p.second * stride, p.share, room->row);
        for (int x = 0; x < width; x++) {
            const Place q = room->column[x];
            const float *a = room->row + q.first * channels, *b = room->row + q.second * channels;
            for (int c = 0; c < channels; c++) *to++ = texelOf(t, c, (1 - q.share) * a[c] + q.share * b[c]);
        }
    }
}

static size_t bytesOf(const Texels* t)
{
    return (size_t)t->width * (size_t)t->height * (size_t)t->channels;
}

static Texels smaller(const Texels* t)
{
    return (Texels){halfOf(t->width), halfOf(t->height), t->channels, t->light};
}

static bool isLast(const Texels* t)
{
    return t->width == 1 && t->height == 1;
}

static void makeAll(Texels t, const uint8_t* from, const Room* room, uint8_t* to)
{
    while (!isLast(&t)) {
        makeSmaller(&t, from, room, to);
        t = smaller(&t);
        from = to;
        to += bytesOf(&t);
    }
}

static size_t bytesOfAll(Texels t)
{
    size_t sum = 0;
    while (!isLast(&t)) {
        t = smaller(&t);
        sum += bytesOf(&t);
    }
    return sum;
}

static bool areTexels(const Texels* t, size_t count)
{
    return t->width > 0 && t->height > 0 && t->channels > 0 && t->channels <= 4 &&
           (size_t)t->width <= count / (size_t)t->height && bytesOf(t) == count;
}

// smallerTextures(texels, width, height, channels, linear)
static PyObject* smallerTextures(PyObject* module, PyObject* args)
{
    Light light;
    Texels t;
    int linear;
    Py_buffer texels;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*iiip", &texels, &t.width, &t.height, &t.channels, &linear)) return NULL;
    PyObject* result = NULL;
    Room room = {NULL, NULL};
    if (!areTexels(&t, (size_t)texels.len)) {
        PyErr_Format(PyExc_ValueError, "%zd bytes are not %d x %d texels of %d channels", texels.len, t.width,
                     t.height, t.channels);
        goto end;
    }
    t.light = linear ? NULL : &light;
    if (!linear) fillLight(&light);
    room.row = PyMem_Malloc((size_t)t.width * (size_t)t.channels * sizeof *room.row);
    room.column = PyMem_Malloc((size_t)t.width * sizeof *room.column);
    const bool enough = room.row && room.column;
    result = enough ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)bytesOfAll(t)) : PyErr_NoMemory();
    if (!result) goto end;
    uint8_t* to = (uint8_t*)PyBytes_AsString(result);
    Py_BEGIN_ALLOW_THREADS makeAll(t, texels.buf, &room, to);
    Py_END_ALLOW_THREADS end : PyMem_Free(room.row);
    PyMem_Free(room.column);
    PyBuffer_Release(&texels);
    return result;
}

PyMethodDef mipmap_functions[] = {
    {"smallerTextures", smallerTextures, METH_VARARGS,
     "smallerTextures(texels, width, height, channels, linear): bytes of a half, a quarter, ... to one "
     "texel."},
    {NULL, NULL, 0, NULL},
};
