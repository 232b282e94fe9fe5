package dev.uplift.store.rollout;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How many devices were started, and when the first of them.
@Introspected
record StartCount(int devices, @Nullable Instant oldest) {}
