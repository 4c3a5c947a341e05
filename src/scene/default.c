// Defaults of what a view is made of.
#include <sinew/scene.h>
#include <string.h>
#include <sinew/scalar.h>

void snv_defaultCamera(snvCamera* cam)
{
    *cam = (snvCamera){.type = SN_CAMERA_FREE,
                       .fixedcamid = -1,
                       .trackbodyid = -1,
                       .distance = 2,
                       .azimuth = 90,
                       .elevation = -45};
}

void snv_defaultFreeCamera(const snModel* m, snvCamera* cam)
{
    snv_defaultCamera(cam);
    memcpy(cam->lookat, m->stat.center, sizeof cam->lookat);
    cam->distance = 1.5 * m->stat.extent;
    cam->azimuth = (double)m->vis.global.azimuth;
    cam->elevation = (double)m->vis.global.elevation;
    cam->orthographic = m->vis.global.orthographic;
}

void snv_defaultPerturb(snvPerturb* pert)
{
    *pert = (snvPerturb){.flexselect = -1, .skinselect = -1, .refquat = {1}, .scale = 1};
}

void snv_defaultOption(snvOption* opt)
{
    *opt = (snvOption){.bvh_depth = 1};
    uint8_t* groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                         opt->actuatorgroup, opt->flexgroup, opt->skingroup};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (int k = 0; k < 3; k++) groups[i][k] = 1;
#define X(name, value, label, initial, key, meaning) opt->flags[value] = initial;
    SN_VISFLAG_TABLE(X)
#undef X
}

// Colours of lines: eight that are told apart easily, then others that are not dark.
static void colourLine(int line, float rgb[3])
{
    static const float first[8][3] = {{1, 0.3f, 0.3f}, {0.1f, 1, 0.1f}, {0.3f, 0.3f, 1}, {0.1f, 1, 1},
                                      {1, 0.2f, 1},    {1, 1, 0.1f},    {1, 0.6f, 0.2f}, {0.6f, 0.7f, 0.4f}};
    static const int bases[3] = {2, 3, 5};
    for (int k = 0; k < 3; k++)
        rgb[k] = line < 8 ? first[line][k] : (float)((double)0.1f + (double)0.8f * sn_Halton(line, bases[k]));
}

void snv_defaultFigure(snvFigure* figure)
{
    memset(figure, 0, sizeof *figure);
    figure->flg_legend = figure->flg_extend = 1;
    figure->flg_ticklabel[0] = figure->flg_ticklabel[1] = 1;
    figure->linewidth = 3;
    figure->gridwidth = 1;
    figure->gridsize[0] = figure->gridsize[1] = 2;
    figure->figurergba[3] = figure->panergba[3] = 1;
    figure->legendrgba[3] = 0.3f;
    for (int k = 0; k < 3; k++) {
        figure->gridrgb[k] = 0.4f;
        figure->textrgb[k] = 1;
    }
    for (int line = 0; line < SN_MAXLINE; line++) colourLine(line, figure->linergb + 3 * line);
    figure->range[1] = figure->range[3] = 1;
    strcpy(figure->xformat, "%.0f");
    strcpy(figure->yformat, "%.2g");
    strcpy(figure->minwidth, "XXX");
    figure->highlightid = -1;
}
