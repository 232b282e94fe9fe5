package dev.uplift.api.settings;

/// How many requests of hosts without a token are answered.
///
/// @param perMinute by this server
/// @param perMinuteAndAddress of them to one address
public record JoinRateLimits(int perMinute, int perMinuteAndAddress) {}
