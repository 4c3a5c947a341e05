#version 330 core
// Lights as the fixed pipeline has them, for each pixel.
const int LIGHTS = 8;
struct Light {
    vec4 position;     // w 0: directional, xyz towards the light
    vec3 direction;
    vec3 ambient;
    vec3 diffuse;
    vec3 specular;
    vec3 attenuation;
    float cutoff;      // cosine; -1: no cone
    float exponent;
};
uniform Light lights[LIGHTS];
uniform int nlight;
uniform vec3 eye;

in vec3 world;
in vec3 normal;
flat in vec4 colour;
flat in vec4 look;
out vec4 pixel;

vec3 lit(Light light, vec3 n, vec3 towards_eye)
{
    vec3 way = light.position.xyz - world * light.position.w;
    float distance = length(way);
    vec3 l = way / max(distance, 1e-9);
    float strength = 1;
    if (light.position.w > 0)
        strength = 1 / max(1e-9, dot(light.attenuation, vec3(1, distance, distance * distance)));
    if (light.cutoff > -1) {
        float along = dot(-l, light.direction);
        strength *= along < light.cutoff ? 0 : pow(max(along, 0), light.exponent);
    }
    float facing = max(dot(n, l), 0);
    vec3 sum = light.ambient * colour.rgb + light.diffuse * colour.rgb * facing;
    if (facing > 0) {
        vec3 h = normalize(l + towards_eye);
        sum += light.specular * look.y * pow(max(dot(n, h), 0), 128 * look.z);
    }
    return strength * sum;
}

void main()
{
    vec3 towards_eye = normalize(eye - world);
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 sum = look.x * colour.rgb;
    for (int i = 0; i < nlight; i++) sum += lit(lights[i], n, towards_eye);
    pixel = vec4(min(sum, vec3(1)), colour.a);
}
