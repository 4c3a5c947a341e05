// The plugin mujoco.sensor.touch_grid: forces of contacts by the direction in which a site sees them. Source:
// seed 001, "Plugins".
//
// The site looks along -z. A contact of its body, or of one that is welded to that, stands at the azimuth
// atan2(x, -z) and the elevation atan2(y, |x, z|). `size` bins divide the angles within -fov to fov each way,
// at fov (gamma t^5 + (1 - gamma) t) for t in equal parts of -1 to 1: towards the middle they are smaller the
// larger gamma is. A bin has the sum of what its contacts give the second of their bodies, negated: force
// along z, x and y of the site, then torque. Block by channel, row by elevation, along it azimuth.
#include <limits.h>
#include <math.h>
#include <sinew/support.h>
#include "base/error.h"
#include "math/vec.h"
#include "model/contact.h"
#include "model/plugin/builtin.h"
#include "model/plugin/config.h"

enum { NCHANNEL, SIZE, FOV = SIZE + 2, GAMMA = FOV + 2, NNUMBER };

static const char* const keys[] = {"nchannel", "size", "fov", "gamma"};

static bool refuse(snError* error, const char* text)
{
    sn_fail(error, SN_STATUS_MODEL, "%s", text);
    return false;
}

static bool parse(const char* const* values, double* numbers, void* user, snError* error)
{
    (void)user;
    double* fov = numbers + FOV;
    numbers[NCHANNEL] = 1;
    if (!values[1] || !values[2])
        return refuse(error, "size=\"COLUMNS ROWS\" and fov=\"DEGREES DEGREES\" are needed");
    if (!sn_configInts("nchannel", values[0], numbers + NCHANNEL, 1, 0, 6, error) ||
        !sn_configInts("size", values[1], numbers + SIZE, 2, 1, SN_MAXPLUGINSIZE, error) ||
        !sn_configReals("fov", values[2], fov, 2, error) ||
        !sn_configReals("gamma", values[3], numbers + GAMMA, 1, error))
        return false;
    if (!(fov[0] > 0 && fov[0] <= 180 && fov[1] > 0 && fov[1] <= 90))
        return refuse(error, "fov: must be above 0, up to 180 across and up to 90 up and down");
    if (!(numbers[GAMMA] >= 0 && numbers[GAMMA] <= 1)) return refuse(error, "gamma: must be from 0 to 1");
    if (numbers[NCHANNEL] < 1) numbers[NCHANNEL] = 1;
    for (int k = 0; k < 2; k++) fov[k] *= SN_PI / 180;
    return true;
}

static int sensor_size(const snModel* m, int instance, int sensor, void* user, snError* error)
{
    (void)user;
    const double *n = sn_pluginNumbers(m, instance), count = n[NCHANNEL] * n[SIZE] * n[SIZE + 1];
    if (m->sensor_objtype[sensor] != SN_OBJ_SITE) {
        refuse(error, "it must be attached to a site: objtype=\"site\" objname=\"...\"");
        return -1;
    }
    return count < INT_MAX ? (int)count : INT_MAX;
}

// An edge between bins, t from -1 to 1.
static double edgeAt(double t, double fov, double gamma)
{
    return fov * (gamma * t * t * t * t * t + (1 - gamma) * t);
}

// The bin of an angle, to which its upper edge belongs; -1: outside. t goes in steps, as the peer's: to which
// side of an edge the middle belongs hangs on their rounding.
static int binOf(double angle, double fov, double gamma, int count)
{
    double t = -1;
    if (!(angle > edgeAt(t, fov, gamma))) return -1;
    for (int bin = 0; bin < count; bin++) {
        t += 2. / count;
        if (angle <= edgeAt(t, fov, gamma)) return bin;
    }
    return -1;
}

// The bin of a point in the frame of a site among those of a channel; -1: none.
static int binAt(const double* numbers, snVec3 p)
{
    const int columns = (int)numbers[SIZE], rows = (int)numbers[SIZE + 1];
    const double azimuth = sn_atan2(p.x, -p.z), elevation = sn_atan2(p.y, sqrt(p.x * p.x + p.z * p.z));
    const int column = binOf(azimuth, numbers[FOV], numbers[GAMMA], columns);
    const int row = binOf(elevation, numbers[FOV + 1], numbers[GAMMA], rows);
    return column < 0 || row < 0 ? -1 : row * columns + column;
}

// Adds a contact to the bins of a sensor.
static void addContact(const snModel* m, const snData* d, int contact, int sensor, const double* numbers)
{
    const snContact* con = d->contact + contact;
    const int site = m->sensor_objid[sensor];
    const size_t cells = (size_t)numbers[SIZE] * (size_t)numbers[SIZE + 1];
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site), frame = sn_m3Load(con->frame);
    const snVec3 p = sn_m3TMul(R, sn_v3Sub(sn_v3Load(con->pos), sn_v3Load(d->site_xpos + 3 * site)));
    const int bin = binAt(numbers, p);
    if (bin < 0) return;
    double wrench[6];
    sn_contactForce(m, d, contact, wrench);
    double* out = d->sensordata + m->sensor_adr[sensor] + bin;
    for (int k = 0; k < (int)numbers[NCHANNEL]; k++, out += cells) {
        const snVec3 part = sn_m3TMul(R, sn_m3TMul(frame, sn_v3Load(wrench + (k < 3 ? 0 : 3))));
        *out -= k % 3 == 0 ? part.z : k % 3 == 1 ? part.x : part.y;
    }
}

static void measure(const snModel* m, snData* d, int sensor, const double* numbers)
{
    const int weld = m->body_weldid[m->site_bodyid[m->sensor_objid[sensor]]];
    memset(d->sensordata + m->sensor_adr[sensor], 0, (size_t)m->sensor_dim[sensor] * sizeof *d->sensordata);
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        if (con->efc_address < 0) continue; // without a force
        for (int side = 0; side < 2; side++)
            if (m->body_weldid[sn_sideBody(m, con, side)] == weld) {
                addContact(m, d, c, sensor, numbers);
                break;
            }
    }
}

static bool sensor(const snModel* m, snData* d, int instance, void* user)
{
    (void)user;
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_plugin[s] == instance) measure(m, d, s, sn_pluginNumbers(m, instance));
    return true;
}

const snPlugin sn_pluginTouchGrid = {
    .size = sizeof sn_pluginTouchGrid,
    .name = "mujoco.sensor.touch_grid",
    .attributes = keys,
    .nattribute = sizeof keys / sizeof *keys,
    .nnumber = NNUMBER,
    .parse = parse,
    .sensor_size = sensor_size,
    .sensor_stage = SN_STAGE_ACC,
    .sensor = sensor,
};
