package dev.uplift.store.barrier;

import io.micronaut.core.annotation.Introspected;

/// A host that has answered its newest command of a barrier.
///
/// @param outcome exactly as the agent reported it
@Introspected
public record AnsweredHost(String host, String outcome) {}
