// Geoms: one shape many times, lit at vertices as the fixed pipeline does it.
// PLAIN_LIGHTS, SHADOW_LIGHTS: how many lights there are without and with shadow maps, those without first.
// SEGMENT: colours are numbers and not lit. TEXTURE: 1 a picture, 2 a cube. CLIPPED: what is behind a plane is left out.
layout(location = 0) in vec4 v_position;  // w: how much z moves by the half length
layout(location = 1) in vec3 v_normal;
layout(location = 2) in vec2 v_texcoord;
layout(location = 3) in vec4 g_x;         // rows of the pose
layout(location = 4) in vec4 g_y;
layout(location = 5) in vec4 g_z;
layout(location = 6) in vec4 g_scale;     // w: half length
layout(location = 7) in vec4 g_colour;
layout(location = 8) in vec4 g_look;      // emission, specular, shininess, reflectance
layout(location = 9) in vec4 g_texture;   // scale; w: of 0 the shape of size 1, 1 the scaled one, 2 own coordinates
layout(location = 10) in vec4 g_texture2;
layout(location = 11) in int g_segid;

vec3 placed(vec4 local) { return vec3(dot(g_x, local), dot(g_y, local), dot(g_z, local)); }

vec3 in_shape() { return v_position.xyz * g_scale.xyz + vec3(0, 0, v_position.w * g_scale.w); }

#if DEPTH_ONLY
// Lines are no wider than nothing.
void main()
{
    gl_Position = abs(v_position.w) > 8 ? vec4(0, 0, 2, 1) : seen(placed(vec4(in_shape(), 1)));
}
#else
out VERTEX to;

vec3 colour() { return g_colour.rgb * window.w; }

vec3 lit(Light light, vec3 at, vec3 n, vec3 towards_eye)
{
    vec3 way = light.position.xyz - at * light.position.w;
    float distance = length(way);
    float seen_distance = distance * ambient.w;
    vec3 l = way / max(distance, 1e-12);
    float strength = 1;
    if (light.position.w != 0) {
        strength = 1 / dot(light.attenuation.xyz, vec3(1, seen_distance, seen_distance * seen_distance));
        if (light.direction.w > -1) {
            float along = dot(-l, light.direction.xyz);
            strength = along < light.direction.w ? 0 : strength * pow(along, light.ambient.w);
        }
    }
    float facing = dot(n, l);
    vec3 sum = light.ambient.rgb * colour();
    if (facing > 0) {
        sum += light.diffuse.rgb * colour() * facing;
        float mirrored = max(dot(n, normalize(l + towards_eye)), 0);
        sum += light.specular.rgb * g_look.y * (g_look.z > 0 ? pow(mirrored, 128 * g_look.z) : 1);
    }
    return strength * sum;
}

#if TEXTURE
TEXEL find_texel(vec3 local)
{
    vec3 point = g_texture.w == 0 ? vec3(v_position.xy, v_position.z + v_position.w) : local;
    point *= g_texture.xyz;
#if TEXTURE == 2
    return point;
#else
    return g_texture.w == 2 ? v_texcoord : point.xy - 0.5;
#endif
}
#endif

// What does not depend on light.
void set_place(vec3 local, vec3 at)
{
#if TEXTURE
    to.texel = find_texel(local);
#endif
#if FOG
    to.distance = ahead(at);
#endif
#if CLIPPED
    gl_ClipDistance[0] = dot(clip, vec4(at, 1));
#endif
}

// A line: v_normal leads to its other end. v_position.w is above 24 at its end, below at its beginning, and has the sign
// of the side of this corner, so that corners go round as those of faces that are seen.
void draw_line()
{
    vec4 end = vec4(v_position.xyz * g_scale.xyz, 1);
    vec4 other = vec4(end.xyz + v_normal * g_scale.xyz, 1);
    vec3 at = placed(end);
    set_place(end.xyz, at);
    vec4 a = seen(at), b = seen(placed(other));
    in_front(a, b);
    float side = (abs(v_position.w) > 24 ? -1 : 1) * sign(v_position.w) * depths.w;
    gl_Position = widened(a, b, g_scale.w, side);
    to.base = clamp(colour(), 0, 1);
#if SHADOW_LIGHTS
    // as in the peer a line has its colour once more from each light with a shadow
    for (int i = 0; i < SHADOW_LIGHTS; i++) {
        to.shade[i] = to.base;
        to.shadow_at[i] = to_shadow[i] * vec4(at, 1);
    }
#endif
}

void main()
{
#if WIRES
    to.line = int(abs(v_position.w) > 8);
#endif
    to.alpha = g_colour.a;
    if (abs(v_position.w) > 8) {
        draw_line();
        return;
    }
    vec3 local = in_shape();
    vec3 at = placed(vec4(local, 1));
    set_place(local, at);
#if SEGMENT
    to.base = g_colour.rgb;
#else
    vec3 s = abs(g_scale.xyz) / max(max(abs(g_scale.x), abs(g_scale.y)), max(abs(g_scale.z), 1e-30));
    vec3 m = v_normal * s.yzx * s.zxy;
    vec3 n = vec3(dot(g_x.xyz, m), dot(g_y.xyz, m), dot(g_z.xyz, m));
    n *= inversesqrt(max(dot(n, n), 1e-30));
    vec3 towards_eye = normalize(eye.xyz - at);

    to.base = (ambient.rgb + g_look.x) * colour();
    for (int i = 0; i < PLAIN_LIGHTS; i++) to.base += lit(lights[i], at, n, towards_eye);
    to.base = clamp(to.base, 0, 1);
#if SHADOW_LIGHTS
    for (int i = 0; i < SHADOW_LIGHTS; i++) {
        to.shade[i] = clamp(lit(lights[PLAIN_LIGHTS + i], at, n, towards_eye), 0, 1);
        to.shadow_at[i] = to_shadow[i] * vec4(at, 1);
    }
#endif
#endif
    gl_Position = seen(at);
}
#endif
