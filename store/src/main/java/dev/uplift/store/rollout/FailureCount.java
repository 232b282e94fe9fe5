package dev.uplift.store.rollout;

import io.micronaut.core.annotation.Introspected;

/// How many devices have the same first error.
@Introspected
record FailureCount(String errorCode, String errorClass, String example, int devices) {}
