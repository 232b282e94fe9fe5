package dev.uplift.temporaldev;

/// What the parts of one stack have in common.
record Shared(Ports ports, Secrets secrets, Programs programs) {}
