// Wires: the sides of each face as lines. CULL: not of faces that look away.
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 16) out;
in VERTEX from[];
out VERTEX to;

void emit(int corner, vec4 position)
{
    to.base = from[corner].base;
    to.alpha = from[corner].alpha;
    TEXTURED_COPY(corner)
    FOGGED_COPY(corner)
#if SHADOW_LIGHTS
    to.shade = from[corner].shade;
    to.shadow_at = from[corner].shadow_at;
#endif
    gl_Position = position;
    EmitVertex();
}

void side(int i, int j)
{
    vec4 a = gl_in[i].gl_Position, b = gl_in[j].gl_Position;
    if (a == b || (a.w <= 0 && b.w <= 0)) return;
    in_front(a, b);
    emit(i, widened(a, b, window.z, -1));
    emit(j, widened(b, a, window.z, 1));
    emit(i, widened(a, b, window.z, 1));
    emit(j, widened(b, a, window.z, -1));
    EndPrimitive();
}

float turn(int i, int j, int k)  // of a triangle seen from the eye
{
    return determinant(mat3(gl_in[i].gl_Position.xyw, gl_in[j].gl_Position.xyw, gl_in[k].gl_Position.xyw));
}

void main()
{
    if (from[0].line != 0) {
        emit(0, gl_in[0].gl_Position);
        emit(1, gl_in[1].gl_Position);
        emit(3, gl_in[3].gl_Position);
        emit(2, gl_in[2].gl_Position);
        EndPrimitive();
        return;
    }
#if CULL
    if (depths.w * turn(0, 1, 3) <= 0 && depths.w * turn(1, 2, 3) <= 0) return;
#endif
    for (int i = 0; i < 4; i++) side(i, (i + 1) % 4);
}
