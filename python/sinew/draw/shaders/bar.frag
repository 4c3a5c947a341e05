#version 330

flat in vec4 colour;

out vec4 fragment;

void main()
{
    fragment = colour;
}
