#version 330 core
// Geoms: one mesh a shape, one instance a geom.
in vec3 v_position;
in vec3 v_normal;
in vec2 v_texcoord;
in float v_shift;

in vec3 g_position;
in mat3 g_frame;    // rows of the frame's matrix: columns of its transpose
in vec3 g_scale;
in float g_shift;
in vec4 g_colour;
in vec4 g_look;     // emission, specular, shininess, reflectance

uniform mat4 view;  // room to clip space, depth reversed from 1 at the near plane to 0
uniform bool depth_is_whole;  // clip space has depth from -w to w

out vec3 world;
out vec3 normal;
flat out vec4 colour;
flat out vec4 look;

void main()
{
    mat3 frame = transpose(g_frame);
    vec3 local = v_position * g_scale + vec3(0, 0, v_shift * g_shift);
    world = frame * local + g_position;
    normal = frame * (v_normal / g_scale);
    colour = g_colour;
    look = g_look;
    gl_Position = view * vec4(world, 1);
    if (depth_is_whole) gl_Position.z = 2 * gl_Position.z - gl_Position.w;
}
