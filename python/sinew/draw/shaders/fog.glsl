// Fog grows evenly with the distance along the axis of sight.
vec3 fogged(vec3 colour, vec3 world)
{
    float distance = dot(world - eye.xyz, forward.xyz);
    float seen = clamp((depths.y - distance) / max(depths.y - depths.x, 1e-9), 0, 1);
    return mix(colour, fog.rgb, fog.w * (1 - seen));
}
