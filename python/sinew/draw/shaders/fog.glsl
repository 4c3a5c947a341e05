// Fog grows evenly with the distance along the axis of sight.
float fog_depth(vec3 world) { return dot(world - eye.xyz, forward.xyz); }

vec3 fogged(vec3 colour, float depth)
{
    float seen = clamp((depths.y - depth) / max(depths.y - depths.x, 1e-9), 0, 1);
    return mix(colour, fog.rgb, fog.w * (1 - seen));
}
