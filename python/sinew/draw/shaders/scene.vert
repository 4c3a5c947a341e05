#version 330 core
// Geoms: one shape many times. LIGHT_COUNT: lights that shine.
layout(location = 0) in vec4 v_position;  // w: how much z moves by the half length
layout(location = 1) in vec3 v_normal;
layout(location = 2) in vec2 v_texcoord;
layout(location = 3) in vec4 g_x;         // rows of the pose
layout(location = 4) in vec4 g_y;
layout(location = 5) in vec4 g_z;
layout(location = 6) in vec4 g_scale;     // w: half length
layout(location = 7) in vec4 g_colour;
layout(location = 8) in vec4 g_look;      // emission, specular, shininess, reflectance
layout(location = 9) in vec4 g_texture;
layout(location = 10) in vec4 g_texture2;
layout(location = 11) in int g_segid;

layout(std140) uniform Eye {
    mat4 view;   // room to clip space, depth reversed from 1 at the near plane to 0
    vec4 eye;    // position; w: clip space has depth from -w to w
    vec4 window; // width, height in pixels
    vec4 spare;
};

out vec3 world;
out vec3 normal;
flat out vec4 colour;
flat out vec4 look;

void main()
{
    vec3 local = v_position.xyz * g_scale.xyz + vec3(0, 0, v_position.w * g_scale.w);
    world = vec3(dot(g_x, vec4(local, 1)), dot(g_y, vec4(local, 1)), dot(g_z, vec4(local, 1)));
    vec3 n = v_normal / g_scale.xyz;
    normal = vec3(dot(g_x.xyz, n), dot(g_y.xyz, n), dot(g_z.xyz, n));
    colour = g_colour;
    look = g_look;
    gl_Position = view * vec4(world, 1);
    if (eye.w != 0) gl_Position.z = 2 * gl_Position.z - gl_Position.w;
}
