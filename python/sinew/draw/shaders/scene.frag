// Light of the vertices, less shadows.
#if DEPTH_ONLY
void main() {}
#else
in VERTEX at;
#if TEXTURE == 1
uniform sampler2D image;
#elif TEXTURE == 2
uniform samplerCube image;
#endif
out vec4 pixel;
SHADOW_MAPS

void main()
{
    vec3 sum = at.base SHADOWED_SUM;
    pixel = vec4(sum, at.alpha);
#if TEXTURE == 1
    pixel *= texture(image, at.texel);
#elif TEXTURE == 2
    pixel *= texture(image, at.texel);
#endif
#if FOG
    pixel.rgb = fogged(min(pixel.rgb, vec3(1)), at.distance);
#endif
}
#endif
