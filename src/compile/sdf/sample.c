// Signed distances of points to a shell.
#include "compile/sdf/side.h"

// Of the part of the surface on which the nearest point lies: of a triangle its own, of an edge the sum of
// both, of a corner the sum of all around it by their angles. With these the sign is right everywhere
// (Baerentzen and Aanaes 2005).
static snVec3 normalOf(const snShell* s, const snNearest* near)
{
    const size_t side = 3 * (size_t)near->face;
    switch (near->part) {
    case SN_PART_FACE: break;
    case SN_PART_EDGE0:
    case SN_PART_EDGE1:
    case SN_PART_EDGE2: {
        const int other = s->neighbour[side + (size_t)(near->part - SN_PART_EDGE0)];
        return other < 0 ? s->normal[near->face] : sn_v3Add(s->normal[near->face], s->normal[other]);
    }
    case SN_PART_CORNER0:
    case SN_PART_CORNER1:
    case SN_PART_CORNER2: return s->cornerNormal[s->corner[side + (size_t)(near->part - SN_PART_CORNER0)]];
    }
    return s->normal[near->face];
}

static bool isInside(const snShell* shell, snVec3 p, snVec3 off, snVec3 normal, int64_t* visits)
{
    const real outwards = shell->inverted ? -1 : 1;
    if (shell->winding) return outwards * sn_windingNumber(shell, p, visits) > 0.5;
    return outwards * sn_v3Dot(off, normal) < 0;
}

// Where the side is to be found out, the nearest triangle has to be the very one: those of a thin wall are
// nearly as near.
snSample sn_sampleShell(const snShell* shell, snVec3 p, const snClue* clue, int64_t* visits)
{
    const snNearest near =
        sn_nearestByDiscs(&shell->t, shell->discs, p, clue->hint, clue->side ? clue->slack : 0, visits);
    const snVec3 off = sn_v3Sub(p, near.point), normal = normalOf(shell, &near);
    const bool inside = clue->side ? clue->side < 0 : isInside(shell, p, off, normal, visits);
    const real distance = sqrt(near.square);
    snVec3 gradient = sn_v3Scale(off, inside ? -1 : 1);
    if (!(distance > 1e-12)) gradient = sn_v3Scale(normal, shell->inverted ? -1 : 1);
    gradient = sn_v3Normalize(gradient);
    return (snSample){.distance = inside ? -distance : distance,
                      .gradient = {(float)gradient.x, (float)gradient.y, (float)gradient.z},
                      .face = near.face};
}
