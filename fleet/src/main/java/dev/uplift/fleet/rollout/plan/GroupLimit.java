package dev.uplift.fleet.rollout.plan;

/// Of all devices with the same value of a label, as the members of one high-availability group, so many at most are in
/// progress, silent or not verified at the same time.
public record GroupLimit(String label, int atMost) {}
