package dev.uplift.activities.temporal;

/// Where Temporal is.
///
/// @param target host and port
public record TemporalSettings(String target, String namespace) {}
