// The face of a mirror at the far end of the depths.
uniform mat4 place;  // of the square from -1 to 1 into the room

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2 - 1;
    gl_Position = view * place * vec4(corner, 0, 1);
    gl_Position.z = eye.w != 0 ? -gl_Position.w : 0;
}
