#version 330 core
// Lights as the fixed pipeline has them, for each pixel.
#ifndef LIGHT_COUNT
#define LIGHT_COUNT 0
#endif
struct Light {
    vec4 position;     // w 0: directional, xyz towards the light
    vec4 direction;    // w: cosine of the cutoff; below -1: no cone
    vec4 ambient;      // w: exponent
    vec4 diffuse;      // w: attenuation, constant
    vec4 specular;     // w: attenuation, linear
};
layout(std140) uniform Lights { Light lights[8]; };
in vec3 world;
in vec3 normal;
flat in vec4 colour;
flat in vec4 look;
#if TEXTURE == 1
in vec3 texel;
uniform sampler2D image;
#elif TEXTURE == 2
in vec3 texel;
uniform samplerCube image;
#endif
out vec4 pixel;

vec3 lit(Light light, vec3 n, vec3 towards_eye)
{
    vec3 way = light.position.xyz - world * light.position.w;
    float distance = length(way);
    vec3 l = way / max(distance, 1e-9);
    float strength = 1;
    if (light.position.w > 0)
        strength = 1 / max(1e-9, light.diffuse.w + light.specular.w * distance);
    if (light.direction.w > -1) {
        float along = dot(-l, light.direction.xyz);
        strength *= along < light.direction.w ? 0 : pow(max(along, 0), light.ambient.w);
    }
    float facing = max(dot(n, l), 0);
    vec3 sum = (light.ambient.rgb + light.diffuse.rgb * facing) * colour.rgb * forward.w;
    if (facing > 0) {
        vec3 h = normalize(l + towards_eye);
        sum += light.specular.rgb * look.y * pow(max(dot(n, h), 0), 128 * look.z);
    }
    return strength * sum;
}

void main()
{
    vec3 towards_eye = normalize(eye.xyz - world);
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 sum = look.x * colour.rgb * forward.w;
    for (int i = 0; i < LIGHT_COUNT; i++) sum += lit(lights[i], n, towards_eye);
    pixel = vec4(min(sum, vec3(1)), colour.a);
#if TEXTURE == 1
    pixel *= texture(image, texel.xy);
#elif TEXTURE == 2
    pixel *= texture(image, texel);
#endif
    pixel.rgb = fogged(pixel.rgb, world);
}
