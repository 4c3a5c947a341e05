#version 330 core
// One triangle over the whole viewport.
void main()
{
    vec2 corner = vec2(gl_VertexID == 1, gl_VertexID == 2);
    gl_Position = vec4(4 * corner - 1, 0, 1);
}
