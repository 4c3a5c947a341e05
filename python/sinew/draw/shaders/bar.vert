#version 330
// Bars of pixels: each instance is a rectangle about a centre line, half as wide as `breadth` to each side of it.

uniform float surface; // pixels that the clip space spans

in vec4 ends; // from x, y to x, y (pixels)
in float breadth;
in vec4 rgba;

flat out vec4 colour;

void main()
{
    vec2 along = ends.zw - ends.xy;
    float size = length(along);
    along = size > 0.0 ? along / size : vec2(1.0, 0.0);
    vec2 across = 0.5 * breadth * vec2(-along.y, along.x);
    // gl_VertexID counts the corners of a strip: bit 0 is the end, bit 1 the side
    vec2 place = (gl_VertexID & 1) == 0 ? ends.xy : ends.zw;
    place += (gl_VertexID & 2) == 0 ? across : -across;
    colour = rgba;
    gl_Position = vec4(2.0 * place / surface - 1.0, 0.0, 1.0);
}
