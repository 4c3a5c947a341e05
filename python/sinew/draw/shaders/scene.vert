#version 330 core
// Geoms: one shape many times. LIGHT_COUNT: lights that shine. TEXTURE: 1 a picture, 2 a cube. CLIPPED: what is
// behind the plane of a mirror is left out.
layout(location = 0) in vec4 v_position;  // w: how much z moves by the half length
layout(location = 1) in vec3 v_normal;
layout(location = 2) in vec2 v_texcoord;
layout(location = 3) in vec4 g_x;         // rows of the pose
layout(location = 4) in vec4 g_y;
layout(location = 5) in vec4 g_z;
layout(location = 6) in vec4 g_scale;     // w: half length
layout(location = 7) in vec4 g_colour;
layout(location = 8) in vec4 g_look;      // emission, specular, shininess, reflectance
layout(location = 9) in vec4 g_texture;   // scale; w: of 0 the shape of size 1, 1 the scaled one, 2 own coordinates
layout(location = 10) in vec4 g_texture2;
layout(location = 11) in int g_segid;

out vec3 world;
out vec3 normal;
flat out vec4 colour;
flat out vec4 look;
#if TEXTURE
out vec3 texel;

vec3 find_texel(vec3 local)
{
    vec3 point = g_texture.w == 0 ? vec3(v_position.xy, v_position.z + v_position.w) : local;
    point *= g_texture.xyz;
#if TEXTURE == 2
    return point;
#else
    return g_texture.w == 2 ? vec3(v_texcoord, 0) : point - 0.5;
#endif
}
#endif

void main()
{
    vec3 local = v_position.xyz * g_scale.xyz + vec3(0, 0, v_position.w * g_scale.w);
    world = vec3(dot(g_x, vec4(local, 1)), dot(g_y, vec4(local, 1)), dot(g_z, vec4(local, 1)));
    vec3 n = v_normal / g_scale.xyz;
    normal = vec3(dot(g_x.xyz, n), dot(g_y.xyz, n), dot(g_z.xyz, n));
    colour = g_colour;
    look = g_look;
#if TEXTURE
    texel = find_texel(local);
#endif
#ifdef CLIPPED
    gl_ClipDistance[0] = dot(mirror, vec4(world, 1));
#endif
    gl_Position = view * vec4(world, 1);
    if (eye.w != 0) gl_Position.z = 2 * gl_Position.z - gl_Position.w;
}
