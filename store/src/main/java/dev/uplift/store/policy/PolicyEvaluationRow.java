package dev.uplift.store.policy;

import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How a policy stood when all its devices were last looked at.
///
/// @param policyVersion that was evaluated
/// @param completeSince since when nothing is left to do; empty as long as that is not so
/// @param conflicts names of the policies that overruled it for a device
@MappedEntity("policy_evaluation")
public record PolicyEvaluationRow(
    @Id String tenant,
    @Id String policy,
    long policyVersion,
    Instant evaluatedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> completeSince,
    @MappedProperty(converter = TextColumn.class) List<String> conflicts) {}
