// The sky, a cylinder about the eye; or haze before it, a ring over a plane.
layout(location = 0) in vec4 v_position;  // w: how much haze covers
uniform mat4 place;                       // into the room

out vec3 direction;
out float distance;
out float cover;

void main()
{
    vec4 at = place * vec4(v_position.xyz, 1);
    distance = ahead(at.xyz);
    direction = v_position.xzy * vec3(1, 1, -1);  // cubes of skies have y up
    cover = v_position.w;
    gl_Position = seen(at.xyz);
}
