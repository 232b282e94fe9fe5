package dev.uplift.store.rollout;

import io.micronaut.core.annotation.Introspected;

/// How many devices have a result.
@Introspected
record ResultCount(String result, int devices) {}
