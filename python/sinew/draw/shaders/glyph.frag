#version 330

uniform sampler2D atlas; // red: how much of a texel is ink; green: how much is ink or edge

flat in vec2 shift;
flat in vec4 colour;

out vec4 fragment;

void main()
{
    vec2 cover = texelFetch(atlas, ivec2(floor(gl_FragCoord.xy + shift)), 0).rg;
    fragment = vec4(colour.rgb, mix(cover.r, cover.g, colour.a));
}
