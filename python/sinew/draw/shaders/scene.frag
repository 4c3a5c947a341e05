// Light of the vertices, less shadows.
in VERTEX at;
#if SHADOW_LIGHTS
uniform sampler2DShadow shadow_map[SHADOW_LIGHTS];
#endif
#if TEXTURE == 1
uniform sampler2D image;
#elif TEXTURE == 2
uniform samplerCube image;
#endif
out vec4 pixel;

void main()
{
    vec3 sum = at.base;
#if SHADOW_LIGHTS
    for (int i = 0; i < SHADOW_LIGHTS; i++) sum += at.shade[i] * textureProj(shadow_map[i], at.shadow_at[i]);
#endif
    pixel = vec4(sum, at.alpha);
#if TEXTURE == 1
    pixel *= texture(image, at.texel.xy);
#elif TEXTURE == 2
    pixel *= texture(image, at.texel);
#endif
#if FOG
    pixel.rgb = fogged(min(pixel.rgb, vec3(1)), at.distance);
#endif
}
