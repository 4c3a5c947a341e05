#version 330
// Characters: each instance is a rectangle of pixels that shows a rectangle of the atlas of the same size.

uniform float surface; // pixels that the clip space spans

in vec4 place; // left, bottom, width, height (pixels)
in vec2 source; // left and lower side in the atlas (texels)
in vec4 tint; // red, green, blue; 1: the edge around the ink, too

flat out vec2 shift; // from pixels to texels
flat out vec4 colour;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID & 2) >> 1);
    shift = source - place.xy;
    colour = tint;
    gl_Position = vec4(2.0 * (place.xy + corner * place.zw) / surface - 1.0, 0.0, 1.0);
}
