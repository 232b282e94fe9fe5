package dev.uplift.api.barriers;

import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Size;

/// A request of a person or a program to a barrier.
///
/// @param reason for the audit; may be empty
@Introspected
record BarrierActionRequest(@Bindable(defaultValue = "") @Size(max = 500) String reason) implements RequestBody {}
