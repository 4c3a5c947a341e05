// Light of the vertices, less shadows.
#if DEPTH_ONLY
void main() {}
#else
in VERTEX at;
out vec4 pixel;
SHADOW_MAPS

void main()
{
    vec3 sum = at.base SHADOWED_SUM;
    pixel = vec4(sum, at.alpha);
}
#endif
