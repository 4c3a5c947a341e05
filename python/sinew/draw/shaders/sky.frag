#if SKY
uniform samplerCube image;
#else
uniform vec3 colour;
#endif

in vec3 direction;
in float distance;
in float cover;
out vec4 pixel;

void main()
{
#if SKY
    pixel = vec4(texture(image, direction).rgb, 1);
#else
    pixel = vec4(colour, cover);
#endif
#if FOG
    pixel.rgb = fogged(pixel.rgb, distance);
#endif
}
