// What all shaders know of a picture.
layout(std140) uniform Eye {
    mat4 view;     // room to clip space, depth reversed from 1 at the near plane to 0
    vec4 eye;      // position; w: clip space has depth from -w to w
    vec4 forward;  // along the axis of sight; w: what colours of surfaces are multiplied with
    vec4 window;   // width, height in pixels; width of lines
    vec4 ambient;  // light from nowhere
    vec4 mirror;   // CLIPPED: points with dot(mirror, (x, y, z, 1)) < 0 are left out
    vec4 fog;      // colour; w: 1 with fog
    vec4 depths;   // where fog begins, where nothing else is seen
};
