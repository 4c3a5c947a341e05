#version 330 core
// Pixels of arrays; masks say which of colour and depth is written.
uniform sampler2D colours;
uniform sampler2D depths;
uniform ivec2 corner;  // of the rectangle in the frame buffer

out vec4 pixel;

void main()
{
    ivec2 place = ivec2(floor(gl_FragCoord.xy)) - corner;
    pixel = vec4(texelFetch(colours, place, 0).rgb, 1);
    gl_FragDepth = texelFetch(depths, place, 0).r;
}
