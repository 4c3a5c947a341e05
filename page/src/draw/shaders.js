// The shaders: formulas of python/sinew/draw/shaders, so that looks are those of `sinew render`.

const PRECISION = `precision highp float;
precision highp int;
precision highp samplerCube;
precision highp sampler2DShadow;
`;

// What all know of a picture.
const EYE = `
uniform mat4 view;       // room to clip space
uniform vec3 eye;        // position
uniform vec3 forward;    // along the axis of sight
uniform vec3 size;       // width, height in pixels; width of lines
uniform vec3 fog;        // colour
uniform vec2 fog_range;  // where it begins, where it hides all
uniform vec4 clip;       // the mirror's plane
uniform float tint;      // what colours of surfaces are multiplied with

float ahead(vec3 at) { return dot(at - eye, forward); }

vec3 fogged(vec3 colour, float way)
{
    return mix(fog, colour, clamp((fog_range.y - way) / max(fog_range.y - fog_range.x, 1e-9), 0.0, 1.0));
}
`;

// Ends of a line behind the eye have no place in the window: they move to where the line comes forward. Then an end moves
// by half a width in pixels to its left, or with side = -1 to its right; in pictures of numbers by whole pixels.
const WIDENED = `
uniform bool sampled;  // whether pixels have samples

void in_front(inout vec4 a, inout vec4 b)
{
    const float least = 1e-4;
    if (a.w < least && b.w > least) a = mix(a, b, (least - a.w) / (b.w - a.w));
    if (b.w < least && a.w > least) b = mix(b, a, (least - b.w) / (a.w - b.w));
}

vec4 widened(vec4 end, vec4 other, float width, float side)
{
    vec2 along = (other.xy / other.w - end.xy / end.w) * size.xy;
    vec2 aside = abs(along.x) >= abs(along.y) ? vec2(0.0, 1.0) : vec2(1.0, 0.0);
    if (sampled) {
        vec2 across = vec2(-along.y, along.x);
        across *= dot(across, aside) < 0.0 ? -1.0 : 1.0;
        aside = across / max(length(across), 1e-9);
    } else {
        width = floor(width + 0.5);
    }
    width = max(1.0, width);
    side *= along.x * aside.y - along.y * aside.x < 0.0 ? -1.0 : 1.0;
#if MIRRORED
    side = -side;
#endif
    end.xy += side * width * aside / size.xy * end.w;
    return end;
}
`;

// Light of a vertex as the fixed pipeline has it. A light has six rows: position (w 0: directional, xyz towards the light),
// direction (w: cosine of the cutoff; below -1: no cone), ambient (w: exponent), diffuse, specular, attenuation.
const LIT = `
uniform vec4 lights[48];
uniform int light_count;
uniform float ambient;  // light from nowhere
uniform int first_shadow;  // the first of the SHADOWS lights with maps

vec3 surface() { return g_colour.rgb * tint; }

vec3 lit(int i, vec3 at, vec3 n, vec3 towards_eye)
{
    vec4 position = lights[6 * i], direction = lights[6 * i + 1], around = lights[6 * i + 2];
    vec3 way = position.xyz - at * position.w;
    float far = length(way);
    vec3 l = way / max(far, 1e-12);
    float strength = 1.0;
    if (position.w != 0.0) {
        strength = 1.0 / dot(lights[6 * i + 5].xyz, vec3(1.0, far, far * far));
        if (direction.w > -1.0) {
            float along = dot(-l, direction.xyz);
            strength = along < direction.w ? 0.0 : strength * pow(along, around.w);
        }
    }
    float facing = dot(n, l);
    vec3 sum = around.rgb * surface();
    if (facing > 0.0) {
        sum += lights[6 * i + 3].rgb * surface() * facing;
        float mirrored = max(dot(n, normalize(l + towards_eye)), 0.0);
        sum += lights[6 * i + 4].rgb * g_look.y * (g_look.z > 0.0 ? pow(mirrored, 128.0 * g_look.z) : 1.0);
    }
    return strength * sum;
}

vec3 shining(vec3 at, vec3 normal)
{
    vec3 s = abs(g_scale.xyz) / max(max(abs(g_scale.x), abs(g_scale.y)), max(abs(g_scale.z), 1e-30));
    vec3 m = normal * s.yzx * s.zxy;
    vec3 n = vec3(dot(g_x.xyz, m), dot(g_y.xyz, m), dot(g_z.xyz, m));
    n *= inversesqrt(max(dot(n, n), 1e-30));
    vec3 towards_eye = normalize(eye - at);
    vec3 sum = (ambient + g_look.x) * surface();
    for (int i = 0; i < light_count; i++) {
#if SHADOWS
        if (i >= first_shadow && i < first_shadow + SHADOWS) continue;
#endif
        sum += lit(i, at, n, towards_eye);
    }
#if SHADOWS
    for (int i = 0; i < SHADOWS; i++) shade[i] = clamp(lit(first_shadow + i, at, n, towards_eye), 0.0, 1.0);
#endif
    return clamp(sum, 0.0, 1.0);
}
`;

// SHADOWS: lights that have maps of what they see, at most 4.
// Geoms: one shape many times. SEGMENT: 1 colours are numbers of objects, 2 they are not lit. TEXTURE: 1 a picture, 2 a cube. WIRES: each side of
// a triangle is a quad of its own, whose corners know the other end of the side and the third corner. MIRRORED: what is
// behind the mirror's plane is left out.
const GEOM_INPUTS = `
in vec4 v_position;  // w: how much z moves by the half length; beyond 8: a line
in vec3 v_normal;
in vec2 v_texcoord;
#if WIRES
in vec4 v_other;
in vec4 v_third;
in float v_side;
#endif
in vec4 g_x;         // rows of the pose
in vec4 g_y;
in vec4 g_z;
in vec4 g_scale;     // w: half length
in vec4 g_colour;
in vec4 g_look;      // emission, specular, shininess, reflectance
in vec4 g_texture;   // scale; w: of 0 the shape of size 1, 1 the scaled one, 2 own coordinates
in float g_segid;

out vec3 base;
flat out float alpha;
#if SHADOWS
uniform mat4 to_shadow[SHADOWS];  // room to maps
out vec3 shade[SHADOWS];          // light of each
out vec4 shadow_at[SHADOWS];      // its place in the map
#endif
#if TEXTURE == 1
out vec2 texel;
#elif TEXTURE == 2
out vec3 texel;
#endif
#if FOG
out float way;
#endif
#if MIRRORED
out float before;
#endif

vec3 placed(vec4 local) { return vec3(dot(g_x, local), dot(g_y, local), dot(g_z, local)); }

vec3 in_shape(vec4 vertex) { return vertex.xyz * g_scale.xyz + vec3(0.0, 0.0, vertex.w * g_scale.w); }

vec4 seen(vec3 at) { return view * vec4(at, 1.0); }
`;

const GEOM_MAIN = `
vec3 colour(vec3 at)
{
#if SEGMENT == 1
    int number = int(g_segid) + 1;
    return vec3(number & 255, number >> 8 & 255, number >> 16 & 255) / 255.0;
#elif SEGMENT == 2
    return g_colour.rgb;
#else
    return shining(at, v_normal);
#endif
}

void set_place(vec3 local, vec3 at)
{
#if TEXTURE
    vec3 point = g_texture.w == 0.0 ? vec3(v_position.xy, v_position.z + v_position.w) : local;
    point *= g_texture.xyz;
#if TEXTURE == 1
    texel = g_texture.w == 2.0 ? v_texcoord : point.xy - 0.5;
#else
    texel = point;
#endif
#endif
#if FOG
    way = ahead(at);
#endif
#if MIRRORED
    before = dot(clip, vec4(at, 1.0));
#endif
#if SHADOWS
    for (int i = 0; i < SHADOWS; i++) shadow_at[i] = to_shadow[i] * vec4(at, 1.0);
#endif
}

// v_normal leads to the other end. v_position.w is above 24 at the end of a line, below at its beginning, and has the sign
// of the side of this corner.
void draw_line()
{
    vec4 end = vec4(v_position.xyz * g_scale.xyz, 1.0);
    vec4 other = vec4(end.xyz + v_normal * g_scale.xyz, 1.0);
    vec3 at = placed(end);
    set_place(end.xyz, at);
    vec4 a = seen(at), b = seen(placed(other));
    in_front(a, b);
    float side = (abs(v_position.w) > 24.0 ? -1.0 : 1.0) * sign(v_position.w);
    gl_Position = widened(a, b, g_scale.w, side);
#if SEGMENT
    base = colour(at);
#else
    base = clamp(surface(), 0.0, 1.0);
#endif
#if SHADOWS
    // as in the peer a line has its colour once more from each light with a shadow
    for (int i = 0; i < SHADOWS; i++) shade[i] = base;
#endif
}

#if WIRES
vec4 wire(vec4 here)
{
    vec4 other = seen(placed(vec4(in_shape(v_other), 1.0)));
    vec4 third = seen(placed(vec4(in_shape(v_third), 1.0)));
#if CULL
    // v_side is above 2 where the side is walked from its second end to its first
    float turn = determinant(mat3(here.xyw, other.xyw, third.xyw)) * (abs(v_side) > 2.0 ? -1.0 : 1.0);
    if (turn <= 0.0) return vec4(0.0, 0.0, 2.0, 1.0);
#endif
    in_front(here, other);
    return widened(here, other, size.z, sign(v_side));
}
#endif

void main()
{
    alpha = g_colour.a;
    if (abs(v_position.w) > 8.0) {
        draw_line();
        return;
    }
    vec3 local = in_shape(v_position);
    vec3 at = placed(vec4(local, 1.0));
    set_place(local, at);
    base = colour(at);
    gl_Position = seen(at);
#if WIRES
    gl_Position = wire(gl_Position);
#endif
}
`;

// The depths of geoms as a light sees them. Lines are no wider than nothing.
export const DEPTH_VERTEX = `${PRECISION}
in vec4 v_position;
in vec4 g_x;
in vec4 g_y;
in vec4 g_z;
in vec4 g_scale;
uniform mat4 light_view;  // room to the light's clip space

void main()
{
    vec4 local = vec4(v_position.xyz * g_scale.xyz + vec3(0.0, 0.0, v_position.w * g_scale.w), 1.0);
    vec3 at = vec3(dot(g_x, local), dot(g_y, local), dot(g_z, local));
    gl_Position = abs(v_position.w) > 8.0 ? vec4(0.0, 0.0, 2.0, 1.0) : light_view * vec4(at, 1.0);
}
`;

export const DEPTH_PIXEL = `${PRECISION}
out vec4 pixel;

void main() { pixel = vec4(0.0); }
`;

export const GEOM_VERTEX = PRECISION + EYE + WIDENED + GEOM_INPUTS + LIT + GEOM_MAIN;

export const GEOM_PIXEL = `${PRECISION}${EYE}
in vec3 base;
flat in float alpha;
#if SHADOWS
in vec3 shade[SHADOWS];
in vec4 shadow_at[SHADOWS];
uniform sampler2DShadow shadow_map0;
#if SHADOWS > 1
uniform sampler2DShadow shadow_map1;
#endif
#if SHADOWS > 2
uniform sampler2DShadow shadow_map2;
#endif
#if SHADOWS > 3
uniform sampler2DShadow shadow_map3;
#endif
#endif
#if TEXTURE == 1
uniform sampler2D image;
in vec2 texel;
#elif TEXTURE == 2
uniform samplerCube image;
in vec3 texel;
#endif
#if FOG
in float way;
#endif
#if MIRRORED
in float before;
#endif
out vec4 pixel;

void main()
{
#if MIRRORED
    if (before < 0.0) discard;
#endif
    vec3 sum = base;
#if SHADOWS
    sum += shade[0] * textureProj(shadow_map0, shadow_at[0]);
#endif
#if SHADOWS > 1
    sum += shade[1] * textureProj(shadow_map1, shadow_at[1]);
#endif
#if SHADOWS > 2
    sum += shade[2] * textureProj(shadow_map2, shadow_at[2]);
#endif
#if SHADOWS > 3
    sum += shade[3] * textureProj(shadow_map3, shadow_at[3]);
#endif
#if SEGMENT
    pixel = vec4(sum, 1.0);
#else
    pixel = vec4(sum, alpha);
#endif
#if TEXTURE
    pixel *= texture(image, texel);
#endif
#if FOG
    pixel.rgb = fogged(min(pixel.rgb, vec3(1.0)), way);
#endif
}
`;

// The face of a mirror.
export const MIRROR_VERTEX = `${PRECISION}
in vec2 corner;
uniform mat4 view;
uniform mat4 place;

void main() { gl_Position = view * place * vec4(corner, 0.0, 1.0); }
`;

export const MIRROR_PIXEL = DEPTH_PIXEL;

// The sky, a cylinder about the eye; or haze before it, a ring over a plane.
export const SKY_VERTEX = `${PRECISION}${EYE}
in vec4 v_position;  // w: how much haze covers
uniform mat4 place;  // into the room
out vec3 direction;
out float way;
out float cover;

void main()
{
    vec4 at = place * vec4(v_position.xyz, 1.0);
    way = ahead(at.xyz);
    direction = v_position.xzy * vec3(1.0, 1.0, -1.0);  // cubes of skies have y up
    cover = v_position.w;
    gl_Position = view * vec4(at.xyz, 1.0);
}
`;

export const SKY_PIXEL = `${PRECISION}${EYE}
#if SKY
uniform samplerCube image;
#else
uniform vec3 colour;
#endif
in vec3 direction;
in float way;
in float cover;
out vec4 pixel;

void main()
{
#if SKY
    pixel = vec4(texture(image, direction).rgb, 1.0);
#else
    pixel = vec4(colour, cover);
#endif
#if FOG
    pixel.rgb = fogged(pixel.rgb, way);
#endif
}
`;
