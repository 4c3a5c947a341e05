// What shaders of a scene share.
struct Light {
    vec4 position;     // w 0: directional, xyz towards the light
    vec4 direction;    // w: cosine of the cutoff; below -1: no cone
    vec4 ambient;      // w: exponent
    vec4 diffuse;
    vec4 specular;
    vec4 attenuation;  // constant, linear, quadratic
};
layout(std140) uniform Lights {
    Light lights[8];
    mat4 to_shadow[8];  // room to shadow maps
};

// What goes from vertices to pixels.
#if SHADOW_LIGHTS
#define SHADED vec3 shade[SHADOW_LIGHTS]; vec4 shadow_at[SHADOW_LIGHTS];  // light of each, its place in the map
#else
#define SHADED
#endif
#if WIRES
#define WIRED flat int line;
#else
#define WIRED
#endif
#if TEXTURE
#if TEXTURE == 1
#define TEXEL vec2
#else
#define TEXEL vec3
#endif
#define TEXTURED TEXEL texel;
#define TEXTURED_COPY(corner) to.texel = from[corner].texel;
#else
#define TEXTURED
#define TEXTURED_COPY(corner)
#endif
#if FOG
#define FOGGED float distance;
#define FOGGED_COPY(corner) to.distance = from[corner].distance;
#else
#define FOGGED
#define FOGGED_COPY(corner)
#endif
#define VERTEX Vertex { vec3 base; flat float alpha; TEXTURED FOGGED SHADED WIRED }

// Ends of a line behind the eye have no place in the window: they move to where the line comes forward.
void in_front(inout vec4 a, inout vec4 b)
{
    const float least = 1e-4;
    if (a.w < least && b.w > least) a = mix(a, b, (least - a.w) / (b.w - a.w));
    if (b.w < least && a.w > least) b = mix(b, a, (least - b.w) / (a.w - b.w));
}

// Moves an end of a line by half a width in pixels to its left, seen along the line from this end, or with side = -1 to
// its right. With one sample a pixel lines have whole widths and move
// up where they run along x, else to the right.
vec4 widened(vec4 end, vec4 other, float width, float side)
{
    vec2 along = (other.xy / other.w - end.xy / end.w) * window.xy;
    vec2 aside = abs(along.x) >= abs(along.y) ? vec2(0, 1) : vec2(1, 0);
    if (depths.z != 0) {
        vec2 across = vec2(-along.y, along.x);
        across *= dot(across, aside) < 0 ? -1 : 1;
        aside = across / max(length(across), 1e-9);
    } else {
        width = floor(width + 0.5);
    }
    width = max(1, width);
    side *= cross(vec3(along, 0), vec3(aside, 0)).z < 0 ? -1 : 1;
    end.xy += side * width * aside / window.xy * end.w;
    return end;
}
