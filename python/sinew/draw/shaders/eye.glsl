// What all shaders know of a picture.
layout(std140) uniform Eye {
    mat4 view;      // room to clip space, depth reversed from 1 at the near plane to 0
    vec4 eye;       // position; w: clip space has depth from -w to w
    vec4 window;    // width, height in pixels; width of lines; what colours of surfaces are multiplied with
    vec4 ambient;   // light from nowhere; w: what distances in the room are multiplied with
    vec4 clip;      // CLIPPED: points with dot(clip, (x, y, z, 1)) < 0 are left out
    vec4 forward;   // along the axis of sight
    vec4 fog;       // colour
    vec4 depths;    // where fog begins, where it hides all; whether pixels have samples; -1 in a mirror, else 1
};

vec4 seen(vec3 at)
{
    vec4 point = view * vec4(at, 1);
    if (eye.w != 0) point.z = 2 * point.z - point.w;
    return point;
}

// Fog grows evenly with the distance along the axis of sight.
float ahead(vec3 at) { return dot(at - eye.xyz, forward.xyz) * ambient.w; }

vec3 fogged(vec3 colour, float distance)
{
    return mix(fog.rgb, colour, clamp((depths.y - distance) / max(depths.y - depths.x, 1e-9), 0, 1));
}

